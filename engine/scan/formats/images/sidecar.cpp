#include "engine/scan/formats/images/sidecar.h"

#include <nlohmann/json.hpp>

#include "engine/scan/formats/images/nifti_affine.h"

namespace spokelab {

std::filesystem::path sidecarOf(const std::filesystem::path& image) {
  std::filesystem::path file = image;
  file += ".json";
  return file;
}

std::string sidecarText(const Image& image, const std::string& axes) {
  const Geometry& g = image.geometry;
  const auto affine = niftiAffine(g, image.size);
  nlohmann::json j = {{"spokelab-image", 1},
                      {"axes", axes},
                      {"matrix", g.matrix},
                      {"fov_mm", g.fov},
                      {"read_direction", g.readDirection},
                      {"phase_direction", g.phaseDirection},
                      {"slice_direction", g.sliceDirection},
                      {"positions_mm", g.slicePositions},
                      {"patient_axes", "LPS"},
                      {"nominal", g.nominal},
                      {"affine_ras", affine},
                      {"provenance", image.provenance}};
  return j.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace spokelab
