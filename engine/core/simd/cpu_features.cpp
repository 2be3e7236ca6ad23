#include "engine/core/simd/cpu_features.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>
#include <thread>

namespace spokelab {

InstructionSet bestInstructionSet() {
#ifdef SPOKELAB_X86_64
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl")) {
    return InstructionSet::avx512;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return InstructionSet::avx2;
#endif
  return InstructionSet::portable;
}

InstructionSet instructionSet() {
  static const InstructionSet chosen = [] {
    const InstructionSet best = bestInstructionSet();
    const char* variable = std::getenv("SPOKELAB_SIMD");
    const std::string_view requestedSet = variable ? variable : "";
    if (requestedSet == "portable") return InstructionSet::portable;
    if (requestedSet == "avx2") return std::min(best, InstructionSet::avx2);
    return best;
  }();
  return chosen;
}

std::string_view instructionSetName(InstructionSet set) {
  switch (set) {
    case InstructionSet::avx512:
      return "AVX-512";
    case InstructionSet::avx2:
      return "AVX2";
    default:
      return "portable";
  }
}

std::string_view processorName() {
  static const std::string name = [] {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
      const std::size_t colon = line.find(':');
      if (line.starts_with("model name") && colon != std::string::npos && colon + 2 <= line.size()) {
        return line.substr(colon + 2);
      }
    }
    return std::string("unknown CPU");
  }();
  return name;
}

int processorCores() {
  static const int cores = [] {
    const int threads = std::max(1, int(std::thread::hardware_concurrency()));
    std::set<std::string> siblings;  // "0,4": the threads of a core
    for (int cpu = 0; cpu < threads; ++cpu) {
      std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(cpu) +
                         "/topology/thread_siblings_list");
      if (std::string list; std::getline(file, list)) siblings.insert(list);
    }
    return siblings.empty() ? threads : std::min(threads, int(siblings.size()));
  }();
  return cores;
}

}  // namespace spokelab
