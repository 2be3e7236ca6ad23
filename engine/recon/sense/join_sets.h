// Joins the images of several sets of coil maps (soft SENSE) into one.
#pragma once

#include <cmath>
#include <complex>
#include <vector>

namespace spokelab {

// In place: images [set, pixel] become [pixel], the root of the sum of squares over sets, with the
// phase of the first set.
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
