#include "engine/scan/read/layouts/hdf5_layout.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"
#include "engine/scan/read/header/mrd_header.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

ArrayPart partOf(const fs::path& file, const std::string& dataset, std::vector<std::string> axes) {
  return {arrayName(file.filename(), dataset), std::move(axes), {}};
}

std::vector<double> numbersOf(const Hdf5Contents& c, const std::string& name, std::size_t count) {
  const auto found = c.numbers.find(name);
  return found != c.numbers.end() && found->second.size() == count ? found->second : std::vector<double>();
}

void setMatrix(ScanDescription& d, const std::vector<double>& matrix, const std::vector<double>& voxel) {
  constexpr double largest = 65535;
  if (matrix.size() != 3 ||
      !std::all_of(matrix.begin(), matrix.end(), [](double n) { return n >= 1 && n <= largest; }))
    return;
  for (const double n : matrix) d.matrix.push_back(std::int64_t(n));
  if (voxel.size() != 3 || !std::all_of(voxel.begin(), voxel.end(), [](double v) { return v > 0; })) return;
  for (std::size_t i = 0; i < 3; ++i) d.fov.push_back(voxel[i] * matrix[i]);
}

// --- RIESLING. Version 1: "data" [time, slab, trace, sample, channel] and "trajectory" [trace,
// sample, co-ordinate] in -N/2 ... N/2 with the attribute matrix. Version 0: "noncartesian" in the
// same order of axes, or "data" without that attribute, coordinates in -1/2 ... 1/2, matrix in
// info; the reader finds the unit out, as versions between them differ.

std::optional<KnownLayout> riesling(const fs::path& file, const Hdf5Contents& c) {
  const ArrayVariable* data = c.find("noncartesian");
  const bool old = data != nullptr;
  if (!data) data = c.find("data");
  const ArrayVariable* const trajectory = c.find("trajectory");
  if (!data || !trajectory || !c.numbers.contains("info.voxel_size")) return std::nullopt;
  const std::size_t axes = data->header.shape.size();
  if (!isComplex(data->header.type) || axes < 3 || axes > 5 || trajectory->header.shape.size() != 3)
    return std::nullopt;
  KnownLayout k;
  k.name = "RIESLING";
  std::vector<std::string> names = {"frame", "slice", "shot", "sample", "coil"};
  names.erase(names.begin(), names.end() - std::ptrdiff_t(axes));
  k.description.samples = partOf(file, data->name, names);
  k.description.trajectory = {partOf(file, "trajectory", {"shot", "sample", "column"})};
  const std::vector<double> voxel = numbersOf(c, "info.voxel_size", 3);
  std::vector<double> matrix = numbersOf(c, "trajectory@matrix", 3);
  if (!matrix.empty() || old) k.description.unit = old ? "cycles/pixel" : "cycles/FOV";
  if (matrix.empty()) matrix = numbersOf(c, "info.matrix", 3);
  setMatrix(k.description, matrix, voxel);
  if (const auto rows = numbersOf(c, "info.direction", 9); !rows.empty()) {
    // The columns are the directions of the axes. Its patient axes are ITK's, which are LPS, too.
    std::array<Vec3, 3> directions{};
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (std::size_t i = 0; i < 3; ++i) directions[axis][i] = rows[3 * i + axis];
    k.description.directions = directions;
    // The origin is the first voxel's centre; an image's position here is voxel N/2's.
    const auto origin = numbersOf(c, "info.origin", 3);
    if (!origin.empty() && voxel.size() == 3 && matrix.size() == 3) {
      Vec3 centre{origin[0], origin[1], origin[2]};
      for (std::size_t axis = 0; axis < 3; ++axis)
        for (std::size_t i = 0; i < 3; ++i)
          centre[i] += directions[axis][i] * voxel[axis] * std::floor(matrix[axis] / 2);
      k.description.positions = {centre};
    }
  }
  return k;
}

// --- RRSG challenge: "rawdata" [1, sample, spoke, coil] and "trajectory" [3, sample, spoke] in
// cycles/FOV, the third column 0.

std::optional<KnownLayout> rrsg(const fs::path& file, const Hdf5Contents& c) {
  const ArrayVariable* const data = c.find("rawdata");
  const ArrayVariable* const trajectory = c.find("trajectory");
  if (!data || !trajectory || !isComplex(data->header.type)) return std::nullopt;
  const auto &s = data->header.shape, &t = trajectory->header.shape;
  if (s.size() != 4 || t.size() != 3 || s[0] != 1 || t[0] < 2 || t[0] > 3 || t[1] != s[1] || t[2] != s[2])
    return std::nullopt;
  KnownLayout k;
  k.name = "RRSG challenge";
  k.description.samples = partOf(file, "rawdata", {"one", "sample", "shot", "coil"});
  k.description.trajectory = {partOf(file, "trajectory", {"column", "sample", "shot"})};
  k.description.unit = "cycles/FOV";
  return k;
}

// --- fastMRI, Cartesian: "kspace" [slice, coil, readout, phase] (one coil: [slice, readout,
// phase]) and the header of the ISMRMRD file that it was made from.

std::shared_ptr<const MemoryArray> gridLines(std::int64_t lines, std::int64_t samples, double perLine,
                                             double perSample) {
  auto t = std::make_shared<MemoryArray>();
  t->name = "the Cartesian grid";
  t->shape = {lines, samples, 2};
  for (std::int64_t line = 0; line < lines; ++line)
    for (std::int64_t i = 0; i < samples; ++i) {
      t->values.push_back(double(i - samples / 2) * perSample);
      t->values.push_back(double(line - lines / 2) * perLine);
    }
  return t;
}

