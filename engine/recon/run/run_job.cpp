#include "engine/recon/run/run_job.h"

#include <utility>

#include "engine/recon/model/job_model.h"
#include "engine/recon/options/recipe_table.h"
#include "engine/recon/run/kept_of_scan.h"
#include "engine/recon/run/unknown_loop.h"

namespace spokelab {
namespace {

constexpr double preparationShare = 0.05;  // of the progress: the coils

// Slabs, exact sums and methods that find maps take their samples from the host's memory.
std::shared_ptr<CoilMixer> mixerOf(Backend& backend, const JobPlan& job) {
  const bool onHost = job.slabs > 1 || (job.options.exact && !job.iterates) || job.recipe->findsMaps;
  return onHost ? nullptr : backend.coilMixer();
}

// True if the samples are worth the loading of the mixer's libraries.
bool mixesWell(const CoilMixer& mixer, const JobPlan& job, const Scan& scan) {
  constexpr double minValuesToLoad = 1 << 24;  // loading takes about the host's time to mix this number
  if (job.iterates || mixer.ready()) return true;
  double values = 0;
  for (const std::int64_t samples : job.samples) values += double(samples) * scan.slices * scan.coils;
  return values >= minValuesToLoad;
}

ScanPreparation prepared(const Scan& scan, const JobPlan& job, const std::shared_ptr<CoilMixer>& mixer,
                         Ranks* ranks, const Progress& progress) {
  const JobTimer timer(JobStage::whiten);
  return prepareScan(scan, job, progress, mixer && mixesWell(*mixer, job, scan) ? mixer : nullptr, ranks);
}

// The job of the prepared scan; of iterations with the plan that the tuner chose.
JobPlan chosenJob(JobPlan job, const Candidate* candidate) {
  job = afterPreparation(std::move(job));
  if (!candidate || !job.iterates) return job;
  job.options.nufft = candidate->options;
  if (candidate->path.transform == TransformKind::automatic) return job;
  job.options.iterative.transform = candidate->path.transform;
  job.options.iterative.interpolator = candidate->path.interpolator;
  return job;
}

JobImage imageOf(const Scan& scan, const JobPlan& job, const std::vector<int>& frames,
                 const JobShare& share) {
  const JobTimer timer(JobStage::combine);
  const int count = job.separatesCoils        ? job.coils
                    : job.keepsCoefficients() ? job.basis.coefficients
                    : job.keepsMaps()         ? JobPlan::tissueMaps
                                              : int(frames.size());
  JobImage image = share.keepsImage ? JobImage(scan, count, job.slices, job.options.inDouble(), share.place)
                                    : JobImage::without(scan, count, job.slices);
  image.image()->geometry = geometryOf(scan, frames, job.slices);
  return image;
}

}  // namespace

Reconstruction runJob(Backend& backend, const Scan& scan, const JobPlan& plan, const Candidate* candidate,
                      Wisdom* wisdom, const Progress& progress, const JobShare& share) {
  Reconstruction result;
  const AccountRecorder account(result.account);
  backend.useOnThisThread();
  if (plan.iterates) requireRepeatable(plan.options.nufft, plan.options.iterative.solver);
  result.options = plan.options;
  const JobPlan job = chosenJob(plan, candidate);
  result.plan.backend = backend.name();
  result.plan.options = job.options.nufft;
  if (candidate) result.plan.grid = candidate->grid;
  std::vector<int> frames = share.frames.empty() ? job.frames : share.frames;
  if (job.separatesCoils) frames.resize(1);
  JobImage image = imageOf(scan, job, frames, share);
  int complete = 0, exponent = 0;
  const std::unique_ptr<KeptValues> keptValues = keptOfJob(scan, job, wisdom);
  const KeptValuesScope keeping(keptValues.get());
  try {
    const std::shared_ptr<CoilMixer> mixer = mixerOf(backend, job);
    const ScanPreparation preparation = prepared(
        scan, plan, mixer, share.coils ? share.coils->ranks : nullptr, progress.part(0, preparationShare));
    result.notes = preparation.notes;
    exponent = preparation.exponent;
    const Scan& ready = preparation.scan ? *preparation.scan : scan;
    if (preparation.scan) image.image()->provenance = provenanceOf(ready);
    CoilMixer* const sender = preparation.mixer || job.options.inDouble() ? nullptr : mixer.get();
    RunContext context{backend,     ready, job,    share,  candidate, wisdom,
                       preparation, mixer, sender, frames, image,     result};
    const Progress rest = progress.part(preparationShare, 1);
    std::unique_ptr<RecipeRun> recipe = recipeOf(job.options).run(context, rest);
    try {
      loopOverUnknowns(context, *recipe, rest.part(recipe->madeShare(), 1));
      progress.report(1, "Reconstructed");
    } catch (const Cancelled&) {
      result.cancelled = true;
    } catch (...) {
      recipe->describe();
      throw;
    }
    recipe->describe();
    recipe->addNotes();
    result.model = modelRows(job, modelOf(job, job.options.iterative.transform, result.plan.options.normal));
    complete = context.complete;
    if (const std::string useText = keptValues ? keptUseText(keptValues->uses()) : ""; !useText.empty())
      addNotes(result, {"kept from before: " + useText});
    if (result.cancelled && complete > 0)
      if (const std::string note = recipe->cancelNote(); !note.empty()) addNotes(result, {note});
    const JobTimer freeing(JobStage::plan);
    recipe.reset();
  } catch (const Cancelled&) {  // before there was anything
    result.cancelled = true;
  }
  if (!result.cancelled || complete > 0) {
    const JobTimer timer(JobStage::combine);
    if (complete < image.image()->frames && !job.separatesCoils) image.keepFrames(complete);
    image.finish(exponent);
    result.image = image.image();
  }
  result.seconds = result.account.total = account.seconds() - result.pausedSeconds;
  return result;
}

}  // namespace spokelab
