#include "app/gui/features/recon/preview_feature.h"

#include <algorithm>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/stage_timer.h"
#include "engine/recon/explore/preview.h"
#include "engine/recon/prepare/sample_selection.h"
#include "engine/recon/reconstruct.h"
#include "widgets/core/number_text.h"
#include "widgets/image/image_panel.h"
#include "widgets/recon/parameters/parameter_panel.h"
#include "widgets/recon/parameters/plan_sliders.h"

namespace spokelab {

// While a slider moves, dragging_ (a timer) spaces the previews, and previewing_ measures how long
// the last one has been at work. Previews show one frame as frame 0: keepFrame() remembers the
// shown frame in frame_ and clears frameRestored_, and the next result shows it again and sets it.

// The small scan that previews are made from while a slider moves, and what it was made from: it is
// made anew if one of these differs. Only the worker reads or writes it.
struct PreviewScan {
  std::weak_ptr<const Scan> of;
  int frame = -1;
  DensityMethod density = DensityMethod::automatic;
  std::string selection;             // samplesOf() the options
  std::shared_ptr<const Scan> scan;  // the small scan
};

namespace {

constexpr double openingAccuracy = 1e-2;  // enough for the first look
constexpr int minMsBetweenPreviews = 60;
// A preview that takes longer makes way for a newer place of the slider.
constexpr int maxPreviewMs = 350;

std::string samplesOf(const ReconOptions& options) {
  std::string all;
  for (const std::string& name : optionsServing(OptionUse::samples)) all += optionValue(options, name) + '\n';
  return all;
}

}  // namespace

PreviewFeature::PreviewFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent), prepared_(std::make_shared<PreviewScan>()) {
  dragging_.setSingleShot(true);
  dragging_.setInterval(minMsBetweenPreviews);
  connect(&dragging_, &QTimer::timeout, this, &PreviewFeature::previewNow);
  connectSliders();
  connect(&session_, &Session::resultShown, this, [this](int id) {
    if (!std::exchange(frameRestored_, true)) views_.image->setFrame(frame_);
    views_.sliders->setSettled(session_.results().find(id)->result->plan.options);
    views_.sliders->setNote({});
  });
  connect(this, &PreviewFeature::ready, this, &PreviewFeature::showPreview);
  connect(&session_.jobs(), &JobQueue::jobChanged, this, &PreviewFeature::showResultAgain);
}

PreviewFeature::~PreviewFeature() = default;

void PreviewFeature::connectSliders() {
  connect(views_.parameters, &ParameterPanel::optionsChanged, views_.sliders, &PlanSliders::setOptions);
  connect(views_.sliders, &PlanSliders::moved, this, [this](const ReconOptions& wanted) {
    takeSliders(wanted);
    if (!session_.scan()) return;
    session_.jobs().cancelAll(JobKind::reconstruct);  // the slider has left these places
    if (!dragging_.isActive()) dragging_.start();
  });
  connect(views_.sliders, &PlanSliders::rested, this, [this](const ReconOptions& wanted) {
    takeSliders(wanted);
    if (!session_.scan()) return;
    dragging_.stop();
    session_.jobs().cancelAll(JobKind::preview);
    keepFrame();
    Q_EMIT reconstructRequested();
  });
}

void PreviewFeature::preview(const ReconOptions& options, int frame) {
  if (!session_.scan()) return;
  session_.jobs().submit(JobKind::preview, tr("Preview"),
                         [this, &session = session_, scan = session_.scan(), options, frame,
                          kept = prepared_](const JobContext& context) -> JobQueue::Delivery {
                           try {
                             const double start = now();
                             const PreviewLimits limits;
                             const int there = std::clamp(frame, 0, scan->frames - 1);
                             if (kept->of.lock() != scan || kept->frame != there ||
                                 kept->density != options.density || kept->selection != samplesOf(options)) {
                               Backend& first = *backendsFor(session.backends(), "auto").front();
                               *kept = {scan, there, options.density, samplesOf(options),
                                        previewScan(*scan, there, options, first, limits, context.progress)};
                             }
                             const auto result = std::make_shared<const Reconstruction>(reconstruct(
                                 session.backends(), *kept->scan,
                                 previewOptions(options, *kept->scan, limits), nullptr, context.progress));
                             if (result->cancelled || !result->image) throw Cancelled{};
                             const double seconds = now() - start;
                             return [this, result, scan, seconds] {
                               if (scan == session_.scan())
                                 Q_EMIT ready(result->image, result->plan, seconds);
                             };
                           } catch (const Error& error) {
                             const QString why = QString::fromStdString(error.reason());
                             return [this, why] { views_.sliders->setNote(tr("No image: %1").arg(why)); };
                           }
                         });
}

// A pair of alpha and W too coarse for the accuracy lowers it: the image is shown, not refused.
void PreviewFeature::takeSliders(const ReconOptions& wanted) {
  ReconOptions options = wanted;
  if (session_.scan()) setAccuracy(options, heldAccuracy(*session_.scan(), wanted));
  views_.parameters->setOptions(options);
}

void PreviewFeature::keepFrame() {
  if (!views_.image->showsPreview()) frame_ = views_.image->frame();
  frameRestored_ = false;
}

void PreviewFeature::previewNow() {
  if (!session_.scan()) return;
  if (session_.jobs().busy(JobKind::preview) && previewing_.isValid() && previewing_.elapsed() < maxPreviewMs)
    return dragging_.start();  // soon drawn, and the image follows
  previewing_.start();
  Q_EMIT followed();
  keepFrame();
  preview(views_.parameters->options(), frame_);
}

void PreviewFeature::previewOpened() {
  const ReconOptions& asked = views_.parameters->options();
  ReconOptions quick;
  quick.backend = asked.backend;
  quick.nufft.threads = asked.nufft.threads;
  quick.density = asked.density;
  for (const std::string& name : selectionOptions()) setOption(quick, name, optionValue(asked, name));
  setAccuracy(quick, openingAccuracy);
  frame_ = 0;
  preview(quick, 0);
}

void PreviewFeature::showPreview(const std::shared_ptr<const Image>& image, const PlanInfo& plan,
                                 double seconds) {
  // A result has come meanwhile.
  if (!views_.sliders->moving() && !session_.jobs().busy(JobKind::reconstruct) && views_.image->image())
    return;
  const QString pair =
      tr("α %1, W %2").arg(numberLabel(plan.options.alpha, 3), numberLabel(plan.options.width, 2));
  views_.image->setPreview(image, tr("Preview, %1 pixels, %2").arg(sizeLabel(image->size), pair));
  if (!views_.sliders->moving()) return;
  views_.sliders->setSettled(plan.options);
  views_.sliders->setNote(
      tr("predicted error %1, preview in %2").arg(errorLabel(plan.error.relativeL2), secondsLabel(seconds)));
}

// A preview whose result was cancelled or failed makes way for the result that was shown before.
void PreviewFeature::showResultAgain(const JobState& state) {
  const bool lost = state.status == JobStatus::cancelled || state.status == JobStatus::failed;
  if (!lost || views_.sliders->moving() || !views_.image->showsPreview() || session_.jobs().busy() ||
      !session_.shown())
    return;
  views_.image->setImage(session_.shown()->result->image);
}

}  // namespace spokelab
