#include "engine/scan/read/read_arrays.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <map>

#include "engine/core/document.h"
#include "engine/core/text.h"
#include "engine/scan/formats/frames/frame_counters.h"
#include "engine/scan/read/arrays/array_layout.h"
#include "engine/scan/read/arrays/array_limits.h"
#include "engine/scan/read/arrays/array_points.h"
#include "engine/scan/read/companion_arrays.h"
#include "engine/scan/read/description/scan_description.h"
#include "engine/scan/read/sample_follower.h"
#include "engine/scan/read/store_samples.h"

namespace spokelab {
namespace {

constexpr std::size_t maxDescriptionBytes = 1 << 20;
constexpr double microsecondsPerSecond = 1e6;
const char* const fromDescription = "the description says so";

MrdHeader headerOf(const ArrayLayout& l) {
  const ScanDescription& s = l.description;
  MrdHeader header;
  header.statedFrames = l.frameAxes.axes;
  EncodingSpace& space = header.encodings.emplace_back();
  for (std::size_t i = 0; i < s.matrix.size(); ++i) space.recon.matrix[i] = s.matrix[i];
  if (s.matrix.size() == 2) space.recon.matrix[2] = 1;
  space.recon.statedAxes = s.matrix.size();
  if (l.countsPartitions() && s.matrix.size() < 3) {
    space.encoded.matrix[2] = l.partitions;
    if (!s.matrix.empty()) {
      space.recon.matrix[2] = l.partitions;
      space.recon.statedAxes = 3;
    }
  }
  for (std::size_t i = 0; i < s.fov.size(); ++i) space.recon.fov[i] = s.fov[i];
  return header;
}

void copyVector(const Vec3& from, void* to) {
  const std::array<float, 3> v{float(from[0]), float(from[1]), float(from[2])};
  std::copy_n(reinterpret_cast<const char*>(v.data()), sizeof v, static_cast<char*>(to));
}

// One acquisition for each frame, slice and shot that is read.
std::vector<AcquisitionHead> headsOf(const ArrayLayout& l) {
  const ScanDescription& s = l.description;
  std::vector<AcquisitionHead> heads;
  heads.reserve(l.frameNumbers.size() * l.sliceNumbers.size() * l.lines());
  const std::size_t shots = l.shots.size();
  for (const int f : l.frameNumbers)
    for (const int z : l.sliceNumbers)
      for (std::size_t line = 0; line < l.lines(); ++line) {
        const std::size_t i = line % shots;
        AcquisitionHead head{};
        head.number_of_samples = std::uint16_t(l.shots[i]);
        head.available_channels = head.active_channels = std::uint16_t(l.coils);
        head.trajectory_dimensions = std::uint16_t(l.columns.size());
        head.sample_time_us = float(s.dwellSeconds * microsecondsPerSecond);
        head.idx.kspace_encode_step_1 = std::uint16_t(i % std::size_t(maxArrayCount));
        if (l.countsPartitions()) head.idx.kspace_encode_step_2 = std::uint16_t(line / shots);
        head.idx.slice = std::uint16_t(z);
        countFrame(head.idx, l.frameAxes, f);
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

// Frames in the order of the file's axes; averages are frames, too, where they have an axis.
void suggestFrames(const ArrayLayout& l, Decisions& d) {
  const std::map<FrameMeaning, const char*> names = {
      {FrameMeaning::frame, "repetition"}, {FrameMeaning::time, "repetition"},
      {FrameMeaning::echo, "contrast"},    {FrameMeaning::phase, "phase"},
      {FrameMeaning::average, "average"},  {FrameMeaning::set, "set"},
      {FrameMeaning::segment, "segment"}};
  std::vector<std::string> counters;
  for (const FrameAxis& axis : l.frameAxes.axes) {
    const auto name = names.find(axis.meaning);
    if (axis.size > 1 && name != names.end() &&
        std::find(counters.begin(), counters.end(), name->second) == counters.end())
      counters.emplace_back(name->second);
  }
  const bool byItself = counters.empty() || counters == std::vector<std::string>{"repetition"} ||
                        counters == std::vector<std::string>{"contrast"};
  if (!byItself) d.suggest("frames", joined(counters, "+"), fromDescription);
}

// True if the samples have an axis of shots as long as the trajectory's, and no partitions.
bool hasWholeShots(const ArrayLayout& l) {
  const std::int64_t length = l.samples->size(Role::sample);
  return l.partitions == 1 && l.samples->size(Role::shot) == std::int64_t(l.shots.size()) &&
         std::all_of(l.shots.begin(), l.shots.end(), [&](std::int64_t n) { return n == length; });
}

// True if all samples are finite. `shotsMove`: a sequence's labels may send the shots of one frame
// of the arrays to several frames and slices of the scan. Without it they stay together.
template <class Complex>
bool readSamples(const ArrayLayout& l, const Interpretation& in, bool shotsMove, Scan& scan,
                 const Progress& progress) {
  const std::vector<Place> places = placesOf(in, scan);
  const std::size_t lines = l.lines(), slices = l.sliceNumbers.size();
  std::vector<std::int64_t> frameOf(std::size_t(l.frames), -1), sliceOf(std::size_t(l.slices), -1);
  for (std::size_t i = 0; i < l.frameNumbers.size(); ++i)
    frameOf[std::size_t(l.frameNumbers[i])] = std::int64_t(i);
  for (std::size_t i = 0; i < slices; ++i) sliceOf[std::size_t(l.sliceNumbers[i])] = std::int64_t(i);
  // Null where the frame or slice is not read.
  const auto placeOf = [&](const RoleIndex& i) -> const Place* {
    const std::int64_t f = frameOf[std::size_t(i[Role::frame])], z = sliceOf[std::size_t(i[Role::slice])];
    if (f < 0 || z < 0) return nullptr;
    const std::size_t line = shotsMove ? std::size_t(i[Role::shot]) : 0;
    const Place& place = places[(std::size_t(f) * slices + std::size_t(z)) * lines + line];
    return place.frame < 0 ? nullptr : &place;
  };
  const std::int64_t ownSamples = l.samples->size(Role::sample);
  const bool inParts = l.samples->size(Role::part) == 2;
  const auto step = [&](Role fastest, const Place& place) -> std::int64_t {
    if (fastest == Role::sample) return 1;
    if (fastest == Role::shot) return ownSamples;
    return scan.trajectory(place.frame).samples();  // coil
  };
  SampleFollower* const follower = activeSampleFollower();
  std::atomic<bool> finite = true;
  const auto take = [&](const RoleIndex& i, Role fastest, const Complex* values, std::int64_t count) {
    const Place* const place = placeOf(i);
    if (!place) return;
    const std::int64_t before = shotsMove ? 0 : i[Role::partition] * l.points + i[Role::shot] * ownSamples;
    const std::int64_t at = place->first + before + i[Role::sample];
    const std::int64_t by = count > 1 ? step(fastest, *place) : 1;
    scan.change(place->frame, place->slice, int(i[Role::coil]), [&](auto* samples) {
      using Sample = std::remove_pointer_t<decltype(samples)>;
      // Real parts come before the imaginary ones of the same samples, whatever the order.
      if (inParts && i[Role::part] == 1)
        for (std::int64_t n = 0; n < count; ++n) {
          samples[at + n * by] += Sample(0, typename Sample::value_type(values[n].real()));
          if (!allFinite(samples + at + n * by, 1)) finite = false;
        }
      else if (!storeSamples(values, count, samples + at, by))
        finite = false;
    });
    if (inParts) return;  // samples arrive in two steps: nobody follows them
    if (follower && fastest == Role::coil)
      follower->arrived(place->frame, place->slice, at, 1, int(count));
    else if (follower && by == 1)
      follower->arrived(place->frame, place->slice, at, count, 1);
  };
  l.samples->forEachRun<Complex>(
      progress, "Reading samples", [&](const RoleIndex& i) { return shotsMove || placeOf(i) != nullptr; },
      [&](const RoleIndex& i, Role fastest, const Complex* values, std::int64_t count) {
        if (!shotsMove || fastest != Role::shot) return take(i, fastest, values, count);
        RoleIndex one = i;
        for (std::int64_t n = 0; n < count; ++n, ++one[Role::shot]) take(one, fastest, values + n, 1);
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
                                    Decisions& d, const Progress& progress, const CountShots& count) {
  const ArrayLayout l = openArrayLayout(description, d);
  const ScanDescription& s = l.description;
  std::vector<AcquisitionHead> heads = headsOf(l);
  const bool shotsMove = count && hasWholeShots(l);
  if (shotsMove) count(heads, d);
  Interpretation in;
  in.selection.coils = int(l.coils);
  for (std::size_t i = 0; i < heads.size(); ++i) in.selection.imaging.push_back(std::int64_t(i));
  const std::vector<ColumnSource> order = columnOrder(l.columns, d);
  in.raw = arrayTrajectory(l, order, d, progress.part(0, 0.2));
  in.selection.columns = in.raw.columns;
  in.doubleSamples = needsDouble(l.samples->file().header().type);
  if (!s.unit.empty()) d.suggest("k-unit", s.unit, fromDescription);
  if (order.size() == 3 && !s.columns.empty() && s.matrix.size() == 3 && s.matrix[2] > 1)
    d.suggest("third-dimension", "kz", fromDescription);
  if (l.countsPartitions()) d.suggest("third-dimension", "partition", "the axis partition of the samples");
  d.note("samples", s.samples.file.string(),
         shapeText(l.samples->file().header().shape) + " " + elementName(l.samples->file().header().type) +
             ", axes " + l.samples->axesText());
  suggestFrames(l, d);
  interpret(in, heads, headerOf(l), d);
  addNamedColumns(l, in, d, progress.part(0.2, 0.24));
  auto scan = assembleScan(in, heads, path, d, progress.part(0.24, 0.25));
  scan->header = scanDescriptionText(s);
  const Progress part = progress.part(0.25, 0.97);
  if (SampleFollower* const follower = activeSampleFollower()) follower->begin(scan);
  const bool finite = scan->isDouble() ? readSamples<cdouble>(l, in, shotsMove, *scan, part)
                                       : readSamples<cfloat>(l, in, shotsMove, *scan, part);
  finishScan(*scan, in, heads, d, finite, progress);
  readNamedArrays(s, *scan, d, progress.part(0.97, 1));
  return scan;
}

}  // namespace spokelab
