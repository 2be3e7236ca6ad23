// Frames [frame, pixel] as the sum of a part L of low rank, what all frames share, and a part S
// whose course in time has few frequencies (Otazo, Candes, Sodickson 2015):
//   R(L, S) = weight sqrt(n) |L|_* + |T S|_1,   n the larger number of pixels and frames
// T: the unitary Fourier transform along the frames of each train, of echoes for example. sqrt(n)
// balances the two (Candes, Li, Ma, Wright 2011), so that one weight serves any matrix. Both maps
// are the processor's work: on a device the parts are copied to host memory and back.
#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "engine/core/array.h"
#include "engine/recon/functional/frame_trains.h"
#include "engine/recon/operators/vector_space.h"

namespace spokelab {

// values [frame, pixel] with singular values shrunk by the threshold; returns the new ones' sum.
template <class Real>
double shrinkSingularValues(double threshold, std::int64_t frames, std::int64_t pixels, int threads,
                            std::complex<Real>* values);

// values [frame, pixel], the frequencies of each train's courses shrunk; returns the sum of the new
// magnitudes.
template <class Real>
double shrinkFrequencies(double threshold, const FrameTrains& trains, std::int64_t pixels, int threads,
                         std::complex<Real>* values);

template <VectorSpace Space>
class LowRankSparse {
 public:
  using Real = typename Space::Real;
  using Complex = typename Space::Complex;

  LowRankSparse(Space& space, FrameTrains trains, std::int64_t pixels, double weight, int threads)
      : space_(space),
        trains_(std::move(trains)),
        frames_(trains_.frames()),
        pixels_(pixels),
        lowRankWeight_(weight * std::sqrt(double(std::max(frames_, pixels)))),
        threads_(threads) {}

  std::int64_t unknowns() const { return 2 * frames_ * pixels_; }

  // parts [part, frame, pixel]: L, then S, in place by their proximal maps; returns R.
  double prox(double threshold, Complex* parts) {
    if constexpr (std::is_same_v<Space, HostSpace<Real>>) return onHost(threshold, parts);
    host_.resize(std::size_t(unknowns()));
    space_.download(parts, host_.data(), unknowns());
    const double value = onHost(threshold, host_.data());
    space_.upload(host_.data(), parts, unknowns());
    return value;
  }

 private:
  double onHost(double threshold, Complex* parts) const {
    const double lowRank =
        shrinkSingularValues(lowRankWeight_ * threshold, frames_, pixels_, threads_, parts);
    return lowRankWeight_ * lowRank +
           shrinkFrequencies(threshold, trains_, pixels_, threads_, parts + frames_ * pixels_);
  }

  Space& space_;
  FrameTrains trains_;
  std::int64_t frames_, pixels_;
  double lowRankWeight_;
  int threads_;
  Buffer<Complex> host_;
};

}  // namespace spokelab
