// The peer of the CPU's benches: FINUFFT (github.com/flatironinstitute/finufft), compiled in where
// its header is found. Its libraries are loaded at run time, so that one program can take the
// faster of several (FINUFFT is built with either FFTW or DUCC).
// Plans, sets points and executes through its C interface; arrays in its own layout are made before
// any timing.
#pragma once

#include <dlfcn.h>

#include <complex>
#include <cstdio>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
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

// Settings of a run of the peer.
struct PeerSetting {
  std::string library;  // a file
  double alpha = 0;     // 0: its own choice
  int threads = 1;
  bool measured = false;  // FFTW's planner measures, where the library has FFTW; else it estimates
};

// Library, "own" or alpha, threads, planner.
inline std::string peerText(const PeerSetting& s) {
  char alpha[16] = "own";
  if (s.alpha > 0) std::snprintf(alpha, sizeof alpha, "%.2f", s.alpha);
  return s.library.substr(s.library.rfind('/') + 1) + ", alpha " + alpha + ", " + std::to_string(s.threads) +
         " threads" + (s.measured ? ", measured FFT" : "");
}

#ifdef SPOKELAB_WITH_FINUFFT

inline constexpr bool peerFound = true;
inline constexpr const char* peerName = "FINUFFT";

// A peer of one precision, from one library.
template <class Real>
struct Finufft {
  static constexpr bool single = std::is_same_v<Real, float>;
  using Plan = std::conditional_t<single, finufftf_plan, finufft_plan>;
  int (*make)(int, int, const std::int64_t*, int, int, Real, Plan*, const finufft_opts*);
  int (*set)(Plan, std::int64_t, const Real*, const Real*, const Real*, std::int64_t, const Real*,
             const Real*, const Real*);
  int (*execute)(Plan, std::complex<Real>*, std::complex<Real>*);
  int (*destroy)(Plan);
  void (*defaults)(finufft_opts*);
  bool fftw = false;  // its FFTs; else DUCC's

  explicit Finufft(const std::string& file) {
    void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);  // for good
    if (!library) throw std::invalid_argument(dlerror());
    const auto find = [&](auto& function, const char* name) {
      const std::string symbol = std::string(single ? "finufftf_" : "finufft_") + name;
      function =
          reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, symbol.c_str()));
      if (!function) throw std::invalid_argument(file + " has no " + symbol);
    };
    find(make, "makeplan");
    find(set, "setpts");
    find(execute, "execute");
    find(destroy, "destroy");
    find(defaults, "default_opts");
    constexpr int estimate = 64;  // FFTW_ESTIMATE
    finufft_opts options;
    defaults(&options);
    fftw = options.fftw == estimate;
  }
};

template <class Real>
class FinufftPeer final : public Peer<Real> {
 public:
  using typename Peer<Real>::Complex;

  FinufftPeer(const NufftProblem& problem, bool adjoint, double tolerance, const PeerSetting& setting,
              std::span<const double> points)
      : api_(setting.library), count_(static_cast<std::int64_t>(points.size()) / problem.dims) {
    if (setting.measured && !api_.fftw) throw std::runtime_error("its FFTs are not FFTW's");
    finufft_opts options;
    api_.defaults(&options);
    options.nthreads = setting.threads;
    options.upsampfac = setting.alpha;
    options.showwarn = 0;
    if (setting.measured) options.fftw = 0;  // FFTW_MEASURE
    const std::int64_t size[3] = {problem.size[0], problem.size[1], problem.size[2]};
    const int sign = adjoint ? -problem.sign : problem.sign;
    if (api_.make(adjoint ? 1 : 2, problem.dims, size, sign, static_cast<int>(problem.batch),
                  static_cast<Real>(tolerance), &plan_, &options) > 1 ||
        !plan_) {
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
  ~FinufftPeer() override {
    if (plan_) api_.destroy(plan_);
  }

  void setPoints() override {
    if (api_.set(plan_, count_, x_[0].data(), x_[1].data(), x_[2].data(), 0, nullptr, nullptr, nullptr) > 1) {
      throw std::runtime_error("the peer refused the points");
    }
  }
  void execute(Complex* image, Complex* samples) override { api_.execute(plan_, samples, image); }

 private:
  Finufft<Real> api_;
  typename Finufft<Real>::Plan plan_{};
  std::int64_t count_;
  std::vector<Real> x_[3];
};

// Throws std::runtime_error where it refuses.
template <class Real>
std::unique_ptr<Peer<Real>> makePeer(const NufftProblem& problem, bool adjoint, double tolerance,
                                     const PeerSetting& setting, std::span<const double> points) {
  return std::make_unique<FinufftPeer<Real>>(problem, adjoint, tolerance, setting, points);
}

#else

inline constexpr bool peerFound = false;
inline constexpr const char* peerName = "none";

template <class Real>
std::unique_ptr<Peer<Real>> makePeer(const NufftProblem&, bool, double, const PeerSetting&,
                                     std::span<const double>) {
  return nullptr;
}

#endif

}  // namespace spokelab::bench
