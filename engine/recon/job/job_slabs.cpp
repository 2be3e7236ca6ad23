#include "engine/recon/job/job_slabs.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/nufft/plan/slab_nufft.h"
#include "engine/recon/job/job_memory.h"
#include "engine/recon/options/recipe_table.h"

namespace spokelab {
namespace {

constexpr double maxOverEstimate = 1.2;    // what a small plan takes over its estimate
constexpr double usableDeviceShare = 0.9;  // the rest is for libraries and pieces

// True if `bytes` are to be had there. A device counts whole: pools keep what jobs gave back.
bool fitsAt(const JobMachine::Place& place, double bytes, double roomOnHost) {
  if (!place.isDevice) return bytes <= roomOnHost;
  return place.deviceBytes == 0 || bytes <= usableDeviceShare * double(place.deviceBytes);
}

// True if one coil's transform in `slabs` slabs fits, with the alpha that is given or with any.
bool fitsInSlabs(const JobPlan& plan, std::int64_t slabs, const JobMachine::Place& place, double roomOnHost) {
  NufftProblem whole = plan.whole;
  whole.batch = 1;
  const NufftProblem part = slabProblem(whole, slabs);
  NufftOptions options = plan.options.nufft;
  options.normal = plan.iterates ? NormalMethod::gridded : NormalMethod::later;
  const double factor = slabs == 1 ? 1 : maxOverEstimate;
  const double beside = slabs == 1 && place.isDevice ? deviceVectorBytes(plan) : 0;
  // From the largest on, which is the quickest to design and mostly fits.
  const std::vector<double> alphas =
      options.alpha > 0 ? std::vector<double>{options.alpha} : fastAlphas(part, options.axisAlpha);
  return std::any_of(alphas.rbegin(), alphas.rend(), [&](double alpha) {
    options.alpha = alpha;
    try {
      const double bytes = factor * double(place.backend->estimateMemory(part, options, plan.mostSamples()));
      return (options.memoryLimit == 0 || bytes <= double(options.memoryLimit)) &&
             fitsAt(place, bytes + beside, roomOnHost);
    } catch (const Error&) {
      return false;  // out of the accuracy's or the limit's reach
    }
  });
}

}  // namespace

std::string reasonAgainstSlabs(const JobPlan& plan) {
  const IterativeOptions& iterative = plan.options.iterative;
  if (plan.dims < 3) return "the images have two dimensions";
  if (plan.options.exact) return "exact sums have no grid";
  if (!plan.iterates) return {};
  if (iterative.method == ReconMethod::pcSense) return "pcSENSE has a plan for each shot";
  if (plan.recipe->coilImages) return "images of coils that are one unknown need transforms of whole images";
  if (plan.recipe->findsMaps) return "coil maps that are unknowns need the transforms of whole images";
  if (plan.recipe->joinsFrames) return "frames that are found together have a plan each";
  if (iterative.transform != TransformKind::nufft && iterative.transform != TransformKind::automatic)
    return "the transform is " + std::string(transformName(iterative.transform));
  if (isToeplitz(plan.options.nufft.normal)) return "a Toeplitz form convolves whole images";
  if (iterative.transform == TransformKind::automatic && plan.mayHaveField) return "there may be a field map";
  return {};
}

std::int64_t slabsOf(const JobPlan& plan) {
  const std::int64_t requestedSlabs = plan.options.slabs, planes = plan.matrix[2];
  if (requestedSlabs < 2 || !plan.whyNotInSlabs.empty()) return 1;
  if (requestedSlabs > planes)
    throw Error("Cannot transform in " + std::to_string(requestedSlabs) + " slabs",
                "the volume has " + countText(planes, "plane", "planes"), "Use fewer slabs");
  const std::int64_t length = (planes + requestedSlabs - 1) / requestedSlabs;
  return (planes + length - 1) / length;
}

void divideIntoSlabs(JobPlan& plan, const JobMachine& machine) {
  if (plan.options.slabs > 1 && !plan.whyNotInSlabs.empty())
    plan.notes.push_back("not transformed in slabs: " + plan.whyNotInSlabs);
  if (plan.options.slabs > 0 || !plan.whyNotInSlabs.empty() || machine.places.empty()) return;
  const std::int64_t planes = mostSlabs(plan.whole);
  const double onHost = machine.roomForVolume - hostBytes(plan);
  const auto fitsIn = [&](std::int64_t slabs) {
    return std::any_of(machine.places.begin(), machine.places.end(),
                       [&](const auto& place) { return fitsInSlabs(plan, slabs, place, onHost); });
  };
  if (fitsIn(1) || !fitsIn(planes)) return;
  std::int64_t slabs = 2;
  while (!fitsIn(slabs)) ++slabs;
  const std::int64_t length = slabProblem(plan.whole, slabs).size[2];
  plan.notes.push_back("transformed in " + std::to_string((planes + length - 1) / length) + " slabs of " +
                       countText(length, "plane", "planes") +
                       ", each with all samples: the whole volume does not fit into memory");
  plan.options.slabs = int(slabs);
  if (!plan.dividesSlabs()) return;
  const int others = std::max({plan.parts.frames, plan.parts.slices, plan.parts.coils});
  for (const JobMachine::Place& place : machine.places) {
    const std::int64_t devices = place.devices, now = slabsOf(plan);
    if (others < devices) plan.options.slabs = int(std::min((now + devices - 1) / devices * devices, planes));
  }
}

}  // namespace spokelab
