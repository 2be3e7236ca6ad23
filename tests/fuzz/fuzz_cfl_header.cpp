// Any text as BART's .hdr: an answer or an Error.
#include <cstddef>
#include <cstdint>

#include "engine/core/error.h"
#include "engine/scan/formats/arrays/array_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto header = spokelab::parseCflHeader({reinterpret_cast<const char*>(data), size},
                                                 "Cannot read the fuzzer's bytes");
    if (header.elements() < 1) __builtin_trap();
    (void)header.strides();
  } catch (const spokelab::Error&) {
    return 0;
  }
  return 0;
}
