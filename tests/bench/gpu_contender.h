// Anything that takes points and executes on the GPU, as a bench times it: one of the peer's
// choices, or a plan of ours. Device pointers, one stream.
#pragma once

#include <complex>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "engine/nufft/nufft.h"
#include "tests/bench/gpu_peer.h"
#include "tests/bench/gpu_timing.h"

namespace spokelab::bench {

struct Contender {
  std::string name;
  // A call that repeats is launched otherwise from the fourth on (cuda/nufft/plan/call_graphs.h).
  static constexpr int executionsBetween = 2;

  std::function<bool()> setPoints, execute;  // false: it cannot
  // Seconds of setting points, of the first execution with them, and of one that repeats it.
  std::vector<double> set, first, run;
  double error = 0;

  bool time() {
    bool good = true;
    const auto seconds = [&](const std::function<bool()>& call) {
      return eventSeconds([&](cudaStream_t) { good = good && call(); });
    };
    set.push_back(seconds(setPoints));
    first.push_back(seconds(execute));
    for (int i = 0; i < executionsBetween; ++i) seconds(execute);
    run.push_back(seconds(execute));
    return good;
  }
  void forgetTimes() {
    set.clear();
    first.clear();
    run.clear();
  }
  double runMedian() const { return medianOf(run); }
  double setMedian() const { return medianOf(set); }
  double turnMedian() const { return wholeMedian() + (executionsBetween + 1) * runMedian(); }
  double wholeMedian() const {
    std::vector<double> whole;
    for (std::size_t i = 0; i < set.size(); ++i) whole.push_back(set[i] + first[i]);
    return medianOf(whole);
  }
};

// The data of contenders in one direction of one case, all on the device.
template <class Real>
struct TransformArrays {
  bool adjoint;
  const double* points;  // [M, dims], cycles per pixel
  std::int64_t count;
  std::complex<Real>*image, *samples, *outImage, *outSamples;
};

// The peer and the arrays must outlive the contender; so must the plan of the one below.
template <class Real>
Contender contenderOf(Peer<Real>& peer, const TransformArrays<Real>& arrays) {
  Contender c;
  c.name = std::string(peerName) + ", " + peer.name;
  c.setPoints = [&peer] { return peer.setPoints(); };
  c.execute = [&peer, &arrays] {
    return arrays.adjoint ? peer.execute(arrays.outImage, arrays.samples)
                          : peer.execute(arrays.image, arrays.outSamples);
  };
  return c;
}

template <class Real>
Contender contenderOf(Nufft<Real>& plan, const TransformArrays<Real>& arrays) {
  Contender c;
  const NufftOptions& o = plan.info().options;
  char text[96];
  std::snprintf(text, sizeof text, "%s, alpha %.3f, W %.2f",
                std::string(methodName(arrays.adjoint ? o.spread : o.interpolate)).c_str(), o.alpha, o.width);
  c.name = text;
  c.setPoints = [&plan, &arrays] {
    const auto values = std::size_t(arrays.count * plan.problem().dims);
    plan.setPoints(devicePoints({arrays.points, values}, benchStream()));
    return true;
  };
  c.execute = [&plan, &arrays] {
    Execution execution;
    execution.devicePointers = true;
    execution.stream = benchStream();
    if (arrays.adjoint)
      plan.adjoint(arrays.samples, arrays.outImage, execution);
    else
      plan.forward(arrays.image, arrays.outSamples, execution);
    return true;
  };
  return c;
}

}  // namespace spokelab::bench
