#include "engine/nufft/plan/cpu_badge.h"

#include "engine/core/simd/cpu_features.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"
#include "engine/nufft/fft/lines_fft.h"

namespace spokelab {

std::string cpuBadge() {
  const int threads = hardwareThreads();
  return "CPU " + countText(threads, "thread") + ", " + std::string(instructionSetName(instructionSet()));
}

std::string cpuFingerprint() {
  return std::string(processorName()) + "; " + std::string(instructionSetName(instructionSet())) + "; " +
         std::to_string(hardwareThreads()) + " threads; " + fftVersion();
}

}  // namespace spokelab
