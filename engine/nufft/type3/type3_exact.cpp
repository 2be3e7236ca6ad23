#include "engine/nufft/type3/type3_exact.h"

#include "engine/core/error.h"
#include "engine/core/thread_pool.h"
#include "engine/nufft/type3/type3_points.h"

namespace spokelab {

std::vector<cdouble> type3Exact(const Type3Problem& problem, std::span<const double> sources,
                                std::span<const double> targets, std::span<const cdouble> values,
                                bool adjoint, std::span<const std::int64_t> selection, int threads,
                                const Progress& progress) {
  const std::int64_t counts[] = {countOfPoints(sources, problem.dims, "sources"),
                                 countOfPoints(targets, problem.dims, "targets")};
  const std::int64_t given = counts[adjoint ? 1 : 0], wanted = counts[adjoint ? 0 : 1];
  if (std::int64_t(values.size()) != given)
    throw Error(
        "The exact sum is not defined",
        "there are " + std::to_string(values.size()) + " values for " + std::to_string(given) + " points",
        "Check the sizes of points and values");
  const std::span<const double> from = adjoint ? targets : sources, to = adjoint ? sources : targets;
  const auto dims = std::size_t(problem.dims);
  const double sign = (adjoint ? -1.0 : 1.0) * problem.sign;
  const std::int64_t count = selection.empty() ? wanted : std::int64_t(selection.size());
  std::vector<cdouble> sums(static_cast<std::size_t>(count));
  parallelTasks(count, threads, [&](std::int64_t i) {
    progress.report(double(i) / double(count), "Exact sums");
    const double* point = to.data() + std::size_t(selection.empty() ? i : selection[std::size_t(i)]) * dims;
    cdouble sum = 0;
    for (std::size_t j = 0; j < values.size(); ++j) {
      double turns = 0;
      for (std::size_t d = 0; d < dims; ++d) turns += partOfTurns(from[j * dims + d], point[d]);
      sum += values[j] * phaseOfTurns(sign * turns);
    }
    sums[std::size_t(i)] = sum;
  });
  return sums;
}

}  // namespace spokelab
