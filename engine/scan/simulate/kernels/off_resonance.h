// Off-resonance of simulated scans: field maps in closed form, and the k-space of an object in such
// a field by exact sums on a grid twice as fine as the image:
//   s_j = (2N)^{-d} sum_n m_n e^{-i (2 pi k_j . r_n + w(r_n) t_j)} e^{-R(r_n) t_j},
//   r_n = n / (2N),  n_d = -N_d ... N_d - 1,
// k in cycles/FOV, r in fields of view, w in rad/s (Gdft in [formulas]), R (R2*) in 1/s, t in
// seconds after the excitation. m_n is the object's mean over the cell of n (averaged over finer
// points; the loss at high k is compensated). Cost: samples x pixels of the finer grid that the
// object covers.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/core/progress.h"
#include "engine/scan/simulate/phantom.h"

namespace spokelab {

// linear: along x, +-peak at the edges of the field of view. quadratic: peak |2 r|^2, r from the
// centre. head: a bump of `peak` near the front of the head, as above the sinuses, on a gentle
// slope.
enum class FieldShape { none, linear, quadratic, head };
// "none", "linear", "quadratic", "head".
const std::vector<std::pair<std::string, FieldShape>>& fieldNames();

struct OffResonance {
  FieldShape shape = FieldShape::none;
  double peakHz = 0;
  // R2* in 1/s at the front of the field of view; it falls to half of that at the back.
  double decay = 0;

  bool acts() const { return (shape != FieldShape::none && peakHz != 0) || decay != 0; }
};

// rad/s at r in fields of view from the centre.
double fieldAt(const OffResonance& field, const Vec3& r, int dims);
// R2* in 1/s there.
double decayAt(const OffResonance& field, const Vec3& r);
// The field map on `matrix`, rad/s: the truth.
Image fieldImage(const OffResonance& field, const Index3& matrix);

class OffResonantSums {
 public:
  // `shifts` as for ShiftedKspace: the coils' exponentials. Throws Error where the grid would not
  // fit into memory.
  OffResonantSums(const Phantom& phantom, const Index3& matrix, const OffResonance& field,
                  std::vector<Vec3> shifts);

  // out[f]: the object's k-space at k, its values times e^{2 pi i shifts[f] . r}. Throws Cancelled.
  void evaluate(const double* k, double seconds, cdouble* out, const Progress& progress) const;

 private:
  int dims_;
  Index3 fine_{1, 1, 1};
  std::int64_t subsamples_ = 1;
  std::vector<Vec3> shifts_;
  // Cells that the object covers: places in fields of view, cycles/s, values [shift].
  std::vector<double> x_, y_, z_, cyclesPerSecond_;
  std::vector<double> decay_;  // 1/s; empty: nothing decays
  std::vector<std::vector<double>> real_, imaginary_;
};

}  // namespace spokelab
