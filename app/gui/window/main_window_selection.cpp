// The selection in the window: picked in the trajectory or written into its fields, kept in the options, drawn in the
// trajectory; and what is made of the selected samples.
#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>
#include <QVBoxLayout>

#include "app/gui/window/main_window.h"
#include "engine/core/error.h"
#include "engine/recon/prepare/sample_selection.h"
#include "widgets/recon/history_list.h"
#include "widgets/recon/jobs/log_view.h"
#include "widgets/recon/parameters/parameter_panel.h"
#include "widgets/trajectory/selection_bar.h"
#include "widgets/trajectory/trajectory_view.h"

namespace spokelab {
namespace {

ReconOptions cleared(ReconOptions options) {
  for (const char* name : selectionOptions) setOption(options, name, "");
  return options;
}

struct Selected {
  QString summary;
  bool problem = false;
  std::vector<int> shots;
  std::vector<char> chosen;
};

Selected selectedOf(const Scan& scan, const ReconOptions& options) {
  Selected selected;
  try {
    const Trajectory& t = scan.trajectory(0);
    const SampleChoice choice = chooseSamples(scan, 0, options);
    selected.summary = QString::fromStdString(describeSelection(scan, 0, options, choice));
    if (!options.shots.empty()) selected.shots = selection(options.shots, int(t.shots()), "shots");
    if (std::int64_t(selected.shots.size()) == t.shots()) selected.shots.clear();
    if (choice.empty()) return selected;
    selected.chosen.assign(std::size_t(t.samples()), 0);
    for (const std::int64_t s : choice.samples) selected.chosen[std::size_t(s)] = 1;
  } catch (const Error& error) {
    selected = {QString::fromStdString(error.summary() + ": " + error.reason()), true, {}, {}};
  }
  return selected;
}

}  // namespace

QWidget* MainWindow::makeTrajectory() {
  selection_ = new SelectionBar;
  auto* both = new QWidget;
  auto* column = new QVBoxLayout(both);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  constexpr int leastHeight = 170;
  trajectory_->setMinimumHeight(leastHeight);
  column->addWidget(trajectory_, 1);
  column->addWidget(selection_);
  return both;
}

void MainWindow::connectSelection() {
  connect(trajectory_, &TrajectoryView::shotsPicked, this,
          [this](const QString& list) { editOption(QStringLiteral("shots"), list); });
  connect(selection_, &SelectionBar::optionEdited, this, &MainWindow::editOption);
  connect(selection_, &SelectionBar::reconstructRequested, this, &MainWindow::reconstruct);
  connect(selection_, &SelectionBar::allRequested, this, [this] {
    parameters_->setOptions(cleared(parameters_->options()));
    reconstruct();
  });
  connect(selection_, &SelectionBar::pointSpreadRequested, this,
          [this] { session_.pointSpread(parameters_->options()); });
  connect(parameters_, &ParameterPanel::optionsChanged, this, &MainWindow::showSelection);
  connect(&session_, &Session::pointSpreadReady, this, [this](const HistoryEntry& entry) {
    history_->model()->add(entry);
    setComparing(false);
    showResult(entry);
    for (const std::string& note : entry.result->notes)
      log_->append(LogLevel::information, QString::fromStdString(note));
  });
}

void MainWindow::editOption(const QString& name, const QString& value) {
  ReconOptions options = parameters_->options();
  try {
    setOption(options, name.toStdString(), value.toStdString());
  } catch (const Error& error) {
    showFailure(failureOf(error));
    selection_->setOptions(parameters_->options());
    return;
  }
  parameters_->setOptions(options);
}

// A selection that was made for another scan is dropped where this one has no such numbers.
void MainWindow::keepFittingSelection(const Scan& scan) {
  const ReconOptions& options = parameters_->options();
  try {
    selection(options.shots, int(scan.trajectory(0).shots()), "shots");
    selection(options.coils, scan.coils, "coils");
    if (!options.leaveOutCoils.empty()) selection(options.leaveOutCoils, scan.coils, "leave-out-coils");
    if (!options.scanWindow.empty() && scan.shotTimes.empty())
      throw Error("", "it has no times of shots", "");
    if (!options.readoutWindow.empty() && scan.trajectory(0).times.empty())
      throw Error("", "it has no times of samples", "");
  } catch (const Error& error) {
    log_->append(LogLevel::warning, tr("The selection was left out, it does not fit this scan: %1")
                                        .arg(QString::fromStdString(error.reason())));
    parameters_->setOptions(cleared(options));
  }
}

// The samples are counted on a worker: there may be many millions.
void MainWindow::showSelection() {
  const ReconOptions& options = parameters_->options();
  const auto scan = session_.scan();
  selection_->setOptions(options);
  const std::string key = selectionText(options);
  if (scan == selectedScan_.lock() && key == selectionKey_) return;
  selectedScan_ = scan;
  selectionKey_ = key;
  const int job = ++selectionJob_;
  if (!scan) return selection_->setSummary(QString());
  QPointer<MainWindow> self(this);
  QThreadPool::globalInstance()->start([self, scan, options, job] {
    auto selected = std::make_shared<Selected>(selectedOf(*scan, options));
    QMetaObject::invokeMethod(QCoreApplication::instance(), [self, selected, job] {
      if (!self || self->selectionJob_ != job) return;
      self->selection_->setSummary(selected->summary, selected->problem);
      self->trajectory_->setSelection(selected->shots, std::move(selected->chosen));
    });
  });
}

}  // namespace spokelab
