#include "app/cli/ranks/rank_backend.h"

#include "engine/core/error.h"
#include "engine/core/number_list.h"
#include "engine/core/text.h"

namespace spokelab {

namespace {

std::vector<int> devicesOfRanks(int deviceCount, const std::string& devices) {
  if (deviceCount == 0) return {};
  return numberList(devices == firstDevice ? "all" : devices, deviceCount, "Cannot use devices = " + devices,
                    "this machine");
}

}  // namespace

int deviceOfRank(const LaunchedRanks& launched, int deviceCount, const std::string& devices) {
  const std::vector<int> chosen = devicesOfRanks(deviceCount, devices);
  if (launched.localSize > int(chosen.size())) return -1;
  return chosen[std::size_t(launched.localRank)];
}

int sharedDeviceOfRank(const LaunchedRanks& launched, int deviceCount, const std::string& devices) {
  const std::vector<int> chosen = devicesOfRanks(deviceCount, devices);
  return chosen.empty() ? -1 : chosen[std::size_t(launched.localRank) % chosen.size()];
}

Backend& rankBackend(Ranks& ranks, const LaunchedRanks& launched, const ReconOptions& options, Backend& cpu,
                     const std::vector<Backend*>& backends, const Progress& progress) {
  Backend* own = nullptr;
  if (options.backend == "cpu") return cpu;
  Backend* const gpu = backendNamed(backends, gpuBackend);
  const int count = gpu ? gpu->deviceCount() : 0;
  if (const int device = deviceOfRank(launched, count, options.devices); device >= 0)
    own = &gpu->device(device);
  if (!own && kindOf(options.backend) == BackendKind::gpu)
    throw Error("Cannot reconstruct on several ranks with a GPU each",
                countText(launched.localSize, "rank") + " on a machine with " + countText(count, "GPU"),
                "Start one rank for each GPU there, or use backend = cpu");
  double having = own ? 1 : 0;
  ranks.sum(&having, 1, progress);
  ranks.broadcast(&having, sizeof having, progress);
  return int(having) == ranks.size() ? *own : cpu;
}

}  // namespace spokelab
