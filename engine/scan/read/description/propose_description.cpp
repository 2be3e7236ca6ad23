#include "engine/scan/read/description/propose_description.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/scan/formats/arrays/array_file.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t maxCoils = 256;
constexpr std::size_t maxNeighbours = 500;  // files that are looked at

struct Candidate {
  fs::path file;
  ArrayHeader header;
  bool onlyReal = false;  // complex by type, but its first numbers have no imaginary part
};

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return char(std::tolower(c)); });
  return text;
}

bool startsReal(const ArrayFile& file) {
  bool real = true;
  struct Enough {};
  try {
    file.read(Progress(), "", [&](std::int64_t, const cdouble* values, std::int64_t count) {
      real = std::all_of(values, values + count, [](const cdouble& v) { return v.imag() == 0; });
      throw Enough{};
    });
  } catch (const Enough&) {
  }
  return real;
}

std::vector<Candidate> neighbours(const fs::path& file) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::set<fs::path> names;
  for (const auto& entry : fs::directory_iterator(folder, fs::directory_options::skip_permission_denied)) {
    const std::string extension = lower(entry.path().extension().string());
    if (extension == ".npy" || extension == ".cfl") names.insert(entry.path().filename());
    if (names.size() >= maxNeighbours) break;
  }
  std::vector<Candidate> all;
  for (const fs::path& name : names) try {
      const ArrayFile array(folder / name);
      const bool complex = isComplex(array.header().type);
      all.push_back({name, array.header(), !complex || startsReal(array)});
    } catch (const Error&) {
      continue;  // a neighbour that cannot be read is no partner
    }
  return all;
}

// The axis of 2 to 4 numbers at either end of the shape: where trajectories keep their columns. -1:
// none.
int columnAxis(const ArrayHeader& h) {
  const auto fits = [](std::int64_t n) { return n >= 2 && n <= 4; };
  if (h.shape.size() < 2) return -1;
  const int last = int(h.shape.size()) - 1;
  const int fastest = h.firstAxisFastest ? 0 : last, slowest = h.firstAxisFastest ? last : 0;
  if (fits(h.shape[std::size_t(fastest)])) return fastest;
  return fits(h.shape[std::size_t(slowest)]) ? slowest : -1;
}

// The axes but `column`, slowest first, without those of size 1.
std::vector<std::size_t> otherAxes(const ArrayHeader& h, int column) {
  std::vector<std::size_t> axes;
  for (std::size_t i = 0; i < h.shape.size(); ++i) {
    const std::size_t axis = h.firstAxisFastest ? h.shape.size() - 1 - i : i;
    if (int(axis) != column && h.shape[axis] > 1) axes.push_back(axis);
  }
  return axes;
}

struct Points {
  std::vector<std::int64_t> sizes;  // slowest first: [shots,] samples
  std::int64_t count = 1;
};

Points pointsOf(const ArrayHeader& h, int column) {
  Points p;
  for (const std::size_t axis : otherAxes(h, column)) {
    p.sizes.push_back(h.shape[axis]);
    p.count *= h.shape[axis];
  }
  return p;
}

std::vector<std::string> trajectoryAxes(const ArrayHeader& h, int column) {
  std::vector<std::string> names(h.shape.size(), "one");
  if (column >= 0) names[std::size_t(column)] = "column";
  const std::vector<std::size_t> axes = otherAxes(h, column);
  for (std::size_t i = 0; i < axes.size(); ++i) names[axes[i]] = i + 1 == axes.size() ? "sample" : "shot";
  return names;
}

// The samples' axes: neighbours that multiply to the trajectory's points are shot and sample; of
// the others the nearest is coil, then slice, then frame. Empty where nothing fits.
std::vector<std::string> sampleAxes(const ArrayHeader& h, const Points& points) {
  const std::vector<std::size_t> axes = otherAxes(h, -1);
  for (std::size_t end = axes.size(); end > 0; --end)
    for (std::size_t begin = end; begin-- > 0;) {
      std::int64_t product = 1;
      for (std::size_t i = begin; i < end; ++i) product *= h.shape[axes[i]];
      if (product != points.count) continue;
      std::vector<std::string> names(h.shape.size(), "one");
      for (std::size_t i = begin; i < end; ++i) names[axes[i]] = i + 1 == end ? "sample" : "shot";
      std::vector<std::size_t> rest;  // nearest to the points first
      for (std::size_t i = begin; i-- > 0;) rest.push_back(axes[i]);
      for (std::size_t i = end; i < axes.size(); ++i) rest.push_back(axes[i]);
      const std::vector<std::string> roles = {"coil", "slice", "frame"};
      std::size_t role = rest.empty() || h.shape[rest.front()] <= maxCoils ? 0 : 2;
      if (rest.size() > roles.size() - role) return {};
      for (const std::size_t axis : rest) names[axis] = roles[role++];
      return names;
    }
  return {};
}

const Candidate* named(const std::vector<Candidate>& all, const fs::path& name) {
  const auto it = std::find_if(all.begin(), all.end(), [&](const Candidate& c) { return c.file == name; });
  return it == all.end() ? nullptr : &*it;
}

