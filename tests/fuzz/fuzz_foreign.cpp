// Any bytes as a file of another kind: a name for it, or none.
#include "engine/scan/formats/foreign/foreign_file.h"
#include "tests/fuzz/fuzz_arrays.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spokelab;
  const auto found = foreignFile(fuzz::fileOf(data, size, ".dat"));
  if (found && found->what.empty()) __builtin_trap();
  return 0;
}
