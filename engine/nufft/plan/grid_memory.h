// The memory that executions of a CPU plan work in: the grid of the interleaved images, and behind
// it the samples between both halves of a gridded normal operator. It belongs to the plan, or the
// caller lends it (Nufft::setWorkspace) and may overwrite it between two executions.
#pragma once

#include <cstdint>
#include <string>

#include "engine/core/array.h"
#include "engine/core/error.h"
#include "engine/core/memory/huge_pages.h"

namespace spokelab {

template <class Real>
class GridMemory {
 public:
  using Complex = std::complex<Real>;
  static constexpr std::int64_t alignment = 64;  // bytes, as Buffers have

  // Makes room for this number of cells. The plan's own memory is allocated anew, its numbers are
  // not set; throws std::bad_alloc and then holds none. Lent memory is kept: lend() and require()
  // check its size.
  void resize(std::int64_t cells) {
    cells_ = 0;
    if (!lent_) {
      ownGrid_ = Buffer<Complex>();  // {} would keep its memory
      ownGrid_.resize(static_cast<std::size_t>(cells));
      useHugePages(ownGrid_.data(), ownGrid_.size() * sizeof(Complex));
    }
    cells_ = cells;
  }

  Complex* data() { return lent_ ? lent_ : ownGrid_.data(); }
  std::int64_t cells() const { return cells_; }
  bool isLent() const { return lent_ != nullptr; }
  std::int64_t ownBytes() const { return static_cast<std::int64_t>(ownGrid_.size() * sizeof(Complex)); }

  // Bytes for the grid and `samples` numbers behind it, at any address.
  std::int64_t bytesWith(std::int64_t samples) const {
    return (samplesBegin() + samples) * static_cast<std::int64_t>(sizeof(Complex)) + alignment - 1;
  }
  // The samples behind the grid, in lent memory only.
  Complex* samples() { return lent_ + samplesBegin(); }

  // Takes memory of the caller, for an execution that needs `needed` bytes, and frees the plan's;
  // null: allocates the plan's own again. Throws Error where it is too small.
  void lend(void* memory, std::int64_t bytes, std::int64_t needed) {
    if (!memory) {
      if (!lent_) return;
      Buffer<Complex> own(static_cast<std::size_t>(cells_));
      useHugePages(own.data(), own.size() * sizeof(Complex));
      ownGrid_ = std::move(own);
      lent_ = nullptr;
      return;
    }
    requireBytes(bytes, needed);
    const std::uintptr_t beyond = reinterpret_cast<std::uintptr_t>(memory) % alignment;
    lent_ = reinterpret_cast<Complex*>(static_cast<char*>(memory) + (beyond > 0 ? alignment - beyond : 0));
    lentBytes_ = bytes;
    ownGrid_ = Buffer<Complex>();
  }
  // Throws Error where lent memory is smaller than `needed`: later points may need more.
  void require(std::int64_t needed) const {
    if (lent_) requireBytes(lentBytes_, needed);
  }

 private:
  static void requireBytes(std::int64_t bytes, std::int64_t needed) {
    if (bytes < needed)
      throw Error("Cannot work in the caller's memory",
                  "it has " + std::to_string(bytes) + " bytes, and the plan with these points needs " +
                      std::to_string(needed),
                  "Ask for the bytes of the workspace after points are set");
  }
  std::int64_t samplesBegin() const {
    constexpr std::int64_t line = alignment / static_cast<std::int64_t>(sizeof(Complex));
    return (cells_ + line - 1) / line * line;
  }

  Buffer<Complex> ownGrid_;
  Complex* lent_ = nullptr;  // null: ownGrid_ serves
  std::int64_t lentBytes_ = 0, cells_ = 0;
};

}  // namespace spokelab
