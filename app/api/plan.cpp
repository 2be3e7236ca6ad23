#include "app/api/call.h"
#include "app/api/checks.h"
#include "app/api/handles.h"
#include "engine/nufft/plan/many/many_dims.h"
#include "engine/recon/run/scan_problem.h"

using namespace spokelab;
using namespace spokelab::api;

struct spokelab_plan {
  std::shared_ptr<Machines> machines;  // outlives the plan
  std::variant<std::unique_ptr<Nufft<float>>, std::unique_ptr<Nufft<double>>> plan;
  std::string why, text;   // of tuning; of spokelab_plan_text
  double normalError = 0;  // predicted, of a plan that was tuned for the normal operator; 0: of another
  mutable std::mutex one{};
};

namespace {

NufftProblem problemOf(int dims, const int64_t* size, int sign, spokelab_precision precision, int64_t batch,
                       const ReconOptions& options) {
  require(sign == 1 || sign == -1, "sign is neither -1 nor +1");
  require(batch > 0, "batch is not positive");
  NufftProblem problem;
  problem.dims = dims;
  problem.size = sizeOf(dims, size);
  problem.precision = precisionOf(precision);
  problem.sign = sign;
  problem.batch = batch;
  problem.measure = options.measure;
  return problem;
}

std::unique_ptr<spokelab_plan> makePlan(const spokelab_context& context, NufftBackend& backend,
                                        const NufftProblem& problem, const NufftOptions& options) {
  auto made = std::make_unique<spokelab_plan>();
  made->machines = context.machines;
  if (problem.precision == Precision::single)
    made->plan = backend.plan<float>(problem, options);
  else
    made->plan = backend.plan<double>(problem, options);
  return made;
}

// A plan of more than three dimensions, which only the CPU has.
std::unique_ptr<spokelab_plan> makeManyDimsPlan(const spokelab_context& context, int dims,
                                                const int64_t* size, int sign, spokelab_precision precision,
                                                int64_t batch, const ReconOptions& options) {
  require(dims <= maxDims, "dims is larger than 8");
  require(size, "size is NULL");
  require(sign == 1 || sign == -1, "sign is neither -1 nor +1");
  require(batch > 0, "batch is not positive");
  require(options.backend == "auto" || options.backend == "cpu",
          "more than three dimensions are transformed on the CPU alone");
  for (int d = 0; d < dims; ++d) require(size[d] > 0, "a size is not positive");
  const ManyDimsProblem problem{{size, size + dims}, precisionOf(precision), sign, batch, options.measure};
  auto made = std::make_unique<spokelab_plan>();
  made->machines = context.machines;
  if (problem.precision == Precision::single)
    made->plan = makeManyDims<float>(problem, options.nufft);
  else
    made->plan = makeManyDims<double>(problem, options.nufft);
  return made;
}

void requirePoints(int dims, int64_t count, const double* points) {
  require(count >= 0 && count <= INT64_MAX / dims, "count is not a number of points");
  require(points || count == 0, "points is NULL");
}

// Checks coordinates in host memory.
void requireHostPoints(int dims, int64_t count, const double* points) {
  requirePoints(dims, count, points);
  requirePlausible(double(count) * dims, sizeof(double), "the list of points");
}

void setPoints(spokelab_plan& plan, int64_t count, const double* points) {
  std::visit(
      [&](auto& nufft) {
        const int dims = nufft->problem().dims;
        requireHostPoints(dims, count, points);
        nufft->setPoints(std::span(points, std::size_t(count * dims)));
      },
      plan.plan);
}

enum class Operation { forward, adjoint, normal };

spokelab_status execute(spokelab_plan* plan, Operation operation, const void* in, void* out, bool onDevice,
                        void* stream) noexcept {
  return call([&] {
    require(plan && in && out, "the plan or an array is NULL");
    const Lock lock(plan->one);
    std::visit(
        [&](auto& nufft) {
          using Complex = typename std::decay_t<decltype(*nufft)>::Complex;
          const Execution execution{.devicePointers = onDevice, .stream = stream};
          require(!onDevice || nufft->info().onDevice,
                  "arrays in a GPU's memory are given to a plan of the CPU");
          const auto* from = static_cast<const Complex*>(in);
          auto* to = static_cast<Complex*>(out);
          if (operation == Operation::forward)
            nufft->forward(from, to, execution);
          else if (operation == Operation::adjoint)
            nufft->adjoint(from, to, execution);
          else
            nufft->normal(from, to, execution);
        },
        plan->plan);
  });
}

spokelab_status setWorkspace(spokelab_plan* plan, void* memory, int64_t bytes, bool onDevice) noexcept {
  return call([&] {
    require(plan, "plan is NULL");
    require(!memory || bytes > 0, "bytes is not positive");
    const Lock lock(plan->one);
    std::visit(
        [&](auto& nufft) {
          require(!memory || onDevice == nufft->info().onDevice,
                  "memory and plan are not both in a GPU's memory or both in the host's");
          nufft->setWorkspace(memory, bytes);
        },
        plan->plan);
  });
}

}  // namespace

