#include "engine/scan/read/separate/sequence_trajectory.h"

#include <cmath>
#include <numeric>

#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"
#include "engine/scan/formats/pulseq/pulseq_facts.h"
#include "engine/scan/read/correct/correct_girf.h"
#include "engine/scan/read/correct/sequence_girf.h"

namespace spokelab {
namespace {

// Brings the samples to where the response puts them; by how much, 1/m (rms).
double respond(PulseqKspace& kspace, const PulseqSequence& sequence, const std::filesystem::path& girf,
               const std::string& problem, const Progress& progress) {
  const GradientDeviation deviation =
      girfDeviation(sequence, readGirf(girf, progress), problem, progress.part(0, 0.7));
  PulseqKspace real = calculateKspace(sequence, problem, progress.part(0.7, 1), deviation);
  double square = 0;
  for (std::size_t j = 0; j < kspace.k.size(); ++j)
    for (std::size_t d = 0; d < 3; ++d) square += std::pow(real.k[j][d] - kspace.k[j][d], 2);
  kspace.k = std::move(real.k);
  return kspace.k.empty() ? 0 : std::sqrt(square / double(kspace.k.size()));
}

}  // namespace

GivenTrajectory sequenceTrajectory(const std::filesystem::path& file, std::int64_t shots,
                                   const std::filesystem::path& girf, const Progress& progress) {
  const std::string problem = "Cannot read the trajectory " + file.string();
  const PulseqSequence sequence = readPulseq(file, progress.part(0, 0.3));
  PulseqKspace kspace = calculateKspace(sequence, problem, progress.part(0.3, 0.6));
  double moved = 0;
  if (!girf.empty()) moved = respond(kspace, sequence, girf, problem, progress.part(0.6, 1));
  std::vector<std::size_t> readouts = imagingReadouts(kspace);
  const auto all = std::int64_t(kspace.readouts.size());
  if (std::int64_t(readouts.size()) != shots && all == shots) {
    readouts.resize(kspace.readouts.size());
    std::iota(readouts.begin(), readouts.end(), std::size_t{0});
  }
  if (readouts.empty())
    throw Error(problem,
                all == 0 ? "the sequence has no readouts"
                         : "none of its " + countText(all, "readout") + " follows an excitation",
                "Choose the sequence that the scan was measured with");
  const std::vector<std::size_t> axes = sampledAxes(kspace, readouts);
  GivenTrajectory t;
  t.unit = "1/m";
  t.columns = int(axes.size());
  t.hasShots = true;
  t.acquired = true;
  for (const double v : fieldOfView(sequence)) t.fov.push_back(v);
  requireMemory(double(kspace.k.size() * axes.size()) * sizeof(double), problem, "it",
                "Use a machine with more memory");
  for (const std::size_t i : readouts) {
    const PulseqReadout& r = kspace.readouts[i];
    t.shotLengths.push_back(r.samples);
    t.labels.push_back(r.labels);
    t.dwells.push_back(r.dwell);
    for (std::int64_t j = 0; j < r.samples; ++j)
      for (const std::size_t d : axes) t.values.push_back(kspace.k[std::size_t(r.first + j)][d]);
  }
  t.girfMoves = moved;
  t.gradientsRespond = !girf.empty();
  t.remark = axesText(axes) + " of the sequence's " + countText(all, "readout");
  if (const auto aside = all - std::int64_t(readouts.size()); aside > 0)
    t.remark += ", without " + std::to_string(aside) + " for noise, navigators or before an excitation";
  return t;
}

void noteResponse(const GivenTrajectory& t, Decisions& d) {
  if (!t.gradientsRespond) return;
  constexpr double metresPerMm = 1e-3;
  const std::string cycles =
      t.fov.empty() ? ""
                    : ", " + numberText(t.girfMoves * t.fov.front() * metresPerMm, 3) + " cycles/FOV along x";
  d.note(sequenceGirf, girfOf(d),
         "on the gradients of " + t.name + ": points move by " + numberText(t.girfMoves, 3) + " 1/m (rms)" +
             cycles);
}

}  // namespace spokelab
