// Sorting points: every point once, in its tile, where it was given; the same order for any number
// of threads.
#include <QtTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>

#include "engine/core/error.h"
#include "engine/nufft/kernel/crowding.h"
#include "engine/nufft/plan/design.h"
#include "engine/nufft/points/crowding.h"
#include "engine/nufft/points/offset_split.h"
#include "engine/nufft/points/sorted_coordinates.h"
#include "engine/nufft/schedule/partition.h"
#include "tests/engine/nufft/random_problem.h"
#include "tests/test_main.h"

namespace test_bin_sort {

using namespace spokelab;
using namespace spokelab::test;

namespace {

struct Sorted {
  SortedPoints<double> points;
  std::vector<std::int64_t> source;
  std::vector<double> coordinates;
};

template <int dims>
std::vector<std::int64_t> sourcesOf(const SortedPoints<double>& points) {
  std::vector<std::int64_t> sources;
  for (std::int64_t j = 0; j < points.count; ++j) sources.push_back(points.as<dims>()[j].source);
  return sources;
}

Sorted sorted(const NufftProblem& problem, const NufftOptions& options, const std::vector<double>& points,
              int threads) {
  const CpuPlanDesign<double> design(problem, options);
  Sorted s;
  binSort<double>(points, design.layout, design.options.width, threads, s.points);
  s.coordinates = sortedCoordinates(s.points, design.layout, design.options.width, threads);
  s.source = problem.dims == 1   ? sourcesOf<1>(s.points)
             : problem.dims == 2 ? sourcesOf<2>(s.points)
                                 : sourcesOf<3>(s.points);
  return s;
}

// [tile]: points of its fullest block of crowdBlockCells a side.
template <int dims>
std::vector<std::int64_t> fullestBlocksOf(const SortedPoints<double>& points, const GridLayout& layout) {
  const OffsetSplit<dims> split(layout);
  std::vector<std::int64_t> fullest(static_cast<std::size_t>(layout.tileCount()), 0);
  for (std::size_t tile = 0; tile < fullest.size(); ++tile) {
    std::map<std::array<std::uint32_t, 3>, std::int64_t> counts;
    for (std::int64_t j = points.tileBegin[tile]; j < points.tileBegin[tile + 1]; ++j) {
      const CellPosition at = split(points.as<dims>()[j].offset);
      const std::int64_t now =
          ++counts[{at.x / crowdBlockCells, at.y / crowdBlockCells, at.z / crowdBlockCells}];
      fullest[tile] = std::max(fullest[tile], now);
    }
  }
  return fullest;
}

std::vector<std::int64_t> fullestBlocks(const SortedPoints<double>& points, const GridLayout& layout) {
  return layout.dims == 1   ? fullestBlocksOf<1>(points, layout)
         : layout.dims == 2 ? fullestBlocksOf<2>(points, layout)
                            : fullestBlocksOf<3>(points, layout);
}

}  // namespace

class TestBinSort : public QObject {
  Q_OBJECT
 private slots:
  void keepsEveryPoint_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<int>("count");
    QTest::addColumn<double>("scale");  // of coordinates within +-1/2
    for (int dims = 1; dims <= 3; ++dims)
      for (const int count : {0, 1, 63, 64, 65, 1000, 70000})
        for (const double scale : {1e-3, 1.0, 50.0, 1e17})
          QTest::addRow("%d-D %d points times %g", dims, count, scale) << dims << count << scale;
  }
  void keepsEveryPoint() {
    QFETCH(int, dims);
    QFETCH(int, count);
    QFETCH(double, scale);
    const Index3 size = dims == 1 ? Index3{5000, 1, 1} : dims == 2 ? Index3{190, 77, 1} : Index3{40, 33, 25};
    const NufftProblem problem = problemOf(dims, size, Precision::double64);
    NufftOptions options;
    options.accuracy = 1e-6;
    std::mt19937 random(11);
    std::vector<double> points = uniformPoints(random, count, dims);
    for (double& k : points) k *= scale;
    const Sorted one = sorted(problem, options, points, 1);
    std::vector<char> seen(static_cast<std::size_t>(count), 0);
    for (std::size_t j = 0; j < one.source.size(); ++j) {
      const auto source = static_cast<std::size_t>(one.source[j]);
      QVERIFY(source < seen.size() && !seen[source]);
      seen[source] = 1;
      for (int d = 0; d < dims; ++d) {
        const auto at = static_cast<std::size_t>(d);
        const double k = points[source * static_cast<std::size_t>(dims) + at];
        const double found = one.coordinates[j * static_cast<std::size_t>(dims) + at];
        const double apart = std::abs(std::remainder(found - std::fmod(k, 1.0), 1.0));
        QVERIFY2(apart < 1e-14, qPrintable(QString("%1 for %2").arg(found).arg(k)));
        QVERIFY(found >= 0 && found < 1);
      }
    }
    QCOMPARE(one.source.size(), seen.size());
    for (const int threads : {2, 3, 7}) {
      const Sorted several = sorted(problem, options, points, threads);
      QCOMPARE(several.source, one.source);
      QVERIFY(several.points.tileBegin == one.points.tileBegin);
      QVERIFY(several.coordinates == one.coordinates);
    }
  }

