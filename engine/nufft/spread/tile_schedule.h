// Schedules threads over tiles: spreading without races, and interpolation.
//
// One thread spreads tile after tile directly into the grid. Several threads follow a graph of
// tasks (task_graph.h, task_run.h): tiles that share cells wait for each other. A tile whose many
// points would delay others (the centre of a radial scan) is spread beforehand, in parallel, into
// private copies of its cells; in the tile's turn only the copies are added to the grid. The order
// of additions depends only on the points and the number of shares of the work (workShares), so
// results repeat bit by bit. The number of threads that do the work may differ from the number of
// shares.
// Tiles have one size, or, with the scheduler `graph`, are partitions that follow the points
// (partition.h). Images of a batch may be interleaved (spread_interleaved.h), in the grid and in
// the copies. Tiles in which points crowd are summed in two levels (crowded_sum.h).
// With the method `sector` ([gnufftw] IV.B.2) each tile works in a box of cells of its thread:
// spreading adds the box to the grid, interpolation reads it from there.
#pragma once

#include <span>
#include <vector>

#include "engine/nufft/points/bin_sort.h"
#include "engine/nufft/schedule/task_graph.h"
#include "engine/nufft/spread/crowded_sum.h"
#include "engine/nufft/spread/kernels/kernel_source.h"
#include "engine/nufft/spread/kernels/spread_interleaved.h"

namespace spokelab {

class WorkRecorder;

template <class Real>
class TileSchedule {
 public:
  using Complex = std::complex<Real>;

  // source: of kernel values; null: the loops evaluate them. crowdLimit:
  // PredictedError::crowdLimit. options: resolved; their threads, shares and scheduler.
  TileSchedule(const GridLayout& layout, const LoopKernel<Real>& kernel, const KernelSource<Real>* source,
               std::int64_t crowdLimit, const NufftOptions& options);

  // Sorts the points (binSort) and shares them out. interleaved: whether copies have room for
  // interleaved images. Throws Error for a coordinate that is not finite, and is then as before;
  // after std::bad_alloc the caller has to clear it.
  void setPoints(std::span<const double> points, double width, bool interleaved = false);
  // Forgets the points and frees their memory.
  void clear() {
    points_ = {};
    values_ = Buffer<Real>();
    copyCells_ = Buffer<Complex>();
  }
  const SortedPoints<Real>& points() const { return points_; }
  const GridLayout& layout() const { return layout_; }  // of these points

  // Samples by source index, or, `sorted`, in the order of points(). The grid has been zeroed.
  void spread(const Complex* samples, bool sorted, Complex* grid, const ImageSet& images = {});
  void interpolate(const Complex* grid, Complex* samples, bool sorted, const ImageSet& images = {}) const;

  std::int64_t bytes() const;  // points, kernel values, copies, and sums of crowded tiles
  // Bytes that tiles take besides their points and copies.
  static std::int64_t estimateTiles(const GridLayout& layout, std::int64_t points, std::int64_t crowdLimit,
                                    int shares, int images);

 private:
  struct Piece {
    std::int64_t tile, begin, end;  // points [begin, end) of the tile
  };
  struct Samples {
    const Complex* first;
    bool sorted;
    ImageSet images;
  };

  struct Loops {
    TileFunction<Real> one = nullptr;
    InterleavedFunction<Real> interleaved = nullptr;
  };

  static std::int64_t countOf(const Piece& piece) { return piece.end - piece.begin; }
  Piece whole(std::int64_t tile) const;
  InterleavedJob<Real> job(const Piece& piece, bool sorted, const ImageSet& images) const;
  bool partitions() const { return scheduler_.kind == Scheduler::graph; }
  void storeValues();
  void shareOut();
  void findRuns();  // of crowded tiles
  void spreadGraph(const Samples& samples, Complex* grid, WorkRecorder& recorder);
  void run(const Loops& loops, const InterleavedJob<Real>& job, bool interleaved, std::int64_t first) const;
  template <class Function>
  void runPoints(Function function, const InterleavedJob<Real>& job, std::int64_t first) const;
  template <class Function>
  void runBlocks(Function function, const InterleavedJob<Real>& job) const;
  bool stores() const { return source_ && source_->precomputation() == Precomputation::tensor; }
  CrowdedSum<Real> makeSum() const { return {layout_.dims, kernel_.cells, moveToSums_}; }
  std::vector<CrowdedRun> runsOf(const Piece& piece) const {
    return crowdedRuns(points_, layout_, kernel_.cells, piece.begin, piece.end);
  }
  void spreadTile(const Piece& tile, const Samples& samples, Complex* grid, CrowdedSum<Real>& sum) const;
  // A tile and its halo in cells, rows rounded up to cache lines.
  Index3 copySize(std::int64_t tile) const;
  void spreadCopy(std::size_t copy, const Samples& samples, CrowdedSum<Real>& sum);
  // Points whose cells are a tile's box (tile_cells.h) in place of the grid.
  struct MovedPoints {
    const Complex* input;  // null: interpolation
    Complex* output;       // null: spreading
    Complex* cells;
    bool sorted;
    ImageSet images;
  };
  void runMoved(const Loops& loops, const Piece& piece, const MovedPoints& to) const;
  template <int dims>
  void runMovedIn(const Loops& loops, const Piece& piece, const MovedPoints& to) const;
  // Zeros the box and spreads into it; runs: null or empty where nothing crowds.
  void spreadBox(const std::vector<CrowdedRun>* runs, const Piece& piece, const Samples& samples,
                 Complex* cells, CrowdedSum<Real>& sum) const;
  // Calls spreadRun for each run of a crowded piece and sums the cells between them.
  template <class SpreadRun>
  void sumRuns(const std::vector<CrowdedRun>& runs, const Piece& piece, const Samples& samples,
               const TileCells<Real>& cells, CrowdedSum<Real>& sum, const SpreadRun& spreadRun) const;
  void addCopies(std::int64_t tile, std::int64_t firstCopy, std::int64_t lastCopy, Complex* grid,
                 const ImageSet& images) const;

  // Sums in double, which each thread has while it spreads.
  static std::int64_t sumBytes(const GridLayout& layout, int shares, int images);

  GridLayout uniform_, layout_;
  const LoopKernel<Real>& kernel_;
  const KernelSource<Real>* source_;
  std::int64_t crowdLimit_;
  int threads_;
  int shares_;  // threads that the work is shared out for; 1: tile after tile
  SchedulerChoice scheduler_;
  struct {
    bool spread, interpolate;
  } sectors_;
  Loops spread_, interpolate_;
  MoveFunction<Real> moveToSums_;
  int imagesPerCopyCell_ = 1;

  SortedPoints<Real> points_;
  Buffer<Real> values_;  // tensor: margin, [point][dimension][cell], margin
  // Runs of crowded tiles without copies, and of the copies of crowded tiles; an empty entry: not
  // crowded. Both lists are empty if no tile is crowded.
  std::vector<std::vector<CrowdedRun>> tileRuns_, copyRuns_;
  std::vector<Piece> pieces_;            // all points, in order, none too long
  TaskGraph graph_;                      // of several shares
  std::vector<Piece> copies_;            // points of each private copy, in the graph's order
  std::vector<std::int64_t> copyBegin_;  // first number of each copy in copyCells_, and their end
  Buffer<Complex> copyCells_;            // [copy][z, y, x][image]
};

extern template class TileSchedule<float>;
extern template class TileSchedule<double>;

}  // namespace spokelab
