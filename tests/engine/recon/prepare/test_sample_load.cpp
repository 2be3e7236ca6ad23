// Samples counted cell by cell agree with a count by hand.
#include <QtTest>

#include <cmath>
#include <map>

#include "engine/core/error.h"
#include "engine/recon/prepare/sample_load.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/test_main.h"

namespace test_sample_load {

using namespace spokelab;

class TestSampleLoad : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aFullGridHasOneSampleACellAndNoHoles() {
    Trajectory t;
    for (int y = -8; y < 8; ++y)
      for (int x = -8; x < 8; ++x) {
        t.points.push_back(x);
        t.points.push_back(y);
      }
    t.shotOffsets = {0, 256};
    const SampleLoad load = sampleLoad(t, {16, 16, 1}, {16, 16, 1}, {1, 1, 1}, {});
    QCOMPARE(load.cells, std::int64_t(256));
    QCOMPARE(load.most, 1.0);
    QCOMPARE(load.mean, 1.0);
    QCOMPARE(load.holes, 0.0);
    const SampleLoad tiles = sampleLoad(t, {16, 16, 1}, {16, 16, 1}, {8, 4, 1}, {});
    QCOMPARE(tiles.cells, std::int64_t(8));
    for (const float n : tiles.of) QCOMPARE(n, 32.0F);
  }

  void aHoleIsCounted() {
    Trajectory t;
    for (int y = -8; y < 8; ++y)
      for (int x = -8; x < 8; ++x)
        if (std::abs(x) > 2 || std::abs(y) > 2) {
          t.points.push_back(x);
          t.points.push_back(y);
        }
    t.shotOffsets = {0, std::int64_t(t.points.size() / 2)};
    const SampleLoad load = sampleLoad(t, {16, 16, 1}, {16, 16, 1}, {1, 1, 1}, {});
    QCOMPARE(load.cells, std::int64_t(256 - 25));
    // 25 of the cells whose middles lie within 8 of the centre.
    int inside = 0;
    for (int y = 0; y < 16; ++y)
      for (int x = 0; x < 16; ++x) inside += std::hypot(x - 7.5, y - 7.5) <= 8;
    QVERIFY(std::abs(load.holes - 25.0 / inside) < 1e-12);
  }

  void eachSampleKnowsItsTile() {
    SimulateOptions options;
    options.trajectory.pattern = Pattern::radial3d;
    options.trajectory.matrix = {24, 24, 24};
    const auto scan = simulate(options, {});
    const Trajectory& t = scan->trajectory(0);
    const Index3 grid{36, 36, 36}, tile{16, 8, 8};
    const SampleLoad load = sampleLoad(t, scan->geometry.matrix, grid, tile, {});
    std::map<std::array<int, 3>, int> byHand;
    const auto tileOf = [&](std::int64_t s) {
      std::array<int, 3> at{};
      for (std::size_t d = 0; d < 3; ++d) {
        double turn = t.points[std::size_t(s) * 3 + d] / 24 + 0.5;
        turn -= std::floor(turn);
        at[d] = int(std::min(35.0, std::floor(turn * 36))) / int(tile[d]);
      }
      return at;
    };
    for (std::int64_t s = 0; s < t.samples(); ++s) ++byHand[tileOf(s)];
    for (std::int64_t s = 0; s < t.samples(); ++s) QCOMPARE(int(load.of[std::size_t(s)]), byHand[tileOf(s)]);
    QCOMPARE(load.cells, std::int64_t(byHand.size()));
    QVERIFY(load.most > 2 * load.mean);  // the middle of a radial pattern is crowded
  }

  void tooManyCellsAreRefusedAndACancelIsHeard() {
    Trajectory t;
    t.points = {0, 0};
    t.shotOffsets = {0, 1};
    QVERIFY_THROWS_EXCEPTION(Error, sampleLoad(t, {64, 64, 1}, {100'000, 100'000, 1}, {1, 1, 1}, {}));
    std::stop_source stop;
    stop.request_stop();
    QVERIFY_THROWS_EXCEPTION(Cancelled,
                             sampleLoad(t, {8, 8, 1}, {8, 8, 1}, {1, 1, 1}, Progress(stop.get_token())));
  }
};

SPOKELAB_CORE_TEST(TestSampleLoad)

}  // namespace test_sample_load

#include "test_sample_load.moc"
