// Any text as an ISMRMRD header.
#include <cstddef>
#include <cstdint>
#include <string>

#include "engine/core/error.h"
#include "engine/scan/read/header/mrd_header.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spokelab;
  try {
    const MrdHeader header =
        parseMrdHeader({reinterpret_cast<const char*>(data), size}, "Cannot read the fuzzer's bytes");
    if (header.encodings.empty()) __builtin_trap();
  } catch (const Error&) {
    return 0;
  }
  return 0;
}
