// Sines and cosines of many angles, in loops that the compiler turns into vector instructions.
#pragma once

#include <cstddef>
#include <numbers>

namespace spokelab {

// sin and cos of 2 pi x, to 1e-9, for |x| < 2^51, by Taylor's series of half the angle.
inline void sinesAndCosines(const double* turns, double* sines, double* cosines, std::size_t count) {
  // Adding and subtracting 1.5 x 2^52 rounds to whole turns; -ffast-math would remove both.
  constexpr double whole = 0x1.8p52;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = turns[i] - ((turns[i] + whole) - whole);
    const double y = std::numbers::pi * x, q = y * y;
    const double s =
        y * (1 + q * (-1.0 / 6 +
                      q * (1.0 / 120 +
                           q * (-1.0 / 5040 + q * (1.0 / 362880 + q * (-1.0 / 39916800 + q / 6227020800))))));
    const double c =
        1 + q * (-1.0 / 2 +
                 q * (1.0 / 24 +
                      q * (-1.0 / 720 + q * (1.0 / 40320 + q * (-1.0 / 3628800 + q * (1.0 / 479001600 -
                                                                                      q / 87178291200.0))))));
    sines[i] = 2 * s * c;
    cosines[i] = c * c - s * s;
  }
}

}  // namespace spokelab
