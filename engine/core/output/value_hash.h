// A hash of 128 bits over many numbers, at the memory's speed. It tells values apart and finds
// damage; it does not protect against intent. The same on every processor of one byte order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace spokelab {

struct ValueHash {
  std::uint64_t high = 0, low = 0;

  bool operator==(const ValueHash&) const = default;
  std::string text() const;  // 32 hex digits
};

// Hashes on all threads.
ValueHash hashOfBytes(std::span<const std::byte> bytes);

// Puts the hash of several values together; their order and lengths count.
class HashBuilder {
 public:
  template <class T>
  HashBuilder& add(std::span<const T> values) {
    return addHash(hashOfBytes(std::as_bytes(values)));
  }
  HashBuilder& add(std::string_view text) { return add(std::span<const char>(text.data(), text.size())); }
  HashBuilder& addHash(const ValueHash& hash);
  const ValueHash& hash() const { return hash_; }

 private:
  ValueHash hash_;
};

}  // namespace spokelab
