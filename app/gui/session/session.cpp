#include "app/gui/session/session.h"

#include <algorithm>
#include <cmath>

#include "app/gui/session/command_text.h"
#include "engine/core/error.h"
#include "engine/profile/session/saved_session.h"
#include "engine/scan/check/resample_image.h"

namespace spokelab {

Session::Session(std::vector<Backend*> backends, const std::optional<std::filesystem::path>& wisdomFile,
                 QObject* parent)
    : QObject(parent), backends_(std::move(backends)), jobs_(this) {
  try {
    if (wisdomFile) wisdom_ = std::make_unique<Wisdom>(*wisdomFile);
  } catch (const Error& error) {
    wisdomWarning_ = QString::fromUtf8(error.what());
  }
  connect(&jobs_, &JobQueue::candidatesSeen, this, [this](int id, const std::vector<Candidate>& candidates) {
    if (id == profiling_) Q_EMIT candidatesSeen(candidates);
  });
  connect(&jobs_, &JobQueue::failed, this,
          [this](const JobState&, const Failure& failure) { Q_EMIT failed(failure); });
  connect(&results_, &HistoryModel::renamed, this, &Session::resultsChanged);
}

Session::~Session() = default;

QString Session::wisdomWarning() const {
  return wisdom_ ? QString::fromStdString(wisdom_->warning()) : wisdomWarning_;
}

void Session::takeScan(OpenScan open) {
  open_ = std::move(open);
  profiling_ = 0;
  setReference(0, false);
  results_.setShown(0);
  Q_EMIT nothingShown();
  Q_EMIT scanOpened(open_.scan);
  Q_EMIT resultsChanged();
}

void Session::setScan(OpenScan open) {
  takeScan(std::move(open));
  if (open_.scan) Q_EMIT scanReady();
}

void Session::restoreScan(OpenScan open) {
  restoring_ = true;
  takeScan(std::move(open));
  restoring_ = false;
}

void Session::restore(OpenScan open, const QString& file,
                      const std::shared_ptr<const LoadedSession>& loaded) {
  restoring_ = true;
  // Numbers of results whose images were lost are not given again.
  for (const SavedResult& result : loaded->session.results) lastResult_ = std::max(lastResult_, result.id);
  takeScan(std::move(open));
  Q_EMIT sessionOpened(file, loaded);
  restoring_ = false;
}

bool Session::needScan(const QString& toDo) {
  if (scan()) return true;
  Q_EMIT failed({tr("Cannot %1").arg(toDo), tr("no scan is open"), tr("Open a file, or take the demo")});
  return false;
}

QString Session::commandFor(const char* verb, const ReconOptions& options,
                            const std::vector<std::string>& more) const {
  if (!scan()) return {};
  return QString::fromStdString(
      withSimulation(spokelab::commandFor(verb, *scan(), reading(), options, more)));
}

std::string Session::withSimulation(const std::string& command) const {
  return simulation().empty() ? command : simulateCommand(simulation()) + '\n' + command;
}

ReadOptions Session::reading() const {
  ReadOptions reading;
  reading.overrides = open_.overrides;
  reading.separate = open_.separate;
  return reading;
}

HistoryEntry Session::newEntry(const std::shared_ptr<const Scan>& scan,
                               std::shared_ptr<const Reconstruction> result) {
  return {++lastResult_, scan ? QString::fromStdString(scan->name) : QString(), std::move(result), scan};
}

void Session::deliver(const std::shared_ptr<const Scan>& scan, std::shared_ptr<const Reconstruction> result,
                      std::shared_ptr<const TuneResult> timed) {
  HistoryEntry entry = newEntry(scan, std::move(result));
  entry.timed = std::move(timed);
  addResult(entry);
  show(entry.id);
  Q_EMIT resultReady(entry);
}

void Session::addResult(const HistoryEntry& entry) {
  results_.add(entry);
  Q_EMIT resultsChanged();
}

void Session::setResults(std::vector<HistoryEntry> entries) {
  results_.setEntries(std::move(entries));
  Q_EMIT resultsChanged();
}

void Session::removeResults(const std::vector<int>& ids) {
  const std::vector<HistoryEntry> removed = results_.remove(ids);
  if (removed.empty()) return;
  Q_EMIT resultsRemoved(removed);
  if (results_.reference() != 0 && !reference()) setReference(0, false);
  if (results_.shown() != 0 && !shown()) {
    results_.setShown(0);
    if (const HistoryEntry* next = results_.newest())
      show(next->id);
    else
      Q_EMIT nothingShown();
  }
  Q_EMIT resultsChanged();
}

void Session::putBackResults(const std::vector<HistoryEntry>& removed) {
  results_.putBack(removed);
  Q_EMIT resultsChanged();
}

void Session::show(int id) {
  if (!results_.find(id)) return;
  const int before = results_.shown();
  results_.setShown(id);
  if (!pinned_ && before != 0 && before != id) setReference(before, false);
  results_.setDifference(-1);
  Q_EMIT resultShown(id);
  Q_EMIT resultsChanged();
}

void Session::choose(int id) {
  if (results_.find(id)) Q_EMIT resultChosen(id);
  show(id);
}

// Images of different scans say nothing about each other; one of a file may belong to any.
QString Session::obstacleTo(const HistoryEntry& entry) const {
  const HistoryEntry* shown = this->shown();
  if (!shown) return {};
  const auto isOfFile = [](const HistoryEntry& e) { return e.result->origin == ResultOrigin::file; };
  if (shown->scan != entry.scan && !isOfFile(*shown) && !isOfFile(entry))
    return tr("they are of different scans");
  const auto &image = entry.result->image, &onto = shown->result->image;
  if (!image || !onto) return tr("one of them has no image");
  return QString::fromStdString(gridObstacle(*image, *onto));
}

void Session::setReference(int id, bool pinned) {
  const HistoryEntry* entry = results_.find(id);
  const QString obstacle = entry ? obstacleTo(*entry) : QString();
  if (pinned && !obstacle.isEmpty()) {
    Q_EMIT failed({tr("Cannot compare with %1").arg(titleOf(*entry)), obstacle, tr("Choose another result")});
    return;
  }
  const bool fits = entry && obstacle.isEmpty();
  pinned_ = pinned && fits;
  results_.setDifference(-1);
  results_.setReference(fits ? id : 0);
  Q_EMIT referenceChanged();
  Q_EMIT resultsChanged();
}

void Session::setDifference(double nrmse) {
  results_.setDifference(std::isfinite(nrmse) ? nrmse : -1);
}

void Session::profile(int job, double accuracy) {
  profiling_ = job;
  Q_EMIT profileStarted(accuracy);
}

void Session::setProfile(const TuneResult& result, double accuracy) {
  Q_EMIT profileStarted(accuracy);
  Q_EMIT profileReady(result);
}

}  // namespace spokelab
