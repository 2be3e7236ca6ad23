#include "engine/recon/explore/lambda/lambda_choice.h"

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/recon/explore/scan_field.h"
#include "engine/recon/options/recipe_table.h"
#include "engine/recon/prepare/coil_preparation.h"
#include "engine/recon/prepare/sample_scale.h"
#include "engine/recon/run/sense/scan_sense.h"
#include "engine/scan/look/raw_summary.h"

namespace spokelab {
namespace {

void requireShifts(const Scan& scan, const ReconOptions& options) {
  const Recipe& recipe = recipeOf(options);
  const std::string summary = "Cannot find a range of lambda for " + scan.name;
  if (!recipe.iterates || recipe.findsMaps || recipe.coilImages || recipe.joinsFrames)
    throw Error(summary, "the method " + std::string(recipe.words) + " has no such range",
                "Use sense or pcsense (method)");
  if (recipeIterations(options).regularization != Regularization::tikhonov)
    throw Error(summary,
                "only Tikhonov regularization changes the equations by a shift, which one run has all of",
                "Use sense with regularization = tikhonov");
}

// The expected misfit of an exact image: noise variances of all prepared coils. 0: unknown.
double noiseMisfit(const Scan& scan, const Scan& prepared, const ScanPreparation& preparation, double sigma) {
  double sum = 0;
  if (sigma > 0) {
    const double variance = 2 * sigma * sigma * std::ldexp(1.0, 2 * preparation.exponent);
    if (preparation.mixing.empty()) return variance * scan.coils;
    for (const cdouble& m : preparation.mixing) sum += variance * std::norm(m);
    return sum;
  }
  if (prepared.noise.empty()) return 0;
  const std::vector<cdouble> covariance = noiseCovariance(prepared.noise, prepared.coils);
  for (int c = 0; c < prepared.coils; ++c) sum += covariance[std::size_t(c * prepared.coils + c)].real();
  return sum;
}

void choose(LambdaChoice& choice) {
  const std::vector<LambdaPoint>& points = choice.range->points;
  choice.curvature = curvatureOf(points);
  const auto sharpest = std::max_element(choice.curvature.begin(), choice.curvature.end());
  if (*sharpest > 0)
    choice.corner = points[std::size_t(sharpest - choice.curvature.begin())].lambda;
  else
    choice.notes.emplace_back("the L-curve has no corner in the range");
  if (choice.noise > 0) {
    choice.discrepancy = lambdaOfMisfit(points, choice.noise);
    if (!choice.discrepancy)
      choice.notes.push_back(points.front().misfit > choice.noise
                                 ? "no lambda of the range fits the samples to their noise: the model has "
                                   "errors beside the noise, or lambda should be smaller"
                                 : "the largest lambda of the range fits the samples to their noise");
  } else {
    choice.notes.emplace_back("the scan has no noise lines, so that the discrepancy is unknown");
  }
  if (choice.range->heldOut.empty()) return;
  const auto best =
      std::min_element(points.begin(), points.end(),
                       [](const LambdaPoint& a, const LambdaPoint& b) { return a.heldOut < b.heldOut; });
  choice.heldOut = best->lambda;
  if (best == points.begin() || best + 1 == points.end())
    choice.notes.emplace_back("samples held out are predicted best at an end of the range");
}

}  // namespace

std::vector<double> curvatureOf(const std::vector<LambdaPoint>& points) {
  std::vector<double> curvature(points.size(), 0.0);
  // The angle by which the L-curve falls: d log |x| / d log misfit^{1/2} = -misfit / (lambda
  // |x|^2), as d misfit = -lambda d |x|^2.
  const auto angle = [&](std::size_t i) {
    const LambdaPoint& p = points[i];
    return std::atan2(p.misfit, p.lambda * p.square);
  };
  const auto across = [&](std::size_t i) { return std::log(points[i].misfit) / 2; };
  const auto up = [&](std::size_t i) { return std::log(points[i].square) / 2; };
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    if (!(points[i - 1].misfit > 0) || !(points[i + 1].square > 0)) continue;
    const double way = std::hypot(across(i) - across(i - 1), up(i) - up(i - 1)) +
                       std::hypot(across(i + 1) - across(i), up(i + 1) - up(i));
    if (way > 0) curvature[i] = (angle(i - 1) - angle(i + 1)) / way;
  }
  return curvature;
}

std::optional<double> lambdaOfMisfit(const std::vector<LambdaPoint>& points, double noise) {
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const LambdaPoint &a = points[i], &b = points[i + 1];
    if (!(a.misfit <= noise && b.misfit > noise)) continue;
    const double share = std::log(noise / a.misfit) / std::log(b.misfit / a.misfit);
    return a.lambda * std::pow(b.lambda / a.lambda, share);
  }
  return std::nullopt;
}

std::shared_ptr<const Image> LambdaChoice::image(double lambda) const {
  auto image = std::make_shared<Image>(*place);
  const std::vector<cfloat> values = range->image(lambda);
  std::copy(values.begin(), values.end(), image->data.begin());
  image->provenance.push_back("lambda " + numberText(lambda, 4) + " of a range");
  finishImage(*image, exponent);
  return image;
}

LambdaChoice chooseLambda(Backend& backend, const Scan& scan, const ReconOptions& asked,
                          const LambdaRangeOptions& range, double sigma, const Progress& progress) {
  constexpr double fieldShare = 0.05, preparationShare = 0.1, mapShare = 0.3;
  requireShifts(scan, asked);
  const ReconOptions wanted = withEchoField(backend, scan, asked, progress.part(0, fieldShare));
  const JobPlan planned = planJob(scan, wanted), job = afterPreparation(planned);
  LambdaChoice choice;
  choice.frame = job.frames.front();
  choice.slice = job.slices.front();
  const ScanPreparation preparation = prepareScan(scan, planned, progress.part(fieldShare, preparationShare));
  choice.notes = preparation.notes;
  choice.exponent = preparation.exponent;
  const Scan& prepared = preparation.scan ? *preparation.scan : scan;
  FrameDensities densities(prepared, job.options, backend);
  CoilMapSource source{mapFrames(job.frames), {}, {}};
  const SenseProblem problem =
      senseProblem(backend, prepared, preparation.mixing, job, choice.frame, choice.slice, densities, source,
                   choice.notes, progress.part(preparationShare, mapShare));
  auto found =
      std::make_shared<LambdaRange>(lambdaRange(backend, problem, range, progress.part(mapShare, 1)));
  choice.place = makeImage(prepared, 1, {choice.slice}, false, choice.frame);
  choice.noise = noiseMisfit(scan, prepared, preparation, sigma);
  choice.range = std::move(found);
  choose(choice);
  return choice;
}

}  // namespace spokelab
