// Coil images, one after the other, to the image of a slice or volume: each by itself, by the root
// of the sum of squares (one coil keeps its phase), or adaptively.
#pragma once

#include <complex>

#include "engine/core/array.h"
#include "engine/core/progress.h"
#include "engine/recon/options/options.h"

namespace spokelab {

// Pixels of the block of an adaptive combination: as the options say, or where they leave it open.
int walshBlock(const ReconOptions& options, int dims);

template <class Real>
class CoilCombiner {
 public:
  using Complex = std::complex<Real>;

  // size: of a slice or volume. Throws Error if an adaptive combination needs too much memory.
  CoilCombiner(const ReconOptions& options, int coils, const Index3& size);

  // Coil `coil`; `out` is its own image where coils stay apart, else the combined one.
  void add(int coil, const Complex* image, Complex* out);
  // Combines; call it after all coils.
  void finish(Complex* out, const Progress& progress);

 private:
  Combination combination_;
  int coils_, block_, threads_;
  Index3 size_;
  std::int64_t pixels_;
  Buffer<double> squares_;  // double: squares of floats neither overflow nor vanish in it
  Buffer<Complex> images_;  // [coil, pixel], adaptive
};

}  // namespace spokelab
