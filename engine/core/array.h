// Plain numeric storage: 64-byte aligned, not zero-filled on resize (numeric code says what it
// writes).
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace spokelab {

using cfloat = std::complex<float>;
using cdouble = std::complex<double>;
using Vec3 = std::array<double, 3>;
using Index3 = std::array<std::int64_t, 3>;  // (x, y, z); x fastest in memory; unused dimensions are 1

// Aligned to a cache line (and to AVX-512 loads); value construction without arguments leaves
// memory as it is.
template <class T>
struct AlignedAllocator {
  using value_type = T;
  static constexpr std::align_val_t alignment{64};
  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) noexcept {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), alignment)); }
  void deallocate(T* p, std::size_t) noexcept { ::operator delete(p, alignment); }
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

// Dimensions up to the last of more than one cell: 1 to 3.
inline int dimensions(const Index3& n) {
  return n[2] > 1 ? 3 : n[1] > 1 ? 2 : 1;
}

inline std::int64_t product(const Index3& n) {
  return n[0] * n[1] * n[2];
}

}  // namespace spokelab
