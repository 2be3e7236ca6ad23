// Noise maps and ranges of lambda of the C interface.
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "app/api/call.h"
#include "app/api/checks.h"
#include "app/api/handles.h"
#include "engine/profile/results/job_json.h"
#include "engine/recon/explore/noise_maps.h"
#include "engine/recon/options/recipe_table.h"
#include "engine/recon/reconstruct.h"

using namespace spokelab;
using namespace spokelab::api;

namespace {

std::unique_ptr<spokelab_image> handleOf(std::shared_ptr<const Image> image,
                                         const std::shared_ptr<const Scan>& scan,
                                         const ReconOptions& options) {
  auto made = std::make_unique<spokelab_image>();
  made->scan = scan;
  made->result.image = std::move(image);
  made->result.options = options;
  return made;
}

}  // namespace

spokelab_status spokelab_noise_maps(spokelab_context* context, const spokelab_scan* scan,
                                    const spokelab_options* options, int replicas, double sigma,
                                    unsigned seed, spokelab_progress progress, void* user,
                                    spokelab_image* maps[3]) {
  return call([&] {
    require(context && scan && maps, "context, scan or maps is NULL");
    require(std::isfinite(sigma) && sigma >= 0, "sigma is not a number from 0");
    const auto measured = scanOf(*scan);
    const ReconOptions values = valuesOf(options);
    const Machines& machines = *context->machines;
    const NoiseMaps noiseResult = noiseMaps(
        *measured, values, {.replicas = replicas, .sigma = sigma, .seed = seed},
        [&](const Scan& some, const ReconOptions& o, const Progress& part) {
          return reconstruct(machines.backends.all(), some, o, machines.wisdom.get(), part);
        },
        progressOf(progress, user));
    if (noiseResult.cancelled) throw Cancelled{};
    std::unique_ptr<spokelab_image> handles[] = {handleOf(noiseResult.noise, measured, values),
                                                 handleOf(noiseResult.snr, measured, values),
                                                 handleOf(noiseResult.gFactor, measured, values)};
    for (std::size_t i = 0; i < std::size(handles); ++i) maps[i] = handles[i].release();
  });
}

spokelab_status spokelab_lambda_range_create(spokelab_context* context, const spokelab_scan* scan,
                                             const spokelab_options* options, double low, double high,
                                             int count, double held_out, double sigma,
                                             spokelab_progress progress, void* user,
                                             spokelab_lambda_range** range) {
  return call([&] {
    require(context && scan && range, "context, scan or range is NULL");
    require(std::isfinite(low) && low > 0 && std::isfinite(high) && high > low,
            "low and high are not numbers above 0, the smaller one first");
    constexpr int maxValues = 1000;
    require(count >= 2 && count <= maxValues, "count is not 2 to 1000");
    require(std::isfinite(held_out) && held_out >= 0, "held_out is not a number from 0");
    require(std::isfinite(sigma) && sigma >= 0, "sigma is not a number from 0");
    ReconOptions reconOptions = valuesOf(options);
    if (!recipeOf(reconOptions).iterates) reconOptions.iterative.method = ReconMethod::sense;
    LambdaRangeOptions rangeOptions;
    rangeOptions.low = low;
    rangeOptions.high = high;
    rangeOptions.count = count;
    rangeOptions.heldOut = held_out;
    rangeOptions.tolerance = reconOptions.iterative.solver.tolerance;
    const auto measured = scanOf(*scan);
    LambdaChoice choice = chooseLambda(backendOf(*context->machines, reconOptions), *measured, reconOptions,
                                       rangeOptions, sigma, progressOf(progress, user));
    *range = new spokelab_lambda_range{std::move(choice), measured};
  });
}

void spokelab_lambda_range_destroy(spokelab_lambda_range* range) {
  delete range;
}

const char* spokelab_lambda_range_json(spokelab_lambda_range* range) {
  return valueOf<const char*>(nullptr, [&] {
    require(range, "range is NULL");
    const Lock lock(range->one);
    if (range->json.empty()) range->json = toJson(range->choice).dump();
    return range->json.c_str();
  });
}

spokelab_status spokelab_lambda_range_image(const spokelab_lambda_range* range, double lambda,
                                            spokelab_image** image) {
  return call([&] {
    require(range && image, "range or image is NULL");
    require(std::isfinite(lambda) && lambda > 0, "lambda is not a number above 0");
    ReconOptions options;
    options.iterative.method = ReconMethod::sense;
    options.iterative.solver.lambda = lambda;
    *image = handleOf(range->choice.image(lambda), range->scan, options).release();
  });
}
