#include "engine/scan/read/separate/separate_arrays.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <system_error>

#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/scan/formats/acquisitions/stream_acquisitions.h"
#include "engine/scan/formats/arrays/array_file.h"
#include "engine/scan/formats/file_kind.h"
#include "engine/scan/formats/points/sparkling.h"
#include "engine/scan/formats/pulseq/pulseq_sequence.h"
#include "engine/scan/read/correct/correct_girf.h"
#include "engine/scan/read/description/array_candidates.h"
#include "engine/scan/read/description/match_axes.h"
#include "engine/scan/read/description/propose_description.h"
#include "engine/scan/read/read_arrays.h"
#include "engine/scan/read/read_ismrmrd.h"
#include "engine/scan/read/separate/given_noise.h"
#include "engine/scan/read/separate/given_trajectory.h"
#include "engine/scan/read/separate/named_trajectory.h"
#include "engine/scan/read/separate/sequence_labels.h"
#include "engine/scan/read/separate/sequence_trajectory.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t maxDescriptionBytes = 1 << 20;

// Sizes of the samples' axes that can be a shot's samples.
std::vector<std::int64_t> possibleLengths(const ArrayHeader& samples) {
  std::vector<std::int64_t> lengths = samples.shape;
  std::sort(lengths.rbegin(), lengths.rend());
  lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
  return lengths;
}

// The samples' file, and its largest complex array where it holds several.
fs::path samplesIn(const fs::path& file, const std::string& problem) {
  const ArrayName name = parseArrayName(file);
  if (!holdsSeveralArrays(name.file) || !name.variable.empty()) return file;
  const std::vector<ArrayCandidate> arrays = candidatesInside(name.file);
  const ArrayCandidate* best = nullptr;
  for (const ArrayCandidate& c : arrays)
    if (!c.onlyReal && (!best || c.header.elements() > best->header.elements())) best = &c;
  if (!best)
    throw Error(problem, "none of its arrays is complex, as samples are",
                "Name the samples: " + arrayName(name.file.filename(), "NAME").string());
  return name.file.parent_path() / best->file;
}

void setTrajectory(ScanDescription& s, const GivenTrajectory& t, Decisions& d) {
  ArrayPart part{t.name, {}, {}};
  part.memory = t.array();
  part.axes = part.memory->shape.size() == 3 ? std::vector<std::string>{"shot", "sample", "column"}
                                             : std::vector<std::string>{"sample", "column"};
  s.trajectory = {part};
  s.columns.clear();
  s.unit = t.unit;
  if (s.matrix.empty()) s.matrix = t.matrix;
  if (s.fov.empty()) s.fov = t.fov;
  d.note("trajectory", t.name, t.sizeText() + (t.remark.empty() ? "" : "; " + t.remark));
  noteResponse(t, d);
}

// Counts shots by the labels of a sequence; empty for other trajectories.
CountShots countByLabels(const GivenTrajectory& t) {
  if (t.labels.empty()) return {};
  return [&t](std::vector<AcquisitionHead>& heads, Decisions& d) {
    if (heads.size() % t.labels.size() != 0) return;
    std::vector<std::int64_t> all(heads.size());
    std::iota(all.begin(), all.end(), 0);
    addLabels(t, all, heads, d);
  };
}

void setWeights(ScanDescription& s, const fs::path& file, const Progress& progress) {
  auto values = std::make_shared<MemoryArray>();
  values->name = file.filename().string();
  const ArrayPart& first = s.trajectory.front();
  const ArrayHeader points =
      (first.memory ? ArrayFile(first.memory) : ArrayFile(s.folder / first.file, first.shape)).header();
  const int column = s.trajectory.size() == 1 && !isComplex(points.type) ? columnAxis(points) : -1;
  const std::vector<std::int64_t> sizes = pointSizes(points, column).sizes;
  values->values = readGivenNumbers(file, sizes.size() > 1 ? sizes.back() : 0, progress);
  values->shape = {std::int64_t(values->values.size())};
  ArrayPart part{values->name, {"sample"}, {}};
  part.memory = values;
  s.weights = part;
}

// The last two axes of an array are shots and samples, all before them coils.
GivenTrajectory nameForArray(const ArrayFile& array, const std::string& name, Decisions& d,
                             const Progress& progress) {
  std::vector<std::int64_t> sizes = rowMajorShape(array.header());
  std::erase(sizes, std::int64_t{1});
  if (sizes.size() < 2)
    throw Error(d.problem(),
                "its shape is " + shapeText(array.header().shape) + ": no axes of shots and samples",
                "Write a description (see the guide, Scans)");
  NamedShape shape;
  shape.samples = sizes[sizes.size() - 1];
  shape.shots = sizes[sizes.size() - 2];
  const auto samples = [&] {
    CentreSamples s{shape.shots, shape.samples, {}};
    const Buffer<cfloat> all = array.readAll<cfloat>(progress, "Looking at samples");
    const auto size = std::size_t(shape.shots * shape.samples);
    for (std::size_t first = 0; first + size <= all.size(); first += size)
      s.coils.emplace_back(all.begin() + std::ptrdiff_t(first), all.begin() + std::ptrdiff_t(first + size));
    return s;
  };
  return namedTrajectory(name, shape, "cycles/FOV", samples, d, progress);
}