// kx.npy, ky.npy and perhaps kz.npy beside each other, of the same shape.
std::vector<const Candidate*> separateColumns(const std::vector<Candidate>& all,
                                              std::vector<std::string>& names) {
  std::vector<const Candidate*> files;
  for (const char* column : {"kx", "ky", "kz"})
    for (const Candidate& c : all) {
      if (lower(c.file.stem().string()) != column || !c.onlyReal) continue;
      if (!files.empty() && files.front()->header.shape != c.header.shape) continue;
      files.push_back(&c);
      names.emplace_back(column);
      break;
    }
  if (files.size() < 2 || names[1] != "ky") files.clear();
  return files;
}

void addCompanions(const std::vector<Candidate>& all, const Points& points, ScanDescription& d,
                   std::vector<std::string>& notes) {
  for (const Candidate& c : all) {
    const std::string stem = lower(c.file.stem().string());
    const auto isOne = [&](std::initializer_list<const char*> names) {
      return std::any_of(names.begin(), names.end(), [&](const char* n) { return stem == n; });
    };
    const bool fits = pointsOf(c.header, -1).count == points.count && c.onlyReal;
    if (!d.times && fits && isOne({"t", "time", "times", "tvec"})) {
      d.times = ArrayPart{c.file, trajectoryAxes(c.header, -1)};
      notes.push_back("times from " + c.file.string() + ", taken as seconds");
    } else if (!d.weights && fits && isOne({"w", "weights", "dcf", "dens", "density"})) {
      d.weights = ArrayPart{c.file, trajectoryAxes(c.header, -1)};
      notes.push_back("density weights from " + c.file.string());
    } else if (isOne({"fm", "fieldmap", "b0", "sen", "sens", "sensemap", "smaps", "pmap", "phasemaps"})) {
      const std::string name = isOne({"fm", "fieldmap", "b0"}) ? "FieldMap"
                               : isOne({"pmap", "phasemaps"})  ? "PhaseMaps"
                                                               : "SENSEMap";
      d.arrays[name] = {c.file, {}};
      notes.push_back(name + " from " + c.file.string());
    }
  }
}

}  // namespace

ProposedDescription proposeScanDescription(const fs::path& file) {
  const std::string problem = "Cannot propose a description for " + file.string();
  const ArrayFile asked(file);  // throws where this one is wrong
  const std::vector<Candidate> all = neighbours(file);
  const Candidate* self = named(all, asked.data().filename());
  if (!self)
    throw Error(problem, "its folder holds too many arrays",
                "Move scan and trajectory to a folder of their own");

  ProposedDescription p;
  ScanDescription& d = p.description;
  d.folder = file.parent_path();
  const bool isSamples = !self->onlyReal;
  Points points;
  const std::vector<const Candidate*> columns = separateColumns(all, d.columns);
  if (!columns.empty()) {
    points = pointsOf(columns.front()->header, -1);
    for (const Candidate* c : columns) d.trajectory.push_back({c->file, trajectoryAxes(c->header, -1)});
    p.notes.push_back("the trajectory is one file a column");
  } else {
    d.columns.clear();
    const Candidate* best = nullptr;
    for (const Candidate& c : all) {
      if (!c.onlyReal || columnAxis(c.header) < 0) continue;
      if (!isSamples && &c != self) continue;
      if (isSamples && sampleAxes(self->header, pointsOf(c.header, columnAxis(c.header))).empty()) continue;
      const bool sounds = lower(c.file.string()).find("tra") != std::string::npos;
      if (!best || sounds) best = &c;
    }
    if (!best)
      throw Error(
          problem,
          isSamples ? "no real array beside it has 2 to 4 columns and as many points as it has samples"
                    : "it is real, but no axis at either end has 2 to 4 columns, as a trajectory's has",
          "Put the trajectory into the same folder, or write the description by hand (see the guide, Scans)");
    const int column = columnAxis(best->header);
    points = pointsOf(best->header, column);
    d.trajectory.push_back({best->file, trajectoryAxes(best->header, column)});
    p.notes.push_back("the trajectory is " + best->file.string() + ": real, " +
                      shapeText(best->header.shape));
  }

  const Candidate* samples = isSamples ? self : nullptr;
  for (const Candidate& c : all) {
    if (isSamples || c.onlyReal || sampleAxes(c.header, points).empty()) continue;
    if (!samples || c.header.elements() > samples->header.elements()) samples = &c;
  }
  if (!samples || sampleAxes(samples->header, points).empty())
    throw Error(
        problem,
        "no complex array beside it holds " + std::to_string(points.count) +
            " samples a coil, as the trajectory has points",
        "Put the samples into the same folder, or write the description by hand (see the guide, Scans)");
  d.samples = {samples->file, sampleAxes(samples->header, points)};
  p.notes.push_back("the samples are " + samples->file.string() + ": " + shapeText(samples->header.shape));
  if (points.sizes.size() < 2 &&
      std::find(d.samples.axes.begin(), d.samples.axes.end(), "shot") == d.samples.axes.end())
    p.notes.push_back("shots are not told apart: add \"samples_per_shot\" if you know it");
  addCompanions(all, points, d, p.notes);
  p.notes.push_back(
      "matrix, field of view and unit of k are left to the reader: add \"matrix\", \"fov_mm\", and "
      "\"unit\" to the trajectory if you know them");
  return p;
}

}  // namespace spokelab
