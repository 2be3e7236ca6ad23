#include "app/gui/features/recon/pixel_feature.h"

#include <QAction>

#include "engine/core/error.h"
#include "engine/recon/explore/pixel/ask_pixel.h"
#include "engine/recon/explore/point_spread.h"
#include "engine/scan/place/image_groups.h"
#include "widgets/image/image_panel.h"
#include "widgets/recon/pixel_view.h"

namespace spokelab {
namespace {

constexpr JobKind pixelJob{.name = "pixel", .urgent = true};

// The job that made the result, for the shown frame alone, with the plan that it had.
ReconOptions askedOptions(const Scan& scan, const Reconstruction& result, int frame) {
  ReconOptions options = result.options;
  const JobPlan job = planJob(scan, options);
  // An image of other frames (coils apart, coefficients) answers for the first frame.
  const bool own = job.frames.size() == std::size_t(result.image->frames);
  options.frames = std::to_string(job.frames[own ? std::size_t(frame) : 0]);
  if (!options.exact && result.plan.options.alpha > 0 && result.plan.options.width > 0) {
    options.nufft.alpha = result.plan.options.alpha;
    options.nufft.width = result.plan.options.width;
    options.nufft.kernel = result.plan.options.kernel;
  }
  return options;
}

// The pixel in the scan: a slice of the image is one of those that the job chose.
Index3 pixelOfScan(const Scan& scan, const Reconstruction& result, int group, const Index3& index) {
  Index3 pixel = index;
  if (scan.dims() > 2) return pixel;
  const std::vector<ImageGroup> groups = imageGroups(*result.image);
  std::int64_t slice = index[2];
  if (groups.size() > 1) slice = groups[std::size_t(group)].parts[std::size_t(index[2])].slice;
  pixel[2] = planJob(scan, result.options).slices[std::size_t(slice)];
  return pixel;
}

}  // namespace

PixelFeature::PixelFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent), view_(new PixelView) {
  addTab(views_, "pixel", tr("Pixel"), view_);
  action_ = makeAction(this, tr("As&k the pixel at the cursor"), "action-ask-pixel", Qt::CTRL | Qt::Key_I,
                       tr("Its point spread function, the shots that it depends on, its predicted error"));
  connect(action_, &QAction::triggered, this, [this] { ask(views_.image->cursorIndex()); });
  connect(views_.image, &ImagePanel::pixelAsked, this, &PixelFeature::ask);
  connect(view_, &PixelView::leaveOutRequested, this, &PixelFeature::leaveOut);
  connect(view_, &PixelView::spreadRequested, this, &PixelFeature::showSpread);
  connect(&session_, &Session::scanOpened, this, [this] { view_->setAnswer(nullptr); });
}

void PixelFeature::ask(const Index3& index) {
  const QString summary = tr("Cannot ask a pixel");
  const HistoryEntry* entry = session_.shown();
  const auto scan = entry ? entry->source.lock() : nullptr;
  if (!entry || !views_.image->image()) {
    Q_EMIT session_.failed({summary, tr("no image is shown"), tr("Reconstruct a scan first")});
    return;
  }
  if (!scan || isImported(*entry->result)) {
    Q_EMIT session_.failed({summary, tr("the image was not reconstructed here, or its scan is not open"),
                            tr("Choose a result of the open scan")});
    return;
  }
  const std::shared_ptr<const Reconstruction> result = entry->result;
  const QString name = tr("Result %1").arg(entry->id);
  try {
    const ReconOptions options = askedOptions(*scan, *result, views_.image->frame());
    const Index3 pixel = pixelOfScan(*scan, *result, views_.image->group().current(), index);
    QString place = QStringLiteral("%1,%2").arg(pixel[0]).arg(pixel[1]);
    if (scan->dims() > 2 || scan->slices > 1) place += QStringLiteral(",%1").arg(pixel[2]);
    bringUp(view_);
    session_.jobs().submit(
        pixelJob, tr("Pixel %1 of %2").arg(place, QString::fromStdString(scan->name)),
        [this, &session = session_, scan, options, pixel, place,
         name](const JobContext& context) -> JobQueue::Delivery {
          Backend& backend = *backendsFor(session.backends(), options.backend, options.devices).front();
          auto shown = std::make_shared<ShownAnswer>();
          shown->answer = askPixel(backend, *scan, options, pixel, context.progress);
          shown->decibels = std::make_shared<const Image>(inDecibels(shown->answer.spread));
          shown->dims = scan->dims();
          shown->title = tr("%1, pixel %2").arg(name, place);
          return [this, shown, scan, options] { take(shown, scan, options); };
        },
        session_.commandFor("ask", options, {"--pixel", place.toStdString()}));
  } catch (const Error& error) {
    Q_EMIT session_.failed(failureOf(error));
  }
}

void PixelFeature::take(const std::shared_ptr<const ShownAnswer>& answer,
                        const std::weak_ptr<const Scan>& scan, const ReconOptions& options) {
  scan_ = scan;
  options_ = options;
  view_->setAnswer(answer);
}

void PixelFeature::leaveOut(const std::vector<int>& shots) {
  const auto scan = scan_.lock();
  if (!scan || scan != session_.scan()) return;
  try {
    const std::string left = shotsWithout(*scan, options_, shots);
    Q_EMIT optionEdited(QStringLiteral("shots"), QString::fromStdString(left));
    Q_EMIT reconstructRequested();
  } catch (const Error& error) {
    Q_EMIT session_.failed(failureOf(error));
  }
}

void PixelFeature::showSpread() {
  const auto scan = scan_.lock();
  const auto answer = view_->answer();
  if (!scan || !answer) return;
  auto result = std::make_shared<Reconstruction>();
  result->image = std::shared_ptr<const Image>(answer, &answer->answer.spread);
  result->options = options_;
  result->origin = ResultOrigin::pointSpread;
  result->plan.description = "point spread function, " + answer->title.toStdString();
  for (const auto& [title, text] : describe(answer->answer, answer->dims))
    result->notes.push_back(title.empty() ? text : title + ": " + text);
  HistoryEntry entry = session_.newEntry(scan, result);
  entry.scan = tr("%1, point spread function").arg(entry.scan);
  session_.addResult(entry);
  session_.show(entry.id);
}

}  // namespace spokelab
