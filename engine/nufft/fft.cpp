#include "engine/nufft/fft.h"

#include <algorithm>

#include "engine/core/thread_pool.h"
#include "engine/nufft/fftw.h"
#include "engine/nufft/transpose.h"

namespace spokelab {

namespace {

// Lines transformed at a time: a cache line or two of each row, and a block that stays in the cache.
constexpr int linesPerBlock = 16;
constexpr std::int64_t fftwThreadsFrom = 1 << 15;  // cells of a 1-D transform that are worth FFTW's threads

}  // namespace

template <class Real>
struct GridFft<Real>::Implementation {
  // One dimension: image size and lowest n, grid size, factors, and its transforms in both directions.
  struct Axis {
    std::int64_t pixels = 1, negative = 0, cells = 1;
    std::vector<Real> factor;
    FftwLines<Real> lines[2];  // of a block, in the grid for one dimension; [forward, adjoint]
    std::int64_t pitch = 0;    // from line to line in a block

    std::int64_t positive() const { return pixels - negative; }
    std::int64_t cellOf(std::int64_t pixel) const {
      return pixel < negative ? cells - negative + pixel : pixel - negative;
    }
  };

  GridLayout layout;
  int threads;
  std::array<Axis, 3> axes;

  Implementation(const Index3& size, const GridLayout& gridLayout,
                 const std::array<std::vector<double>, 3>& factors, int sign, int threadLimit)
      : layout(gridLayout), threads(threadLimit <= 0 ? hardwareThreads() : threadLimit) {
    constexpr std::int64_t cellsPerLine = 64 / sizeof(Complex);
    for (int d = 0; d < layout.dims; ++d) {
      Axis& axis = axes[static_cast<std::size_t>(d)];
      axis.pixels = size[d];
      axis.negative = size[d] / 2;
      axis.cells = layout.grid[d];
      axis.factor.assign(factors[d].begin(), factors[d].end());
      axis.pitch = ((axis.cells + cellsPerLine - 1) / cellsPerLine | 1) * cellsPerLine;
      const int length = static_cast<int>(axis.cells);
      const bool alone = layout.dims == 1;
      for (int direction : {0, 1}) {
        axis.lines[direction] = FftwLines<Real>(length, alone ? 1 : linesPerBlock,
                                                static_cast<int>(axis.pitch), direction == 0 ? sign : -sign,
                                                alone && axis.cells >= fftwThreadsFrom ? threads : 1);
      }
    }
  }

  // --- rows: x ---------------------------------------------------------------------------------------
  void padRow(const Complex* image, Real scale, Complex* row) const {
    const Axis& x = axes[0];
    for (std::int64_t n = 0; n < x.positive(); ++n) {
      row[n] = image[x.negative + n] * (x.factor[static_cast<std::size_t>(x.negative + n)] * scale);
    }
    std::fill(row + x.positive(), row + x.cells - x.negative, Complex(0));
    Complex* low = row + x.cells - x.negative;
    for (std::int64_t n = 0; n < x.negative; ++n) {
      low[n] = image[n] * (x.factor[static_cast<std::size_t>(n)] * scale);
    }
  }

  void cropRow(const Complex* row, Real scale, Complex* image) const {
    const Axis& x = axes[0];
    const Complex* low = row + x.cells - x.negative;
    for (std::int64_t n = 0; n < x.negative; ++n) {
      image[n] = low[n] * (x.factor[static_cast<std::size_t>(n)] * scale);
    }
    for (std::int64_t n = 0; n < x.positive(); ++n) {
      image[x.negative + n] = row[n] * (x.factor[static_cast<std::size_t>(x.negative + n)] * scale);
    }
  }

  // Factor of row (y, z) of the image.
  Real rowScale(std::int64_t y, std::int64_t z) const {
    Real scale = 1;
    if (layout.dims > 1) scale *= axes[1].factor[static_cast<std::size_t>(y)];
    if (layout.dims > 2) scale *= axes[2].factor[static_cast<std::size_t>(z)];
    return scale;
  }

