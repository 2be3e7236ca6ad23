#include "widgets/trajectory/trajectory_pictures.h"

#include <algorithm>
#include <utility>

#include <QTimer>

namespace spokelab {
namespace {

constexpr int settleMs = 150;                       // without motion until all samples are drawn
constexpr std::int64_t maxMovingSamples = 200'000;  // drawn while the view moves

}  // namespace

TrajectoryPictures::TrajectoryPictures(std::function<TrajectoryDrawing()> drawing, QObject* parent)
    : QObject(parent), drawing_(std::move(drawing)), settle_(new QTimer(this)), pieces_(new QTimer(this)) {
  settle_->setSingleShot(true);
  settle_->setInterval(settleMs);
  connect(settle_, &QTimer::timeout, this, [this] {
    coarse_ = false;
    invalidate();
  });
  connect(pieces_, &QTimer::timeout, this, &TrajectoryPictures::drawMore);
}

void TrajectoryPictures::setTrajectory(std::shared_ptr<const Trajectory> trajectory) {
  trajectory_ = std::move(trajectory);
  invalidate();
}

const TrajectoryPicture& TrajectoryPictures::picture(double ratio) {
  if (drawn_) return picture_;
  TrajectoryDrawing all = drawing_();
  const bool large = !coarse_ && trajectory_->samples() > maxSamplesAnEvent;
  if (large || coarse_) all.maximumPoints = maxMovingSamples;
  picture_ = drawTrajectory(*trajectory_, all);
  picture_.image.setDevicePixelRatio(ratio);
  ratio_ = ratio;
  drawn_ = true;
  if (large) pieces_->start(0);
  return picture_;
}

void TrajectoryPictures::invalidate() {
  drawn_ = false;
  pieces_->stop();
  coming_ = {};
  Q_EMIT changed();
}

void TrajectoryPictures::startMoving() {
  if (!trajectory_ || trajectory_->samples() <= maxMovingSamples) return;
  coarse_ = true;
  settle_->start();
}

// The picture of some samples is shown until the picture of all samples is complete.
void TrajectoryPictures::drawMore() {
  if (!drawn_ || coarse_ || !trajectory_ || picture_.step == 1) return pieces_->stop();
  if (!coming_.image.isNull() && coming_.image.size() != picture_.image.size()) coming_ = {};
  if (coming_.image.isNull()) cameSamples_ = 0;
  const std::int64_t to = std::min(cameSamples_ + maxSamplesAnEvent, trajectory_->samples());
  drawSamples(*trajectory_, drawing_(), cameSamples_, to, coming_);
  cameSamples_ = to;
  if (cameSamples_ < trajectory_->samples()) return;
  pieces_->stop();
  picture_ = std::exchange(coming_, {});
  picture_.image.setDevicePixelRatio(ratio_);
  Q_EMIT changed();
}

}  // namespace spokelab
