// Any bytes as an archive of arrays (.npz).
#include "tests/fuzz/fuzz_arrays.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    spokelab::fuzz::readArrays(spokelab::fuzz::fileOf(data, size, ".npz"));
  } catch (const spokelab::Error&) {
    return 0;
  }
  return 0;
}
