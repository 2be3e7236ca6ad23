// Large trajectories in the view: what would keep the window from answering is done in pieces, or on a worker.
#include <algorithm>
#include <cmath>
#include <utility>

#include <QTimer>

#include "widgets/trajectory/trajectory_view.h"

namespace spokelab {
namespace {

// The farthest coordinate in each dimension.
Vec3 extentOf(const Trajectory& trajectory) {
  Vec3 extent{0, 0, 0};
  const auto dims = std::size_t(trajectory.dims);
  const auto end = std::size_t(trajectory.samples()) * dims;
  for (std::size_t d = 0; d < dims; ++d)
    for (std::size_t i = d; i < end; i += dims) {
      const double k = std::abs(trajectory.points[i]);
      if (k > extent[d] && std::isfinite(k)) extent[d] = k;
    }
  return extent;
}

}  // namespace

void TrajectoryView::measureExtent() {
  if (trajectory_->samples() <= eventPoints) return widen(extentOf(*trajectory_));
  extentJob_.start([shown = trajectory_](std::stop_token) { return extentOf(*shown); },
                   [this](const Vec3& extent) { widen(extent); });
}

// The axes reach the farthest sample.
void TrajectoryView::widen(const Vec3& extent) {
  const Vec3 before = halfSize_;
  for (std::size_t d = 0; d < 3; ++d) halfSize_[d] = std::max(halfSize_[d], extent[d]);
  if (halfSize_ != before) invalidate();
}

// At first some of the samples were drawn; all of them take their place when they are complete.
void TrajectoryView::drawMore() {
  if (!drawn_ || coarse_ || !trajectory_ || picture_.step == 1) return pieces_->stop();
  if (!coming_.image.isNull() && coming_.image.size() != picture_.image.size()) coming_ = {};
  if (coming_.image.isNull()) came_ = 0;
  const std::int64_t to = std::min(came_ + eventPoints, trajectory_->samples());
  drawSamples(*trajectory_, drawing(), came_, to, coming_);
  came_ = to;
  if (came_ < trajectory_->samples()) return;
  pieces_->stop();
  picture_ = std::exchange(coming_, {});
  picture_.image.setDevicePixelRatio(devicePixelRatioF());
  update();
}

}  // namespace spokelab
