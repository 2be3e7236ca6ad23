#include "engine/scan/read_ismrmrd.h"

#include <algorithm>

#include "engine/scan/memory_check.h"
#include "engine/scan/read_steps.h"

namespace spokelab {
namespace {

// Where the samples of one acquisition go.
struct Place {
  int frame = -1, slice = 0;  // frame -1: not used
  std::int64_t first = 0;
};

std::vector<Place> placesOf(const Groups& groups, const Selection& s, const Scan& scan) {
  std::vector<Place> places(s.imaging.size());
  for (std::size_t f = 0; f < groups.lines.size(); ++f)
    for (std::size_t z = 0; z < groups.lines[f].size(); ++z) {
      const auto& offsets = scan.trajectory(int(f)).shotOffsets;
      for (std::size_t i = 0; i < groups.lines[f][z].size(); ++i)
        places[groups.lines[f][z][i]] = {int(f), int(z), offsets[i]};
    }
  return places;
}

void copyChannels(const float* values, const AcquisitionHead& head, const SampleRange& kept, cfloat* out,
                  std::int64_t stride) {
  const auto* all = reinterpret_cast<const cfloat*>(values);
  for (std::int64_t c = 0; c < head.active_channels; ++c) {
    const cfloat* begin = all + c * head.number_of_samples + kept.first;
    std::copy(begin, begin + kept.count, out + c * stride);
  }
}

void readSamples(AcquisitionFile& file, const Groups& groups, const Selection& s, Scan& scan,
                 const Progress& progress) {
  const std::vector<Place> places = placesOf(groups, s, scan);
  std::vector<std::int64_t> wanted;
  std::vector<std::size_t> positions;
  for (std::size_t p = 0; p < places.size(); ++p)
    if (places[p].frame >= 0) {
      wanted.push_back(s.imaging[p]);
      positions.push_back(p);
    }
  for (int f = 0; f < scan.frames; ++f) {
    const std::int64_t size = std::int64_t(scan.slices) * scan.coils * scan.trajectory(f).samples();
    scan.samples.emplace_back().resize(std::size_t(size));
  }
  file.read(
      AcquisitionMember::data, wanted, "Reading samples", progress, [&](std::size_t i, const float* values) {
        const Place& place = places[positions[i]];
        const AcquisitionHead& head = file.heads()[std::size_t(wanted[i])];
        cfloat* out = const_cast<cfloat*>(scan.data(place.frame, place.slice, 0)) + place.first;
        copyChannels(values, head, keptSamples(head, s.discard), out, scan.trajectory(place.frame).samples());
      });
}

// Noise readouts one after the other: [coil, sample].
void readNoise(AcquisitionFile& file, const Selection& s, Scan& scan, const Progress& progress) {
  std::int64_t total = 0;
  std::vector<std::int64_t> first;
  for (const std::int64_t i : s.noise) {
    first.push_back(total);
    total += file.heads()[std::size_t(i)].number_of_samples;
  }
  if (total == 0) return;
  scan.noise.resize(std::size_t(total * s.coils));
  file.read(AcquisitionMember::data, s.noise, "Reading noise", progress,
            [&](std::size_t p, const float* values) {
              const AcquisitionHead& head = file.heads()[std::size_t(s.noise[p])];
              copyChannels(values, head, {0, head.number_of_samples}, scan.noise.data() + first[p], total);
            });
}

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
    d.note("times", "from the trajectory", "its fourth dimension");
  else if (!scan.trajectories.front().times.empty())
    d.note("times", "from the dwell time", "sample_time_us; time 0 is the start of the readout");
  else
    d.note("times", "unknown", "the acquisition headers give no sample_time_us");
}

std::int64_t countedPartitions(const Selection& s, const std::vector<AcquisitionHead>& heads) {
  std::int64_t last = 0;
  for (const std::int64_t i : s.imaging)
    last = std::max<std::int64_t>(last, heads[std::size_t(i)].idx.kspace_encode_step_2);
  return last + 1;
}

}  // namespace

std::shared_ptr<const Scan> readIsmrmrd(const std::filesystem::path& path, const ReadOptions& options,
                                        const Progress& progress) {
  Decisions d(options, "Cannot read " + path.string());
  AcquisitionFile file(path, options.dataset, progress.part(0, 0.1));
  const MrdHeader header = parseMrdHeader(file.xml(), d.problem());
  const auto& heads = file.heads();
  const Selection s = selectAcquisitions(heads, header, d);
  const EncodingSpace& encoding = header.encodings[s.encoding];
  const RawTrajectory raw = readTrajectory(file, s, d, progress.part(0.1, 0.3));
  const Columns columns = decideColumns(raw, s, heads, encoding, d);
  const ImageSpace space =
      decideSpace(raw, columns, encoding, countedPartitions(s, heads), header.unitRemark, d);
  const Groups groups = groupAcquisitions(raw, columns, s, heads, space, d);

  auto scan = std::make_shared<Scan>();
  scan->name = path.filename().string();
  scan->path = path.string();
  scan->header = file.xml();
  scan->geometry = decideGeometry(groups, s, heads, space, columns.dims, d);
  scan->coils = s.coils;
  scan->frames = int(groups.lines.size());
  scan->slices = int(groups.lines.front().size());
  const std::size_t trajectories = groups.sharedTrajectory ? 1 : groups.lines.size();
  const double perPoint = columns.dims + 2;
  requireMemory(
      (double(raw.samples()) * perPoint) * sizeof(double) + double(raw.samples()) * s.coils * sizeof(cfloat),
      d.problem(), "the scan", "Read it on a machine with more memory");
  for (std::size_t f = 0; f < trajectories; ++f) {
    progress.checkpoint();
    scan->trajectories.push_back(buildTrajectory(raw, columns, s, heads, space, groups, f));
  }
  normaliseWeights(scan->trajectories, d);
  noteShots(*scan, d);
  noteTimes(columns, *scan, d);
  readSamples(file, groups, s, *scan, progress.part(0.3, 0.95));
  readNoise(file, s, *scan, progress.part(0.95, 1));
  validate(*scan);
  settleReversed(*scan, groups, s, heads, d);
  if (groups.averages > 1)
    d.note("averages", std::to_string(groups.averages),
           "repeated measurements count as further shots of a frame");
  scan->decisions = std::move(d.made);
  scan->warnings = std::move(d.warnings);
  progress.report(1, "Read " + scan->name);
  return scan;
}

}  // namespace spokelab
