#include "engine/recon/density/density.h"

#include <algorithm>
#include <cmath>

#include "app/api/call.h"
#include "app/api/checks.h"
#include "app/api/handles.h"

using namespace spokelab;
using namespace spokelab::api;

spokelab_status spokelab_density_weights(spokelab_context* context, int dims, const int64_t* size,
                                         int64_t shots, const int64_t* shot_offsets, const double* points,
                                         const spokelab_options* options, spokelab_progress progress,
                                         void* user, double* weights) {
  return call([&] {
    require(context && shot_offsets && points && weights, "context or an array is NULL");
    require(dims >= 2, "dims is not 2 or 3");  // sizeOf refuses more than 3
    const Index3 matrix = sizeOf(dims, size);
    pixelsOf(matrix);  // throws if no machine holds such an image
    // Checked before the arrays are read: a wrong count would read beyond them.
    requirePlausible(double(shots), sizeof(int64_t), "shot_offsets");
    require(shots > 0 && shot_offsets[0] == 0 && std::is_sorted(shot_offsets, shot_offsets + shots + 1) &&
                shot_offsets[shots] > 0,
            "shots is not positive, or shot_offsets do not ascend from 0");
    requirePlausible(double(shot_offsets[shots]) * dims, sizeof(double), "the list of points");
    Trajectory trajectory;
    trajectory.dims = dims;
    trajectory.shotOffsets.assign(shot_offsets, shot_offsets + shots + 1);
    const std::int64_t count = trajectory.samples() * dims;
    trajectory.points.assign(points, points + count);
    require(std::all_of(points, points + count, [](double k) { return std::isfinite(k); }),
            "a point is not a finite number");
    const ReconOptions values = valuesOf(options);
    const DensityWeights found = densityWeights(
        trajectory, matrix, values, backendOf(*context->machines, values), progressOf(progress, user));
    std::copy(found.values.begin(), found.values.end(), weights);
  });
}
