#include "engine/scan/formats/images/gzip_blocks.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <string_view>

#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

constexpr std::size_t blockBytes = std::size_t(1) << 18;
constexpr std::size_t sampleBytes = std::size_t(1) << 14;
constexpr int level = 1;  // measured data hardly compress further
constexpr int rawDeflate = -15, memoryLevel = 8;
// Matches must save this share over runs of one byte, which take a third of the time.
constexpr double minGain = 0.01;
constexpr std::array<char, 10> header = {'\x1f', '\x8b', 8, 0, 0, 0, 0, 0, 4, 3};  // fastest, Unix
constexpr std::array<char, 2> lastBlock = {3, 0};                                  // empty

// Deflate blocks up to a byte's edge.
std::string deflated(std::string_view bytes, int strategy) {
  z_stream stream{};
  if (deflateInit2(&stream, level, Z_DEFLATED, rawDeflate, memoryLevel, strategy) != Z_OK)
    throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, deflateEnd);
  constexpr std::size_t flushBytes = 16;
  std::string out(deflateBound(&stream, bytes.size()) + flushBytes, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = uInt(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = uInt(out.size());
  deflate(&stream, Z_SYNC_FLUSH);
  out.resize(stream.total_out);
  return out;
}

// Noise has no matches worth looking for but zeros around the object: a sample tells.
int strategyFor(std::string_view bytes) {
  const std::size_t taken = std::min(bytes.size(), sampleBytes);
  const std::string_view sample = bytes.substr((bytes.size() - taken) / 2, taken);
  const auto matches = double(deflated(sample, Z_DEFAULT_STRATEGY).size()),
             runs = double(deflated(sample, Z_RLE).size());
  return matches < (1 - minGain) * runs ? Z_DEFAULT_STRATEGY : Z_RLE;
}

}  // namespace

GzipBlocks::GzipBlocks(Write write) : write_(std::move(write)), checksum_(crc32(0, nullptr, 0)) {
  ready_.emplace_back(header.begin(), header.end());
}

void GzipBlocks::add(const char* bytes, std::size_t count) {
  if (pending_.size() + count >= blockBytes) return compress(bytes, count);
  pending_.insert(pending_.end(), bytes, bytes + count);
}

void GzipBlocks::finish() {
  compress(nullptr, 0);
  std::string end(lastBlock.begin(), lastBlock.end());
  for (const unsigned long number : {checksum_, static_cast<unsigned long>(size_)})
    for (const int shift : {0, 8, 16, 24}) end += char((number >> shift) & 0xff);
  ready_.push_back(std::move(end));
  writeReady();
}

// Compresses the pending bytes as one block, and `bytes` as further blocks.
void GzipBlocks::compress(const char* bytes, std::size_t count) {
  std::vector<std::string_view> blocks;
  if (!pending_.empty()) blocks.emplace_back(pending_.data(), pending_.size());
  for (std::size_t begin = 0; begin < count; begin += blockBytes)
    blocks.emplace_back(bytes + begin, std::min(blockBytes, count - begin));
  std::vector<std::string> made(blocks.size());
  std::vector<unsigned long> sums(blocks.size());
  parallelTasks(std::int64_t(blocks.size()) + 1, 0, [&](std::int64_t task) {
    if (task == 0) return writeReady();
    const auto block = std::size_t(task - 1);
    sums[block] = crc32(0, reinterpret_cast<const Bytef*>(blocks[block].data()), uInt(blocks[block].size()));
    made[block] = deflated(blocks[block], strategyFor(blocks[block]));
  });
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    checksum_ = crc32_combine(checksum_, sums[block], z_off_t(blocks[block].size()));
    size_ += std::uint32_t(blocks[block].size());
  }
  pending_.clear();
  ready_ = std::move(made);
}

void GzipBlocks::writeReady() {
  for (const std::string& bytes : ready_) write_(bytes.data(), bytes.size());
  ready_.clear();
}

}  // namespace spokelab
