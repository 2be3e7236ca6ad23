#include <algorithm>

#include "app/api/call.h"
#include "app/api/checks.h"
#include "app/api/handles.h"
#include "engine/recon/options/recipe_table.h"
#include "engine/recon/sense/solve_sense.h"

using namespace spokelab;
using namespace spokelab::api;

struct spokelab_sense {
  std::shared_ptr<Machines> machines;  // outlives the run
  Backend* backend = nullptr;
  SenseProblem problem;
  IterationOptions iterations;
  std::unique_ptr<SenseRun> run;  // over the problem; null: it has changed
  SenseSolution solution;
  std::string text;
  std::mutex one{};              // of a call that changes or solves
  mutable std::mutex results{};  // of solution and text
};

namespace {

std::int64_t samplesOf(const spokelab_sense& sense) {
  return std::int64_t(sense.problem.points.size()) / sense.problem.dims;
}

// Transforms that need a field may be asked for before it is given; solving finds it missing.
void validateSoFar(SenseProblem& problem) {
  const TransformKind requestedTransform = problem.transform;
  if (problem.field.empty() && problem.decay.empty()) problem.transform = TransformKind::nufft;
  validate(problem);
  problem.transform = requestedTransform;
}

// One call at a time, a second is refused: a progress function would wait for itself.
class OneCall {
 public:
  explicit OneCall(spokelab_sense& sense) : lock_(sense.one, std::try_to_lock) {
    if (!lock_.owns_lock())
      throw Error("SENSE is in use", "another call with this handle has not returned yet",
                  "Wait for it, or make a handle for each thread");
  }

 private:
  std::unique_lock<std::mutex> lock_;
};

// Changes the problem; a change that does not fit is undone.
template <class Change>
spokelab_status change(spokelab_sense* sense, const Change& apply) noexcept {
  return call([&] {
    require(sense, "sense is NULL");
    const OneCall call(*sense);
    SenseProblem changed = sense->problem;
    apply(changed);
    validateSoFar(changed);
    sense->run.reset();
    sense->problem = std::move(changed);
  });
}

// The options' values; a method that does not iterate is taken as sense.
ReconOptions iteratingValues(const spokelab_options* options) {
  ReconOptions values = valuesOf(options);
  if (!recipeOf(values).iterates) values.iterative.method = ReconMethod::sense;
  return values;
}

// Samples of each coil, for a problem without any to be valid.
template <class Complex>
std::vector<ComplexPointer> coilsOf(const void* values, std::size_t coils, std::int64_t samples) {
  std::vector<ComplexPointer> pointers;
  const auto* const first = static_cast<const Complex*>(values);
  for (std::size_t c = 0; c < coils; ++c)
    pointers.emplace_back(first ? first + std::int64_t(c) * samples : nullptr);
  return pointers;
}
std::vector<ComplexPointer> coilsOf(Precision precision, const void* values, std::size_t coils,
                                    std::int64_t samples) {
  return precision == Precision::single ? coilsOf<cfloat>(values, coils, samples)
                                        : coilsOf<cdouble>(values, coils, samples);
}

}  // namespace

spokelab_status spokelab_sense_create(spokelab_context* context, int dims, const int64_t* size,
                                      spokelab_precision precision, int coils, const float* maps,
                                      int64_t samples, const double* points, const spokelab_options* options,
                                      spokelab_sense** sense) {
  return call([&] {
    require(context && maps && points && sense, "context, maps, points or sense is NULL");
    require(dims >= 2, "dims is not 2 or 3");
    require(coils > 0 && samples > 0, "coils or samples is not positive");
    const ReconOptions values = withRecipeDefaults(iteratingValues(options));
    auto made = std::make_unique<spokelab_sense>();
    made->machines = context->machines;
    made->backend = &backendOf(*context->machines, values);
    made->iterations = recipeIterations(values);
    SenseProblem& problem = made->problem;
    problem.dims = dims;
    problem.matrix = sizeOf(dims, size);
    const double mapNumbers = double(values.iterative.mapSets) * coils * double(pixelsOf(problem.matrix));
    requirePlausible(2 * mapNumbers, sizeof(float), "the set of coil maps");
    requirePlausible(double(samples) * dims, sizeof(double), "the list of points");
    requireFinite({points, std::size_t(samples * dims)}, "points");
    problem.points.assign(points, points + samples * dims);
    problem.shotOffsets = {0, samples};
    problem.precision = precisionOf(precision);
    problem.coils = coilsOf(problem.precision, nullptr, std::size_t(coils), samples);
    problem.mapSets = values.iterative.mapSets;
    const auto* const first = reinterpret_cast<const cfloat*>(maps);
    problem.maps.assign(first, first + problem.mapSets * coils * product(problem.matrix));
    problem.transform = values.iterative.transform;
    problem.interpolator = values.iterative.interpolator;
    problem.segments = values.iterative.segments;
    problem.convolutions = values.iterative.convolutions;
    problem.nufft = values.nufft;
    problem.batch = std::min<std::int64_t>(coils, 8);
    validateSoFar(problem);
    *sense = made.release();
  });
}

void spokelab_sense_destroy(spokelab_sense* sense) {
  delete sense;
}

spokelab_status spokelab_sense_set_weights(spokelab_sense* sense, const double* weights) {
  return change(sense, [&](SenseProblem& p) {
    if (weights)
      p.weights.assign(weights, weights + samplesOf(*sense));
    else
      p.weights.clear();
  });
}

