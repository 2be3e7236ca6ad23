// Short vectors of floats or doubles, on the compiler's vector extensions: one source for every
// instruction set. Everything here is a template on the instruction set, so that code made for one
// set is never linked in place of another's.
#pragma once

#include <cstring>

namespace spokelab::simd {

// The instruction sets, each with the bytes of its widest register.
struct Portable {
  static constexpr int registerBytes = 16;
};
struct Avx2 {
  static constexpr int registerBytes = 32;
};
struct Avx512 {
  static constexpr int registerBytes = 64;
};

template <class Isa, class Real, int lanes>
struct Vector {
  typedef Real type __attribute__((vector_size(lanes * sizeof(Real))));
};

template <class Isa, class Real, int lanes>
using Vec = typename Vector<Isa, Real, lanes>::type;

template <class Isa, class Real, int lanes>
inline Vec<Isa, Real, lanes> load(const Real* p) {
  Vec<Isa, Real, lanes> v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

template <class Isa, class Real, int lanes>
inline void store(Real* p, const Vec<Isa, Real, lanes>& v) {
  std::memcpy(p, &v, sizeof v);
}

// The registers for `count` numbers: `vectors` registers of `lanes` each, with the fewest
// operations that the widths allow; one full-width AVX-512 operation counts as nearly two.
template <class Isa, class Real>
struct Split {
  int lanes = 0, vectors = 0;
  constexpr explicit Split(int count) {
    int best = 0;
    for (int bytes = 16; bytes <= Isa::registerBytes; bytes *= 2) {
      const int l = bytes / static_cast<int>(sizeof(Real));
      const int n = (count + l - 1) / l;
      const int cost = n * (bytes == 64 ? 19 : 10);
      if (best == 0 || cost <= best) {
        best = cost;
        lanes = l;
        vectors = n;
      }
    }
  }
  constexpr int padded() const { return lanes * vectors; }
};

}  // namespace spokelab::simd
