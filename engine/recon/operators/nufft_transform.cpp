#include "engine/recon/operators/nufft_transform.h"

#include "engine/core/thread_pool.h"

namespace spokelab {

Buffer<double> dividedPoints(std::span<const double> points, int dims, const std::array<double, 3>& divisors,
                             int threads) {
  constexpr std::int64_t pointsPerTask = 1 << 14;
  const TracePart traced("points in cycles per pixel");
  const auto width = std::size_t(dims);
  Buffer<double> divided(points.size());
  parallelFor(std::int64_t(points.size() / width), threads, pointsPerTask,
              [&](std::int64_t begin, std::int64_t end) {
                for (auto j = std::size_t(begin); j < std::size_t(end); ++j)
                  for (std::size_t d = 0; d < width; ++d)
                    divided[j * width + d] = points[j * width + d] / divisors[d];
              });
  return divided;
}

}  // namespace spokelab
