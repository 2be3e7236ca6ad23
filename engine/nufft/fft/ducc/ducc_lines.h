// DUCC's one-dimensional transforms, compiled once for each instruction set.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>

namespace spokelab {

// Transforms of one length. An object has no state that execute() changes: any thread calls it.
template <class Real>
class DuccLength {
 public:
  virtual ~DuccLength() = default;
  // `lines` lines that are `distance` apart, from one array into another one or in place, unscaled.
  // threads: of a single line.
  virtual void execute(const std::complex<Real>* from, std::complex<Real>* to, std::size_t lines,
                       std::size_t distance, bool negativeSign, std::size_t threads) const = 0;
};

// The transforms of a length for one instruction set. single: for lines one by one, which DUCC
// plans otherwise than batches. The last argument names the precision.
std::unique_ptr<const DuccLength<float>> duccPortable(std::size_t length, bool single, float);
std::unique_ptr<const DuccLength<double>> duccPortable(std::size_t length, bool single, double);
#ifdef SPOKELAB_X86_64
std::unique_ptr<const DuccLength<float>> duccAvx2(std::size_t length, bool single, float);
std::unique_ptr<const DuccLength<double>> duccAvx2(std::size_t length, bool single, double);
#endif

}  // namespace spokelab