std::optional<KnownLayout> fastMri(const fs::path& file, const Hdf5Contents& c, const std::string& problem) {
  const ArrayVariable* const data = c.find("kspace");
  const auto header = c.texts.find("ismrmrd_header");
  if (!data || header == c.texts.end() || !isComplex(data->header.type)) return std::nullopt;
  const auto& s = data->header.shape;
  if (s.size() != 3 && s.size() != 4) return std::nullopt;
  if (c.find("mask"))
    throw Error(problem,
                "it is a masked set of fastMRI: the lines that were not measured are stored as zeros, which "
                "would be taken for samples",
                "Open the fully sampled set, or keep the measured lines and describe them");
  const MrdHeader h = parseMrdHeader(header->second, problem);
  const EncodedSpace &recon = h.encodings.front().recon, &encoded = h.encodings.front().encoded;
  const std::int64_t samples = s[s.size() - 2], lines = s[s.size() - 1];
  KnownLayout k;
  k.name = "fastMRI";
  ScanDescription& d = k.description;
  d.samples = partOf(file, "kspace",
                     s.size() == 4 ? std::vector<std::string>{"slice", "coil", "sample", "shot"}
                                   : std::vector<std::string>{"slice", "sample", "shot"});
  const auto share = [&](std::size_t axis) {
    return recon.fov[axis] > 0 && encoded.fov[axis] > 0 ? recon.fov[axis] / encoded.fov[axis] : 1.0;
  };
  ArrayPart grid{"the Cartesian grid", {"shot", "sample", "column"}, {}};
  grid.memory = gridLines(lines, samples, share(1), share(0));
  d.trajectory = {grid};
  d.unit = "cycles/FOV";
  if (recon.matrix[0] > 0 && recon.matrix[1] > 0) d.matrix = {recon.matrix[0], recon.matrix[1], 1};
  if (recon.fov[0] > 0 && recon.fov[1] > 0)
    d.fov = {recon.fov[0], recon.fov[1], recon.fov[2] > 0 ? recon.fov[2] : 1};
  k.assumed.emplace_back("Its lines are Cartesian: their points are the grid's, with k = 0 at N/2");
  return k;
}

// --- fastMRI's radial breast set: "kspace" [2, spoke, sample, coil, partition] or [partition,
// coil, sample, spoke, 2], golden-angle spokes of 640 samples, oversampled twice, in a stack whose
// centre is the partition 31 of the slab of 192 images, as the set's own reconstruction takes it.

constexpr std::int64_t breastImages = 192, breastCentre = 31;

std::optional<KnownLayout> fastMriBreast(const fs::path& file, const Hdf5Contents& c,
                                         const std::string& problem) {
  const ArrayVariable* const data = c.find("kspace");
  if (!data || isComplex(data->header.type) || data->header.shape.size() != 5) return std::nullopt;
  const auto& s = data->header.shape;
  if (s.front() != 2 && s.back() != 2) return std::nullopt;
  const bool first = s.front() == 2;
  const std::int64_t spokes = first ? s[1] : s[3], samples = s[2], partitions = first ? s[4] : s[0];
  if (samples < 2 || samples % 2 != 0 || partitions > breastImages) return std::nullopt;
  KnownLayout k;
  k.name = "fastMRI breast";
  ScanDescription& d = k.description;
  d.samples = partOf(file, "kspace+i",
                     first ? std::vector<std::string>{"shot", "sample", "coil", "shot"}
                           : std::vector<std::string>{"shot", "coil", "sample", "shot"});
  requireMemory(double(spokes) * double(samples) * double(partitions) * 3 * sizeof(double), problem,
                "its trajectory", "Use a machine with more memory");
  auto t = std::make_shared<MemoryArray>();
  t->name = "golden-angle stack of stars";
  // Shots in the order of the samples' axes: the outer axis is the larger step.
  t->shape = first ? std::vector<std::int64_t>{spokes, partitions, samples, 3}
                   : std::vector<std::int64_t>{partitions, spokes, samples, 3};
  t->values.reserve(std::size_t(spokes * samples * partitions * 3));
  const std::int64_t outer = first ? spokes : partitions, inner = first ? partitions : spokes;
  for (std::int64_t o = 0; o < outer; ++o)
    for (std::int64_t i = 0; i < inner; ++i) {
      const double angle = std::numbers::pi / std::numbers::phi * double(first ? o : i);
      const double kz = double((first ? i : o) - std::min(breastCentre, partitions / 2));
      for (std::int64_t n = 0; n < samples; ++n) {
        const double k0 = double(n - samples / 2) / 2;
        t->values.insert(t->values.end(), {k0 * std::cos(angle), k0 * std::sin(angle), kz});
      }
    }
  ArrayPart stars{"golden-angle stack of stars", {"shot", "shot", "sample", "column"}, {}};
  stars.memory = std::move(t);
  d.trajectory = {stars};
  d.unit = "cycles/FOV";
  d.columns = {"kx", "ky", "kz"};
  d.matrix = {samples / 2, samples / 2, breastImages};
  k.assumed.emplace_back(
      "The file holds no trajectory: golden-angle spokes (111.25 degrees), k = 0 at the middle sample, "
      "partition " +
      std::to_string(std::min(breastCentre, partitions / 2)) + " at kz = 0 and " +
      std::to_string(breastImages) +
      " slices, as the set's own reconstruction takes them; set matrix, or give --trajectory, for another");
  return k;
}

}  // namespace

std::optional<KnownLayout> knownLayout(const fs::path& file, const Hdf5Contents& contents,
                                       const std::string& problem) {
  std::optional<KnownLayout> k = riesling(file, contents);
  if (!k) k = rrsg(file, contents);
  if (!k) k = fastMri(file, contents, problem);
  if (!k) k = fastMriBreast(file, contents, problem);
  if (k) k->description.folder = file.parent_path();
  return k;
}

}  // namespace spokelab
