#include "engine/nufft/toeplitz/toeplitz.h"

#include <algorithm>

#include "engine/core/thread_pool.h"
#include "engine/nufft/fft/transpose.h"
#include "engine/nufft/toeplitz/toeplitz_form.h"

namespace spokelab {

template <class Real>
struct ToeplitzOperator<Real>::Implementation : ToeplitzForm<Real> {
  using Form = ToeplitzForm<Real>;
  using Axis = typename Form::Axis;
  using Form::axes, Form::back, Form::dims, Form::grid, Form::last, Form::length, Form::linesPerBlock;
  using Form::Form;
  using Form::makeBlock, Form::phases, Form::stride, Form::there, Form::threads;

  // rowsThere: image rows to transformed grid rows. rowsBack: the reverse; add: adds to the image.
  void rowsThere(const Complex* image, int count, Complex* rows, Complex* block, int shift) const {
    const Axis& x = axes[0];
    for (int i = 0; i < count; ++i) std::copy_n(image + i * x.pixels, x.pixels, block + i * x.pitch);
    const Complex* result = there(x, block, count, phases(0, shift));
    for (int i = 0; i < count; ++i) std::copy_n(result + i * x.pitch, x.length, rows + i * stride[1]);
  }
  void rowsBack(const Complex* rows, int count, Complex* image, Complex* block, int shift, bool add) const {
    const Axis& x = axes[0];
    for (int i = 0; i < count; ++i) std::copy_n(rows + i * stride[1], x.length, block + i * x.pitch);
    const Complex* result = back(x, block, block + x.resultFrom, count, phases(0, shift));
    for (int i = 0; i < count; ++i) {
      const Complex* line = result + i * x.pitch;
      Complex* to = image + i * x.pixels;
      if (add) {
        for (std::int64_t n = 0; n < x.pixels; ++n) to[n] += line[n];
      } else {
        std::copy_n(line, x.pixels, to);
      }
    }
  }

  // Columns of the block from x on, rounded up to even for the transposition: rows are padded.
  int columnsAt(std::int64_t x) const {
    return static_cast<int>(std::min<std::int64_t>(linesPerBlock, (length[0] - x + 1) & ~std::int64_t{1}));
  }

  // Fetches the next block's rows while this one is transformed, to hide memory's latency.
  static void prefetchNext(const Complex* first, std::int64_t step, std::int64_t rows) {
    constexpr int cellsPerCacheLine = 64 / sizeof(Complex);
    for (std::int64_t m = 0; m < rows; ++m) {
      for (int c = 0; c < linesPerBlock; c += cellsPerCacheLine) {
        __builtin_prefetch(first + m * step + linesPerBlock + c, 1);
      }
    }
  }

  void columnsThere(Complex* plane, std::int64_t x, Complex* block, int shift) const {
    const Axis& y = axes[1];
    const int width = columnsAt(x);
    rowsToLines(plane + x, stride[1], y.pixels, width, block, y.pitch);
    const Complex* result = there(y, block, width, phases(1, shift));
    linesToRows(result, y.pitch, y.length, width, plane + x, stride[1]);
  }
  void columnsBack(Complex* plane, std::int64_t x, Complex* block, int shift) const {
    const Axis& y = axes[1];
    const int width = columnsAt(x);
    rowsToLines(plane + x, stride[1], y.length, width, block, y.pitch);
    const Complex* result = back(y, block, block + y.resultFrom, width, phases(1, shift));
    linesToRows(result, y.pitch, y.pixels, width, plane + x, stride[1]);
  }

  // Convolves columns of the last dimension from cell x of a row on.
  void convolveColumns(Complex* row, std::int64_t x, Complex* block, const Real* factor, int shift) {
    const Axis& axis = last();
    const std::int64_t step = stride[static_cast<std::size_t>(dims - 1)];
    const int width = columnsAt(x);
    rowsToLines(row + x, step, axis.pixels, width, block, axis.pitch);
    prefetchNext(row + x, step, axis.pixels);
    Complex* frequencies = there(axis, block, width, phases(dims - 1, shift));
    for (int c = 0; c < width && x + c < length[0]; ++c) {
      multiply(frequencies + c * axis.pitch, factor + (x + c) * axis.length, axis.length);
    }
    back(axis, frequencies, block, width, phases(dims - 1, shift));
    linesToRows(block, axis.pitch, axis.pixels, width, row + x, step);
  }

  static void multiply(Complex* line, const Real* factor, std::int64_t count) {
    for (std::int64_t m = 0; m < count; ++m) line[m] *= factor[m];
  }

  void apply1(const Complex* in, Complex* out, const Real* factor, int shift, bool add) {
    const Axis& x = axes[0];
    std::copy_n(in, x.pixels, grid.data());
    there(x, grid.data(), 1, phases(0, shift));
    multiply(grid.data(), factor, x.length);
    back(x, grid.data(), grid.data(), 1, phases(0, shift));
    for (std::int64_t n = 0; n < x.pixels; ++n) {
      out[n] = grid[static_cast<std::size_t>(n)] + (add ? out[n] : Complex(0));
    }
  }

  // Calls work(y, count) for rows y ... y + count - 1, block after block.
  template <class F>
  void forRows(std::int64_t begin, std::int64_t end, const F& work) const {
    for (std::int64_t y = begin; y < end; y += linesPerBlock) {
      work(y, static_cast<int>(std::min<std::int64_t>(linesPerBlock, end - y)));
    }
  }

