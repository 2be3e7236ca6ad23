#include "engine/scan/formats/acquisitions/twix/twix_traces.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string_view>

#include "engine/scan/formats/acquisitions/acquisition.h"

namespace spokelab {
namespace {

constexpr std::size_t packetHeadBytes = 60, packetNameAt = 4, packetNameBytes = 52;

template <class T>
T wordAt(std::span<const char> bytes, std::size_t at) {
  T value{};
  if (at <= bytes.size() && sizeof value <= bytes.size() - at)
    std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

std::string nameOf(TwixBlocks blocks, std::uint32_t code) {
  static constexpr std::array<const char*, 8> early = {"ECG1", "ECG2", "ECG3", "ECG4",
                                                       "PULS", "RESP", "EXT1", "EXT2"};
  if (blocks == TwixBlocks::xa61) {
    static constexpr std::array<const char*, 10> names = {"ECG1", "ECG2", "ECG3",      "ECG4", "PULS",
                                                          "RSR1", "RSR2", "RESP CUSH", "EXT1", "EXT2"};
    if (code >= 1 && code <= names.size()) return names[code - 1];
    return code == 35 ? "CardPT" : code == 36 ? "RespPT" : "";
  }
  if (blocks == TwixBlocks::xa) {
    if (code < early.size()) return early[code];
    return code == 9 ? "CardPT" : code == 10 ? "RespPT" : "";
  }
  constexpr std::uint32_t first = 0x01010000, step = 0x00010000;
  if (code < first || code % step != 0 || (code - first) / step >= early.size()) return "";
  return early[(code - first) / step];
}

bool endsBlock(TwixBlocks blocks, std::uint32_t code) {
  return code == (blocks == TwixBlocks::xa ? 0xFFFFFFFFu : 0x01FF0000u);
}

}  // namespace

TwixTraces::TwixTraces(const std::string& version) : isXa61_(false) {
  constexpr int firstOfXa61 = 61;
  const std::size_t at = version.find("XA");
  if (at == std::string::npos) return;
  int number = 0;
  std::from_chars(version.data() + at + 2, version.data() + version.size(), number);
  isXa61_ = number >= firstOfXa61;
}

void TwixTraces::add(std::span<const char> bytes) {
  if (bytes.size() < packetHeadBytes) return;
  const std::string_view name(bytes.data() + packetNameAt, packetNameBytes);
  const std::size_t size =
      std::min<std::size_t>(wordAt<std::uint32_t>(bytes, 0), bytes.size() - packetHeadBytes);
  // The learning phase runs before the measurement, to find a threshold.
  if (name.starts_with("PMULearnPhase")) return;
  if (!name.starts_with("PMU")) {
    ++otherBlocks_;
    return;
  }
  const std::span<const char> data = bytes.subspan(packetHeadBytes, size);
  if (isXa61_)
    addXa61(data);
  else
    addBlock(data);
}

// Stamp in ticks of 2.5 ms, duration in 0.1 ms; then for each signal its code, its period and its
// numbers of 32 bits: 16 of a value and 16 of a trigger (before XA), or the value (XA).
void TwixTraces::addBlock(std::span<const char> data) {
  constexpr std::size_t headBytes = 16, wordBytes = 4;
  constexpr std::uint32_t durationMask = 0xFFFFFF;
  constexpr double durationSeconds = 1e-4;
  const auto stamp = wordAt<std::uint32_t>(data, 4);
  auto duration = wordAt<std::uint32_t>(data, 12);
  // The codes of the older blocks begin with 0x01.
  const TwixBlocks blocks =
      wordAt<std::uint32_t>(data, headBytes) >> 24 == 1 ? TwixBlocks::beforeXa : TwixBlocks::xa;
  if (blocks == TwixBlocks::xa) duration &= durationMask;
  for (std::size_t at = headBytes; at + 2 * wordBytes <= data.size();) {
    const auto code = wordAt<std::uint32_t>(data, at), period = wordAt<std::uint32_t>(data, at + wordBytes);
    if (endsBlock(blocks, code) || period == 0) return;
    at += 2 * wordBytes;
    const std::size_t count = duration / period;
    if (count > (data.size() - at) / wordBytes) return;
    const std::string name = nameOf(blocks, code);
    for (std::size_t i = 0; !name.empty() && i < count; ++i) {
      TwixTrace& trace = signals_[name];
      trace.seconds.push_back(stamp * stampSeconds + double(i) / double(count) * duration * durationSeconds);
      trace.values.push_back(blocks == TwixBlocks::xa
                                 ? float(wordAt<std::uint32_t>(data, at + i * wordBytes) / 4095.0)
                                 : float(wordAt<std::uint16_t>(data, at + i * wordBytes) / 4096.0));
    }
    at += count * wordBytes;
  }
}

// Stamp and duration in microseconds; then for each signal a head with the size of its numbers,
// their count, scale and offset.
void TwixTraces::addXa61(std::span<const char> data) {
  constexpr std::size_t headBytes = 40, signalBytes = 40;
  constexpr double microsecond = 1e-6;
  const auto stamp = wordAt<std::uint64_t>(data, 8);
  const auto duration = wordAt<std::uint32_t>(data, 24);
  for (std::size_t at = headBytes; at + signalBytes <= data.size();) {
    const auto code = wordAt<std::uint8_t>(data, at), added = wordAt<std::uint8_t>(data, at + 1);
    const std::size_t size = wordAt<std::uint16_t>(data, at + 2), count = wordAt<std::uint16_t>(data, at + 6);
    const auto scale = wordAt<double>(data, at + 24), offset = wordAt<double>(data, at + 32);
    at += signalBytes;
    if (size * count > data.size() - at) return;
    const std::string name = size == sizeof(float) ? nameOf(TwixBlocks::xa61, code) : "";
    for (std::size_t i = 0; !name.empty() && i < count; ++i) {
      const double value = wordAt<float>(data, at + i * size) * scale + offset;
      TwixTrace& trace = signals_[name];
      trace.seconds.push_back((double(stamp) + double(i) / double(count) * duration) * microsecond);
      trace.values.push_back(std::isfinite(value) ? float(value) : 0);
    }
    at += size * count + added;
  }
}

}  // namespace spokelab
