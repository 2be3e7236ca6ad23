// A gzip stream of one member (RFC 1952) that all cores compress: deflate blocks without a common
// dictionary, each ended by a sync flush, and the checksum combined from theirs. Every gzip reader
// takes it for an ordinary stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace spokelab {

class GzipBlocks {
 public:
  // `write` takes the bytes in order, from any thread; its errors leave add() and finish().
  using Write = std::function<void(const void* bytes, std::size_t count)>;
  explicit GzipBlocks(Write write);

  void add(const char* bytes, std::size_t count);  // best by megabytes for each core
  void finish();                                   // the last blocks and the trailer

 private:
  void compress(const char* bytes, std::size_t count);
  void writeReady();

  Write write_;
  std::string pending_;             // less than a block
  std::vector<std::string> ready_;  // compressed, not written yet: written beside the next compression
  unsigned long checksum_;
  std::uint32_t size_ = 0;  // modulo 2^32, as the trailer holds it
};

}  // namespace spokelab
