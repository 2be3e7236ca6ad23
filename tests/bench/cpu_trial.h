// One direction of one case of the CPU bench: its data, exact values at a few outputs, and what
// executes it.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <random>
#include <thread>
#include <vector>

#include "engine/core/measure/rank_test.h"
#include "engine/core/stage_timer.h"
#include "engine/nufft/exact/nudft.h"
#include "engine/nufft/nufft.h"
#include "tests/bench/cpu_cases.h"
#include "tests/bench/peer.h"

namespace spokelab::bench {

// The peer's idle threads spin for some milliseconds; they would take a core from the next in turn.
inline constexpr auto spinTime = std::chrono::milliseconds(30);

inline double secondsOf(const std::function<void()>& work) {
  const double start = now();
  work();
  return now() - start;
}

template <class Real>
std::vector<std::complex<Real>> randomData(std::int64_t count, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<Real> uniform(-1, 1);
  std::vector<std::complex<Real>> data(static_cast<std::size_t>(count));
  for (auto& value : data) value = {uniform(generator), uniform(generator)};
  return data;
}

template <class Real>
struct Trial {
  using Complex = std::complex<Real>;
  static constexpr int mostChecked = 200, fewestChecked = 24;
  static constexpr double sumsAfforded = 4e8;  // terms of the exact sums

  const CpuCase& c;
  bool adjoint;
  const std::vector<double>& points;
  std::vector<Complex> image, samples;
  std::vector<std::int64_t> selection;
  std::vector<cdouble> exact;
  double inputSquares = 0;

  Trial(const CpuCase& theCase, bool isAdjoint, const std::vector<double>& thePoints)
      : c(theCase), adjoint(isAdjoint), points(thePoints) {
    const auto count = static_cast<std::int64_t>(points.size()) / c.problem.dims;
    image = randomData<Real>(c.problem.batch * c.problem.pixels(), 2);
    samples = randomData<Real>(c.problem.batch * count, 3);
    std::mt19937_64 generator(4);
    std::uniform_int_distribution<std::int64_t> any(0, (adjoint ? c.problem.pixels() : count) - 1);
    const double each = static_cast<double>(adjoint ? count : c.problem.pixels());
    const int checked = std::clamp(static_cast<int>(sumsAfforded / each), fewestChecked, mostChecked);
    for (int i = 0; i < checked; ++i) selection.push_back(any(generator));
    // Exact sums of the first image of a batch.
    NufftProblem one = c.problem;
    one.batch = 1;
    const std::vector<Complex>& in = adjoint ? samples : image;
    const std::vector<cdouble> input(in.begin(), in.begin() + (adjoint ? count : one.pixels()));
    exact =
        adjoint ? nudftAdjoint(one, points, input, selection) : nudftForward(one, points, input, selection);
    double squares = 0;
    for (const cdouble& x : input) squares += std::norm(x);
    inputSquares = squares;
  }

  double error() const {
    const std::vector<Complex>& out = adjoint ? image : samples;
    double difference = 0, norm = 0;
    for (std::size_t i = 0; i < selection.size(); ++i) {
      difference += std::norm(cdouble(out[static_cast<std::size_t>(selection[i])]) - exact[i]);
      norm += std::norm(exact[i]);
    }
    return std::sqrt(difference / norm);
  }

  // As the accuracy is defined: relative to the outputs, or to what random inputs give where that
  // is more.
  double contractError() const {
    double norm = 0;
    for (const cdouble& x : exact) norm += std::norm(x);
    return error() * std::sqrt(norm / std::max(norm, double(exact.size()) * inputSquares));
  }

  void execute(Nufft<Real>& plan) {
    if (adjoint)
      plan.adjoint(samples.data(), image.data());
    else
      plan.forward(image.data(), samples.data());
  }
  void execute(Peer<Real>& peer) { peer.execute(image.data(), samples.data()); }

  double bestOf(int repeats, Peer<Real>& peer, bool withPoints) {
    double best = HUGE_VAL;
    std::this_thread::sleep_for(spinTime);
    for (int i = 0; i < repeats; ++i) {
      const double time = secondsOf([&] {
        if (withPoints) peer.setPoints();
        execute(peer);
      });
      best = std::min(best, time);
    }
    return best;
  }
};

}  // namespace spokelab::bench
