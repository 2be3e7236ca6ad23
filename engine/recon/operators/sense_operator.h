// SENSE and pcSENSE as one operator over any transform:
//   s[g, c] = A_g (C_c e^{i phi_g} m),   g: groups of shots with one phase (SENSE: one group)
//   normal = sum_g sum_c conj(C_c e^{i phi_g}) A_g^H W_g A_g (C_c e^{i phi_g} m)
// With several sets of maps (soft SENSE) m is [set, pixel], and C_c m = sum_s C_{s,c} m_s.
// Maps are [set, coil, pixel], the coils padded with zero maps to a multiple of the transforms'
// batch.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "engine/core/measure/coil_span.h"
#include "engine/recon/operators/sample_transform.h"
#include "engine/recon/operators/vector_space.h"

namespace spokelab {

// A space whose vectors are divided over ranks by coils (rank_space.h).
template <class Space>
concept SharedSpace = requires(Space s, typename Space::Complex* x, std::int64_t n) {
  s.sumOverRanks(x, n);
};

template <VectorSpace Space>
class SenseOperator {
 public:
  using Real = typename Space::Real;
  using Complex = typename Space::Complex;
  using Vector = typename Space::Vector;

  struct Group {
    std::unique_ptr<SampleTransform<Real>> transform;
    Vector phase;  // e^{i phi}, or empty
    bool phased = false;
    // For the adjoint, one a sample: the transform's own, or as complex numbers; neither: ones.
    const Real* placedWeights = nullptr;
    Vector weights;
  };

  // setMaps() follows.
  SenseOperator(Space& space, std::vector<Group> groups, std::int64_t sets, std::int64_t coils,
                std::int64_t pixels)
      : space_(space), groups_(std::move(groups)), pixels_(pixels), sets_(sets), mapped_(coils) {
    for (const Group& g : groups_) batch_ = std::max(batch_, g.transform->batch());
    coils_ = (coils + batch_ - 1) / batch_ * batch_;
    coilImages_ = space_.make(batch_ * pixels);
    if (sets_ > 1) setImages_ = space_.make(batch_ * pixels);
  }
  SenseOperator(Space& space, std::vector<Group> groups, const Complex* maps, std::int64_t sets,
                std::int64_t coils, std::int64_t pixels)
      : SenseOperator(space, std::move(groups), sets, coils, pixels) {
    setMaps(maps);
  }

  // maps: [sets, coils, pixels] in host memory, which are copied, or in the space (`inSpace`),
  // which have to stay until the next ones are set.
  void setMaps(const Complex* maps, bool inSpace = false) {
    maps_ = maps;
    if (inSpace && coils_ == mapped_) return;
    // Each set is padded with maps of zeros to whole batches.
    if (copiedMaps_.size() == 0) copiedMaps_ = space_.make(sets_ * coils_ * pixels_);
    for (std::int64_t s = 0; s < sets_; ++s) {
      Complex* to = copiedMaps_.data() + s * coils_ * pixels_;
      const Complex* from = maps + s * mapped_ * pixels_;
      if (inSpace)
        space_.copy(from, to, mapped_ * pixels_);
      else
        space_.upload(from, to, mapped_ * pixels_);
      space_.zero(to + mapped_ * pixels_, (coils_ - mapped_) * pixels_);
    }
    maps_ = copiedMaps_.data();
  }

  std::int64_t pixels() const { return pixels_; }
  std::int64_t unknowns() const { return sets_ * pixels_; }
  std::int64_t coils() const { return coils_; }  // padded
  std::int64_t groups() const { return std::int64_t(groups_.size()); }
  const SampleTransform<Real>& transform(std::int64_t g) const { return *groups_[std::size_t(g)].transform; }
  // Access to a group, to give it other points and weights; its transform's batch must not change.
  Group& group(std::int64_t g) { return groups_[std::size_t(g)]; }
  // Sum of |C|^2 over all sets, coils and pixels.
  double mapEnergy() const {
    const std::int64_t count = sets_ * coils_ * pixels_;
    if constexpr (SharedSpace<Space>)
      return space_.sumOfRanks(space_.ownDot(maps_, maps_, count));
    else
      return space_.dot(maps_, maps_, count);
  }
  // The largest relative error of the transforms.
  double transformError() const {
    double most = 0;
    for (const Group& g : groups_) most = std::max(most, g.transform->error());
    return most;
  }

