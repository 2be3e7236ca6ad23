// The proximal map of jumps in time and in space is what its definition says; with one of the two
// weights it is the map of that part.
#include <QtTest>

#include "engine/recon/functional/joint_variation.h"
#include "engine/recon/functional/temporal_variation.h"
#include "tests/engine/recon/functional/proximal_checks.h"
#include "tests/test_main.h"

namespace test_joint_variation {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr int manySteps = 6000;
const Index3 size{6, 5, 1};
constexpr std::int64_t frames = 4, sets = 2, pixels = 30;

// R by loops over frames, sets and pixels.
double valueOf(const Buffer<cdouble>& x, double time, double space) {
  double value = 0;
  for (std::int64_t f = 0; f < frames * sets; ++f)
    for (std::int64_t i = 0; i < pixels; ++i) {
      const cdouble* const at = x.data() + f * pixels + i;
      if (f >= sets) value += time * std::abs(*at - at[-sets * pixels]);
      double square = 0;
      if (i % size[0] + 1 < size[0]) square += std::norm(at[1] - *at);
      if (i / size[0] + 1 < size[1]) square += std::norm(at[size[0]] - *at);
      value += space * std::sqrt(square);
    }
  return value;
}

}  // namespace

class TestJointVariation : public QObject {
  Q_OBJECT

  HostSpace<double> space_{2};

  JointVariation<HostSpace<double>> variation(double time, double space, int steps = manySteps) {
    return {space_, size, 2, frames, sets, {time, space}, steps};
  }

 private slots:
  void theProximalMapMinimisesItsDefinition_data() {
    QTest::addColumn<double>("time");
    QTest::addColumn<double>("space");
    QTest::newRow("both") << 1.0 << 0.6;
    QTest::newRow("mostly space") << 0.2 << 1.0;
    QTest::newRow("space alone") << 0.0 << 1.0;
  }
  void theProximalMapMinimisesItsDefinition() {
    QFETCH(const double, time);
    QFETCH(const double, space);
    const double threshold = 0.5;
    const Buffer<cdouble> v = randomValues(frames * sets * pixels, 3);
    Buffer<cdouble> x = v;
    const double told = variation(time, space).prox(threshold, x.data());
    QVERIFY(std::abs(told - valueOf(x, time, space)) < 1e-3 * told);
    verifyMinimum(x, 1e-5, [&](const Buffer<cdouble>& other) {
      const double d = distance(other, v);
      return d * d / 2 + threshold * valueOf(other, time, space);
    });
  }

  void theProximalMapIsFirmlyNonExpansive() {
    verifyFirmlyNonExpansive(frames * sets * pixels, 1e-3,
                             [&](cdouble* values) { variation(1, 0.5).prox(0.5, values); });
  }

  void withoutJumpsInSpaceItIsThatOfTime() {
    const Buffer<cdouble> v = randomValues(frames * sets * pixels, 7);
    Buffer<cdouble> x = v, y = v;
    variation(1, 0).prox(0.4, x.data());
    TemporalVariation(space_, frames, sets * pixels, manySteps).prox(0.4, y.data());
    QVERIFY(distance(x, y) < 1e-3 * norm(y));
    QVERIFY(distance(x, v) > 0.1 * norm(v));
  }

  void trainsHaveTheMapsThatTheyHaveAlone() {
    const Buffer<cdouble> v = randomValues(frames * sets * pixels, 9);
    Buffer<cdouble> together = v, alone = v;
    const JointVariation<HostSpace<double>>::Weights both{1, 0.6};
    const std::vector<std::int64_t> lengths{3, 1};
    JointVariation(space_, size, 2, FrameTrains(lengths), sets, both, manySteps).prox(0.5, together.data());
    std::int64_t first = 0;
    for (const std::int64_t length : lengths) {
      JointVariation(space_, size, 2, length, sets, both, manySteps)
          .prox(0.5, alone.data() + first * sets * pixels);
      first += length;
    }
    QVERIFY(distance(together, alone) < 1e-3 * norm(alone));
    QVERIFY(distance(together, v) > 0.1 * norm(v));
  }

  // A threshold beyond all jumps leaves one value in each set.
  void aLargeThresholdLeavesTheMean() {
    Buffer<cdouble> x = randomValues(frames * sets * pixels, 8);
    cdouble mean = 0;
    for (std::int64_t f = 0; f < frames; ++f)
      for (std::int64_t i = 0; i < pixels; ++i)
        mean += x[std::size_t(f * sets * pixels + i)] / double(frames * pixels);
    variation(1, 1).prox(20, x.data());
    for (std::int64_t f = 0; f < frames; ++f)
      for (std::int64_t i = 0; i < pixels; ++i)
        QVERIFY2(std::abs(x[std::size_t(f * sets * pixels + i)] - mean) < 0.1,
                 qPrintable(QString::number(std::abs(x[std::size_t(f * sets * pixels + i)] - mean))));
  }

  // Few steps are enough where the dual of the last map is close.
  void theKeptDualGoesOn() {
    const Buffer<cdouble> v = randomValues(frames * sets * pixels, 5);
    Buffer<cdouble> exact = v, once = v, again;
    variation(1, 1).prox(1, exact.data());
    auto few = variation(1, 1, 8);
    few.prox(1, once.data());
    for (int i = 0; i < 12; ++i) {
      again = v;
      few.prox(1, again.data());
    }
    QVERIFY(distance(again, exact) < 0.2 * distance(once, exact));
  }
};

SPOKELAB_TEST(TestJointVariation)

}  // namespace test_joint_variation

#include "test_joint_variation.moc"
