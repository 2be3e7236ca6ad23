// One direction of one case of the GPU bench: the peer's choices, ours tuned for the errors they
// reached, and the four finalists in turns.
#pragma once

#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "cuda/backend.h"
#include "engine/core/error.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/nufft/tune/tune.h"
#include "tests/bench/gpu_cases.h"
#include "tests/bench/gpu_contender.h"
#include "tests/bench/gpu_exact.h"
#include "tests/bench/gpu_peer.h"
#include "tests/bench/gpu_timing.h"

namespace spokelab::bench {

using nlohmann::json;

inline constexpr int checkedOutputs = 4096;
// Methods that are timed, from the top of the backend's ranking.
inline constexpr std::size_t maxMethods3d = 2, maxMethods2d = 3;
// Candidates of ours: in 3-D each this much above the last, in 2-D all fast sizes.
inline constexpr double firstAlpha = 1.1, alphaStep3d = 1.08, lastAlpha2d = 1.7;
// Executions of a candidate; the fastest counts.
inline constexpr int candidateExecutions = 3;

// Exact values at some outputs.
struct Exact {
  std::vector<std::int64_t> selection;
  std::vector<cdouble> values;
};

template <class Real>
class CaseRun {
  using Complex = std::complex<Real>;

 public:
  CaseRun(Backend& backend, const GpuCase& c, bool adjoint, const std::vector<double>& points,
          const DeviceArray<double>& devicePoints, const PeerPoints<Real>* peerPoints, int repeats,
          std::map<std::string, double>& fftCeilings)
      : backend_(backend),
        c_(c),
        adjoint_(adjoint),
        devicePoints_(devicePoints),
        peerPoints_(peerPoints),
        repeats_(repeats),
        fftCeilings_(fftCeilings),
        count_(std::int64_t(points.size()) / c.problem.dims),
        image_(draw(c.problem.pixels(), 7)),
        samples_(draw(count_, 8)) {
    tuned_ = exact(21);
    checked_ = exact(22);
  }

  json run() {
    json row{{"direction", adjoint_ ? "type 1" : "type 2"}};
    double targets[2] = {c_.accuracy, c_.accuracy};
    double defaultTime = 0;
    int best = -1;
    double bestTime = 1e300;
    std::int64_t peerMemory = 0;
    using Choices = decltype(peerChoices<Real>(c_, adjoint_, *peerPoints_, benchStream()));
    const auto choices =
        peerPoints_ ? peerChoices<Real>(c_, adjoint_, *peerPoints_, benchStream()) : Choices();
    {
      for (std::size_t i = 0; i < choices.size(); ++i) {
        const MemoryWatch watch;
        const auto peer = choices[i]();
        Contender p = contenderOf(*peer, arrays_);
        bool good = p.time();  // warm-up
        const std::int64_t taken = watch.peak();
        p.error = good ? error(tuned_) : 0;
        p.forgetTimes();
        for (int repeat = 0; repeat < candidateExecutions && good; ++repeat) good = p.time();
        if (good) {
          json one{{"choice", p.name},
                   {"execute ms", p.runMedian() * 1e3},
                   {"error", p.error},
                   {"set points ms", medianOf(p.set) * 1e3}};
          row["peer"].push_back(one);
          if (i == 0) {
            targets[0] = p.error;
            defaultTime = p.runMedian();
          }
          if (p.runMedian() < bestTime) {
            bestTime = p.runMedian();
            best = int(i);
            targets[1] = p.error;
            peerMemory = taken;
          }
        }
      }
    }
    std::vector<Contender> finalists;
    std::vector<std::unique_ptr<Peer<Real>>> peers;
    if (best >= 0) {
      for (const int choice : {defaultTime > 0 ? 0 : best, best}) {
        peers.push_back(choices[std::size_t(choice)]());
        finalists.push_back(contenderOf(*peers.back(), arrays_));
      }
    }
    std::unique_ptr<Nufft<Real>> plans[2];
    const int ours = best >= 0 ? 2 : 1;
    std::int64_t memory = 0;
    for (int i = 0; i < ours; ++i) {
      plans[i] = tuneFor(targets[i]);
      if (!plans[i]) {
        row["refused"] = "out of reach";
        return row;
      }
      const NufftOptions options = plans[i]->info().options;
      plans[i].reset();
      const MemoryWatch watch;
      plans[i] = backend_.plan<Real>(c_.problem, options);
      finalists.push_back(contenderOf(*plans[i], arrays_));
      finalists.back().time();
      memory = watch.peak();
    }
    for (Contender& f : finalists) f.forgetTimes();
    for (int repeat = -1; repeat < repeats_; ++repeat)
      for (Contender& f : finalists) {
        f.time();
        if (repeat < 0) {
          f.error = error(checked_);
          f.forgetTimes();
        }
      }
    for (Contender& f : finalists)
      row["finalists"].push_back({{"name", f.name},
                                  {"execute ms", f.runMedian() * 1e3},
                                  {"set points ms", medianOf(f.set) * 1e3},
                                  {"set points + execute ms", f.wholeMedian() * 1e3},
                                  {"error", f.error}});
    const Contender& mine = finalists.back();
    row["targets"] = {targets[0], targets[1]};
    row["points/s with set points"] = double(count_) / mine.wholeMedian();
    row["memory MB"] = double(memory) * 1e-6;
    details(row, *plans[ours - 1]);
    if (best >= 0) {
      row["peer memory MB"] = double(peerMemory) * 1e-6;
      const Contender &standard = finalists[0], &fastest = finalists[1], &first = finalists[2];
      row["ratio"] = {{"default execute", standard.runMedian() / first.runMedian()},
                      {"default whole", standard.wholeMedian() / first.wholeMedian()},
                      {"best execute", fastest.runMedian() / mine.runMedian()},
                      {"best whole", fastest.wholeMedian() / mine.wholeMedian()},
                      {"set points", medianOf(mine.set) / medianOf(fastest.set)},
                      {"memory", double(memory) / double(peerMemory)}};
    }
    print(row, finalists);
    return row;
  }

