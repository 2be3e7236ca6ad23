// Previews: small images while the scan's own is made, and while a slider is dragged.
#include "app/gui/session/session.h"
#include "engine/core/error.h"
#include "engine/core/stage_timer.h"
#include "engine/recon/explore/preview.h"
#include "engine/recon/gridding.h"

namespace spokelab {

// What is needed again and again while a slider moves. Only the worker looks into it.
struct PreviewScan {
  std::weak_ptr<const Scan> of;
  int frame = -1;
  DensityMethod density = DensityMethod::automatic;
  std::string selection;
  std::shared_ptr<const Scan> scan;
};

namespace {

std::string samplesOf(const ReconOptions& options) {
  std::string all;
  for (const char* name : {"shots", "samples", "readout-time", "scan-time"})
    all += optionValue(options, name) + '\n';
  return all;
}

}  // namespace

void Session::preview(const ReconOptions& options, int frame) {
  if (!scan_) return;
  const auto scan = scan_;
  if (!previewScan_) previewScan_ = std::make_shared<PreviewScan>();
  jobs_.submit(
      JobKind::preview, tr("Preview"),
      [this, scan, options, frame, kept = previewScan_](const JobContext& context) -> JobQueue::Delivery {
        try {
          const double start = now();
          const PreviewLimits limits;
          const int there = std::clamp(frame, 0, scan->frames - 1);
          if (kept->of.lock() != scan || kept->frame != there || kept->density != options.density ||
              kept->selection != samplesOf(options)) {
            Backend& first = *backendsFor(backends_, "auto").front();
            *kept = {scan, there, options.density, samplesOf(options),
                     previewScan(*scan, there, options, first, limits, context.progress)};
          }
          const auto result = std::make_shared<const Reconstruction>(
              spokelab::reconstruct(backends_, *kept->scan, previewOptions(options, *kept->scan, limits),
                                    nullptr, context.progress));
          if (result->cancelled || !result->image) throw Cancelled{};
          const double seconds = now() - start;
          return [this, result, scan, seconds] {
            if (scan == scan_) Q_EMIT previewReady(result->image, result->plan, seconds);
          };
        } catch (const Error& error) {
          const QString why = QString::fromStdString(error.reason());
          return [this, why] { Q_EMIT previewRefused(why); };
        }
      });
}

}  // namespace spokelab
