// The proximal map of total generalized variation agrees with alternating directions over dense
// matrices, is firmly non-expansive, goes on where the last one ended, and leaves ramps.
#include <QtTest>

#include "engine/recon/functional/generalized_variation.h"
#include "tests/engine/recon/functional/proximal_checks.h"
#include "tests/test_main.h"

namespace test_generalized_variation {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr int manySteps = 1200;
using Dense = std::vector<std::vector<double>>;

std::vector<cdouble> times(const Dense& m, const std::vector<cdouble>& x) {
  std::vector<cdouble> y(m.size());
  for (std::size_t r = 0; r < m.size(); ++r)
    for (std::size_t c = 0; c < x.size(); ++c) y[r] += m[r][c] * x[c];
  return y;
}
Dense transposed(const Dense& m) {
  Dense t(m.front().size(), std::vector<double>(m.size()));
  for (std::size_t r = 0; r < m.size(); ++r)
    for (std::size_t c = 0; c < t.size(); ++c) t[c][r] = m[r][c];
  return t;
}
// By Gauss and Jordan, of a positive definite matrix.
Dense inverted(Dense m) {
  const std::size_t n = m.size();
  Dense inverse(n, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i) inverse[i][i] = 1;
  for (std::size_t p = 0; p < n; ++p) {
    const double pivot = m[p][p];
    for (std::size_t c = 0; c < n; ++c) m[p][c] /= pivot, inverse[p][c] /= pivot;
    for (std::size_t r = 0; r < n; ++r) {
      const double f = m[r][p];
      if (r == p || f == 0) continue;
      for (std::size_t c = 0; c < n; ++c) m[r][c] -= f * m[p][c], inverse[r][c] -= f * inverse[p][c];
    }
  }
  return inverse;
}

// Rows of D x - v, then those of E v, as a matrix over (x, v); the rows of a pixel are `pixels` apart.
// The components of E v: (0, 0), (1, 1), (0, 1) and (1, 0).
Dense generalizedDifferences(int nx, int ny) {
  const int n = nx * ny, stride[] = {1, nx}, length[] = {nx, ny};
  Dense k(std::size_t(6 * n), std::vector<double>(std::size_t(3 * n)));
  const auto addDifference = [&](int row, int pixel, int axis, int column, double f) {
    if (pixel / stride[axis] % length[axis] + 1 == length[axis]) return;
    k[std::size_t(row)][std::size_t(column + stride[axis])] += f;
    k[std::size_t(row)][std::size_t(column)] -= f;
  };
  for (int i = 0; i < n; ++i) {
    for (int a = 0; a < 2; ++a) {
      addDifference(a * n + i, i, a, i, 1);
      k[std::size_t(a * n + i)][std::size_t((1 + a) * n + i)] -= 1;
      addDifference((2 + a) * n + i, i, a, (1 + a) * n + i, 1);
    }
    for (const int row : {4, 5})
      for (int a = 0; a < 2; ++a) addDifference(row * n + i, i, 1 - a, (1 + a) * n + i, 0.5);
  }
  return k;
}

struct Reference {
  std::vector<cdouble> x;
  double value = 0;  // of R
};

// minimize 1/2 |x - u|^2 + t |D x - v|_1 + 2 t |E v|_1
Reference byAlternatingDirections(const Buffer<cdouble>& u, int nx, int ny, double t) {
  const std::size_t n = u.size();
  const double penalty = 1;
  const Dense k = generalizedDifferences(nx, ny), kT = transposed(k);
  Dense normal(3 * n, std::vector<double>(3 * n));
  for (std::size_t r = 0; r < 3 * n; ++r)
    for (std::size_t c = 0; c < 3 * n; ++c)
      for (std::size_t j = 0; j < 6 * n; ++j) normal[r][c] += penalty * k[j][r] * k[j][c];
  for (std::size_t i = 0; i < n; ++i) normal[i][i] += 1;
  for (std::size_t i = n; i < 3 * n; ++i) normal[i][i] += 1e-9;  // v of the last pixels is free
  const Dense solver = inverted(normal);
  std::vector<cdouble> split(6 * n), dual(6 * n), z(3 * n);
  Reference result;
  for (int step = 0; step < 700; ++step) {
    std::vector<cdouble> difference(6 * n);
    for (std::size_t j = 0; j < 6 * n; ++j) difference[j] = penalty * (split[j] - dual[j]);
    std::vector<cdouble> right = times(kT, difference);
    for (std::size_t i = 0; i < n; ++i) right[i] += u[i];
    z = times(solver, right);
    const std::vector<cdouble> kz = times(k, z);
    for (std::size_t j = 0; j < 6 * n; ++j) split[j] = kz[j] + dual[j];
    result.value = 0;
    const auto shrink = [&](std::size_t first, std::size_t last, double weight) {
      for (std::size_t i = 0; i < n; ++i) {
        double square = 0, reached = 0;
        for (std::size_t c = first; c < last; ++c) {
          square += std::norm(split[c * n + i]);
          reached += std::norm(kz[c * n + i]);
        }
        const double length = std::sqrt(square), left = std::max(0.0, length - weight * t / penalty);
        for (std::size_t c = first; c < last; ++c) split[c * n + i] *= length > 0 ? left / length : 0;
        result.value += weight * std::sqrt(reached);
      }
    };
    shrink(0, 2, 1);
    shrink(2, 6, 2);
    for (std::size_t j = 0; j < 6 * n; ++j) dual[j] += kz[j] - split[j];
  }
  result.x.assign(z.begin(), z.begin() + std::ptrdiff_t(n));
  return result;
}

// Host memory whose steps are single operations, as a device's are.
class PlainSpace : private HostSpace<double> {
 public:
  using HostSpace::Complex, HostSpace::Real, HostSpace::Vector;
  using HostSpace::HostSpace, HostSpace::make, HostSpace::upload, HostSpace::uploadReal, HostSpace::download,
      HostSpace::zero, HostSpace::copy, HostSpace::axpy, HostSpace::addTimes, HostSpace::xpay,
      HostSpace::scaledCopy, HostSpace::dot, HostSpace::removeComponents, HostSpace::expand,
      HostSpace::combine, HostSpace::scale, HostSpace::scaleReal, HostSpace::differences,
      HostSpace::addDifferencesAdjoint, HostSpace::shrink, HostSpace::execution, HostSpace::timed,
      HostSpace::takeTimed, HostSpace::synchronize;
};

Buffer<cdouble> ramp(std::int64_t nx, std::int64_t ny) {
  Buffer<cdouble> image(std::size_t(nx * ny));
  for (std::int64_t i = 0; i < nx * ny; ++i) image[std::size_t(i)] = cdouble(0.2, 0.1) * double(i % nx);
  return image;
}

}  // namespace

