#include "engine/scan/read/steps/decide_geometry.h"

#include <algorithm>

#include "engine/core/text.h"
#include "engine/scan/place/image_groups.h"
#include "engine/scan/place/vectors.h"
#include "engine/scan/read/places/head_place.h"

namespace spokelab {
namespace {

std::string vectorText(const Vec3& v) {
  return "(" + numberText(v[0]) + ", " + numberText(v[1]) + ", " + numberText(v[2]) + ")";
}

struct FramePlaces {
  std::vector<SlicePlace> slices;
  bool hasDirections = true, hasPositions = true;
};

bool allAlike(const std::vector<SlicePlace>& a, const std::vector<SlicePlace>& b, const Vec3& fov) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [&](const auto& p, const auto& q) {
           return samePlace(p, q, fov);
         });
}

// The file gives slices that all lie at one place no positions.
bool shareOnePlace(const FramePlaces& places, const Vec3& fov) {
  const std::vector<SlicePlace>& slices = places.slices;
  return slices.size() > 1 && std::all_of(slices.begin(), slices.end(), [&](const SlicePlace& p) {
           return samePlace(p, slices.front(), fov);
         });
}

void setFramePlaces(Geometry& g, const FramePlaces& places) {
  g.setDirections(places.slices.front().directions);
  g.slicePositions.clear();
  g.sliceDirections.clear();
  bool alike = true;
  for (const SlicePlace& p : places.slices) {
    g.slicePositions.push_back(p.position);
    g.sliceDirections.push_back(p.directions);
    const SlicePlace turned{p.directions, places.slices.front().position};
    alike = alike && samePlace(turned, places.slices.front(), g.fov);
  }
  if (alike) g.sliceDirections.clear();
}

// Arrays have none, and files of other programs leave them zero.
bool givesDirections(const AcquisitionHead& head) {
  for (int d = 0; d < 3; ++d)  // by value: the head is packed
    if (head.read_dir[d] != 0 || head.phase_dir[d] != 0) return true;
  return false;
}

}  // namespace

Geometry decideGeometry(const Groups& groups, const Selection& s, const std::vector<AcquisitionHead>& heads,
                        const ImageSpace& space, int dims, Decisions& d) {
  Geometry g;
  g.matrix = space.matrix;
  g.fov = space.fov;
  g.nominal = space.nominal;
  std::vector<FramePlaces> frames;
  bool hasPositions = true, isAnyGiven = false;
  for (const auto& frame : groups.lines) {
    FramePlaces& places = frames.emplace_back();
    for (const auto& slice : frame) {
      const AcquisitionHead& first = heads[std::size_t(s.imaging[slice.front()])];
      const HeadPlace head = placeOf(first);
      isAnyGiven = isAnyGiven || givesDirections(first);
      places.slices.push_back(head.place);
      places.hasDirections = places.hasDirections && head.hasDirections;
      hasPositions = hasPositions && head.hasPosition;
      if (dims == 3) break;
    }
  }
  const bool hasDirections =
      std::all_of(frames.begin(), frames.end(), [](const FramePlaces& f) { return f.hasDirections; });
  setFramePlaces(g, frames.front());
  if (hasDirections) {
    d.note("orientation", "from the header",
           "read " + vectorText(g.readDirection) + ", phase " + vectorText(g.phaseDirection) + ", slice " +
               vectorText(g.sliceDirection) +
               (g.sliceDirections.empty() ? "" : "; slices differ: these are the first slice's"));
  } else {
    d.note("orientation", "assumed",
           isAnyGiven ? "the directions in the acquisition headers are not unit vectors at right angles: the "
                        "patient's axes are used"
                      : "the file gives no directions: the axes of the image are used");
    g.nominal = true;
  }
  if (std::any_of(frames.begin(), frames.end(), [&](const auto& f) { return shareOnePlace(f, g.fov); })) {
    g.nominal = true;
    d.note("slice-positions", "assumed",
           "all slices have the same position in the file: they are taken to follow each other, " +
               numberText(g.fov[2]) + " mm from one to the next");
  }
  if (!hasPositions) {
    d.warn("Positions in the acquisition headers are not finite; the scanner's centre is used");
    g.nominal = true;
  }
  const auto elsewhere = [&](const FramePlaces& f) {
    return !allAlike(f.slices, frames.front().slices, g.fov);
  };
  if (std::any_of(frames.begin(), frames.end(), elsewhere)) {
    std::vector<Geometry> each(frames.size(), g);
    for (std::size_t f = 0; f < frames.size(); ++f) setFramePlaces(each[f], frames[f]);
    g.frames = std::move(each);
  }
  const Index3 size{g.matrix[0], g.matrix[1],
                    dims == 3 ? g.matrix[2] : std::int64_t(g.slicePositions.size())};
  const std::vector<ImageGroup> imageParts = imageGroups(g, size, int(frames.size()));
  if (imageParts.size() > 1)
    d.note("slice-groups", std::to_string(imageParts.size()),
           "slices or frames lie at places that one image cannot hold; written and shown as " +
               groupsText(imageParts));
  return g;
}

}  // namespace spokelab
