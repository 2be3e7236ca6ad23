// Any bytes as a stream of ISMRMRD messages. The program reads them in a separate process.
#include "engine/core/error.h"
#include "engine/scan/formats/acquisitions/stream_acquisitions.h"
#include "tests/fuzz/fuzz_arrays.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spokelab;
  const std::string file = fuzz::fileOf(data, size, ".mrd");
  (void)isAcquisitionStream(file);
  try {
    const StreamAcquisitions stream(file);
    std::vector<AcquisitionHead> heads(std::size_t(stream.count()));
    stream.readHeads(0, heads);
    for (const auto member : {AcquisitionMember::trajectory, AcquisitionMember::data}) {
      std::size_t seen = 0;
      stream.read(member, 0, heads, {}, [&](std::size_t, const float*) { ++seen; });
      if (seen != heads.size()) __builtin_trap();
    }
  } catch (const Error&) {
    return 0;
  }
  return 0;
}
