#include "engine/nufft/fft/fft.h"

#include <algorithm>

#include "engine/core/thread_pool.h"
#include "engine/nufft/fft/grid_axis.h"
#include "engine/nufft/fft/transpose.h"

namespace spokelab {

namespace {

// Lines transformed at once: a cache line or two of each row, and a block that fits into the cache.
constexpr int linesPerBlock = 16;
// Planes are shared out whole where that keeps this share of the threads busy.
constexpr double minBusyShare = 0.85;
// Blocks of a plane's columns that a thread transforms in a row.
constexpr std::int64_t blocksPerPart = 4;
// Smaller 1-D transforms are not worth FFTW's threads.
constexpr std::int64_t minCellsForFftwThreads = 1 << 15;
// Rows of a plane whose halo is worth a thread.
constexpr std::int64_t minRowsOfThread = 48;

}  // namespace

template <class Real>
struct GridFft<Real>::Implementation {
  using Axis = GridAxis<Real>;

  GridLayout layout;
  int threads;
  int imagesPerCell;
  std::int64_t rowValues, strideY, strideZ, pixels;
  std::array<Axis, 3> axes;

  Implementation(const Index3& size, const GridLayout& gridLayout,
                 const std::array<std::vector<double>, 3>& factors, int sign, int threadLimit,
                 int imagesInCell, FftEffort effort)
      : layout(gridLayout),
        threads(threadLimit <= 0 ? hardwareThreads() : threadLimit),
        imagesPerCell(imagesInCell),
        rowValues(imagesInCell * layout.grid[0]),
        strideY(imagesInCell * layout.stride[1]),
        strideZ(imagesInCell * layout.stride[2]),
        pixels(product(size)) {
    for (int d = 0; d < layout.dims; ++d) {
      const bool alone = layout.dims == 1;
      axes[static_cast<std::size_t>(d)] =
          Axis(size[d], layout.grid[d], factors[d], sign, alone ? 1 : linesPerBlock,
               alone && layout.grid[d] >= minCellsForFftwThreads ? threads : 1, effort);
    }
  }

  // Factor of row (y, z) of the image.
  Real rowScale(std::int64_t y, std::int64_t z) const {
    Real scale = 1;
    if (layout.dims > 1) scale *= axes[1].factor[static_cast<std::size_t>(y)];
    if (layout.dims > 2) scale *= axes[2].factor[static_cast<std::size_t>(z)];
    return scale;
  }

  // Rows of one plane that a block holds, with all images of a cell.
  std::int64_t rowsPerBlock() const { return linesPerBlock / imagesPerCell; }

  // `count` rows of one plane from row y on, by way of a block whose line i * imagesPerCell + k is
  // row y + i of image k.
  void rowsToGrid(const Complex* image, int images, std::int64_t y, std::int64_t count, std::int64_t z,
                  Complex* plane, Complex* block) const {
    const Axis& x = axes[0];
    for (std::int64_t i = 0; i < count; ++i) {
      for (int k = 0; k < imagesPerCell; ++k) {
        Complex* line = block + (i * imagesPerCell + k) * x.pitch;
        if (k < images)
          axes[0].pad(image + k * pixels + (z * axes[1].pixels + y + i) * x.pixels, rowScale(y + i, z), line);
        else
          std::fill_n(line, x.cells, Complex(0));
      }
    }
    zeroLines(x, static_cast<int>(count * imagesPerCell), block);
    const Complex* result = x.transform(0, block);
    for (std::int64_t i = 0; i < count; ++i) {
      Complex* row = plane + axes[1].cellOf(y + i) * strideY;
      if (imagesPerCell == 1)
        std::copy_n(result + i * x.pitch, x.cells, row);
      else
        linesToRows(result + i * imagesPerCell * x.pitch, x.pitch, x.cells, imagesPerCell, row,
                    imagesPerCell);
    }
  }

  void rowsToImage(const Complex* plane, std::int64_t y, std::int64_t count, std::int64_t z, Complex* image,
                   int images, Complex* block) const {
    const Axis& x = axes[0];
    for (std::int64_t i = 0; i < count; ++i) {
      const Complex* row = plane + axes[1].cellOf(y + i) * strideY;
      if (imagesPerCell == 1)
        std::copy_n(row, x.cells, block + i * x.pitch);
      else
        rowsToLines(row, imagesPerCell, x.cells, imagesPerCell, block + i * imagesPerCell * x.pitch, x.pitch);
    }
    zeroLines(x, static_cast<int>(count * imagesPerCell), block);
    const Complex* result = x.transform(1, block);
    for (std::int64_t i = 0; i < count; ++i) {
      for (int k = 0; k < images; ++k) {
        axes[0].crop(result + (i * imagesPerCell + k) * x.pitch, rowScale(y + i, z),
                     image + k * pixels + (z * axes[1].pixels + y + i) * x.pixels);
      }
    }
  }

