#include "engine/scan/read/steps/correct_reversed.h"

#include <algorithm>
#include <cmath>

#include "engine/core/text.h"
#include "engine/scan/read/sample_follower.h"

namespace spokelab {
namespace {

struct Shot {
  int frame, slice;
  std::int64_t first, count;
};

// Mean |k| under the signal's energy, for the samples as they are or reversed.
double meanRadius(const Scan& scan, const Shot& shot, bool turned) {
  const Trajectory& t = scan.trajectory(shot.frame);
  double weighted = 0, energy = 0;
  for (std::int64_t i = 0; i < shot.count; ++i) {
    const std::int64_t at = shot.first + (turned ? shot.count - 1 - i : i);
    double radius = 0;
    for (int c = 0; c < t.dims; ++c) radius += std::pow(t.points[std::size_t(at * t.dims + c)], 2);
    double power = 0;
    for (int coil = 0; coil < scan.coils; ++coil)
      power += std::norm(cdouble(scan.data(shot.frame, shot.slice, coil)[shot.first + i]));
    weighted += power * std::sqrt(radius);
    energy += power;
  }
  return energy > 0 ? weighted / energy : 0;
}

}  // namespace

void correctReversed(Scan& scan, const Groups& groups, const Selection& s,
                     const std::vector<AcquisitionHead>& heads, Decisions& d) {
  constexpr int reversedBit = ISMRMRD::ISMRMRD_ACQ_IS_REVERSE - 1;
  std::vector<Shot> reversed;
  for (int f = 0; f < scan.frames; ++f)
    for (int z = 0; z < scan.slices; ++z) {
      const auto& lines = groups.lines[std::size_t(f)][std::size_t(z)];
      const auto& offsets = scan.trajectory(f).shotOffsets;
      for (std::size_t i = 0; i < lines.size(); ++i)
        if ((heads[std::size_t(s.imaging[lines[i]])].flags >> reversedBit) & 1)
          reversed.push_back({f, z, offsets[i], offsets[i + 1] - offsets[i]});
    }
  if (reversed.empty()) {
    if (!d.override("reversed").empty())
      throw Error(d.problem(), "no readout is flagged as reversed", "Leave the decision reversed out");
    return;
  }
  double stored = 0, turned = 0;
  for (const Shot& shot : reversed) {
    stored += meanRadius(scan, shot, false);
    turned += meanRadius(scan, shot, true);
  }
  constexpr double clearly = 0.8;
  const std::string evidence = countText(std::int64_t(reversed.size()), "readout is", "readouts are") +
                               " flagged; the signal's mean |k| is " +
                               numberText(stored / double(reversed.size())) + " as stored and " +
                               numberText(turned / double(reversed.size())) + " turned round";
  const std::string automatic = turned < clearly * stored ? "flip" : "as-stored";
  const bool question = turned >= clearly * stored && stored >= clearly * turned;
  if (d.decide("reversed", automatic, evidence, {"as-stored", "flip"}, question) != "flip") return;
  tellSamplesChange();
  for (const Shot& shot : reversed)
    for (int coil = 0; coil < scan.coils; ++coil) {
      scan.change(shot.frame, shot.slice, coil, [&](auto* samples) {
        std::reverse(samples + shot.first, samples + shot.first + shot.count);
      });
    }
}

}  // namespace spokelab
