// ESPIRiT's second set of maps, where two places of an object share a pixel.
#include <QtTest>

#include <array>

#include "engine/recon/coils/coil_maps.h"
#include "tests/engine/recon/coils/plain_espirit.h"
#include "tests/test_main.h"

namespace test_two_map_sets {

using namespace spokelab;
using namespace spokelab::test;

class TestTwoMapSets : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // Two discs seen by different coils share pixels: both sets together span what plain sums' two
  // leading eigenvectors do, and where the second eigenvalue is small the second set is 0.
  void twoSetsSpanThePlaneOfPlainSums() {
    constexpr int coils = 6, calibration = 24;
    CentreImages centre = discImages(2, coils, 48, 0.01, calibration);
    const CentreImages other = centre;
    const std::int64_t pixels = product(centre.size);
    for (std::int64_t c = 0; c < coils; ++c)  // the other disc: turned, and the coils' order too
      for (std::int64_t i = 0; i < pixels; ++i)
        centre.images[std::size_t(c * pixels + i)] +=
            0.8F * other.images[std::size_t((coils - 1 - c) * pixels + (i + 12) % pixels)];
    CoilMapOptions options;
    options.calibration = calibration;
    options.sets = 2;
    const Index3 matrix{60, 50, 1};
    const std::vector<cfloat> maps = estimateCoilMaps(centre, coils, matrix, 2, options, {});
    const std::int64_t count = product(matrix);
    QCOMPARE(maps.size(), std::size_t(2 * coils * count));
    const CalibrationData data = calibrationData(centre.images.data(), coils, centre.size, {18, 18, 1}, {});
    const PlainEspirit plain(data, {6, 6, 1});
    int both = 0, single = 0;
    for (std::int64_t i = 0; i < count; i += 3) {
      const Vec3 place{double(i % matrix[0] - matrix[0] / 2) / double(matrix[0]),
                       double(i / matrix[0] - matrix[1] / 2) / double(matrix[1]), 0};
      double first = 0, second = 0;
      const std::array<Values, 2> vectors{plain.at(place, first, second), plain.at(place, first, second, 1)};
      const std::vector<cfloat> last(maps.begin() + coils * count, maps.end());
      if (second < options.crop - 0.02) {
        QVERIFY(!isKept(last, count, i, coils));
        ++single;
      }
      if (second < 0.9 || !isKept(last, count, i, coils)) continue;
      ++both;
      for (const Values& v : vectors) {  // the length of what lies outside of the maps' plane
        Values rest = v;
        for (std::int64_t set = 0; set < 2; ++set) {
          cdouble along = 0;
          const auto map = [&](std::size_t c) {
            return cdouble(maps[std::size_t((set * coils + std::int64_t(c)) * count + i)]);
          };
          for (std::size_t c = 0; c < coils; ++c) along += std::conj(map(c)) * v[c];
          for (std::size_t c = 0; c < coils; ++c) rest[c] -= along * map(c);
        }
        double square = 0;
        for (const cdouble& x : rest) square += std::norm(x);
        QVERIFY2(square < 0.03 * 0.03, qPrintable(QString("pixel %1: %2").arg(i).arg(std::sqrt(square))));
      }
    }
    QVERIFY2(both > 30 && single > 100, qPrintable(QString("%1 %2").arg(both).arg(single)));
  }
};

SPOKELAB_TEST(TestTwoMapSets)

}  // namespace test_two_map_sets

#include "test_two_map_sets.moc"
