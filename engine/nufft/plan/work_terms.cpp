#include "engine/nufft/plan/work_terms.h"

#include <cmath>

#include "engine/core/thread_pool.h"
#include "engine/nufft/toeplitz/toeplitz_lengths.h"

namespace spokelab {
namespace {

// Seconds per unit of work on one CPU thread, and on a GPU as a whole, in single precision.
struct SecondsPerUnit {
  double interpolation, fft, rest, convolution;
};
constexpr SecondsPerUnit cpuGuess{4e-10, 2.5e-10, 1e-9, 5e-10};
constexpr SecondsPerUnit gpuGuess{2e-12, 8e-13, 3e-12, 8e-13};
// Time in double over time in single precision.
constexpr double doubleFactor = 1.8;
// A point's record and polynomials cost as much as so many kernel cells.
constexpr double pointOverheadCells = 24;
// A call costs as much as so many grid cells.
constexpr double callOverheadCells = 2e4;

}  // namespace

WorkTerms workTerms(const NufftProblem& problem, const std::string& backend, const NufftOptions& options,
                    const Index3& grid, Direction direction, std::int64_t points) {
  const double batch = double(problem.batch);
  const double cells = double(product(grid));
  const double window = std::pow(std::ceil(options.width), problem.dims) + pointOverheadCells;
  const bool forward = direction != Direction::adjoint, adjoint = direction != Direction::forward;
  const double transforms = double(forward) + double(adjoint);

  const bool cpu = backend == "cpu";
  const bool single = problem.precision == Precision::single;
  const int threads = options.threads > 0 ? options.threads : hardwareThreads();
  const SecondsPerUnit guess = cpu ? cpuGuess : gpuGuess;
  const double factor = (single ? 1 : doubleFactor) / (cpu ? threads : 1);
  const std::string key = backend + " " + std::to_string(problem.dims) + (single ? " float " : " double ") +
                          (cpu ? std::to_string(threads) + " " : "");
  WorkTerms t;
  if (direction == Direction::normal && isToeplitz(options.normal)) {
    const bool shifted = options.normal == NormalMethod::toeplitzShifted;
    const double length =
        double(product(shifted ? problem.size : toeplitzLengths(problem, options.toeplitzAlpha)));
    const double shifts = shifted ? std::pow(2, problem.dims) : 1;
    t.fft = {key + std::string(normalMethodName(options.normal)),
             batch * shifts * length * std::log2(length + 1), factor * guess.convolution};
    return t;
  }
  t.spread = {key + "spread " + std::string(methodName(options.spread)),
              adjoint ? batch * double(points) * window : 0, factor * guess.interpolation};
  t.interpolate = {key + "interpolate " + std::string(methodName(options.interpolate)),
                   forward ? batch * double(points) * window : 0, factor * guess.interpolation};
  t.fft = {key + "fft", transforms * batch * cells * std::log2(cells + 1), factor * guess.fft};
  t.rest = {key + "rest " + std::string(directionName(direction)),
            transforms * (batch * cells + callOverheadCells), factor * guess.rest};
  return t;
}

double guessedSeconds(const WorkTerms& terms) {
  double seconds = 0;
  for (const WorkTerm* term : {&terms.spread, &terms.interpolate, &terms.fft, &terms.rest})
    seconds += term->work * term->guessedSecondsPerUnit;
  return seconds;
}

}  // namespace spokelab
