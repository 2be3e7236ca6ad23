// Any bytes as a MATLAB file. The library's own crashes cost its process, not this one.
#include "engine/scan/formats/arrays/mat_integrity.h"
#include "tests/fuzz/fuzz_arrays.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string file = spokelab::fuzz::fileOf(data, size, ".mat");
  try {
    spokelab::checkMatElements(file, "Cannot read the fuzzer's bytes");
    spokelab::fuzz::readArrays(file);
  } catch (const spokelab::Error&) {
    return 0;
  }
  return 0;
}
