// The most that a machine can give to T threads, for comparison with a transform's parallel
// efficiency:
//   registerRate     a loop that touches no memory: falls where the clock falls when more cores work
//   racePlanCopies   T plans of one thread each, executed side by side: they share caches, memory and clock as T threads
//                    of one plan do, but wait for nobody
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "engine/core/stage_timer.h"
#include "engine/core/thread_pool.h"
#include "engine/nufft/plan/plan.h"
#include "engine/profile/study/plan_race.h"
#include "tests/bench/cpu_trial.h"

namespace spokelab::bench {

#if defined(SPOKELAB_X86_64) && !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#define SPOKELAB_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define SPOKELAB_CLONES
#endif

// Vector multiply-adds in a few independent chains; the sum keeps them alive.
SPOKELAB_CLONES inline float registerLoop(std::int64_t count) {
  typedef float Vec __attribute__((vector_size(64)));
  constexpr int chains = 10;
  Vec value[chains];
  for (int c = 0; c < chains; ++c) value[c] = Vec{} + float(c);
  for (std::int64_t i = 0; i < count; ++i)
    for (int c = 0; c < chains; ++c) value[c] = value[c] * 0.999f + 0.5f;
  float sum = 0;
  for (int c = 0; c < chains; ++c) sum += value[c][0];
  return sum;
}

// Passes of the loop a second on each of `threads` threads at once: the median over threads and
// repeats.
inline double registerRate(int threads) {
  constexpr std::int64_t count = std::int64_t{1} << 22;
  constexpr int repeats = 5;
  std::vector<double> rates;
  for (int r = 0; r < repeats; ++r) {
    std::vector<double> rate(static_cast<std::size_t>(threads), HUGE_VAL);
    parallelTasks(threads, threads, [&](std::int64_t t) {
      const double start = now();
      const volatile float kept = registerLoop(count);
      (void)kept;
      rate[static_cast<std::size_t>(t)] = static_cast<double>(count) / (now() - start);
    });
    if (r > 0) rates.insert(rates.end(), rate.begin(), rate.end());
  }
  const auto middle = rates.begin() + std::ptrdiff_t(rates.size() / 2);
  std::nth_element(rates.begin(), middle, rates.end());
  return *middle;
}

// Timings of one of `copies` plans, medians over rounds and plans. All set the same points; float.
struct CopiesRun {
  StageTimings adjoint, forward;
};

inline CopiesRun racePlanCopies(const NufftProblem& problem, const std::vector<double>& points,
                                NufftOptions options, int copies, int rounds) {
  options.threads = 1;
  const auto many = static_cast<std::size_t>(copies);
  const std::int64_t count = static_cast<std::int64_t>(points.size()) / problem.dims;
  const auto samples = randomData<float>(count, 1), image = randomData<float>(problem.pixels(), 2);
  std::vector<std::unique_ptr<Nufft<float>>> plans(many);
  std::vector<std::vector<std::complex<float>>> outSamples(many, samples), outImages(many, image);
  for (auto& plan : plans) plan = makeCpuNufftFloat(problem, options);
  parallelTasks(copies, copies,
                [&](std::int64_t i) { plans[static_cast<std::size_t>(i)]->setPoints(points); });
  std::vector<StageTimings> adjoint, forward;
  for (int round = -1; round < rounds; ++round) {
    std::vector<StageTimings> run(many);
    const auto all = [&](std::vector<StageTimings>& kept, const auto& execute) {
      parallelTasks(copies, copies, [&](std::int64_t i) {
        const auto at = static_cast<std::size_t>(i);
        run[at] = timedStages([&] { execute(at); });
      });
      if (round >= 0) kept.insert(kept.end(), run.begin(), run.end());
    };
    all(adjoint, [&](std::size_t at) { plans[at]->adjoint(samples.data(), outImages[at].data()); });
    all(forward, [&](std::size_t at) { plans[at]->forward(image.data(), outSamples[at].data()); });
  }
  return {medianTimings(adjoint), medianTimings(forward)};
}

}  // namespace spokelab::bench
