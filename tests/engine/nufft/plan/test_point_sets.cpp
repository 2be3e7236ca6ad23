// Several sets of points in one call on the CPU: every set as by a separate plan.
#include <QtTest>
#include <limits>

#include "engine/nufft/plan/cpu_point_sets.h"
#include "engine/recon/sense/backend_cpu.h"
#include "tests/engine/nufft/plan/point_set_cases.h"
#include "tests/test_main.h"

namespace test_point_sets {

using namespace spokelab;
using namespace spokelab::test;

namespace {

NufftProblem problemOf(int dims, Precision precision, std::int64_t batch) {
  NufftProblem problem;
  problem.dims = dims;
  problem.size = dims == 1 ? Index3{61, 1, 1} : dims == 2 ? Index3{24, 19, 1} : Index3{10, 13, 8};
  problem.precision = precision;
  problem.batch = batch;
  return problem;
}

NufftOptions within(double accuracy, int threads) {
  NufftOptions options;
  options.accuracy = accuracy;
  options.threads = threads;
  options.normal = NormalMethod::gridded;
  return options;
}

}  // namespace

class PointSetsTest : public QObject {
  Q_OBJECT
 private slots:
  void setsEqualExactSumsAndSinglePlans_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<bool>("inDouble");
    QTest::addColumn<int>("batch");
    QTest::addColumn<int>("threads");
    for (const int dims : {1, 2, 3})
      for (const bool inDouble : {false, true})
        for (const int batch : {1, 5})
          for (const int threads : {1, 4, 32})
            QTest::addRow("%d-D, %s, %d images, %d threads", dims, inDouble ? "double" : "float", batch,
                          threads)
                << dims << inDouble << batch << threads;
  }
  void setsEqualExactSumsAndSinglePlans() {
    QFETCH(bool, inDouble);
    inDouble ? compare<double>(Precision::double64, 1e-7) : compare<float>(Precision::single, 1e-4);
  }

  void badSetsAreNamedAndOldPointsKept() {
    const SetCase given = makeSets(problemOf(2, Precision::single, 2), unevenCounts(12), 1);
    const auto plan = makeCpuPointSets<float>(ofSets(given.problem, given.sets()), within(1e-3, 4));
    const auto images = setData<float>(given.sets() * 2 * given.problem.pixels(), 2);
    std::vector<cfloat> before(std::size_t(2 * given.count())), after(before.size());
    QVERIFY_EXCEPTION_THROWN(plan->forward(images.data(), before.data()), Error);
    plan->setPoints(given.view());
    plan->forward(images.data(), before.data());
    SetCase bad = given;
    bad.points[std::size_t(2 * (bad.offsets[7] + 5))] = std::numeric_limits<double>::quiet_NaN();
    const std::string said = refusalOf(*plan, bad.view());
    QVERIFY2(said.find("point 5 of set 7 ") != std::string::npos, said.c_str());
    // The points of one set need no offsets.
    const std::vector<double> oneSet{0, 0.1, 0.2, std::numeric_limits<double>::infinity()};
    QVERIFY_EXCEPTION_THROWN(requireFinitePoints(oneSet, 2, 1), Error);
    for (std::vector<std::int64_t> offsets : {std::vector<std::int64_t>{0, given.count()},
                                              {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, given.count()},
                                              {0, 9, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, given.count()},
                                              {0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, given.count() - 1}})
      QVERIFY(!refusalOf(*plan, {given.points, offsets}).empty());
    QVERIFY_EXCEPTION_THROWN(plan->setPoints(given.points), Error);
    QCOMPARE(plan->points(), given.count());
    plan->forward(images.data(), after.data());
    QCOMPARE(after, before);
  }

