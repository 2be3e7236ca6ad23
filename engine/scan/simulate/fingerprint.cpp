#include "engine/scan/simulate/fingerprint.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

#include "engine/scan/simulate/echo_train.h"

namespace spokelab {
namespace {

constexpr double radiansPerDegree = std::numbers::pi / 180;
constexpr double firstT1 = 0.9;
constexpr double furtherT1[] = {1.4, 0.6, 2.2, 0.8, 2.8, 1.1};

}  // namespace

FingerprintSequence fingerprintSequence(int excitations) {
  constexpr double peaks[] = {60, 30, 70, 40}, smallest = 5;  // degrees
  constexpr int lobes = int(std::size(peaks));
  FingerprintSequence sequence;
  for (int n = 0; n < excitations; ++n) {
    const double place = lobes * (n + 0.5) / excitations;
    const int lobe = std::min(lobes - 1, int(place));
    const double height = std::sin(std::numbers::pi * (place - lobe));
    sequence.flips.push_back(radiansPerDegree * (smallest + (peaks[lobe] - smallest) * height));
  }
  return sequence;
}

std::vector<double> fingerprintSignal(const FingerprintSequence& sequence, double t1, double t2) {
  constexpr double minState = 14;  // -ln of the share of its signal below which a state is left out
  const std::size_t excitations = sequence.flips.size();
  const double e1 = std::exp(-sequence.repetition / t1), e2 = std::exp(-sequence.repetition / t2);
  const std::size_t states =
      std::min(excitations, std::size_t(std::ceil(minState * t2 / sequence.repetition)) + 2);
  // [k]: F_k, F_-k, Z_k. All are real, as the excitations turn about y.
  std::vector<double> forth(states + 1), back(states + 1), along(states + 1), signal;
  along[0] = sequence.inversion > 0 ? 1 - 2 * std::exp(-sequence.inversion / t1) : 1;
  for (std::size_t n = 0; n < excitations; ++n) {
    const double c = std::cos(sequence.flips[n]), s = std::sin(sequence.flips[n]);
    const std::size_t used = std::min(n + 1, states);
    for (std::size_t k = 0; k < used; ++k) {
      const double f = forth[k], b = back[k], z = along[k];
      forth[k] = (1 + c) / 2 * f + (c - 1) / 2 * b + s * z;
      back[k] = (c - 1) / 2 * f + (1 + c) / 2 * b + s * z;
      along[k] = c * z - s / 2 * (f + b);
    }
    signal.push_back(forth[0]);
    for (std::size_t k = 0; k < used; ++k) {
      forth[k] *= e2;
      back[k] *= e2;
      along[k] *= e1;
    }
    along[0] += 1 - e1;
    for (std::size_t k = used; k > 0; --k) forth[k] = forth[k - 1];
    for (std::size_t k = 0; k < used; ++k) back[k] = back[k + 1];
    forth[0] = back[0];
    if (used == states) forth[states] = back[states] = along[states] = 0;
  }
  return signal;
}

std::vector<double> shapeT1(const Phantom& phantom) {
  std::vector<double> t1;
  std::size_t further = 0;
  for (const PhantomShape& shape : phantom.shapes) {
    const bool own = !t1.empty() && shape.value.real() > 0;
    t1.push_back(own ? furtherT1[further++ % std::size(furtherT1)] : firstT1);
  }
  return t1;
}

std::vector<Phantom> phantomAtExcitations(const Phantom& phantom, const FingerprintSequence& sequence) {
  std::vector<Phantom> all(sequence.flips.size(), phantom);
  const std::vector<double> t1 = shapeT1(phantom), t2 = shapeT2(phantom);
  for (std::size_t s = 0; s < t1.size(); ++s) {
    const std::vector<double> signal = fingerprintSignal(sequence, t1[s], t2[s]);
    for (std::size_t n = 0; n < all.size(); ++n) all[n].shapes[s].value *= signal[n];
  }
  return all;
}

}  // namespace spokelab
