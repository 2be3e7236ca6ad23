// FFTW in both precisions behind one name, its planner behind one lock, its threads on our pool.
// Plans are kept for the life of the process: asking for one again costs a look-up.
#pragma once

#include <complex>
#include <cstdint>
#include <filesystem>
#include <string>

#include "engine/core/array.h"
#include "engine/nufft/problem/options.h"

namespace spokelab {

// The target of a transform. If FFTW does not measure, plans into another array are faster by a
// tenth to a third.
enum class FftwTarget { inPlace, otherArray };

// True if a block and the result beside it fit into the second-level cache.
constexpr bool fitsTwice(std::int64_t blockBytes) {
  constexpr std::int64_t maxBytes = std::int64_t{1} << 18;
  return blockBytes <= maxBytes;
}

// Complex transforms of `lines` lines of `length` numbers that lie `distance` apart, each
// contiguous, exponent sign as given, unscaled. Executes on any arrays aligned like ours (16
// bytes), from any thread.
template <class Real>
class FftwLines {
 public:
  FftwLines() = default;
  FftwLines(int length, int lines, int distance, int sign, int threads = 1,
            FftwTarget target = FftwTarget::inPlace, FftEffort effort = FftEffort::estimate);
  void execute(std::complex<Real>* data) const;  // in place
  // Into another array, in which the lines lie alike. `from` keeps its values.
  void execute(std::complex<Real>* from, std::complex<Real>* to) const;

 private:
  void* plan_ = nullptr;
};

// In-place complex transforms of a whole box, x fastest, unscaled: nothing is pruned. The yardstick
// of studies.
template <class Real>
class FftwBox {
 public:
  FftwBox(const Index3& size, int sign, int threads = 1);
  void execute(std::complex<Real>* data) const;

 private:
  void* plan_ = nullptr;
};

std::string fftwVersion();

// Keeps what FFTW measures from now on in FILE.fftw and FILE.fftwf (double and single precision),
// beside our own wisdom, and uses what is there: measuring again then costs little. A file that
// FFTW does not understand is left alone. Empty: nothing is kept.
void keepFftwWisdomBeside(const std::filesystem::path& file);
// Removes these files and what FFTW knows.
void forgetFftwWisdomBeside(const std::filesystem::path& file);

extern template class FftwLines<float>;
extern template class FftwLines<double>;
extern template class FftwBox<float>;
extern template class FftwBox<double>;

}  // namespace spokelab
