#include "app/gui/session/session.h"

#include <QFileInfo>

#include "app/gui/report/report.h"
#include "app/gui/session/iteration_control.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/recon/options/iteration_watcher.h"
#include "engine/recon/reconstruct.h"
#include "engine/scan/formats/file_kind.h"
#include "engine/scan/read/description/scan_description.h"
#include "engine/scan/read/read_scan.h"

namespace spokelab {
namespace {

QString displayName(const QString& file) {
  return QFileInfo(file).fileName();
}

// Samples or a trajectory alone: what their axes mean is not in the file.
bool isArray(const QString& file) {
  if (file == QStringLiteral("demo")) return false;
  const FileKind kind = fileKind(file.toStdString());
  return kind == FileKind::npy || kind == FileKind::cfl;
}

}  // namespace

Session::Session(std::vector<Backend*> backends, const std::filesystem::path& wisdomFile, QObject* parent)
    : QObject(parent), backends_(std::move(backends)), jobs_(this) {
  if (!wisdomFile.empty()) wisdom_ = std::make_unique<Wisdom>(wisdomFile);
  connect(&jobs_, &JobQueue::candidatesSeen, this, [this](int id, const std::vector<Candidate>& candidates) {
    if (id == profiling_) Q_EMIT candidatesSeen(candidates);
  });
  connect(&jobs_, &JobQueue::failed, this,
          [this](const JobState&, const Failure& failure) { Q_EMIT failed(failure); });
  connect(&jobs_, &JobQueue::jobChanged, this, &Session::jobEnded);
}

Session::~Session() = default;

QString Session::wisdomWarning() const {
  return wisdom_ ? QString::fromStdString(wisdom_->warning()) : QString();
}

void Session::open(const QString& file) {
  read(file, {});
}

void Session::openWith(const QString& file, const std::map<std::string, std::string>& overrides) {
  read(file, overrides);
}

QString Session::commandFor(const char* verb, const ReconOptions& options,
                            const std::vector<std::string>& more) const {
  if (!scan_) return {};
  return QString::fromStdString(spokelab::commandFor(verb, *scan_, overrides_, options, more));
}

void Session::overrideDecision(const QString& topic, const QString& choice) {
  if (!needScan(tr("change a decision"))) return;
  if (file_.isEmpty()) {
    Q_EMIT failed({tr("Cannot change a decision"), tr("the scan was simulated, not read"),
                   tr("Simulate another one, or save it and open the file")});
    return;
  }
  auto overrides = overrides_;
  overrides[topic.toStdString()] = choice.toStdString();
  read(file_, std::move(overrides));
}

void Session::read(const QString& file, std::map<std::string, std::string> overrides) {
  std::string command = "spokelab info " + shellWord(file.toStdString());
  for (const auto& [topic, choice] : overrides) command += " --set " + shellWord(topic + '=' + choice);
  jobs_.submit(
      JobKind::open, tr("Open %1").arg(displayName(file)),
      [this, file, overrides, choices = choicesFile_](const JobContext& context) -> JobQueue::Delivery {
        ReadOptions options;
        options.overrides = overrides;
        options.choices = choices;
        if (isArray(file)) {
          auto proposal =
              std::make_shared<const ProposedDescription>(proposeScanDescription(file.toStdString()));
          return [this, file, proposal] { Q_EMIT descriptionProposed(file, proposal); };
        }
        auto scan = readScan(std::filesystem::path(file.toStdString()), options, context.progress);
        return [this, file, overrides, scan] {
          scan_ = scan;
          file_ = file;
          overrides_ = overrides;
          simulation_.clear();
          profiling_ = 0;
          Q_EMIT scanOpened(scan);
        };
      },
      QString::fromStdString(command));
}

bool Session::needScan(const QString& toDo) {
  if (scan_) return true;
  Q_EMIT failed({tr("Cannot %1").arg(toDo), tr("no scan is open"), tr("Open a file, or take the demo")});
  return false;
}

void Session::deliver(const std::shared_ptr<const Scan>& scan, std::shared_ptr<const Reconstruction> result) {
  const HistoryEntry entry{++results_, QString::fromStdString(scan->name), std::move(result), scan};
  Q_EMIT resultReady(entry);
}

void Session::reconstruct(const ReconOptions& options) {
  if (!needScan(tr("reconstruct"))) return;
  const auto scan = scan_;
  const auto control =
      options.iterative.method == ReconMethod::gridding ? nullptr : std::make_shared<IterationControl>(scan);
  const int id = jobs_.submit(
      JobKind::reconstruct, tr("Reconstruct %1").arg(QString::fromStdString(scan->name)),
      [this, scan, options, control](const JobContext& context) -> JobQueue::Delivery {
        ReconOptions asked = options;
        if (control)
          asked.iterative.watcher = [control, stop = context.progress.stopToken()](
                                        const IterationState& state) { return control->watch(state, stop); };
        auto done = std::make_shared<Reconstruction>(
            spokelab::reconstruct(backends_, *scan, asked, wisdom_.get(), context.progress, context.seen));
        if (done->cancelled || !done->image) throw Cancelled{};
        done->options.iterative.watcher = {};
        const std::shared_ptr<const Reconstruction> result = done;
        return [this, scan, result] {
          endIterations(*result);
          deliver(scan, result);
          if (result->tuning && !jobs_.busy(JobKind::sweep)) Q_EMIT profileReady(*result->tuning);
        };
      },
      commandFor("reconstruct", options, {"-o", "image.nii.gz"}));
  if (control) watchIterations(id, scan, options, control);
  // A sweep that runs keeps the charts.
  if (jobs_.busy(JobKind::sweep)) return;
  profiling_ = id;
  Q_EMIT profileStarted(options.nufft.accuracy);
}

void Session::saveImage(const HistoryEntry& entry, const std::filesystem::path& file,
                        const WriteOptions& options) {
  const QString name =
      QString::fromStdString((file.has_filename() ? file : file.parent_path()).filename().string());
  jobs_.submit(
      JobKind{.name = "save image"}, tr("Save %1").arg(name),
      [this, result = entry.result, file, options](const JobContext& context) -> JobQueue::Delivery {
        writeImage(*result->image, file, options, context.progress);
        return [this, file] { Q_EMIT saved(QString::fromStdString(file.string())); };
      },
      entry.source.lock() == scan_ ? commandFor("reconstruct", entry.result->options, {"-o", file.string()})
                                   : QString());
}

void Session::saveReport(const Report& report, const std::filesystem::path& folder) {
  jobs_.submit(
      JobKind{.name = "report"}, tr("Report %1").arg(QString::fromStdString(folder.filename().string())),
      [this, report, folder](const JobContext& context) -> JobQueue::Delivery {
        writeReport(report, folder, context.progress);
        return [this, folder] { Q_EMIT saved(QString::fromStdString(folder.string())); };
      },
      report.replay ? QString::fromStdString(report.commandLine)
                    : commandFor("report", report.result->options, {"-o", folder.string()}));
}

}  // namespace spokelab
