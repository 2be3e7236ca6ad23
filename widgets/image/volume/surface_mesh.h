// The surface |m| = level of a volume as a mesh of triangles (Flying Edges; Schroeder, Maynard and
// Geveci, LDAV 2015), with normals along the gradient. A mesh, and not the ray caster's blend mode
// for isosurfaces: that one needs a graphics card, and a mesh can be saved. Any thread; VTK's
// objects in the results belong to whoever holds them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include <vtkSmartPointer.h>

#include "engine/core/progress.h"
#include "engine/scan/scan.h"
#include "widgets/image/display/orientation.h"

class vtkImageData;
class vtkMatrix4x4;
class vtkPolyData;

namespace spokelab {

// The matrix from mm along the array's axes to patient coordinates.
vtkSmartPointer<vtkMatrix4x4> patientMatrix(const PixelAxes& axes);

struct SurfaceMesh {
  SurfaceMesh();
  ~SurfaceMesh();

  vtkSmartPointer<vtkPolyData> mesh;  // mm along the grid's axes from its first voxel's centre
  double level = 0;                   // magnitude
  std::int64_t triangles = 0;
  int coarser =
      1;  // voxels of the grid, along each axis, that were averaged into one to stay below the most triangles
};

// `grid` holds magnitude / step.
std::shared_ptr<const SurfaceMesh> makeSurface(vtkImageData* grid, double step, double level,
                                               std::int64_t mostTriangles);

// The surface of one frame in every voxel that the image has, in patient coordinates (LPS, mm), cut
// to the box (shares of the sides: from, to along x, y, z). Throws Error if the level has no
// surface, and Cancelled.
vtkSmartPointer<vtkPolyData> patientSurface(const Image& image, int frame, double level,
                                            const std::array<double, 6>& clip, const Progress& progress);

}  // namespace spokelab
