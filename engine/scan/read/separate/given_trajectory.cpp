#include "engine/scan/read/separate/given_trajectory.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>

#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"
#include "engine/scan/formats/acquisitions/acquisition_file.h"
#include "engine/scan/formats/acquisitions/raw_data.h"
#include "engine/scan/formats/arrays/hdf5_datasets.h"
#include "engine/scan/formats/file_kind.h"
#include "engine/scan/formats/foreign/foreign_file.h"
#include "engine/scan/formats/points/sparkling.h"
#include "engine/scan/read/description/array_axes.h"
#include "engine/scan/read/description/array_candidates.h"
#include "engine/scan/read/description/match_axes.h"
#include "engine/scan/read/description/scan_description.h"
#include "engine/scan/read/layouts/hdf5_layout.h"
#include "engine/scan/read/separate/sequence_trajectory.h"
#include "engine/scan/read/steps/raw_trajectory.h"
#include "engine/scan/read/steps/select_acquisitions.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

const char* const tooLarge = "Use a machine with more memory";

std::string problemOf(const fs::path& file) {
  return "Cannot read the trajectory " + file.string();
}

void checkFinite(const GivenTrajectory& t, const std::string& problem) {
  const auto bad =
      std::count_if(t.values.begin(), t.values.end(), [](double v) { return !std::isfinite(v); });
  if (bad > 0)
    throw Error(problem, std::to_string(bad) + " of its coordinates are not finite",
                "Repair them in the program that wrote the file");
}

// [a, b, column] as [b, a, column].
std::vector<double> swapAxes(const std::vector<double>& values, std::int64_t a, std::int64_t b, int columns) {
  std::vector<double> result(values.size());
  for (std::int64_t i = 0; i < a; ++i)
    for (std::int64_t j = 0; j < b; ++j)
      std::copy_n(values.begin() + (i * b + j) * columns, columns, result.begin() + (j * a + i) * columns);
  return result;
}

// False where a fourth column holds neither weights nor times, which are never negative.
bool columnsFit(const GivenTrajectory& t) {
  constexpr std::size_t most = 4;
  if (t.columns != int(most)) return true;
  for (std::size_t i = most - 1; i < t.values.size(); i += most)
    if (t.values[i] < 0) return false;
  return true;
}

// An array with an axis of columns, or complex numbers kx + i ky.
GivenTrajectory fromArray(const ArrayFile& file, std::vector<std::string> axes, const std::string& problem,
                          const Progress& progress, std::optional<int> given = std::nullopt) {
  const ArrayHeader& h = file.header();
  bool complex = isComplex(h.type);
  const std::vector<int> possible = columnAxes(h);
  int column = given.value_or(possible.empty() ? -1 : possible.front());
  if (complex && column >= 0) {
    // BART keeps real coordinates in complex numbers.
    complex = false;
    file.read(
        progress, "Reading the trajectory", [&](std::int64_t, const cdouble* values, std::int64_t count) {
          complex =
              complex || std::any_of(values, values + count, [](const cdouble& v) { return v.imag() != 0; });
        });
  }
  if (complex) column = -1;
  if (!complex && column < 0)
    throw Error(problem, "its shape is " + shapeText(h.shape) + ": no axis at either end has 2 to 4 columns",
                "Save it as [shot, sample, column], or as complex numbers kx + i ky");
  if (axes.empty()) axes = trajectoryAxes(h, column);
  const RoleArray roles(file, axes, {"shot", "sample", "column"}, problem);
  GivenTrajectory t;
  t.columns = complex ? 2 : int(roles.size(Role::column));
  const std::int64_t frames = roles.size(Role::frame), shots = frames * roles.size(Role::shot);
  const std::int64_t samples = roles.size(Role::sample);
  requireMemory(double(shots * samples * t.columns) * sizeof(double), problem, "it", tooLarge);
  t.values.resize(std::size_t(shots * samples * t.columns));
  roles.forEach(progress, "Reading the trajectory", [&](const RoleIndex& i, const cdouble& v) {
    const std::int64_t shot = i[Role::frame] * roles.size(Role::shot) + i[Role::shot];
    double* const at = t.values.data() + (shot * samples + i[Role::sample]) * t.columns;
    if (complex) {
      at[0] = v.real();
      at[1] = v.imag();
    } else {
      at[i[Role::column]] = v.real();
    }
  });
  if (possible.size() > 1 && column == possible.front() && !given && !columnsFit(t))
    return fromArray(file, {}, problem, progress, possible.back());
  t.hasShots = shots > 1;
  t.shotLengths.assign(std::size_t(shots), samples);
  const int outermost = h.firstAxisInnermost ? int(h.shape.size()) - 1 : 0;
  t.arrays.push_back({column, column == outermost, pointSizes(h, column).sizes});
  if (possible.size() > 1 && column == possible.front())
    t.arrays.push_back({possible.back(), true, pointSizes(h, possible.back()).sizes});
  return t;
}