  // The first line of each row of the next block, while this one is transformed.
  void prefetchNext(const Axis& axis, const Complex* first, std::int64_t stride) const {
    constexpr int cellsPerCacheLine = 64 / sizeof(Complex);
    for (std::int64_t m = 0; m < axis.cells; ++m) {
      for (int c = 0; c < linesPerBlock; c += cellsPerCacheLine)
        __builtin_prefetch(first + m * stride + linesPerBlock + c, 1);
    }
  }

  // Only the cells that hold pixels are read; all are written.
  void columnsToGrid(const Axis& axis, Complex* first, std::int64_t stride, int width, Complex* block) const {
    rowsToLines(first, stride, axis.positive(), width, block, axis.pitch);
    const std::int64_t low = axis.cells - axis.negative;
    for (int c = 0; c < width; ++c)
      std::fill(block + c * axis.pitch + axis.positive(), block + c * axis.pitch + low, Complex(0));
    rowsToLines(first + low * stride, stride, axis.negative, width, block + low, axis.pitch);
    zeroLines(axis, width, block);
    prefetchNext(axis, first, stride);
    linesToRows(axis.transform(0, block), axis.pitch, axis.cells, width, first, stride);
  }

  // Reads all cells, adds the halo to the cells that it repeats, and writes only cells with pixels.
  void columnsToImage(const Axis& axis, std::int64_t halo, Complex* first, std::int64_t stride, int width,
                      Complex* block) const {
    rowsToLines(first, stride, axis.cells, width, block, axis.pitch);
    for (std::int64_t m = 0; m < halo; ++m) {
      const Complex* from = first + (axis.cells + m) * stride;
      for (int c = 0; c < width; ++c) block[c * axis.pitch + m % axis.cells] += from[c];
    }
    zeroLines(axis, width, block);
    prefetchNext(axis, first, stride);
    const Complex* result = axis.transform(1, block);
    const std::int64_t low = axis.cells - axis.negative;
    linesToRows(result, axis.pitch, axis.positive(), width, first, stride);
    linesToRows(result + low, axis.pitch, axis.negative, width, first + low * stride, stride);
  }

  Buffer<Complex> makeBlock() const {
    std::int64_t size = 0;
    for (const Axis& axis : axes) size = std::max(size, axis.blockSize(linesPerBlock));
    return Buffer<Complex>(static_cast<std::size_t>(size));
  }

  // Lines beyond the last are transformed, too: they must hold numbers.
  void zeroLines(const Axis& axis, int from, Complex* block) const {
    std::fill(block + from * axis.pitch, block + linesPerBlock * axis.pitch, Complex(0));
  }

  // Calls column(x, width) for the blocks of columns [begin, end); each width is even.
  template <class F>
  void forColumnBlocks(std::int64_t begin, std::int64_t end, const F& column) const {
    for (std::int64_t x = begin; x < end; x += linesPerBlock)
      column(x, static_cast<int>(std::min<std::int64_t>(linesPerBlock, end - x)));
  }

  // The same by several threads. Each takes neighbouring blocks, to use what it prefetches.
  template <class F>
  void forColumnRuns(const F& column) const {
    const std::int64_t blocks = (rowValues + linesPerBlock - 1) / linesPerBlock;
    parallelFor(blocks, threads, (blocks + threads - 1) / threads, [&](std::int64_t begin, std::int64_t end) {
      Buffer<Complex> block = makeBlock();
      forColumnBlocks(begin * linesPerBlock, std::min(end * linesPerBlock, rowValues),
                      [&](std::int64_t x, int width) { column(x, width, block.data()); });
    });
  }

  // True if whole planes would keep threads waiting. One plane fits into the cache, but the last
  // round of planes may have work for few threads.
  bool unevenPlanes() const {
    const std::int64_t planes = axes[2].pixels, rounds = (planes + threads - 1) / threads;
    return static_cast<double>(planes) < minBusyShare * static_cast<double>(rounds * threads);
  }
  // Calls rows(plane, first row, block) for every block of rows; columns(plane, first column,
  // width, block) likewise.
  template <class F>
  void forRowParts(const F& rows) const {
    const std::int64_t parts = (axes[1].pixels + rowsPerBlock() - 1) / rowsPerBlock();
    parallelTasks(axes[2].pixels * parts, threads, [&](std::int64_t task) {
      rows(task / parts, task % parts * rowsPerBlock(), makeBlock().data());
    });
  }
  template <class F>
  void forColumnParts(const F& columns) const {
    constexpr std::int64_t step = blocksPerPart * linesPerBlock;
    const std::int64_t parts = (rowValues + step - 1) / step;
    parallelTasks(axes[2].pixels * parts, threads, [&](std::int64_t task) {
      Buffer<Complex> block = makeBlock();
      const std::int64_t begin = task % parts * step, end = std::min(rowValues, begin + step);
      forColumnBlocks(begin, end,
                      [&](std::int64_t x, int width) { columns(task / parts, x, width, block.data()); });
    });
  }

