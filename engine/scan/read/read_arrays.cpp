#include "engine/scan/read/read_arrays.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>

#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/number_list.h"
#include "engine/core/text.h"
#include "engine/scan/read/companion_arrays.h"
#include "engine/scan/read/description/array_axes.h"
#include "engine/scan/read/description/scan_description.h"
#include "engine/scan/read/sample_follower.h"
#include "engine/scan/read/steps/assemble_scan.h"
#include "engine/scan/read/store_samples.h"

namespace spokelab {
namespace {

constexpr std::int64_t maxShotSamples = std::numeric_limits<std::uint16_t>::max();
constexpr std::int64_t maxCount = maxShotSamples + 1;  // of a counter from 0
constexpr std::size_t maxDescriptionBytes = 1 << 20;
constexpr double microsecondsPerSecond = 1e6;
const char* const fromDescription = "the description says so";

// Where a column of the trajectory lies: in which array, and for kx + i ky in which part.
struct ColumnSource {
  std::size_t array = 0;
  std::int64_t column = 0;
  bool imaginary = false;
  std::string name;  // empty: to be found out
};

// Contents of the description and its files, sizes checked against each other.
struct Layout {
  ScanDescription description;
  std::vector<RoleArray> trajectory;  // one, or one a column
  std::vector<ColumnSource> columns;
  std::unique_ptr<RoleArray> samples, weights, times;
  std::int64_t frames = 1, slices = 1, coils = 1, points = 1;
  std::vector<std::int64_t> shots;              // their lengths
  std::vector<int> frameNumbers, sliceNumbers;  // that are read
};

std::vector<std::int64_t> shotLengths(const Layout& l) {
  std::int64_t length = l.points;
  for (const RoleArray* a : {&l.trajectory.front(), static_cast<const RoleArray*>(l.samples.get())})
    if (a->size(Role::shot) > 1) {
      length = a->size(Role::sample);
      break;
    }
  if (length == l.points && l.description.samplesPerShot > 0) length = l.description.samplesPerShot;
  std::vector<std::int64_t> lengths;
  for (std::int64_t at = 0; at < l.points; at += length) {
    std::int64_t rest = std::min(length, l.points - at);
    for (; rest > 0; rest -= maxShotSamples) lengths.push_back(std::min(rest, maxShotSamples));
  }
  return lengths;
}

void checkPoints(const Layout& l, const RoleArray& a, const char* what, const Decisions& d) {
  const std::int64_t n = a.size(Role::shot) * a.size(Role::sample);
  if (n != l.points)
    throw Error(d.problem(),
                "the samples are " + std::to_string(l.points) + " a coil (shots x samples), the " + what +
                    " " + std::to_string(n),
                "Correct the files or the axes in the description");
}

std::vector<int> asked(const char* topic, std::int64_t count, Decisions& d) {
  const std::string choice = d.override(topic);
  if (!choice.empty()) d.decide(topic, "all", "there are " + std::to_string(count), {});
  return numberList(choice, int(count), d.problem());
}

// One complex number a point is kx + i ky, said or not.
std::vector<ColumnSource> columnSources(const Layout& l, Decisions& d) {
  const std::vector<std::string>& names = l.description.columns;
  std::vector<ColumnSource> sources;
  std::size_t stored = 0;
  const bool one = l.trajectory.size() == 1 && l.trajectory.front().size(Role::column) == 1;
  for (std::size_t a = 0; a < l.trajectory.size(); ++a) {
    const bool complex = isComplex(l.trajectory[a].file().header().type);
    for (std::int64_t c = 0; c < l.trajectory[a].size(Role::column); ++c, ++stored) {
      const std::string name = stored < names.size() ? names[stored] : "";
      if (name != complexColumn && !(name.empty() && one && complex)) {
        sources.push_back({a, c, false, name});
        continue;
      }
      if (!complex)
        throw Error(d.problem(), "its column kx+iky is real",
                    "Name its columns kx and ky, or correct the file");
      sources.push_back({a, c, false, "kx"});
      sources.push_back({a, c, true, "ky"});
      d.note("columns", "kx and ky", "the trajectory's numbers are complex: kx + i ky");
    }
  }
  if (!names.empty() && names.size() != stored)
    throw Error(d.problem(),
                "its trajectory has " + std::to_string(stored) + " columns, the description names " +
                    std::to_string(names.size()),
                "Name every column");
  if (sources.size() < 2 || sources.size() > 4)
    throw Error(d.problem(), "its trajectory has " + std::to_string(sources.size()) + " columns",
                "Two to four are possible: kx, ky, and kz, density weight or time");
  return sources;
}

Layout openLayout(const ScanDescription& description, Decisions& d) {
  Layout l;
  l.description = description;
  const ScanDescription& s = l.description;
  const auto open = [&](const ArrayPart& part, const std::vector<std::string>& usual) {
    if (part.memory) return RoleArray(ArrayFile(part.memory), part.axes, usual, d.problem());
    return RoleArray(s.folder / part.file, part.shape, part.axes, usual, d.problem());
  };
  l.samples = std::make_unique<RoleArray>(open(s.samples, {"frame", "slice", "coil", "shot", "sample"}));
  for (const ArrayPart& part : s.trajectory)
    l.trajectory.push_back(open(part, s.trajectory.size() > 1
                                          ? std::vector<std::string>{"frame", "shot", "sample"}
                                          : std::vector<std::string>{"shot", "sample", "column"}));
  if (s.weights) l.weights = std::make_unique<RoleArray>(open(*s.weights, {"shot", "sample"}));
  if (s.times) l.times = std::make_unique<RoleArray>(open(*s.times, {"shot", "sample"}));

  l.frames = l.samples->size(Role::frame);
  l.slices = l.samples->size(Role::slice);
  l.coils = l.samples->size(Role::coil);
  l.points = l.samples->size(Role::shot) * l.samples->size(Role::sample);
  if (l.samples->size(Role::column) > 1)
    throw Error(d.problem(), "the samples have an axis called column", "Only the trajectory has columns");
  for (const RoleArray& t : l.trajectory) {
    checkPoints(l, t, "trajectory's points are", d);
    if (t.size(Role::coil) > 1 || t.size(Role::slice) > 1)
      throw Error(d.problem(), "the trajectory has an axis called coil or slice",
                  "Coils and slices share the trajectory; frames may have their own");
    if (t.size(Role::frame) != 1 && t.size(Role::frame) != l.frames)
      throw Error(d.problem(),
                  "the trajectory has " + std::to_string(t.size(Role::frame)) + " frames, the samples " +
                      std::to_string(l.frames),
                  "Correct the axes in the description");
  }
  for (const RoleArray* a : {l.weights.get(), l.times.get()})
    if (a && a->size(Role::frame) * a->size(Role::slice) * a->size(Role::coil) * a->size(Role::column) != 1)
      throw Error(d.problem(), "weights or times have axes besides shot and sample",
                  "Store them for one frame");
  if (l.weights) checkPoints(l, *l.weights, "weights are", d);
  if (l.times) {
    // one readout's times may stand for all
    const bool one = l.times->size(Role::shot) == 1 && l.points % l.times->size(Role::sample) == 0;
    if (!one) checkPoints(l, *l.times, "times are", d);
  }
  l.columns = columnSources(l, d);
  if (l.frames > maxCount || l.slices > maxCount || l.coils > maxShotSamples)
    throw Error(d.problem(), "it has more than 65535 frames, slices or coils",
                "Check the axes in the description");
  l.frameNumbers = asked("read-frames", l.frames, d);
  l.sliceNumbers = asked("read-slices", l.slices, d);
  l.shots = shotLengths(l);
  return l;
}

MrdHeader headerOf(const ScanDescription& s) {
  MrdHeader header;
  EncodingSpace& space = header.encodings.emplace_back();
  for (std::size_t i = 0; i < s.matrix.size(); ++i) space.recon.matrix[i] = s.matrix[i];
  if (s.matrix.size() == 2) space.recon.matrix[2] = 1;
  space.recon.statedAxes = s.matrix.size();
  for (std::size_t i = 0; i < s.fov.size(); ++i) space.recon.fov[i] = s.fov[i];
  return header;
}

void copyVector(const Vec3& from, void* to) {
  const std::array<float, 3> v{float(from[0]), float(from[1]), float(from[2])};
  std::copy_n(reinterpret_cast<const char*>(v.data()), sizeof v, static_cast<char*>(to));
}

// One acquisition for each frame, slice and shot that is read.
std::vector<AcquisitionHead> headsOf(const Layout& l) {
  const ScanDescription& s = l.description;
  std::vector<AcquisitionHead> heads;
  heads.reserve(l.frameNumbers.size() * l.sliceNumbers.size() * l.shots.size());
  for (const int f : l.frameNumbers)
    for (const int z : l.sliceNumbers)
      for (std::size_t i = 0; i < l.shots.size(); ++i) {
        AcquisitionHead head{};
        head.number_of_samples = std::uint16_t(l.shots[i]);
        head.available_channels = head.active_channels = std::uint16_t(l.coils);
        head.trajectory_dimensions = std::uint16_t(l.columns.size());
        head.sample_time_us = float(s.dwellSeconds * microsecondsPerSecond);
        head.idx.kspace_encode_step_1 = std::uint16_t(i % std::size_t(maxCount));
        head.idx.slice = std::uint16_t(z);
        head.idx.repetition = std::uint16_t(f);
        if (s.directions) {
          copyVector((*s.directions)[0], head.read_dir);
          copyVector((*s.directions)[1], head.phase_dir);
          copyVector((*s.directions)[2], head.slice_dir);
        }
        if (!s.positions.empty())
          copyVector(s.positions[std::min(std::size_t(z), s.positions.size() - 1)], head.position);
        heads.push_back(head);
      }
  return heads;
}

// Columns named kx, ky, kz come first, in that order; the other columns keep their names.
std::vector<ColumnSource> columnOrder(const std::vector<ColumnSource>& columns, const Decisions& d) {
  if (columns.front().name.empty()) return columns;
  std::vector<ColumnSource> order;
  for (const char* name : {"kx", "ky", "kz"}) {
    const auto isNamed = [&](const ColumnSource& c) { return c.name == name; };
    const auto n = std::count_if(columns.begin(), columns.end(), isNamed);
    if (n > 1 || (n == 0 && std::string(name) != "kz"))
      throw Error(d.problem(), "the trajectory's columns must name kx and ky once",
                  "Correct the description");
    if (n) order.push_back(*std::find_if(columns.begin(), columns.end(), isNamed));
  }
  return order;
}

// [frame or 1][point] of one array.
std::vector<double> pointValues(const RoleArray& array, std::int64_t column, bool imaginary,
                                const Progress& progress, const std::string& problem) {
  const std::int64_t n = array.size(Role::shot) * array.size(Role::sample), frames = array.size(Role::frame);
  requireMemory(double(n) * double(frames) * sizeof(double), problem, "its trajectory",
                "Use a machine with more memory");
  std::vector<double> values(std::size_t(n * frames));
  array.forEach(progress, "Reading the trajectory", [&](const RoleIndex& i, const cdouble& v) {
    if (i[Role::column] == column)
      values[std::size_t(i[Role::frame] * n + i[Role::shot] * array.size(Role::sample) + i[Role::sample])] =
          imaginary ? v.imag() : v.real();
  });
  return values;
}

void checkFinite(const std::vector<double>& values, const char* what, const Decisions& d) {
  const auto bad = std::count_if(values.begin(), values.end(), [](double v) { return !std::isfinite(v); });
  if (bad)
    throw Error(d.problem(), std::to_string(bad) + " of its " + what + " are not finite",
                "Repair them in the program that wrote the file");
}

// The columns of each acquisition, k first.
RawTrajectory rawTrajectory(const Layout& l, const std::vector<ColumnSource>& order, const Decisions& d,
                            const Progress& progress) {
  std::vector<std::vector<double>> columns;
  for (const ColumnSource& c : order) {
    columns.push_back(pointValues(l.trajectory[c.array], c.column, c.imaginary,
                                  progress.part(double(columns.size()) / double(order.size()),
                                                double(columns.size() + 1) / double(order.size())),
                                  d.problem()));
    checkFinite(columns.back(), "coordinates", d);
  }
  RawTrajectory raw;
  raw.columns = int(order.size());
  const double acquired = double(l.frameNumbers.size()) * double(l.sliceNumbers.size()) * double(l.points);
  requireMemory(acquired * double(order.size()) * sizeof(double), d.problem(), "its trajectory",
                "Use a machine with more memory");
  raw.values.reserve(std::size_t(acquired) * order.size());
  for (const int f : l.frameNumbers) {
    const std::int64_t frame = l.trajectory.front().size(Role::frame) > 1 ? f : 0;
    for (std::size_t z = 0; z < l.sliceNumbers.size(); ++z) {
      for (std::int64_t p = 0; p < l.points; ++p)
        for (const auto& column : columns) {
          const std::int64_t own = std::int64_t(column.size()) > l.points ? frame : 0;
          raw.values.push_back(column[std::size_t(own * l.points + p)]);
        }
      for (const std::int64_t n : l.shots) raw.offsets.push_back(raw.offsets.back() + n);
    }
  }
  return raw;
}

// Appends a column that has a file of its own.
void appendColumn(RawTrajectory& raw, const std::vector<double>& values, double scale) {
  std::vector<double> wider;
  wider.reserve(raw.values.size() + std::size_t(raw.samples()));
  for (std::int64_t j = 0; j < raw.samples(); ++j) {
    const auto begin = raw.values.begin() + j * raw.columns;
    wider.insert(wider.end(), begin, begin + raw.columns);
    wider.push_back(values[std::size_t(j) % values.size()] * scale);
  }
  raw.values = std::move(wider);
  ++raw.columns;
}

// Weights and times that the description names: as columns of the trajectory or in files of their
// own.
void addNamed(const Layout& l, Interpretation& in, Decisions& d, const Progress& progress) {
  const ScanDescription& s = l.description;
  const auto add = [&](const RoleArray& array, std::int64_t column, int& member, const char* what,
                       double scale) {
    const std::vector<double> values = pointValues(array, column, false, progress, d.problem());
    checkFinite(values, what, d);
    member = in.raw.columns;
    appendColumn(in.raw, values, scale);
  };
  for (const ColumnSource& c : l.columns) {
    const RoleArray& array = l.trajectory[c.array];
    if (c.name == "weight" && !l.weights) add(array, c.column, in.columns.weight, "density weights", 1);
    if (c.name == "time" && !l.times) add(array, c.column, in.columns.time, "times", s.timeUnit);
  }
  if (l.weights) add(*l.weights, 0, in.columns.weight, "density weights", 1);
  if (l.times) add(*l.times, 0, in.columns.time, "times", s.timeUnit);
}

// True where all samples are finite.
template <class Complex>
bool readSamples(const Layout& l, const Interpretation& in, Scan& scan, const Progress& progress) {
  // shots of a frame and slice lie one after the other wherever they go
  const std::vector<Place> places = placesOf(in, scan);
  const std::size_t shots = l.shots.size(), slices = l.sliceNumbers.size();
  std::vector<std::int64_t> frameOf(std::size_t(l.frames), -1), sliceOf(std::size_t(l.slices), -1);
  for (std::size_t i = 0; i < l.frameNumbers.size(); ++i)
    frameOf[std::size_t(l.frameNumbers[i])] = std::int64_t(i);
  for (std::size_t i = 0; i < slices; ++i) sliceOf[std::size_t(l.sliceNumbers[i])] = std::int64_t(i);
  // Null where the frame or slice is not read.
  const auto placeOf = [&](const RoleIndex& i) -> const Place* {
    const std::int64_t f = frameOf[std::size_t(i[Role::frame])], z = sliceOf[std::size_t(i[Role::slice])];
    if (f < 0 || z < 0) return nullptr;
    const Place& place = places[(std::size_t(f) * slices + std::size_t(z)) * shots];
    return place.frame < 0 ? nullptr : &place;
  };
  const auto step = [&](Role fastest, const Place& place) -> std::int64_t {
    if (fastest == Role::sample) return 1;
    if (fastest == Role::shot) return l.samples->size(Role::sample);
    return scan.trajectory(place.frame).samples();  // coil
  };
  SampleFollower* const follower = activeSampleFollower();
  std::atomic<bool> finite = true;
  l.samples->forEachRun<Complex>(
      progress, "Reading samples", [&](const RoleIndex& i) { return placeOf(i) != nullptr; },
      [&](const RoleIndex& i, Role fastest, const Complex* values, std::int64_t count) {
        const Place* const place = placeOf(i);
        if (!place) return;
        const std::int64_t at =
            place->first + i[Role::shot] * l.samples->size(Role::sample) + i[Role::sample];
        const std::int64_t by = count > 1 ? step(fastest, *place) : 1;
        scan.change(place->frame, place->slice, int(i[Role::coil]), [&](auto* samples) {
          if (!storeSamples(values, count, samples + at, by)) finite = false;
        });
        if (follower && fastest == Role::coil)
          follower->arrived(place->frame, place->slice, at, 1, int(count));
        else if (follower && by == 1)
          follower->arrived(place->frame, place->slice, at, count, 1);
      });
  return finite;
}

}  // namespace

std::shared_ptr<Scan> readArrays(const std::filesystem::path& path, Decisions& d, const Progress& progress) {
  return readDescribed(
      parseScanDescription(readDocument(path, {}, maxDescriptionBytes), path.parent_path(), d.problem()),
      path, d, progress);
}

std::shared_ptr<Scan> readDescribed(const ScanDescription& description, const std::filesystem::path& path,
                                    Decisions& d, const Progress& progress) {
  const Layout l = openLayout(description, d);
  const ScanDescription& s = l.description;
  const std::vector<AcquisitionHead> heads = headsOf(l);
  Interpretation in;
  in.selection.coils = int(l.coils);
  for (std::size_t i = 0; i < heads.size(); ++i) in.selection.imaging.push_back(std::int64_t(i));
  const std::vector<ColumnSource> order = columnOrder(l.columns, d);
  in.raw = rawTrajectory(l, order, d, progress.part(0, 0.2));
  in.selection.columns = in.raw.columns;
  in.doubleSamples = needsDouble(l.samples->file().header().type);
  if (!s.unit.empty()) d.suggest("k-unit", s.unit, fromDescription);
  if (order.size() == 3 && !s.columns.empty() && s.matrix.size() == 3 && s.matrix[2] > 1)
    d.suggest("third-dimension", "kz", fromDescription);
  d.note("samples", s.samples.file.string(),
         shapeText(l.samples->file().header().shape) + " " + elementName(l.samples->file().header().type) +
             ", axes " + l.samples->axesText());
  interpret(in, heads, headerOf(s), d);
  addNamed(l, in, d, progress.part(0.2, 0.24));
  auto scan = assembleScan(in, heads, path, d, progress.part(0.24, 0.25));
  scan->header = scanDescriptionText(s);
  const Progress part = progress.part(0.25, 0.97);
  if (SampleFollower* const follower = activeSampleFollower()) follower->begin(scan);
  const bool finite =
      scan->isDouble() ? readSamples<cdouble>(l, in, *scan, part) : readSamples<cfloat>(l, in, *scan, part);
  finishScan(*scan, in, heads, d, finite, progress);
  readNamedArrays(s, *scan, d, progress.part(0.97, 1));
  return scan;
}

}  // namespace spokelab