 private:
  static std::vector<Complex> draw(std::int64_t n, unsigned seed) {
    std::mt19937 generator(seed);
    std::normal_distribution<Real> normal;
    std::vector<Complex> v(static_cast<std::size_t>(n));
    for (Complex& x : v) x = {normal(generator), normal(generator)};
    return v;
  }

  Exact exact(unsigned seed) {
    Exact e;
    std::mt19937_64 generator(seed);
    const std::int64_t outputs = adjoint_ ? c_.problem.pixels() : count_;
    for (int i = 0; i < checkedOutputs; ++i)
      e.selection.push_back(std::int64_t(generator() % std::uint64_t(outputs)));
    e.values = exactSums<Real>(c_.problem, adjoint_, devicePoints_.get(), count_,
                               adjoint_ ? samples_.get() : image_.get(), e.selection);
    return e;
  }

  double error(const Exact& exact) {
    require(cudaDeviceSynchronize(), "waiting");
    const std::vector<Complex> out = adjoint_ ? outImage_.read() : outSamples_.read();
    double difference = 0, scale = 0;
    for (std::size_t i = 0; i < exact.selection.size(); ++i) {
      difference += std::norm(cdouble(out[std::size_t(exact.selection[i])]) - exact.values[i]);
      scale += std::norm(exact.values[i]);
    }
    return std::sqrt(difference / scale);
  }

  // The fastest plan whose error at the outputs of the tuning is within what is asked.
  std::unique_ptr<Nufft<Real>> tuneFor(double accuracy) {
    std::unique_ptr<Nufft<Real>> best;
    double bestTime = 1e300, last = 0;
    for (const double alpha : fastAlphasOn(gpuBackend, c_.problem)) {
      if (alpha < (last == 0 ? firstAlpha : last * (c_.problem.dims == 3 ? alphaStep3d : 1))) continue;
      if (c_.problem.dims == 2 && alpha > lastAlpha2d) break;
      NufftOptions options;
      options.accuracy = accuracy;
      options.alpha = alpha;
      options.normal = NormalMethod::later;
      std::vector<Method> methods;
      try {
        methods = adjoint_ ? backend_.spreadMethods(c_.problem, options)
                           : backend_.interpolateMethods(c_.problem, options);
      } catch (const Error&) {
        continue;  // the accuracy is out of reach at this ratio
      }
      last = alpha;
      methods.resize(std::min(methods.size(), c_.problem.dims == 3 ? maxMethods3d : maxMethods2d));
      for (const Method method : methods) {
        (adjoint_ ? options.spread : options.interpolate) = method;
        // The other direction is not timed: one that shares the order of the points.
        (adjoint_ ? options.interpolate : options.spread) =
            method == Method::tensor ? Method::tensor : Method::pointSorted;
        try {
          auto plan = backend_.plan<Real>(c_.problem, options);
          Contender c = contenderOf(*plan, arrays_);
          c.time();
          c.forgetTimes();
          for (int i = 0; i < candidateExecutions; ++i) c.time();
          const double time = *std::min_element(c.run.begin(), c.run.end());
          if (time >= bestTime || error(tuned_) > accuracy) continue;
          bestTime = time;
          best = std::move(plan);
        } catch (const Error& e) {
          std::printf("  (%s at alpha %.3f: %s)\n", std::string(methodName(method)).c_str(), alpha,
                      e.reason().c_str());
        }
      }
    }
    return best;
  }

