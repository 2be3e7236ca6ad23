#include "engine/recon/operators/vector_space.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

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
void HostSpace<Real>::addTimes(Complex a, const Complex* x, Complex* y, std::int64_t n) const {
  parallelFor(n, threads_, valuesPerTask, [&](std::int64_t b, std::int64_t e) {
    for (std::int64_t i = b; i < e; ++i) y[i] += product(a, x[i]);
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

// Computes all components from x, read twice by piece, so that a piece stays in the cache.
template <class Real>
double HostSpace<Real>::removeComponents(std::span<const Vector> units, Complex* x, std::int64_t n) const {
  const std::size_t count = units.size();
  const std::int64_t pieces = (n + valuesPerTask - 1) / valuesPerTask;
  std::vector<cdouble> parts(std::size_t(pieces) * count);
  parallelTasks(pieces, threads_, [&](std::int64_t piece) {
    const std::int64_t begin = piece * valuesPerTask, end = std::min(n, begin + valuesPerTask);
    for (std::size_t u = 0; u < count; ++u) {
      const Complex* const unit = units[u].data();
      double real = 0, imaginary = 0;
      for (std::int64_t i = begin; i < end; ++i) {
        const double a = unit[i].real(), b = unit[i].imag(), c = x[i].real(), d = x[i].imag();
        real += a * c + b * d;
        imaginary += a * d - b * c;
      }
      parts[std::size_t(piece) * count + u] = {real, imaginary};
    }
  });
  std::vector<Complex> components(count);
  for (std::size_t u = 0; u < count; ++u) {
    cdouble sum = 0;
    for (std::int64_t piece = 0; piece < pieces; ++piece) sum += parts[std::size_t(piece) * count + u];
    components[u] = Complex(sum);
  }
  std::vector<double> squares(static_cast<std::size_t>(pieces));
  parallelTasks(pieces, threads_, [&](std::int64_t piece) {
    const std::int64_t begin = piece * valuesPerTask, end = std::min(n, begin + valuesPerTask);
    for (std::size_t u = 0; u < count; ++u) {
      const Complex* const unit = units[u].data();
      const Real c = components[u].real(), d = components[u].imag();
      for (std::int64_t i = begin; i < end; ++i) {
        const Real a = unit[i].real(), b = unit[i].imag();
        x[i] = {x[i].real() - (a * c - b * d), x[i].imag() - (a * d + b * c)};
      }
    }
    double square = 0;
    for (std::int64_t i = begin; i < end; ++i)
      square += double(x[i].real()) * x[i].real() + double(x[i].imag()) * x[i].imag();
    squares[std::size_t(piece)] = square;
  });
  return std::accumulate(squares.begin(), squares.end(), 0.0);
}

template <class Real>
void HostSpace<Real>::expand(const Complex* image, const Complex* maps, const Complex* phase, Complex* out,
                             std::int64_t count, std::int64_t n) const {
  parallelFor(n, threads_, valuesPerTask, [&](std::int64_t b, std::int64_t e) {
    for (std::int64_t c = 0; c < count; ++c)
      for (std::int64_t i = b; i < e; ++i) {
        const Complex v = phase ? product(image[i], phase[i]) : image[i];
        out[c * n + i] = product(v, maps[c * n + i]);
      }
  });
}

template <class Real>
void HostSpace<Real>::combine(const Complex* in, const Complex* maps, const Complex* phase, Complex* out,
                              std::int64_t count, std::int64_t n, bool add) const {
  parallelFor(n, threads_, valuesPerTask, [&](std::int64_t b, std::int64_t e) {
    for (std::int64_t i = b; i < e; ++i) {
      Complex sum = 0;
      for (std::int64_t c = 0; c < count; ++c) sum += product(std::conj(maps[c * n + i]), in[c * n + i]);
      if (phase) sum = product(std::conj(phase[i]), sum);
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
