#include "engine/nufft/spread/crowded_sum.h"

#include <algorithm>

namespace spokelab {
namespace {

// A run's terms in the mean over the cells that it touches: adding them to the sums then takes a
// few percent of the run's time.
constexpr std::int64_t meanTermsPerCell = 32;
// Limit of a run's terms in any one cell.
constexpr std::int64_t maxChunks = 8;
constexpr std::int64_t realsPerMove = 8;
constexpr std::int64_t prefetchedPoints = 24;

template <class Real, int dims>
std::vector<CrowdedRun> runsOf(const SortedPoint<Real, dims>* points, const GridLayout& layout,
                               int kernelCells, std::int64_t begin, std::int64_t end) {
  const OffsetSplit<dims> split(layout);
  std::vector<CellBox> chunks;
  chunks.reserve(static_cast<std::size_t>((end - begin) / pointsPerChunk + 1));
  for (std::int64_t first = begin; first < end; first += pointsPerChunk) {
    CellBox chunk;
    for (std::int64_t j = first; j < std::min(end, first + pointsPerChunk); ++j)
      chunk.add(split(points[j].offset));
    chunks.push_back(chunk);
  }
  std::vector<CrowdedRun> runs;
  for (std::size_t chunk = 0; chunk < chunks.size();) {
    CrowdedRun run{begin + static_cast<std::int64_t>(chunk) * pointsPerChunk, 0, {}};
    chunk = endOfRun(chunks.data(), chunk, chunks.size(), dims, kernelCells, run.box);
    run.end = std::min(end, begin + static_cast<std::int64_t>(chunk) * pointsPerChunk);
    runs.push_back(run);
  }
  return runs;
}

template <class Real, int dims>
void prefetch(const SortedPoint<Real, dims>* points, std::int64_t begin, std::int64_t end,
              const std::complex<Real>* samples) {
  for (std::int64_t j = begin; j < std::min(end, begin + prefetchedPoints); ++j)
    __builtin_prefetch(samples + points[j].source);
}

}  // namespace

void CellBox::add(const CellBox& other) {
  first = {std::min(first.x, other.first.x), std::min(first.y, other.first.y),
           std::min(first.z, other.first.z)};
  last = {std::max(last.x, other.last.x), std::max(last.y, other.last.y), std::max(last.z, other.last.z)};
}

std::int64_t CellBox::touched(int dims, int kernelCells) const {
  const auto side = [&](std::uint32_t from, std::uint32_t to) {
    return static_cast<std::int64_t>(to) - from + kernelCells;
  };
  return side(first.x, last.x) * (dims > 1 ? side(first.y, last.y) : 1) *
         (dims > 2 ? side(first.z, last.z) : 1);
}

std::size_t endOfRun(const CellBox* chunks, std::size_t first, std::size_t count, int dims, int kernelCells,
                     CellBox& run) {
  const std::int64_t cellsPerPoint = CellBox{{0, 0, 0}, {0, 0, 0}}.touched(dims, kernelCells);
  run = chunks[first];
  std::int64_t touched = run.touched(dims, kernelCells);
  std::size_t end = first + 1;
  for (; end < count && end < first + maxChunks; ++end) {
    const auto points = static_cast<std::int64_t>(end - first) * pointsPerChunk;
    if (points * cellsPerPoint >= meanTermsPerCell * touched) break;
    CellBox both = run;
    both.add(chunks[end]);
    const std::int64_t together = both.touched(dims, kernelCells);
    if (together > touched + chunks[end].touched(dims, kernelCells)) break;
    run = both;
    touched = together;
  }
  return end;
}

template <class Real>
std::vector<CrowdedRun> crowdedRuns(const SortedPoints<Real>& points, const GridLayout& layout,
                                    int kernelCells, std::int64_t begin, std::int64_t end) {
  switch (layout.dims) {
    case 1:
      return runsOf<Real, 1>(points.template as<1>(), layout, kernelCells, begin, end);
    case 2:
      return runsOf<Real, 2>(points.template as<2>(), layout, kernelCells, begin, end);
    default:
      return runsOf<Real, 3>(points.template as<3>(), layout, kernelCells, begin, end);
  }
}

template <class Real>
void prefetchSamples(const SortedPoints<Real>& points, std::int64_t begin, std::int64_t end,
                     const std::complex<Real>* samples) {
  switch (points.dims) {
    case 1:
      return prefetch<Real, 1>(points.template as<1>(), begin, end, samples);
    case 2:
      return prefetch<Real, 2>(points.template as<2>(), begin, end, samples);
    default:
      return prefetch<Real, 3>(points.template as<3>(), begin, end, samples);
  }
}

template <class Real>
void CrowdedSum<Real>::begin(const Index3& size, int perCell) {
  size_ = size;
  perCell_ = perCell;
  const auto reals = static_cast<std::size_t>(2 * perCell * product(size));
  if (sums_.size() < reals) sums_.assign(reals, 0);
}

template <class Real>
template <class Work>
void CrowdedSum<Real>::forRows(const TileCells<Real>& cells, const CellBox& box, const Work& work) {
  const std::int64_t reach = kernelCells_ - 1, reals = 2 * perCell_ * (box.last.x - box.first.x + reach + 1);
  const std::int64_t lastY = dims_ > 1 ? box.last.y + reach : 0, lastZ = dims_ > 2 ? box.last.z + reach : 0;
  for (std::int64_t z = box.first.z; z <= lastZ; ++z)
    for (std::int64_t y = box.first.y; y <= lastY; ++y)
      work(reinterpret_cast<Real*>(cells.first + z * cells.strideZ + y * cells.strideY +
                                   std::int64_t{perCell_} * box.first.x),
           sums_.data() + 2 * perCell_ * ((z * size_[1] + y) * size_[0] + box.first.x), reals);
}

// Cells beyond the box belong to other tiles, which other threads may be adding to.
template <class Real>
void CrowdedSum<Real>::take(const TileCells<Real>& cells, const CellBox& box) {
  forRows(cells, box, [&](Real* from, double* sums, std::int64_t reals) {
    const std::int64_t vectorReals = reals / realsPerMove * realsPerMove;
    move_(from, sums, vectorReals);
    for (std::int64_t i = vectorReals; i < reals; ++i) {
      sums[i] += static_cast<double>(from[i]);
      from[i] = 0;
    }
  });
  touchedCells_.add(box);
}

template <class Real>
void CrowdedSum<Real>::finish(const TileCells<Real>& cells) {
  forRows(cells, touchedCells_, [](Real* to, double* sums, std::int64_t reals) {
    for (std::int64_t i = 0; i < reals; ++i) to[i] += static_cast<Real>(sums[i]);
    std::fill_n(sums, reals, 0.0);
  });
  touchedCells_ = {};
}

template std::vector<CrowdedRun> crowdedRuns(const SortedPoints<float>&, const GridLayout&, int, std::int64_t,
                                             std::int64_t);
template std::vector<CrowdedRun> crowdedRuns(const SortedPoints<double>&, const GridLayout&, int,
                                             std::int64_t, std::int64_t);
template void prefetchSamples(const SortedPoints<float>&, std::int64_t, std::int64_t, const cfloat*);
template void prefetchSamples(const SortedPoints<double>&, std::int64_t, std::int64_t, const cdouble*);
template class CrowdedSum<float>;
template class CrowdedSum<double>;

}  // namespace spokelab
