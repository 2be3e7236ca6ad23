#include "engine/scan/read/correct/correct_girf.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/scan/read/correct/girf.h"
#include "engine/scan/read/sample_follower.h"

namespace spokelab {
namespace {

// Takes the turns of phase from the samples of a frame.
void turnBack(Scan& scan, int frame, const std::vector<double>& turns) {
  for (int z = 0; z < scan.slices; ++z)
    for (int c = 0; c < scan.coils; ++c)
      scan.change(frame, z, c, [&](auto* samples) {
        using Complex = std::remove_reference_t<decltype(samples[0])>;
        for (std::size_t j = 0; j < turns.size(); ++j)
          samples[j] *= Complex(std::polar(1.0, 2 * std::numbers::pi * turns[j]));
      });
}

}  // namespace

std::string girfOf(const Decisions& d) {
  const std::string file = d.override("girf");
  return file == "none" ? "" : file;
}

void correctGirf(Scan& scan, Decisions& d, const Progress& progress) {
  const std::string file = d.override("girf");
  if (file.empty()) return;
  if (file == "none") {
    d.decide("girf", "none", "", {});
    return;
  }
  const Girf girf = readGirf(file, progress);
  const bool onGradients = std::any_of(d.made.begin(), d.made.end(),
                                       [](const Decision& made) { return made.topic == sequenceGirf; });
  if (onGradients && girf.field.empty()) {
    d.decide("girf", "none", "applied to the gradients of the sequence", {"none"});
    return;
  }
  constexpr double mm = 1e-3;
  Vec3 perMetre;
  for (std::size_t i = 0; i < 3; ++i) perMetre[i] = 1 / (scan.geometry.fov[i] * mm);
  double square = 0, largest = 0, count = 0;
  for (std::size_t f = 0; f < scan.trajectories.size(); ++f) {
    Trajectory& t = scan.trajectories[f];
    if (t.times.size() != std::size_t(t.samples()))
      throw Error(d.problem(), "the file does not say its dwell time, which an impulse response needs",
                  "Use girf=none, or give dwell_us in a description");
    std::vector<double> turns;
    for (std::int64_t n = 0; n < t.shots(); ++n) {
      progress.report(double(n) / double(t.shots()), "Applying the impulse response");
      const auto first = std::size_t(t.shotOffsets[std::size_t(n)]),
                 end = std::size_t(t.shotOffsets[std::size_t(n + 1)]);
      const auto dims = std::size_t(t.dims);
      const double dwell =
          end - first > 1 ? (t.times[end - 1] - t.times[first]) / double(end - first - 1) : 0;
      if (end - first > 1 && !(dwell > 0))
        throw Error(d.problem(), "its samples have no times that grow", "Use girf=none");
      const auto begin = t.points.begin() + std::ptrdiff_t(first * dims);
      const std::vector<double> nominal(begin, begin + std::ptrdiff_t((end - first) * dims));
      const GirfResult real = applyGirf(girf, nominal, t.dims, dwell, perMetre);
      for (std::size_t j = 0; j < end - first; ++j) {
        double moved = 0;
        for (std::size_t i = 0; i < dims; ++i)
          moved += std::pow(real.points[j * dims + i] - nominal[j * dims + i], 2);
        square += moved;
        largest = std::max(largest, std::sqrt(moved));
        ++count;
      }
      if (!onGradients) std::copy(real.points.begin(), real.points.end(), begin);
      turns.insert(turns.end(), real.fieldTurns.begin(), real.fieldTurns.end());
    }
    if (girf.field.empty()) continue;
    if (scan.trajectories.size() > 1)
      turnBack(scan, int(f), turns);
    else
      for (int frame = 0; frame < scan.frames; ++frame) turnBack(scan, frame, turns);
  }
  d.decide("girf", "none",
           onGradients
               ? "applied to the gradients of the sequence; the field's phase is taken from the samples"
               : "points move by " + numberText(std::sqrt(square / std::max(count, 1.0)), 3) +
                     " cycles/FOV (rms), at most " + numberText(largest, 3) +
                     (girf.field.empty() ? "" : "; the field's phase is taken from the samples"),
           {"none"});
  tellSamplesChange();
}

}  // namespace spokelab
