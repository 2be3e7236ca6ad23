#include "engine/nufft/plan/resolve.h"

#include <cmath>
#include <string>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"
#include "engine/nufft/kernel/error_model.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/nufft/kernel/smallest_width.h"

namespace spokelab {
namespace {

constexpr double defaultAlpha = 2;
// (2 N - 1) / N of an image of two pixels, the least ratio that any image needs. Larger images
// round a smaller ratio up (toeplitzLengths).
constexpr double minToeplitzAlpha = 1.5;
constexpr double maxToeplitzAlpha = 4;

void checkProblem(const NufftProblem& p) {
  auto refuse = [](const std::string& reason) {
    throw Error("The transform is not defined", reason, "Check the image size and the points");
  };
  if (p.dims < 1 || p.dims > 3)
    refuse(std::to_string(p.dims) + " dimensions were asked for; there are 1 to 3");
  for (int d = 0; d < 3; ++d) {
    const std::int64_t n = p.size[std::size_t(d)];
    if (n < 1) refuse("dimension " + std::to_string(d + 1) + " has " + std::to_string(n) + " pixels");
    if (d >= p.dims && n != 1)
      refuse("dimension " + std::to_string(d + 1) + " of " + std::to_string(p.dims) + " has " +
             std::to_string(n) + " pixels");
  }
  if (p.sign != 1 && p.sign != -1)
    refuse("the sign of the exponent is " + std::to_string(p.sign) + ", not +1 or -1");
  if (p.batch < 1) refuse("a batch of " + std::to_string(p.batch) + " images was asked for");
  // No machine holds this number, and products of sizes with strides and bytes are below 2^63.
  constexpr double maxPixels = double(std::int64_t(1) << 44);
  double pixels = double(p.batch);
  for (const std::int64_t n : p.size) pixels *= double(n);
  if (pixels > maxPixels)
    refuse("its images have " + numberText(pixels, 3) + " pixels together, more than " +
           numberText(maxPixels, 3));
}

void checkRanges(const NufftOptions& o) {
  auto refuse = [](const std::string& what, const std::string& range) {
    throw Error("An option is out of range", what, "Give " + range);
  };
  if (!(o.accuracy > 0 && o.accuracy < 1))
    refuse("accuracy is " + numberText(o.accuracy), "a relative error above 0 and below 1");
  if (o.alpha != 0 && !(o.alpha > 1 && o.alpha <= maxAlpha))
    refuse("the oversampling ratio is " + numberText(o.alpha),
           "0 (automatic) or more than 1, up to " + numberText(maxAlpha));
  for (const double ratio : o.axisAlpha)
    if (ratio != 0 && !(ratio >= 1 && ratio <= maxAlpha))
      refuse("a dimension's oversampling ratio is " + numberText(ratio),
             "0 (none) or 1 up to " + numberText(maxAlpha));
  if (o.width != 0 && !(o.width > 0 && o.width <= maxKernelWidth))
    refuse("the kernel width is " + numberText(o.width),
           "0 (automatic) or up to " + numberText(maxKernelWidth) + " grid cells");
  if (o.toeplitzAlpha != 0 && !(o.toeplitzAlpha >= minToeplitzAlpha && o.toeplitzAlpha <= maxToeplitzAlpha))
    refuse("the Toeplitz form's ratio is " + numberText(o.toeplitzAlpha),
           "0 (automatic) or " + numberText(minToeplitzAlpha) + " up to " + numberText(maxToeplitzAlpha));
  constexpr int maxPartitions = 1024;
  if (o.scheduler.partitions < 0 || o.scheduler.partitions > maxPartitions)
    refuse("partitions a dimension: " + std::to_string(o.scheduler.partitions),
           "0 (automatic) or up to " + std::to_string(maxPartitions));
  constexpr int maxInterleaved = 4;  // interleavedImages (spread_interleaved.h)
  if (o.interleave != 0 && o.interleave != 1 && o.interleave != maxInterleaved)
    refuse("images together: " + std::to_string(o.interleave),
           "0 (automatic), 1 or " + std::to_string(maxInterleaved));
  if (o.maxSubproblem < 0)
    refuse("points in a subproblem: " + std::to_string(o.maxSubproblem), "0 (automatic) or more");
  if (o.memoryLimit < 0)
    refuse("the memory limit is " + std::to_string(o.memoryLimit) + " bytes", "0 (none) or more");
  for (const std::int64_t b : o.bins)
    if (b < 0) refuse("a bin size is " + std::to_string(b), "0 (automatic) or more");
}

// The largest error that a plan of this alpha and width may have. o.axisAlpha is left out: the
// contract holds for the grid of alpha alone (NufftOptions::axisAlpha).
double boundOf(const NufftProblem& p, const NufftOptions& o) {
  const Kernel kernel(o.kernel, o.width, o.alpha);
  return predictError(p, kernel, gridSize(p, o.alpha, o.width), 0, transformAccuracy(o)).bound;
}

[[noreturn]] void refuseAccuracy(const NufftProblem& p, const NufftOptions& o,
                                 const std::string& constraints) {
  const bool single = p.precision == Precision::single;
  const bool halved = transformShare(o.normal) < 1;
  std::string remedy = "Ask for " + numberText(reachableAccuracy(p, o)) + " or more";
  if (o.alpha != 0) remedy += ", or leave the oversampling ratio open";
  if (o.width != 0) remedy += ", or leave the kernel width open";
  if (halved) remedy += ", or choose a Toeplitz normal operator";
  if (single) remedy += ", or use double precision";
  throw Error("The accuracy cannot be reached",
              "a relative error of " + numberText(o.accuracy) +
                  (halved ? " of the gridded normal operator, half of it for each of its two transforms,"
                          : std::string()) +
                  " is out of reach for an image of " + sizeText(p.size, p.dims, " x ") + " in " +
                  (single ? "single" : "double") + " precision" + constraints,
              remedy);
}

// Oversampling ratios to try where none is given: the tuner's, whose grids (with axisAlpha) all
// differ, then the largest.
std::vector<double> openAlphas(const NufftProblem& p, const NufftOptions& o) {
  std::vector<double> alphas = fastAlphas(p, o.axisAlpha);
  alphas.push_back(maxAlpha);
  return alphas;
}

}  // namespace

double reachableAccuracy(const NufftProblem& problem, const NufftOptions& options) {
  const std::vector<double> alphas =
      options.alpha != 0 ? std::vector{options.alpha} : openAlphas(problem, options);
  double smallestBound = 1;
  for (const double alpha : alphas) {
    NufftOptions o = options;
    o.alpha = alpha;
    // Predict the rounding of the shortest sums: an accuracy of 0 sets the lowest limit at which
    // crowded points are summed separately (predictError).
    o.accuracy = 0;
    for (double w = options.width != 0 ? options.width : 1; w <= maxKernelWidth; w += 0.25) {
      o.width = w;
      if (Kernel::defined(o.kernel, w, alpha)) smallestBound = std::min(smallestBound, boundOf(problem, o));
      if (options.width != 0) break;
    }
  }
  // Room for the kernel polynomial's share of the error, which boundOf leaves out.
  constexpr double polynomialMargin = 1.05;
  // A width that the user gives may spend the whole accuracy (resolveOptions); a width of our own
  // choice keeps contractMargin.
  const double margin = options.width != 0 ? 1 : contractMargin;
  return std::min(1.0, polynomialMargin * smallestBound / (margin * transformShare(options.normal)));
}

// A gridded normal operator is two transforms, each of which may spend half of the accuracy.
bool meetsNormalAccuracy(const NufftOptions& options, const PredictedError& error) {
  return error.bound <= transformShare(NormalMethod::gridded) * options.accuracy;
}

NufftOptions withGriddedNormal(NufftOptions request) {
  request.normal = NormalMethod::gridded;
  return request;
}

NufftOptions resolveOptions(const NufftProblem& problem, NufftOptions options) {
  checkProblem(problem);
  checkRanges(options);
  options.threads = options.threads > 0 ? options.threads : hardwareThreads();
  options.kernel = resolvedKernel(options.kernel);
  const NufftOptions requestedOptions = options;

  if (options.width != 0) {
    const bool open = options.alpha == 0;
    const std::vector<double> alphas = open ? openAlphas(problem, options) : std::vector{options.alpha};
    for (const double alpha : alphas) {
      options.alpha = alpha;
      if (Kernel::defined(options.kernel, options.width, alpha) &&
          boundOf(problem, options) <= transformAccuracy(options))
        return options;
    }
    refuseAccuracy(problem, requestedOptions,
                   " with a kernel " + numberText(requestedOptions.width) + " cells wide" +
                       (open ? std::string() : " at oversampling " + numberText(requestedOptions.alpha)));
  }
  if (options.alpha == 0) options.alpha = defaultAlpha;
  options.width = smallestWidth(problem, options.kernel, options.alpha, transformAccuracy(options));
  if (options.width == 0)
    refuseAccuracy(problem, requestedOptions,
                   requestedOptions.alpha == 0 ? std::string()
                                               : " at oversampling " + numberText(requestedOptions.alpha));
  return options;
}

}  // namespace spokelab
