// What comes before a result: a coarse image as soon as a scan is open, and the images that follow the sliders.
#include <QDockWidget>
#include <QVBoxLayout>

#include "app/gui/window/main_window.h"
#include "engine/recon/explore/preview.h"
#include "engine/recon/prepare/sample_selection.h"
#include "widgets/core/number_text.h"
#include "widgets/image/image_panel.h"
#include "widgets/recon/history_list.h"
#include "widgets/recon/parameters/parameter_panel.h"
#include "widgets/recon/parameters/plan_sliders.h"

namespace spokelab {
namespace {

constexpr double openingAccuracy = 1e-2;  // enough for the first look
constexpr int apartMs = 60;               // previews of a drag do not come faster
constexpr int patienceMs = 350;           // one that takes longer makes way for a newer place

}  // namespace

// Sliders above the parameters.
QWidget* MainWindow::makeParameters() {
  sliders_ = new PlanSliders;
  auto* both = new QWidget;
  auto* column = new QVBoxLayout(both);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(sliders_);
  column->addWidget(parameters_, 1);
  return both;
}

void MainWindow::connectPreviews() {
  dragging_.setSingleShot(true);
  dragging_.setInterval(apartMs);
  connect(&dragging_, &QTimer::timeout, this, &MainWindow::previewNow);
  connect(parameters_, &ParameterPanel::optionsChanged, sliders_, &PlanSliders::setOptions);
  connect(sliders_, &PlanSliders::moved, this, [this](const ReconOptions& wanted) {
    takeSliders(wanted);
    if (!session_.scan()) return;
    session_.jobs().cancelAll(JobKind::reconstruct);  // of a place where the slider is no more
    if (!dragging_.isActive()) dragging_.start();
  });
  connect(sliders_, &PlanSliders::rested, this, [this](const ReconOptions& wanted) {
    takeSliders(wanted);
    if (!session_.scan()) return;
    dragging_.stop();
    session_.jobs().cancelAll(JobKind::preview);
    if (!image_->showsPreview()) previewedFrame_ = image_->frame();
    restored_ = false;
    reconstruct();
  });
  connect(&session_, &Session::previewReady, this,
          [this](const std::shared_ptr<const Image>& image, const PlanInfo& plan, double seconds) {
            showPreview(image, plan, seconds);
          });
  connect(&session_, &Session::previewRefused, this,
          [this](const QString& why) { sliders_->setNote(tr("No image: %1").arg(why)); });
  // What a cancel or a failure leaves: the result that was shown before.
  connect(&session_.jobs(), &JobQueue::jobChanged, this, [this](const JobState& state) {
    const bool lost = state.status == JobStatus::cancelled || state.status == JobStatus::failed;
    const HistoryModel& model = *history_->model();
    if (!lost || sliders_->moving() || !image_->showsPreview() || session_.jobs().busy() ||
        !model.find(model.shown()))
      return;
    image_->setImage(model.find(model.shown())->result->image);
  });
}

// A pair that is too coarse for the accuracy takes the accuracy along: it is shown, not refused.
void MainWindow::takeSliders(const ReconOptions& wanted) {
  ReconOptions options = wanted;
  if (session_.scan()) options.nufft.accuracy = heldAccuracy(*session_.scan(), wanted);
  parameters_->setOptions(options);
}

void MainWindow::previewNow() {
  if (!session_.scan()) return;
  if (session_.jobs().busy(JobKind::preview) && previewing_.isValid() && previewing_.elapsed() < patienceMs)
    return dragging_.start();  // soon drawn, and the image follows
  previewing_.start();
  setComparing(false);
  if (!image_->showsPreview()) previewedFrame_ = image_->frame();
  restored_ = false;
  session_.preview(parameters_->options(), previewedFrame_);
}

void MainWindow::previewOpened() {
  ReconOptions quick;
  quick.backend = parameters_->options().backend;
  quick.nufft.threads = parameters_->options().nufft.threads;
  quick.density = parameters_->options().density;
  for (const char* name : selectionOptions) setOption(quick, name, optionValue(parameters_->options(), name));
  quick.nufft.accuracy = openingAccuracy;
  previewedFrame_ = 0;
  session_.preview(quick, 0);
}

void MainWindow::showPreview(const std::shared_ptr<const Image>& image, const PlanInfo& plan,
                             double seconds) {
  // A result has come meanwhile.
  if (!sliders_->moving() && !session_.jobs().busy(JobKind::reconstruct) && image_->image()) return;
  const QString pair =
      tr("α %1, W %2").arg(numberLabel(plan.options.alpha, 3), numberLabel(plan.options.width, 2));
  image_->setPreview(image, tr("Preview, %1 pixels, %2").arg(sizeLabel(image->size), pair));
  if (!sliders_->moving()) return;
  sliders_->setSettled(plan.options);
  sliders_->setNote(
      tr("predicted error %1, preview in %2").arg(errorLabel(plan.error.relativeL2), secondsLabel(seconds)));
}

}  // namespace spokelab
