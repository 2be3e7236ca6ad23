#include "engine/recon/explore/field_bench.h"

#include <algorithm>
#include <cmath>

#include "engine/recon/explore/scan_field.h"
#include "engine/recon/prepare/coil_preparation.h"
#include "engine/recon/run/sense/scan_sense.h"
#include "engine/recon/sense/paths/path_search.h"
#include "engine/recon/sense/paths/path_timing.h"
#include "engine/scan/check/compare_images.h"

namespace spokelab {
namespace {

struct Case {
  const char* name;
  TransformKind transform;
  SegmentInterpolator interpolator = SegmentInterpolator::svd;
};
constexpr Case cases[] = {
    {"exact", TransformKind::gdft},
    {"segmented svd", TransformKind::segmented, SegmentInterpolator::svd},
    {"segmented min-max", TransformKind::segmented, SegmentInterpolator::minMax},
    {"segmented hanning", TransformKind::segmented, SegmentInterpolator::hanning},
    {"convolutions", TransformKind::segmentedToeplitz},
    {"plain", TransformKind::nufft},
};

std::shared_ptr<const Image> imageFrom(const Scan& scan, int slice, const std::vector<cfloat>& values) {
  const auto image = makeImage(scan, 1, {slice});
  std::copy(values.begin(), values.end(), image->data.begin());
  return image;
}

// |a - b| / |b|, and a - b.
double differenceOf(const Image& a, const Image& b, Image& difference) {
  double square = 0, norm = 0;
  for (std::size_t i = 0; i < a.data.size(); ++i) {
    difference.data[i] = a.data[i] - b.data[i];
    square += std::norm(cdouble(difference.data[i]));
    norm += std::norm(cdouble(b.data[i]));
  }
  return norm > 0 ? std::sqrt(square / norm) : 0;
}

// Seconds of one normal operation an image.
double normalSeconds(HostSpace<float>& space, SampleTransform<float>& transform, const Progress& progress) {
  constexpr double minTimedSeconds = 0.2;
  const std::int64_t n = transform.pixels() * transform.batch();
  auto image = space.make(n);
  space.zero(image.data(), n);
  double best = 0;
  for (int i = 0; i < 3; ++i) {  // the first warms up, unless it takes long
    const double start = now();
    transform.normal(image.data(), image.data(), transform.batch(), space.execution(), progress);
    const double seconds = now() - start;
    best = i < 2 ? seconds : std::min(best, seconds);
    if (seconds > minTimedSeconds) break;
  }
  return best / double(transform.batch());
}

void measureTransform(Backend& backend, const SenseProblem& problem, const SegmentCheck& check,
                      FieldBenchRow& row, const Progress& progress) {
  HostSpace<float> space(problem.nufft.threads);
  const ShotGroup group = shotGroups(problem).front();
  const auto transform =
      makeGroupTransform(space, backend, problem, problem.transform, group, row.notes, progress);
  transform->setWeights(std::vector<double>(group.samples.size(), 1.0));
  row.segments = transform->segments();
  row.transform = transform->description();
  row.transformError = transformError(space, *transform, check, progress);
  row.normalSeconds = normalSeconds(space, *transform, progress);
}

}  // namespace

std::vector<std::string> fieldBenchNames() {
  std::vector<std::string> names;
  for (const Case& c : cases) names.emplace_back(c.name);
  return names;
}

FieldBenchResult benchFieldCorrection(Backend& backend, const Scan& scan, const ReconOptions& asked,
                                      const Image* reference, const Progress& progress,
                                      const std::function<void(const FieldBenchRow&)>& seen) {
  constexpr double mapsShare = 0.2;
  ReconOptions exactOptions = asked;
  exactOptions.iterative.transform = TransformKind::gdft;
  exactOptions.iterative.watcher = {};
  if (exactOptions.iterative.method == ReconMethod::gridding)
    exactOptions.iterative.method = ReconMethod::sense;
  exactOptions = withEchoField(backend, scan, std::move(exactOptions), progress.part(0, mapsShare / 4));
  const JobPlan planned = planJob(scan, exactOptions), job = afterPreparation(planned);
  const ReconOptions& options = job.options;
  const int frame = job.frames.front(), slice = job.slices.front();
  FieldBenchResult result;
  const ScanPreparation coils = prepareScan(scan, planned, progress.part(mapsShare / 4, mapsShare / 2));
  result.notes = coils.notes;
  const Scan& prepared = coils.scan ? *coils.scan : scan;
  FrameDensities densities(prepared, options, backend);
  CoilMapSource maps{{frame}, {}, {}};
  SenseProblem problem = senseProblem(backend, prepared, coils.mixing, job, frame, slice, densities, maps,
                                      result.notes, progress.part(mapsShare / 2, mapsShare));
  validate(problem);
  if (!fieldActs(problem))
    throw Error("Cannot compare field corrections", "the scan has no field map, or no readout times",
                "Give a map with field-map, and a scan with the times of its samples");
  const SegmentCheck check = makeSegmentCheck(gdftProblem(problem, shotGroups(problem).front()));
  const double count = double(std::size(cases));
  for (const Case& c : cases) {
    const double done = double(result.rows.size());
    const Progress part = progress.part(mapsShare + (1 - mapsShare) * done / count,
                                        mapsShare + (1 - mapsShare) * (done + 1) / count);
    part.report(0, std::string("Field correction: ") + c.name);
    FieldBenchRow row;
    row.name = c.name;
    problem.transform = c.transform;
    problem.interpolator = c.interpolator;
    try {
      measureTransform(backend, problem, check, row, part);
      const SenseSolution solution = backend.solveSense(problem, options.iterative.solver, {}, part);
      if (solution.cancelled) throw Cancelled{};
      row.planningSeconds = solution.planningSeconds;
      row.iterationSeconds = solution.iterationSeconds;
      row.iterations = int(solution.residuals.size());
      row.image = imageFrom(scan, slice, solution.image);
      const auto difference = std::make_shared<Image>(*row.image);
      row.imageError = differenceOf(*row.image, result.rows.empty() ? *row.image : *result.rows.front().image,
                                    *difference);
      row.difference = difference;
      if (reference) row.referenceError = nrmse(*row.image, *reference);
    } catch (const Error& error) {
      if (result.rows.empty()) throw;  // nothing to compare with
      row.refused = error.reason();
    }
    if (seen) seen(row);
    result.rows.push_back(std::move(row));
  }
  return result;
}

}  // namespace spokelab