spokelab_status spokelab_plan_create(spokelab_context* context, int dims, const int64_t* size, int sign,
                                     spokelab_precision precision, int64_t batch,
                                     const spokelab_options* options, spokelab_plan** plan) {
  return call([&] {
    require(context && plan, "context or plan is NULL");
    const ReconOptions values = valuesOf(options);
    if (dims > 3) {
      *plan = makeManyDimsPlan(*context, dims, size, sign, precision, batch, values).release();
      return;
    }
    const NufftProblem problem = problemOf(dims, size, sign, precision, batch, values);
    *plan = makePlan(*context, backendOf(*context->machines, values), problem, values.nufft).release();
  });
}

spokelab_status spokelab_plan_create_sets(spokelab_context* context, int dims, const int64_t* size, int sign,
                                          spokelab_precision precision, int64_t batch, int64_t sets,
                                          const spokelab_options* options, spokelab_plan** plan) {
  return call([&] {
    require(context && plan, "context or plan is NULL");
    require(sets > 0 && sets <= INT32_MAX, "sets is not positive, or too large");
    const ReconOptions values = valuesOf(options);
    NufftProblem problem = problemOf(dims, size, sign, precision, batch, values);
    problem.sets = sets;
    NufftBackend& backend = backendOf(*context->machines, values);
    require(backend.setsAtOnce(values.nufft) > 0, "the backend takes one set of points at a time");
    *plan = makePlan(*context, backend, problem, values.nufft).release();
  });
}

spokelab_status spokelab_plan_tune(spokelab_context* context, int dims, const int64_t* size, int sign,
                                   spokelab_precision precision, int64_t batch,
                                   const spokelab_options* options, int64_t count, const double* points,
                                   spokelab_progress progress, void* user, spokelab_plan** plan) {
  return call([&] {
    require(context && plan, "context or plan is NULL");
    const ReconOptions values = valuesOf(options);
    if (dims > 3) {
      require(dims <= maxDims, "dims is larger than 8");
      requireHostPoints(dims, count, points);
      requireFinite({points, std::size_t(count * dims)}, "points");
      auto made = makeManyDimsPlan(*context, dims, size, sign, precision, batch, values);
      setPoints(*made, count, points);
      made->why = "Plans of more than three dimensions are not timed";
      *plan = made.release();
      return;
    }
    const NufftProblem problem = problemOf(dims, size, sign, precision, batch, values);
    requireHostPoints(dims, count, points);
    requireFinite({points, std::size_t(count * dims)}, "points");
    Workload usual;
    usual.executions = Workload::usualExecutions;
    const ScanProblem scanProblem{problem, problem, 1, {points, points + count * dims}, usual};
    const TuneRequest request = tuneRequest(scanProblem, values);
    const std::vector<Backend*> usable =
        backendsFor(context->machines->backends.all(), values.backend, values.devices);
    const std::vector<NufftBackend*> backends(usable.begin(), usable.end());
    const TuneResult found =
        tune(backends, request, context->machines->wisdom.get(), progressOf(progress, user));
    if (found.cancelled) throw Cancelled{};
    const Candidate& best = found.candidates[std::size_t(found.best)];
    auto made = makePlan(*context, *backendNamed(usable, best.backend), problem, best.options);
    setPoints(*made, count, points);
    made->why = found.reason + ". Tuned for " + workloadText(request.workload);
    if (request.workload.direction == Direction::normal) made->normalError = best.predictedError();
    *plan = made.release();
  });
}

void spokelab_plan_destroy(spokelab_plan* plan) {
  delete plan;
}

spokelab_status spokelab_plan_set_points(spokelab_plan* plan, int64_t count, const double* points) {
  return call([&] {
    require(plan, "plan is NULL");
    const Lock lock(plan->one);
    setPoints(*plan, count, points);
  });
}

