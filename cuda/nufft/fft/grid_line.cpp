#include "cuda/nufft/fft/grid_line.h"

#include "cuda/nufft/fft/deapodize.h"

namespace spokelab::gpu {
template <class Real>
bool GridLine<Real>::serves(int pixels, int cells, int sharedPerBlock) {
  if (pixels > cells) return false;
  if (cells <= maxGpuBlockLine) return lineStages<Real>(cells).count > 0;
  const SplitLengths split = splitLengths(cells);
  return split.row > 0 && hasLinePass<Real>(split.column, sharedPerBlock);
}

template <class Real>
GridLine<Real>::GridLine(int pixels, int cells, const std::array<std::vector<double>, 3>& factor,
                         cudaStream_t stream)
    : pixels_(pixels),
      cells_(cells),
      split_(splitLengths(cells)),
      factors_(uploadedFactors<Real>(factor, stream)) {
  if (split_.row == 0) {
    stages_ = lineStages<Real>(cells);
    turns_ = turnTables<Real>({{cells, cells}}, stream);
  } else {
    turns_ = turnTables<Real>({{split_.row, split_.row},
                               {split_.column, split_.column},
                               {cells, fineRoots},
                               {cells, cells / fineRoots + 1, fineRoots}},
                              stream);
  }
}

template <class Real>
void GridLine<Real>::toGrid(const Complex<Real>* image, Complex<Real>* grid, std::int64_t images, int sign,
                            int* notFinite, double* energy, cudaStream_t stream) const {
  const bool swap = sign > 0;  // pad has the other
  if (split_.row == 0) {
    launchBlockLine<Real>(LinePass::pad, stages_, image, grid, whole(swap, images), turns_.data(),
                          factors(notFinite, energy), stream);
    return;
  }
  launchSplitLine<Real>(LinePass::pad, split_.row, image, grid, rows(swap, false), images, turns_.data(),
                        factors(notFinite, energy), stream);
  launchLinePass<Real>(LinePass::pad, split_.column, grid, grid, columns(false, swap), images, columnTurns(),
                       {}, nullptr, stream);
}

template <class Real>
void GridLine<Real>::toImage(Complex<Real>* grid, Complex<Real>* image, std::int64_t images, int sign,
                             int* notFinite, cudaStream_t stream) const {
  const bool swap = sign < 0;  // crop has the other
  if (split_.row == 0) {
    launchBlockLine<Real>(LinePass::crop, stages_, grid, image, whole(swap, images), turns_.data(),
                          factors(notFinite, nullptr), stream);
    return;
  }
  launchLinePass<Real>(LinePass::crop, split_.column, grid, grid, columns(swap, false), images, columnTurns(),
                       {}, nullptr, stream);
  launchSplitLine<Real>(LinePass::crop, split_.row, grid, image, rows(false, swap), images, turns_.data(),
                        factors(notFinite, nullptr), stream);
}

template <class Real>
double GridLine<Real>::bytesMoved(std::int64_t images) const {
  const double grids = split_.row == 0 ? 1 : 3;
  return double(images) * (pixels_ + grids * cells_) * sizeof(Complex<Real>);
}

template <class Real>
LineFactors<Real> GridLine<Real>::factors(int* notFinite, double* energy) const {
  const Real* x = factors_.data();
  return {x, x + pixels_, x + pixels_ + 1, notFinite, energy};
}

template <class Real>
BlockLine GridLine<Real>::whole(bool swap, std::int64_t images) const {
  return {cells_, pixels_, pixels_ / 2, images, swap};
}

template <class Real>
SplitLine<Real> GridLine<Real>::rows(bool swapIn, bool swapOut) const {
  const Complex<Real>* fine = columnTurns() + split_.column;
  return {split_.column, pixels_, pixels_ / 2, fine, fine + fineRoots, swapIn, swapOut};
}

template <class Real>
Lines GridLine<Real>::columns(bool swapIn, bool swapOut) const {
  Lines lines;
  lines.count = lines.inner = split_.row;
  lines.in = lines.out = {0, 1, split_.row, cells_};
  lines.pixels = split_.column;
  lines.swapIn = swapIn;
  lines.swapOut = swapOut;
  lines.swaps = true;
  return lines;
}

template class GridLine<float>;
template class GridLine<double>;

}  // namespace spokelab::gpu
