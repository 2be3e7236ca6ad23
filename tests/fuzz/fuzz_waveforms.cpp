// Any bytes as waveforms of an ISMRMRD file: heads, each followed by its numbers, then the header.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "engine/scan/formats/acquisitions/waveforms/waveform_traces.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spokelab;
  WaveformTraces traces;
  std::size_t at = 0;
  constexpr std::size_t mostNumbers = 256;
  while (size - at >= sizeof(ISMRMRD::ISMRMRD_WaveformHeader) + 1) {
    ISMRMRD::ISMRMRD_WaveformHeader head;
    std::memcpy(&head, data + at, sizeof head);
    at += sizeof head;
    // Every other time as long as the head says, where that is short.
    const std::size_t said = std::size_t(head.number_of_samples) * head.channels;
    const std::size_t given = data[at] % 2 == 0 && said <= mostNumbers ? said : data[at];
    ++at;
    std::vector<std::uint32_t> numbers(given, 7);
    const std::size_t bytes = std::min(given * sizeof(std::uint32_t), size - at);
    if (bytes > 0) std::memcpy(numbers.data(), data + at, bytes);
    at += bytes;
    if (traces.add(head, numbers) != (given == said)) __builtin_trap();
  }
  traces.finish(std::string(reinterpret_cast<const char*>(data + at), size - at), 1.5);
  std::vector<char> out;
  for (const std::string& name : traces.names())
    if (!traces.write(name, out)) __builtin_trap();
  return 0;
}
