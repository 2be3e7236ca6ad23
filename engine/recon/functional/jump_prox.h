// The proximal map of the jumps between frames [frame, pixel], each pixel by itself:
//   x = argmin_x 1/2 sum_t |x_t - v_t|^2 + threshold sum_t |x_{t+1} - x_t|,  values complex
// by its dual, x = v - D^H z with |z_t| <= threshold, D the differences: projected gradient steps
// of length 1/4 with Nesterov's momentum (Beck, Teboulle 2009), which starts anew where it points
// uphill (O'Donoghue, Candes 2015).
#pragma once

#include "engine/recon/operators/vector_space.h"

namespace spokelab {

struct JumpProx {
  double threshold = 0;
  std::int64_t frames = 1, pixels = 0;
  int maxSteps = 0;
};

// A pixel is done where a step moves no value of its dual by more than this share of the threshold.
inline constexpr double minJumpStep = 3e-4;

// values: v, which becomes x. dual [frame - 1, pixel]: the start of z, replaced by its last value.
// room: scratch of twice the dual's length, which a space may use. roots [pixel]: sqrt(sum_t
// |x_{t+1} - x_t|) of the result.
template <class Real>
void jumpProx(const HostSpace<Real>& space, const JumpProx& prox, std::complex<Real>* values,
              std::complex<Real>* dual, std::complex<Real>* room, std::complex<Real>* roots);

}  // namespace spokelab
