#include "app/api/call.h"
#include "app/api/checks.h"
#include "app/api/handles.h"
#include "engine/core/error.h"
#include "engine/nufft/type3/type3_transform.h"
#include "engine/recon/explore/type3_tuning.h"

using namespace spokelab;
using namespace spokelab::api;

struct spokelab_type3 {
  std::shared_ptr<Machines> machines;  // outlives the transform
  std::variant<std::unique_ptr<Type3Transform<float>>, std::unique_ptr<Type3Transform<double>>> transform;
  std::string why{}, text{};  // the reason of tuning; what was told
  mutable std::mutex one{};

  void describe() {
    text = std::visit([](const auto& t) { return t->info().description; }, transform);
    if (!why.empty()) text += ". " + why;
  }
};

namespace {

std::span<const double> pointsOf(int dims, int64_t count, const double* points) {
  require(count >= 0 && count <= INT64_MAX / dims, "a count is not a number of points");
  require(points || count == 0, "an array of points is NULL");
  requirePlausible(double(count) * dims, sizeof(double), "a list of points");
  return {points, std::size_t(count * dims)};
}

}  // namespace

spokelab_status spokelab_type3_create(spokelab_context* context, int dims, int sign,
                                      spokelab_precision precision, int64_t batch,
                                      const spokelab_options* options, spokelab_type3** type3) {
  return call([&] {
    require(context && type3, "context or type3 is NULL");
    const ReconOptions values = valuesOf(options);
    Backend& backend = backendOf(*context->machines, values);
    if (!backend.hasType3())
      throw Error("Cannot plan the transform",
                  "transforms of type 3 do not run on \"" + backend.name() + "\"",
                  "Choose the backend \"cpu\" or \"cuda\"");
    const Type3Problem problem{dims, precisionOf(precision), sign, batch};
    auto made = std::make_unique<spokelab_type3>();
    made->machines = context->machines;
    made->transform = backend.type3(problem, values.nufft);
    *type3 = made.release();
  });
}

spokelab_status spokelab_type3_tune(spokelab_context* context, int dims, int sign,
                                    spokelab_precision precision, int64_t batch,
                                    const spokelab_options* options, int64_t sources,
                                    const double* source_points, int64_t targets, const double* target_points,
                                    spokelab_progress progress, void* user, spokelab_type3** type3) {
  return call([&] {
    require(context && type3, "context or type3 is NULL");
    require(dims >= 1 && dims <= 3, "dims is not 1, 2 or 3");
    const ReconOptions values = valuesOf(options);
    Type3Tuning tuning;
    tuning.problem = {dims, precisionOf(precision), sign, batch};
    tuning.sources = pointsOf(dims, sources, source_points);
    tuning.targets = pointsOf(dims, targets, target_points);
    tuning.options = values.nufft;
    tuning.effort = values.effort;
    if (values.tuning.direction) tuning.workload.direction = *values.tuning.direction;
    if (values.tuning.reuse > 0) tuning.workload.executions = values.tuning.reuse;
    tuning.trials = values.tuning.trials;
    tuning.timeLimit = values.tuning.timeLimit;
    const std::vector<Backend*> usable =
        backendsFor(context->machines->backends.all(), values.backend, values.devices);
    const TuneResult found =
        tuneType3(usable, tuning, context->machines->wisdom.get(), progressOf(progress, user));
    if (found.cancelled) throw Cancelled{};
    const Candidate& best = found.candidates[std::size_t(found.best)];
    auto made = std::make_unique<spokelab_type3>();
    made->machines = context->machines;
    const auto make = [&]<class Real>(Real) {
      auto transform = makeType3<Real>(usable, tuning, best);
      transform->setPoints(tuning.sources, tuning.targets);
      made->transform = std::move(transform);
    };
    if (tuning.problem.precision == Precision::single)
      make(float());
    else
      make(double());
    made->why = found.reason + ". Tuned for " + workloadText(tuning.workload);
    made->describe();
    *type3 = made.release();
  });
}

void spokelab_type3_destroy(spokelab_type3* type3) {
  delete type3;
}

spokelab_status spokelab_type3_set_points(spokelab_type3* type3, int64_t sources, const double* source_points,
                                          int64_t targets, const double* target_points) {
  return call([&] {
    require(type3, "type3 is NULL");
    const Lock lock(type3->one);
    std::visit(
        [&](auto& t) {
          const int dims = t->problem().dims;
          t->setPoints(pointsOf(dims, sources, source_points), pointsOf(dims, targets, target_points));
        },
        type3->transform);
    type3->describe();
  });
}

namespace {

spokelab_status execute(spokelab_type3* type3, const void* in, void* out, bool adjoint, bool onDevice,
                        void* stream) noexcept {
  return call([&] {
    require(type3 && in && out, "type3 or an array is NULL");
    const Lock lock(type3->one);
    std::visit(
        [&](auto& t) {
          using Complex = typename std::decay_t<decltype(*t)>::Complex;
          const Execution execution{.devicePointers = onDevice, .stream = stream};
          require(!onDevice || kindOf(t->info().backend) == BackendKind::gpu,
                  "arrays in a GPU's memory are given to a transform of the CPU");
          const auto* const from = static_cast<const Complex*>(in);
          auto* const to = static_cast<Complex*>(out);
          if (adjoint)
            t->adjoint(from, to, execution);
          else
            t->forward(from, to, execution);
        },
        type3->transform);
  });
}

}  // namespace

spokelab_status spokelab_type3_forward(spokelab_type3* type3, const void* source_values,
                                       void* target_values) {
  return execute(type3, source_values, target_values, false, false, nullptr);
}
spokelab_status spokelab_type3_adjoint(spokelab_type3* type3, const void* target_values,
                                       void* source_values) {
  return execute(type3, target_values, source_values, true, false, nullptr);
}
spokelab_status spokelab_type3_forward_on(spokelab_type3* type3, const void* source_values,
                                          void* target_values, void* stream) {
  return execute(type3, source_values, target_values, false, true, stream);
}
spokelab_status spokelab_type3_adjoint_on(spokelab_type3* type3, const void* target_values,
                                          void* source_values, void* stream) {
  return execute(type3, target_values, source_values, true, true, stream);
}

double spokelab_type3_error(const spokelab_type3* type3) {
  if (!type3) return -1;
  const Lock lock(type3->one);
  return std::visit([](const auto& t) { return t->info().error; }, type3->transform);
}

const char* spokelab_type3_text(const spokelab_type3* type3) {
  if (!type3) return nullptr;
  const Lock lock(type3->one);
  return type3->text.c_str();
}