class TestGeneralizedVariation : public QObject {
  Q_OBJECT

 private slots:
  void theMapAgreesWithAlternatingDirections_data() {
    QTest::addColumn<double>("threshold");
    for (const double t : {0.02, 0.2, 1.0}) QTest::addRow("threshold %g", t) << t;
  }
  void theMapAgreesWithAlternatingDirections() {
    QFETCH(double, threshold);
    HostSpace<double> space(1);
    Buffer<cdouble> u = randomValues(6 * 5, 2), slope = ramp(6, 5);
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = 0.3 * u[i] + slope[i];
    Buffer<cdouble> x = u;
    const double told =
        GeneralizedVariation<HostSpace<double>>(space, {6, 5, 1}, 2, 1, manySteps).prox(threshold, x.data());
    const Reference reference = byAlternatingDirections(u, 6, 5, threshold);
    double apart = 0;
    for (std::size_t i = 0; i < u.size(); ++i) apart += std::norm(x[i] - reference.x[i]);
    QVERIFY2(std::sqrt(apart) < 1e-3 * norm(u), qPrintable(QString::number(std::sqrt(apart) / norm(u))));
    QVERIFY2(std::abs(told - reference.value) < 2e-3 * reference.value + 1e-4,
             qPrintable(QString("%1 %2").arg(told).arg(reference.value)));
  }

