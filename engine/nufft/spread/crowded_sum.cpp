#include "engine/nufft/spread/crowded_sum.h"

#include <algorithm>

namespace spokelab {
namespace {

// A run's terms in the mean over the cells that it touches: adding them to the sums then takes a
// few percent of the run's time.
constexpr std::int64_t meanTermsPerCell = 32;
// Limit of a run's terms in any one cell.
constexpr std::int64_t maxChunks = 8;
// Boxes are moved in whole vectors.
constexpr std::int64_t cellsPerMove = 4;

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
    const auto points = static_cast<std::int64_t>(end - first) * CrowdedSum<float>::pointsPerChunk;
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
void CrowdedSum<Real>::begin(const Index3& size, int perCell) {
  size_ = size;
  perCell_ = perCell;
  const auto numbers = static_cast<std::size_t>(perCell * product(size));
  if (cells_.size() < numbers) {
    cells_.assign(numbers, Complex(0));
    sums_.assign(2 * numbers, 0);
  }
}

template <class Real>
template <class Work>
void CrowdedSum<Real>::forRows(const CellBox& box, const Work& work) const {
  const std::int64_t reach = kernelCells_ - 1;
  const std::int64_t lastY = dims_ > 1 ? box.last.y + reach : 0, lastZ = dims_ > 2 ? box.last.z + reach : 0;
  for (std::int64_t z = box.first.z; z <= lastZ; ++z)
    for (std::int64_t y = box.first.y; y <= lastY; ++y)
      work(y, z, static_cast<std::int64_t>(box.first.x), box.last.x + reach + 1);
}

template <class Real>
void CrowdedSum<Real>::add(const CellBox& box) {
  forRows(box, [&](std::int64_t y, std::int64_t z, std::int64_t begin, std::int64_t end) {
    begin = begin / cellsPerMove * cellsPerMove;
    end = (end + cellsPerMove - 1) / cellsPerMove * cellsPerMove;
    const std::int64_t at = perCell_ * ((z * size_[1] + y) * size_[0] + begin);
    move_(reinterpret_cast<Real*>(cells_.data() + at), sums_.data() + 2 * at, 2 * perCell_ * (end - begin));
  });
  all_.add(box);
}

template <class Real>
void CrowdedSum<Real>::finish(Complex* to, std::int64_t strideY, std::int64_t strideZ) {
  forRows(all_, [&](std::int64_t y, std::int64_t z, std::int64_t begin, std::int64_t end) {
    double* sum = sums_.data() + 2 * perCell_ * ((z * size_[1] + y) * size_[0] + begin);
    Real* row = reinterpret_cast<Real*>(to + z * strideZ + y * strideY + perCell_ * begin);
    const std::int64_t reals = 2 * perCell_ * (end - begin);
    for (std::int64_t i = 0; i < reals; ++i) row[i] += static_cast<Real>(sum[i]);
    std::fill_n(sum, reals, 0.0);
  });
  all_ = {};
}

template class CrowdedSum<float>;
template class CrowdedSum<double>;

}  // namespace spokelab
