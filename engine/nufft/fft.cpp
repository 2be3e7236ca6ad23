#include "engine/nufft/fft.h"

#include <algorithm>
#include <cstring>

#include "engine/core/thread_pool.h"
#include "engine/nufft/fftw.h"

namespace spokelab {

namespace {

// Columns gathered at a time: a cache line or two of each row, and a block that stays in the cache.
constexpr int columnsPerBlock = 16;
constexpr std::int64_t rowsPerTask = 8;
constexpr std::int64_t fftwThreadsFrom = 1 << 15;  // cells of a 1-D transform that are worth FFTW's threads

}  // namespace

template <class Real>
struct GridFft<Real>::Implementation {
  // One dimension: image size and lowest n, grid size, factors, and its transforms in both directions.
  struct Axis {
    std::int64_t pixels = 1, negative = 0, cells = 1;
    std::vector<Real> factor;
    FftwLines<Real> row[2], columns[2];  // [forward, adjoint]
    std::int64_t pitch = 0;              // from line to line in a block of gathered columns

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
      const int rowThreads = layout.dims == 1 && axis.cells >= fftwThreadsFrom ? threads : 1;
      for (int direction : {0, 1}) {
        const int s = direction == 0 ? sign : -sign;
        if (d == 0) axis.row[direction] = FftwLines<Real>(length, 1, length, s, rowThreads);
        else axis.columns[direction] =
                 FftwLines<Real>(length, columnsPerBlock, static_cast<int>(axis.pitch), s);
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

  void rowToGrid(const Complex* image, std::int64_t y, std::int64_t z, Complex* row) const {
    padRow(image + (z * axes[1].pixels + y) * axes[0].pixels, rowScale(y, z), row);
    axes[0].row[0].execute(row);
  }

  void rowToImage(Complex* row, std::int64_t y, std::int64_t z, Complex* image) const {
    axes[0].row[1].execute(row);
    cropRow(row, rowScale(y, z), image + (z * axes[1].pixels + y) * axes[0].pixels);
  }

  // --- columns: y and z ------------------------------------------------------------------------------
  // `width` columns from `first` on, cells `stride` apart. Lines lie at block + column * pitch.
  static void gather(const Complex* first, std::int64_t stride, std::int64_t count, int width, Complex* block,
                     std::int64_t pitch) {
    for (std::int64_t m = 0; m < count; ++m) {
      const Complex* from = first + m * stride;
      for (int c = 0; c < width; ++c) block[c * pitch + m] = from[c];
    }
  }

  static void gatherAdd(const Complex* first, std::int64_t stride, std::int64_t count, int width, Complex* block,
                        std::int64_t pitch) {
    for (std::int64_t m = 0; m < count; ++m) {
      const Complex* from = first + m * stride;
      for (int c = 0; c < width; ++c) block[c * pitch + m] += from[c];
    }
  }

  static void scatter(Complex* first, std::int64_t stride, std::int64_t count, int width, const Complex* block,
                      std::int64_t pitch) {
    for (std::int64_t m = 0; m < count; ++m) {
      Complex* to = first + m * stride;
      for (int c = 0; c < width; ++c) to[c] = block[c * pitch + m];
    }
  }

  // Only the cells that hold pixels are read; all are written.
  void columnsToGrid(const Axis& axis, Complex* first, std::int64_t stride, int width, Complex* block) const {
    gather(first, stride, axis.positive(), width, block, axis.pitch);
    const std::int64_t low = axis.cells - axis.negative;
    for (int c = 0; c < width; ++c) {
      std::fill(block + c * axis.pitch + axis.positive(), block + c * axis.pitch + low, Complex(0));
    }
    gather(first + low * stride, stride, axis.negative, width, block + low, axis.pitch);
    axis.columns[0].execute(block);
    scatter(first, stride, axis.cells, width, block, axis.pitch);
  }

  // All cells are read, the halo is added to the cells it stands for; only cells that hold pixels are written.
  void columnsToImage(const Axis& axis, std::int64_t halo, Complex* first, std::int64_t stride, int width,
                      Complex* block) const {
    gather(first, stride, axis.cells, width, block, axis.pitch);
    for (std::int64_t done = 0; done < halo; done += axis.cells) {
      gatherAdd(first + (axis.cells + done) * stride, stride, std::min(axis.cells, halo - done), width, block,
                axis.pitch);
    }
    axis.columns[1].execute(block);
    const std::int64_t low = axis.cells - axis.negative;
    scatter(first, stride, axis.positive(), width, block, axis.pitch);
    scatter(first + low * stride, stride, axis.negative, width, block + low, axis.pitch);
  }

  Buffer<Complex> makeBlock(const Axis& axis) const {
    Buffer<Complex> block(static_cast<std::size_t>(axis.pitch * columnsPerBlock));
    std::fill(block.begin(), block.end(), Complex(0));  // columns beyond the last are transformed as well
    return block;
  }

  // Calls column(x, width) for the blocks of a row of columns.
  template <class F>
  void forColumnBlocks(const F& column) const {
    for (std::int64_t x = 0; x < axes[0].cells; x += columnsPerBlock) {
      column(x, static_cast<int>(std::min<std::int64_t>(columnsPerBlock, axes[0].cells - x)));
    }
  }

  // --- halo ------------------------------------------------------------------------------------------
  void fillHalo(Complex* plane) const {
    const std::int64_t nx = axes[0].cells, ny = axes[1].cells;
    for (std::int64_t y = 0; y < ny; ++y) {
      Complex* row = plane + y * layout.stride[1];
      for (std::int64_t i = 0; i < layout.halo[0]; ++i) row[nx + i] = row[i % nx];
    }
    for (std::int64_t y = 0; y < layout.halo[1]; ++y) {
      std::copy_n(plane + y % ny * layout.stride[1], nx + layout.halo[0], plane + (ny + y) * layout.stride[1]);
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
    rowToGrid(image, 0, 0, grid);
    fillHalo(grid);
  }

  void toGrid2(const Complex* image, Complex* grid) const {
    const Axis& y = axes[1];
    parallelFor(y.pixels, threads, rowsPerTask, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t n = begin; n < end; ++n) rowToGrid(image, n, 0, grid + y.cellOf(n) * layout.stride[1]);
    });
    const std::int64_t blocks = (axes[0].cells + columnsPerBlock - 1) / columnsPerBlock;
    parallelTasks(blocks, threads, [&](std::int64_t at) {
      Buffer<Complex> block = makeBlock(y);
      const std::int64_t x = at * columnsPerBlock;
      columnsToGrid(y, grid + x, layout.stride[1],
                    static_cast<int>(std::min<std::int64_t>(columnsPerBlock, axes[0].cells - x)), block.data());
    });
    fillHalo(grid);
  }