  void normal(const Complex* in, Complex* out, const Progress& progress) {
    bool add = false;
    for (Group& g : groups_) add = addNormal(g, in, out, add, progress);
    if constexpr (SharedSpace<Space>) space_.sumOverRanks(out, unknowns());
  }
  // The normal operator of one group: frames that are solved together have a group each.
  void normalOf(std::int64_t group, const Complex* in, Complex* out, const Progress& progress) {
    addNormal(groups_[std::size_t(group)], in, out, false, progress);
    if constexpr (SharedSpace<Space>) space_.sumOverRanks(out, unknowns());
  }

  // The number of coils in one call of addAdjoint(), weigh() and forward().
  std::int64_t batch() const { return batch_; }
  // out (+)= sum_c conj(C_c e^{i phi}) A^H W samples: one group, batch() coils from `firstCoil` on.
  // weighted: the samples, in the space, are multiplied by W in place; else W is left out.
  void addAdjoint(std::int64_t group, std::int64_t firstCoil, Complex* samples, Complex* out, bool weighted,
                  bool add, const Progress& progress) {
    Group& g = groups_[std::size_t(group)];
    if (weighted) weigh(group, samples);
    g.transform->adjoint(samples, coilImages_.data(), batch_, space_.execution(), progress);
    combine(g, firstCoil, out, add);
  }
  // samples [batch, sample] of one group, times W.
  void weigh(std::int64_t group, Complex* samples) {
    Group& g = groups_[std::size_t(group)];
    const std::int64_t count = g.transform->samples();
    if (g.placedWeights)
      space_.scaleReal(g.placedWeights, samples, batch_, count);
    else if (g.weights.size() > 0)
      space_.scale(g.weights.data(), samples, batch_, count);
  }
  // samples [batch, sample] = A C_c e^{i phi} in, of one group and the coils from `firstCoil` on.
  void forward(std::int64_t group, std::int64_t firstCoil, const Complex* in, Complex* samples,
               const Progress& progress) {
    Group& g = groups_[std::size_t(group)];
    expand(g, firstCoil, in);
    g.transform->forward(coilImages_.data(), samples, batch_, space_.execution(), progress);
  }

 private:
  // out (+)= of a group. Always true: the next one adds.
  bool addNormal(Group& g, const Complex* in, Complex* out, bool add, const Progress& progress) {
    for (std::int64_t c = 0; c < coils_; c += batch_) {
      progress.checkpoint();
      const CoilSpan span(c, std::min(batch_, mapped_ - c));
      if (sets_ == 1 && !g.phased && g.transform->takesMaps(space_.execution())) {
        space_.timed(SpaceWork::transforms, [&] {
          g.transform->mappedNormal(in, mapsOf(0, c), coilImages_.data(), batch_, space_.execution(),
                                    progress);
        });
      } else {
        space_.timed(SpaceWork::maps, [&] { expand(g, c, in); });
        space_.timed(SpaceWork::transforms, [&] {
          g.transform->normal(coilImages_.data(), coilImages_.data(), batch_, space_.execution(), progress);
        });
      }
      space_.timed(SpaceWork::maps, [&] { combine(g, c, out, add); });
      add = true;
    }
    return true;
  }

  static const Complex* phaseOf(const Group& g) { return g.phased ? g.phase.data() : nullptr; }
  const Complex* mapsOf(std::int64_t set, std::int64_t firstCoil) const {
    return maps_ + (set * coils_ + firstCoil) * pixels_;
  }

  // A batch of coil images of in [set, pixel].
  void expand(const Group& g, std::int64_t firstCoil, const Complex* in) {
    space_.expand(in, mapsOf(0, firstCoil), phaseOf(g), coilImages_.data(), batch_, pixels_);
    for (std::int64_t s = 1; s < sets_; ++s) {
      space_.expand(in + s * pixels_, mapsOf(s, firstCoil), phaseOf(g), setImages_.data(), batch_, pixels_);
      space_.axpy(1, setImages_.data(), coilImages_.data(), batch_ * pixels_);
    }
  }
  // The adjoint of the product with the maps: sums coils with conjugated maps.
  void combine(const Group& g, std::int64_t firstCoil, Complex* out, bool add) {
    for (std::int64_t s = 0; s < sets_; ++s)
      space_.combine(coilImages_.data(), mapsOf(s, firstCoil), phaseOf(g), out + s * pixels_, batch_, pixels_,
                     add);
  }

  Space& space_;
  std::vector<Group> groups_;
  std::int64_t pixels_, sets_, mapped_, coils_ = 0, batch_ = 1;  // mapped_: coils without the padding
  const Complex* maps_ = nullptr;
  Vector copiedMaps_, coilImages_, setImages_;  // setImages_: of one further set
};

}  // namespace spokelab
