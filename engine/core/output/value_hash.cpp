#include "engine/core/output/value_hash.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "engine/core/text.h"
#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

// Odd numbers without pattern: digits of the square roots of 2, 3, 5 and 7.
constexpr std::array<std::uint64_t, 4> factors{0x6a09e667f3bcc909u, 0xbb67ae8584caa73bu, 0x3c6ef372fe94f82bu,
                                               0xa54ff53a5f1d36f1u};
constexpr std::size_t blockBytes = std::size_t{1} << 20;
constexpr std::size_t wordBytes = sizeof(std::uint64_t), lanes = 4;
constexpr int laneTurn = 29, endTurn = 32;

// Every bit of the input reaches every bit of the result.
std::uint64_t scattered(std::uint64_t x) {
  x = (x ^ (x >> endTurn)) * factors[0];
  x = (x ^ (x >> laneTurn)) * factors[1];
  return x ^ (x >> endTurn);
}

std::uint64_t stepped(std::uint64_t state, std::uint64_t word, std::uint64_t factor) {
  return std::rotl((state ^ word) * factor, laneTurn) + factor;
}

// Four independent lanes keep the multiplier busy.
ValueHash hashOfBlock(std::span<const std::byte> block) {
  std::array<std::uint64_t, lanes> state = factors;
  std::size_t at = 0;
  for (; at + lanes * wordBytes <= block.size(); at += lanes * wordBytes) {
    std::array<std::uint64_t, lanes> words;
    std::memcpy(words.data(), block.data() + at, sizeof(words));
    for (std::size_t l = 0; l < lanes; ++l) state[l] = stepped(state[l], words[l], factors[l]);
  }
  for (std::size_t l = 0; at < block.size(); ++l) {
    const std::size_t count = std::min(wordBytes, block.size() - at);
    std::uint64_t word = 0;
    std::memcpy(&word, block.data() + at, count);
    state[l % lanes] = stepped(state[l % lanes], word, factors[l % lanes]);
    at += count;
  }
  ValueHash hash{factors[2] + block.size(), factors[3] ^ block.size()};
  for (std::size_t l = 0; l < lanes; ++l) {
    hash.high = scattered(hash.high ^ state[l]);
    hash.low = scattered(hash.low + std::rotl(state[l], laneTurn));
  }
  return hash;
}

}  // namespace

std::string ValueHash::text() const {
  return hashText(high) + hashText(low);
}

ValueHash hashOfBytes(std::span<const std::byte> bytes) {
  const std::size_t blocks = (bytes.size() + blockBytes - 1) / blockBytes;
  std::vector<ValueHash> each(blocks);
  parallelTasks(std::int64_t(blocks), blocks > 1 ? 0 : 1, [&](std::int64_t b) {
    const std::size_t first = std::size_t(b) * blockBytes;
    each[std::size_t(b)] = hashOfBlock(bytes.subspan(first, std::min(blockBytes, bytes.size() - first)));
  });
  ValueHash whole{bytes.size(), ~std::uint64_t(bytes.size())};
  for (const ValueHash& block : each) {
    whole.high = scattered(whole.high * factors[2] + block.high);
    whole.low = scattered(whole.low * factors[3] + block.low);
  }
  return whole;
}

HashBuilder& HashBuilder::addHash(const ValueHash& hash) {
  hash_.high = scattered(hash_.high * factors[0] + hash.high);
  hash_.low = scattered(hash_.low * factors[1] + hash.low);
  return *this;
}

}  // namespace spokelab
