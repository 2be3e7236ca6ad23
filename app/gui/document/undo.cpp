#include "app/gui/document/undo.h"

#include <QAction>
#include <QUndoCommand>
#include <QUndoStack>

#include <algorithm>
#include <functional>
#include <utility>

#include "engine/profile/results/results.h"
#include "widgets/image/image_panel.h"
#include "widgets/recon/parameters/parameter_panel.h"
#include "widgets/recon/parameters/plan_sliders.h"

namespace spokelab {
namespace {

constexpr int maxSteps = 200;
constexpr qint64 maxMsWithinStep = 1200;  // a change that follows so soon belongs to the one before

enum StepKind { optionStep = 1, windowStep, volumeStep, otherStep = -1 };

// One value before and after. push() calls the first redo(), when the change has already been made.
template <class Value>
class Step : public QUndoCommand {
 public:
  using Apply = std::function<void(const Value&)>;

  Step(const QString& text, StepKind kind, QString subject, Value before, Value after, Apply apply)
      : QUndoCommand(text),
        kind_(kind),
        subject_(std::move(subject)),
        before_(std::move(before)),
        after_(std::move(after)),
        apply_(std::move(apply)) {
    clock_.start();
  }

  void undo() override { apply_(before_); }
  void redo() override {
    if (!std::exchange(isDone_, true)) return;
    apply_(after_);
  }
  int id() const override { return kind_; }
  bool mergeWith(const QUndoCommand* next) override {
    const auto* other = dynamic_cast<const Step*>(next);
    if (!other || other->subject_ != subject_ || clock_.elapsed() > maxMsWithinStep) return false;
    after_ = other->after_;
    clock_.restart();
    return true;
  }

