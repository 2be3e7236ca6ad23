// Tiles are as large as usual where a turn has enough of them for all threads, and smaller where it
// has not.
#include <QtTest>

#include <complex>

#include "engine/nufft/points/grid_layout.h"
#include "engine/nufft/points/shared_tile.h"
#include "tests/test_main.h"

namespace test_shared_tile {

using namespace spokelab;

class TestSharedTile : public QObject {
  Q_OBJECT

 private slots:
  void aTurnHasATileForEachThread() {
    constexpr int reach = 5;
    for (const int dims : {2, 3})
      for (const std::int64_t side : {24, 72, 160, 320, 640})
        for (const int shares : {1, 2, 8, 16, 64, 256}) {
          const Index3 grid = dims == 2 ? Index3{side, side, 1} : Index3{side, side, side};
          const auto layoutOf = [&](const Index3& tile) {
            return makeGridLayout(dims, grid, reach, reach, tile, sizeof(std::complex<float>));
          };
          const GridLayout usual = layoutOf({0, 0, 0}),
                           shared = layoutOf(sharedTile(dims, grid, reach, shares));
          QCOMPARE(shared.tile, sharedTile(dims, grid, reach, shares));
          const auto turn = [dims](const GridLayout& l) { return double(l.tileCount()) / (1 << dims); };
          if (shares == 1 || turn(usual) >= 2 * shares) QCOMPARE(shared.tile, usual.tile);
          QCOMPARE(shared.tile[0], usual.tile[0]);
          bool isSmallest = true;  // no power of two below holds a point's reach
          for (int d = 1; d < dims; ++d) {
            QVERIFY(shared.tile[std::size_t(d)] >= std::min<std::int64_t>(reach, side));
            isSmallest = isSmallest && shared.tile[std::size_t(d)] <= 8;
          }
          QVERIFY(shares == 1 || turn(shared) >= shares || isSmallest);
        }
  }

  // 16 threads had 9 tiles in a turn.
  void aPreviewsVolumeIsSharedOut() {
    QCOMPARE(sharedTile(3, {72, 72, 72}, 5, 16), (Index3{32, 8, 8}));
    QCOMPARE(sharedTile(3, {72, 72, 72}, 5, 2), (Index3{32, 16, 16}));
    QCOMPARE(sharedTile(2, {320, 320, 1}, 6, 16), (Index3{64, 16, 1}));
    QCOMPARE(sharedTile(1, {4096, 1, 1}, 6, 16), (Index3{4096, 1, 1}));
  }
};

SPOKELAB_TEST(TestSharedTile)

}  // namespace test_shared_tile

#include "test_shared_tile.moc"
