#include "engine/scan/read/scanner/epi_navigators.h"

#include <algorithm>
#include <map>

#include "engine/scan/read/scanner/counted_trajectory.h"

namespace spokelab {
namespace {

constexpr std::uint64_t navigatorFlag = std::uint64_t{1} << (ISMRMRD::ISMRMRD_ACQ_IS_PHASECORR_DATA - 1),
                        noiseFlag = std::uint64_t{1} << (ISMRMRD::ISMRMRD_ACQ_IS_NOISE_MEASUREMENT - 1),
                        backwardsFlag = std::uint64_t{1} << (ISMRMRD::ISMRMRD_ACQ_IS_REVERSE - 1);
constexpr int maxLinesOfSlice = 12;

// True if kx falls in the first flagged shot of the image; none: no shot is flagged.
std::optional<bool> flaggedFalls(const std::vector<AcquisitionHead>& heads, const Selection& s,
                                 const Groups& groups, const Trajectory& t) {
  const auto& lines = groups.lines.front().front();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto first = t.shotOffsets[i], last = t.shotOffsets[i + 1] - 1;
    const std::uint64_t flags = heads[std::size_t(s.imaging[lines[i]])].flags;
    if ((flags & (backwardsFlag | countedBackwardsFlag)) != 0 && last > first)
      return t.points[std::size_t(last * t.dims)] < t.points[std::size_t(first * t.dims)];
  }
  return std::nullopt;
}

}  // namespace

EpiNavigators readNavigators(AcquisitionSource& file, const Selection& s, const Groups& groups,
                             const Scan& scan, const Progress& progress) {
  EpiNavigators result;
  const auto& heads = file.heads();
  if (groups.slicesAreFrames || scan.trajectory(0).shots() != std::int64_t(groups.lines[0][0].size()))
    return result;
  const auto falls = flaggedFalls(heads, s, groups, scan.trajectory(0));
  if (!falls) return result;
  result.flaggedRunsDown = *falls;
  std::vector<std::int64_t> wanted;
  std::vector<int> slices;
  std::map<int, int> taken;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const AcquisitionHead& head = heads[i];
    if ((head.flags & navigatorFlag) == 0 || (head.flags & noiseFlag) != 0) continue;
    if (head.active_channels != scan.coils || keptSamples(head, s.discard).count == 0) continue;
    int slice = 0;
    if (scan.slices > 1) {
      const auto found = std::find(groups.sliceCounters.begin(), groups.sliceCounters.end(), head.idx.slice);
      if (found == groups.sliceCounters.end()) continue;
      slice = int(found - groups.sliceCounters.begin());
    }
    if (slice >= scan.slices || ++taken[slice] > maxLinesOfSlice) continue;
    wanted.push_back(std::int64_t(i));
    slices.push_back(slice);
  }
  result.lines.resize(wanted.size());
  file.read(AcquisitionMember::data, wanted, "Reading lines for phase correction", progress,
            [&](std::size_t i, const float* values) {
              const AcquisitionHead& head = heads[std::size_t(wanted[i])];
              const SampleRange kept = keptSamples(head, s.discard);
              NavigatorLine& line = result.lines[i];
              line.slice = slices[i];
              line.backwards = (head.flags & backwardsFlag) != 0;
              const auto* const all = reinterpret_cast<const cfloat*>(values);
              for (std::int64_t c = 0; c < scan.coils; ++c) {
                const cfloat* const first = all + c * head.number_of_samples + kept.first;
                line.samples.insert(line.samples.end(), first, first + kept.count);
              }
            });
  std::erase_if(result.lines, [](const NavigatorLine& line) {
    return !allFinite(line.samples.data(), std::int64_t(line.samples.size()));
  });
  return result;
}

}  // namespace spokelab
