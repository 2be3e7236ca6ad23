// Coordinates that count from 0 mean the same points as those around 0, with the same matrix.
#include <QtTest>

#include <cmath>
#include <numbers>

#include "tests/engine/scan/read/variant_reader.h"
#include "tests/test_main.h"

namespace test_unsigned_coordinates {

using namespace spokelab;
using namespace spokelab::test;

namespace {

class TestUnsignedCoordinates : public QObject, private VariantReader {
  Q_OBJECT

 private slots:
  void rangesFromZero_data() {
    QTest::addColumn<QString>("range");
    QTest::addColumn<double>("period");
    QTest::newRow("cycles/pixel, wrapped") << "periodic" << 1.0;
    QTest::newRow("cycles/pixel, moved") << "centred" << 1.0;
    QTest::newRow("radians/pixel, wrapped") << "periodic" << 2 * std::numbers::pi;
    QTest::newRow("cycles/FOV, wrapped") << "periodic" << 64.0;
    QTest::newRow("cycles/FOV, moved") << "centred" << 64.0;
  }
  void rangesFromZero() {
    QFETCH(QString, range);
    QFETCH(double, period);
    const auto scan = radialScan();
    auto all = acquisitionsOf(*scan);
    for (TestAcquisition& a : all)
      for (float& k : a.trajectory) {
        const double cycles = double(k) / 64;
        k = float(period * (range == "centred" ? cycles + 0.5 : cycles - std::floor(cycles)));
      }
    const auto back = read(*scan, all);
    const Decision* d = decisionOn(*back, "k-range");
    QVERIFY(d);
    QCOMPARE(d->choice, range.toStdString());
    QVERIFY(!d->question);
    QVERIFY((back->geometry.matrix == Index3{64, 64, 1}));
    for (std::size_t i = 0; i < back->trajectory(0).points.size(); ++i) {
      const double off = back->trajectory(0).points[i] - scan->trajectory(0).points[i];
      QVERIFY(std::abs(off - 64 * std::round(off / 64)) < 1e-4);  // -N/2 and N/2 are one frequency
    }
    // and as they are stored, where the user says so
    const auto stored = read(*scan, all, {{"k-range", "signed"}, {"matrix", "128x128"}});
    QVERIFY(*std::min_element(stored->trajectory(0).points.begin(), stored->trajectory(0).points.end()) >= 0);
  }
  // Random points on a square say nothing about where its centre is.
  void whatTheSamplesDoNotTellIsAQuestion() {
    const auto scan = radialScan();
    auto all = acquisitionsOf(*scan);
    double at = 0;
    for (TestAcquisition& a : all)
      for (float& k : a.trajectory) k = float(at = std::fmod(at + std::numbers::phi, 1.0));
    for (TestAcquisition& a : all)  // the second coordinate's own sequence
      for (std::size_t i = 1; i < a.trajectory.size(); i += 2)
        a.trajectory[i] = float(at = std::fmod(at + std::numbers::sqrt2, 1.0));
    const auto found = read(*scan, all);
    const Decision* d = decisionOn(*found, "k-range");
    QVERIFY(d && d->question);
    QCOMPARE(d->alternatives.size(), std::size_t(2));
  }
  void signedCoordinatesAreLeftAlone() {
    const auto scan = radialScan();
    QVERIFY(!decisionOn(*read(*scan, acquisitionsOf(*scan)), "k-range"));
    // half of k-space is no range that starts at 0
    auto all = acquisitionsOf(*scan);
    for (TestAcquisition& a : all)
      for (std::size_t i = 0; i < a.trajectory.size(); i += 2) a.trajectory[i] = std::abs(a.trajectory[i]);
    QVERIFY(!decisionOn(*read(*scan, all), "k-range"));
  }
};

}  // namespace

SPOKELAB_TEST(TestUnsignedCoordinates)

}  // namespace test_unsigned_coordinates

#include "test_unsigned_coordinates.moc"