  void theMapIsFirmlyNonExpansive_data() {
    QTest::addColumn<int>("dims");
    QTest::newRow("plane") << 2;
    QTest::newRow("volume") << 3;
  }
  void theMapIsFirmlyNonExpansive() {
    QFETCH(int, dims);
    const Index3 size{5, 4, dims == 3 ? 3 : 1};
    HostSpace<double> space(1);
    verifyFirmlyNonExpansive(product(size), 1e-3, [&](cdouble* values) {
      GeneralizedVariation<HostSpace<double>>(space, size, dims, 1, 250).prox(0.4, values);
    });
  }

  void onePassStepsAreTheSingleOperations_data() { theMapIsFirmlyNonExpansive_data(); }
  void onePassStepsAreTheSingleOperations() {
    QFETCH(int, dims);
    const Index3 size{7, 4, dims == 3 ? 5 : 1};
    HostSpace<double> passes(2);
    PlainSpace plain(1);
    constexpr int sets = 2, steps = 15;
    Buffer<cdouble> one = randomValues(sets * product(size), 6), two = one;
    GeneralizedVariation<HostSpace<double>> a(passes, size, dims, sets, steps);
    GeneralizedVariation<PlainSpace> b(plain, size, dims, sets, steps);
    for (int call = 0; call < 2; ++call) {  // the second call starts from the first one's dual
      const double first = a.prox(0.3, one.data()), second = b.prox(0.3, two.data());
      QVERIFY(first > 0 && std::abs(first - second) < 1e-11 * first);
      QVERIFY(distance(one, two) < 1e-12 * norm(two));
    }
  }

  // Twice the image has twice the value, and the threshold acts as it does on half of it.
  void theMapScalesWithTheImage() {
    HostSpace<double> space(1);
    Buffer<cdouble> one = randomValues(8 * 8, 3), two = one;
    for (cdouble& v : two) v *= 2;
    GeneralizedVariation<HostSpace<double>> a(space, {8, 8, 1}, 2, 1), b(space, {8, 8, 1}, 2, 1);
    const double told = a.prox(0.1, one.data());
    QVERIFY(std::abs(b.prox(0.2, two.data()) - 2 * told) < 1e-9 * told);
    for (std::size_t i = 0; i < one.size(); ++i) QVERIFY(std::abs(two[i] - 2.0 * one[i]) < 1e-9);
  }

  // Total variation would take more from each of the columns that are steep.
  void aRampIsLeft() {
    HostSpace<double> space(1);
    const std::int64_t side = 12;
    const Buffer<cdouble> u = ramp(side, side);
    Buffer<cdouble> x = u;
    const double told =
        GeneralizedVariation<HostSpace<double>>(space, {side, side, 1}, 2, 1, manySteps).prox(0.05, x.data());
    const double variation = std::abs(cdouble(0.2, 0.1)) * double(side * (side - 1));
    QVERIFY2(told < 0.25 * variation, qPrintable(QString::number(told / variation)));
  }

  void theKeptStateGoesOn() {
    HostSpace<float> space(1);
    const Index3 size{16, 16, 1};
    const Buffer<cdouble> v = randomValues(product(size), 5);
    const auto single = [&] {
      Buffer<cfloat> values(v.size());
      std::copy(v.begin(), v.end(), values.begin());
      return values;
    };
    const auto apart = [](const Buffer<cfloat>& a, const Buffer<cfloat>& b) {
      double sum = 0;
      for (std::size_t i = 0; i < a.size(); ++i) sum += std::norm(cdouble(a[i]) - cdouble(b[i]));
      return std::sqrt(sum);
    };
    Buffer<cfloat> exact = single(), once = single(), again;
    GeneralizedVariation<HostSpace<float>>(space, size, 2, 1, manySteps).prox(0.4, exact.data());
    GeneralizedVariation<HostSpace<float>> few(space, size, 2, 1);
    few.prox(0.4, once.data());
    for (int i = 0; i < 20; ++i) {
      again = single();
      few.prox(0.4, again.data());
    }
    QVERIFY2(apart(again, exact) < 0.3 * apart(once, exact),
             qPrintable(QString("%1 %2").arg(apart(again, exact)).arg(apart(once, exact))));
  }
};

SPOKELAB_TEST(TestGeneralizedVariation)

}  // namespace test_generalized_variation

#include "test_generalized_variation.moc"
