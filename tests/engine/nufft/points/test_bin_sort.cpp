// Sorting points: every point once, in its tile, where it was given; the same order for any number
// of threads.
#include <QtTest>

#include <cmath>
#include <cstring>

#include "engine/core/error.h"
#include "engine/nufft/plan/design.h"
#include "engine/nufft/points/sorted_coordinates.h"
#include "tests/engine/nufft/random_problem.h"
#include "tests/test_main.h"

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
    const NufftProblem problem = problemOf(dims, size, Precision::dbl);
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
#include "test_bin_sort.moc"
