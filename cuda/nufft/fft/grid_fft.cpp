#include "cuda/nufft/fft/grid_fft.h"

#include <algorithm>
#include <type_traits>

namespace spokelab::gpu {

template <class Real>
bool GridFft<Real>::hasPasses(int dims, const std::array<int, 3>& image, const std::array<int, 3>& grid,
                              int sharedPerBlock) {
  if (dims < 2) return false;
  for (std::size_t d = 0; d < std::size_t(dims); ++d)
    if (!hasLinePass<Real>(grid[d], sharedPerBlock) || image[d] < 2 || image[d] > grid[d]) return false;
  return true;
}

template <class Real>
GridFft<Real>::GridFft(int dims, const std::array<int, 3>& image, const std::array<int, 3>& grid,
                       std::int64_t batch, const std::array<std::vector<double>, 3>& factor,
                       const DeviceLimits& device, cudaStream_t stream)
    : dims_(dims),
      image_(image),
      grid_(grid),
      batch_(batch),
      l2Bytes_(device.l2Bytes),
      passes_(hasPasses(dims, image, grid, device.sharedPerBlock)) {
  if (dims == 1 && GridLine<Real>::serves(image[0], grid[0], device.sharedPerBlock)) {
    line_.emplace(image[0], grid[0], factor, stream);
    return;
  }
  if (!passes_) {
    deapodizer_.emplace(image, grid, factor, stream);
    fft_ = FftPlan(dims, grid, batch, std::is_same_v<Real, double>);
    return;
  }
  factors_ = uploadedFactors<Real>(factor, stream);
  turns_ = lineTurns<Real>(grid, stream);
}

template <class Real>
void GridFft<Real>::toGrid(const Complex<Real>* image, Complex<Real>* grid, std::int64_t images, int sign,
                           int* notFinite, double* energy, StageClock& clock, cudaStream_t stream) const {
  if (energy && (line_ || passes_))
    check(cudaMemsetAsync(energy, 0, sizeof(double), stream), "clearing a sum");
  if (line_) {
    line_->toGrid(image, grid, images, sign, notFinite, energy, stream);
    return clock.mark(Stage::fft, line_->bytesMoved(images));
  }
  if (passes_) {
    const std::int64_t group = together(images), pixels = std::int64_t(image_[0]) * image_[1] * image_[2],
                       cells = std::int64_t(grid_[0]) * grid_[1] * grid_[2];
    double moved = 0;
    for (std::int64_t first = 0; first < images; first += group)
      moved += passes(LinePass::pad, image + first * pixels, grid + first * cells, nullptr,
                      std::min(group, images - first), sign, notFinite, energy, stream);
    return clock.mark(Stage::fft, moved);
  }
  deapodizer_->pad(image, grid, images, notFinite, energy, stream);
  clock.mark(Stage::deapodize, bytes(images, image_) + bytes(images, grid_));
  fft_.execute(grid, grid, sign, stream);
  clock.mark(Stage::fft, 2 * bytes(batch_, grid_));
}

template <class Real>
void GridFft<Real>::toImage(Complex<Real>* grid, Complex<Real>* image, std::int64_t images, int sign,
                            int* notFinite, StageClock& clock, cudaStream_t stream) const {
  if (line_) {
    line_->toImage(grid, image, images, sign, notFinite, stream);
    return clock.mark(Stage::fft, line_->bytesMoved(images));
  }
  if (passes_)
    return clock.mark(Stage::fft,
                      passes(LinePass::crop, nullptr, grid, image, images, sign, notFinite, nullptr, stream));
  fft_.execute(grid, grid, sign, stream);
  clock.mark(Stage::fft, 2 * bytes(batch_, grid_));
  deapodizer_->crop(grid, image, images, notFinite, stream);
  clock.mark(Stage::deapodize, 2 * bytes(images, image_));
}

// In 3-D a pass towards the grid finds what the one before it wrote in the L2 cache, where few
// images go together (H100, 50 MB; 32 images of 100^3 pixels into 120^3 cells in float, 14 MB each:
// type 2 1.35 ms all together, 1.19 by twos, 1.30 by threes, 1.31 one by one). Back to the image,
// and in 2-D, groups gained nothing.
template <class Real>
std::int64_t GridFft<Real>::together(std::int64_t images) const {
  constexpr double allOfCache = 0.9, groupOfCache = 0.64;
  const double cached = double(l2Bytes_) / bytes(1, grid_);  // grids
  if (dims_ < 3 || double(images) <= allOfCache * cached) return images;
  const std::int64_t maxImages = std::max<std::int64_t>(1, std::int64_t(groupOfCache * cached));
  const std::int64_t groups = (images + maxImages - 1) / maxImages;
  return (images + groups - 1) / groups;
}

// Axes are taken as x, y, z towards the grid, and as z, y, x towards the image. Between the passes
// the lines that are not empty lie packed: pixel row (z, y) of the image is line (z, y) of the
// grid, counted from the first pixel.
template <class Real>
double GridFft<Real>::passes(LinePass pass, const Complex<Real>* image, Complex<Real>* grid,
                             Complex<Real>* result, std::int64_t images, int sign, int* notFinite,
                             double* energy, cudaStream_t stream) const {
  const bool pad = pass == LinePass::pad;
  // Each pass has one sign. Swapping real and imaginary parts on both ends gives the other sign.
  const bool otherSign = sign != (pad ? -1 : 1);
  const std::int64_t nx = image_[0], ny = image_[1], nz = image_[2], row = grid_[0], plane = row * grid_[1],
                     volume = plane * grid_[2], pixels = nx * ny * nz;
  const int last = dims_ - 1;
  double moved = 0;
  for (int i = 0; i < dims_; ++i) {
    const int axis = pad ? i : last - i;
    const auto d = std::size_t(axis);
    Lines l;
    l.pixels = image_[d];
    l.half = image_[d] / 2;
    l.alongX = axis == 0;
    const bool first = i == 0, final = i == last;
    l.swapIn = first && otherSign;
    l.swapOut = final && otherSign;
    LineFactors<Real> factors;
    const Complex<Real>* from = axis == 0 && pad ? image : grid;
    Complex<Real>* to = axis == 0 && !pad ? result : grid;
    if (axis == 0) {
      l.count = ny * nz;
      l.inner = ny;
      const Lines::Side outside{nx * ny, nx, 1, pixels}, inside{plane, row, 1, volume};
      l.in = pad ? outside : inside;
      l.out = pad ? inside : outside;
      factors = {factors_.data(), factors_.data() + nx, factors_.data() + nx + ny, notFinite, energy};
    } else {
      l.inner = axis == 1 ? row : plane;
      l.count = axis == 1 ? nz * row : plane;
      l.in = l.out = {axis == 1 ? plane : volume, 1, l.inner, volume};
    }
    launchLinePass<Real>(pass, grid_[d], from, to, l, images,
                         turns_.data() + (axis > 0 ? row : 0) + (axis > 1 ? grid_[1] : 0), factors, nullptr,
                         stream);
    moved += double(sizeof(Complex<Real>)) * double(images) * double(l.count) * (image_[d] + grid_[d]);
  }
  return moved;
}

template <class Real>
std::int64_t GridFft<Real>::memory() const {
  return turns_.bytes() + factors_.bytes() + fft_.memory() + (deapodizer_ ? deapodizer_->memory() : 0) +
         (line_ ? line_->memory() : 0);
}

template <class Real>
std::int64_t GridFft<Real>::estimate(int dims, const std::array<int, 3>& image,
                                     const std::array<int, 3>& grid, std::int64_t batch, int sharedPerBlock) {
  const bool own = dims == 1 ? GridLine<Real>::serves(image[0], grid[0], sharedPerBlock)
                             : hasPasses(dims, image, grid, sharedPerBlock);
  return own ? 0 : FftPlan::estimate(dims, grid, batch, std::is_same_v<Real, double>);
}

template class GridFft<float>;
template class GridFft<double>;

}  // namespace spokelab::gpu
