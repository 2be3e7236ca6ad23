// The peer of the CPU bench: FINUFFT (github.com/flatironinstitute/finufft), compiled in where it
// is installed.
// Plans, sets points and executes through its C interface; arrays in its own layout are made before
// any timing.
#pragma once

#include <complex>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/nufft/problem/problem.h"

#ifdef SPOKELAB_WITH_FINUFFT
#include <finufft.h>
#endif

namespace spokelab::bench {

template <class Real>
class Peer {
 public:
  using Complex = std::complex<Real>;
  virtual ~Peer() = default;
  virtual void setPoints() = 0;
  virtual void execute(Complex* image, Complex* samples) = 0;  // fills one from the other
};

#ifdef SPOKELAB_WITH_FINUFFT

inline constexpr bool peerFound = true;
inline constexpr const char* peerName = "FINUFFT";

template <class Real>
struct Finufft;

template <>
struct Finufft<float> {
  using Plan = finufftf_plan;
  static constexpr auto make = finufftf_makeplan;
  static constexpr auto set = finufftf_setpts;
  static constexpr auto execute = finufftf_execute;
  static constexpr auto destroy = finufftf_destroy;
  static constexpr auto defaults = finufftf_default_opts;
};

template <>
struct Finufft<double> {
  using Plan = finufft_plan;
  static constexpr auto make = finufft_makeplan;
  static constexpr auto set = finufft_setpts;
  static constexpr auto execute = finufft_execute;
  static constexpr auto destroy = finufft_destroy;
  static constexpr auto defaults = finufft_default_opts;
};

template <class Real>
class FinufftPeer final : public Peer<Real> {
 public:
  using typename Peer<Real>::Complex;

  // alpha 0: its own choice.
  FinufftPeer(const NufftProblem& problem, bool adjoint, double tolerance, double alpha, int threads,
              std::span<const double> points)
      : count_(static_cast<std::int64_t>(points.size()) / problem.dims) {
    finufft_opts options;
    Api::defaults(&options);
    options.nthreads = threads;
    options.upsampfac = alpha;
    options.showwarn = 0;
    std::int64_t size[3] = {problem.size[0], problem.size[1], problem.size[2]};
    const int sign = adjoint ? -problem.sign : problem.sign;
    if (Api::make(adjoint ? 1 : 2, problem.dims, size, sign, static_cast<int>(problem.batch),
                  static_cast<Real>(tolerance), &plan_, &options) > 1) {
      throw std::runtime_error("the peer refused the plan");
    }
    constexpr double pi = 3.14159265358979323846;
    for (int d = 0; d < problem.dims; ++d) {
      x_[d].resize(static_cast<std::size_t>(count_));
      for (std::int64_t j = 0; j < count_; ++j) {
        x_[d][static_cast<std::size_t>(j)] =
            static_cast<Real>(2 * pi * points[static_cast<std::size_t>(j * problem.dims + d)]);
      }
    }
  }
  ~FinufftPeer() override { Api::destroy(plan_); }

  void setPoints() override {
    if (Api::set(plan_, count_, x_[0].data(), x_[1].data(), x_[2].data(), 0, nullptr, nullptr, nullptr) > 1) {
      throw std::runtime_error("the peer refused the points");
    }
  }
  void execute(Complex* image, Complex* samples) override { Api::execute(plan_, samples, image); }

 private:
  using Api = Finufft<Real>;
  typename Api::Plan plan_{};
  std::int64_t count_;
  std::vector<Real> x_[3];
};

template <class Real>
std::unique_ptr<Peer<Real>> makePeer(const NufftProblem& problem, bool adjoint, double tolerance,
                                     double alpha, int threads, std::span<const double> points) {
  return std::make_unique<FinufftPeer<Real>>(problem, adjoint, tolerance, alpha, threads, points);
}

#else

inline constexpr bool peerFound = false;
inline constexpr const char* peerName = "none";

template <class Real>
std::unique_ptr<Peer<Real>> makePeer(const NufftProblem&, bool, double, double, int,
                                     std::span<const double>) {
  return nullptr;
}

#endif

}  // namespace spokelab::bench