// The file's only array that can be the trajectory, or the one so called.
fs::path trajectoryIn(const fs::path& file, const std::string& problem) {
  std::vector<std::string> possible, named;
  for (const ArrayCandidate& c : candidatesInside(file)) {
    const bool columns = columnAxis(c.header) >= 0 && (c.onlyReal || !isComplex(c.header.type));
    if (!columns && !c.onPath) continue;
    possible.push_back(c.file.string());
    if (c.word.find("tra") != std::string::npos || c.word.find("coord") != std::string::npos ||
        c.word == "k" || c.word == "om" || c.word == "loc")
      named.push_back(c.file.string());
  }
  const std::vector<std::string>& found = named.size() == 1 ? named : possible;
  if (found.size() == 1) return file.parent_path() / found.front();
  throw Error(problem,
              found.empty() ? "none of its arrays can be a trajectory: none has 2 to 4 columns"
                            : "several of its arrays may be the trajectory: " + joined(found),
              "Name one of them: " + arrayName(file.filename(), "NAME").string());
}

GivenTrajectory fromAcquisitions(const fs::path& file, const std::string& problem, const Progress& progress) {
  AcquisitionFile source(file, "dataset", progress.part(0, 0.5));
  Decisions d({}, problem);
  const MrdHeader header = parseMrdHeader(source.xml(), problem);
  const Selection s = selectAcquisitions(source.heads(), header, d);
  const RawTrajectory raw = readTrajectory(source, s, d, progress.part(0.5, 1));
  GivenTrajectory t;
  t.columns = raw.columns;
  t.values = raw.values;
  t.hasShots = t.acquired = true;
  for (std::size_t i = 0; i + 1 < raw.offsets.size(); ++i)
    t.shotLengths.push_back(raw.offsets[i + 1] - raw.offsets[i]);
  return t;
}

GivenTrajectory fromDescription(const ScanDescription& d, const std::string& problem,
                                const Progress& progress) {
  if (d.trajectory.size() != 1)
    throw Error(problem, "it is a description of a trajectory in one file a column",
                "Save the trajectory as one array");
  const ArrayPart& part = d.trajectory.front();
  GivenTrajectory t =
      fromArray(part.memory ? ArrayFile(part.memory) : ArrayFile(d.folder / part.file, part.shape), part.axes,
                problem, progress);
  t.unit = d.unit;
  t.matrix = d.matrix;
  t.fov = d.fov;
  return t;
}

GivenTrajectory fromHdf5(const fs::path& file, const std::string& problem, const Progress& progress) {
  if (holdsRawData(file, progress)) return fromAcquisitions(file, problem, progress);
  const Hdf5Contents contents = hdf5Contents(file, progress);
  if (const auto known = knownLayout(file, contents, problem))
    return fromDescription(known->description, problem, progress);
  return fromArray(ArrayFile(trajectoryIn(file, problem)), {}, problem, progress);
}

GivenTrajectory fromSparkling(const fs::path& file, const std::vector<std::int64_t>& lengths,
                              const std::string& problem, const Progress& progress) {
  const SparklingTrajectory s = readSparkling(file, progress);
  GivenTrajectory t;
  t.columns = s.dims;
  t.unit = "1/m";
  for (std::size_t i = 0; i < std::size_t(s.dims); ++i) {
    t.matrix.push_back(s.matrix[i]);
    t.fov.push_back(s.fov[i]);
  }
  std::vector<std::int64_t> tried = lengths;
  if (lengths.empty()) tried.push_back(s.rasters);
  for (const std::int64_t n : tried) {
    t.values = s.points(n);
    if (t.values.empty()) continue;
    t.shotLengths.assign(std::size_t(s.shots), n);
    t.hasShots = true;
    return t;
  }
  std::vector<std::string> sizes;
  for (const std::int64_t n : lengths) sizes.push_back(std::to_string(n));
  throw Error(problem,
              "it has " + countText(s.shots, "shot") + " of " + std::to_string(s.rasters) +
                  " steps, and the scan's shots have " + joined(sizes, " or ") +
                  " samples: not a whole multiple",
              "Choose the trajectory that the scan was measured with");
}

}  // namespace

