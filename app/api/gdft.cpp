#include "app/api/call.h"
#include "app/api/checks.h"
#include "app/api/handles.h"

using namespace spokelab;
using namespace spokelab::api;

struct spokelab_transform {
  std::shared_ptr<Machines> machines;  // outlives the transform
  std::variant<std::unique_ptr<SampleTransform<float>>, std::unique_ptr<SampleTransform<double>>> transform;
  bool onGpu = false;
  std::mutex one{};
};

namespace {

spokelab_status execute(spokelab_transform* transform, const void* in, void* out, bool adjoint, bool onDevice,
                        void* stream) noexcept {
  return call([&] {
    require(transform && in && out, "the transform or an array is NULL");
    const Lock lock(transform->one);
    require(!onDevice || transform->onGpu, "arrays in a GPU's memory are given to a transform of the CPU");
    const Execution execution{.devicePointers = onDevice, .stream = stream};
    std::visit(
        [&](auto& t) {
          using Complex = typename std::decay_t<decltype(*t)>::Complex;
          const auto* const from = static_cast<const Complex*>(in);
          auto* const to = static_cast<Complex*>(out);
          if (adjoint)
            t->adjoint(from, to, 1, execution, {});
          else
            t->forward(from, to, 1, execution, {});
        },
        transform->transform);
  });
}

// The samples and maps of a problem; coordinates NULL: the regular grid.
struct Arrays {
  std::int64_t samples, pixels;
  const double *points, *times, *field, *decay, *gradient, *coordinates;
};

spokelab_status create(spokelab_context* context, int dims, const int64_t* size, spokelab_precision precision,
                       const Arrays& a, const spokelab_options* options,
                       spokelab_transform** transform) noexcept {
  return call([&] {
    require(context && transform, "context or transform is NULL");
    require(a.samples >= 0 && (a.points || a.samples == 0), "samples is negative, or points is NULL");
    const ReconOptions values = valuesOf(options);
    GdftProblem problem;
    problem.dims = dims;
    problem.matrix = sizeOf(dims, size);
    const std::int64_t ofSize = pixelsOf(problem.matrix);  // throws for a size that is not positive
    const std::int64_t pixels = a.coordinates ? a.pixels : ofSize, samples = a.samples;
    // Coordinates and a time; field, decay, gradient and coordinates.
    constexpr int perSample = 4, perPixel = 8;
    requirePlausible(double(samples) * perSample + double(pixels) * perPixel, sizeof(double),
                     "points, times and maps");
    problem.points = copied(a.points, samples * dims);
    problem.coordinates = copied(a.coordinates, a.coordinates ? pixels * dims : 0);
    problem.times = copied(a.times, samples);
    problem.field = copied(a.field, pixels);
    problem.decay = copied(a.decay, pixels);
    problem.gradient = copied(a.gradient, dims * pixels);
    problem.intravoxel = a.gradient != nullptr;
    problem.reproducible = values.nufft.reproducible;
    validate(problem);
    Backend& backend = backendOf(*context->machines, values);
    auto made = std::make_unique<spokelab_transform>();
    made->machines = context->machines;
    made->onGpu = backend.kind() == BackendKind::gpu;
    if (precisionOf(precision) == Precision::single)
      made->transform = backend.gdft<float>(problem, values.nufft.threads);
    else
      made->transform = backend.gdft<double>(problem, values.nufft.threads);
    *transform = made.release();
  });
}

}  // namespace

spokelab_status spokelab_gdft_create(spokelab_context* context, int dims, const int64_t* size,
                                     spokelab_precision precision, int64_t samples, const double* points,
                                     const double* times, const double* field, const double* decay,
                                     const double* gradient, const spokelab_options* options,
                                     spokelab_transform** transform) {
  return create(context, dims, size, precision, {samples, 0, points, times, field, decay, gradient, nullptr},
                options, transform);
}

spokelab_status spokelab_gdft_create_at(spokelab_context* context, int dims, const int64_t* size,
                                        spokelab_precision precision, int64_t pixels,
                                        const double* coordinates, int64_t samples, const double* points,
                                        const double* times, const double* field, const double* decay,
                                        const double* gradient, const spokelab_options* options,
                                        spokelab_transform** transform) {
  if (pixels < 1 || !coordinates)
    return call([] { require(false, "pixels is less than one, or coordinates is NULL"); });
  return create(context, dims, size, precision,
                {samples, pixels, points, times, field, decay, gradient, coordinates}, options, transform);
}

void spokelab_gdft_destroy(spokelab_transform* transform) {
  delete transform;
}

spokelab_status spokelab_gdft_forward(spokelab_transform* transform, const void* image, void* samples) {
  return execute(transform, image, samples, false, false, nullptr);
}
spokelab_status spokelab_gdft_adjoint(spokelab_transform* transform, const void* samples, void* image) {
  return execute(transform, samples, image, true, false, nullptr);
}
spokelab_status spokelab_gdft_forward_on(spokelab_transform* transform, const void* image, void* samples,
                                         void* stream) {
  return execute(transform, image, samples, false, true, stream);
}
spokelab_status spokelab_gdft_adjoint_on(spokelab_transform* transform, const void* samples, void* image,
                                         void* stream) {
  return execute(transform, samples, image, true, true, stream);
}
