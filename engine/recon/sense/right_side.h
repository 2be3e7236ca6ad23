// The right side of the normal equations of SENSE: b = sum_g,c conj(C_c e^{i phi_g}) A_g^H W y,
// group after group, and sums over the samples on the way. W: the operator's weights, which
// setGroupWeights() (sense_plan.h) has divided by their sum D.
#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "engine/core/error.h"
#include "engine/recon/coils/coil_mixer.h"
#include "engine/recon/operators/sense_operator.h"
#include "engine/recon/sense/group_samples.h"
#include "engine/recon/sense/sense_problem.h"

namespace spokelab {

struct SampleSums {
  double energy = 0, values = 0;  // sum |y|^2; the number of samples y of all coils
  double weightedEnergy = 0;      // sum W |y|^2
};

// Throws Error where a sample was not finite. target: |b|.
inline void requireFiniteSums(double target, const SampleSums& sums) {
  if (!std::isfinite(target) || !std::isfinite(sums.energy))
    throw Error("Cannot reconstruct iteratively", "a sample is not finite, or too large for the precision",
                "Remove such samples, scale them down, or use double precision");
}

template <VectorSpace Space>
class RightSide {
 public:
  using Complex = typename Space::Complex;
  using Vector = typename Space::Vector;

  // Adds the problem's samples. All arguments outlive the object.
  RightSide(Space& space, const SenseProblem& problem, SenseOperator<Space>& op)
      : space_(space), problem_(problem), op_(op) {}

  bool measuresWeighted = false;  // the weighted energy costs another array
  Complex* kept = nullptr;        // [coil, sample] of the next shots, which get a copy; null: none

  // out (+)= of the samples of `shot`, by the operator's group of that number.
  void add(const ShotGroup& shot, std::int64_t group, bool add, Complex* out, const Progress& progress) {
    const std::int64_t coils = std::int64_t(problem_.coils.size()), batch = op_.batch();
    const std::int64_t count = std::int64_t(shot.samples.size());
    Vector device = space_.make(batch * count), plain;
    if (measuresWeighted) plain = space_.make(batch * count);
    for (std::int64_t c = 0; c < op_.coils(); c += batch) {
      for (std::int64_t i = 0; i < batch; ++i) {
        Complex* const to = device.data() + i * count;
        if (c + i >= coils) {
          space_.zero(to, count);
          continue;
        }
        const ComplexPointer& coil = problem_.coils[std::size_t(c + i)];
        if (problem_.deviceImage)
          space_.copy(deviceSamples<Complex>(coil, shot), to, count);
        else if (const Complex* const there = copyThere(coil, shot))
          space_.copy(there, to, count);
        else {
          const Complex* const from = groupSamples(coil, shot, problem_.nufft.threads, host_);
          const std::int64_t run =
              from == host_.data() ? 1 : runOf(from, c + i, std::min(batch - i, coils - c - i), shot);
          space_.upload(from, to, run * count);
          sums_.values += double((run - 1) * count);
          i += run - 1;
        }
        sums_.values += double(count);
      }
      sums_.energy += dot(device.data(), device.data(), batch * count);
      if (measuresWeighted) space_.copy(device.data(), plain.data(), batch * count);
      if (kept) space_.copy(device.data(), kept + c * count, batch * count);
      // This weights the samples in place.
      op_.addAdjoint(group, c, device.data(), out, true, add || c > 0, progress);
      if (measuresWeighted) sums_.weightedEnergy += dot(plain.data(), device.data(), batch * count);
    }
  }

  // Over all ranks.
  SampleSums sums() const {
    SampleSums sums = sums_;
    if constexpr (SharedSpace<Space>)
      for (double* const sum : {&sums.energy, &sums.values, &sums.weightedEnergy})
        *sum = space_.sumOfRanks(*sum);
    return sums;
  }

 private:
  double dot(const Complex* a, const Complex* b, std::int64_t n) const {
    if constexpr (SharedSpace<Space>)
      return space_.ownDot(a, b, n);
    else
      return space_.dot(a, b, n);
  }

  // Samples of a coil that the space holds already, in the group's order; null: none.
  const Complex* copyThere(const ComplexPointer& coil, const ShotGroup& group) const {
    if constexpr (std::is_same_v<Complex, cfloat>) {
      const cfloat* const* host = std::get_if<const cfloat*>(&coil);
      if (problem_.mixer && host && group.samples.contiguous() && !group.samples.empty())
        return problem_.mixer->copyOf(*host + group.samples.front());
    }
    return nullptr;
  }

  // Counts the coils, `maxCoils` at most, whose samples of the group follow each other from `from`
  // on and are not yet copied. `first`: the coil at `from`.
  std::int64_t runOf(const Complex* from, std::int64_t first, std::int64_t maxCoils,
                     const ShotGroup& group) const {
    const auto count = std::int64_t(group.samples.size());
    std::int64_t run = 1;
    for (; run < maxCoils; ++run) {
      const ComplexPointer& coil = problem_.coils[std::size_t(first + run)];
      const Complex* const* const same = std::get_if<const Complex*>(&coil);
      if (!same || *same + group.samples.front() != from + run * count || copyThere(coil, group)) break;
    }
    return run;
  }

  Space& space_;
  const SenseProblem& problem_;
  SenseOperator<Space>& op_;
  SampleSums sums_;
  Buffer<Complex> host_;  // of samples that a coil does not hold as the transform takes them
};

}  // namespace spokelab