  void toGrid3(const Complex* image, Complex* grid) const {
    const Axis &y = axes[1], &z = axes[2];
    parallelTasks(z.pixels, threads, [&](std::int64_t nz) {
      Complex* plane = grid + z.cellOf(nz) * layout.stride[2];
      for (std::int64_t ny = 0; ny < y.pixels; ++ny) {
        rowToGrid(image, ny, nz, plane + y.cellOf(ny) * layout.stride[1]);
      }
      Buffer<Complex> block = makeBlock(y);
      forColumnBlocks(
          [&](std::int64_t x, int width) { columnsToGrid(y, plane + x, layout.stride[1], width, block.data()); });
    });
    parallelTasks(y.cells, threads, [&](std::int64_t row) {
      Buffer<Complex> block = makeBlock(z);
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
    rowToImage(grid, 0, 0, image);
  }

  void toImage2(Complex* grid, Complex* image) const {
    const Axis& y = axes[1];
    foldHalo(grid);
    const std::int64_t blocks = (axes[0].cells + columnsPerBlock - 1) / columnsPerBlock;
    parallelTasks(blocks, threads, [&](std::int64_t at) {
      Buffer<Complex> block = makeBlock(y);
      const std::int64_t x = at * columnsPerBlock;
      columnsToImage(y, 0, grid + x, layout.stride[1],
                     static_cast<int>(std::min<std::int64_t>(columnsPerBlock, axes[0].cells - x)), block.data());
    });
    parallelFor(y.pixels, threads, rowsPerTask, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t n = begin; n < end; ++n) rowToImage(grid + y.cellOf(n) * layout.stride[1], n, 0, image);
    });
  }

  void toImage3(Complex* grid, Complex* image) const {
    const Axis &y = axes[1], &z = axes[2];
    parallelTasks(z.cells + layout.halo[2], threads,
                  [&](std::int64_t at) { foldHalo(grid + at * layout.stride[2]); });
    parallelTasks(y.cells, threads, [&](std::int64_t row) {
      Buffer<Complex> block = makeBlock(z);
      forColumnBlocks([&](std::int64_t x, int width) {
        columnsToImage(z, layout.halo[2], grid + row * layout.stride[1] + x, layout.stride[2], width,
                       block.data());
      });
    });
    parallelTasks(z.pixels, threads, [&](std::int64_t nz) {
      Complex* plane = grid + z.cellOf(nz) * layout.stride[2];
      Buffer<Complex> block = makeBlock(y);
      forColumnBlocks([&](std::int64_t x, int width) {
        columnsToImage(y, 0, plane + x, layout.stride[1], width, block.data());
      });
      for (std::int64_t ny = 0; ny < y.pixels; ++ny) {
        rowToImage(plane + y.cellOf(ny) * layout.stride[1], ny, nz, image);
      }
    });
  }
};

template <class Real>
GridFft<Real>::GridFft(const Index3& imageSize, const GridLayout& layout,
                       const std::array<std::vector<double>, 3>& factors, int sign, int threads)
    : implementation_(std::make_unique<Implementation>(imageSize, layout, factors, sign, threads)) {}

template <class Real>
GridFft<Real>::~GridFft() = default;

template <class Real>
void GridFft<Real>::toGrid(const Complex* image, Complex* grid) const {
  switch (implementation_->layout.dims) {
    case 1: return implementation_->toGrid1(image, grid);
    case 2: return implementation_->toGrid2(image, grid);
    default: return implementation_->toGrid3(image, grid);
  }
}

template <class Real>
void GridFft<Real>::toImage(Complex* grid, Complex* image) const {
  switch (implementation_->layout.dims) {
    case 1: return implementation_->toImage1(grid, image);
    case 2: return implementation_->toImage2(grid, image);
    default: return implementation_->toImage3(grid, image);
  }
}

template class GridFft<float>;
template class GridFft<double>;

}  // namespace spokelab
