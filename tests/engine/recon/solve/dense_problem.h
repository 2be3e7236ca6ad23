// A dense problem of random values, whose minimum exact arithmetic knows.
#pragma once

#include "tests/engine/recon/functional/proximal_checks.h"

namespace spokelab::test {

// 1/2 |A x - y|^2 with a dense A of random values.
struct Dense {
  std::int64_t rows, columns;
  Buffer<cdouble> a, y, b;

  Dense(std::int64_t rows_, std::int64_t columns_, unsigned seed)
      : rows(rows_),
        columns(columns_),
        a(randomValues(rows_ * columns_, seed)),
        y(randomValues(rows_, seed + 1)) {
    b = adjoint(y);
  }
  Buffer<cdouble> forward(const cdouble* x) const {
    Buffer<cdouble> out(std::size_t(rows), 0);
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t c = 0; c < columns; ++c)
        out[std::size_t(r)] += a[std::size_t(r * columns + c)] * x[c];
    return out;
  }
  Buffer<cdouble> adjoint(const Buffer<cdouble>& in) const {
    Buffer<cdouble> out(std::size_t(columns), 0);
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t c = 0; c < columns; ++c)
        out[std::size_t(c)] += std::conj(a[std::size_t(r * columns + c)]) * in[std::size_t(r)];
    return out;
  }
  void normal(const cdouble* x, cdouble* out) const {
    const Buffer<cdouble> result = adjoint(forward(x));
    std::copy(result.begin(), result.end(), out);
  }
  double misfit(const Buffer<cdouble>& x) const {
    const double d = distance(forward(x.data()), y);
    return d * d / 2;
  }
};

}  // namespace spokelab::test
