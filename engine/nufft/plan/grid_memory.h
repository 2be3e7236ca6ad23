// The memory that executions of a plan work in: the grid, and behind it the samples between both
// halves of a gridded normal operator. It belongs to the plan, or the caller lends it
// (Nufft::setWorkspace) and may overwrite it between two executions.
#pragma once

#include <cstdint>
#include <string>

#include "engine/core/array.h"
#include "engine/core/error.h"
#include "engine/core/memory/huge_pages.h"

namespace spokelab {

// Numbers in host memory, in huge pages.
template <class Number>
class HugeBuffer {
 public:
  HugeBuffer() = default;
  explicit HugeBuffer(std::int64_t count) : numbers_(static_cast<std::size_t>(count)) {
    useHugePages(numbers_.data(), numbers_.size() * sizeof(Number));
  }
  Number* data() { return numbers_.data(); }
  std::int64_t size() const { return static_cast<std::int64_t>(numbers_.size()); }

 private:
  Buffer<Number> numbers_;
};

// Store: owns a number of Numbers, which it does not set; frees them where another one takes its
// place. alignment: bytes, of lent memory.
template <class Number, class Store, std::int64_t alignment>
class GridMemory {
 public:
  // Makes room for this number of cells. The plan's own memory is allocated anew, its numbers are
  // not set; throws where memory is short, and then holds none. Lent memory is kept: lend() and
  // require() check its size.
  void resize(std::int64_t cells) {
    cells_ = 0;
    if (!lent_) {
      ownGrid_ = Store();
      ownGrid_ = Store(cells);
    }
    cells_ = cells;
  }

  Number* data() { return lent_ ? lent_ : ownGrid_.data(); }
  std::int64_t cells() const { return cells_; }
  bool isLent() const { return lent_ != nullptr; }
  std::int64_t bytes() const { return cells_ * numberBytes; }  // of the grid
  std::int64_t ownBytes() const { return ownGrid_.size() * numberBytes; }

  // Bytes for the grid and `samples` numbers behind it, at any address.
  std::int64_t bytesWith(std::int64_t samples) const {
    return (samplesBegin() + samples) * numberBytes + alignment - 1;
  }
  // The samples behind the grid, in lent memory only.
  Number* samples() { return lent_ + samplesBegin(); }

  // Takes memory of the caller, for an execution that needs `needed` bytes, and frees the plan's;
  // null: allocates the plan's own again. Throws Error where it is too small.
  void lend(void* memory, std::int64_t bytes, std::int64_t needed) {
    if (!memory) {
      if (!lent_) return;
      ownGrid_ = Store(cells_);
      lent_ = nullptr;
      return;
    }
    requireBytes(bytes, needed);
    const std::uintptr_t beyond = reinterpret_cast<std::uintptr_t>(memory) % alignment;
    lent_ = reinterpret_cast<Number*>(static_cast<char*>(memory) + (beyond > 0 ? alignment - beyond : 0));
    lentBytes_ = bytes;
    ownGrid_ = Store();
  }
  // Throws Error where lent memory is smaller than `needed`: later points may need more.
  void require(std::int64_t needed) const {
    if (lent_) requireBytes(lentBytes_, needed);
  }

 private:
  static constexpr std::int64_t numberBytes = sizeof(Number);

  static void requireBytes(std::int64_t bytes, std::int64_t needed) {
    if (bytes < needed)
      throw Error("Cannot work in the caller's memory",
                  "it has " + std::to_string(bytes) + " bytes, and the plan with these points needs " +
                      std::to_string(needed),
                  "Ask for the bytes of the workspace after points are set");
  }
  std::int64_t samplesBegin() const {
    constexpr std::int64_t line = alignment / numberBytes;
    return (cells_ + line - 1) / line * line;
  }

  Store ownGrid_;
  Number* lent_ = nullptr;  // null: ownGrid_ serves
  std::int64_t lentBytes_ = 0, cells_ = 0;
};

}  // namespace spokelab
