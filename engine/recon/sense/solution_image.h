// The image of a solution out of a space: to where the problem wants it, or to the host.
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include "engine/recon/sense/join_sets.h"
#include "engine/recon/sense/solve_sense.h"

namespace spokelab {

template <VectorSpace Space>
class SolutionImage {
 public:
  using Complex = typename Space::Complex;

  SolutionImage(Space& space, const SenseProblem& problem, std::int64_t pixels)
      : space_(space), problem_(problem), pixels_(pixels) {}

  // Only the first of several ranks keeps the image.
  void keep(const Complex* x, SenseSolution& solution) const {
    if constexpr (SharedSpace<Space>)
      if (!space_.isFirst()) return;
    if constexpr (std::is_same_v<Complex, cfloat>) {
      if (problem_.deviceImage) return keepOnDevice(x);
      if (problem_.hostImage && problem_.mapSets == 1) return space_.download(x, problem_.hostImage, pixels_);
    }
    std::vector<Complex> host = download(x);
    if constexpr (std::is_same_v<Complex, cdouble>) {
      solution.image.assign(host.begin(), host.end());
      solution.doubleImage = std::move(host);
    } else {
      solution.image = std::move(host);
    }
  }

  std::vector<cfloat> onHost(const Complex* x) const {
    std::vector<Complex> host = download(x);
    if constexpr (std::is_same_v<Complex, cfloat>)
      return host;
    else
      return {host.begin(), host.end()};
  }

 private:
  // One image (joinSets), whatever the sets.
  std::vector<Complex> download(const Complex* x) const {
    const std::int64_t unknowns = problem_.mapSets * pixels_;
    std::vector<Complex> host(static_cast<std::size_t>(unknowns));
    space_.download(x, host.data(), unknowns);
    if (problem_.mapSets > 1) joinSets(host, std::size_t(pixels_));
    return host;
  }
  void keepOnDevice(const Complex* x) const {
    if (problem_.mapSets == 1)
      space_.copy(x, problem_.deviceImage, pixels_);
    else
      space_.upload(download(x).data(), problem_.deviceImage, pixels_);
    space_.synchronize();
  }

  Space& space_;
  const SenseProblem& problem_;
  const std::int64_t pixels_;
};

}  // namespace spokelab
