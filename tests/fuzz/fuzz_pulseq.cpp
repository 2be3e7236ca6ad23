// Any bytes as a Pulseq sequence.
#include "engine/scan/formats/pulseq/pulseq_facts.h"
#include "tests/fuzz/fuzz_arrays.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spokelab;
  try {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const PulseqSequence sequence = parsePulseq(text, "Cannot read the input", Progress());
    const PulseqKspace kspace = calculateKspace(sequence, "Cannot read the input", Progress());
    pulseqFacts(sequence, kspace);
    for (const PulseqReadout& r : kspace.readouts)
      if (r.first + r.samples > std::int64_t(kspace.k.size())) __builtin_trap();
  } catch (const Error&) {
    return 0;
  }
  return 0;
}
