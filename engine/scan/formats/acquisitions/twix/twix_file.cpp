#include "engine/scan/formats/acquisitions/twix/twix_file.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>

#include "engine/core/error.h"
#include "engine/core/text.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t maxMeasurements = 64;
constexpr std::size_t listHeadBytes = 8, entryBytes = 152, nameBytes = 64, protocolAt = 88;
constexpr std::size_t listBytes = listHeadBytes + maxMeasurements * entryBytes;
// A VB file's header, which begins with its length and the number of its parts.
constexpr std::uint32_t minHeaderBytes = 32, maxFirstHeaderBytes = 64u << 20, maxParts = 64;

template <class T>
T fieldAt(std::string_view bytes, std::size_t at) {
  T value{};
  if (at + sizeof value <= bytes.size()) std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

std::string firstBytesOf(const fs::path& file, std::size_t count) {
  std::string start(count, '\0');
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(std::fopen(file.c_str(), "rb"), std::fclose);
  start.resize(in ? std::fread(start.data(), 1, count, in.get()) : 0);
  return start;
}

std::uint64_t bytesIn(const fs::path& file) {
  std::error_code failed;
  const std::uintmax_t size = fs::file_size(file, failed);
  return failed ? 0 : size;
}

// A list of measurements, the first of which begins behind it, in whole blocks of a disk.
bool looksLikeList(std::string_view b, std::uint64_t size) {
  constexpr std::uint64_t blockBytes = 512;
  const auto first = fieldAt<std::uint32_t>(b, 0), count = fieldAt<std::uint32_t>(b, 4);
  if (first >= 2 || count < 1 || count > maxMeasurements) return false;
  const auto offset = fieldAt<std::uint64_t>(b, listHeadBytes + 8);
  return offset >= listHeadBytes + entryBytes * count && offset < size && offset % blockBytes == 0;
}

bool looksLikeOneMeasurement(std::string_view b, std::uint64_t size) {
  const auto bytes = fieldAt<std::uint32_t>(b, 0), parts = fieldAt<std::uint32_t>(b, 4);
  const std::string_view name = b.substr(std::min<std::size_t>(8, b.size()));
  return bytes >= minHeaderBytes && bytes <= maxFirstHeaderBytes && bytes < size && parts >= 1 &&
         parts <= maxParts &&
         (name.starts_with("Config") || name.starts_with("Dicom") || name.starts_with("Meas"));
}

}  // namespace

std::string printable(std::string_view bytes) {
  std::string text(bytes.substr(0, bytes.find('\0')));
  for (char& c : text)
    if (c < ' ' || c > '~') c = '?';
  return text;
}

bool isTwix(const fs::path& file) {
  const std::string start = firstBytesOf(file, 2 * listHeadBytes + entryBytes);
  const std::uint64_t size = bytesIn(file);
  return looksLikeList(start, size) || looksLikeOneMeasurement(start, size);
}

TwixTable readTwixTable(const fs::path& file) {
  const auto fail = [&](const std::string& reason) -> Error {
    return {"Cannot read " + file.string(), reason, copyTwixAgain};
  };
  const std::string b = firstBytesOf(file, listBytes);
  const std::uint64_t size = bytesIn(file);
  TwixTable table;
  if (looksLikeOneMeasurement(b, size)) {
    table.layout = TwixLayout::vb;
    table.measurements.push_back({0, size, 0, ""});
    return table;
  }
  if (!looksLikeList(b, size)) throw fail("it does not begin as raw data of a Siemens scanner (twix)");
  const auto count = fieldAt<std::uint32_t>(b, 4);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::string_view entry = std::string_view(b).substr(
        std::min<std::size_t>(b.size(), listHeadBytes + i * entryBytes), entryBytes);
    TwixMeasurement m;
    m.id = fieldAt<std::uint32_t>(entry, 0);
    m.offset = fieldAt<std::uint64_t>(entry, 8);
    m.bytes = fieldAt<std::uint64_t>(entry, 16);
    if (entry.size() == entryBytes) m.protocol = printable(entry.substr(protocolAt, nameBytes));
    if (m.offset >= size)
      throw fail("its measurement " + std::to_string(i + 1) + " of " + std::to_string(count) +
                 " begins behind its end, at " + bytesText(double(m.offset)) + " of " +
                 bytesText(double(size)) + ": the file was cut");
    // Some anonymizers leave the length out; a copy that was cut has less than it says.
    if (m.bytes == 0 || m.bytes > size - m.offset) m.bytes = size - m.offset;
    table.measurements.push_back(std::move(m));
  }
  return table;
}

}  // namespace spokelab
