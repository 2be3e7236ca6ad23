#include "engine/recon/sense/backend_plugin.h"

#include "engine/core/error.h"
#include "engine/core/modules/cuda_module.h"

namespace spokelab {

std::string PluginBackend::badge() const {
  const PluginInfo& info = plugin_.info();
  return "Plug-in " + info.title() + ", " + info.license + ", " + (info.onGpu ? "in GPU memory, " : "") +
         info.file.string();
}

std::vector<NormalMethod> PluginBackend::normalMethods(const NufftProblem&,
                                                       const NufftOptions& options) const {
  if (isToeplitz(options.normal)) return {};
  return {NormalMethod::gridded};
}

std::int64_t PluginBackend::estimateMemory(const NufftProblem& problem, const NufftOptions&,
                                           std::int64_t points) const {
  if (!plugin_.info().supports(problem))
    throw Error("Cannot plan the transform", "the plug-in " + plugin_.info().title() + " does not serve it",
                "Choose another backend");
  const std::int64_t number = problem.precision == Precision::single ? sizeof(cfloat) : sizeof(cdouble);
  const std::int64_t coordinates = 2 * problem.dims * std::int64_t(sizeof(double)) * points;
  return coordinates + number * ((problem.pixels() << problem.dims) + problem.batch * points);
}

AnyNufft PluginBackend::makePlan(const NufftProblem& problem, const NufftOptions& options) {
  if (problem.precision == Precision::single) return plugin_.plan<float>(problem, options);
  return plugin_.plan<double>(problem, options);
}

std::unique_ptr<Backend> makePluginBackend(const PluginInfo& info, Backend* gpu) {
  if (!info.onGpu) return std::make_unique<PluginBackend>(info);
  std::string reason = "there is no GPU";
  const auto make =
      gpu ? reinterpret_cast<CudaPluginBackend>(cudaModuleFunction("spokelabCudaPluginBackend", reason))
          : nullptr;
  if (!make)
    throw Error("Cannot use the plug-in " + info.title(), "its arrays are in a GPU's memory, and " + reason,
                "Choose another backend");
  return std::unique_ptr<Backend>(make(info, *gpu));
}

}  // namespace spokelab
