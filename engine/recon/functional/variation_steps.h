// The two halves of a primal-dual step of generalized_variation.h, for images in host memory: one
// pass over the pixels each, where single operations of a space would read and write each array
// several times. Arrays: v, p [axis, pixel]; q [pair of axes, pixel], equal axes first, then
// (0, 1), (0, 2), (1, 2).
#pragma once

#include "engine/recon/operators/vector_space.h"

namespace spokelab {

struct VariationStep {
  Index3 size{1, 1, 1};
  int dims = 2;
  double length = 0;     // s
  double threshold = 0;  // t
};

// p = P_t(p + s (D x' - v')),   q = P_2t(q + s E v')
template <class Real>
void variationAscent(const HostSpace<Real>& space, const VariationStep& step,
                     const std::complex<Real>* xAhead, const std::complex<Real>* vAhead,
                     std::complex<Real>* p, std::complex<Real>* q);

// x = (x - s D^H p + s u) / (1 + s),   v = v + s (p - E^H q);   x' = 2 x - x_before, v' likewise
template <class Real>
void variationDescent(const HostSpace<Real>& space, const VariationStep& step, const std::complex<Real>* u,
                      const std::complex<Real>* p, const std::complex<Real>* q, std::complex<Real>* x,
                      std::complex<Real>* xAhead, std::complex<Real>* v, std::complex<Real>* vAhead);

}  // namespace spokelab
