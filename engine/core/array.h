// Plain numeric storage, aligned to 64 bytes. resize() leaves new elements of a Buffer
// uninitialised: the code that resizes it writes all of them.
#pragma once

#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <numbers>
#include <type_traits>
#include <utility>
#include <vector>

namespace spokelab {

using cfloat = std::complex<float>;
using cdouble = std::complex<double>;
using Vec3 = std::array<double, 3>;
using Index3 = std::array<std::int64_t, 3>;  // (x, y, z); x fastest in memory; unused dimensions are 1

// The memory of all Buffers. Set both functions or none; many threads call them. allocate returns
// memory of the given bytes at a multiple of `alignment`, or null; release takes such memory back.
struct BufferMemory {
  void* (*allocate)(std::size_t bytes, std::size_t alignment, void* user) = nullptr;
  void (*release)(void* memory, std::size_t bytes, void* user) = nullptr;
  void* user = nullptr;
};
// Sets the memory of later Buffers; nullptr functions: the system's. Returns false and changes
// nothing while Buffers exist: functions that did not allocate them would release them.
bool setBufferMemory(const BufferMemory& memory);
void* allocateBuffer(std::size_t bytes);  // aligned to 64; throws std::bad_alloc
void releaseBuffer(void* memory, std::size_t bytes) noexcept;

// Aligned to a cache line (and to AVX-512 loads); value construction without arguments leaves
// memory as it is.
template <class T>
struct AlignedAllocator {
  using value_type = T;
  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) noexcept {}
  T* allocate(std::size_t n) { return static_cast<T*>(allocateBuffer(n * sizeof(T))); }
  void deallocate(T* p, std::size_t n) noexcept { releaseBuffer(p, n * sizeof(T)); }
  template <class U, class... A>
  void construct(U* p, A&&... a) {
    if constexpr (sizeof...(A) == 0 && std::is_trivially_copyable_v<U>) {
      // left uninitialised on purpose
    } else {
      ::new (static_cast<void*>(p)) U(std::forward<A>(a)...);
    }
  }
  bool operator==(const AlignedAllocator&) const noexcept { return true; }
};

template <class T>
using Buffer = std::vector<T, AlignedAllocator<T>>;

// 3 with several cells along z, else 2 with several along y, else 1.
inline int dimensions(const Index3& n) {
  return n[2] > 1 ? 3 : n[1] > 1 ? 2 : 1;
}

inline std::int64_t product(const Index3& n) {
  return n[0] * n[1] * n[2];
}

// a b, without std::complex's check for NaN, which takes longer than the product.
template <class Real>
std::complex<Real> product(const std::complex<Real>& a, const std::complex<Real>& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// a b less the nearest whole number. The fma subtracts it from the exact product: a rounded product
// of many turns has lost digits of the fraction.
inline double partOfTurns(double a, double b) {
  return std::fma(a, b, -std::nearbyint(a * b));
}

// e^{2 pi i turns}, as exact for many turns as for less than one.
inline cdouble phaseOfTurns(double turns) {
  return std::polar(1.0, 2 * std::numbers::pi * (turns - std::nearbyint(turns)));
}

}  // namespace spokelab
