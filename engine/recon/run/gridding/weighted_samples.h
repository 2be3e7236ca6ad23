// Samples times their density weights, on the way to a transform.
#pragma once

#include <cstdint>
#include <span>
#include <variant>

#include "engine/core/thread_pool.h"
#include "engine/scan/scan.h"

namespace spokelab {

// The weighted samples of a coil, in the precision of the transform.
template <class Complex>
void weightSamples(ComplexPointer coil, std::span<const double> weights, int threads, Complex* out) {
  using Real = typename Complex::value_type;
  constexpr std::int64_t valuesPerTask = 1 << 14;  // takes some microseconds
  const auto weight = [&](const auto* in) {
    parallelFor(std::int64_t(weights.size()), threads, valuesPerTask,
                [&](std::int64_t begin, std::int64_t end) {
                  for (std::int64_t j = begin; j < end; ++j)
                    out[j] = Complex(in[j]) * Real(weights[std::size_t(j)]);
                });
  };
  std::visit(weight, coil);
}

}  // namespace spokelab
