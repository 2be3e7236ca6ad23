// Any text as a scan's description (JSON): parsed, written and parsed again, the same.
#include <cstddef>
#include <cstdint>
#include <string>

#include "engine/core/error.h"
#include "engine/scan/read/description/scan_description.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spokelab;
  try {
    const ScanDescription first = parseScanDescription({reinterpret_cast<const char*>(data), size}, ".",
                                                       "Cannot read the fuzzer's bytes");
    const std::string text = scanDescriptionText(first);
    if (scanDescriptionText(parseScanDescription(text, ".", "Cannot read it back")) != text) __builtin_trap();
  } catch (const Error& e) {
    if (e.summary() == "Cannot read it back") __builtin_trap();
  }
  return 0;
}
