// The dock with the volume's style, and export of its surface to a file.
#pragma once

#include <array>

#include "app/gui/features/feature.h"

namespace spokelab {

class VolumeStyleView;

class VolumeFeature : public Feature {
  Q_OBJECT

 public:
  VolumeFeature(Session& session, const Views& views, QObject* parent);

  // The surface of one frame as a mesh in patient coordinates, by the file's ending .stl or .ply.
  // level: magnitude of the surface. clip: shares of the sides (0 ... 1), from and to along x, y, z
  // of the array.
  void saveSurface(const std::shared_ptr<const Image>& image, int frame, double level,
                   const std::array<double, 6>& clip, const std::filesystem::path& file);

 private:
  void chooseToSave();

  VolumeStyleView* view_;
};

}  // namespace spokelab
