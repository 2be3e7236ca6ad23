// Joins the images of several sets of coil maps (soft SENSE) into one.
#pragma once

#include <cmath>
#include <complex>
#include <vector>

namespace spokelab {

// In place: [set, pixel] become [pixel], root sum of squares with the first set's phase.
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
