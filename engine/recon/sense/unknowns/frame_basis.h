// Frames as combinations of a few unknown images: x_t = sum_k phi(t, k) c_k, and the normal
// operator sum_t phi_t^H T_t phi_t. Frames that share their points share a T: where there are more
// of them than images, T is applied to the images, and the products of the basis mix its results:
//   sum_{t in g} conj(phi(t, i)) T_g phi(t, j) = T_g G(i, j)
//   G(i, j) = sum_{t in g} conj(phi(t, i)) phi(t, j)
// Works on any vector space.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/recon/operators/vector_space.h"
#include "engine/recon/sense/sense_problem.h"
#include "engine/recon/sense/unknowns/basis_kernels.h"

namespace spokelab {

template <VectorSpace Space>
class FrameBasis {
 public:
  using Complex = typename Space::Complex;
  using Vector = typename Space::Vector;

  // each: values of an image (all sets). frames: all have the same number of coefficients, or none.
  FrameBasis(Space& space, const std::vector<SenseProblem>& frames, std::int64_t each)
      : space_(space),
        frames_(frames),
        imageUnknowns_(each),
        count_(std::int64_t(frames.front().basis.size())) {}

  bool acts() const { return count_ > 0; }
  // The unknown ones: the coefficients, or a frame each.
  std::int64_t images() const { return acts() ? count_ : std::int64_t(frames_.size()); }

  // unknown [image, imageUnknowns_] += phi_t^H frame
  void addAdjoint(std::size_t t, const Complex* frame, Complex* unknown) {
    for (std::int64_t k = 0; k < count_; ++k)
      space_.addTimes(Complex(std::conj(of(t, k))), frame, unknown + k * imageUnknowns_, imageUnknowns_);
  }

  // The same by kernels: normal(p, in, out): T_ij of the pair with this number (basis_kernels.h).
  template <class Normal>
  void normalByKernels(const Normal& normal, const Complex* unknown, Complex* out) {
    if (result_.size() == 0) result_ = space_.make(imageUnknowns_);
    space_.zero(out, count_ * imageUnknowns_);
    const auto add = [&](std::int64_t pair, std::int64_t from, std::int64_t to) {
      normal(pair, unknown + from * imageUnknowns_, result_.data());
      space_.axpy(1, result_.data(), out + to * imageUnknowns_, imageUnknowns_);
    };
    const auto pairs = basisPairs(count_);
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const auto [i, j] = pairs[p];
      add(std::int64_t(p), j, i);
      if (i != j) add(std::int64_t(p), i, j);
    }
  }

  // out = the normal operator of `unknown`. groups: of each frame, its T; normal(g, in, out): T_g.
  template <class Normal>
  void normal(const std::vector<std::int64_t>& groups, const Normal& normal, const Complex* unknown,
              Complex* out) {
    if (image_.size() == 0) image_ = space_.make(imageUnknowns_);
    if (result_.size() == 0) result_ = space_.make(imageUnknowns_);
    space_.zero(out, count_ * imageUnknowns_);
    std::vector<std::vector<std::size_t>> members;
    for (std::size_t t = 0; t < groups.size(); ++t) {
      members.resize(std::max(members.size(), std::size_t(groups[t]) + 1));
      members[std::size_t(groups[t])].push_back(t);
    }
    for (std::size_t g = 0; g < members.size(); ++g)
      if (std::int64_t(members[g].size()) > count_)
        ofImages(std::int64_t(g), members[g], normal, unknown, out);
      else
        for (const std::size_t t : members[g]) ofFrame(std::int64_t(g), t, normal, unknown, out);
  }

 private:
  cdouble of(std::size_t t, std::int64_t k) const { return frames_[t].basis[std::size_t(k)]; }

  template <class Normal>
  void ofFrame(std::int64_t group, std::size_t t, const Normal& normal, const Complex* unknown,
               Complex* out) {
    space_.zero(image_.data(), imageUnknowns_);
    for (std::int64_t k = 0; k < count_; ++k)
      space_.addTimes(Complex(of(t, k)), unknown + k * imageUnknowns_, image_.data(), imageUnknowns_);
    normal(group, image_.data(), result_.data());
    addAdjoint(t, result_.data(), out);
  }

  template <class Normal>
  void ofImages(std::int64_t group, const std::vector<std::size_t>& frames, const Normal& normal,
                const Complex* unknown, Complex* out) {
    for (std::int64_t j = 0; j < count_; ++j) {
      normal(group, unknown + j * imageUnknowns_, result_.data());
      for (std::int64_t i = 0; i < count_; ++i) {
        cdouble product = 0;
        for (const std::size_t t : frames) product += std::conj(of(t, i)) * of(t, j);
        space_.addTimes(Complex(product), result_.data(), out + i * imageUnknowns_, imageUnknowns_);
      }
    }
  }

  Space& space_;
  const std::vector<SenseProblem>& frames_;
  std::int64_t imageUnknowns_, count_;
  Vector image_, result_;
};

}  // namespace spokelab
