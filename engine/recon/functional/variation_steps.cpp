#include "engine/recon/functional/variation_steps.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

constexpr std::int64_t variationPixelsPerTask = 1 << 12;

// Neighbours of a pixel along each axis. An edge has no neighbour: its offset is 0, its share too.
template <class Real, int dims>
struct PixelNeighbours {
  std::array<std::int64_t, dims> next{}, before{};
  std::array<Real, dims> hasNext{}, hasBefore{};

  void set(std::size_t axis, std::int64_t place, std::int64_t length, std::int64_t stride) {
    const bool last = place + 1 == length, first = place == 0;
    next[axis] = last ? 0 : stride;
    before[axis] = first ? 0 : stride;
    hasNext[axis] = Real(!last);
    hasBefore[axis] = Real(!first);
  }
};

// Calls each(pixel, neighbours) for all pixels, rows side by side on all threads.
template <class Real, int dims, class Each>
void overPixels(const Index3& size, int threads, const Each& each) {
  const std::int64_t nx = size[0], ny = size[1], rows = product(size) / nx;
  parallelFor(rows, threads, std::max<std::int64_t>(1, variationPixelsPerTask / nx),
              [&](std::int64_t firstRow, std::int64_t endRow) {
                PixelNeighbours<Real, dims> at;
                for (std::int64_t row = firstRow; row < endRow; ++row) {
                  at.set(1, row % ny, ny, nx);
                  if constexpr (dims == 3) at.set(2, row / ny, size[2], nx * ny);
                  const auto reach = [&](std::int64_t x, std::int64_t end) {  // alike neighbours
                    at.set(0, x, nx, 1);
                    for (; x < end; ++x) each(row * nx + x, at);
                  };
                  reach(0, 1);
                  if (nx > 2) reach(1, nx - 1);
                  if (nx > 1) reach(nx - 1, nx);
                }
              });
}

// Cuts the length over the components of a pixel, `apart` numbers from each other.
template <int components, class Complex>
void cutLength(double maxLength, const std::array<Complex, std::size_t(components)>& values, Complex* to,
               std::int64_t apart) {
  using Real = typename Complex::value_type;
  Real square = 0;
  for (const Complex& v : values) square += v.real() * v.real() + v.imag() * v.imag();
  const auto bound = Real(maxLength);
  const Real share = square > bound * bound ? bound / std::sqrt(square) : Real(1);
  for (std::int64_t c = 0; c < components; ++c) to[c * apart] = share * values[std::size_t(c)];
}

constexpr std::size_t placeOfPair(std::size_t a, std::size_t b, std::size_t dims) {
  return a == b ? a : dims + a + b - 1;
}
template <class Real>
Real factorOfPair(std::size_t a, std::size_t b) {
  return a == b ? Real(1) : Real(std::sqrt(0.5));
}

template <class Real, int dims>
void ascend(const VariationStep& step, int threads, const std::complex<Real>* xAhead,
            const std::complex<Real>* vAhead, std::complex<Real>* p, std::complex<Real>* q) {
  using Complex = std::complex<Real>;
  constexpr int pairs = dims * (dims + 1) / 2;
  const std::int64_t n = product(step.size);
  const auto s = Real(step.length);
  overPixels<Real, dims>(step.size, threads, [&](std::int64_t i, const PixelNeighbours<Real, dims>& at) {
    std::array<Complex, dims> slope;
    std::array<Complex, pairs> bend;
    for (std::size_t c = 0; c < pairs; ++c) bend[c] = q[std::int64_t(c) * n + i];
    for (std::size_t a = 0; a < dims; ++a) {
      const Complex* const va = vAhead + std::int64_t(a) * n + i;
      slope[a] = p[std::int64_t(a) * n + i] + s * (xAhead[i + at.next[a]] - xAhead[i] - *va);
      for (std::size_t b = 0; b < dims; ++b)
        bend[placeOfPair(a, b, dims)] += s * factorOfPair<Real>(a, b) * (va[at.next[b]] - *va);
    }
    cutLength<dims>(step.threshold, slope, p + i, n);
    cutLength<pairs>(2 * step.threshold, bend, q + i, n);
  });
}

template <class Real, int dims>
void descend(const VariationStep& step, int threads, const std::complex<Real>* u, const std::complex<Real>* p,
             const std::complex<Real>* q, std::complex<Real>* x, std::complex<Real>* xAhead,
             std::complex<Real>* v, std::complex<Real>* vAhead) {
  using Complex = std::complex<Real>;
  const std::int64_t n = product(step.size);
  const auto s = Real(step.length), shrink = Real(1 / (1 + step.length));
  overPixels<Real, dims>(step.size, threads, [&](std::int64_t i, const PixelNeighbours<Real, dims>& at) {
    const auto adjoint = [&](const Complex* g, std::size_t a) {  // of the differences along a
      return at.hasBefore[a] * g[i - at.before[a]] - at.hasNext[a] * g[i];
    };
    Complex outflow = 0;
    for (std::size_t a = 0; a < dims; ++a) {
      outflow += adjoint(p + std::int64_t(a) * n, a);
      Complex bend = 0;
      for (std::size_t b = 0; b < dims; ++b)
        bend += factorOfPair<Real>(a, b) * adjoint(q + std::int64_t(placeOfPair(a, b, dims)) * n, b);
      const std::int64_t place = std::int64_t(a) * n + i;
      const Complex moved = v[place] + s * (p[place] - bend);
      vAhead[place] = Real(2) * moved - v[place];
      v[place] = moved;
    }
    const Complex moved = shrink * (x[i] + s * (u[i] - outflow));
    xAhead[i] = Real(2) * moved - x[i];
    x[i] = moved;
  });
}

}  // namespace

template <class Real>
void variationAscent(const HostSpace<Real>& space, const VariationStep& step,
                     const std::complex<Real>* xAhead, const std::complex<Real>* vAhead,
                     std::complex<Real>* p, std::complex<Real>* q) {
  if (step.dims == 2) return ascend<Real, 2>(step, space.threads(), xAhead, vAhead, p, q);
  ascend<Real, 3>(step, space.threads(), xAhead, vAhead, p, q);
}

template <class Real>
void variationDescent(const HostSpace<Real>& space, const VariationStep& step, const std::complex<Real>* u,
                      const std::complex<Real>* p, const std::complex<Real>* q, std::complex<Real>* x,
                      std::complex<Real>* xAhead, std::complex<Real>* v, std::complex<Real>* vAhead) {
  if (step.dims == 2) return descend<Real, 2>(step, space.threads(), u, p, q, x, xAhead, v, vAhead);
  descend<Real, 3>(step, space.threads(), u, p, q, x, xAhead, v, vAhead);
}

template void variationAscent(const HostSpace<float>&, const VariationStep&, const cfloat*, const cfloat*,
                              cfloat*, cfloat*);
template void variationAscent(const HostSpace<double>&, const VariationStep&, const cdouble*, const cdouble*,
                              cdouble*, cdouble*);
template void variationDescent(const HostSpace<float>&, const VariationStep&, const cfloat*, const cfloat*,
                               const cfloat*, cfloat*, cfloat*, cfloat*, cfloat*);
template void variationDescent(const HostSpace<double>&, const VariationStep&, const cdouble*, const cdouble*,
                               const cdouble*, cdouble*, cdouble*, cdouble*, cdouble*);

}  // namespace spokelab
