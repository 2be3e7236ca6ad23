#include "engine/scan/place/image_groups.h"

#include <algorithm>
#include <map>

#include "engine/core/text.h"
#include "engine/scan/place/slice_lines.h"
#include "engine/scan/place/vectors.h"

namespace spokelab {
namespace {

// Parts of an image that lie at one place, frame after frame.
struct Stack {
  SlicePlace place;
  std::vector<ImageGroup::Part> parts;
};

bool isVolume(const Geometry& g) {
  return g.matrix[2] > 1;
}

SlicePlace placeOf(const Geometry& g, std::size_t slice) {
  if (g.slicePositions.empty()) return {g.directionsOf(slice), {}};
  return {g.directionsOf(slice), g.slicePositions[std::min(slice, g.slicePositions.size() - 1)]};
}

std::vector<Stack> stacksOf(const Geometry& geometry, int slices, int frames) {
  std::vector<Stack> stacks;
  for (int f = 0; f < frames; ++f)
    for (int z = 0; z < slices; ++z) {
      const SlicePlace place = placeOf(geometry.ofFrame(f), std::size_t(z));
      // A frame is never twice in a stack: slices that share a place are different measurements.
      const auto fits = [&](const Stack& s) {
        return s.parts.back().frame < f && samePlace(s.place, place, geometry.fov);
      };
      auto known = std::size_t(z) < stacks.size() && fits(stacks[std::size_t(z)])
                       ? stacks.begin() + z
                       : std::find_if(stacks.begin(), stacks.end(), fits);
      if (known == stacks.end()) known = stacks.insert(stacks.end(), {place, {}});
      known->parts.push_back({f, z});
    }
  return stacks;
}

ImageGroup wholeGroup(const Geometry& geometry, int slices, int frames) {
  ImageGroup group;
  group.frames = frames;
  group.geometry = geometry;
  group.geometry.frames.clear();
  for (int f = 0; f < frames; ++f)
    for (int z = 0; z < slices; ++z) group.parts.push_back({f, z});
  return group;
}

ImageGroup groupOf(const Geometry& geometry, const std::vector<Stack>& stacks,
                   const std::vector<std::size_t>& line) {
  ImageGroup group;
  const std::vector<ImageGroup::Part>& first = stacks[line.front()].parts;
  group.frames = int(first.size());
  group.geometry = geometry;
  group.geometry.frames.clear();
  group.geometry.sliceDirections.clear();
  group.geometry.slicePositions.clear();
  group.geometry.setDirections(stacks[line.front()].place.directions);
  for (const std::size_t s : line) group.geometry.slicePositions.push_back(stacks[s].place.position);
  for (std::size_t f = 0; f < first.size(); ++f)
    for (const std::size_t s : line) group.parts.push_back(stacks[s].parts[f]);
  return group;
}

// The image's frame of each frame of the group: its first slice's.
std::vector<int> framesOf(const ImageGroup& group) {
  std::vector<int> frames;
  const std::size_t step = group.parts.size() / std::size_t(group.frames);
  for (std::size_t f = 0; f < std::size_t(group.frames); ++f) frames.push_back(group.parts[f * step].frame);
  return frames;
}

void nameGroups(std::vector<ImageGroup>& groups) {
  if (groups.size() < 2) return;
  std::map<std::string, int> count, seen;
  for (ImageGroup& group : groups) {
    group.name = planeName(group.geometry.directionsOf(0));
    ++count[group.name];
  }
  for (ImageGroup& group : groups) {
    const std::string plane = group.name;
    if (count[plane] > 1) group.name += "-" + std::to_string(++seen[plane]);
  }
}

}  // namespace

bool slicesHavePlaces(const Geometry& g, const Index3& size) {
  if (isVolume(g) || std::int64_t(g.slicePositions.size()) != size[2]) return false;
  return size[2] == 1 || !g.sliceDirections.empty() ||
         std::any_of(g.slicePositions.begin(), g.slicePositions.end(), [&](const Vec3& p) {
           return lengthOf(minus(p, g.slicePositions.front())) > maxMisplacedMm;
         });
}

std::vector<ImageGroup> imageGroups(const Geometry& geometry, const Index3& size, int frames) {
  const bool placed = slicesHavePlaces(geometry, size);
  // A frame whose slices have no separate places is moved as a whole.
  const int slices = placed ? int(size[2]) : 1;
  if (geometry.frames.empty() && slices == 1) return {wholeGroup(geometry, 1, frames)};
  const std::vector<Stack> stacks = stacksOf(geometry, slices, frames);
  // Slices of one group have the same number of frames; volumes have a group each.
  std::map<std::size_t, std::vector<std::size_t>> byFrames;
  for (std::size_t s = 0; s < stacks.size(); ++s) byFrames[placed ? stacks[s].parts.size() : s].push_back(s);
  std::vector<std::vector<std::size_t>> lines;
  for (const auto& [count, numbers] : byFrames) {
    std::vector<SlicePlace> places;
    for (const std::size_t s : numbers) places.push_back(stacks[s].place);
    for (const auto& line : slicesInLines(places, geometry.fov)) {
      lines.emplace_back();
      for (const std::size_t i : line) lines.back().push_back(numbers[i]);
    }
  }
  std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) {
    return *std::min_element(a.begin(), a.end()) < *std::min_element(b.begin(), b.end());
  });
  std::vector<ImageGroup> groups;
  for (const auto& line : lines) groups.push_back(groupOf(geometry, stacks, line));
  nameGroups(groups);
  return groups;
}

