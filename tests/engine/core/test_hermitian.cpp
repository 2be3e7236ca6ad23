// Cholesky factors and inverses of Hermitian matrices, of a few rows and of more than a task takes.
#include <QtTest>

#include <cmath>
#include <vector>

#include "engine/core/hermitian.h"
#include "tests/test_main.h"

namespace test_hermitian {

using namespace spokelab;

namespace {

// B B^H + n I of numbers that look random.
std::vector<cdouble> positive(int n) {
  std::vector<cdouble> b(static_cast<std::size_t>(n * n)), a(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = std::polar(1.0, 0.7 * double(i * i % 1009));
  for (int r = 0; r < n; ++r)
    for (int c = 0; c < n; ++c) {
      cdouble sum = r == c ? double(n) : 0.0;
      for (int k = 0; k < n; ++k) sum += b[std::size_t(r * n + k)] * std::conj(b[std::size_t(c * n + k)]);
      a[std::size_t(r * n + c)] = sum;
    }
  return a;
}

}  // namespace

class TestHermitian : public QObject {
  Q_OBJECT

 private slots:
  void theFactorGivesTheMatrixAndItsInverseOnes_data() {
    QTest::addColumn<int>("n");
    for (const int n : {1, 5, 16, 48, 49, 130}) QTest::addRow("%d", n) << n;
  }
  void theFactorGivesTheMatrixAndItsInverseOnes() {
    QFETCH(int, n);
    const std::vector<cdouble> a = positive(n);
    std::vector<cdouble> lower;
    QVERIFY(cholesky(a, n, lower));
    const std::vector<cdouble> inverse = invertLower(lower, n);
    const std::vector<cdouble> ones = multiply(inverse, lower, n, n, n);
    for (int r = 0; r < n; ++r)
      for (int c = 0; c < n; ++c) {
        const auto at = std::size_t(r * n + c);
        cdouble sum = 0;
        for (int k = 0; k < n; ++k)
          sum += lower[std::size_t(r * n + k)] * std::conj(lower[std::size_t(c * n + k)]);
        QVERIFY(std::abs(sum - a[at]) < 1e-12 * n * n);
        QVERIFY(std::abs(ones[at] - (r == c ? 1.0 : 0.0)) < 1e-11);
        if (c > r) QVERIFY(lower[at] == 0.0 && inverse[at] == 0.0);
      }
  }

  void aMatrixThatIsNotPositiveHasNone() {
    for (const int n : {4, 130})
      for (const int bad : {0, n - 1}) {
        std::vector<cdouble> a = positive(n), lower;
        a[std::size_t(bad * n + bad)] = -1;
        QVERIFY(!cholesky(a, n, lower));
      }
  }
};

SPOKELAB_CORE_TEST(TestHermitian)

}  // namespace test_hermitian

#include "test_hermitian.moc"
