// Places of pixels in the patient, and the layout of the three planes on the screen. Coordinates
// are LPS in mm: +x to the patient's left, +y to the back (posterior), +z to the head (superior).
// Pixel n of an axis is (n - floor(N/2)) voxels from the centre that Geometry gives. Planes are
// named by the array axis nearest to their patient normal and shown as radiologists do: patient
// right at the left of the screen in axial and coronal views, anterior up (axial), head up
// (coronal, sagittal), anterior left (sagittal). No plane is resampled: oblique volumes keep their
// axes, and the letters say so ("RA").
#pragma once

#include <array>

#include <QString>

#include "engine/scan/scan.h"
#include "widgets/core/display_mode.h"

namespace spokelab {

// The affine of an image: array indices -> patient mm.
struct PixelAxes {
  // unit, towards increasing x, y, z
  std::array<Vec3, 3> direction{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  Vec3 spacing{1, 1, 1};  // mm
  Vec3 origin{0, 0, 0};   // of pixel (0, 0, 0)
  bool nominal = false;   // axes and sizes were assumed

  Vec3 position(const Vec3& index) const;
  Vec3 position(const Index3& index) const {
    return position(Vec3{double(index[0]), double(index[1]), double(index[2])});
  }
};

// Survives geometry without field of view (1 mm assumed) and without directions (identity assumed).
// Several 2-D slices take direction and distance from their positions.
PixelAxes pixelAxes(const Image& image);

// The array axes that a plane shows; a flag says that an index falls as the screen coordinate
// grows.
struct PlaneAxes {
  int across = 0, down = 1, through = 2;
  bool flipAcross = false, flipDown = false;
};
PlaneAxes planeAxes(const PixelAxes& axes, Plane plane);

// The plane of the image's x and y axes, in which a single slice is shown.
Plane nativePlane(const PixelAxes& axes);

// Letters of the side that `direction` points to: "L", or "LA" where it leans by more than about 17
// degrees; "+x" and the like where the axes are nominal. Not translated: they are the field's
// notation.
QString sideLetters(const Vec3& direction, bool nominal);

// "R 12.0  A 3.0  S 5.0 mm"
QString positionText(const Vec3& mm, bool nominal);

}  // namespace spokelab
