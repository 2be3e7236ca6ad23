#include "engine/recon/run/job_machine.h"

#include <algorithm>

#include "engine/core/memory/machine_memory.h"

namespace spokelab {
namespace {

JobMachine::Place placeOn(Backend& backend, int devices) {
  const std::int64_t memory = backend.deviceMemory();
  return {&backend, backend.kind() == BackendKind::gpu || memory > 0, memory, devices};
}

double roomForVolume(const ReconOptions& options) {
  const MemoryBounds bounds = memoryBounds();
  return double(options.nufft.reproducible ? bounds.most : bounds.left);
}

double roomForCoils(const ReconOptions& options) {
  const auto left = double(memoryBounds().left);
  return options.nufft.memoryLimit > 0 ? std::min(left, double(options.nufft.memoryLimit)) : left;
}

}  // namespace

JobMachine machineOf(const std::vector<Backend*>& backends, const ReconOptions& options) {
  JobMachine machine;
  machine.roomForCoils = roomForCoils(options);
  machine.roomForVolume = roomForVolume(options);
  for (Backend* const backend : backends)
    machine.places.push_back(placeOn(*backend, int(devicesOf(*backend, options.devices).size())));
  return machine;
}

JobMachine machineOfRanks(Backend& backend, int ranks, const ReconOptions& options) {
  JobMachine machine;
  machine.roomForVolume = roomForVolume(options);
  machine.places = {placeOn(backend, ranks)};
  return machine;
}

JobMachine machineOfPart(const ReconOptions& options) {
  JobMachine machine;
  machine.roomForCoils = roomForCoils(options);
  return machine;
}

}  // namespace spokelab
