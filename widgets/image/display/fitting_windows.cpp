#include "widgets/image/display/fitting_windows.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace spokelab {
namespace {

float largest(const cfloat* data, std::int64_t count, std::int64_t step) {
  float most = 0;
  for (std::int64_t i = 0; i < count; i += step) {
    const float power = std::norm(data[i]);
    if (std::isfinite(power) && power > most) most = power;
  }
  return std::sqrt(most);
}

// The magnitude below which `share` of the non-zero voxels lie, by a histogram up to `most`.
double quantile(const cfloat* data, std::int64_t count, std::int64_t step, float most, double share) {
  constexpr int bins = 4096;
  std::vector<std::int64_t> histogram(bins, 0);
  std::int64_t total = 0;
  for (std::int64_t i = 0; i < count; i += step) {
    const float power = std::norm(data[i]);
    if (!std::isfinite(power) || power == 0) continue;
    const int bin = std::min(int(std::sqrt(power) / most * bins), bins - 1);
    ++histogram[std::size_t(bin)];
    ++total;
  }
  std::int64_t below = 0;
  for (int bin = 0; bin < bins; ++bin) {
    below += histogram[std::size_t(bin)];
    if (double(below) >= share * double(total)) return double(most) * (bin + 1) / bins;
  }
  return most;
}

}  // namespace

bool isShowable(const Image* image) {
  if (!image || image->frames < 1) return false;
  for (std::int64_t n : image->size)
    if (n < 1) return false;
  return std::int64_t(image->data.size()) >= image->volume() * image->frames;
}

DisplayWindows fittingWindows(const Image& image, int frame) {
  DisplayWindows windows;
  windows.magnitude = DisplayWindow::fromRange(0, 1);
  windows.signedParts = DisplayWindow::fromRange(-1, 1);
  if (!isShowable(&image) || frame < 0 || frame >= image.frames) return windows;

  // voxels that are looked at; more would cost a visible delay
  constexpr std::int64_t sampled = 1 << 20;
  constexpr double share = 0.998, headroom = 1.05;
  const cfloat* data = image.frame(frame);
  const std::int64_t count = image.volume();
  std::int64_t step = count / sampled + 1;
  if (step > 1) step |= 1;  // odd: doesn't follow the rows of even matrices
  float largestMagnitude = largest(data, count, step);
  if (largestMagnitude == 0 && step > 1) {
    step = 1;
    largestMagnitude = largest(data, count, step);
  }
  if (largestMagnitude == 0) return windows;
  const double high =
      std::min(double(largestMagnitude), headroom * quantile(data, count, step, largestMagnitude, share));
  windows.magnitude = DisplayWindow::fromRange(0, high);
  windows.signedParts = DisplayWindow::fromRange(-high, high);
  return windows;
}

}  // namespace spokelab
