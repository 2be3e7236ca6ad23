// Included by one source for each instruction set, which defines DUCC0_NAMESPACE: DUCC's templates
// then have other names in each, so that the linker cannot mix them.
// A batch is transformed a vector of lines at a time. A line of complex numbers is a row of twice
// the number of real ones, and DUCC's vectors of real and imaginary parts are that matrix
// transposed.
#pragma once

#include <ducc0/fft/fft1d_impl.h>
#include <algorithm>
#include <functional>
#include <memory>
#include <new>
#include <utility>

#include "engine/core/thread_pool.h"
#include "engine/nufft/fft/ducc/ducc_lines.h"

namespace DUCC0_NAMESPACE::detail_threading {

namespace {

class OneRange : public Scheduler {
 public:
  OneRange(std::size_t threads, std::size_t thread, std::size_t lo, std::size_t hi)
      : threads_(threads), thread_(thread), range_(lo, hi) {}
  std::size_t num_threads() const override { return threads_; }
  std::size_t thread_num() const override { return thread_; }
  Range getNext() override { return std::exchange(range_, Range()); }

 private:
  std::size_t threads_, thread_;
  Range range_;
};

}  // namespace

// Defines the parallel loop that DUCC declares for others to define: [0, count) is cut into one
// part for each thread of our pool.
void execStatic(std::size_t count, std::size_t threads, std::size_t, std::function<void(Scheduler&)> work) {
  const std::size_t parts = std::max<std::size_t>(1, std::min(threads, count));
  const auto part = [&](std::int64_t index) {
    const auto i = static_cast<std::size_t>(index);
    OneRange scheduler(parts, i, i * count / parts, (i + 1) * count / parts);
    work(scheduler);
  };
  if (parts == 1)
    part(0);
  else
    spokelab::parallelTasks(static_cast<std::int64_t>(parts), static_cast<int>(parts), part);
}

}  // namespace DUCC0_NAMESPACE::detail_threading

namespace spokelab {

namespace {

namespace lib = DUCC0_NAMESPACE;

// Squares of numbers in registers. Loops over their rows are unrolled: an index that is not a
// constant would put them into memory.
template <class Real, std::size_t lanes>
struct Rows {
  typedef Real Row __attribute__((vector_size(lanes * sizeof(Real))));
  typedef Real Stored __attribute__((vector_size(lanes * sizeof(Real)), aligned(alignof(Real)), may_alias));

  static Row load(const Real* from) { return *reinterpret_cast<const Stored*>(from); }
  static void store(Row row, Real* to) { *reinterpret_cast<Stored*>(to) = row; }

  // Exchanges the blocks beside the diagonal of each square of 2 * half rows.
  template <std::size_t half, std::size_t... c>
  static void swapBlocks(Row (&rows)[lanes], std::index_sequence<c...>) {
#pragma GCC unroll 16
    for (std::size_t r = 0; r < lanes; ++r) {
      if (r & half) continue;
      const Row a = rows[r], b = rows[r + half];
      rows[r] = __builtin_shufflevector(a, b, int(c & half ? lanes + c - half : c)...);
      rows[r + half] = __builtin_shufflevector(a, b, int(c & half ? lanes + c : c + half)...);
    }
  }
  template <std::size_t half = lanes / 2>
  static void transpose(Row (&rows)[lanes]) {
    swapBlocks<half>(rows, std::make_index_sequence<lanes>());
    if constexpr (half > 1) transpose<half / 2>(rows);
  }

  // Rows of `to` are the columns of `from`, both a distance apart.
  static void transpose(const Real* from, std::size_t fromDistance, Real* to, std::size_t toDistance) {
    Row rows[lanes];
#pragma GCC unroll 16
    for (std::size_t r = 0; r < lanes; ++r) rows[r] = load(from + r * fromDistance);
    transpose(rows);
#pragma GCC unroll 16
    for (std::size_t r = 0; r < lanes; ++r) store(rows[r], to + r * toDistance);
  }

  // out [length, lanes] = in [lanes, length], rows of `in` are `distance` apart.
  static void gather(const Real* in, std::size_t length, std::size_t distance, Real* out) {
    std::size_t i = 0;
    for (; i + lanes <= length; i += lanes) transpose(in + i, distance, out + i * lanes, lanes);
    for (; i < length; ++i)
      for (std::size_t r = 0; r < lanes; ++r) out[i * lanes + r] = in[r * distance + i];
  }

  static void scatter(const Real* in, std::size_t length, std::size_t distance, Real* out) {
    std::size_t i = 0;
    for (; i + lanes <= length; i += lanes) transpose(in + i * lanes, lanes, out + i, distance);
    for (; i < length; ++i)
      for (std::size_t r = 0; r < lanes; ++r) out[r * distance + i] = in[i * lanes + r];
  }
};

// Memory of this thread, which only grows: allocating it for each batch would take longer than the
// batch.
inline void* scratch(std::size_t bytes) {
  struct Memory {
    void* data = nullptr;
    std::size_t bytes = 0;
    void release() {
      if (data) ::operator delete(data, std::align_val_t(64));
      data = nullptr;
    }
    ~Memory() { release(); }
  };
  thread_local Memory memory;
  if (memory.bytes < bytes) {
    memory.release();
    memory.bytes = 0;
    memory.data = ::operator new(bytes, std::align_val_t(64));
    memory.bytes = bytes;
  }
  return memory.data;
}

template <class Real>
class Length : public DuccLength<Real> {
  using Number = lib::Cmplx<Real>;
  using Vector = lib::detail_simd::native_simd<Real>;
  using Numbers = lib::Cmplx<Vector>;
  static constexpr std::size_t lanes = Vector::size();
  // DUCC's passes with vectors inside a line allocate memory, which short lines do not repay.
  static constexpr std::size_t minVectorizedLength = 512;

 public:
  Length(std::size_t length, bool single)
      : length_(length), plan_(length, single && length >= minVectorizedLength) {}

  void execute(const std::complex<Real>* from, std::complex<Real>* to, std::size_t lines,
               std::size_t distance, bool negativeSign, std::size_t threads) const override {
    std::size_t line = 0;
    if constexpr (lanes > 1) {
      for (; line + lanes <= lines; line += lanes)
        vectorOfLines(from + line * distance, to + line * distance, distance, negativeSign);
    }
    for (; line < lines; ++line) oneLine(from + line * distance, to + line * distance, negativeSign, threads);
  }

 private:
  void vectorOfLines(const std::complex<Real>* from, std::complex<Real>* to, std::size_t distance,
                     bool negativeSign) const {
    auto* const data = static_cast<Numbers*>(scratch((length_ + plan_.bufsize()) * sizeof(Numbers)));
    Rows<Real, lanes>::gather(reinterpret_cast<const Real*>(from), 2 * length_, 2 * distance,
                              reinterpret_cast<Real*>(data));
    const Numbers* const result = plan_.exec(data, data + length_, Real(1), negativeSign);
    Rows<Real, lanes>::scatter(reinterpret_cast<const Real*>(result), 2 * length_, 2 * distance,
                               reinterpret_cast<Real*>(to));
  }

  void oneLine(const std::complex<Real>* from, std::complex<Real>* to, bool negativeSign,
               std::size_t threads) const {
    if (from != to) std::copy_n(from, length_, to);
    lib::detail_aligned_array::aligned_array<Number> buffer(plan_.bufsize());
    plan_.exec_copyback(reinterpret_cast<Number*>(to), buffer.data(), Real(1), negativeSign, threads);
  }

  std::size_t length_;
  lib::detail_fft::pocketfft_c<Real> plan_;
};

}  // namespace

}  // namespace spokelab
