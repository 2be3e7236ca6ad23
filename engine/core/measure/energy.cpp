#include "engine/core/measure/energy.h"

#include <dlfcn.h>

#include <algorithm>
#include <fstream>
#include <optional>

#include "engine/core/stage_timer.h"
#include "engine/core/text.h"

namespace spokelab {
namespace {

constexpr double microjoules = 1e6, millijoules = 1e3;  // in a joule

std::optional<double> numberOfFile(const std::filesystem::path& file) {
  std::ifstream in(file);
  double value = 0;
  if (!(in >> value)) return std::nullopt;
  return value;
}

// "intel-rapl:0": a whole processor; "intel-rapl:0:1" is a part of it.
bool isProcessorZone(const std::string& name) {
  return name.starts_with("intel-rapl:") && std::count(name.begin(), name.end(), ':') == 1;
}

// NVML without its header: a handle is a pointer, a result of 0 is success.
class GpuCounters {
 public:
  GpuCounters() : library_(dlopen("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL)) {
    const auto begin = function<int (*)()>("nvmlInit_v2");
    if (!begin || begin() != 0) return;
    const auto count = function<int (*)(unsigned*)>("nvmlDeviceGetCount_v2");
    const auto handle = function<int (*)(unsigned, void**)>("nvmlDeviceGetHandleByIndex_v2");
    energy_ = function<int (*)(void*, unsigned long long*)>("nvmlDeviceGetTotalEnergyConsumption");
    unsigned devices = 0;
    if (!count || !handle || !energy_ || count(&devices) != 0) return;
    for (unsigned i = 0; i < devices; ++i) {
      void* device = nullptr;
      if (handle(i, &device) == 0) devices_.push_back(device);
    }
  }

  // Millijoules since the driver was loaded, of each GPU that counts; all or none.
  std::vector<double> read() const {
    std::vector<double> all;
    for (void* device : devices_) {
      unsigned long long value = 0;
      if (energy_(device, &value) != 0) return {};
      all.push_back(double(value));
    }
    return all;
  }

 private:
  template <class Function>
  Function function(const char* name) const {
    return library_ ? reinterpret_cast<Function>(dlsym(library_, name)) : nullptr;
  }

  void* library_;  // stays loaded
  int (*energy_)(void*, unsigned long long*) = nullptr;
  std::vector<void*> devices_;
};

const GpuCounters& gpuCounters() {
  static const GpuCounters counters;
  return counters;
}

}  // namespace

void startGpuCounters() {
  gpuCounters();
}

std::string energyText(const EnergyUse& use) {
  constexpr int digits = 3;
  if (use.isKnown()) return numberText(use.joules, digits) + " J of " + use.of;
  return use.absent.empty() ? std::string() : "not told: " + use.absent;
}

EnergyWatch::EnergyWatch(bool withGpus, const std::filesystem::path& folder) : start_(now()) {
  std::error_code code;
  bool seen = false;
  for (std::filesystem::directory_iterator at(folder, code), end; !code && at != end; at.increment(code)) {
    if (!isProcessorZone(at->path().filename().string())) continue;
    seen = true;
    Zone zone;
    zone.counter = at->path() / "energy_uj";
    const auto value = numberOfFile(zone.counter), range = numberOfFile(at->path() / "max_energy_range_uj");
    if (!value) continue;
    zone.atStart = *value;
    zone.range = range.value_or(0);
    zones_.push_back(zone);
  }
  if (zones_.empty())
    absent_ = seen ? "the processor's counters (RAPL) can be read by root alone"
                   : "this machine has no counters of the processor's energy (RAPL)";
  if (withGpus) gpus_ = gpuCounters().read();
}

EnergyUse EnergyWatch::use() const {
  EnergyUse use;
  const double seconds = now() - start_;
  int processors = 0;
  for (const Zone& zone : zones_) {
    // Skip a counter that may have overflowed more than once: its difference means nothing.
    constexpr double mostWatts = 1000;
    if (zone.range > 0 && seconds * mostWatts * microjoules > zone.range) continue;
    const auto value = numberOfFile(zone.counter);
    if (!value) continue;
    const double used = *value - zone.atStart;
    use.joules += (used < 0 ? used + zone.range : used) / microjoules;
    ++processors;
  }
  const std::vector<double> gpus = gpus_.empty() ? std::vector<double>() : gpuCounters().read();
  for (std::size_t i = 0; i < gpus.size() && gpus.size() == gpus_.size(); ++i)
    use.joules += (gpus[i] - gpus_[i]) / millijoules;
  if (processors > 0) use.of = countText(processors, "processor") + " (RAPL)";
  if (!gpus.empty())
    use.of += (use.of.empty() ? "" : ", ") + countText(std::int64_t(gpus.size()), "GPU") + " (NVML)";
  if (!use.isKnown())
    use.absent = !absent_.empty() ? absent_ : "the counters did not move, or may have begun again";
  return use;
}

}  // namespace spokelab