  // Points of few a bin go by tile first, in several pieces where a tile has many; others go to
  // their bins at once. Partitions have bins of other widths.
  void boundsWhatABinHolds_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<int>("count");
    QTest::addColumn<double>("side");  // of the box in which the points lie
    QTest::addColumn<bool>("partitions");
    for (int dims = 1; dims <= 3; ++dims)
      for (const int count : {900, 2000, 20000, 150000})
        for (const double side : {1.0, 0.2, 1e-3})
          for (const bool partitions : {false, true})
            QTest::addRow("%d-D %d points in %g%s", dims, count, side, partitions ? ", partitions" : "")
                << dims << count << side << partitions;
  }
  void boundsWhatABinHolds() {
    QFETCH(int, dims);
    QFETCH(int, count);
    QFETCH(double, side);
    QFETCH(bool, partitions);
    const Index3 size = dims == 1 ? Index3{5000, 1, 1} : dims == 2 ? Index3{512, 256, 1} : Index3{40, 33, 25};
    NufftOptions options;
    options.accuracy = 1e-4;
    const CpuPlanDesign<double> design(problemOf(dims, size, Precision::double64), options);
    std::mt19937 random(13);
    std::vector<double> points = uniformPoints(random, count, dims);
    for (double& k : points) k *= side;
    const double width = design.options.width;
    const GridLayout layout =
        partitions ? withPartitions(design.layout, points, width, 0, true, true, 4) : design.layout;
    SortedPoints<double> sorted;
    binSort<double>(points, layout, width, 3, sorted);
    QCOMPARE(std::int64_t(sorted.mostInBin.size()), layout.tileCount());
    const std::vector<std::int64_t> blocks = fullestBlocks(sorted, layout);
    std::int64_t most = 0;
    for (std::size_t tile = 0; tile < blocks.size(); ++tile) {
      QVERIFY(sorted.mostInBin[tile] >= blocks[tile]);
      QVERIFY(sorted.mostInBin[tile] <= sorted.tileBegin[tile + 1] - sorted.tileBegin[tile]);
      most = std::max(most, blocks[tile]);
    }
    // Limits just below and above what the tiles hold.
    for (const std::int64_t limit : {most - 1, most, most / 2}) {
      const std::vector<std::uint8_t> crowded = crowdedTiles(sorted, layout, limit, 2);
      for (std::size_t tile = 0; tile < blocks.size(); ++tile)
        QCOMPARE(!crowded.empty() && crowded[tile] != 0, blocks[tile] > limit);
    }
  }

  void refusesWhatIsNotFinite() {
    const NufftProblem problem = problemOf(2, {30, 30, 1});
    std::mt19937 random(12);
    for (const double broken : {std::nan(""), HUGE_VAL, -HUGE_VAL})
      for (const std::size_t where : {0U, 127U, 128U, 999U}) {
        std::vector<double> points = uniformPoints(random, 500, 2);
        points[where] = broken;
        try {
          sorted(problem, {}, points, 2);
          QFAIL("not refused");
        } catch (const Error& e) {
          QVERIFY(e.reason().find("point " + std::to_string(where / 2) + " ") != std::string::npos);
        }
      }
  }
};

SPOKELAB_TEST(TestBinSort)

}  // namespace test_bin_sort

#include "test_bin_sort.moc"