  void newSetsReplaceOldOnes() {
    const NufftProblem problem = problemOf(2, Precision::single, 1);
    const auto plan = makeCpuPointSets<float>(ofSets(problem, 6), within(1e-4, 4));
    for (const unsigned seed : {1u, 2u, 3u}) {
      const SetCase given = makeSets(problem, {70, 0, std::int64_t(10 * seed), 500, 1, 300}, seed);
      plan->setPoints(given.view());
      const auto images = setData<float>(6 * problem.pixels(), 4), samples = setData<float>(given.count(), 5);
      if (seed > 1) {  // weights of the points before: no part of either transform, and too few for normal()
        std::vector<cfloat> out(std::max(images.size(), samples.size()));
        plan->forward(images.data(), out.data());
        QVERIFY_EXCEPTION_THROWN(plan->normal(images.data(), out.data()), Error);
      }
      const auto all =
          resultsTogether<float>(*plan, given, images, samples, std::vector<double>(samples.size(), 1));
      const SetErrors errors = errorsOfSets<float>(given, all, images, samples);
      QVERIFY2(errors.forward <= 1.5e-4 && errors.adjoint <= 1.5e-4,
               qPrintable(QString("%1 %2").arg(errors.forward).arg(errors.adjoint)));
    }
  }

  void whatTakesOneSetIsRefused() {
    NufftOptions options = within(1e-3, 1);
    options.normal = NormalMethod::toeplitz;
    const NufftProblem problem = problemOf(2, Precision::single, 1);
    QVERIFY_EXCEPTION_THROWN(makeCpuPointSets<float>(ofSets(problem, 4), options), Error);
    QVERIFY_EXCEPTION_THROWN(makeCpuPointSets<float>(problem, within(1e-3, 1)), Error);
  }

  void memoryIsBounded() {
    const NufftProblem problem = problemOf(2, Precision::single, 5);
    const SetCase given = makeSets(problem, unevenCounts(20), 1);
    NufftOptions options = within(1e-3, 8);
    const std::int64_t free = estimateCpuPointSets(ofSets(problem, given.sets()), options, given.count());
    const auto plan = makeCpuPointSets<float>(ofSets(problem, given.sets()), options);
    plan->setPoints(given.view());
    QVERIFY(plan->info().memory > 0 && plan->info().memory <= 2 * free);
    options.memoryLimit = free / 3;
    const auto small = makeCpuPointSets<float>(ofSets(problem, given.sets()), options);
    QVERIFY(small->info().memory < plan->info().memory);
  }

 private:
  template <class Real>
  void compare(Precision precision, double accuracy) {
    QFETCH(int, dims);
    QFETCH(int, batch);
    QFETCH(int, threads);
    const SetCase given = makeSets(problemOf(dims, precision, batch), unevenCounts(11), unsigned(dims));
    const auto images = setData<Real>(given.sets() * batch * given.problem.pixels(), 2),
               samples = setData<Real>(batch * given.count(), 3);
    std::vector<double> weights(std::size_t(given.count()));
    for (std::size_t j = 0; j < weights.size(); ++j) weights[j] = 0.5 + 0.1 * double(j % 7);
    const auto backend = makeCpuBackend();
    const NufftOptions options = within(accuracy, threads);
    const auto plan = planOfSets<Real>(*backend, given, options);
    QCOMPARE(plan->points(), given.count());
    const auto all = resultsTogether<Real>(*plan, given, images, samples, weights);
    const SetErrors errors = errorsOfSets<Real>(given, all, images, samples);
    QVERIFY2(errors.forward <= 1.5 * accuracy && errors.adjoint <= 1.5 * accuracy,
             qPrintable(QString("%1 %2").arg(errors.forward).arg(errors.adjoint)));
    // A set that one thread transforms by itself is one that a plan of one thread transforms.
    const auto one = resultsOneByOne<Real>(*backend, given, within(accuracy, threads < 32 ? 1 : threads),
                                           images, samples, weights);
    if (threads < 32) {
      QCOMPARE(all.samples, one.samples);
      QCOMPARE(all.images, one.images);
      QCOMPARE(all.normals, one.normals);
    }
    const double rounding = sizeof(Real) == 4 ? 1e-5 : 1e-13;
    QVERIFY(differenceOf(all.samples, one.samples) <= rounding);
    QVERIFY(differenceOf(all.images, one.images) <= rounding);
    QVERIFY(differenceOf(all.normals, one.normals) <= rounding);
  }
};

SPOKELAB_TEST(PointSetsTest)

}  // namespace test_point_sets

#include "test_point_sets.moc"
