// The VTK scene of the volume view: the volume in patient coordinates (LPS, mm), its box, the
// patient's sides, and the camera. It does not know Qt's widgets or OpenGL contexts.
#pragma once

#include <memory>

#include <QString>

#include "widgets/core/display_mode.h"
#include "widgets/image/volume/prepared_volume.h"
#include "widgets/image/volume/surface_mesh.h"
#include "widgets/image/volume/volume_style.h"

class vtkRenderWindow;

namespace spokelab {

// The distances between rays, and of samples on a ray, if the processor casts them.
struct RayDistances {
  double pixels = 1;  // between two rays
  double voxels = 1;  // between two samples of a ray
};

class VolumeScene {
 public:
  VolumeScene();
  ~VolumeScene();

  void attach(vtkRenderWindow* window, bool softwareGl);
  void setVolume(std::shared_ptr<const PreparedVolume> volume);  // null: an empty scene
  bool hasVolume() const;
  // Drawn in the place of the volume while the style asks for it; null: none yet.
  void setSurface(std::shared_ptr<const SurfaceMesh> surface);
  void setTransfer(const DisplayWindow& window, const QString& colourMap, const VolumeStyle& style);
  void takeTheme();  // the screen's: ground, box and letters

  // Before each render, when the window has its size.
  void prepare(const RayDistances& distances, bool moving);

  void resetCamera();                           // from the front, head up
  void turn(double azimuth, double elevation);  // degrees: about the head-feet axis, and over it
  void zoom(double factor);
  void pan(double right, double down, double viewHeight);  // in pixels of a view that high
  Vec3 project(const Vec3& mm, double aspect) const;       // to -1 ... 1 across and up, and depth

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace spokelab