std::int64_t GivenTrajectory::groups() const {
  constexpr std::size_t inner = 2;
  if (arrays.empty() || arrays.front().sizes.size() <= inner) return 1;
  const std::vector<std::int64_t>& sizes = arrays.front().sizes;
  return std::accumulate(sizes.begin(), sizes.end() - inner, std::int64_t{1}, std::multiplies<>());
}

std::string GivenTrajectory::sizeText() const {
  if (!hasShots) return countText(samples(), "point");
  const auto [least, most] = std::minmax_element(shotLengths.begin(), shotLengths.end());
  return countText(std::int64_t(shotLengths.size()), "shot") + " x " +
         (*least == *most ? std::to_string(*most) : std::to_string(*least) + " to " + std::to_string(*most)) +
         " samples";
}

void GivenTrajectory::turn() {
  const auto shots = std::int64_t(shotLengths.size());
  values = swapAxes(values, shots, shotLengths.front(), columns);
  shotLengths.assign(std::size_t(shotLengths.front()), shots);
}

std::shared_ptr<const MemoryArray> GivenTrajectory::array() const {
  auto a = std::make_shared<MemoryArray>();
  a->name = name;
  a->values = values;
  const auto other = [&](std::int64_t n) { return n != shotLengths.front(); };
  if (hasShots && std::none_of(shotLengths.begin(), shotLengths.end(), other))
    a->shape = {std::int64_t(shotLengths.size()), shotLengths.front(), columns};
  else
    a->shape = {samples(), columns};
  return a;
}

std::optional<fs::path> trajectoryArray(const fs::path& file, const Progress& progress) {
  const std::string problem = problemOf(file);
  const FileKind kind = fileKind(file);
  if (kind == FileKind::hdf5) {
    if (holdsRawData(file, progress) || knownLayout(file, hdf5Contents(file, progress), problem))
      return std::nullopt;
    return trajectoryIn(file, problem);
  }
  if (!isArrayKind(kind)) return std::nullopt;
  const bool several = kind == FileKind::npz || kind == FileKind::mat;
  return several && parseArrayName(file).variable.empty() ? trajectoryIn(file, problem) : file;
}

GivenTrajectory readGivenTrajectory(const fs::path& file, const std::vector<std::int64_t>& lengths,
                                    std::int64_t shots, const Progress& progress, std::optional<int> column,
                                    const fs::path& girf) {
  const std::string problem = problemOf(file);
  GivenTrajectory t;
  switch (fileKind(file)) {
    case FileKind::npz:
    case FileKind::mat:
    case FileKind::npy:
    case FileKind::cfl:
    case FileKind::dataset:
      t = fromArray(ArrayFile(*trajectoryArray(file, progress)), {}, problem, progress, column);
      break;
    case FileKind::json:
      t = fromDescription(parseScanDescription(readDocument(file), file.parent_path(), problem), problem,
                          progress);
      break;
    case FileKind::hdf5:
      t = fromHdf5(file, problem, progress);
      break;
    case FileKind::stream:
      t = fromAcquisitions(file, problem, progress);
      break;
    case FileKind::points:
      t = fromSparkling(file, lengths, problem, progress);
      break;
    case FileKind::sequence:
      t = sequenceTrajectory(file, shots, girf, progress);
      break;
    case FileKind::twix:
    case FileKind::bruker:
    case FileKind::nifti:
    case FileKind::dicom:
    case FileKind::png:
    case FileKind::unknown: {
      const auto foreign = foreignFile(file);
      throw Error(problem, foreign ? foreign->what : "it is " + kindName(fileKind(file)) + ", no trajectory",
                  foreign ? foreign->wayOn
                          : "Choose an array, an ISMRMRD file, a Pulseq sequence or SPARKLING's .bin");
    }
  }
  t.name = file.filename().string();
  checkFinite(t, problem);
  return t;
}

std::vector<double> readGivenNumbers(const fs::path& file, std::int64_t shotLength,
                                     const Progress& progress) {
  const ArrayFile array(file);
  const Buffer<cdouble> all = array.readAll<cdouble>(progress, "Reading " + file.filename().string());
  std::vector<double> values;
  values.reserve(all.size());
  for (const cdouble& v : all) values.push_back(v.real());
  const PointSizes own = pointSizes(array.header(), -1);
  if (own.sizes.size() != 2 || own.sizes[0] != shotLength || own.sizes[1] == shotLength) return values;
  return swapAxes(values, own.sizes[0], own.sizes[1], 1);
}

}  // namespace spokelab
