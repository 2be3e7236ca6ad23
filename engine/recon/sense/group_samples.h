// The samples of a coil that a group of shots takes, as one array.
#pragma once

#include <variant>

#include "engine/core/array.h"
#include "engine/core/error.h"
#include "engine/core/thread_pool.h"
#include "engine/recon/sense/sense_groups.h"

namespace spokelab {

// A group's samples of a coil: in place if contiguous in this precision, else gathered.
template <class Complex>
const Complex* groupSamples(const ComplexPointer& coil, const ShotGroup& group, int threads,
                            Buffer<Complex>& room) {
  constexpr std::int64_t samplesPerTask = 1 << 14;
  const auto count = std::int64_t(group.samples.size());
  const auto* const* same = std::get_if<const Complex*>(&coil);
  if (same && group.samples.contiguous() && count > 0) return *same + group.samples.front();
  room.resize(std::size_t(count));
  const auto gather = [&](const auto* in) {
    parallelFor(count, threads, samplesPerTask, [&](std::int64_t begin, std::int64_t end) {
      for (auto j = std::size_t(begin); j < std::size_t(end); ++j) room[j] = Complex(in[group.samples[j]]);
    });
  };
  std::visit(gather, coil);
  return room.data();
}

// A group's samples in the backend's memory. Throws Error if they would have to be gathered.
template <class Complex>
const Complex* deviceSamples(const ComplexPointer& coil, const ShotGroup& group) {
  const auto* const* same = std::get_if<const Complex*>(&coil);
  if (!same || !group.samples.contiguous())
    throw Error("Cannot reconstruct samples in the memory of a GPU",
                "samples of a group of shots have to follow each other, in the precision of the iterations",
                "Give them in host memory");
  return *same + (group.samples.empty() ? 0 : group.samples.front());
}

}  // namespace spokelab