spokelab_status spokelab_sense_set_field(spokelab_sense* sense, const double* times, const double* field,
                                         const double* decay, const double* gradient) {
  return change(sense, [&](SenseProblem& p) {
    const std::int64_t pixels = product(p.matrix);
    require(times || !(field || decay || gradient), "a field needs the times of the samples");
    p.times = copied(times, samplesOf(*sense));
    p.field = copied(field, pixels);
    p.decay = copied(decay, pixels);
    p.gradient = copied(gradient, p.dims * pixels);
  });
}

spokelab_status spokelab_sense_set_phases(spokelab_sense* sense, int64_t shots, const int64_t* shot_offsets,
                                          const double* phases) {
  return change(sense, [&](SenseProblem& p) {
    const std::int64_t samples = samplesOf(*sense), pixels = product(p.matrix);
    p.phases.clear();
    p.shotOffsets = {0, samples};
    if (shots == 0) return;
    require(shots > 0 && shot_offsets && phases, "shots is negative, or an array is NULL");
    requirePlausible(double(shots) * (1 + double(pixels)), sizeof(double), "the phases of the shots");
    require(shot_offsets[0] == 0 && shot_offsets[shots] == samples &&
                std::is_sorted(shot_offsets, shot_offsets + shots + 1),
            "shot_offsets do not ascend from 0 to the number of samples");
    p.shotOffsets.assign(shot_offsets, shot_offsets + shots + 1);
    for (std::int64_t s = 0; s < shots; ++s)
      p.phases.emplace_back(phases + s * pixels, phases + (s + 1) * pixels);
  });
}

namespace {

// The image is in the problem's precision; on the GPU it is where the problem says.
void solve(spokelab_sense& sense, const void* values, const spokelab_options* options,
           const Progress& progress) {
  SenseProblem& problem = sense.problem;
  problem.coils = coilsOf(problem.precision, values, problem.coils.size(), samplesOf(sense));
  {
    const Lock lock(sense.results);
    sense.solution = {};
  }
  if (!sense.run) sense.run = sense.backend->senseRun(problem);
  SenseSolution solution = sense.run->run(
      options ? recipeIterations(iteratingValues(options)) : sense.iterations, {}, false, progress);
  const Lock lock(sense.results);
  sense.solution = std::move(solution);
  sense.text = sense.solution.transform + ". " + sense.solution.ending;
}

}  // namespace

spokelab_status spokelab_sense_solve(spokelab_sense* sense, const void* values,
                                     const spokelab_options* options, spokelab_progress progress, void* user,
                                     void* image) {
  return call([&] {
    require(sense && values && image, "sense or an array is NULL");
    const OneCall call(*sense);
    const std::int64_t pixels = product(sense->problem.matrix);
    const bool single = sense->problem.precision == Precision::single;
    const std::int64_t numbers = std::int64_t(sense->problem.coils.size()) * samplesOf(*sense);
    if (single)
      requireFinite(static_cast<const cfloat*>(values), numbers, "samples");
    else
      requireFinite(static_cast<const cdouble*>(values), numbers, "samples");
    if (single)
      std::fill_n(static_cast<cfloat*>(image), pixels, cfloat(0));
    else
      std::fill_n(static_cast<cdouble*>(image), pixels, cdouble(0));
    sense->problem.deviceImage = nullptr;
    solve(*sense, values, options, progressOf(progress, user));
    const SenseSolution& found = sense->solution;
    if (single)
      std::copy(found.image.begin(), found.image.end(), static_cast<cfloat*>(image));
    else
      std::copy(found.doubleImage.begin(), found.doubleImage.end(), static_cast<cdouble*>(image));
    if (found.cancelled) throw Cancelled{};
  });
}

spokelab_status spokelab_sense_solve_on(spokelab_sense* sense, const void* values,
                                        const spokelab_options* options, spokelab_progress progress,
                                        void* user, void* image, void* stream) {
  return call([&] {
    require(sense && values && image, "sense or an array is NULL");
    const OneCall call(*sense);
    require(sense->backend->kind() == BackendKind::gpu,
            "arrays in a GPU's memory are given to SENSE on the CPU");
    SenseProblem& problem = sense->problem;
    sense->backend->requireOnDevice(values, "samples");
    sense->backend->requireOnDevice(image, "pixels of the image");
    sense->backend->synchronize(stream);
    if (problem.precision == Precision::single) {
      problem.deviceImage = static_cast<cfloat*>(image);
      solve(*sense, values, options, progressOf(progress, user));
    } else {  // its vectors lie in host memory
      std::vector<cdouble> samples(problem.coils.size() * std::size_t(samplesOf(*sense)));
      sense->backend->copy(values, samples.data(), samples.size() * sizeof(cdouble));
      solve(*sense, samples.data(), options, progressOf(progress, user));
      const std::vector<cdouble>& found = sense->solution.doubleImage;
      sense->backend->copy(found.data(), image, found.size() * sizeof(cdouble));
    }
    if (sense->solution.cancelled) throw Cancelled{};
  });
}

int spokelab_sense_iterations(const spokelab_sense* sense) {
  if (!sense) return -1;
  const Lock lock(sense->results);
  return int(sense->solution.residuals.size());
}
const double* spokelab_sense_residuals(const spokelab_sense* sense) {
  if (!sense) return nullptr;
  const Lock lock(sense->results);
  return sense->solution.residuals.data();
}
const char* spokelab_sense_text(const spokelab_sense* sense) {
  if (!sense) return nullptr;
  const Lock lock(sense->results);
  return sense->text.c_str();
}
