#include "engine/nufft/spread/tile_schedule.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/core/memory/huge_pages.h"
#include "engine/core/thread_pool.h"
#include "engine/nufft/points/crowding.h"
#include "engine/nufft/schedule/partition.h"
#include "engine/nufft/schedule/task_run.h"
#include "engine/nufft/schedule/work_recorder.h"
#include "engine/nufft/spread/tile_cells.h"

namespace spokelab {

namespace {

constexpr std::int64_t pointsPerPiece = 4096;
// Approximate number of tasks that a thread takes from the list of pieces.
constexpr int piecesPerThread = 32;
// Points of a copy whose offsets are moved at a time: they stay in the cache.
constexpr std::int64_t pointsPerBlock = 512;
// Rows of a copy start on cache lines, as they do in the grid.
constexpr std::int64_t copyRowCells = 8;

}  // namespace

template <class Real>
TileSchedule<Real>::TileSchedule(const GridLayout& layout, const LoopKernel<Real>& kernel,
                                 const KernelSource<Real>* source, std::int64_t crowdLimit,
                                 const NufftOptions& options)
    : uniform_(layout),
      layout_(layout),
      kernel_(kernel),
      source_(source),
      crowdLimit_(crowdLimit),
      threads_(options.threads),
      shares_(workShares(options)),
      scheduler_(options.scheduler),
      sectors_{options.spread == Method::sector, options.interpolate == Method::sector} {
  const InstructionSet set = instructionSet();
  const auto& spread = source ? storedSpreadFunctions<Real>(set) : spreadFunctions<Real>(set);
  const auto& interpolate = source ? storedInterpolateFunctions<Real>(set) : interpolateFunctions<Real>(set);
  const auto& interleaved = interleavedFunctions<Real>(set, source != nullptr);
  const auto dims = static_cast<std::size_t>(layout.dims), cells = static_cast<std::size_t>(kernel.cells);
  spread_ = {spread.function[dims][cells], interleaved.spread[dims][cells]};
  interpolate_ = {interpolate.function[dims][cells], interleaved.interpolate[dims][cells]};
  moveToSums_ = spreadFunctions<Real>(set).moveToSums;
}

template <class Real>
Index3 TileSchedule<Real>::copySize(std::int64_t tile) const {
  Index3 size = layout_.tileSize(tile);
  for (int d = 0; d < layout_.dims; ++d) size[d] += layout_.halo[d];
  size[0] = (size[0] + copyRowCells - 1) / copyRowCells * copyRowCells;
  return size;
}

template <class Real>
void TileSchedule<Real>::setPoints(std::span<const double> points, double width, bool interleaved) {
  if (partitions()) {
    const std::int64_t partitionCount =
        scheduler_.partitions > 0 ? scheduler_.partitions : partitionsFor(layout_.dims, shares_);
    GridLayout cut =
        withPartitions(uniform_, points, width, partitionCount, scheduler_.has(SchedulerPart::variable),
                       scheduler_.has(SchedulerPart::reorder), threads_);
    binSort<Real>(points, cut, width, threads_, points_);
    layout_ = std::move(cut);
  } else {
    binSort<Real>(points, layout_, width, threads_, points_);
  }
  imagesPerCopyCell_ = ImageSet{1, interleaved, 0}.imagesPerCell();
  storeValues();
  shareOut();
  findRuns();
}

template <class Real>
void TileSchedule<Real>::shareOut() {
  pieces_.clear();
  copies_.clear();
  for (std::int64_t tile = 0; tile < layout_.tileCount(); ++tile) {
    const Piece tilePiece = whole(tile);
    for (std::int64_t b = tilePiece.begin; b < tilePiece.end; b += pointsPerPiece)
      pieces_.push_back({tile, b, std::min(tilePiece.end, b + pointsPerPiece)});
  }
  if (shares_ > 1) {
    graph_.build(layout_, points_.tileBegin, scheduler_, shares_,
                 [this](std::int64_t tile) { return product(copySize(tile)); });
    for (const GraphCopy& copy : graph_.copies()) copies_.push_back({copy.task, copy.begin, copy.end});
  }
  copyBegin_.assign(1, 0);
  for (const Piece& piece : copies_)
    copyBegin_.push_back(copyBegin_.back() + imagesPerCopyCell_ * product(copySize(piece.tile)));
  copyCells_.resize(static_cast<std::size_t>(copyBegin_.back()));
}

template <class Real>
void TileSchedule<Real>::findRuns() {
  const std::vector<std::uint8_t> crowded = crowdedTiles(points_, layout_, crowdLimit_, threads_);
  tileRuns_.assign(crowded.size(), {});
  copyRuns_.assign(crowded.empty() ? 0 : copies_.size(), {});
  parallelTasks(static_cast<std::int64_t>(crowded.size()), threads_, [&](std::int64_t tile) {
    const bool copied = shares_ > 1 && graph_.tasks()[static_cast<std::size_t>(tile)].copies > 0;
    if (crowded[static_cast<std::size_t>(tile)] && !copied)
      tileRuns_[static_cast<std::size_t>(tile)] = runsOf(whole(tile));
  });
  parallelTasks(static_cast<std::int64_t>(copyRuns_.size()), threads_, [&](std::int64_t task) {
    const auto copy = static_cast<std::size_t>(task);
    if (crowded[static_cast<std::size_t>(copies_[copy].tile)]) copyRuns_[copy] = runsOf(copies_[copy]);
  });
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

// Runs the loops that fit the job, whose points are points_[first ...] (their offsets may have been
// moved).
template <class Real>
void TileSchedule<Real>::run(const Loops& loops, const InterleavedJob<Real>& job, bool interleaved,
                             std::int64_t first) const {
  if (interleaved)
    runPoints(loops.interleaved, job, first);
  else
    runPoints(loops.one, job, first);
}

template <class Real>
template <class Function>
void TileSchedule<Real>::runPoints(Function function, const InterleavedJob<Real>& job,
                                   std::int64_t first) const {
  if (!source_) return function(job);
  if (!stores()) return runBlocks(function, job);
  InterleavedJob<Real> stored = job;
  stored.values = values_.data() + valueMargin + first * layout_.dims * kernel_.cells;
  function(stored);
}

// Computes kernel values of a few points at a time, just before they are used.
template <class Real>
template <class Function>
void TileSchedule<Real>::runBlocks(Function function, const InterleavedJob<Real>& job) const {
  constexpr std::int64_t block = 64;
  Buffer<Real> values(2 * valueMargin + block * 3 * maxKernelCells);
  std::fill(values.begin(), values.end(), Real(0));
  InterleavedJob<Real> part = job;
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
  std::size_t runs = 0;
  for (const auto* all : {&tileRuns_, &copyRuns_})
    for (const std::vector<CrowdedRun>& some : *all) runs += some.size();
  return static_cast<std::int64_t>(values_.size() * sizeof(Real)) + (source_ ? source_->bytes() : 0) +
         static_cast<std::int64_t>(points_.records.size() + copyCells_.size() * sizeof(Complex) +
                                   (pieces_.size() + copies_.size()) * sizeof(Piece) +
                                   points_.tileBegin.size() * sizeof(std::int64_t) +
                                   runs * sizeof(CrowdedRun)) +
         (runs > 0 ? sumBytes(layout_, shares_, imagesPerCopyCell_) : 0);
}

template <class Real>
std::int64_t TileSchedule<Real>::sumBytes(const GridLayout& layout, int shares, int images) {
  std::int64_t cells = copyRowCells;
  for (int d = 0; d < layout.dims; ++d) cells *= d == 0 ? 1 : layout.tile[d] + layout.halo[d];
  cells *= (layout.tile[0] + layout.halo[0]) / copyRowCells + 1;
  return shares * images * cells * std::int64_t{2 * sizeof(double)};
}

template <class Real>
std::int64_t TileSchedule<Real>::estimateTiles(const GridLayout& layout, std::int64_t points,
                                               std::int64_t crowdLimit, int shares, int images) {
  const std::int64_t tiles = layout.tileCount();
  const std::int64_t pieces = std::min(tiles, points) + points / pointsPerPiece;
  const std::int64_t crowds =
      points <= crowdLimit
          ? 0
          : points / pointsPerChunk * std::int64_t{sizeof(CrowdedRun)} + sumBytes(layout, shares, images);
  return (tiles + 1) * std::int64_t{sizeof(std::int64_t)} + pieces * std::int64_t{sizeof(Piece)} + crowds;
}

template <class Real>
InterleavedJob<Real> TileSchedule<Real>::job(const Piece& piece, bool sorted, const ImageSet& images) const {
  InterleavedJob<Real> job;
  job.kernel = &kernel_;
  job.points = points_.records.data() + piece.begin * points_.recordBytes();
  job.count = piece.end - piece.begin;
  job.sorted = sorted;
  job.strideY = images.imagesPerCell() * layout_.stride[1];
  job.strideZ = images.imagesPerCell() * layout_.stride[2];
  job.images = images.count;
  job.sampleStep = images.sampleStep;
  return job;
}

template <class Real>
typename TileSchedule<Real>::Piece TileSchedule<Real>::whole(std::int64_t tile) const {
  const auto at = static_cast<std::size_t>(tile);
  return {tile, points_.tileBegin[at], points_.tileBegin[at + 1]};
}

template <class Real>
template <class SpreadRun>
void TileSchedule<Real>::sumRuns(const std::vector<CrowdedRun>& runs, const Piece& piece,
                                 const Samples& samples, const TileCells<Real>& cells, CrowdedSum<Real>& sum,
                                 const SpreadRun& spreadRun) const {
  sum.begin(copySize(piece.tile), samples.images.imagesPerCell());
  for (const CrowdedRun& run : runs) {
    spreadRun(Piece{piece.tile, run.begin, run.end});
    // The loops prefetch samples within a run only.
    if (!samples.sorted) prefetchSamples(points_, run.end, piece.end, samples.first);
    sum.take(cells, run.box);
  }
  sum.finish(cells);
}

template <class Real>
void TileSchedule<Real>::spreadTile(const Piece& tile, const Samples& samples, Complex* grid,
                                    CrowdedSum<Real>& sum) const {
  const int perCell = samples.images.imagesPerCell();
  Complex* origin = grid + perCell * layout_.tileOrigin(tile.tile);
  const auto spreadPiece = [&](const Piece& piece) {
    InterleavedJob<Real> points = job(piece, samples.sorted, samples.images);
    points.input = samples.sorted ? samples.first + piece.begin : samples.first;
    points.grid = origin;
    run(spread_, points, samples.images.interleaved, piece.begin);
  };
  const std::vector<CrowdedRun>* const runs =
      tileRuns_.empty() ? nullptr : &tileRuns_[static_cast<std::size_t>(tile.tile)];
  if (sectors_.spread) {
    Buffer<Complex> cells(static_cast<std::size_t>(perCell * product(copySize(tile.tile))));
    spreadBox(runs, tile, samples, cells.data(), sum);
    const Complex* const box = cells.data();
    return addTileCells<Real>(layout_, tile.tile, copySize(tile.tile), perCell, std::span(&box, 1), grid);
  }
  if (!runs || runs->empty()) return spreadPiece(tile);
  sumRuns(*runs, tile, samples, {origin, perCell * layout_.stride[1], perCell * layout_.stride[2]}, sum,
          spreadPiece);
}

template <class Real>
template <int dims>
void TileSchedule<Real>::runMovedIn(const Loops& loops, const Piece& piece, const MovedPoints& to) const {
  const SortedPoint<Real, dims>* from = points_.template as<dims>();
  const Index3 size = copySize(piece.tile);
  const int perCell = to.images.imagesPerCell();
  const OffsetSplit<dims> split(layout_);
  std::array<SortedPoint<Real, dims>, pointsPerBlock> moved;
  for (std::int64_t begin = piece.begin; begin < piece.end; begin += pointsPerBlock) {
    const Piece part{piece.tile, begin, std::min(piece.end, begin + pointsPerBlock)};
    for (std::int64_t j = 0; j < countOf(part); ++j) {
      SortedPoint<Real, dims>& point = moved[static_cast<std::size_t>(j)];
      point = from[begin + j];
      if (!to.sorted && to.input) __builtin_prefetch(to.input + point.source);
      const CellPosition at = split(point.offset);
      point.offset = static_cast<std::uint32_t>((at.z * size[1] + at.y) * size[0] + at.x);
    }
    InterleavedJob<Real> points = job(part, to.sorted, to.images);
    points.points = moved.data();
    points.input = to.sorted && to.input ? to.input + begin : to.input;
    points.output = to.sorted && to.output ? to.output + begin : to.output;
    points.grid = to.cells;
    points.strideY = perCell * size[0];
    points.strideZ = perCell * size[0] * size[1];
    run(loops, points, to.images.interleaved, begin);
  }
}

template <class Real>
void TileSchedule<Real>::runMoved(const Loops& loops, const Piece& piece, const MovedPoints& to) const {
  if (layout_.dims == 1) return runMovedIn<1>(loops, piece, to);
  if (layout_.dims == 2) return runMovedIn<2>(loops, piece, to);
  runMovedIn<3>(loops, piece, to);
}

template <class Real>
void TileSchedule<Real>::spreadBox(const std::vector<CrowdedRun>* runs, const Piece& piece,
                                   const Samples& samples, Complex* cells, CrowdedSum<Real>& sum) const {
  const Index3 size = copySize(piece.tile);
  const int perCell = samples.images.imagesPerCell();
  std::fill_n(cells, perCell * product(size), Complex(0));
  const auto spreadPiece = [&](const Piece& part) {
    runMoved(spread_, part, {samples.first, nullptr, cells, samples.sorted, samples.images});
  };
  if (!runs || runs->empty()) return spreadPiece(piece);
  sumRuns(*runs, piece, samples, {cells, perCell * size[0], perCell * size[0] * size[1]}, sum, spreadPiece);
}

template <class Real>
void TileSchedule<Real>::spreadCopy(std::size_t copy, const Samples& samples, CrowdedSum<Real>& sum) {
  spreadBox(copyRuns_.empty() ? nullptr : &copyRuns_[copy], copies_[copy], samples,
            copyCells_.data() + copyBegin_[copy], sum);
}

template <class Real>
void TileSchedule<Real>::addCopies(std::int64_t tile, std::int64_t firstCopy, std::int64_t lastCopy,
                                   Complex* grid, const ImageSet& images) const {
  std::vector<const Complex*> boxes;
  for (std::int64_t copy = firstCopy; copy < lastCopy; ++copy)
    boxes.push_back(copyCells_.data() + copyBegin_[static_cast<std::size_t>(copy)]);
  addTileCells<Real>(layout_, tile, copySize(tile), images.imagesPerCell(), boxes, grid);
}

template <class Real>
void TileSchedule<Real>::spread(const Complex* first, bool sorted, Complex* grid, const ImageSet& images) {
  const Samples samples{first, sorted, images};
  WorkRecorder recorder(layout_, graph_, threads_, points_.count);
  if (shares_ > 1) return spreadGraph(samples, grid, recorder);
  CrowdedSum<Real> sum = makeSum();
  for (std::int64_t tile = 0; tile < layout_.tileCount(); ++tile) {
    const Piece piece = whole(tile);
    if (countOf(piece) == 0) continue;
    recorder.time(WorkKind::spread, tile, countOf(piece), [&] { spreadTile(piece, samples, grid, sum); });
  }
}

template <class Real>
void TileSchedule<Real>::spreadGraph(const Samples& samples, Complex* grid, WorkRecorder& recorder) {
  TaskRun run(graph_, scheduler_);
  parallelTasks(threads_, threads_, [&](std::int64_t) {
    CrowdedSum<Real> sum = makeSum();
    run.work([&](const GraphStep& step) {
      const GraphTask& task = graph_.tasks()[static_cast<std::size_t>(step.task)];
      if (step.copy >= 0) {
        const auto at = static_cast<std::size_t>(step.copy);
        recorder.time(WorkKind::spreadIntoCopy, copies_[at].tile, countOf(copies_[at]),
                      [&] { spreadCopy(at, samples, sum); });
        return;
      }
      const Piece piece = whole(step.task);
      if (task.copies == 0) {
        recorder.time(WorkKind::spread, piece.tile, countOf(piece),
                      [&] { spreadTile(piece, samples, grid, sum); });
        return;
      }
      recorder.time(WorkKind::reduction, piece.tile, countOf(piece), [&] {
        addCopies(step.task, task.firstCopy, task.firstCopy + task.copies, grid, samples.images);
      });
    });
  });
}

template <class Real>
void TileSchedule<Real>::interpolate(const Complex* grid, Complex* samples, bool sorted,
                                     const ImageSet& images) const {
  const auto count = static_cast<std::int64_t>(pieces_.size());
  const std::int64_t grain = std::max<std::int64_t>(1, count / (std::int64_t{threads_} * piecesPerThread));
  parallelFor(count, threads_, grain, [&](std::int64_t begin, std::int64_t end) {
    Buffer<Complex> cells;
    std::int64_t held = -1;  // the tile whose cells they are
    for (std::int64_t i = begin; i < end; ++i) {
      const Piece& piece = pieces_[static_cast<std::size_t>(i)];
      if (sectors_.interpolate) {
        const Index3 size = copySize(piece.tile);
        cells.resize(static_cast<std::size_t>(images.imagesPerCell() * product(size)));
        if (std::exchange(held, piece.tile) != piece.tile)
          readTileCells<Real>(layout_, piece.tile, size, images.imagesPerCell(), grid, cells.data());
        runMoved(interpolate_, piece, {nullptr, samples, cells.data(), sorted, images});
        continue;
      }
      InterleavedJob<Real> tile = job(piece, sorted, images);
      tile.output = sorted ? samples + piece.begin : samples;
      tile.grid = const_cast<Complex*>(grid) + images.imagesPerCell() * layout_.tileOrigin(piece.tile);
      run(interpolate_, tile, images.interleaved, piece.begin);
    }
  });
}

template class TileSchedule<float>;
template class TileSchedule<double>;

}  // namespace spokelab
