#include "engine/scan/formats/images/sidecar.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/core/output/job_files.h"
#include "engine/scan/formats/frames/frame_texts.h"
#include "engine/scan/formats/images/nifti_affine.h"

namespace spokelab {
namespace {

constexpr const char* mark = "spokelab-image";

double dot(const Vec3& a, const Vec3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Lengths above zero; three axes of length 1 that span the space.
bool isPossible(const Geometry& g) {
  constexpr double tolerance = 1e-3;
  const auto isUnit = [](const Vec3& v) { return std::abs(dot(v, v) - 1) < tolerance; };
  const Vec3 &r = g.readDirection, &p = g.phaseDirection, &s = g.sliceDirection;
  const Vec3 normal = {r[1] * p[2] - r[2] * p[1], r[2] * p[0] - r[0] * p[2], r[0] * p[1] - r[1] * p[0]};
  return std::all_of(g.fov.begin(), g.fov.end(), [](double mm) { return mm > 0; }) &&
         std::all_of(g.matrix.begin(), g.matrix.end(), [](std::int64_t n) { return n > 0; }) && isUnit(r) &&
         isUnit(p) && isUnit(s) && std::abs(dot(normal, s)) > tolerance && !g.slicePositions.empty();
}

// Of slices each has its position, or the first one's thickness is the step to the next.
bool fits(const Geometry& g, const Index3& size) {
  if (g.matrix[0] != size[0] || g.matrix[1] != size[1]) return false;
  const auto positions = std::int64_t(g.slicePositions.size());
  return g.matrix[2] == size[2] || (g.matrix[2] == 1 && (positions == 1 || positions == size[2]));
}

}  // namespace

std::filesystem::path sidecarOf(const std::filesystem::path& image) {
  std::filesystem::path file = image;
  file += ".json";
  return file;
}

std::string sidecarText(const Image& image, const std::string& axes) {
  const Geometry& g = image.geometry;
  const auto affine = niftiAffine(g, image.size);
  nlohmann::json j = {{mark, 1},
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
  if (!image.frameAxes.empty()) j["frame_axes"] = frameAxesJson(image.frameAxes);
  return j.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

FrameAxes framesBeside(const std::filesystem::path& image, int frames, const Progress& progress) {
  const std::filesystem::path file = sidecarOf(image);
  std::error_code none;
  if (!std::filesystem::is_regular_file(file, none)) return {};
  const nlohmann::json j = parseDocument(readDocument(file, progress), "Cannot read " + file.string(), "");
  if (!j.is_object() || !j.contains(mark) || !j.contains("frame_axes")) return {};
  return frameAxesOf(j["frame_axes"], frames).value_or(FrameAxes());
}

std::optional<Geometry> geometryBeside(const std::filesystem::path& image, const Index3& size,
                                       const Progress& progress) {
  const std::filesystem::path file = sidecarOf(image);
  std::error_code none;
  if (!std::filesystem::is_regular_file(file, none)) return {};
  const std::string problem =
      "Cannot read " + file.string() + ", the geometry of " + image.filename().string();
  const char* const remedy = "Write the image again, or remove that file: its voxels are then 1 mm wide";
  const nlohmann::json j = parseDocument(readDocument(file, progress), problem, remedy);
  if (!j.is_object() || !j.contains(mark)) return {};
  noteInput(file);
  Geometry g;
  try {
    j.at("matrix").get_to(g.matrix);
    j.at("fov_mm").get_to(g.fov);
    j.at("read_direction").get_to(g.readDirection);
    j.at("phase_direction").get_to(g.phaseDirection);
    j.at("slice_direction").get_to(g.sliceDirection);
    j.at("positions_mm").get_to(g.slicePositions);
    j.at("nominal").get_to(g.nominal);
  } catch (const nlohmann::json::exception& e) {
    throw Error(problem, e.what(), remedy);
  }
  if (!isPossible(g) || !fits(g, size)) return {};
  return g;
}

}  // namespace spokelab
