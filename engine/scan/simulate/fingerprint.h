// MR fingerprinting: an inversion, then excitations of changing flip angles at equal distances,
// with the same gradient moment between any two (FISP; Jiang et al., MRM 74:1621, 2015). The
// signals of tissues follow from extended phase graphs (Weigel, JMRI 41:266, 2015): states F_k, Z_k
// that each excitation mixes, relaxation weakens, and the gradient moves from k to k + 1.
#pragma once

#include <vector>

#include "engine/scan/simulate/phantom.h"

namespace spokelab {

struct FingerprintSequence {
  std::vector<double> flips;  // rad, about y
  double repetition = 12e-3;  // s from excitation to excitation
  double inversion = 20e-3;   // s from the inversion to the first excitation; 0: none
};

// A train of lobes of half sines between 5 and 70 degrees.
FingerprintSequence fingerprintSequence(int excitations);

// The transverse magnetization after each excitation, for an equilibrium of 1: real. t1, t2: s.
std::vector<double> fingerprintSignal(const FingerprintSequence& sequence, double t1, double t2);

// T1 in s of each shape, beside shapeT2() (echo_train.h).
std::vector<double> shapeT1(const Phantom& phantom);
// The phantom after each excitation: its shapes times the signals of their T1 and T2.
std::vector<Phantom> phantomAtExcitations(const Phantom& phantom, const FingerprintSequence& sequence);

}  // namespace spokelab
