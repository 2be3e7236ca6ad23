// Any bytes as a trajectory of SPARKLING.
#include "engine/scan/formats/points/sparkling.h"
#include "tests/fuzz/fuzz_arrays.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spokelab;
  const std::string file = fuzz::fileOf(data, size, ".bin");
  try {
    if (!isSparkling(file)) return 0;
    const SparklingTrajectory t = readSparkling(file, Progress());
    for (const std::int64_t n : {t.rasters, t.rasters + 1, 2 * t.rasters})
      if (std::int64_t(t.points(n).size()) != t.shots * n * t.dims) __builtin_trap();
  } catch (const Error&) {
    return 0;
  }
  return 0;
}