 private:
  StepKind kind_;
  QString subject_;  // only steps of one subject are joined
  Value before_, after_;
  Apply apply_;
  bool isDone_ = false;
  QElapsedTimer clock_;
};

using Values = std::map<std::string, std::string>;

// The only name whose value differs, else empty.
QString changedName(const Values& a, const Values& b) {
  QString name;
  for (const auto& [key, value] : a) {
    const auto other = b.find(key);
    if (other != b.end() && other->second == value) continue;
    if (!name.isEmpty()) return {};
    name = QString::fromStdString(key);
  }
  return name;
}

// α, W and accuracy, which the sliders move together.
const QString planSubject = QStringLiteral("plan");

// True if nothing but these three differs.
bool samePlanOptions(Values a, Values b) {
  for (Values* values : {&a, &b})
    for (const char* name : {"alpha", "width", "accuracy"}) values->erase(name);
  return a == b;
}

QString labelOf(const QString& option) {
  if (option == planSubject) return Undo::tr("α, W and accuracy");
  for (const OptionSpec& spec : reconOptionTable())
    if (spec.name == option.toStdString()) return QString::fromStdString(spec.label);
  return option;
}

}  // namespace

Undo::Undo(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent), stack_(new QUndoStack(this)) {
  setObjectName(QStringLiteral("undo"));
  stack_->setUndoLimit(maxSteps);
  undo_ = stack_->createUndoAction(this, tr("&Undo"));
  redo_ = stack_->createRedoAction(this, tr("&Redo"));
  undo_->setObjectName(QStringLiteral("action-undo"));
  redo_->setObjectName(QStringLiteral("action-redo"));
  undo_->setShortcut(QKeySequence::Undo);
  redo_->setShortcut(QKeySequence::Redo);
  readAgain();
  connect(views_.parameters, &ParameterPanel::optionsChanged, this, &Undo::optionsChanged);
  connect(&session_, &Session::scanOpened, this, &Undo::scanOpened);
  connect(&session_, &Session::failed, this, [this] { undoingRead_ = false; });
  connect(views_.image, &ImagePanel::windowChanged, this, &Undo::windowChanged);
  connect(views_.image, &ImagePanel::modeChanged, this, [this] {
    mode_ = views_.image->mode();
    level_ = views_.image->window();
  });
  connect(views_.image, &ImagePanel::volumeStyleChanged, this, &Undo::volumeChanged);
  connect(&session_, &Session::resultChosen, this, &Undo::shownChanged);
  connect(&session_, &Session::resultsRemoved, this, &Undo::removed);
  connect(&session_.results(), &HistoryModel::renamed, this, &Undo::renamed);
  connect(&session_, &Session::resultShown, this, [this](int id) {
    shown_ = id;
    level_ = views_.image->window();
  });
  connect(&session_, &Session::nothingShown, this, [this] { shown_ = 0; });
  connect(
      &session_, &Session::sessionOpened, this, [this] { forget(); }, Qt::QueuedConnection);
}

void Undo::readAgain() {
  options_ = optionValues(views_.parameters->options());
  overrides_ = session_.overrides();
  file_ = session_.file();
  shown_ = session_.results().shown();
  mode_ = views_.image->mode();
  level_ = views_.image->window();
  volume_ = views_.image->volumeStyle();
}

void Undo::forget() {
  stack_->clear();
  readAgain();
}

void Undo::optionsChanged(const ReconOptions& options) {
  Values before = std::exchange(options_, optionValues(options));
  if (applying_ || before == options_ || session_.isRestoring()) return;
  QString name = changedName(before, options_);
  if ((name.isEmpty() || views_.sliders->moving()) && samePlanOptions(before, options_)) name = planSubject;
  const QString text = name.isEmpty() ? tr("change of parameters") : tr("change of %1").arg(labelOf(name));
  stack_->push(new Step<Values>(text, name.isEmpty() ? otherStep : optionStep, name, std::move(before),
                                options_, [this](const Values& values) { setOptions(values); }));
}

// Keeps decisions of the open file; another file starts a new history.
void Undo::scanOpened() {
  Values before = std::exchange(overrides_, session_.overrides());
  const QString file = std::exchange(file_, session_.file());
  if (std::exchange(undoingRead_, false)) return;
  if (session_.isRestoring() || file != file_ || file_.isEmpty()) return stack_->clear();
  if (before == overrides_) return;
  const QString name = changedName(overrides_, before);
  stack_->push(new Step<Values>(name.isEmpty() ? tr("change of decisions") : tr("decision on %1").arg(name),
                                otherStep, {}, std::move(before), overrides_,
                                [this](const Values& values) { setOverrides(values); }));
}

void Undo::shownChanged(int id) {
  const int before = std::exchange(shown_, id);
  if (applying_ || before == 0 || before == id) return;
  stack_->push(new Step<int>(tr("choice of result %1").arg(id), otherStep, {}, before, id,
                             [this](const int& result) { setShown(result); }));
}

void Undo::renamed(int id, const QString& before, const QString& now) {
  if (applying_) return;
  stack_->push(new Step<QString>(tr("name of result %1").arg(id), otherStep, {}, before, now,
                                 [this, id](const QString& name) { setName(id, name); }));
}

// The step holds the results, images too, until the stack forgets it.
void Undo::removed(const std::vector<HistoryEntry>& results) {
  if (applying_) return;
  const QString text = results.size() == 1 ? tr("deletion of result %1").arg(results.front().id)
                                           : tr("deletion of %1 results").arg(results.size());
  stack_->push(new Step<bool>(
      text, otherStep, {}, false, true,
      [this, results, shown = shown_](const bool& deleted) { setDeleted(results, deleted, shown); }));
}

void Undo::windowChanged(const DisplayWindow& window) {
  const DisplayWindow before = std::exchange(level_, window);
  if (applying_ || before == window || mode_ == DisplayMode::phase) return;
  stack_->push(new Step<DisplayWindow>(tr("change of the window"), windowStep, QString::number(int(mode_)),
                                       before, window,
                                       [this, mode = mode_](const DisplayWindow& w) { setWindow(mode, w); }));
}

void Undo::volumeChanged(const VolumeStyle& style) {
  const VolumeStyle before = std::exchange(volume_, style);
  if (applying_ || before == style || session_.isRestoring()) return;
  stack_->push(new Step<VolumeStyle>(tr("change of the volume"), volumeStep, QString(), before, style,
                                     [this](const VolumeStyle& s) { setVolume(s); }));
}

void Undo::setOptions(const Values& values) {
  applying_ = true;
  std::vector<std::string> unknown;
  views_.parameters->setOptions(optionsFromValues(values, unknown));
  applying_ = false;
}

void Undo::setOverrides(const Values& overrides) {
  undoingRead_ = true;
  Q_EMIT readRequested(file_, overrides);
}

void Undo::setShown(int id) {
  applying_ = true;
  session_.show(id);
  applying_ = false;
}

void Undo::setName(int id, const QString& name) {
  applying_ = true;
  session_.results().rename(id, name);
  applying_ = false;
}

// `shown`: the result that was shown before the deletion.
void Undo::setDeleted(const std::vector<HistoryEntry>& results, bool deleted, int shown) {
  std::vector<int> ids;
  for (const HistoryEntry& entry : results) ids.push_back(entry.id);
  applying_ = true;
  if (deleted) {
    session_.removeResults(ids);
  } else {
    session_.putBackResults(results);
    if (std::find(ids.begin(), ids.end(), shown) != ids.end()) session_.show(shown);
  }
  applying_ = false;
}

void Undo::setWindow(DisplayMode mode, const DisplayWindow& window) {
  applying_ = true;
  views_.image->setMode(mode);
  views_.image->setWindow(window);
  applying_ = false;
}

void Undo::setVolume(const VolumeStyle& style) {
  applying_ = true;
  views_.image->setVolumeStyle(style);
  applying_ = false;
}

}  // namespace spokelab
