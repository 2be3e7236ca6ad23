#include "engine/scan/formats/arrays/mat_integrity.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <string_view>
#include <vector>

#include "engine/core/error.h"

namespace spokelab {
namespace {

constexpr std::uintmax_t headerBytes = 128, tagBytes = 8;
constexpr std::size_t versionAt = 124, orderAt = 126;
constexpr std::uint32_t version5 = 0x0100, compressedElement = 15;

class Elements {
 public:
  Elements(const std::filesystem::path& file, const std::string& problem)
      : in_(file, std::ios::binary), size_(std::filesystem::file_size(file)), problem_(problem) {}

  void check() {
    std::array<char, headerBytes> header{};
    if (size_ < headerBytes || !in_.read(header.data(), header.size())) return;
    const std::string_view order(header.data() + orderAt, 2);
    if (order != "IM" && order != "MI") return;  // version 4
    bigEndian_ = order == "MI";
    if (number(header.data() + versionAt, 2) != version5) return;
    for (std::uintmax_t at = headerBytes; at < size_;) {
      std::array<char, tagBytes> tag{};
      if (!in_.read(tag.data(), tag.size())) fail("it ends inside a variable");
      const std::uintmax_t bytes = number(tag.data() + 4, 4);
      if (bytes > size_ - at - tagBytes) fail("it ends inside a variable");
      if (number(tag.data(), 4) == compressedElement) checkCompressed(bytes);
      at += tagBytes + bytes;
      in_.seekg(std::streamoff(at));
    }
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw Error(problem_, reason, "Copy the file again, or save it again in MATLAB");
  }
  std::uint32_t number(const char* bytes, int count) const {
    std::uint32_t value = 0;
    for (int i = 0; i < count; ++i) {
      const int at = bigEndian_ ? i : count - 1 - i;
      value = value << 8 | static_cast<unsigned char>(bytes[at]);
    }
    return value;
  }
  // Unpacks everything and keeps nothing: zlib compares the checksum at the end.
  void checkCompressed(std::uintmax_t left) {
    constexpr std::size_t pieceBytes = 1 << 16;
    std::vector<char> packed(pieceBytes), unpacked(4 * pieceBytes);
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK) fail("there is not enough memory for it");
    int state = Z_OK;
    while (state == Z_OK && left > 0) {
      const auto part = std::min<std::uintmax_t>(left, pieceBytes);
      if (!in_.read(packed.data(), std::streamsize(part))) break;
      left -= part;
      stream.next_in = reinterpret_cast<Bytef*>(packed.data());
      stream.avail_in = uInt(part);
      do {
        stream.next_out = reinterpret_cast<Bytef*>(unpacked.data());
        stream.avail_out = uInt(unpacked.size());
        state = inflate(&stream, Z_NO_FLUSH);
      } while (state == Z_OK && (stream.avail_in > 0 || stream.avail_out == 0));
      if (state == Z_BUF_ERROR) state = Z_OK;  // it waits for more
    }
    inflateEnd(&stream);
    if (state != Z_STREAM_END) fail("its compressed bytes are damaged");
  }

  std::ifstream in_;
  std::uintmax_t size_;
  std::string problem_;
  bool bigEndian_ = false;
};

}  // namespace

void checkMatElements(const std::filesystem::path& file, const std::string& problem) {
  Elements(file, problem).check();
}

}  // namespace spokelab
