#include "app/gui/document/undo.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>
#include <QUndoCommand>
#include <QUndoStack>

#include <functional>
#include <utility>

#include "app/gui/window/main_window.h"
#include "engine/profile/results/results_read.h"
#include "widgets/image/image_panel.h"
#include "widgets/recon/history_list.h"
#include "widgets/recon/parameters/parameter_panel.h"
#include "widgets/recon/parameters/plan_sliders.h"

namespace spokelab {
namespace {

constexpr int mostSteps = 200;
constexpr qint64 sameStepMs = 1200;  // a change that follows so soon belongs to the one before

enum StepKind { optionStep = 1, windowStep, volumeStep, otherStep = -1 };

// One value before and after. The first redo() is that of push(): the change has been made already.
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
    if (!std::exchange(made_, true)) return;
    apply_(after_);
  }
  int id() const override { return kind_; }
  bool mergeWith(const QUndoCommand* next) override {
    const auto* other = dynamic_cast<const Step*>(next);
    if (!other || other->subject_ != subject_ || clock_.elapsed() > sameStepMs) return false;
    after_ = other->after_;
    clock_.restart();
    return true;
  }

 private:
  StepKind kind_;
  QString subject_;  // what is changed: only steps of one subject are joined
  Value before_, after_;
  Apply apply_;
  bool made_ = false;
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

// Whether nothing but these three differs.
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

Undo::Undo(MainWindow& window) : QObject(&window), window_(window), stack_(new QUndoStack(this)) {
  setObjectName(QStringLiteral("undo"));
  stack_->setUndoLimit(mostSteps);
  readAgain();
  connect(window.parameters(), &ParameterPanel::optionsChanged, this, &Undo::optionsChanged);
  connect(&window.session(), &Session::scanOpened, this, &Undo::scanOpened);
  connect(&window.session(), &Session::failed, this, [this] { undoingRead_ = false; });
  connect(window.image(), &ImagePanel::windowChanged, this, &Undo::windowChanged);
  connect(window.image(), &ImagePanel::modeChanged, this, [this] {
    mode_ = window_.image()->mode();
    level_ = window_.image()->window();
  });
  connect(window.image(), &ImagePanel::volumeStyleChanged, this, &Undo::volumeChanged);
  connect(&window, &MainWindow::resultChosen, this, &Undo::shownChanged);
  connect(&window, &MainWindow::resultShown, this, [this] {
    shown_ = window_.history()->model()->shown();
    level_ = window_.image()->window();
  });
  connect(
      &window.session(), &Session::sessionOpened, this, [this] { forget(); }, Qt::QueuedConnection);
}

void Undo::addMenu() {
  const QList<QAction*> menus = window_.menuBar()->actions();
  auto* edit = new QMenu(tr("&Edit"), &window_);
  window_.menuBar()->insertMenu(menus.size() > 1 ? menus[1] : nullptr, edit);
  QAction* undo = stack_->createUndoAction(this, tr("&Undo"));
  QAction* redo = stack_->createRedoAction(this, tr("&Redo"));
  undo->setObjectName(QStringLiteral("action-undo"));
  redo->setObjectName(QStringLiteral("action-redo"));
  undo->setShortcut(QKeySequence::Undo);
  redo->setShortcut(QKeySequence::Redo);
  edit->addActions({undo, redo});
  menu_ = edit;
}

void Undo::readAgain() {
  options_ = optionValues(window_.parameters()->options());
  overrides_ = window_.session().overrides();
  file_ = window_.session().file();
  shown_ = window_.history()->model()->shown();
  mode_ = window_.image()->mode();
  level_ = window_.image()->window();
  volume_ = window_.image()->volumeStyle();
}

void Undo::forget() {
  stack_->clear();
  readAgain();
}

// --- what the user changed --------------------------------------------------------------------------

void Undo::optionsChanged(const ReconOptions& options) {
  Values before = std::exchange(options_, optionValues(options));
  if (applying_ || before == options_ || window_.session().isRestoring()) return;
  QString name = changedName(before, options_);
  if ((name.isEmpty() || window_.sliders()->moving()) && samePlanOptions(before, options_))
    name = planSubject;
  const QString text = name.isEmpty() ? tr("change of parameters") : tr("change of %1").arg(labelOf(name));
  stack_->push(new Step<Values>(text, name.isEmpty() ? otherStep : optionStep, name, std::move(before),
                                options_, [this](const Values& values) { setOptions(values); }));
}

// Decisions of the file that stays open; another file begins anew.
void Undo::scanOpened() {
  Values before = std::exchange(overrides_, window_.session().overrides());
  const QString file = std::exchange(file_, window_.session().file());
  if (std::exchange(undoingRead_, false)) return;
  if (window_.session().isRestoring() || file != file_ || file_.isEmpty()) return stack_->clear();
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

void Undo::windowChanged(const DisplayWindow& window) {
  const DisplayWindow before = std::exchange(level_, window);
  if (applying_ || before == window || mode_ == DisplayMode::phase) return;
  stack_->push(new Step<DisplayWindow>(tr("change of the window"), windowStep, QString::number(int(mode_)),
                                       before, window,
                                       [this, mode = mode_](const DisplayWindow& w) { setWindow(mode, w); }));
}

void Undo::volumeChanged(const VolumeStyle& style) {
  const VolumeStyle before = std::exchange(volume_, style);
  if (applying_ || before == style || window_.session().isRestoring()) return;
  stack_->push(new Step<VolumeStyle>(tr("change of the volume"), volumeStep, QString(), before, style,
                                     [this](const VolumeStyle& s) { setVolume(s); }));
}

// --- steps ------------------------------------------------------------------------------------------

void Undo::setOptions(const Values& values) {
  applying_ = true;
  std::vector<std::string> unknown;
  window_.parameters()->setOptions(optionsFromValues(values, unknown));
  applying_ = false;
}

void Undo::setOverrides(const Values& overrides) {
  undoingRead_ = true;
  window_.session().openWith(file_, overrides);
}

void Undo::setShown(int id) {
  applying_ = true;
  window_.showResultOf(id);
  applying_ = false;
}

void Undo::setWindow(DisplayMode mode, const DisplayWindow& window) {
  applying_ = true;
  window_.image()->setMode(mode);
  window_.image()->setWindow(window);
  applying_ = false;
}

void Undo::setVolume(const VolumeStyle& style) {
  applying_ = true;
  window_.image()->setVolumeStyle(style);
  applying_ = false;
}

}  // namespace spokelab
