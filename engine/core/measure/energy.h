// Energy that the machine took: of processors by the kernel's counters (RAPL, /sys/class/powercap),
// of NVIDIA's GPUs by NVML. Counters are of whole processors and boards, with all that other
// programs do.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace spokelab {

struct EnergyUse {
  double joules = 0;   // of all that is counted; 0: nothing is
  std::string of;      // "2 processors (RAPL), 1 GPU (NVML)"
  std::string absent;  // why nothing is counted, in words

  bool isKnown() const { return joules > 0; }
};

// "12.3 J of 1 processor (RAPL)", "not told: ..."; empty: nobody has looked.
std::string energyText(const EnergyUse& use);

inline constexpr const char* energyFolder = "/sys/class/powercap";

// Loads NVML where it is there, which takes tens of milliseconds: a program that starts its GPUs
// calls it on another thread meanwhile. The first EnergyWatch of GPUs does it otherwise.
void startGpuCounters();

// Counts from construction on.
class EnergyWatch {
 public:
  explicit EnergyWatch(bool withGpus, const std::filesystem::path& folder = energyFolder);
  EnergyUse use() const;  // until now

 private:
  struct Zone {
    std::filesystem::path counter;
    double atStart = 0, range = 0;  // microjoules; the counter begins again at range
  };

  std::vector<Zone> zones_;
  std::vector<double> gpus_;  // millijoules at the start
  std::string absent_;
  double start_ = 0;  // seconds
};

}  // namespace spokelab
