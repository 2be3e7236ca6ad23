#include "engine/nufft/plugin/plugin_plan.h"

#include <algorithm>
#include <string>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

constexpr std::int32_t typeAdjoint = 1, typeForward = 2;
const char* const otherBackend = "Choose another backend";

}  // namespace

PluginPlan::PluginPlan(std::shared_ptr<const PluginCode> code, const PluginInfo& plugin,
                       const NufftProblem& problem, const NufftOptions& options, PluginWatcher watcher,
                       PluginPlace place)
    : code_(std::move(code)), plugin_(plugin), watcher_(std::move(watcher)) {
  if (!plugin_.supports(problem))
    throw Error("Cannot plan the transform",
                "the plug-in " + plugin_.title() + " does not serve " + std::to_string(problem.dims) +
                    "-D in " + (problem.precision == Precision::single ? "single" : "double") + " precision",
                otherBackend);
  if (options.reproducible)
    throw Error("Cannot plan the transform",
                "nobody knows whether the results of the plug-in " + plugin_.title() + " repeat bit by bit",
                "Choose another backend, or leave reproducible out");
  info_.backend = plugin_.name;
  info_.options = options;
  info_.options.threads = options.threads > 0 ? options.threads : hardwareThreads();
  info_.options.normal = NormalMethod::gridded;
  // Its own claim; trials measure it.
  info_.error.relativeL2 = info_.error.bound = options.accuracy;
  info_.onDevice = place.stream != nullptr;
  make(problem, place);
  info_.description = "plug-in " + plugin_.title() + " (" + plugin_.file.filename().string() + "), " +
                      (info_.onDevice ? "in GPU memory" : countText(info_.options.threads, "thread"));
}

PluginPlan::~PluginPlan() {
  if (plan_) code_->destroy(plan_);
}

template <class Function>
void PluginPlan::call(const char* step, const Function& function) {
  constexpr std::size_t textBytes = 1024;
  std::array<char, textBytes> text{};
  if (watcher_) watcher_(step);
  const int code = function(text.data(), text.size());
  if (watcher_) watcher_(nullptr);
  text.back() = '\0';
  if (code == SPOKELAB_PLUGIN_OK) return;
  std::string why = text[0] ? text.data() : "it gave no reason (code " + std::to_string(code) + ")";
  if (code == SPOKELAB_PLUGIN_NO_MEMORY && !text[0]) why = "there is not enough memory for it";
  throw Error("The plug-in " + plugin_.title() + " failed", std::string("in the step '") + step + "': " + why,
              otherBackend);
}

void PluginPlan::make(const NufftProblem& problem, const PluginPlace& place) {
  const NufftOptions& options = info_.options;
  const std::string file = plugin_.file.string();
  spokelab_plugin_request request{};
  request.file = file.c_str();
  request.dims = problem.dims;
  std::copy(problem.size.begin(), problem.size.end(), request.size);
  request.precision =
      problem.precision == Precision::single ? SPOKELAB_PLUGIN_SINGLE : SPOKELAB_PLUGIN_DOUBLE;
  request.sign = problem.sign;
  request.batch = problem.batch;
  request.accuracy = options.accuracy;
  request.alpha = plugin_.offers(options.alpha) ? options.alpha : 0;
  request.threads = options.threads;
  request.memory = place.stream ? SPOKELAB_PLUGIN_CUDA : SPOKELAB_PLUGIN_HOST;
  request.device = place.device;
  request.stream = place.stream;
  spokelab_plugin_report report{};
  call("plan",
       [&](char* text, std::size_t bytes) { return code_->plan(&request, &plan_, &report, text, bytes); });
  if (report.alpha > 0) info_.options.alpha = report.alpha;
  if (report.width > 0) info_.options.width = report.width;
  for (std::size_t d = 0; d < info_.grid.size(); ++d)
    info_.grid[d] = std::max<std::int64_t>(1, report.grid[d]);
  info_.memory = std::max<std::int64_t>(0, report.memory);
}

void PluginPlan::setPoints(std::int64_t count, const std::array<const double*, 3>& axes) {
  call("set points", [&](char* text, std::size_t bytes) {
    return code_->setPoints(plan_, count, axes[0], axes[1], axes[2], text, bytes);
  });
}

void PluginPlan::forward(const void* images, void* samples) {
  call("execute type 2", [&](char* text, std::size_t bytes) {
    return code_->execute(plan_, typeForward, images, samples, text, bytes);
  });
}

void PluginPlan::adjoint(const void* samples, void* images) {
  call("execute type 1", [&](char* text, std::size_t bytes) {
    return code_->execute(plan_, typeAdjoint, samples, images, text, bytes);
  });
}

}  // namespace spokelab
