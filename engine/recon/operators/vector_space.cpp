#include "engine/recon/operators/vector_space.h"

#include <algorithm>
#include <cmath>

#include "engine/core/parallel_sum.h"
#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

constexpr std::int64_t valuesPerTask = 1 << 14;

}  // namespace

template <class Real>
void HostSpace<Real>::zero(Complex* x, std::int64_t n) const {
  parallelFor(n, threads_, valuesPerTask,
              [&](std::int64_t b, std::int64_t e) { std::fill(x + b, x + e, Complex(0)); });
}

template <class Real>
void HostSpace<Real>::copy(const Complex* from, Complex* to, std::int64_t n) const {
  parallelFor(n, threads_, valuesPerTask,
              [&](std::int64_t b, std::int64_t e) { std::copy(from + b, from + e, to + b); });
}

template <class Real>
void HostSpace<Real>::uploadReal(const double* host, Complex* x, std::int64_t n) const {
  parallelFor(n, threads_, valuesPerTask, [&](std::int64_t b, std::int64_t e) {
    for (std::int64_t i = b; i < e; ++i) x[i] = Complex(Real(host[i]));
  });
}

template <class Real>
void HostSpace<Real>::axpy(Real a, const Complex* x, Complex* y, std::int64_t n) const {
  parallelFor(n, threads_, valuesPerTask, [&](std::int64_t b, std::int64_t e) {
    for (std::int64_t i = b; i < e; ++i) y[i] += a * x[i];
  });
}

template <class Real>
void HostSpace<Real>::xpay(const Complex* x, Real a, Complex* y, std::int64_t n) const {
  parallelFor(n, threads_, valuesPerTask, [&](std::int64_t b, std::int64_t e) {
    for (std::int64_t i = b; i < e; ++i) y[i] = x[i] + a * y[i];
  });
}

template <class Real>
void HostSpace<Real>::scaledCopy(Real a, const Complex* x, Complex* y, std::int64_t n) const {
  parallelFor(n, threads_, valuesPerTask, [&](std::int64_t b, std::int64_t e) {
    for (std::int64_t i = b; i < e; ++i) y[i] = a * x[i];
  });
}

template <class Real>
double HostSpace<Real>::dot(const Complex* x, const Complex* y, std::int64_t n) const {
  return sumOver<double>(n, threads_, [&](std::int64_t i) {
    return double(x[i].real()) * y[i].real() + double(x[i].imag()) * y[i].imag();
  });
}

template <class Real>
double HostSpace<Real>::removeComponents(std::span<const Vector> units, Complex* x, std::int64_t n) const {
  for (const Vector& unit : units) {
    const Complex component(sumOver<cdouble>(n, threads_, [&](std::int64_t i) {
      const auto at = std::size_t(i);
      const double a = unit[at].real(), b = unit[at].imag(), c = x[i].real(), d = x[i].imag();
      return cdouble(a * c + b * d, a * d - b * c);
    }));
    parallelFor(n, threads_, valuesPerTask, [&](std::int64_t b, std::int64_t e) {
      for (std::int64_t i = b; i < e; ++i) x[i] -= unit[std::size_t(i)] * component;
    });
  }
  return dot(x, x, n);
}

template <class Real>
void HostSpace<Real>::expand(const Complex* image, const Complex* maps, const Complex* phase, Complex* out,
                             std::int64_t count, std::int64_t n) const {
  parallelFor(n, threads_, valuesPerTask, [&](std::int64_t b, std::int64_t e) {
    for (std::int64_t c = 0; c < count; ++c)
      for (std::int64_t i = b; i < e; ++i) {
        const Complex v = phase ? image[i] * phase[i] : image[i];
        out[c * n + i] = v * maps[c * n + i];
      }
  });
}

template <class Real>
void HostSpace<Real>::combine(const Complex* in, const Complex* maps, const Complex* phase, Complex* out,
                              std::int64_t count, std::int64_t n, bool add) const {
  parallelFor(n, threads_, valuesPerTask, [&](std::int64_t b, std::int64_t e) {
    for (std::int64_t i = b; i < e; ++i) {
      Complex sum = 0;
      for (std::int64_t c = 0; c < count; ++c) sum += std::conj(maps[c * n + i]) * in[c * n + i];
      if (phase) sum *= std::conj(phase[i]);
      out[i] = add ? out[i] + sum : sum;
    }
  });
}

template <class Real>
void HostSpace<Real>::scale(const Complex* factors, Complex* values, std::int64_t count,
                            std::int64_t n) const {
  parallelFor(n, threads_, valuesPerTask, [&](std::int64_t b, std::int64_t e) {
    for (std::int64_t c = 0; c < count; ++c)
      for (std::int64_t i = b; i < e; ++i) values[c * n + i] *= factors[i];
  });
}

template <class Real>
void HostSpace<Real>::scaleReal(const Real* factors, Complex* values, std::int64_t count,
                                std::int64_t n) const {
  parallelFor(n, threads_, valuesPerTask, [&](std::int64_t b, std::int64_t e) {
    for (std::int64_t c = 0; c < count; ++c)
      for (std::int64_t i = b; i < e; ++i) values[c * n + i] *= factors[i];
  });
}

template <class Real>
void HostSpace<Real>::differences(const Complex* image, Complex* out, const Index3& size, int dims) const {
  const std::int64_t n = product(size);
  std::int64_t stride = 1;
  for (int d = 0; d < dims; stride *= size[std::size_t(d)], ++d) {
    const std::int64_t length = size[std::size_t(d)];
    parallelFor(n, threads_, valuesPerTask, [&](std::int64_t b, std::int64_t e) {
      for (std::int64_t i = b; i < e; ++i)
        out[d * n + i] = i / stride % length + 1 < length ? image[i + stride] - image[i] : Complex(0);
    });
  }
}

template <class Real>
void HostSpace<Real>::addDifferencesAdjoint(Real a, const Complex* in, Complex* image, const Index3& size,
                                            int dims) const {
  const std::int64_t n = product(size);
  std::int64_t stride = 1;
  for (int d = 0; d < dims; stride *= size[std::size_t(d)], ++d) {
    const std::int64_t length = size[std::size_t(d)];
    parallelFor(n, threads_, valuesPerTask, [&](std::int64_t b, std::int64_t e) {
      for (std::int64_t i = b; i < e; ++i) {
        const std::int64_t at = i / stride % length;
        Complex sum = 0;
        if (at > 0) sum += in[d * n + i - stride];
        if (at + 1 < length) sum -= in[d * n + i];
        image[i] += a * sum;
      }
    });
  }
}

template <class Real>
void HostSpace<Real>::shrink(Real threshold, Complex* values, std::int64_t n, int dims) const {
  parallelFor(n, threads_, valuesPerTask, [&](std::int64_t b, std::int64_t e) {
    for (std::int64_t i = b; i < e; ++i) {
      Real square = 0;
      for (int d = 0; d < dims; ++d) square += std::norm(values[d * n + i]);
      const Real length = std::sqrt(square);
      const Real factor = length > threshold ? (length - threshold) / length : Real(0);
      for (int d = 0; d < dims; ++d) values[d * n + i] *= factor;
    }
  });
}

template class HostSpace<float>;
template class HostSpace<double>;
static_assert(VectorSpace<HostSpace<float>> && VectorSpace<HostSpace<double>>);

}  // namespace spokelab