  void fillHalo(Complex* plane) const {
    const std::int64_t nx = rowValues, ny = axes[1].cells, haloX = imagesPerCell * layout.halo[0];
    for (std::int64_t y = 0; y < ny; ++y) {
      Complex* row = plane + y * strideY;
      for (std::int64_t i = 0; i < haloX; ++i) row[nx + i] = row[i % nx];
    }
    for (std::int64_t y = 0; y < layout.halo[1]; ++y) {
      std::copy_n(plane + y % ny * strideY, nx + haloX, plane + (ny + y) * strideY);
    }
  }

  void foldHalo(Complex* plane) const {
    const std::int64_t nx = rowValues, ny = axes[1].cells, haloX = imagesPerCell * layout.halo[0];
    for (std::int64_t y = 0; y < layout.halo[1]; ++y) {
      const Complex* from = plane + (ny + y) * strideY;
      Complex* to = plane + y % ny * strideY;
      for (std::int64_t i = 0; i < nx + haloX; ++i) to[i] += from[i];
    }
    for (std::int64_t y = 0; y < ny; ++y) {
      Complex* row = plane + y * strideY;
      for (std::int64_t i = 0; i < haloX; ++i) row[i % nx] += row[nx + i];
    }
  }

  // The same of a plane that all threads share: its cells lie in their caches. Rows beyond the last
  // are left to columnsToImage().
  template <class F>
  void forRows(std::int64_t rows, const F& work) const {
    const std::int64_t grain = std::max(minRowsOfThread, (rows + threads - 1) / threads);
    parallelFor(rows, threads, grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t y = begin; y < end; ++y) work(y);
    });
  }
  void fillHaloTogether(Complex* plane) const {
    const std::int64_t nx = rowValues, ny = axes[1].cells, haloX = imagesPerCell * layout.halo[0];
    forRows(ny, [&](std::int64_t y) {
      Complex* row = plane + y * strideY;
      for (std::int64_t i = 0; i < haloX; ++i) row[nx + i] = row[i % nx];
      for (std::int64_t copy = y + ny; copy < ny + layout.halo[1]; copy += ny)
        std::copy_n(row, nx + haloX, plane + copy * strideY);
    });
  }
  void foldRowsTogether(Complex* plane) const {
    const std::int64_t nx = rowValues, haloX = imagesPerCell * layout.halo[0];
    forRows(axes[1].cells + layout.halo[1], [&](std::int64_t y) {
      Complex* row = plane + y * strideY;
      for (std::int64_t i = 0; i < haloX; ++i) row[i % nx] += row[nx + i];
    });
  }

  void toGrid1(const Complex* image, Complex* grid) const {
    axes[0].pad(image, 1, grid);
    axes[0].lines[0].execute(grid);
    fillHalo(grid);
  }

  void toGrid2(const Complex* image, int images, Complex* grid) const {
    const Axis& y = axes[1];
    parallelFor(y.pixels, threads, rowsPerBlock(), [&](std::int64_t begin, std::int64_t end) {
      rowsToGrid(image, images, begin, end - begin, 0, grid, makeBlock().data());
    });
    forColumnRuns([&](std::int64_t x, int width, Complex* block) {
      columnsToGrid(y, grid + x, strideY, width, block);
    });
    fillHaloTogether(grid);
  }

  void toGrid3(const Complex* image, int images, Complex* grid) const {
    const Axis &y = axes[1], &z = axes[2];
    const auto rows = [&](std::int64_t nz, std::int64_t ny, Complex* block) {
      rowsToGrid(image, images, ny, std::min(rowsPerBlock(), y.pixels - ny), nz,
                 grid + z.cellOf(nz) * strideZ, block);
    };
    const auto columns = [&](std::int64_t nz, std::int64_t x, int width, Complex* block) {
      columnsToGrid(y, grid + z.cellOf(nz) * strideZ + x, strideY, width, block);
    };
    if (unevenPlanes()) {
      forRowParts(rows);
      forColumnParts(columns);
    } else {
      parallelTasks(z.pixels, threads, [&](std::int64_t nz) {
        Buffer<Complex> block = makeBlock();
        for (std::int64_t ny = 0; ny < y.pixels; ny += rowsPerBlock()) rows(nz, ny, block.data());
        forColumnBlocks(0, rowValues,
                        [&](std::int64_t x, int width) { columns(nz, x, width, block.data()); });
      });
    }
    parallelTasks(y.cells, threads, [&](std::int64_t row) {
      Buffer<Complex> block = makeBlock();
      forColumnBlocks(0, rowValues, [&](std::int64_t x, int width) {
        columnsToGrid(z, grid + row * strideY + x, strideZ, width, block.data());
      });
    });
    const std::int64_t planes = z.cells + layout.halo[2];
    parallelTasks(z.cells, threads, [&](std::int64_t at) {
      Complex* plane = grid + at * strideZ;
      fillHalo(plane);
      for (std::int64_t copy = at + z.cells; copy < planes; copy += z.cells) {
        std::copy_n(plane, strideZ, grid + copy * strideZ);
      }
    });
  }

  void toImage1(Complex* grid, Complex* image) const {
    foldHalo(grid);
    axes[0].lines[1].execute(grid);
    axes[0].crop(grid, 1, image);
  }

  void toImage2(Complex* grid, Complex* image, int images) const {
    const Axis& y = axes[1];
    foldRowsTogether(grid);
    forColumnRuns([&](std::int64_t x, int width, Complex* block) {
      columnsToImage(y, layout.halo[1], grid + x, strideY, width, block);
    });
    parallelFor(y.pixels, threads, rowsPerBlock(), [&](std::int64_t begin, std::int64_t end) {
      rowsToImage(grid, begin, end - begin, 0, image, images, makeBlock().data());
    });
  }

  void toImage3(Complex* grid, Complex* image, int images) const {
    const Axis &y = axes[1], &z = axes[2];
    parallelTasks(z.cells + layout.halo[2], threads, [&](std::int64_t at) { foldHalo(grid + at * strideZ); });
    parallelTasks(y.cells, threads, [&](std::int64_t row) {
      Buffer<Complex> block = makeBlock();
      forColumnBlocks(0, rowValues, [&](std::int64_t x, int width) {
        columnsToImage(z, layout.halo[2], grid + row * strideY + x, strideZ, width, block.data());
      });
    });
    const auto rows = [&](std::int64_t nz, std::int64_t ny, Complex* block) {
      rowsToImage(grid + z.cellOf(nz) * strideZ, ny, std::min(rowsPerBlock(), y.pixels - ny), nz, image,
                  images, block);
    };
    const auto columns = [&](std::int64_t nz, std::int64_t x, int width, Complex* block) {
      columnsToImage(y, 0, grid + z.cellOf(nz) * strideZ + x, strideY, width, block);
    };
    if (unevenPlanes()) {
      forColumnParts(columns);
      forRowParts(rows);
      return;
    }
    parallelTasks(z.pixels, threads, [&](std::int64_t nz) {
      Buffer<Complex> block = makeBlock();
      forColumnBlocks(0, rowValues, [&](std::int64_t x, int width) { columns(nz, x, width, block.data()); });
      for (std::int64_t ny = 0; ny < y.pixels; ny += rowsPerBlock()) rows(nz, ny, block.data());
    });
  }
};

template <class Real>
GridFft<Real>::GridFft(const Index3& imageSize, const GridLayout& layout,
                       const std::array<std::vector<double>, 3>& factors, int sign, int threads,
                       int imagesPerCell, FftEffort effort)
    : implementation_(std::make_unique<Implementation>(imageSize, layout, factors, sign, threads,
                                                       imagesPerCell, effort)) {
}

template <class Real>
GridFft<Real>::~GridFft() = default;

template <class Real>
void GridFft<Real>::toGrid(const Complex* image, Complex* grid, int images) const {
  switch (implementation_->layout.dims) {
    case 1:
      return implementation_->toGrid1(image, grid);
    case 2:
      return implementation_->toGrid2(image, images, grid);
    default:
      return implementation_->toGrid3(image, images, grid);
  }
}

template <class Real>
void GridFft<Real>::toImage(Complex* grid, Complex* image, int images) const {
  switch (implementation_->layout.dims) {
    case 1:
      return implementation_->toImage1(grid, image);
    case 2:
      return implementation_->toImage2(grid, image, images);
    default:
      return implementation_->toImage3(grid, image, images);
  }
}

template class GridFft<float>;
template class GridFft<double>;

}  // namespace spokelab
