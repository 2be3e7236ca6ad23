// Complex transforms of lines and boxes in both precisions, by the library that SPOKELAB_FFT names
// when Spokelab is configured: FFTW (fftw/), or DUCC (ducc/), whose licence is permissive.
// Both run their threads on our pool. FFTW's planner is behind one lock, and its plans are kept for
// the life of the process: asking for one again costs a look-up.
#pragma once

#include <complex>
#include <cstdint>
#include <filesystem>
#include <string>

#include "engine/core/array.h"
#include "engine/nufft/problem/options.h"

namespace spokelab {

// The target of a transform. Unmeasured plans into another array are a tenth to a third faster.
enum class FftTarget { inPlace, otherArray };

// True if a block and the result beside it fit into the second-level cache.
constexpr bool fitsTwice(std::int64_t blockBytes) {
  constexpr std::int64_t maxBytes = std::int64_t{1} << 18;
  return blockBytes <= maxBytes;
}

// Complex transforms of `lines` lines of `length` numbers that lie `distance` apart, each
// contiguous, exponent sign as given, unscaled. Executes on any arrays aligned like ours (16
// bytes), from any thread. Throws Error for a length that the library cannot plan.
template <class Real>
class LinesFft {
 public:
  LinesFft() = default;
  LinesFft(int length, int lines, int distance, int sign, int threads = 1,
           FftTarget target = FftTarget::inPlace, FftEffort effort = FftEffort::estimate);
  void execute(std::complex<Real>* data) const { execute(data, data); }  // in place
  // Into another array, in which the lines lie alike. `from` keeps its values.
  void execute(std::complex<Real>* from, std::complex<Real>* to) const;

 private:
  void* plan_ = nullptr;
};

// In-place complex transforms of a whole box, x fastest, unscaled. The yardstick of studies.
template <class Real>
class BoxFft {
 public:
  BoxFft(const Index3& size, int sign, int threads = 1);
  void execute(std::complex<Real>* data) const;

 private:
  void* plan_ = nullptr;
};

std::string fftVersion();  // "fftw-3.3.10-sse2-avx", "DUCC 0.42.0"

// True if the library can time its plans (FftEffort::measure, patient). Where it cannot, each
// effort gives the same transform.
bool fftMeasuresPlans();

// Keeps what FFTW measures from now on in FILE.fftw and FILE.fftwf (double and single precision),
// beside our own wisdom, and uses what is there: measuring again then costs little. A file that
// FFTW does not understand is left alone. Empty: nothing is kept.
void keepFftWisdomBeside(const std::filesystem::path& file);
// Removes these files and what FFTW knows.
void forgetFftWisdomBeside(const std::filesystem::path& file);

extern template class LinesFft<float>;
extern template class LinesFft<double>;
extern template class BoxFft<float>;
extern template class BoxFft<double>;

}  // namespace spokelab
