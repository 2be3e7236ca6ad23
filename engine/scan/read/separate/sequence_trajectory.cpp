#include "engine/scan/read/separate/sequence_trajectory.h"

#include <numeric>

#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"
#include "engine/scan/formats/pulseq/pulseq_facts.h"

namespace spokelab {

GivenTrajectory sequenceTrajectory(const std::filesystem::path& file, std::int64_t shots,
                                   const Progress& progress) {
  const std::string problem = "Cannot read the trajectory " + file.string();
  const PulseqSequence sequence = readPulseq(file, progress.part(0, 0.3));
  const PulseqKspace kspace = calculateKspace(sequence, problem, progress.part(0.3, 1));
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
  t.remark = axesText(axes) + " of the sequence's " + countText(all, "readout");
  if (const auto aside = all - std::int64_t(readouts.size()); aside > 0)
    t.remark += ", without " + std::to_string(aside) + " for noise, navigators or before an excitation";
  return t;
}

}  // namespace spokelab
