#include "engine/nufft/tile_schedule.h"

#include <algorithm>
#include <cstring>

#include "engine/core/thread_pool.h"
#include "engine/nufft/huge_pages.h"

namespace spokelab {

namespace {

constexpr std::int64_t pointsPerPiece = 4096;
constexpr int piecesPerThread = 32;  // tasks a thread takes from the list of pieces, about
constexpr int chunksPerThread = 16;  // a chunk is this part of a thread's share of all points
constexpr std::int64_t smallestChunk = 2048;
constexpr std::int64_t boxRowStep = 8;  // cells; rows start on cache lines, as they do in the grid

}  // namespace

template <class Real>
TileSchedule<Real>::TileSchedule(const GridLayout& layout, const LoopKernel<Real>& kernel,
                                 const KernelSource<Real>* source, int threads)
    : layout_(layout), kernel_(kernel), source_(source), threads_(threads) {
  const InstructionSet set = instructionSet();
  const auto& spread = source ? storedSpreadFunctions<Real>(set) : spreadFunctions<Real>(set);
  const auto& interpolate = source ? storedInterpolateFunctions<Real>(set) : interpolateFunctions<Real>(set);
  spread_ = spread.function[layout.dims][kernel.cells];
  interpolate_ = interpolate.function[layout.dims][kernel.cells];
  for (int d = 0; d < layout.dims; ++d) boxSize_[d] = layout.tile[d] + layout.halo[d];
  boxSize_[0] = (boxSize_[0] + boxRowStep - 1) / boxRowStep * boxRowStep;
  boxCells_ = product(boxSize_);
}

template <class Real>
void TileSchedule<Real>::setPoints(std::span<const double> points, double width) {
  binSort<Real>(points, layout_, width, threads_, points_);
  storeValues();
  pieces_.clear();
  chunks_.clear();
  for (int colour = 0; colour < 8; ++colour) {
    coloured_[colour].clear();
    heavy_[colour].clear();
  }
  const std::int64_t chunk =
      std::max(smallestChunk, points_.count / (std::int64_t{threads_} * chunksPerThread));
  for (std::int64_t tile = 0; tile < layout_.tileCount(); ++tile) {
    const std::int64_t begin = points_.tileBegin[static_cast<std::size_t>(tile)];
    const std::int64_t end = points_.tileBegin[static_cast<std::size_t>(tile + 1)];
    if (begin == end) continue;
    for (std::int64_t b = begin; b < end; b += pointsPerPiece) {
      pieces_.push_back({tile, b, std::min(end, b + pointsPerPiece)});
    }
    if (threads_ == 1) continue;
    const auto colour = static_cast<std::size_t>(layout_.colour(tile));
    if (end - begin <= 2 * chunk) {
      coloured_[colour].push_back({tile, begin, end});
      continue;
    }
    const std::int64_t parts = (end - begin + chunk - 1) / chunk;
    const auto first = static_cast<std::int64_t>(chunks_.size());
    for (std::int64_t part = 0; part < parts; ++part) {
      chunks_.push_back(
          {tile, begin + (end - begin) * part / parts, begin + (end - begin) * (part + 1) / parts});
    }
    heavy_[colour].push_back({tile, first, first + parts});
  }
  for (std::vector<Piece>& tiles : coloured_) {
    std::stable_sort(tiles.begin(), tiles.end(),
                     [](const Piece& a, const Piece& b) { return a.end - a.begin > b.end - b.begin; });
  }
  boxes_.resize(chunks_.size() * static_cast<std::size_t>(boxCells_));
}

template <class Real>
void TileSchedule<Real>::storeValues() {
  if (!stores()) return;
  const std::int64_t each = std::int64_t{layout_.dims} * kernel_.cells;
  values_.resize(static_cast<std::size_t>(points_.count * each + 2 * valueMargin));
  std::fill_n(values_.begin(), valueMargin, Real(0));
  std::fill_n(values_.end() - valueMargin, valueMargin, Real(0));
  useHugePages(values_.data(), values_.size() * sizeof(Real));
  parallelFor(points_.count, threads_, pointsPerPiece, [&](std::int64_t begin, std::int64_t end) {
    source_->fill(layout_.dims, points_.records.data() + begin * points_.recordBytes(), end - begin,
                  values_.data() + valueMargin + begin * each);
  });
}

// The points of the job are points_[first ...], or copies of them.
template <class Real>
void TileSchedule<Real>::run(TileFunction<Real> function, const TileJob<Real>& job,
                             std::int64_t first) const {
  if (!source_) return function(job);
  if (!stores()) return runBlocks(function, job);
  TileJob<Real> stored = job;
  stored.values = values_.data() + valueMargin + first * layout_.dims * kernel_.cells;
  function(stored);
}

// Kernel values of a few points at a time, just before they are used.
template <class Real>
void TileSchedule<Real>::runBlocks(TileFunction<Real> function, const TileJob<Real>& job) const {
  constexpr std::int64_t block = 64;
  Buffer<Real> values(2 * valueMargin + block * 3 * largestKernelCells);
  std::fill(values.begin(), values.end(), Real(0));
  TileJob<Real> part = job;
  part.values = values.data() + valueMargin;
  for (std::int64_t done = 0; done < job.count; done += block) {
    part.points = static_cast<const std::byte*>(job.points) + done * points_.recordBytes();
    part.count = std::min(block, job.count - done);
    if (job.sorted && job.input) part.input = job.input + done;
    if (job.sorted && job.output) part.output = job.output + done;
    source_->fill(layout_.dims, part.points, part.count, values.data() + valueMargin);
    function(part);
  }
}

template <class Real>
std::int64_t TileSchedule<Real>::bytes() const {
  return static_cast<std::int64_t>(values_.size() * sizeof(Real)) + (source_ ? source_->bytes() : 0) +
         static_cast<std::int64_t>(points_.records.size() + boxes_.size() * sizeof(Complex) +
                                   (pieces_.size() + chunks_.size()) * sizeof(Piece) +
                                   points_.tileBegin.size() * sizeof(std::int64_t));
}

template <class Real>
TileJob<Real> TileSchedule<Real>::job(const Piece& piece, bool sorted) const {
  TileJob<Real> job;
  job.kernel = &kernel_;
  job.points = points_.records.data() + piece.begin * points_.recordBytes();
  job.count = piece.end - piece.begin;
  job.sorted = sorted;
  job.strideY = layout_.stride[1];
  job.strideZ = layout_.stride[2];
  return job;
}

template <class Real>
void TileSchedule<Real>::spreadPiece(const Piece& piece, const Complex* samples, bool sorted,
                                     Complex* grid) const {
  TileJob<Real> tile = job(piece, sorted);
  tile.input = sorted ? samples + piece.begin : samples;
  tile.grid = grid + layout_.tileOrigin(piece.tile);
  run(spread_, tile, piece.begin);
}

// The chunk's points, their cells counted in the box instead of the grid.
template <class Real>
template <int dims>
void TileSchedule<Real>::spreadChunk(const Piece& chunk, const Complex* samples, bool sorted,
                                     Complex* box) const {
  const SortedPoint<Real, dims>* from = points_.template as<dims>() + chunk.begin;
  const std::int64_t count = chunk.end - chunk.begin;
  Buffer<SortedPoint<Real, dims>> moved(static_cast<std::size_t>(count));
  for (std::int64_t j = 0; j < count; ++j) {
    SortedPoint<Real, dims>& point = moved[static_cast<std::size_t>(j)];
    point = from[j];
    std::int64_t rest = from[j].offset, offset = 0;
    if constexpr (dims > 2) {
      offset += rest / layout_.stride[2] * boxSize_[0] * boxSize_[1];
      rest %= layout_.stride[2];
    }
    if constexpr (dims > 1) {
      offset += rest / layout_.stride[1] * boxSize_[0];
      rest %= layout_.stride[1];
    }
    point.offset = static_cast<std::uint32_t>(offset + rest);
  }
  std::fill_n(box, boxCells_, Complex(0));
  TileJob<Real> tile = job(chunk, sorted);
  tile.points = moved.data();
  tile.input = sorted ? samples + chunk.begin : samples;
  tile.grid = box;
  tile.strideY = boxSize_[0];
  tile.strideZ = boxSize_[0] * boxSize_[1];
  run(spread_, tile, chunk.begin);
}

template <class Real>
void TileSchedule<Real>::addBox(std::int64_t tile, const Complex* box, Complex* grid) const {
  // The last tile of a dimension may be wider than what is left of the grid.
  const Index3 at = layout_.tilePosition(tile);
  Index3 size{1, 1, 1};
  for (int d = 0; d < layout_.dims; ++d) {
    size[d] = std::min(boxSize_[d], layout_.grid[d] + layout_.halo[d] - at[d] * layout_.tile[d]);
  }
  Complex* origin = grid + layout_.tileOrigin(tile);
  for (std::int64_t z = 0; z < size[2]; ++z) {
    for (std::int64_t y = 0; y < size[1]; ++y) {
      const Complex* from = box + (z * boxSize_[1] + y) * boxSize_[0];
      Complex* to = origin + y * layout_.stride[1] + z * layout_.stride[2];
      for (std::int64_t x = 0; x < size[0]; ++x) to[x] += from[x];
    }
  }
}

template <class Real>
void TileSchedule<Real>::spread(const Complex* samples, bool sorted, Complex* grid) {
  if (threads_ == 1) {
    for (const Piece& piece : pieces_) spreadPiece(piece, samples, sorted, grid);
    return;
  }
  parallelTasks(static_cast<std::int64_t>(chunks_.size()), threads_, [&](std::int64_t chunk) {
    const Piece& piece = chunks_[static_cast<std::size_t>(chunk)];
    Complex* box = boxes_.data() + chunk * boxCells_;
    switch (layout_.dims) {
      case 1:
        return spreadChunk<1>(piece, samples, sorted, box);
      case 2:
        return spreadChunk<2>(piece, samples, sorted, box);
      default:
        return spreadChunk<3>(piece, samples, sorted, box);
    }
  });
  for (int colour = 0; colour < 8; ++colour) {
    const std::vector<Heavy>& heavy = heavy_[colour];
    const std::vector<Piece>& light = coloured_[colour];
    const auto heavyCount = static_cast<std::int64_t>(heavy.size());
    parallelTasks(heavyCount + static_cast<std::int64_t>(light.size()), threads_, [&](std::int64_t task) {
      if (task >= heavyCount) {
        spreadPiece(light[static_cast<std::size_t>(task - heavyCount)], samples, sorted, grid);
        return;
      }
      const Heavy& tile = heavy[static_cast<std::size_t>(task)];
      for (std::int64_t chunk = tile.firstChunk; chunk < tile.lastChunk; ++chunk) {
        addBox(tile.tile, boxes_.data() + chunk * boxCells_, grid);
      }
    });
  }
}

template <class Real>
void TileSchedule<Real>::interpolate(const Complex* grid, Complex* samples, bool sorted) const {
  const auto count = static_cast<std::int64_t>(pieces_.size());
  const std::int64_t grain = std::max<std::int64_t>(1, count / (std::int64_t{threads_} * piecesPerThread));
  parallelFor(count, threads_, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const Piece& piece = pieces_[static_cast<std::size_t>(i)];
      TileJob<Real> tile = job(piece, sorted);
      tile.output = sorted ? samples + piece.begin : samples;
      tile.grid = const_cast<Complex*>(grid) + layout_.tileOrigin(piece.tile);
      run(interpolate_, tile, piece.begin);
    }
  });
}

template class TileSchedule<float>;
template class TileSchedule<double>;

}  // namespace spokelab