  void apply2(const Complex* in, Complex* out, const Real* factor, int shift, bool add) {
    const std::int64_t rows = axes[1].pixels, pixels = axes[0].pixels;
    const std::int64_t rowTasks = (rows + linesPerBlock - 1) / linesPerBlock;
    const std::int64_t rowsEach = (rowTasks + threads - 1) / threads * linesPerBlock;
    parallelFor(rows, threads, rowsEach, [&](std::int64_t begin, std::int64_t end) {
      Buffer<Complex> block = makeBlock();
      forRows(begin, end, [&](std::int64_t y, int count) {
        rowsThere(in + y * pixels, count, grid.data() + y * stride[1], block.data(), shift);
      });
    });
    const std::int64_t blocks = (length[0] + linesPerBlock - 1) / linesPerBlock;
    parallelFor(blocks, threads, (blocks + threads - 1) / threads, [&](std::int64_t begin, std::int64_t end) {
      Buffer<Complex> block = makeBlock();
      for (std::int64_t b = begin; b < end; ++b) {
        convolveColumns(grid.data(), b * linesPerBlock, block.data(), factor, shift);
      }
    });
    parallelFor(rows, threads, rowsEach, [&](std::int64_t begin, std::int64_t end) {
      Buffer<Complex> block = makeBlock();
      forRows(begin, end, [&](std::int64_t y, int count) {
        rowsBack(grid.data() + y * stride[1], count, out + y * pixels, block.data(), shift, add);
      });
    });
  }

  void apply3(const Complex* in, Complex* out, const Real* factor, int shift, bool add) {
    const std::int64_t planePixels = axes[0].pixels * axes[1].pixels, pixels = axes[0].pixels;
    parallelTasks(axes[2].pixels, threads, [&](std::int64_t z) {
      Buffer<Complex> block = makeBlock();
      Complex* plane = grid.data() + z * stride[2];
      forRows(0, axes[1].pixels, [&](std::int64_t y, int count) {
        rowsThere(in + z * planePixels + y * pixels, count, plane + y * stride[1], block.data(), shift);
      });
      for (std::int64_t x = 0; x < length[0]; x += linesPerBlock) columnsThere(plane, x, block.data(), shift);
    });
    parallelTasks(length[1], threads, [&](std::int64_t y) {
      Buffer<Complex> block = makeBlock();
      for (std::int64_t x = 0; x < length[0]; x += linesPerBlock) {
        convolveColumns(grid.data() + y * stride[1], x, block.data(), factor + y * length[0] * length[2],
                        shift);
      }
    });
    parallelTasks(axes[2].pixels, threads, [&](std::int64_t z) {
      Buffer<Complex> block = makeBlock();
      Complex* plane = grid.data() + z * stride[2];
      for (std::int64_t x = 0; x < length[0]; x += linesPerBlock) columnsBack(plane, x, block.data(), shift);
      forRows(0, axes[1].pixels, [&](std::int64_t y, int count) {
        rowsBack(plane + y * stride[1], count, out + z * planePixels + y * pixels, block.data(), shift, add);
      });
    });
  }
};

template <class Real>
ToeplitzOperator<Real>::ToeplitzOperator(const NufftProblem& problem, bool shifted, double alphaT,
                                         int threads, FftEffort effort)
    : implementation_(std::make_unique<Implementation>(problem, shifted, alphaT, threads, effort)) {
}

template <class Real>
ToeplitzOperator<Real>::~ToeplitzOperator() = default;

template <class Real>
void ToeplitzOperator<Real>::setPsf(const std::complex<float>* psf) {
  implementation_->setPsf(psf);
}
template <class Real>
void ToeplitzOperator<Real>::setPsf(const std::complex<double>* psf) {
  implementation_->setPsf(psf);
}

template <class Real>
void ToeplitzOperator<Real>::apply(const Complex* in, Complex* out) {
  Implementation& self = *implementation_;
  StageTimer timer(Stage::fft);
  const int shifts = self.shiftCount(self.problem, self.shifted);
  if (in == out && shifts > 1) {  // each shift reads the input
    self.copy.assign(in, in + self.problem.pixels());
    in = self.copy.data();
  }
  const Real* factor = self.transfer.data();
  for (int shift = 0; shift < 8; ++shift) {
    if (!self.exists(shift, self.problem, self.shifted)) continue;
    switch (self.dims) {
      case 1:
        self.apply1(in, out, factor, shift, shift > 0);
        break;
      case 2:
        self.apply2(in, out, factor, shift, shift > 0);
        break;
      default:
        self.apply3(in, out, factor, shift, shift > 0);
    }
    factor += product(self.length);
  }
  timer.multiplies();
  const double passes = 4;  // over the grid for each shift; two more over the image
  timer.moved(
      shifts *
          (passes * static_cast<double>(self.grid.size()) + 2 * static_cast<double>(self.problem.pixels())) *
          sizeof(Complex) +
      static_cast<double>(self.transfer.size()) * sizeof(Real));
}

template <class Real>
std::int64_t ToeplitzOperator<Real>::memory() const {
  const Implementation& self = *implementation_;
  return static_cast<std::int64_t>(self.transfer.size() * sizeof(Real) +
                                   (self.grid.size() + self.copy.size()) * sizeof(Complex));
}

template <class Real>
std::int64_t ToeplitzOperator<Real>::estimate(const NufftProblem& problem, bool shifted, double alphaT) {
  using Form = ToeplitzForm<Real>;
  const Index3 length = Form::lengthsOf(problem, shifted, alphaT);
  const std::int64_t cells = Form::gridCells(problem, length) + (shifted ? problem.pixels() : 0);
  return product(length) * Form::shiftCount(problem, shifted) * static_cast<std::int64_t>(sizeof(Real)) +
         cells * static_cast<std::int64_t>(sizeof(Complex));
}

template class ToeplitzOperator<float>;
template class ToeplitzOperator<double>;

}  // namespace spokelab
