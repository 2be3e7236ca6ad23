// Any bytes as a MATLAB file: its variables and their numbers, or an Error. The library's own
// crashes cost its process, not this one.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>

#include "engine/core/error.h"
#include "engine/scan/formats/arrays/array_file.h"
#include "engine/scan/formats/arrays/mat_integrity.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spokelab;
  static const std::string file = "/dev/shm/spokelab-fuzz-" + std::to_string(getpid()) + ".mat";
  constexpr std::int64_t maxElements = 1 << 20;
  {
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    out.write(reinterpret_cast<const char*>(data), std::streamsize(size));
  }
  try {
    checkMatElements(file, "Cannot read the fuzzer's bytes");
    for (const ArrayVariable& v : arrayVariables(file)) try {
        if (!v.unreadable.empty() || v.header.elements() > maxElements) continue;
        std::int64_t seen = 0;
        const ArrayFile array(arrayName(file, v.name));
        array.read(Progress(), "", [&](std::int64_t, const cdouble*, std::int64_t count) { seen += count; });
        if (seen != array.header().elements()) __builtin_trap();
      } catch (const Error&) {
        continue;
      }
  } catch (const Error&) {
    return 0;
  }
  return 0;
}
