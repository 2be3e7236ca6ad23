#include "engine/scan/read/steps/assemble_scan.h"

#include <algorithm>
#include <limits>

#include "engine/core/memory/machine_memory.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"
#include "engine/scan/read/steps/bad_readouts.h"
#include "engine/scan/read/steps/build_trajectory.h"
#include "engine/scan/read/steps/correct_fov_shift.h"
#include "engine/scan/read/steps/correct_reversed.h"
#include "engine/scan/read/steps/decide_axes.h"
#include "engine/scan/read/steps/decide_geometry.h"
#include "engine/scan/read/steps/decide_range.h"
#include "engine/scan/read/steps/group_frames.h"

namespace spokelab {
namespace {

void noteShots(const Scan& scan, Decisions& d) {
  const Trajectory& t = scan.trajectories.front();
  std::int64_t shortest = t.samples(), longest = 0;
  for (std::size_t s = 0; s + 1 < t.shotOffsets.size(); ++s) {
    const std::int64_t n = t.shotOffsets[s + 1] - t.shotOffsets[s];
    shortest = std::min(shortest, n);
    longest = std::max(longest, n);
  }
  const std::string lengths = shortest == longest
                                  ? countText(longest, "sample", "samples") + " each"
                                  : std::to_string(shortest) + " to " + std::to_string(longest) + " samples";
  d.note("shots", std::to_string(t.shots()), lengths + ", " + countText(scan.coils, "channel", "channels"));
}

void noteTimes(const Columns& columns, const Scan& scan, Decisions& d) {
  if (columns.time >= 0)
    d.note("times", "from the file", "stored for each sample, in seconds");
  else if (!scan.trajectories.front().times.empty())
    d.note("times", "from the dwell time", "time 0 is the start of the readout");
  else
    d.note("times", "unknown", "the file gives no dwell time");
}

// When each shot was measured, by the clock stamps of its acquisition (the first slice's).
void addShotTimes(const Interpretation& in, const std::vector<AcquisitionHead>& heads, Scan& scan,
                  Decisions& d) {
  const auto stampOf = [&](std::size_t p) {
    return heads[std::size_t(in.selection.imaging[p])].acquisition_time_stamp;
  };
  std::uint32_t first = std::numeric_limits<std::uint32_t>::max(), last = 0;
  for (const auto& frame : in.groups.lines)
    for (const std::size_t p : frame.front()) {
      first = std::min(first, stampOf(p));
      last = std::max(last, stampOf(p));
    }
  if (first >= last) return;
  for (const auto& frame : in.groups.lines) {
    std::vector<double>& times = scan.shotTimes.emplace_back();
    for (const std::size_t p : frame.front()) times.push_back(double(stampOf(p) - first) * stampSeconds);
  }
  d.note("shot-times", "0 ... " + numberText(double(last - first) * stampSeconds) + " s",
         "stamps of the acquisitions, in ticks of 2.5 ms as the field's converters write them");
}

std::int64_t partitionsToLast(const Selection& s, const std::vector<AcquisitionHead>& heads) {
  std::int64_t last = 0;
  for (const std::int64_t i : s.imaging)
    last = std::max<std::int64_t>(last, heads[std::size_t(i)].idx.kspace_encode_step_2);
  return last + 1;
}

// Notes the memory that the scan will take, and refuses more than this machine has.
void checkMemory(const Interpretation& in, Decisions& d) {
  double kept = 0;
  for (const auto& frame : in.groups.lines)
    for (const auto& slice : frame)
      for (const std::size_t p : slice) kept += double(in.raw.offsets[p + 1] - in.raw.offsets[p]);
  const double samples = kept * in.selection.coils * Scan::bytesPerSample(in.doubleSamples);
  const double share = in.groups.sharedTrajectory ? 1.0 / double(in.groups.lines.size()) : 1.0;
  const double trajectory = kept * share * (in.columns.dims + 2) * sizeof(double);
  requireMemory(
      samples + trajectory, d.problem(), "the scan",
      "Read fewer frames or slices (decisions read-frames, read-slices), or use a machine with more memory");
  d.note("memory", bytesText(samples + trajectory),
         "samples " + bytesText(samples) + ", trajectory " + bytesText(trajectory) + "; this machine has " +
             bytesText(double(memoryCapacity())));
}

}  // namespace

void interpret(Interpretation& in, const std::vector<AcquisitionHead>& heads, const MrdHeader& header,
               Decisions& d) {
  const EncodingSpace& encoding = header.encodings[in.selection.encoding];
  in.columns = decideColumns(in.raw, in.selection, heads, encoding, d);
  const int storedDims = in.columns.partition >= 0 ? 2 : in.columns.dims;
  decideRange(in.raw, storedDims, encoding, d);
  decideAxes(in.raw, storedDims, encoding, d);
  in.space =
      decideSpace(in.raw, in.columns, encoding, partitionsToLast(in.selection, heads), header.unitRemark, d);
  in.groups = groupAcquisitions(in.raw, in.columns, in.selection, heads, in.space, d);
  in.groups.axes = nameFrames(in.groups, in.selection, heads, header, d);
}

std::shared_ptr<Scan> assembleScan(const Interpretation& in, const std::vector<AcquisitionHead>& heads,
                                   const std::filesystem::path& file, Decisions& d,
                                   const Progress& progress) {
  auto scan = std::make_shared<Scan>();
  scan->name = file.filename().string();
  scan->path = file.string();
  scan->geometry = decideGeometry(in.groups, in.selection, heads, in.space, in.columns.dims, d);
  scan->coils = in.selection.coils;
  scan->frames = int(in.groups.lines.size());
  scan->frameAxes = in.groups.axes;
  scan->slices = int(in.groups.lines.front().size());
  checkMemory(in, d);
  const std::size_t trajectories = in.groups.sharedTrajectory ? 1 : in.groups.lines.size();
  for (std::size_t f = 0; f < trajectories; ++f) {
    progress.report(double(f) / double(trajectories), "Building the trajectory");
    scan->trajectories.push_back(
        buildTrajectory(in.raw, in.columns, in.selection, heads, in.space, in.groups, f));
  }
  normaliseWeights(scan->trajectories, d);
  noteShots(*scan, d);
  noteTimes(in.columns, *scan, d);
  addShotTimes(in, heads, *scan, d);
  for (int f = 0; f < scan->frames; ++f) {
    const std::int64_t size = std::int64_t(scan->slices) * scan->coils * scan->trajectory(f).samples();
    scan->makeRoom(f, size, in.doubleSamples);
  }
  return scan;
}

std::vector<Place> placesOf(const Interpretation& in, const Scan& scan) {
  std::vector<Place> places(in.selection.imaging.size());
  for (std::size_t f = 0; f < in.groups.lines.size(); ++f)
    for (std::size_t z = 0; z < in.groups.lines[f].size(); ++z) {
      const auto& offsets = scan.trajectory(int(f)).shotOffsets;
      for (std::size_t i = 0; i < in.groups.lines[f][z].size(); ++i)
        places[in.groups.lines[f][z][i]] = {int(f), int(z), offsets[i]};
    }
  return places;
}

void finishScan(Scan& scan, const Interpretation& in, const std::vector<AcquisitionHead>& heads, Decisions& d,
                bool samplesAreFinite, const Progress& progress) {
  Groups groups = in.groups;
  const bool finite = leaveOutBadReadouts(scan, in.raw, groups, samplesAreFinite, d, progress);
  validate(scan, finite, progress);
  correctReversed(scan, groups, in.selection, heads, d);
  correctFovShift(scan, d);
  if (in.groups.averages > 1)
    d.note("averages", std::to_string(in.groups.averages),
           "repeated measurements count as further shots of a frame");
}

}  // namespace spokelab
