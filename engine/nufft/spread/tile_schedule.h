// Who works on which tile when: spreading without races, and interpolation.
//
// One thread spreads tile after tile straight into the grid. Several do as a graph of tasks says (task_graph.h,
// task_run.h): tiles that share cells wait for each other; those that hold so many points that others would wait for
// them (the centre of a radial scan) are spread beforehand, in parallel, into boxes of their own; when the tile's turn
// comes only their sums are added. Which additions happen in which order depends on the points and the number of
// threads alone, so that results repeat bit by bit.
// Tiles are of one size, or, with the scheduler `graph`, partitions that follow the points (partition.h).
// Several images (coils, frames) may be spread or interpolated together (spread_together.h): their grids, and the boxes,
// then lie side by side, cell by cell.
#pragma once

#include <span>
#include <vector>

#include "engine/nufft/points/bin_sort.h"
#include "engine/nufft/schedule/task_graph.h"
#include "engine/nufft/schedule/timeline.h"
#include "engine/nufft/spread/kernels/kernel_source.h"
#include "engine/nufft/spread/kernels/spread_together.h"

namespace spokelab {

class WorkRecorder;

template <class Real>
class TileSchedule {
 public:
  using Complex = std::complex<Real>;

  // source: of kernel values; null: the loops evaluate them.
  TileSchedule(const GridLayout& layout, const LoopKernel<Real>& kernel, const KernelSource<Real>* source,
               int threads, const SchedulerChoice& scheduler = {});

  // Sorts the points (binSort) and shares them out. sideBySide: images may be spread together.
  void setPoints(std::span<const double> points, double width, bool sideBySide = false);
  const SortedPoints<Real>& points() const { return points_; }
  const GridLayout& layout() const { return layout_; }  // of these points

  // Samples by source index, or, `sorted`, in the order of points(). The grid has been zeroed.
  // timeline: what the threads did is added to it.
  void spread(const Complex* samples, bool sorted, Complex* grid, const ImageSet& images = {},
              Timeline* timeline = nullptr);
  void interpolate(const Complex* grid, Complex* samples, bool sorted, const ImageSet& images = {}) const;

  std::int64_t bytes() const;  // points and boxes
  // What tiles take besides their points, but for the boxes of those that threads share.
  static std::int64_t estimateTiles(const GridLayout& layout, std::int64_t points);

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
    TogetherFunction<Real> several = nullptr;
  };

  static std::int64_t countOf(const Piece& piece) { return piece.end - piece.begin; }
  Piece whole(std::int64_t tile) const;
  TogetherJob<Real> job(const Piece& piece, bool sorted, const ImageSet& images) const;
  bool partitions() const { return scheduler_.kind == Scheduler::graph; }
  void storeValues();
  void shareOut();
  void spreadGraph(const Samples& samples, Complex* grid, WorkRecorder& recorder);
  void run(const Loops& loops, const TogetherJob<Real>& job, bool sideBySide, std::int64_t first) const;
  template <class Function>
  void runPoints(Function function, const TogetherJob<Real>& job, std::int64_t first) const;
  template <class Function>
  void runBlocks(Function function, const TogetherJob<Real>& job) const;
  bool stores() const { return source_ && source_->precomputation() == Precomputation::tensor; }
  void spreadPiece(const Piece& piece, const Samples& samples, Complex* grid) const;
  Index3 boxSize(std::int64_t tile) const;  // a tile and its halo, rows rounded up to cache lines
  void spreadChunk(std::size_t chunk, const Samples& samples);
  template <int dims>
  void spreadChunk(const Piece& chunk, const Samples& samples, Complex* box) const;
  void addBoxes(std::int64_t tile, std::int64_t firstChunk, std::int64_t lastChunk, Complex* grid,
                const ImageSet& images) const;

  GridLayout uniform_, layout_;
  const LoopKernel<Real>& kernel_;
  const KernelSource<Real>* source_;
  int threads_;
  SchedulerChoice scheduler_;
  Loops spread_, interpolate_;
  int boxNumbers_ = 1;  // in a cell of the boxes

  SortedPoints<Real> points_;
  Buffer<Real> values_;                 // tensor: margin, [point][dimension][cell], margin
  std::vector<Piece> pieces_;           // all points, in order, none too long
  TaskGraph graph_;                     // of several threads
  std::vector<Piece> chunks_;           // of tiles that are spread into boxes, as the graph has them
  std::vector<std::int64_t> boxBegin_;  // where each chunk's box lies, and their end
  Buffer<Complex> boxes_;               // [chunk][z, y, x]
};

extern template class TileSchedule<float>;
extern template class TileSchedule<double>;

}  // namespace spokelab
