#include "widgets/image/slice_player.h"

#include "widgets/image/image_panel.h"

namespace spokelab {
namespace {

constexpr int stepMs = 125;  // eight slices a second, as the frames at first

}  // namespace

SlicePlayer::SlicePlayer(ImagePanel& panel) : QObject(&panel), panel_(panel) {
  timer_.setInterval(stepMs);
  connect(&timer_, &QTimer::timeout, this, &SlicePlayer::step);
}

void SlicePlayer::toggle(Plane plane) {
  if (isPlaying()) return stop();
  plane_ = plane;
  timer_.start();
}

void SlicePlayer::step() {
  const auto image = panel_.shownImage();
  if (!image) return stop();
  const auto axis = std::size_t(planeAxes(pixelAxes(*image), plane_).through);
  if (image->size[axis] < 2) return stop();
  Index3 at = panel_.cursorIndex();
  at[axis] = (at[axis] + 1) % image->size[axis];
  panel_.setCursorIndex(at);
}

}  // namespace spokelab