  // `count` rows of one plane from row y on, by way of a block.
  void rowsToGrid(const Complex* image, std::int64_t y, std::int64_t count, std::int64_t z, Complex* plane,
                  Complex* block) const {
    const Axis& x = axes[0];
    for (std::int64_t i = 0; i < count; ++i) {
      padRow(image + (z * axes[1].pixels + y + i) * x.pixels, rowScale(y + i, z), block + i * x.pitch);
    }
    x.lines[0].execute(block);
    for (std::int64_t i = 0; i < count; ++i) {
      std::copy_n(block + i * x.pitch, x.cells, plane + axes[1].cellOf(y + i) * layout.stride[1]);
    }
  }

  void rowsToImage(const Complex* plane, std::int64_t y, std::int64_t count, std::int64_t z, Complex* image,
                   Complex* block) const {
    const Axis& x = axes[0];
    for (std::int64_t i = 0; i < count; ++i) {
      std::copy_n(plane + axes[1].cellOf(y + i) * layout.stride[1], x.cells, block + i * x.pitch);
    }
    x.lines[1].execute(block);
    for (std::int64_t i = 0; i < count; ++i) {
      cropRow(block + i * x.pitch, rowScale(y + i, z), image + (z * axes[1].pixels + y + i) * x.pixels);
    }
  }

  // --- columns: y and z ------------------------------------------------------------------------------
  // The first line of each row of the next block, while this one is transformed.
  void prefetchNext(const Axis& axis, const Complex* first, std::int64_t stride) const {
    constexpr int cellsPerCacheLine = 64 / sizeof(Complex);
    for (std::int64_t m = 0; m < axis.cells; ++m) {
      for (int c = 0; c < linesPerBlock; c += cellsPerCacheLine) {
        __builtin_prefetch(first + m * stride + linesPerBlock + c, 1);
      }
    }
  }

  // Only the cells that hold pixels are read; all are written.
  void columnsToGrid(const Axis& axis, Complex* first, std::int64_t stride, int width, Complex* block) const {
    rowsToLines(first, stride, axis.positive(), width, block, axis.pitch);
    const std::int64_t low = axis.cells - axis.negative;
    for (int c = 0; c < width; ++c) {
      std::fill(block + c * axis.pitch + axis.positive(), block + c * axis.pitch + low, Complex(0));
    }
    rowsToLines(first + low * stride, stride, axis.negative, width, block + low, axis.pitch);
    prefetchNext(axis, first, stride);
    axis.lines[0].execute(block);
    linesToRows(block, axis.pitch, axis.cells, width, first, stride);
  }

  // All cells are read, the halo is added to the cells it stands for; only cells that hold pixels are written.
  void columnsToImage(const Axis& axis, std::int64_t halo, Complex* first, std::int64_t stride, int width,
                      Complex* block) const {
    rowsToLines(first, stride, axis.cells, width, block, axis.pitch);
    for (std::int64_t m = 0; m < halo; ++m) {
      const Complex* from = first + (axis.cells + m) * stride;
      for (int c = 0; c < width; ++c) block[c * axis.pitch + m % axis.cells] += from[c];
    }
    prefetchNext(axis, first, stride);
    axis.lines[1].execute(block);
    const std::int64_t low = axis.cells - axis.negative;
    linesToRows(block, axis.pitch, axis.positive(), width, first, stride);
    linesToRows(block + low, axis.pitch, axis.negative, width, first + low * stride, stride);
  }

  Buffer<Complex> makeBlock() const {
    std::int64_t pitch = 0;
    for (const Axis& axis : axes) pitch = std::max(pitch, axis.pitch);
    Buffer<Complex> block(static_cast<std::size_t>(pitch * linesPerBlock));
    std::fill(block.begin(), block.end(), Complex(0));  // lines beyond the last are transformed as well
    return block;
  }

