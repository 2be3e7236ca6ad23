// The main lobe of a point's image, and the largest value beside it.
#pragma once

#include "engine/scan/scan.h"

namespace spokelab {

struct MainLobe {
  Index3 peak{0, 0, 0};  // where the magnitude is largest
  double height = 0;     // of it
  // Pixels, between the pixels by Fourier interpolation; 0: wider than the image.
  Vec3 fwhm{0, 0, 0};
  double sideLobe = 0;       // largest magnitude beyond the first minima on the axes, over height
  Vec3 sideLobeAt{0, 0, 0};  // pixels from the peak
};

MainLobe mainLobeOf(const Image& spread, int dims);

}  // namespace spokelab