  // Times of a plan's stages, beside the ceilings.
  void details(json& row, Nufft<Real>& plan) {
    StageTimings t;
    Execution execution;
    execution.devicePointers = true;
    for (int i = 0; i < candidateExecutions; ++i)
      t = timedStages([&] {
        if (adjoint_)
          plan.adjoint(samples_.get(), outImage_.get(), execution);
        else
          plan.forward(image_.get(), outSamples_.get(), execution);
      });
    for (int s = 0; s < stageCount; ++s) {
      const auto i = std::size_t(s);
      if (t.seconds[i] <= 0) continue;
      row["stages"][std::string(stageNames[i])]["ms"] = t.seconds[i] * 1e3;
      if (t.bytes[i] > 0)
        row["stages"][std::string(stageNames[i])]["GB/s"] = t.bytes[i] / t.seconds[i] * 1e-9;
    }
    const Index3 grid = plan.info().grid;
    const std::string key = std::to_string(grid[0]) + "x" + std::to_string(grid[1]) + "x" +
                            std::to_string(grid[2]) + (sizeof(Real) == 8 ? " double" : " float");
    if (!fftCeilings_.count(key))
      fftCeilings_[key] = fftSeconds(c_.problem.dims, grid, sizeof(Real) == 8, repeats_);
    row["cuFFT alone ms"] = fftCeilings_[key] * 1e3;
    row["grid"] = grid;
    row["plan"] = plan.info().description;
  }

  void print(const json& row, const std::vector<Contender>& finalists) const {
    std::printf(" %s", adjoint_ ? "T1" : "T2");
    for (const Contender& f : finalists)
      std::printf(" | %s: %.3f + %.3f ms %.1e", f.name.c_str(), medianOf(f.set) * 1e3, f.runMedian() * 1e3,
                  f.error);
    for (const auto& [stage, value] : row["stages"].items())
      std::printf(" %s %.3f", stage.c_str(), value["ms"].template get<double>());
    std::printf(" [cuFFT %.3f]", row["cuFFT alone ms"].get<double>());
    if (row.contains("ratio")) {
      const json& r = row["ratio"];
      std::printf(" || default %.2f (%.2f) best %.2f (%.2f) set %.2f mem %.2f",
                  r["default execute"].get<double>(), r["default whole"].get<double>(),
                  r["best execute"].get<double>(), r["best whole"].get<double>(),
                  r["set points"].get<double>(), r["memory"].get<double>());
    }
    std::printf("\n");
    std::fflush(stdout);
  }

  Backend& backend_;
  const GpuCase& c_;
  bool adjoint_;
  const DeviceArray<double>& devicePoints_;
  const PeerPoints<Real>* peerPoints_;  // null: without the peer
  int repeats_;
  std::map<std::string, double>& fftCeilings_;
  std::int64_t count_;
  DeviceArray<Complex> image_, samples_;
  DeviceArray<Complex> outImage_{std::size_t(c_.problem.pixels())}, outSamples_{std::size_t(count_)};
  TransformArrays<Real> arrays_{adjoint_,       devicePoints_.get(), count_,           image_.get(),
                                samples_.get(), outImage_.get(),     outSamples_.get()};
  Exact tuned_, checked_;
};

}  // namespace spokelab::bench
