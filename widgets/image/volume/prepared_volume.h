// A reduced volume made ready for VTK away from the main thread. VTK's fixed-point ray caster
// computes the normals and the extremes of a volume in its first render, which takes longer than
// the window may stand still; here they are computed on the thread of the caller.
#pragma once

#include <memory>

#include <vtkSmartPointer.h>

#include "widgets/image/volume/volume_data.h"

class vtkFixedPointVolumeRayCastMapper;
class vtkImageData;

namespace spokelab {

struct PreparedVolume {
  PreparedVolume();
  ~PreparedVolume();

  VolumeData data;  // its values have moved into the grid
  vtkSmartPointer<vtkImageData> grid;
  vtkSmartPointer<vtkImageData> surfaceGrid;  // the same values, for one thread that makes surfaces
  double high = 0;                            // white of the image's own window, a magnitude
  // null where only a graphics card will draw it
  vtkSmartPointer<vtkFixedPointVolumeRayCastMapper> caster;
};

// May run on any thread; it touches nothing that a window shows.
std::shared_ptr<const PreparedVolume> prepareVolume(VolumeData data, bool forSoftware, double high = 0);

}  // namespace spokelab
