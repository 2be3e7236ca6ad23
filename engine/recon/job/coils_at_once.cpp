#include "engine/recon/job/coils_at_once.h"

#include <algorithm>

#include "engine/core/memory/machine_memory.h"
#include "engine/nufft/spread/kernels/spread_interleaved.h"

namespace spokelab {
namespace {

constexpr double usualBatchBytes = 1e9;   // images and samples of one execution
constexpr double maxMemoryShare = 0.125;  // of the machine's
constexpr double interleavedGroupCost =
    2.5;  // of interleavedImages coils that share kernel values, over one's

// The cost of rounds of `batch` coils over the cost of one coil; zeros fill up the last round.
double costOf(std::int64_t coils, std::int64_t batch) {
  const std::int64_t rounds = (coils + batch - 1) / batch, left = batch % interleavedImages;
  return double(rounds) * (interleavedGroupCost * double(batch / interleavedImages) +
                           (left >= minInterleavedImages ? interleavedGroupCost : double(left)));
}

}  // namespace

// A plan bounds its grids itself; images and samples grow with the coils.
std::int64_t coilsTransformedAtOnce(const JobPlan& plan) {
  const ReconOptions& options = plan.options;
  const std::int64_t coils = plan.coils;
  const double number = options.precision == Precision::single ? sizeof(cfloat) : sizeof(cdouble);
  const double bytes = number * (plan.pixels + double(plan.samples.front()));
  double room = std::min(std::max(usualBatchBytes, interleavedImages * bytes),
                         maxMemoryShare * double(memoryCapacity()));
  if (options.coilsAtOnce > 0) room = bytes * options.coilsAtOnce;
  if (options.nufft.memoryLimit > 0) room = std::min(room, double(options.nufft.memoryLimit) / 2);
  const auto maxCoils = std::int64_t(std::clamp(room / bytes, 1.0, double(coils)));
  if (options.coilsAtOnce > 0) {
    const std::int64_t rounds = (coils + maxCoils - 1) / maxCoils;
    return (coils + rounds - 1) / rounds;  // rounds of one size
  }
  std::int64_t best = maxCoils;
  for (std::int64_t batch = maxCoils - 1; batch > 0; --batch)
    if (costOf(coils, batch) < costOf(coils, best)) best = batch;
  return best;
}

}  // namespace spokelab
