// Any bytes as an HDF5 file of data sets. The library's own crashes cost its process, not this one.
#include "engine/scan/formats/arrays/hdf5_datasets.h"
#include "engine/scan/read/layouts/hdf5_layout.h"
#include "tests/fuzz/fuzz_arrays.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spokelab;
  const std::string file = fuzz::fileOf(data, size, ".h5");
  try {
    (void)knownLayout(file, hdf5Contents(file, Progress()), "Cannot read the fuzzer's bytes");
    fuzz::readArrays(file);
  } catch (const Error&) {
    return 0;
  }
  return 0;
}
