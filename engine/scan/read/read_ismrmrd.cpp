#include "engine/scan/read/read_ismrmrd.h"

#include <algorithm>
#include <atomic>

#include "engine/core/text.h"
#include "engine/scan/formats/acquisitions/acquisition_file.h"
#include "engine/scan/read/sample_follower.h"
#include "engine/scan/read/scanner/counted_trajectory.h"
#include "engine/scan/read/scanner/epi_navigators.h"
#include "engine/scan/read/separate/given_noise.h"
#include "engine/scan/read/separate/separate_acquisitions.h"
#include "engine/scan/read/shots/trace_signal.h"
#include "engine/scan/read/steps/assemble_scan.h"

namespace spokelab {
namespace {

// Looks at the numbers while they are at hand: true where all are finite.
bool copyChannels(const float* values, const AcquisitionHead& head, const SampleRange& kept, cfloat* out,
                  std::int64_t stride) {
  const auto* all = reinterpret_cast<const cfloat*>(values);
  bool finite = true;
  for (std::int64_t c = 0; c < head.active_channels; ++c) {
    const cfloat* begin = all + c * head.number_of_samples + kept.first;
    std::copy(begin, begin + kept.count, out + c * stride);
    finite = allFinite(begin, kept.count) && finite;
  }
  return finite;
}

// True where all samples are finite.
bool readSamples(AcquisitionSource& file, const Interpretation& in, Scan& scan, const Progress& progress) {
  SampleFollower* const follower = activeSampleFollower();
  const Selection& s = in.selection;
  const std::vector<Place> places = placesOf(in, scan);
  std::vector<std::int64_t> wanted;
  std::vector<std::size_t> positions;
  for (std::size_t p = 0; p < places.size(); ++p)
    if (places[p].frame >= 0) {
      wanted.push_back(s.imaging[p]);
      positions.push_back(p);
    }
  std::atomic<bool> finite = true;
  file.read(AcquisitionMember::data, wanted, "Reading samples", progress,
            [&](std::size_t i, const float* values) {
              const Place& place = places[positions[i]];
              const AcquisitionHead& head = file.heads()[std::size_t(wanted[i])];
              const SampleRange kept = keptSamples(head, s.discard);
              cfloat* out = scan.data(place.frame, place.slice, 0) + place.first;
              if (!copyChannels(values, head, kept, out, scan.trajectory(place.frame).samples()))
                finite = false;
              if (follower) follower->arrived(place.frame, place.slice, place.first, kept.count, scan.coils);
            });
  return finite;
}

// Noise readouts one after the other: [coil, sample].
void readNoise(AcquisitionSource& file, const Selection& s, Scan& scan, const Progress& progress) {
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

// Traces count from the first readout, of noise as well; shots count from the first that is none.
void alignTraces(Scan& scan, const std::vector<AcquisitionHead>& heads) {
  constexpr std::uint64_t noise = std::uint64_t(1) << (ISMRMRD::ISMRMRD_ACQ_IS_NOISE_MEASUREMENT - 1);
  const auto first = std::find_if(heads.begin(), heads.end(),
                                  [](const AcquisitionHead& head) { return (head.flags & noise) == 0; });
  if (first == heads.end() || first == heads.begin()) return;
  const double delay =
      (double(first->acquisition_time_stamp) - double(heads.front().acquisition_time_stamp)) * stampSeconds;
  for (NamedArray& array : scan.arrays)
    if (isTrace(array))
      for (std::size_t i = 0; i < std::size_t(array.shape[1]); ++i) array.values[i] -= float(delay);
}

// Navigators are stored as the image's lines are, so they are turned round with them.
void turnRound(EpiNavigators& navigators, const Scan& scan, const Decisions& d) {
  const bool flipped = std::any_of(d.made.begin(), d.made.end(), [](const Decision& made) {
    return made.topic == "reversed" && made.choice == "flip";
  });
  if (!flipped) return;
  for (NavigatorLine& line : navigators.lines) {
    const auto count = std::ptrdiff_t(line.samples.size()) / scan.coils;
    for (std::ptrdiff_t c = 0; line.backwards && c < scan.coils; ++c)
      std::reverse(line.samples.begin() + c * count, line.samples.begin() + (c + 1) * count);
  }
}

}  // namespace

std::shared_ptr<Scan> readAcquisitions(AcquisitionSource& file, const std::filesystem::path& path,
                                       Decisions& d, const Progress& progress) {
  const MrdHeader header = parseMrdHeader(file.xml(), d.problem());
  const auto& heads = file.heads();
  Interpretation in;
  in.selection = selectAcquisitions(heads, header, d);
  in.raw = readTrajectory(file, in.selection, d, progress.part(0, 0.2));
  interpret(in, heads, header, d);
  keepAskedFor(in.groups, d);
  auto scan = assembleScan(in, heads, path, d, progress.part(0.2, 0.25));
  scan->header = file.xml();
  if (SampleFollower* const follower = activeSampleFollower()) follower->begin(scan);
  const bool finite = readSamples(file, in, *scan, progress.part(0.25, 0.95));
  readNoise(file, in.selection, *scan, progress.part(0.95, 0.97));
  EpiNavigators navigators = readNavigators(file, in.selection, in.groups, *scan, progress.part(0.97, 1));
  finishScan(*scan, in, heads, d, finite, progress);
  turnRound(navigators, *scan, d);
  correctGhost(*scan, navigators, d, progress.part(0.97, 1));
  d.take(ghostTopic);
  return scan;
}

std::shared_ptr<Scan> readOpenFile(AcquisitionFile& file, const std::filesystem::path& path,
                                   const SeparateFiles& separate, Decisions& d, const Progress& progress) {
  for (const std::string& thing : file.ignored())
    d.warn("The file also holds " + thing + ", which is not part of the scan and was ignored");
  for (const std::string& remark : file.remarks()) d.warn(remark);
  SeparateAcquisitions given(file, separate, d, progress.part(0, 0.05));
  CountedTrajectory acquisitions(given, d, progress.part(0.05, 0.06));
  auto scan = readAcquisitions(acquisitions, path, d, progress.part(0.06, 1));
  if (!separate.noise.empty()) scan->noise = readGivenNoise(separate.noise, scan->coils, d, progress);
  for (const NamedArray& array : file.arrays())
    d.note("array " + array.name, shapeText(array.shape), array.complex ? "complex numbers" : "real numbers");
  scan->arrays = std::move(file.arrays());
  alignTraces(*scan, file.heads());
  return scan;
}

std::shared_ptr<Scan> readIsmrmrd(const std::filesystem::path& path, const std::string& dataset,
                                  const SeparateFiles& separate, Decisions& d, const Progress& progress) {
  const bool anywhere = d.override("external-links") == "anywhere";
  AcquisitionFile file(path, dataset, progress.part(0, 0.1),
                       anywhere ? LinkReach::anywhere : LinkReach::folder);
  if (!file.links().empty())
    d.decide("external-links", "folder", "the file links to others: " + joined(file.links()),
             {"folder", "anywhere"});
  return readOpenFile(file, path, separate, d, progress.part(0.1, 1));
}

}  // namespace spokelab
