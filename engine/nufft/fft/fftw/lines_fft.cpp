#include "engine/nufft/fft/lines_fft.h"

#include <fftw3.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <type_traits>

#include "engine/core/array.h"
#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
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
  static Plan plan(int n, int lines, Complex* from, Complex* to, int distance, int sign, unsigned effort) {
    return fftwf_plan_many_dft(1, &n, lines, from, nullptr, 1, distance, to, nullptr, 1, distance, sign,
                               effort);
  }
  static Plan box(const Index3& n, Complex* data, int sign) {
    return fftwf_plan_dft_3d(int(n[2]), int(n[1]), int(n[0]), data, data, sign, FFTW_ESTIMATE);
  }
  static void execute(Plan plan, Complex* from, Complex* to) { fftwf_execute_dft(plan, from, to); }
  static constexpr const char* wisdomEnding = ".fftwf";
  static bool importFrom(const std::string& text) { return fftwf_import_wisdom_from_string(text.c_str()); }
  static char* exported() { return fftwf_export_wisdom_to_string(); }
  static void forget() { fftwf_forget_wisdom(); }
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
  static Plan plan(int n, int lines, Complex* from, Complex* to, int distance, int sign, unsigned effort) {
    return fftw_plan_many_dft(1, &n, lines, from, nullptr, 1, distance, to, nullptr, 1, distance, sign,
                              effort);
  }
  static Plan box(const Index3& n, Complex* data, int sign) {
    return fftw_plan_dft_3d(int(n[2]), int(n[1]), int(n[0]), data, data, sign, FFTW_ESTIMATE);
  }
  static void execute(Plan plan, Complex* from, Complex* to) { fftw_execute_dft(plan, from, to); }
  static constexpr const char* wisdomEnding = ".fftw";
  static bool importFrom(const std::string& text) { return fftw_import_wisdom_from_string(text.c_str()); }
  static char* exported() { return fftw_export_wisdom_to_string(); }
  static void forget() { fftw_forget_wisdom(); }
  void operator()(Plan plan) const { fftw_destroy_plan(plan); }
};

// FFTW's planner is not reentrant, in either precision.
std::mutex& plannerMutex() {
  static std::mutex mutex;
  return mutex;
}

// Kept until the program ends, which destroys them.
template <class Real>
using KeptPlan = std::unique_ptr<std::remove_pointer_t<typename Fftw<Real>::Plan>, Fftw<Real>>;

template <class Real>
void initialise() {
  static const bool done = (Fftw<Real>::init(), true);
  (void)done;
}

unsigned flagOf(FftEffort effort) {
  if (effort == FftEffort::measure) return FFTW_MEASURE;
  return effort == FftEffort::patient ? FFTW_PATIENT : FFTW_ESTIMATE;
}

// The file beside which FFTW's wisdom is kept; guarded by plannerMutex().
std::filesystem::path& wisdomPlace() {
  static std::filesystem::path place;
  return place;
}

template <class Real>
std::filesystem::path wisdomFileOf(const std::filesystem::path& place) {
  return place.string() + Fftw<Real>::wisdomEnding;
}

// True unless a file is there that is not FFTW's.
template <class Real>
bool importWisdom() {
  std::ifstream file(wisdomFileOf<Real>(wisdomPlace()));
  if (!file) return true;
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return text.empty() || Fftw<Real>::importFrom(text);
}

// Reads first, so that plans of another process stay. A failure costs another measurement alone.
template <class Real>
void exportWisdom() {
  if (wisdomPlace().empty() || !importWisdom<Real>()) return;
  char* const text = Fftw<Real>::exported();
  if (!text) return;
  try {
    writeKeptFile(wisdomFileOf<Real>(wisdomPlace()), text);
  } catch (const Error&) {
  }
  std::free(text);
}

template <class Real, class Make>
void planOnce(KeptPlan<Real>& plan, std::int64_t numbers, int threads, const std::string& length,
              const Make& make) {
  if (plan) return;
  Buffer<std::complex<Real>> scratch(static_cast<std::size_t>(numbers));
  Fftw<Real>::threads(threads);
  plan.reset(make(reinterpret_cast<typename Fftw<Real>::Complex*>(scratch.data())));
  if (!plan)
    throw Error("Cannot plan a Fourier transform", "FFTW has none for length " + length,
                "Choose another oversampling ratio");
}

}  // namespace

template <class Real>
LinesFft<Real>::LinesFft(int length, int lines, int distance, int sign, int threads, FftTarget target,
                         FftEffort effort) {
  static std::map<std::tuple<int, int, int, int, int, FftTarget, FftEffort>, KeptPlan<Real>> plans;
  initialise<Real>();
  const std::lock_guard lock(plannerMutex());
  KeptPlan<Real>& plan = plans[{length, lines, distance, sign, threads, target, effort}];
  const bool measures = !plan && flagOf(effort) != FFTW_ESTIMATE;
  if (measures && !wisdomPlace().empty()) importWisdom<Real>();
  const std::int64_t numbers = std::int64_t{lines} * distance;
  const bool inPlace = target == FftTarget::inPlace;
  planOnce<Real>(plan, inPlace ? numbers : 2 * numbers, threads, std::to_string(length), [&](auto* from) {
    return Fftw<Real>::plan(length, lines, from, inPlace ? from : from + numbers, distance, sign,
                            flagOf(effort));
  });
  if (measures) exportWisdom<Real>();
  plan_ = plan.get();
}

template <class Real>
void LinesFft<Real>::execute(std::complex<Real>* from, std::complex<Real>* to) const {
  using Api = Fftw<Real>;
  Api::execute(static_cast<typename Api::Plan>(plan_), reinterpret_cast<typename Api::Complex*>(from),
               reinterpret_cast<typename Api::Complex*>(to));
}

template <class Real>
BoxFft<Real>::BoxFft(const Index3& size, int sign, int threads) {
  static std::map<std::tuple<Index3, int, int>, KeptPlan<Real>> plans;
  initialise<Real>();
  const std::lock_guard lock(plannerMutex());
  KeptPlan<Real>& plan = plans[{size, sign, threads}];
  planOnce<Real>(plan, product(size), threads, shapeText({size[0], size[1], size[2]}),
                 [&](auto* data) { return Fftw<Real>::box(size, data, sign); });
  plan_ = plan.get();
}

template <class Real>
void BoxFft<Real>::execute(std::complex<Real>* data) const {
  using Api = Fftw<Real>;
  auto* const box = reinterpret_cast<typename Api::Complex*>(data);
  Api::execute(static_cast<typename Api::Plan>(plan_), box, box);
}

void keepFftWisdomBeside(const std::filesystem::path& file) {
  const std::lock_guard lock(plannerMutex());
  wisdomPlace() = file;
}

void forgetFftWisdomBeside(const std::filesystem::path& file) {
  initialise<float>();
  initialise<double>();
  const std::lock_guard lock(plannerMutex());
  Fftw<float>::forget();
  Fftw<double>::forget();
  std::error_code ignored;
  std::filesystem::remove(wisdomFileOf<float>(file), ignored);
  std::filesystem::remove(wisdomFileOf<double>(file), ignored);
}

std::string fftVersion() {
  return fftw_version;
}

bool fftMeasuresPlans() {
  return true;
}

template class LinesFft<float>;
template class LinesFft<double>;
template class BoxFft<float>;
template class BoxFft<double>;

}  // namespace spokelab