  // Calls column(x, width) for the blocks of a row of columns. The grid's size is even, so is each width.
  template <class F>
  void forColumnBlocks(const F& column) const {
    for (std::int64_t x = 0; x < axes[0].cells; x += linesPerBlock) {
      column(x, static_cast<int>(std::min<std::int64_t>(linesPerBlock, axes[0].cells - x)));
    }
  }

  // The same by several threads, each a run of neighbouring blocks: what it prefetches is then its own.
  template <class F>
  void forColumnRuns(const F& column) const {
    const std::int64_t blocks = (axes[0].cells + linesPerBlock - 1) / linesPerBlock;
    parallelFor(blocks, threads, (blocks + threads - 1) / threads, [&](std::int64_t begin, std::int64_t end) {
      Buffer<Complex> block = makeBlock();
      for (std::int64_t x = begin * linesPerBlock; x < std::min(end * linesPerBlock, axes[0].cells);
           x += linesPerBlock) {
        column(x, static_cast<int>(std::min<std::int64_t>(linesPerBlock, axes[0].cells - x)), block.data());
      }
    });
  }

  // --- halo ------------------------------------------------------------------------------------------
  void fillHalo(Complex* plane) const {
    const std::int64_t nx = axes[0].cells, ny = axes[1].cells;
    for (std::int64_t y = 0; y < ny; ++y) {
      Complex* row = plane + y * layout.stride[1];
      for (std::int64_t i = 0; i < layout.halo[0]; ++i) row[nx + i] = row[i % nx];
    }
    for (std::int64_t y = 0; y < layout.halo[1]; ++y) {
      std::copy_n(plane + y % ny * layout.stride[1], nx + layout.halo[0],
                  plane + (ny + y) * layout.stride[1]);
    }
  }

  void foldHalo(Complex* plane) const {
    const std::int64_t nx = axes[0].cells, ny = axes[1].cells;
    for (std::int64_t y = 0; y < layout.halo[1]; ++y) {
      const Complex* from = plane + (ny + y) * layout.stride[1];
      Complex* to = plane + y % ny * layout.stride[1];
      for (std::int64_t i = 0; i < nx + layout.halo[0]; ++i) to[i] += from[i];
    }
    for (std::int64_t y = 0; y < ny; ++y) {
      Complex* row = plane + y * layout.stride[1];
      for (std::int64_t i = 0; i < layout.halo[0]; ++i) row[i % nx] += row[nx + i];
    }
  }

  // --- forward ---------------------------------------------------------------------------------------
  void toGrid1(const Complex* image, Complex* grid) const {
    padRow(image, 1, grid);
    axes[0].lines[0].execute(grid);
    fillHalo(grid);
  }

  void toGrid2(const Complex* image, Complex* grid) const {
    const Axis& y = axes[1];
    parallelFor(y.pixels, threads, linesPerBlock, [&](std::int64_t begin, std::int64_t end) {
      rowsToGrid(image, begin, end - begin, 0, grid, makeBlock().data());
    });
    forColumnRuns([&](std::int64_t x, int width, Complex* block) {
      columnsToGrid(y, grid + x, layout.stride[1], width, block);
    });
    fillHalo(grid);
  }

