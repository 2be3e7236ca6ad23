// The peer of the GPU bench: cuFINUFFT (github.com/flatironinstitute/finufft), compiled in where it is
// installed. Its default choice and every one of its methods at both upsampling factors, through its C
// interface, device pointers.
#pragma once

#include <complex>
#include <cstdio>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/bench/gpu_cases.h"

#ifdef SPOKELAB_WITH_CUFINUFFT
#include <cufinufft.h>
#include <algorithm>
#endif

namespace spokelab::bench {

#ifdef SPOKELAB_WITH_CUFINUFFT

inline constexpr const char* peerName = "cuFINUFFT";

template <class Real>
struct Cufinufft;
template <>
struct Cufinufft<float> {
  using Plan = cufinufftf_plan;
  using Value = cuFloatComplex;
  static constexpr auto make = cufinufftf_makeplan;
  static constexpr auto set = cufinufftf_setpts;
  static constexpr auto execute = cufinufftf_execute;
  static constexpr auto destroy = cufinufftf_destroy;
};
template <>
struct Cufinufft<double> {
  using Plan = cufinufft_plan;
  using Value = cuDoubleComplex;
  static constexpr auto make = cufinufft_makeplan;
  static constexpr auto set = cufinufft_setpts;
  static constexpr auto execute = cufinufft_execute;
  static constexpr auto destroy = cufinufft_destroy;
};

template <class Real>
std::vector<nlohmann::json> peerRows(const GpuCase& c, const std::vector<double>& points,
                                     const std::vector<std::complex<Real>>& image,
                                     const std::vector<std::complex<Real>>& samples, int repeats) {
  using Api = Cufinufft<Real>;
  using nlohmann::json;
  const int dims = c.problem.dims;
  const std::size_t count = samples.size();
  std::vector<Real> axis[3];
  for (int d = 0; d < dims; ++d) {
    axis[d].resize(count);
    for (std::size_t j = 0; j < count; ++j)
      axis[d][j] = Real(2 * std::numbers::pi * points[j * std::size_t(dims) + std::size_t(d)]);
  }
  const DeviceArray<Real> x(axis[0]), y(axis[dims > 1 ? 1 : 0]), z(axis[dims > 2 ? 2 : 0]);
  const DeviceArray<std::complex<Real>> deviceImage(image), deviceSamples(samples);
  cudaEvent_t event[3];
  for (auto& e : event) require(cudaEventCreate(&e), "making an event");
  std::vector<json> rows;
  constexpr int methods = 3;
  for (const int type : {1, 2})
    for (int method = 0; method <= methods; ++method)  // 0: its default
      for (const double upsampling : {0.0, 1.25, 2.0}) {
        if ((method == 0) != (upsampling == 0) || (type == 2 && method > 2)) continue;
        cufinufft_opts options;
        cufinufft_default_opts(&options);
        if (method > 0) options.gpu_method = method;
        if (upsampling > 0) options.upsampfac = upsampling;
        typename Api::Plan plan = nullptr;
        const std::int64_t n[3] = {c.problem.size[0], c.problem.size[1], c.problem.size[2]};
        if (Api::make(type, dims, n, type == 1 ? 1 : -1, 1, Real(c.accuracy), &plan, &options) > 1) continue;
        std::vector<double> set, run;
        bool good = true;
        for (int repeat = -1; repeat < repeats && good; ++repeat) {
          require(cudaEventRecord(event[0]), "recording");
          good = Api::set(plan, std::int64_t(count), x.get(), dims > 1 ? y.get() : nullptr,
                          dims > 2 ? z.get() : nullptr, 0, nullptr, nullptr, nullptr) <= 1;
          require(cudaEventRecord(event[1]), "recording");
          good = good && Api::execute(plan, reinterpret_cast<typename Api::Value*>(deviceSamples.get()),
                                      reinterpret_cast<typename Api::Value*>(deviceImage.get())) <= 1;
          require(cudaEventRecord(event[2]), "recording");
          require(cudaEventSynchronize(event[2]), "waiting");
          float first = 0, second = 0;
          cudaEventElapsedTime(&first, event[0], event[1]);
          cudaEventElapsedTime(&second, event[1], event[2]);
          if (repeat < 0) continue;
          set.push_back(first);
          run.push_back(second);
        }
        Api::destroy(plan);
        if (!good) continue;
        std::sort(set.begin(), set.end());
        std::sort(run.begin(), run.end());
        rows.push_back({{"direction", type == 1 ? "type 1" : "type 2"},
                        {"peer", peerName},
                        {"method", method},
                        {"alpha", upsampling},
                        {"execute ms", run[run.size() / 2]},
                        {"set points ms", set[set.size() / 2]}});
        std::printf("  T%d peer, method %d, a %.2f | exec %8.3f ms, set %7.3f\n", type, method, upsampling,
                    run[run.size() / 2], set[set.size() / 2]);
      }
  for (auto& e : event) cudaEventDestroy(e);
  return rows;
}

#else

inline constexpr const char* peerName = "not compiled in";

template <class Real>
std::vector<nlohmann::json> peerRows(const GpuCase&, const std::vector<double>&,
                                     const std::vector<std::complex<Real>>&,
                                     const std::vector<std::complex<Real>>&, int) {
  return {};
}

#endif

}  // namespace spokelab::bench
