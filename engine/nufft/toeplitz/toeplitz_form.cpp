// The Toeplitz forms' lengths and memory, and their transfer function from a point spread function.
#include "engine/nufft/toeplitz/toeplitz_form.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "engine/core/error.h"
#include "engine/core/memory/huge_pages.h"
#include "engine/core/thread_pool.h"
#include "engine/nufft/toeplitz/toeplitz_lengths.h"

namespace spokelab {

namespace {

// Smaller 1-D transforms are not worth FFTW's threads.
constexpr std::int64_t minCellsForFftwThreads = 1 << 15;

std::int64_t oddCacheLines(std::int64_t cells, std::int64_t cellsPerLine) {
  return ((cells + cellsPerLine - 1) / cellsPerLine | 1) * cellsPerLine;
}

// Cells from row to row and from plane to plane of the grid [N_last, ..., L_x].
template <class Real>
Index3 gridStrides(const Index3& length) {
  const std::int64_t row = oddCacheLines(length[0], 64 / sizeof(std::complex<Real>));
  return {1, row, row * length[1]};
}

}  // namespace

template <class Real>
bool ToeplitzForm<Real>::exists(int shift, const NufftProblem& problem, bool shifted) {
  if (shift == 0) return true;
  if (!shifted || shift >= 1 << problem.dims) return false;
  for (int d = 0; d < problem.dims; ++d)
    if ((shift >> d & 1) && problem.size[static_cast<std::size_t>(d)] == 1) return false;
  return true;
}

template <class Real>
int ToeplitzForm<Real>::shiftCount(const NufftProblem& problem, bool shifted) {
  int count = 0;
  for (int shift = 0; shift < 8; ++shift) count += exists(shift, problem, shifted);
  return count;
}

template <class Real>
Index3 ToeplitzForm<Real>::lengthsOf(const NufftProblem& problem, bool shifted, double alphaT) {
  return shifted ? problem.size : toeplitzLengths(problem, alphaT);
}

template <class Real>
std::int64_t ToeplitzForm<Real>::gridCells(const NufftProblem& problem, const Index3& length) {
  const Index3 stride = gridStrides<Real>(length);
  const auto slow = static_cast<std::size_t>(problem.dims - 1);
  return problem.dims == 1 ? length[0] : problem.size[slow] * stride[slow];
}

template <class Real>
ToeplitzForm<Real>::ToeplitzForm(const NufftProblem& p, bool shiftedForm, double alphaT, int threadLimit,
                                 FftEffort effort)
    : problem(p),
      shifted(shiftedForm),
      threads(threadLimit <= 0 ? hardwareThreads() : threadLimit),
      dims(p.dims),
      length(lengthsOf(p, shiftedForm, alphaT)),
      stride(gridStrides<Real>(length)) {
  for (int d = 0; d < dims; ++d) {
    Axis& axis = axes[static_cast<std::size_t>(d)];
    axis.pixels = problem.size[static_cast<std::size_t>(d)];
    axis.length = length[static_cast<std::size_t>(d)];
    if (axis.length > std::numeric_limits<std::int32_t>::max() / linesPerBlock) {
      throw Error("Cannot prepare the normal operator", "the image is too large for a Toeplitz form",
                  "Choose \"gridded\"");
    }
    axis.pitch = oddCacheLines(axis.length, 64 / sizeof(Complex));
    const bool alone = dims == 1;
    const std::int64_t block = axis.pitch * linesPerBlock;
    const bool inPlace = alone || !fitsTwice(block * static_cast<std::int64_t>(sizeof(Complex)));
    if (!inPlace) axis.resultFrom = block;
    for (int direction : {0, 1}) {
      axis.lines[direction] = LinesFft<Real>(static_cast<int>(axis.length), alone ? 1 : linesPerBlock,
                                             static_cast<int>(axis.pitch), direction == 0 ? -1 : 1,
                                             alone && axis.length >= minCellsForFftwThreads ? threads : 1,
                                             inPlace ? FftTarget::inPlace : FftTarget::otherArray, effort);
    }
    for (std::int64_t n = 0; shifted && n < axis.pixels; ++n) {
      const double angle = -std::numbers::pi * static_cast<double>(n) / static_cast<double>(axis.pixels);
      axis.phase.emplace_back(static_cast<Real>(std::cos(angle)), static_cast<Real>(std::sin(angle)));
    }
  }
  transfer.assign(static_cast<std::size_t>(product(length) * shiftCount(problem, shifted)), Real(1));
  grid.assign(static_cast<std::size_t>(gridCells(problem, length)), Complex(0));
  useHugePages(grid.data(), grid.size() * sizeof(Complex));
}

template <class Real>
std::complex<Real> ToeplitzForm<Real>::phasedAt(int d, int shift, std::int64_t lag, Complex value) const {
  return phases(d, shift) ? value * axes[static_cast<std::size_t>(d)].phaseOf(lag) : value;
}

// Puts all lags of a line, from -(N - 1) on, onto the circle, with `shift`'s half steps.
template <class Real>
template <class Value>
void ToeplitzForm<Real>::embed(int d, int shift, const Value* lags, std::int64_t step, Complex* line) const {
  const Axis& axis = axes[static_cast<std::size_t>(d)];
  std::fill_n(line, axis.length, Complex(0));
  for (std::int64_t lag = 1 - axis.pixels; lag < axis.pixels; ++lag) {
    const Value v = lags[(lag + axis.pixels - 1) * step];
    line[axis.cellOf(lag)] +=
        phasedAt(d, shift, lag, Complex(static_cast<Real>(v.real()), static_cast<Real>(v.imag())));
  }
}

// The same for the last dimension, of which only lags >= 0 are given.
template <class Real>
template <class Value>
void ToeplitzForm<Real>::embedHalf(int shift, const Value* lags, std::int64_t step, Complex* line) const {
  const Axis& axis = axes[static_cast<std::size_t>(dims - 1)];
  std::fill_n(line, axis.length, Complex(0));
  for (std::int64_t lag = 0; lag < axis.pixels; ++lag) {
    const Value v = lags[lag * step];
    const Complex turned =
        phasedAt(dims - 1, shift, lag, Complex(static_cast<Real>(v.real()), static_cast<Real>(v.imag())));
    line[axis.cellOf(lag)] += turned;
    if (lag > 0) line[axis.cellOf(-lag)] += std::conj(turned);
  }
}

// Transforms lags of one plane (or one row) of the other dimensions to frequencies in the grid.
template <class Real>
template <class Value>
void ToeplitzForm<Real>::planeThere(const Value* lags, Complex* plane, int shift) const {
  const Axis &x = axes[0], &y = axes[1];
  const std::int64_t lagsX = 2 * x.pixels - 1, lagsY = dims > 2 ? 2 * y.pixels - 1 : 1;
  Buffer<Complex> block = makeBlock(), rows(static_cast<std::size_t>(lagsY * x.length));
  for (std::int64_t first = 0; first < lagsY; first += linesPerBlock) {
    const std::int64_t count = std::min<std::int64_t>(linesPerBlock, lagsY - first);
    for (std::int64_t i = 0; i < count; ++i)
      embed(0, shift, lags + (first + i) * lagsX, 1, block.data() + i * x.pitch);
    const Complex* frequencies = transformed(x, block.data());
    for (std::int64_t i = 0; i < count; ++i)
      std::copy_n(frequencies + i * x.pitch, x.length, rows.data() + (first + i) * x.length);
  }
  if (dims == 2) {
    std::copy_n(rows.data(), x.length, plane);
    return;
  }
  for (std::int64_t at = 0; at < x.length; at += linesPerBlock) {
    const std::int64_t width = std::min<std::int64_t>(linesPerBlock, x.length - at);
    for (std::int64_t c = 0; c < width; ++c) {
      embed(1, shift, rows.data() + at + c, x.length, block.data() + c * y.pitch);
    }
    const Complex* frequencies = transformed(y, block.data());
    for (std::int64_t c = 0; c < width; ++c) {
      for (std::int64_t m = 0; m < y.length; ++m)
        plane[m * stride[1] + at + c] = frequencies[c * y.pitch + m];
    }
  }
}

// Transforms the last dimension, for the columns of row y; keeps the real part, scaled.
template <class Real>
template <class Value>
void ToeplitzForm<Real>::columnsToTransfer(const Value* first, std::int64_t step, std::int64_t columns,
                                           Real* to, int shift) const {
  const Axis& axis = axes[static_cast<std::size_t>(dims - 1)];
  double cells = 1;
  for (int d = 0; d < dims; ++d) {
    const auto at = static_cast<std::size_t>(d);
    cells *= static_cast<double>(length[at]) * (shifted && length[at] > 1 ? 2 : 1);
  }
  const Real scale = static_cast<Real>(1 / cells);
  Buffer<Complex> block = makeBlock();
  const int lines = dims == 1 ? 1 : linesPerBlock;
  for (std::int64_t at = 0; at < columns; at += lines) {
    const std::int64_t width = std::min<std::int64_t>(lines, columns - at);
    for (std::int64_t c = 0; c < width; ++c) {
      embedHalf(shift, first + at + c, step, block.data() + c * axis.pitch);
    }
    const Complex* frequencies = transformed(axis, block.data());
    for (std::int64_t c = 0; c < width; ++c) {
      for (std::int64_t m = 0; m < axis.length; ++m) {
        to[(at + c) * axis.length + m] = frequencies[c * axis.pitch + m].real() * scale;
      }
    }
  }
}

template <class Real>
template <class Value>
void ToeplitzForm<Real>::setPsf(const Value* psf) {
  Real* to = transfer.data();
  for (int shift = 0; shift < 8; ++shift) {
    if (!exists(shift, problem, shifted)) continue;
    if (dims == 1) {
      columnsToTransfer(psf, 1, 1, to, shift);
    } else {
      const std::int64_t lags = (2 * axes[0].pixels - 1) * (dims > 2 ? 2 * axes[1].pixels - 1 : 1);
      const std::int64_t step = stride[static_cast<std::size_t>(dims - 1)];
      parallelTasks(last().pixels, threads,
                    [&](std::int64_t lag) { planeThere(psf + lag * lags, grid.data() + lag * step, shift); });
      parallelTasks(dims > 2 ? length[1] : 1, threads, [&](std::int64_t y) {
        columnsToTransfer(grid.data() + y * stride[1], step, length[0], to + y * length[0] * last().length,
                          shift);
      });
    }
    to += product(length);
  }
}

template struct ToeplitzForm<float>;
template struct ToeplitzForm<double>;
template void ToeplitzForm<float>::setPsf(const cfloat*);
template void ToeplitzForm<float>::setPsf(const cdouble*);
template void ToeplitzForm<double>::setPsf(const cfloat*);
template void ToeplitzForm<double>::setPsf(const cdouble*);

}  // namespace spokelab
