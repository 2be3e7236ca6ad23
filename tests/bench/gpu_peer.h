// The peer of the GPU bench: cuFINUFFT (github.com/flatironinstitute/finufft), compiled in where it
// is installed. Its default choice and every one of its methods at both upsampling factors, through
// its C interface.
#pragma once

#include <complex>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/bench/gpu_cases.h"

#ifdef SPOKELAB_WITH_CUFINUFFT
#include <cufinufft.h>
#endif

namespace spokelab::bench {

// One choice of the peer's for one direction of one case. Device pointers; work goes to `stream`.
template <class Real>
class Peer {
 public:
  virtual ~Peer() = default;
  virtual bool setPoints() = 0;  // false: it cannot
  virtual bool execute(std::complex<Real>* image, std::complex<Real>* samples) = 0;
  std::string name;  // "method 2, upsampling 1.25"
};

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

// The points as the peer wants them: an array for each axis, in radians.
template <class Real>
struct PeerPoints {
  std::int64_t count;
  std::vector<std::unique_ptr<DeviceArray<Real>>> axes;

  PeerPoints(const std::vector<double>& points, int dims) : count(std::int64_t(points.size()) / dims) {
    std::vector<Real> axis(static_cast<std::size_t>(count));
    for (int d = 0; d < dims; ++d) {
      for (std::size_t j = 0; j < axis.size(); ++j)
        axis[j] = Real(2 * std::numbers::pi * points[j * std::size_t(dims) + std::size_t(d)]);
      axes.push_back(std::make_unique<DeviceArray<Real>>(axis));
    }
  }
};

template <class Real>
class CufinufftPeer final : public Peer<Real> {
  using Api = Cufinufft<Real>;

 public:
  CufinufftPeer(const GpuCase& c, bool adjoint, int method, double upsampling, const PeerPoints<Real>& points,
                cudaStream_t stream)
      : points_(points) {
    cufinufft_opts options;
    cufinufft_default_opts(&options);
    options.gpu_stream = stream;
    if (method > 0) options.gpu_method = method;
    if (upsampling > 0) options.upsampfac = upsampling;
    this->name = method == 0 ? std::string("default")
                             : "method " + std::to_string(method) + ", upsampling " +
                                   (upsampling > 1.5 ? "2" : "1.25");
    const std::int64_t n[3] = {c.problem.size[0], c.problem.size[1], c.problem.size[2]};
    const int sign = adjoint ? -c.problem.sign : c.problem.sign;
    // A result of 1 warns that the accuracy may not be reached: what is reached is measured.
    if (Api::make(adjoint ? 1 : 2, c.problem.dims, n, sign, int(c.problem.batch), Real(c.accuracy), &plan_,
                  &options) > 1)
      plan_ = nullptr;
  }
  ~CufinufftPeer() override {
    if (plan_) Api::destroy(plan_);
  }
  CufinufftPeer(const CufinufftPeer&) = delete;
  CufinufftPeer& operator=(const CufinufftPeer&) = delete;

  bool setPoints() override {
    const auto axis = [&](std::size_t d) {
      return d < points_.axes.size() ? points_.axes[d]->get() : nullptr;
    };
    return plan_ &&
           Api::set(plan_, points_.count, axis(0), axis(1), axis(2), 0, nullptr, nullptr, nullptr) <= 1;
  }
  bool execute(std::complex<Real>* image, std::complex<Real>* samples) override {
    using Value = typename Api::Value;
    return plan_ &&
           Api::execute(plan_, reinterpret_cast<Value*>(samples), reinterpret_cast<Value*>(image)) <= 1;
  }

 private:
  const PeerPoints<Real>& points_;
  typename Api::Plan plan_ = nullptr;
};

// Ways to make one of its choices; the default first.
template <class Real>
std::vector<std::function<std::unique_ptr<Peer<Real>>()>> peerChoices(const GpuCase& c, bool adjoint,
                                                                      const PeerPoints<Real>& points,
                                                                      cudaStream_t stream) {
  std::vector<std::function<std::unique_ptr<Peer<Real>>()>> choices;
  const auto add = [&](int method, double upsampling) {
    choices.push_back([&c, adjoint, method, upsampling, &points, stream] {
      return std::make_unique<CufinufftPeer<Real>>(c, adjoint, method, upsampling, points, stream);
    });
  };
  add(0, 0.0);
  const int methods = adjoint ? 3 : 2;
  for (int method = 1; method <= methods; ++method)
    for (const double upsampling : {1.25, 2.0}) add(method, upsampling);
  return choices;
}

#else

inline constexpr const char* peerName = "not compiled in";

template <class Real>
struct PeerPoints {
  PeerPoints(const std::vector<double>&, int) {}
};

template <class Real>
std::vector<std::function<std::unique_ptr<Peer<Real>>()>> peerChoices(const GpuCase&, bool,
                                                                      const PeerPoints<Real>&, cudaStream_t) {
  return {};
}

#endif

}  // namespace spokelab::bench
