#include "engine/nufft/plugin/gpu_plugins.h"

#include "engine/core/error.h"
#include "engine/core/modules/cuda_module.h"

namespace spokelab {

AnyNufft makeGpuPluginNufft(const GpuPluginRequest& request) {
  std::string reason;
  const auto make = reinterpret_cast<CudaPluginNufft>(cudaModuleFunction("spokelabCudaPluginNufft", reason));
  if (!make)
    throw Error("Cannot use the plug-in " + request.plugin.title(),
                "its arrays are in a GPU's memory, and " + reason, "Choose another backend");
  AnyNufft made;
  make(request, made);
  return made;
}

}  // namespace spokelab
