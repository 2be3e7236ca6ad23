// The samples of a coil that a group of shots takes: those of its shots in their order, where they lie
// if that serves; and a map that holds no number is found wherever it stands.
#include <QtTest>

#include <limits>

#include "engine/core/error.h"
#include "engine/recon/sense/group_samples.h"
#include "tests/test_main.h"

namespace test_group_samples {

using namespace spokelab;

namespace {

// Four shots of 2, 3, 1 and 2 samples in 1-D.
SenseProblem fourShots(std::vector<int> shots) {
  SenseProblem p;
  p.dims = 1;
  p.matrix = {8, 1, 1};
  p.shotOffsets = {0, 2, 5, 6, 8};
  for (int j = 0; j < 8; ++j) p.points.own().push_back(j - 4);
  p.weights = {1, 2, 3, 4, 5, 6, 7, 8};
  p.shots = std::move(shots);
  return p;
}

}  // namespace

class TestGroupSamples : public QObject {
  Q_OBJECT
  std::vector<cfloat> floats_{0, 1, 2, 3, 4, 5, 6, 7};
  std::vector<cdouble> doubles_{0, 1, 2, 3, 4, 5, 6, 7};

 private slots:
  void shotsInTheirOrder_data() {
    QTest::addColumn<QList<int>>("shots");
    QTest::addColumn<QList<int>>("samples");
    QTest::addColumn<bool>("contiguous");
    QTest::newRow("all") << QList<int>{} << QList<int>{0, 1, 2, 3, 4, 5, 6, 7} << true;
    QTest::newRow("neighbours") << QList<int>{1, 2} << QList<int>{2, 3, 4, 5} << true;
    QTest::newRow("a gap") << QList<int>{0, 2} << QList<int>{0, 1, 5} << false;
    QTest::newRow("backwards") << QList<int>{2, 0} << QList<int>{5, 0, 1} << false;
    QTest::newRow("as many as lie between")
        << QList<int>{0, 2, 1, 3} << QList<int>{0, 1, 5, 2, 3, 4, 6, 7} << false;
  }
  void shotsInTheirOrder() {
    QFETCH(QList<int>, shots);
    QFETCH(QList<int>, samples);
    QFETCH(bool, contiguous);
    const SenseProblem p = fourShots({shots.begin(), shots.end()});
    const ShotGroup group = shotGroups(p).front();
    QCOMPARE(group.samples.contiguous(), contiguous);
    Buffer<cfloat> room;
    Buffer<cdouble> wide;
    const cfloat* same = groupSamples<cfloat>(floats_.data(), group, 2, room);
    QCOMPARE(room.empty(), contiguous);
    const cfloat* narrowed = groupSamples<cfloat>(doubles_.data(), group, 2, room);
    const cdouble* widened = groupSamples<cdouble>(floats_.data(), group, 2, wide);
    const Buffer<double> points = groupPoints(p, group), weights = groupWeights(p, group);
    QCOMPARE(points.size(), std::size_t(samples.size()));
    for (qsizetype i = 0; i < samples.size(); ++i) {
      QCOMPARE(narrowed[i], cfloat(float(samples[i])));
      QCOMPARE(widened[i], cdouble(samples[i]));
      QCOMPARE(points[std::size_t(i)], double(samples[i] - 4) / 8);
      QCOMPARE(weights[std::size_t(i)], double(samples[i] + 1));
    }
    if (contiguous)
      for (qsizetype i = 0; i < samples.size(); ++i) QCOMPARE(same[i], cfloat(float(samples[i])));
  }

  void aMapThatIsNoNumberIsFound_data() {
    QTest::addColumn<quint64>("place");
    QTest::newRow("first") << quint64(0);
    QTest::newRow("in a later block") << quint64(150'001);
    QTest::newRow("last") << quint64(199'999);
  }
  void aMapThatIsNoNumberIsFound() {
    QFETCH(quint64, place);
    SenseProblem p = fourShots({});
    p.matrix = {100'000, 1, 1};
    p.coils = {floats_.data(), floats_.data()};
    p.maps.assign(200'000, cfloat(1e30F, 1e30F));  // whose squares are too large for floats
    validate(p);
    p.maps[place] = cfloat(0, std::numeric_limits<float>::quiet_NaN());
    try {
      validate(p);
      QFAIL("a map that is not a number was taken");
    } catch (const Error& error) {
      QVERIFY2(error.reason().find("(number " + std::to_string(place) + ")") != std::string::npos,
               error.what());
    }
    p.maps.assign(200'000, cfloat(0));
    QVERIFY_EXCEPTION_THROWN(validate(p), Error);
    p.maps[place] = cfloat(0, 1e-30F);
    validate(p);
  }
};

SPOKELAB_TEST(TestGroupSamples)

}  // namespace test_group_samples

#include "test_group_samples.moc"
