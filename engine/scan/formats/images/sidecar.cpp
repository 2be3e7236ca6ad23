#include "engine/scan/formats/images/sidecar.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/core/document.h"
#include "engine/core/documents/document_numbers.h"
#include "engine/core/error.h"
#include "engine/core/output/job_files.h"
#include "engine/scan/formats/frames/frame_texts.h"
#include "engine/scan/formats/images/nifti_affine.h"
#include "engine/scan/place/image_groups.h"
#include "engine/scan/place/vectors.h"

namespace spokelab {
namespace {

constexpr const char* mark = "spokelab-image";

void putPlaces(nlohmann::json& j, const Geometry& g) {
  j["read_direction"] = g.readDirection;
  j["phase_direction"] = g.phaseDirection;
  j["slice_direction"] = g.sliceDirection;
  j["positions_mm"] = g.slicePositions;
  for (const Directions& d : g.sliceDirections) j["slice_directions"].push_back({d.read, d.phase, d.slice});
}

void takePlaces(const nlohmann::json& j, Geometry& g) {
  j.at("read_direction").get_to(g.readDirection);
  j.at("phase_direction").get_to(g.phaseDirection);
  j.at("slice_direction").get_to(g.sliceDirection);
  j.at("positions_mm").get_to(g.slicePositions);
  g.sliceDirections.clear();
  for (const nlohmann::json& d : j.value("slice_directions", nlohmann::json::array()))
    g.sliceDirections.push_back({d.at(0).get<Vec3>(), d.at(1).get<Vec3>(), d.at(2).get<Vec3>()});
}

// Lengths above zero; three axes of length 1 that span the space.
bool isPossible(const Geometry& g) {
  constexpr double tolerance = 1e-3;
  const auto isUnit = [](const Vec3& v) { return std::abs(dot(v, v) - 1) < tolerance; };
  for (std::size_t z = 0; z <= g.sliceDirections.size(); ++z) {
    const Directions d = g.directionsOf(z);
    if (!isUnit(d.read) || !isUnit(d.phase) || !isUnit(d.slice) ||
        !(std::abs(dot(cross(d.read, d.phase), d.slice)) > tolerance))
      return false;
  }
  const auto isFinite = [](const Vec3& p) { return std::isfinite(lengthOf(p)); };
  return std::all_of(g.fov.begin(), g.fov.end(), [](double mm) { return mm > 0; }) &&
         std::all_of(g.matrix.begin(), g.matrix.end(), [](std::int64_t n) { return n > 0; }) &&
         std::all_of(g.slicePositions.begin(), g.slicePositions.end(), isFinite) &&
         (g.sliceDirections.empty() || g.sliceDirections.size() == g.slicePositions.size()) &&
         !g.slicePositions.empty();
}

// Slices have one position each, or the first one's thickness is the step to the next.
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
  nlohmann::json j = {{mark, 1},
                      {"axes", axes},
                      {"matrix", g.matrix},
                      {"fov_mm", g.fov},
                      {"patient_axes", "LPS"},
                      {"nominal", g.nominal},
                      {"provenance", image.provenance}};
  if (!image.frameAxes.empty()) j["frame_axes"] = frameAxesJson(image.frameAxes);
  putPlaces(j, g);
  for (const Geometry& frame : g.frames) putPlaces(j["frames"].emplace_back(), frame);
  if (isOneGroup(image)) {
    j["affine_ras"] = niftiAffine(g, image.size);
  } else {  // no affine holds for the whole
    for (const ImageGroup& group : imageGroups(image)) {
      nlohmann::json& of = j["groups"].emplace_back();
      Index3 size = image.size;
      if (size[2] == std::int64_t(g.slicePositions.size()))
        size[2] = std::int64_t(group.parts.size()) / group.frames;
      of = {{"name", group.name}, {"affine_ras", niftiAffine(group.geometry, size)}};
      for (const ImageGroup::Part& part : group.parts) of["frame_slice"].push_back({part.frame, part.slice});
    }
  }
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
    g.matrix = sizeAt(j, "matrix", 1);
    j.at("fov_mm").get_to(g.fov);
    j.at("nominal").get_to(g.nominal);
    takePlaces(j, g);
    std::vector<Geometry> frames;
    for (const nlohmann::json& frame : j.value("frames", nlohmann::json::array()))
      takePlaces(frame, frames.emplace_back(g));
    g.frames = std::move(frames);
  } catch (const nlohmann::json::exception& e) {
    throw Error(problem, e.what(), remedy);
  }
  if (!isPossible(g) || !fits(g, size)) return {};
  for (const Geometry& frame : g.frames)
    if (!isPossible(frame) || !fits(frame, size)) return {};
  return g;
}

}  // namespace spokelab