// HDF5 as a whole, or a stream: not the name of one array, and no MATLAB file.
bool isAcquisitions(const fs::path& file) {
  std::error_code failed;
  const bool whole = parseArrayName(file).variable.empty() && !holdsSeveralArrays(file);
  return whole && fs::is_regular_file(file, failed) && (isHdf5File(file) || isAcquisitionStream(file));
}

// A trajectory that is not a plain array.
bool isOtherKind(const fs::path& file) {
  std::error_code failed;
  return isAcquisitions(file) || (fs::is_regular_file(file, failed) && (isSparkling(file) || isPulseq(file)));
}

}  // namespace

std::shared_ptr<Scan> readWithSeparate(const ScanDescription& description, const fs::path& file,
                                       const SeparateFiles& separate, Decisions& d,
                                       const Progress& progress) {
  ScanDescription s = description;
  GivenTrajectory trajectory;
  if (!separate.trajectory.empty()) {
    const ArrayFile samples(s.folder / s.samples.file, s.samples.shape);
    const auto lengths = possibleLengths(samples.header());
    trajectory = readGivenTrajectory(separate.trajectory, lengths, 0, progress.part(0, 0.1), {}, girfOf(d));
    setTrajectory(s, trajectory, d);
  }
  if (!separate.weights.empty()) setWeights(s, separate.weights, progress);
  auto scan = readDescribed(s, file, d, progress.part(0.1, 1), countByLabels(trajectory));
  if (!separate.noise.empty()) scan->noise = readGivenNoise(separate.noise, scan->coils, d, progress);
  return scan;
}

std::shared_ptr<Scan> readDescription(const fs::path& file, const ReadOptions& options, Decisions& d,
                                      const Progress& progress) {
  const ScanDescription s =
      parseScanDescription(readDocument(file, {}, maxDescriptionBytes), file.parent_path(), d.problem());
  SeparateFiles separate = options.separate;
  const bool own = separate.trajectory.empty() && s.trajectory.size() == 1;
  if (separate.noise.empty() && s.noise) separate.noise = s.folder / s.noise->file;
  if (isAcquisitions(s.folder / s.samples.file)) {
    if (own) separate.trajectory = s.folder / s.trajectory.front().file;
    if (separate.weights.empty() && s.weights) separate.weights = s.folder / s.weights->file;
    if (!s.unit.empty()) d.suggest("k-unit", s.unit, "the description says so");
    auto scan = readIsmrmrd(s.folder / s.samples.file, options.dataset, separate, d, progress);
    scan->name = file.filename().string();
    scan->path = file.string();
    return scan;
  }
  if (own && isOtherKind(s.folder / s.trajectory.front().file))
    separate.trajectory = s.folder / s.trajectory.front().file;
  return readWithSeparate(s, file, separate, d, progress);
}

std::shared_ptr<Scan> readLoneArray(const fs::path& file, const SeparateFiles& separate, Decisions& d,
                                    const Progress& progress) {
  const fs::path folder = parseArrayName(file).file.parent_path();
  ArrayCandidate samples = candidateOf(samplesIn(file, d.problem()));
  samples.file = samples.file.lexically_relative(folder);
  const bool isNamed = isTrajectoryName(separate.trajectory);
  const auto array = isNamed ? std::nullopt : trajectoryArray(separate.trajectory, progress);
  GivenTrajectory given;
  ArrayCandidate points;
  if (array) {
    points = candidateOf(fs::absolute(*array));
  } else {
    given = isNamed ? nameForArray(ArrayFile(folder / samples.file), separate.trajectory.string(), d,
                                   progress.part(0, 0.1))
                    : readGivenTrajectory(separate.trajectory, possibleLengths(samples.header), 0,
                                          progress.part(0, 0.1), {}, girfOf(d));
    points.header = ArrayFile(given.array()).header();
    points.onlyReal = true;
  }
  std::optional<ScanDescription> s = describePair(samples, points);
  if (!s) {
    if (array) given = readGivenTrajectory(separate.trajectory, {}, 0, progress);
    throw Error(
        d.problem(),
        "the trajectory of " + given.name + " is " + given.sizeText() + ", and the samples are " +
            shapeText(samples.header.shape) + ": no axes of theirs have these sizes",
        "Choose the trajectory that belongs to these samples, or write a description (see the guide, Scans)");
  }
  s->folder = folder;
  if (array)
    d.note("trajectory", array->filename().string(),
           shapeText(points.header.shape) + " " + elementName(points.header.type));
  else
    setTrajectory(*s, given, d);
  if (!separate.weights.empty()) setWeights(*s, separate.weights, progress);
  auto scan = readDescribed(*s, file, d, progress.part(0.1, 1), countByLabels(given));
  if (!separate.noise.empty()) scan->noise = readGivenNoise(separate.noise, scan->coils, d, progress);
  return scan;
}

}  // namespace spokelab