  void toGrid3(const Complex* image, Complex* grid) const {
    const Axis &y = axes[1], &z = axes[2];
    parallelTasks(z.pixels, threads, [&](std::int64_t nz) {
      Complex* plane = grid + z.cellOf(nz) * layout.stride[2];
      Buffer<Complex> block = makeBlock();
      for (std::int64_t ny = 0; ny < y.pixels; ny += linesPerBlock) {
        rowsToGrid(image, ny, std::min<std::int64_t>(linesPerBlock, y.pixels - ny), nz, plane, block.data());
      }
      forColumnBlocks([&](std::int64_t x, int width) {
        columnsToGrid(y, plane + x, layout.stride[1], width, block.data());
      });
    });
    parallelTasks(y.cells, threads, [&](std::int64_t row) {
      Buffer<Complex> block = makeBlock();
      forColumnBlocks([&](std::int64_t x, int width) {
        columnsToGrid(z, grid + row * layout.stride[1] + x, layout.stride[2], width, block.data());
      });
    });
    const std::int64_t planes = z.cells + layout.halo[2];
    parallelTasks(z.cells, threads, [&](std::int64_t at) {
      Complex* plane = grid + at * layout.stride[2];
      fillHalo(plane);
      for (std::int64_t copy = at + z.cells; copy < planes; copy += z.cells) {
        std::copy_n(plane, layout.stride[2], grid + copy * layout.stride[2]);
      }
    });
  }

  // --- adjoint ---------------------------------------------------------------------------------------
  void toImage1(Complex* grid, Complex* image) const {
    foldHalo(grid);
    axes[0].lines[1].execute(grid);
    cropRow(grid, 1, image);
  }

  void toImage2(Complex* grid, Complex* image) const {
    const Axis& y = axes[1];
    foldHalo(grid);
    forColumnRuns([&](std::int64_t x, int width, Complex* block) {
      columnsToImage(y, 0, grid + x, layout.stride[1], width, block);
    });
    parallelFor(y.pixels, threads, linesPerBlock, [&](std::int64_t begin, std::int64_t end) {
      rowsToImage(grid, begin, end - begin, 0, image, makeBlock().data());
    });
  }

  void toImage3(Complex* grid, Complex* image) const {
    const Axis &y = axes[1], &z = axes[2];
    parallelTasks(z.cells + layout.halo[2], threads,
                  [&](std::int64_t at) { foldHalo(grid + at * layout.stride[2]); });
    parallelTasks(y.cells, threads, [&](std::int64_t row) {
      Buffer<Complex> block = makeBlock();
      forColumnBlocks([&](std::int64_t x, int width) {
        columnsToImage(z, layout.halo[2], grid + row * layout.stride[1] + x, layout.stride[2], width,
                       block.data());
      });
    });
    parallelTasks(z.pixels, threads, [&](std::int64_t nz) {
      Complex* plane = grid + z.cellOf(nz) * layout.stride[2];
      Buffer<Complex> block = makeBlock();
      forColumnBlocks([&](std::int64_t x, int width) {
        columnsToImage(y, 0, plane + x, layout.stride[1], width, block.data());
      });
      for (std::int64_t ny = 0; ny < y.pixels; ny += linesPerBlock) {
        rowsToImage(plane, ny, std::min<std::int64_t>(linesPerBlock, y.pixels - ny), nz, image, block.data());
      }
    });
  }
};

template <class Real>
GridFft<Real>::GridFft(const Index3& imageSize, const GridLayout& layout,
                       const std::array<std::vector<double>, 3>& factors, int sign, int threads)
    : implementation_(std::make_unique<Implementation>(imageSize, layout, factors, sign, threads)) {
}

template <class Real>
GridFft<Real>::~GridFft() = default;

template <class Real>
void GridFft<Real>::toGrid(const Complex* image, Complex* grid) const {
  switch (implementation_->layout.dims) {
    case 1:
      return implementation_->toGrid1(image, grid);
    case 2:
      return implementation_->toGrid2(image, grid);
    default:
      return implementation_->toGrid3(image, grid);
  }
}

template <class Real>
void GridFft<Real>::toImage(Complex* grid, Complex* image) const {
  switch (implementation_->layout.dims) {
    case 1:
      return implementation_->toImage1(grid, image);
    case 2:
      return implementation_->toImage2(grid, image);
    default:
      return implementation_->toImage3(grid, image);
  }
}

template class GridFft<float>;
template class GridFft<double>;

}  // namespace spokelab
