#include "engine/recon/explore/point_spread.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"
#include "engine/recon/density/density.h"
#include "engine/recon/prepare/sample_selection.h"

namespace spokelab {
namespace {

constexpr double planAccuracy = 1e-4;  // -80 dB
constexpr int stepsPerPixel = 16;      // along the axes, summed exactly
constexpr int maxLobePixels = 16;      // from the centre, in which the main lobe must end
constexpr double maxImageValues = double(1 << 26);

// |p| along one axis from the centre outwards, in steps of 1 / stepsPerPixel.
std::vector<double> alongAxis(const Trajectory& t, std::span<const double> weights, std::size_t axis,
                              double n, const Progress& progress) {
  const auto dims = std::size_t(t.dims);
  std::vector<cdouble> sums(std::size_t(stepsPerPixel * maxLobePixels) + 1, 0.0);
  for (std::size_t j = 0; j < weights.size(); ++j) {
    constexpr std::size_t samplesPerCheck = 4096;
    if (j % samplesPerCheck == 0) progress.checkpoint();
    const cdouble turn =
        std::polar(1.0, 2 * std::numbers::pi * t.points[j * dims + axis] / n / double(stepsPerPixel));
    cdouble value = weights[j];
    for (cdouble& sum : sums) {
      sum += value;
      value *= turn;
    }
  }
  std::vector<double> sizes;
  for (const cdouble& sum : sums) sizes.push_back(std::abs(sum));
  return sizes;
}

struct MainLobe {
  double fwhm = 0, radius = double(maxLobePixels);
};

MainLobe mainLobe(const std::vector<double>& p) {
  MainLobe lobe;
  std::size_t i = 1;
  while (i < p.size() && p[i] > p[0] / 2) ++i;
  if (i == p.size()) return lobe;
  const double part = (p[i - 1] - p[0] / 2) / (p[i - 1] - p[i]);
  lobe.fwhm = 2 * (double(i - 1) + part) / stepsPerPixel;
  while (i + 1 < p.size() && p[i + 1] < p[i]) ++i;
  lobe.radius = double(i) / stepsPerPixel;
  return lobe;
}

}  // namespace

PointSpread pointSpread(const Trajectory& t, std::span<const double> weights, const Index3& matrix,
                        const ReconOptions& options, NufftBackend& backend, const Progress& progress) {
  progress.report(0, "Point spread function");
  const auto dims = std::size_t(t.dims);
  PointSpread result;
  NufftProblem problem;
  problem.dims = t.dims;
  double values = 1, scale = 1;
  for (std::size_t d = 0; d < dims; ++d) {
    values *= 2 * double(matrix[d]);
    scale /= double(matrix[d]);
  }
  result.whole = values <= maxImageValues;
  for (std::size_t d = 0; d < dims; ++d) problem.size[d] = (result.whole ? 2 : 1) * matrix[d];

  requireMemory(double(product(problem.size)) * sizeof(cfloat) +
                    double(t.samples()) * (sizeof(cfloat) + double(dims) * sizeof(double)),
                "Cannot make the point spread function", "its image of " + sizeText(problem.size, t.dims),
                "Use a smaller matrix");
  NufftOptions plan;
  plan.accuracy = planAccuracy;
  plan.threads = options.nufft.threads;
  plan.reproducible = options.nufft.reproducible;
  plan.memoryLimit = options.nufft.memoryLimit;
  const auto nufft = backend.plan<float>(problem, plan);
  std::vector<double> points(t.points.size());
  for (std::size_t i = 0; i < points.size(); ++i) points[i] = t.points[i] / double(matrix[i % dims]);
  nufft->setPoints(points);
  Buffer<cfloat> samples(weights.size());
  double sum = 0;
  for (std::size_t j = 0; j < samples.size(); ++j) {
    samples[j] = float(weights[j] * scale);
    sum += weights[j] * scale;
  }
  result.peak = std::abs(sum);
  if (!(result.peak > 0))
    throw Error("Cannot make the point spread function", "the weights are all zero",
                "Select some samples, or give other weights");
  Image& image = result.image;
  image = nominalImage(problem.size, "point spread function");
  image.data.resize(std::size_t(product(problem.size)));
  nufft->adjoint(samples.data(), image.data.data());
  for (cfloat& v : image.data) v /= float(result.peak);

  constexpr double imageShare = 0.5;
  Vec3 radius{1, 1, 1};
  for (std::size_t d = 0; d < dims; ++d) {
    progress.report(imageShare + (1 - imageShare) * double(d) / double(dims), "Point spread function");
    const MainLobe lobe = mainLobe(alongAxis(t, weights, d, double(matrix[d]), progress));
    result.fwhm[d] = lobe.fwhm;
    radius[d] = lobe.radius;
  }
  double energy = 0, beyond = 0;
  std::size_t i = 0;
  for (std::int64_t z = 0; z < image.size[2]; ++z)
    for (std::int64_t y = 0; y < image.size[1]; ++y)
      for (std::int64_t x = 0; x < image.size[0]; ++x, ++i) {
        const Vec3 n{double(x - image.size[0] / 2), double(y - image.size[1] / 2),
                     double(z - image.size[2] / 2)};
        double distance2 = 0;
        for (std::size_t d = 0; d < dims; ++d) distance2 += n[d] * n[d] / (radius[d] * radius[d]);
        const double square = std::norm(image.data[i]);
        energy += square;
        if (distance2 <= 1) continue;
        beyond += square;
        if (square > result.sideLobe * result.sideLobe) {
          result.sideLobe = std::sqrt(square);
          result.sideLobeAt = n;
        }
      }
  result.beyond = beyond / energy;
  return result;
}

ScanSpread scanPointSpread(const Scan& scan, const ReconOptions& options, NufftBackend& backend,
                           const Progress& progress) {
  constexpr double weightsShare = 0.5;
  const JobPlan job = planJob(scan, options);
  const int frame = job.frames.front();
  const SampleChoice choice = chooseSamples(scan, frame, options);
  const Trajectory t = selectedTrajectory(scan, frame, options, choice);
  DensityWeights weights =
      densityWeights(t, scan.geometry.matrix, options, backend, progress.part(0, weightsShare));
  ScanSpread result;
  result.spread =
      pointSpread(t, weights.values, scan.geometry.matrix, options, backend, progress.part(weightsShare, 1));
  result.samples = describeSelection(scan, frame, job, choice);
  result.density = std::move(weights.origin);
  Image& image = result.spread.image;
  Geometry geometry = scan.geometry.ofFrame(frame);
  geometry.frames.clear();
  geometry.sliceDirections.clear();
  geometry.matrix = image.size;
  geometry.slicePositions.resize(1);
  for (std::size_t d = 0; d < std::size_t(t.dims); ++d)
    geometry.fov[d] *= double(image.size[d]) / double(scan.geometry.matrix[d]);
  image.geometry = geometry;
  image.name = scan.name + ", point spread function";
  image.provenance = provenanceOf(scan);
  image.provenance.push_back("point spread function of " + result.samples + ", weights: " + result.density);
  return result;
}

Image inDecibels(const Image& spread, double floor) {
  constexpr float perDecade = 20;
  const auto below = float(floor);
  Image image = spread;
  for (cfloat& v : image.data) {
    const float size = std::max(std::abs(v), std::pow(10.0F, -below / perDecade));
    v = 1 + perDecade * std::log10(size) / below;
  }
  return image;
}

std::string describe(const PointSpread& spread, int dims) {
  std::string text = "FWHM ";
  for (std::size_t d = 0; d < std::size_t(dims); ++d)
    text += (d > 0 ? " x " : "") + fixedText(spread.fwhm[d], 2);
  constexpr double decibelsPerDecade = 20;
  return text + " pixels, side lobes " +
         fixedText(decibelsPerDecade * std::log10(std::max(spread.sideLobe, 1e-12)), 1) + " dB, " +
         percentText(spread.beyond, 1) + " of the energy beyond the main lobe";
}

}  // namespace spokelab
