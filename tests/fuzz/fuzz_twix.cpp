// Any bytes as raw data of a Siemens scanner. The program reads them in a process of its own.
#include "engine/core/error.h"
#include "engine/scan/formats/acquisitions/twix/twix_acquisitions.h"
#include "engine/scan/formats/xml/lenient_header.h"
#include "tests/fuzz/fuzz_arrays.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spokelab;
  const std::string file = fuzz::fileOf(data, size, ".dat");
  (void)isTwix(file);
  for (const char* measurement : {"", "1", "2"}) try {
      const TwixAcquisitions twix(file, measurement);
      (void)lenientHeader(twix.xml());
      std::vector<AcquisitionHead> heads(std::size_t(twix.count()));
      twix.readHeads(0, heads);
      std::size_t seen = 0;
      twix.read(AcquisitionMember::data, 0, heads, {}, [&](std::size_t, const float*) { ++seen; });
      if (seen != heads.size()) __builtin_trap();
      for (const std::string& name : twix.arrayNames()) {
        std::vector<char> trace;
        twix.readArray(name, trace);
      }
    } catch (const Error&) {
      continue;
    }
  return 0;
}
