// Bodies of NudftSums. One source for each instruction set includes it; the unnamed namespace keeps
// the compiled copies apart.
#include <cmath>

#include "engine/nufft/exact/nudft_sums.h"

namespace spokelab {
namespace {

// 1.5 * 2^52: adding and subtracting it rounds to a whole number.
constexpr double roundMagic = 6755399441055744.0;

inline double nearest(double x) {
  return (x + roundMagic) - roundMagic;
}

// n k minus the nearest whole number, rounded once; n k itself must stay below 2^50.
inline double reduced(double n, double k) {
  return std::fma(n, k, -nearest(n * k));
}

// sin and cos of 2 pi r, |r| <= 1/2: half turns by sign, the rest by Taylor's series on a quarter
// turn to either side (next terms below 1e-18).
inline void sinCosTurns(double r, double& s, double& c) {
  const double half = nearest(2 * r);
  const double sign = 1 - 2 * std::abs(half);
  const double x = 6.283185307179586476925 * (r - 0.5 * half);
  const double y = x * x;
  double sine = 1.9572941063391263e-20;  // 1 / 21!
  sine = sine * y - 8.2206352466243295e-18;
  sine = sine * y + 2.8114572543455206e-15;
  sine = sine * y - 7.6471637318198165e-13;
  sine = sine * y + 1.6059043836821613e-10;
  sine = sine * y - 2.5052108385441720e-08;
  sine = sine * y + 2.7557319223985893e-06;
  sine = sine * y - 1.9841269841269841e-04;
  sine = sine * y + 8.3333333333333333e-03;
  sine = sine * y - 1.6666666666666667e-01;
  s = sign * (x + x * y * sine);
  double cosine = -8.8967913924505741e-22;  // -1 / 22!
  cosine = cosine * y + 4.1103176233121648e-19;
  cosine = cosine * y - 1.5619206968586226e-16;
  cosine = cosine * y + 4.7794773323873853e-14;
  cosine = cosine * y - 1.1470745597729725e-11;
  cosine = cosine * y + 2.0876756987868099e-09;
  cosine = cosine * y - 2.7557319223985891e-07;
  cosine = cosine * y + 2.4801587301587302e-05;
  cosine = cosine * y - 1.3888888888888889e-03;
  cosine = cosine * y + 4.1666666666666667e-02;
  c = sign * (1 - y * (0.5 - y * cosine));
}

void phasesOf(const double* k, std::int64_t start, std::int64_t count, double* re, double* im) {
  for (std::int64_t n = 0; n < count; ++n)
    for (int p = 0; p < nudftLanes; ++p) {
      double s, c;
      sinCosTurns(reduced(double(start + n), k[p]), s, c);
      re[n * nudftLanes + p] = c;
      im[n * nudftLanes + p] = s;
    }
}

void dotRow(const double* row, const double* phaseRe, const double* phaseIm, std::int64_t count, double* re,
            double* im) {
  double sumRe[nudftLanes] = {}, sumIm[nudftLanes] = {};
  for (std::int64_t n = 0; n < count; ++n) {
    const double fr = row[2 * n], fi = row[2 * n + 1];
    const double* er = phaseRe + n * nudftLanes;
    const double* ei = phaseIm + n * nudftLanes;
    for (int p = 0; p < nudftLanes; ++p) {
      sumRe[p] += fr * er[p] - fi * ei[p];
      sumIm[p] += fr * ei[p] + fi * er[p];
    }
  }
  for (int p = 0; p < nudftLanes; ++p) {
    re[p] = sumRe[p];
    im[p] = sumIm[p];
  }
}

void addRow(const double* weightRe, const double* weightIm, const double* phaseRe, const double* phaseIm,
            std::int64_t count, double* row) {
  for (std::int64_t n = 0; n < count; ++n) {
    const double* er = phaseRe + n * nudftLanes;
    const double* ei = phaseIm + n * nudftLanes;
    double re = 0, im = 0;
    for (int p = 0; p < nudftLanes; ++p) {
      re += weightRe[p] * er[p] - weightIm[p] * ei[p];
      im += weightRe[p] * ei[p] + weightIm[p] * er[p];
    }
    row[2 * n] += re;
    row[2 * n + 1] += im;
  }
}

void pixelSum(const double* const* k, const double* n, const double* re, const double* im, std::int64_t count,
              double* out) {
  double sumRe[nudftLanes] = {}, sumIm[nudftLanes] = {};
  for (std::int64_t j = 0; j < count; j += nudftLanes)
    for (int p = 0; p < nudftLanes; ++p) {
      const double turns =
          reduced(n[0], k[0][j + p]) + reduced(n[1], k[1][j + p]) + reduced(n[2], k[2][j + p]);
      double s, c;
      sinCosTurns(turns - nearest(turns), s, c);
      sumRe[p] += re[j + p] * c - im[j + p] * s;
      sumIm[p] += re[j + p] * s + im[j + p] * c;
    }
  for (int p = 0; p < nudftLanes; ++p) {
    out[0] += sumRe[p];
    out[1] += sumIm[p];
  }
}

constexpr NudftSums sums{phasesOf, dotRow, addRow, pixelSum};

}  // namespace
}  // namespace spokelab
