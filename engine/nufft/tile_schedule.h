// Who works on which tile when: spreading without races and without locks, and interpolation.
//
// One thread spreads tile after tile straight into the grid. Several do the same colour by colour: tiles of one
// colour share no cell (GridLayout). A tile that holds so many points that the others would wait for it (the centre
// of a radial scan) is cut into chunks, which are spread beforehand, in parallel, into boxes of their own; when the
// tile's turn comes only their sums are added. Which additions happen in which order depends on the points and the
// number of threads alone, so that results repeat bit by bit.
// Colours, turns and private copies after papers/multicore-nufft; the halo makes an even number of tiles needless.
#pragma once

#include <span>
#include <vector>

#include "engine/nufft/bin_sort.h"
#include "engine/nufft/kernel_source.h"
#include "engine/nufft/spread.h"

namespace spokelab {

template <class Real>
class TileSchedule {
 public:
  using Complex = std::complex<Real>;

  // source: of kernel values; null: the loops evaluate them.
  TileSchedule(const GridLayout& layout, const LoopKernel<Real>& kernel, const KernelSource<Real>* source,
               int threads);

  // Sorts the points (binSort) and shares them out.
  void setPoints(std::span<const double> points, double width);
  const SortedPoints<Real>& points() const { return points_; }

  // Samples by source index, or, `sorted`, in the order of points(). The grid has been zeroed.
  void spread(const Complex* samples, bool sorted, Complex* grid);
  void interpolate(const Complex* grid, Complex* samples, bool sorted) const;

  std::int64_t bytes() const;  // points and boxes

 private:
  struct Piece {
    std::int64_t tile, begin, end;  // points [begin, end) of the tile
  };
  struct Heavy {
    std::int64_t tile, firstChunk, lastChunk;
  };

  TileJob<Real> job(const Piece& piece, bool sorted) const;
  void storeValues();
  void run(TileFunction<Real> function, const TileJob<Real>& job, std::int64_t first) const;
  void runBlocks(TileFunction<Real> function, const TileJob<Real>& job) const;
  bool stores() const { return source_ && source_->precomputation() == Precomputation::tensor; }
  void spreadPiece(const Piece& piece, const Complex* samples, bool sorted, Complex* grid) const;
  template <int dims>
  void spreadChunk(const Piece& chunk, const Complex* samples, bool sorted, Complex* box) const;
  void addBox(std::int64_t tile, const Complex* box, Complex* grid) const;

  GridLayout layout_;
  const LoopKernel<Real>& kernel_;
  const KernelSource<Real>* source_;
  int threads_;
  TileFunction<Real> spread_, interpolate_;
  Index3 boxSize_{1, 1, 1};  // a tile and its halo, rows rounded up to cache lines
  std::int64_t boxCells_ = 0;

  SortedPoints<Real> points_;
  Buffer<Real> values_;             // tensor: margin, [point][dimension][cell], margin
  std::vector<Piece> pieces_;       // all points, in order, none too long
  std::vector<Piece> coloured_[8];  // light tiles by colour, longest first
  std::vector<Heavy> heavy_[8];     // heavy tiles by colour
  std::vector<Piece> chunks_;       // of the heavy tiles
  Buffer<Complex> boxes_;           // [chunk][z, y, x]
};

extern template class TileSchedule<float>;
extern template class TileSchedule<double>;

}  // namespace spokelab
