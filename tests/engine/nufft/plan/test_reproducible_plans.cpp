// NufftOptions::reproducible on the CPU: every direction gives the same bits with any number of
// threads, in every run, in every method.
#include <QtTest>

#include <cstring>

#include <nlohmann/json.hpp>

#include "engine/nufft/tune/candidate_json.h"
#include "engine/nufft/type3/type3.h"
#include "engine/recon/options/options.h"
#include "tests/engine/nufft/plan/plan_test.h"
#include "tests/test_main.h"

namespace test_reproducible_plans {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr int threadCounts[] = {1, 2, 3, 8};

template <class Real>
using Values = std::vector<std::complex<Real>>;

template <class Real>
bool same(const Values<Real>& a, const Values<Real>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0;
}

// Adjoint and normal of random data.
template <class Real>
Values<Real> results(const NufftProblem& problem, NufftOptions options, const std::vector<double>& points,
                     int threads) {
  options.threads = threads;
  const auto plan = makePlan<Real>(problem, options);
  plan->setPoints(points);
  std::vector<double> weights(std::size_t(plan->points()));
  for (std::size_t j = 0; j < weights.size(); ++j) weights[j] = 1 + double(j % 7);
  plan->setWeights(weights);
  const auto samples = randomData<Real>(problem.batch * plan->points(), 2);
  const auto image = randomData<Real>(problem.batch * problem.pixels(), 1);
  Values<Real> adjoint(image.size()), normal(image.size());
  plan->adjoint(samples.data(), adjoint.data());
  plan->normal(image.data(), normal.data());
  adjoint.insert(adjoint.end(), normal.begin(), normal.end());
  return adjoint;
}

NufftProblem problemOf(int dims, Index3 size, std::int64_t batch) {
  NufftProblem problem;
  problem.dims = dims;
  problem.size = size;
  problem.batch = batch;
  return problem;
}

}  // namespace

class TestReproduciblePlans : public QObject {
  Q_OBJECT
 private slots:
  void bitsDoNotDependOnThreads_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<int>("batch");
    QTest::addColumn<QString>("spread");
    QTest::addColumn<QString>("scheduler");
    QTest::addColumn<QString>("normal");
    for (const int dims : {1, 2, 3})
      for (const char* scheduler : {"tiles", "graph"})
        for (const char* normal : {"auto", "gridded", "toeplitz", "toeplitz-shifted"})
          QTest::addRow("%d-D blocked %s %s", dims, scheduler, normal)
              << dims << 1 << "blocked" << scheduler << normal;
    QTest::addRow("five images") << 2 << 5 << "blocked"
                                 << "tiles"
                                 << "gridded";
    QTest::addRow("seven images in 3-D") << 3 << 7 << "blocked"
                                         << "graph"
                                         << "gridded";
    QTest::addRow("sparse") << 2 << 5 << "sparse"
                            << "tiles"
                            << "gridded";
    QTest::addRow("sparse in 3-D") << 3 << 1 << "sparse"
                                   << "tiles"
                                   << "gridded";
  }

  void bitsDoNotDependOnThreads() {
    QFETCH(int, dims);
    QFETCH(int, batch);
    QFETCH(QString, spread);
    QFETCH(QString, scheduler);
    QFETCH(QString, normal);
    const Index3 sizes[] = {{20000, 1, 1}, {96, 90, 1}, {24, 26, 22}};
    const auto points = radialPoints(dims, 300, dims == 1 ? 400 : 128, 5);
    const NufftProblem problem = problemOf(dims, sizes[dims - 1], batch);
    NufftOptions options;
    options.spread = options.interpolate = methodFromName(spread.toStdString());
    options.scheduler.kind = schedulerFromName(scheduler.toStdString());
    options.normal = normalMethodFromName(normal.toStdString());
    options.reproducible = true;
    const Values<float> one = results<float>(problem, options, points, 1);
    for (const int threads : threadCounts)
      QVERIFY2(same(one, results<float>(problem, options, points, threads)),
               qPrintable(QStringLiteral("float, %1 threads").arg(threads)));
    options.accuracy = 1e-8;
    const Values<double> two = results<double>(problem, options, points, 2);
    for (const int threads : threadCounts)
      QVERIFY2(same(two, results<double>(problem, options, points, threads)),
               qPrintable(QStringLiteral("double, %1 threads").arg(threads)));
  }

  // Points crowd, so that sums in two levels take part, in copies and in the grid.
  void crowdsRepeatToo() {
    const auto crowd = randomPoints(2, 200000, 3, 1.0 / 64);
    const NufftProblem problem = problemOf(2, {128, 128, 1}, 1);
    NufftOptions options;
    options.accuracy = 1e-5;
    options.reproducible = true;
    const Values<float> one = results<float>(problem, options, crowd, 1);
    for (const int threads : threadCounts)
      QVERIFY(same(one, results<float>(problem, options, crowd, threads)));
  }

  void transformsFromPointsToPointsRepeat() {
    const auto sources = radialPoints(2, 100, 128, 5), targets = randomPoints(2, 5000, 6, 40);
    Type3Problem problem;
    problem.dims = 2;
    NufftOptions options;
    options.reproducible = true;
    const auto values = randomData<float>(12800, 7), others = randomData<float>(5000, 8);
    Values<float> first;
    for (const int threads : threadCounts) {
      options.threads = threads;
      Type3<float> transform(problem, options);
      transform.setPoints(sources, targets);
      Values<float> out(others.size() + values.size());
      transform.forward(values.data(), out.data());
      transform.adjoint(others.data(), out.data() + others.size());
      if (first.empty()) first = out;
      QVERIFY(same(first, out));
    }
  }

  // Otherwise nothing above would show anything.
  void withoutTheSwitchThreadsChangeTheSums() {
    const auto points = radialPoints(2, 300, 128, 5);
    const NufftProblem problem = problemOf(2, {96, 90, 1}, 1);
    NufftOptions options;
    options.normal = NormalMethod::gridded;
    QVERIFY(!same(results<float>(problem, options, points, 1), results<float>(problem, options, points, 8)));
  }

  void keepsTheAccuracy() {
    const auto points = radialPoints(2, 40, 64, 6);
    NufftOptions options = withAccuracy(1e-5);
    options.reproducible = true;
    QVERIFY(errorOf<float>(problemOf(2, {40, 36, 1}, 3), options, points) < 1e-5);
  }

  void isAnOptionOfTheTable() {
    ReconOptions options;
    QCOMPARE(optionValue(options, "reproducible"), std::string("false"));
    setOption(options, "reproducible", "true");
    QVERIFY(options.nufft.reproducible);
    QVERIFY(nufftOptionsOfJson(nufftOptionsToJson(options.nufft)) == options.nufft);
    QVERIFY(!nufftOptionsToJson(NufftOptions{}).contains("reproducible"));
    const auto plan = makePlan<float>(problemOf(2, {8, 8, 1}, 1), options.nufft);
    QVERIFY(plan->info().description.ends_with(", reproducible"));
  }
};

SPOKELAB_TEST(TestReproduciblePlans)

}  // namespace test_reproducible_plans

#include "test_reproducible_plans.moc"
