// The cases of a sweep, study or suite over several GPUs of this machine: each GPU runs a share at
// the same time, as the tasks of a job array do, and the shares are merged.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/core/jobs/shard.h"
#include "engine/core/progress.h"
#include "engine/profile/shards/merge_shards.h"
#include "engine/profile/suite/suite_run.h"
#include "engine/recon/sense/backend.h"

namespace spokelab {

struct DeviceShare {
  Shard shard;
  std::vector<Backend*> backends;  // that run it
};

// A share for each device that `devices` names ("0,2", "all"); where that is one, all cases on the
// backends that `backend` names. Throws Error where others than GPUs take part (their plans would
// be timed beside each other), and where `given`, the user's own share, is divided once more.
std::vector<DeviceShare> deviceShares(const std::vector<Backend*>& backends, const std::string& backend,
                                      const std::string& devices, const Shard& given);

// Runs each share on a separate thread. `run` makes its document, with the part "shard"
// (results/shard_json.h); its provenance is added here, with the device. `progress` shows the first
// share's progress. In this thread's trace each share has one track, as the devices of a
// reconstruction have (trace.h). Throws Error; Cancelled.
MergedShards runDeviceShares(const std::vector<DeviceShare>& shares, const std::string& commandLine,
                             const Progress& progress,
                             const std::function<nlohmann::json(const DeviceShare&, const Progress&)>& run);

// runSuite() in shares: the folder holds what one run of the whole suite writes. No share is
// cancelled alone: throws Cancelled, and what is finished is kept.
SuiteResult runSuiteOnDevices(const std::vector<DeviceShare>& shares, const Suite& suite,
                              const std::filesystem::path& folder, bool again, const std::string& commandLine,
                              const Progress& progress);

}  // namespace spokelab
