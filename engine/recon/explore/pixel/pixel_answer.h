// One pixel of a scan's image: where its signal is in the image, which shots it depends on, and how
// far the transform may be off there.
//   spread     the image of a lone point of size 1 at the pixel, as the field and the coils there
//              measure it. Gridding:
//              p(n) = N^{-d} sum_j w_j e^{2 pi i (n - n0) . k_j - (i dw + R) t_j}.
//              Iterative methods: the image that they find of these samples.
//   influence  sample j of shot s adds N^{-d} w_j y_j e^{2 pi i n0 . k_j} to the pixel of each
//              coil. The shot is left out with all other weights as they are, which is exact for
//              gridding; of iterative methods it is the influence on the weighted adjoint that they
//              begin with.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/recon/options/options.h"
#include "engine/scan/scan.h"

namespace spokelab {

struct ShotInfluence {
  int shot = 0;          // number in the whole trajectory
  double weight = 0;     // its share of all density weights
  double change = 0;     // |x_s| / |x|: the shot's part of the coils' complex values
  double magnitude = 0;  // (|x - x_s| - |x|) / |x|: the change of the shown value without it
};

struct PixelAnswer {
  Index3 pixel{0, 0, 0};  // z: the slice of 2-D scans
  int frame = 0;
  double value = 0;     // |x|, summed exactly: of all coils (gridding), or with the coil maps
  double fieldHz = 0;   // there; 0: no field is known
  double decay = 0;     // R2* there, 1/s
  int coils = 1;        // after the preparation
  double coilSize = 0;  // root sum of squares of the coil maps there; 0: no maps are used

  Image spread;                  // one frame; its largest magnitude may be beside the pixel
  double stays = 0;              // |spread| at the pixel
  double largest = 0;            // of |spread|
  Vec3 largestAt{0, 0, 0};       // pixels from the pixel
  Vec3 fwhm{0, 0, 0};            // of |spread| around its largest value, pixels
  double sideLobe = 0;           // the largest |spread| beyond the main lobe, relative to its peak
  Vec3 sideLobeAt{0, 0, 0};      // pixels from the peak
  bool isReconstructed = false;  // by iterations; else gridded

  std::vector<ShotInfluence> shots;  // those that take part, the largest change first
  int wholeShots = 0;                // of the scan

  // Predicted standard deviation of the transform's error in the pixel, image units; 0: exact sums.
  double transformError = 0;
  double alpha = 0, width = 0;  // the plan of this prediction
  double noise = 0;             // standard deviation of |x| by the scan's noise lines; 0: none

  std::vector<std::string> notes;
};

// The name of the pixel's point spread as an image. The pixel as --pixel takes it, from the name of
// such an image; empty: it has another name.
std::string spreadName(const std::string& scan, const std::string& pixel);
std::string pixelOfName(const std::string& image);

// The answer in lines of a title and a text.
std::vector<std::pair<std::string, std::string>> describe(const PixelAnswer& answer, int dims);

// Shots with a far larger part for their weight than others: a spike or a movement. Empty: none.
std::vector<int> outstandingShots(const PixelAnswer& answer);

// The shots left without these and those left out, as the option. Throws Error if none is left.
std::string shotsWithout(const Scan& scan, const ReconOptions& options, const std::vector<int>& leftOut);

}  // namespace spokelab
