#include "engine/nufft/fft/fftw.h"

#include <fftw3.h>

#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <type_traits>

#include "engine/core/array.h"
#include "engine/core/error.h"
#include "engine/core/thread_pool.h"

namespace spokelab {

namespace {

// FFTW asks for `jobs` calls of work(data + job * size), all done when this returns.
void runOnPool(void* (*work)(char*), char* data, std::size_t size, int jobs, void*) {
  parallelTasks(jobs, jobs, [=](std::int64_t job) { work(data + static_cast<std::size_t>(job) * size); });
}

template <class Real>
struct Fftw;

template <>
struct Fftw<float> {
  using Plan = fftwf_plan;
  using Complex = fftwf_complex;
  static void init() {
    fftwf_init_threads();
    fftwf_threads_set_callback(runOnPool, nullptr);
  }
  static void threads(int n) { fftwf_plan_with_nthreads(n); }
  static Plan plan(int n, int lines, Complex* data, int distance, int sign) {
    return fftwf_plan_many_dft(1, &n, lines, data, nullptr, 1, distance, data, nullptr, 1, distance, sign,
                               FFTW_ESTIMATE);
  }
  static void execute(Plan plan, Complex* data) { fftwf_execute_dft(plan, data, data); }
  void operator()(Plan plan) const { fftwf_destroy_plan(plan); }
};

template <>
struct Fftw<double> {
  using Plan = fftw_plan;
  using Complex = fftw_complex;
  static void init() {
    fftw_init_threads();
    fftw_threads_set_callback(runOnPool, nullptr);
  }
  static void threads(int n) { fftw_plan_with_nthreads(n); }
  static Plan plan(int n, int lines, Complex* data, int distance, int sign) {
    return fftw_plan_many_dft(1, &n, lines, data, nullptr, 1, distance, data, nullptr, 1, distance, sign,
                              FFTW_ESTIMATE);
  }
  static void execute(Plan plan, Complex* data) { fftw_execute_dft(plan, data, data); }
  void operator()(Plan plan) const { fftw_destroy_plan(plan); }
};

// FFTW's planner is not reentrant, in either precision.
std::mutex& plannerMutex() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace

template <class Real>
FftwLines<Real>::FftwLines(int length, int lines, int distance, int sign, int threads) {
  using Api = Fftw<Real>;
  // Kept until the program ends, which destroys them.
  using Kept = std::unique_ptr<std::remove_pointer_t<typename Api::Plan>, Api>;
  static std::map<std::tuple<int, int, int, int, int>, Kept> plans;
  static const bool initialised = (Api::init(), true);
  (void)initialised;
  const std::lock_guard lock(plannerMutex());
  Kept& plan = plans[{length, lines, distance, sign, threads}];
  if (!plan) {
    Buffer<std::complex<Real>> scratch(static_cast<std::size_t>(lines) * static_cast<std::size_t>(distance));
    Api::threads(threads);
    plan.reset(
        Api::plan(length, lines, reinterpret_cast<typename Api::Complex*>(scratch.data()), distance, sign));
    if (!plan) {
      throw Error("Cannot plan a Fourier transform", "FFTW has none for length " + std::to_string(length),
                  "Choose another oversampling ratio");
    }
  }
  plan_ = plan.get();
}

template <class Real>
void FftwLines<Real>::execute(std::complex<Real>* data) const {
  using Api = Fftw<Real>;
  Api::execute(static_cast<typename Api::Plan>(plan_), reinterpret_cast<typename Api::Complex*>(data));
}

std::string fftwVersion() {
  return fftw_version;
}

template class FftwLines<float>;
template class FftwLines<double>;

}  // namespace spokelab