std::vector<ImageGroup> imageGroups(const Image& image) {
  return imageGroups(image.geometry, image.size, image.frames);
}

bool isOneGroup(const Image& image) {
  const std::vector<ImageGroup> groups = imageGroups(image);
  if (groups.size() != 1 || groups.front().frames != image.frames) return false;
  const bool placed = slicesHavePlaces(image.geometry, image.size);
  const auto slices = placed ? std::size_t(image.size[2]) : 1;
  for (std::size_t i = 0; i < groups.front().parts.size(); ++i)
    if (groups.front().parts[i].slice != int(i % slices)) return false;
  return true;
}

std::string groupText(const ImageGroup& g) {
  const std::string slices =
      isVolume(g.geometry) ? "volume" : countText(std::int64_t(g.parts.size()) / g.frames, "slice");
  return (g.name.empty() ? "" : g.name + ", ") + slices +
         (g.frames > 1 ? " in " + countText(g.frames, "frame") : "");
}

std::string groupsText(const std::vector<ImageGroup>& groups) {
  if (groups.size() < 2) return {};
  constexpr std::size_t maxNamed = 6;
  std::string text = std::to_string(groups.size()) + " groups: ";
  for (std::size_t i = 0; i < std::min(maxNamed, groups.size()); ++i) {
    const ImageGroup& g = groups[i];
    text += (i ? ", " : "") + g.name + " ";
    text += isVolume(g.geometry) ? "volume" : countText(std::int64_t(g.parts.size()) / g.frames, "slice");
    if (g.frames > 1) text += " in " + countText(g.frames, "frame");
  }
  return text + (groups.size() > maxNamed ? ", ..." : "");
}

std::shared_ptr<const Image> imageOfGroup(const Image& image, const ImageGroup& group) {
  auto part = std::make_shared<Image>();
  part->frames = group.frames;
  part->size = image.size;
  part->geometry = group.geometry;
  part->frameAxes = image.frameAxes.empty() ? FrameAxes() : image.frameAxes.select(framesOf(group));
  part->name = image.name + (group.name.empty() ? "" : ", " + group.name);
  part->provenance = image.provenance;
  if (!group.name.empty()) part->provenance.push_back("group " + group.name);
  const bool placed = slicesHavePlaces(image.geometry, image.size);
  if (placed) part->size[2] = std::int64_t(group.parts.size()) / group.frames;
  part->makeRoom(image.isDouble(), "Cannot take the slices of " + part->name + " together",
                 "Reconstruct fewer slices or frames");
  const std::int64_t pixels = placed ? image.size[0] * image.size[1] : image.volume();
  for (std::size_t i = 0; i < group.parts.size(); ++i) {
    const ImageGroup::Part& p = group.parts[i];
    const std::int64_t from = p.frame * image.volume() + p.slice * pixels, to = std::int64_t(i) * pixels;
    std::copy_n(image.data.begin() + from, pixels, part->data.begin() + to);
    if (image.isDouble()) std::copy_n(image.doubleData.begin() + from, pixels, part->doubleData.begin() + to);
  }
  return part;
}

}  // namespace spokelab