spokelab_status spokelab_plan_set_points_on(spokelab_plan* plan, int64_t count, const double* points,
                                            void* stream) {
  return call([&] {
    require(plan, "plan is NULL");
    const Lock lock(plan->one);
    std::visit(
        [&](auto& nufft) {
          const int dims = nufft->problem().dims;
          requirePoints(dims, count, points);
          require(nufft->info().onDevice, "points in a GPU's memory are given to a plan of the CPU");
          nufft->setPoints(devicePoints({points, std::size_t(count * dims)}, stream));
        },
        plan->plan);
  });
}

spokelab_status spokelab_plan_set_point_sets(spokelab_plan* plan, const int64_t* offsets,
                                             const double* points) {
  return call([&] {
    require(plan && offsets, "plan or offsets is NULL");
    const Lock lock(plan->one);
    std::visit(
        [&](auto& nufft) {
          const NufftProblem& problem = nufft->problem();
          require(problem.sets > 0, "the plan was made for one set of points");
          const std::span<const int64_t> starts(offsets, std::size_t(problem.sets) + 1);
          requireHostPoints(problem.dims, starts.back(), points);
          nufft->setPoints({std::span(points, std::size_t(starts.back() * problem.dims)), starts});
        },
        plan->plan);
  });
}

spokelab_status spokelab_plan_set_weights(spokelab_plan* plan, int64_t count, const double* weights) {
  return call([&] {
    require(plan, "plan is NULL");
    require(weights || count == 0, "weights is NULL");
    const Lock lock(plan->one);
    std::visit(
        [&](auto& nufft) {
          require(count == 0 || count == nufft->points(), "count is neither 0 nor the number of points");
          requireFinite({weights, std::size_t(count)}, "weights");
          nufft->setWeights({weights, std::size_t(count)});
        },
        plan->plan);
  });
}

spokelab_status spokelab_plan_forward(spokelab_plan* plan, const void* image, void* samples) {
  return execute(plan, Operation::forward, image, samples, false, nullptr);
}
spokelab_status spokelab_plan_adjoint(spokelab_plan* plan, const void* samples, void* image) {
  return execute(plan, Operation::adjoint, samples, image, false, nullptr);
}
spokelab_status spokelab_plan_normal(spokelab_plan* plan, const void* in, void* out) {
  return execute(plan, Operation::normal, in, out, false, nullptr);
}
spokelab_status spokelab_plan_forward_on(spokelab_plan* plan, const void* image, void* samples,
                                         void* stream) {
  return execute(plan, Operation::forward, image, samples, true, stream);
}
spokelab_status spokelab_plan_adjoint_on(spokelab_plan* plan, const void* samples, void* image,
                                         void* stream) {
  return execute(plan, Operation::adjoint, samples, image, true, stream);
}
spokelab_status spokelab_plan_normal_on(spokelab_plan* plan, const void* in, void* out, void* stream) {
  return execute(plan, Operation::normal, in, out, true, stream);
}

int64_t spokelab_plan_workspace_bytes(const spokelab_plan* plan) {
  if (!plan) return -1;
  const Lock lock(plan->one);
  return std::visit([](const auto& nufft) { return nufft->workspaceBytes(); }, plan->plan);
}
spokelab_status spokelab_plan_set_workspace(spokelab_plan* plan, void* memory, int64_t bytes) {
  return setWorkspace(plan, memory, bytes, false);
}
spokelab_status spokelab_plan_set_workspace_on(spokelab_plan* plan, void* memory, int64_t bytes) {
  return setWorkspace(plan, memory, bytes, true);
}

int64_t spokelab_plan_points(const spokelab_plan* plan) {
  if (!plan) return -1;
  const Lock lock(plan->one);
  return std::visit([](const auto& nufft) { return nufft->points(); }, plan->plan);
}
int64_t spokelab_plan_pixels(const spokelab_plan* plan) {
  if (!plan) return -1;
  return std::visit([](const auto& nufft) { return nufft->problem().pixels(); }, plan->plan);
}
double spokelab_plan_error(const spokelab_plan* plan) {
  if (!plan) return -1;
  const Lock lock(plan->one);
  if (plan->normalError > 0) return plan->normalError;
  return std::visit([](const auto& nufft) { return nufft->info().error.relativeL2; }, plan->plan);
}

const char* spokelab_plan_text(spokelab_plan* plan) {
  return valueOf<const char*>(nullptr, [&] {
    require(plan, "plan is NULL");
    const Lock lock(plan->one);
    std::string text = std::visit([](const auto& nufft) { return nufft->info().description; }, plan->plan);
    if (!plan->why.empty()) text += ". " + plan->why;
    if (text != plan->text) plan->text = std::move(text);  // another thread may read the one it got
    return plan->text.c_str();
  });
}
