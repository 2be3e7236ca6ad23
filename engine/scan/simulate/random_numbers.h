// Random numbers that depend on a seed and an index only: the same on every machine, for any thread
// count. Mixing function: Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
// OOPSLA 2014 (SplitMix64).
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>

namespace spokelab {

inline std::uint64_t mixBits(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

// Uniform in [0, 1), with all 53 bits of a double.
inline double uniformNumber(std::uint64_t seed, std::uint64_t index) {
  return double(mixBits(mixBits(seed) ^ index) >> 11) * 0x1p-53;
}

// Real and imaginary part independent, normal, standard deviation 1 each (Box and Muller).
inline std::complex<double> complexNormal(std::uint64_t seed, std::uint64_t index) {
  const double u = 1 - uniformNumber(seed, 2 * index);  // in (0, 1]
  const double v = uniformNumber(seed, 2 * index + 1);
  return std::polar(std::sqrt(-2 * std::log(u)), 2 * std::numbers::pi * v);
}

}  // namespace spokelab
