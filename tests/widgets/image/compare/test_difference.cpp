// The difference uses the least-squares scale, and the NRMSE equals the metrics'.
#include <cmath>
#include <limits>

#include <QTest>

#include "tests/test_main.h"
#include "tests/widgets/image/sample_images.h"
#include "widgets/image/compare/difference.h"

namespace test_difference {

using namespace spokelab;

class TestDifference : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aScaledCopyLeavesNothing() {
    auto a = samples::blank({4, 3, 2}, {1, 1, 1}, 2), b = samples::blank({4, 3, 2}, {1, 1, 1}, 2);
    for (std::size_t i = 0; i < a->data.size(); ++i) {
      a->data[i] = {float(i) - 7, float(i * i % 5)};
      b->data[i] = a->data[i] * cfloat(0.5F, -2);
    }
    const Difference d = differenceImage(*a, *b);
    QVERIFY(d.nrmse < 1e-6);
    for (const cfloat& v : d.image->data) QVERIFY(std::abs(v) < 1e-4);
  }

  // a = (1, 1), b = (1, 3): s = 4 / 2 = 2, d = (1, -1), |d| / |b| = sqrt(2 / 10).
  void valuesAreTheHandComputed() {
    auto a = samples::blank({2, 1, 1}), b = samples::blank({2, 1, 1});
    a->data = {cfloat(1), cfloat(1)};
    b->data = {cfloat(1), cfloat(3)};
    const Difference d = differenceImage(*a, *b);
    QCOMPARE(d.image->data[0], cfloat(1));
    QCOMPARE(d.image->data[1], cfloat(-1));
    QVERIFY(std::abs(d.nrmse - std::sqrt(0.2)) < 1e-12);
  }

  void notANumberStaysOutOfTheScale() {
    auto a = samples::blank({3, 1, 1}), b = samples::blank({3, 1, 1});
    a->data = {cfloat(2), cfloat(std::numeric_limits<float>::quiet_NaN()), cfloat(2)};
    b->data = {cfloat(1), cfloat(1), cfloat(1)};
    const Difference d = differenceImage(*a, *b);
    QCOMPARE(d.image->data[0], cfloat(0));
    QVERIFY(std::isnan(d.image->data[1].real()));
    QVERIFY(d.nrmse < 1e-7);
  }

  void whatCannotBeComparedIsRefused() {
    auto a = samples::blank({4, 4, 1}), b = samples::blank({4, 5, 1});
    QVERIFY(!differenceImage(*a, *b).image);
    QVERIFY(!differenceObstacle(a.get(), b.get()).isEmpty());
    QVERIFY(!differenceObstacle(a.get(), nullptr).isEmpty());
    QVERIFY(differenceObstacle(a.get(), a.get()).isEmpty());
    QVERIFY(std::isnan(differenceImage(*a, *a).nrmse));  // zero over zero
  }
};

SPOKELAB_CORE_TEST(TestDifference)

}  // namespace test_difference

#include "test_difference.moc"
