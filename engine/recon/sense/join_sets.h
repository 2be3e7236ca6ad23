// One image of the images that several sets of coil maps have (soft SENSE).
#pragma once

#include <cmath>
#include <complex>
#include <vector>

namespace spokelab {

// images [set, pixel] -> [pixel]: the root of the sum of squares, with the phase of the first set.
template <class Real>
void joinSets(std::vector<std::complex<Real>>& images, std::size_t pixels) {
  for (std::size_t i = 0; i < pixels; ++i) {
    Real square = 0;
    for (std::size_t s = i; s < images.size(); s += pixels) square += std::norm(images[s]);
    images[i] = std::polar(std::sqrt(square), std::arg(images[i]));
  }
  images.resize(pixels);
}

}  // namespace spokelab
