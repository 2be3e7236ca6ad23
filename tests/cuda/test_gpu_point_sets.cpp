// Several sets of points in one call on the GPU: every set as by a separate plan, by every method
// that takes sets.
#include <QtTest>
#include <limits>

#include "tests/cuda/gpu_test.h"
#include "tests/engine/nufft/plan/point_set_cases.h"
#include "tests/test_main.h"

namespace test_gpu_point_sets {

using namespace spokelab;
using namespace spokelab::gputest;
using namespace spokelab::test;

namespace {

NufftProblem problemOf(int dims, Precision precision, std::int64_t batch) {
  NufftProblem problem;
  problem.dims = dims;
  problem.size = dims == 1 ? Index3{61, 1, 1} : dims == 2 ? Index3{40, 33, 1} : Index3{10, 13, 18};
  problem.precision = precision;
  problem.batch = batch;
  return problem;
}

NufftOptions within(double accuracy, Method spread = Method::automatic,
                    Method interpolate = Method::automatic) {
  NufftOptions options;
  options.accuracy = accuracy;
  options.spread = spread;
  options.interpolate = interpolate;
  options.normal = NormalMethod::gridded;
  return options;
}

std::unique_ptr<Nufft<float>> made(const NufftProblem& problem, std::int64_t sets,
                                   const NufftOptions& options) {
  return backend()->plan<float>(ofSets(problem, sets), options);
}

// All sets together give what a plan gives for each alone.
void equalSinglePlans(const SetCase& given, const NufftOptions& options) {
  const NufftProblem& problem = given.problem;
  const auto images = setData<float>(given.sets() * problem.batch * problem.pixels(), 1),
             samples = setData<float>(problem.batch * given.count(), 2);
  const std::vector<double> weights(std::size_t(given.count()), 2);
  const auto plan = planOfSets<float>(*backend(), given, options);
  const auto all = resultsTogether<float>(*plan, given, images, samples, weights);
  const auto one = resultsOneByOne<float>(*backend(), given, options, images, samples, weights);
  QVERIFY(differenceOf(all.samples, one.samples) <= 1e-5);
  QVERIFY(differenceOf(all.images, one.images) <= 1e-5);
  QVERIFY(differenceOf(all.normals, one.normals) <= 1e-5);
}

}  // namespace

class TestGpuPointSets : public QObject {
  Q_OBJECT
 private slots:
  void setsEqualExactSumsAndSinglePlans_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<bool>("inDouble");
    QTest::addColumn<int>("batch");
    QTest::addColumn<int>("spread");
    QTest::addColumn<int>("interpolate");
    for (const int dims : {1, 2, 3})
      for (const bool inDouble : {false, true})
        for (const int batch : {1, 5})
          for (const auto& [spread, interpolate] : {std::pair{Method::automatic, Method::automatic},
                                                    std::pair{Method::pointDriven, Method::pointDriven},
                                                    std::pair{Method::pointSorted, Method::pointSorted},
                                                    std::pair{Method::subproblem, Method::subproblem},
                                                    std::pair{Method::fixedPoint, Method::pointSorted}}) {
            if (inDouble && spread == Method::fixedPoint) continue;
            QTest::addRow("%d-D, %s, %d images, %s", dims, inDouble ? "double" : "float", batch,
                          std::string(methodName(spread)).c_str())
                << dims << inDouble << batch << int(spread) << int(interpolate);
          }
  }
  void setsEqualExactSumsAndSinglePlans() {
    NEEDS_GPU();
    QFETCH(bool, inDouble);
    inDouble ? compare<double>(Precision::double64, 1e-7) : compare<float>(Precision::single, 1e-4);
  }

  // The limit leaves room for some sets at a time alone.
  void passesOfAFewSets() {
    NEEDS_GPU();
    const SetCase given = makeSets(problemOf(2, Precision::single, 3), unevenCounts(23), 5);
    NufftOptions options = within(1e-4, Method::pointSorted, Method::pointSorted);
    const auto whole = planOfSets<float>(*backend(), given, options);
    QVERIFY(whole->info().description.find(" 69 images a pass") != std::string::npos);
    options.memoryLimit = whole->info().memory / 2;
    const auto limited = made(given.problem, given.sets(), options);
    const auto images = setData<float>(given.sets() * 3 * given.problem.pixels(), 1),
               samples = setData<float>(3 * given.count(), 2);
    const std::vector<double> weights(std::size_t(given.count()), 2);
    const auto expected = resultsTogether<float>(*whole, given, images, samples, weights);
    const std::string said = refusalOf(*limited, given.view());
    QVERIFY2(said.empty(), said.c_str());
    QVERIFY(limited->info().memory <= options.memoryLimit);
    const auto all = resultsTogether<float>(*limited, given, images, samples, weights);
    QVERIFY(differenceOf(all.samples, expected.samples) <= 1e-5);
    QVERIFY(differenceOf(all.images, expected.images) <= 1e-5);
    QVERIFY(differenceOf(all.normals, expected.normals) <= 1e-5);
  }

  void largeSetsTakeSeveralPasses() {
    NEEDS_GPU();
    NufftProblem problem = problemOf(2, Precision::single, 10);
    problem.size = {256, 256, 1};
    equalSinglePlans(makeSets(problem, {3000, 0, 5000, 2000, 1, 4000, 3000}, 6),
                     within(1e-4, Method::pointSorted, Method::pointSorted));
  }

  // So many that they are sorted by way of buckets.
  void setsOfManyPointsEqualSinglePlans_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<int>("spread");
    for (const int dims : {1, 2, 3})
      for (const Method spread : {Method::pointSorted, Method::subproblem, Method::fixedPoint})
        QTest::addRow("%d-D, %s", dims, std::string(methodName(spread)).c_str()) << dims << int(spread);
  }
  void setsOfManyPointsEqualSinglePlans() {
    NEEDS_GPU();
    QFETCH(int, dims);
    QFETCH(int, spread);
    NufftProblem problem = problemOf(dims, Precision::single, 2);
    problem.size = dims == 1 ? Index3{50000, 1, 1} : dims == 2 ? Index3{256, 256, 1} : Index3{48, 40, 32};
    equalSinglePlans(makeSets(problem, {300000, 0, 520000, 40000, 1}, 8),
                     within(1e-4, Method(spread), Method::pointSorted));
  }

  // So many points of single sets lie in a few cells that they are summed in double.
  void crowdedSetsKeepContract() {
    NEEDS_GPU();
    NufftProblem problem = problemOf(2, Precision::single, 2);
    SetCase given = makeSets(problem, {500, 20000, 0, 300, 20000, 800}, 7);
    for (std::int64_t j = given.offsets[1]; j < given.offsets[2]; ++j)
      given.points[std::size_t(2 * j)] = given.points[std::size_t(2 * j + 1)] = 0.1234;
    const double accuracy = 1e-5;
    const auto images = setData<float>(given.sets() * 2 * problem.pixels(), 1);
    std::vector<cfloat> samples(std::size_t(2 * given.count()), cfloat(1, 0));
    const auto plan = planOfSets<float>(*backend(), given, within(accuracy, Method::pointSorted));
    QVERIFY(plan->info().description.find("crowded points") != std::string::npos);
    const auto all = resultsTogether<float>(*plan, given, images, samples,
                                            std::vector<double>(std::size_t(given.count()), 1));
    const SetErrors errors = errorsOfSets<float>(given, all, images, samples);
    QVERIFY2(errors.forward <= 1.5 * accuracy && errors.adjoint <= 1.5 * accuracy,
             qPrintable(QString("%1 %2: ").arg(errors.forward).arg(errors.adjoint) +
                        QString::fromStdString(plan->info().description)));
  }

  void badSetsAreNamedAndOldPointsKept() {
    NEEDS_GPU();
    const SetCase given = makeSets(problemOf(2, Precision::single, 2), unevenCounts(12), 1);
    const auto plan =
        made(given.problem, given.sets(), within(1e-3, Method::pointSorted, Method::pointSorted));
    const auto images = setData<float>(given.sets() * 2 * given.problem.pixels(), 2);
    std::vector<cfloat> before(std::size_t(2 * given.count())), after(before.size());
    QVERIFY_EXCEPTION_THROWN(plan->forward(images.data(), before.data()), Error);
    plan->setPoints(given.view());
    plan->forward(images.data(), before.data());
    SetCase bad = given;
    bad.points[std::size_t(2 * (bad.offsets[7] + 5))] = std::numeric_limits<double>::quiet_NaN();
    const std::string said = refusalOf(*plan, bad.view());
    QVERIFY2(said.find("point 5 of set 7 ") != std::string::npos, said.c_str());
    QVERIFY_EXCEPTION_THROWN(plan->setPoints(given.points), Error);
    QCOMPARE(plan->points(), given.count());
    plan->forward(images.data(), after.data());
    QCOMPARE(after, before);
  }

  void noPointsGiveExactZeros() {
    NEEDS_GPU();
    const SetCase given = makeSets(problemOf(2, Precision::single, 2), {0, 0, 0}, 1);
    const auto plan = planOfSets<float>(*backend(), given, within(1e-3));
    std::vector<cfloat> images(std::size_t(6 * given.problem.pixels()), cfloat(1, 1));
    plan->forward(images.data(), nullptr);
    plan->adjoint(nullptr, images.data());
    for (const cfloat& v : images) QCOMPARE(v, cfloat(0));
  }

  void methodsOfOneSetAreRefusedWithTheReason() {
    NEEDS_GPU();
    const NufftProblem problem = problemOf(2, Precision::single, 2);
    for (const Method m : {Method::tensor, Method::sparse, Method::sector, Method::outputDriven}) {
      std::string said;
      try {
        const auto plan = made(problem, 4, within(1e-3, m));
      } catch (const Error& e) {
        said = e.what();
      }
      QVERIFY2(said.find("several sets of points") != std::string::npos, said.c_str());
    }
    NufftOptions toeplitz;
    toeplitz.normal = NormalMethod::toeplitz;
    QVERIFY_EXCEPTION_THROWN(made(problem, 4, toeplitz), Error);
  }

 private:
  template <class Real>
  void compare(Precision precision, double accuracy) {
    QFETCH(int, dims);
    QFETCH(int, batch);
    QFETCH(int, spread);
    QFETCH(int, interpolate);
    const SetCase given = makeSets(problemOf(dims, precision, batch), unevenCounts(11), unsigned(dims));
    const auto images = setData<Real>(given.sets() * batch * given.problem.pixels(), 2),
               samples = setData<Real>(batch * given.count(), 3);
    std::vector<double> weights(std::size_t(given.count()));
    for (std::size_t j = 0; j < weights.size(); ++j) weights[j] = 0.5 + 0.1 * double(j % 7);
    const NufftOptions options = within(accuracy, Method(spread), Method(interpolate));
    const auto plan = planOfSets<Real>(*backend(), given, options);
    QCOMPARE(plan->points(), given.count());
    const auto all = resultsTogether<Real>(*plan, given, images, samples, weights);
    const SetErrors errors = errorsOfSets<Real>(given, all, images, samples);
    QVERIFY2(errors.forward <= 1.5 * accuracy && errors.adjoint <= 1.5 * accuracy,
             qPrintable(QString("%1 %2").arg(errors.forward).arg(errors.adjoint)));
    // Methods that were left open may be others for one set.
    const auto one = resultsOneByOne<Real>(*backend(), given, plan->info().options, images, samples, weights);
    const double rounding = sizeof(Real) == 4 ? 1e-5 : 1e-12;
    QVERIFY(differenceOf(all.samples, one.samples) <= rounding);
    QVERIFY(differenceOf(all.images, one.images) <= rounding);
    QVERIFY(differenceOf(all.normals, one.normals) <= rounding);
  }
};

SPOKELAB_CORE_TEST(TestGpuPointSets)

}  // namespace test_gpu_point_sets

#include "test_gpu_point_sets.moc"
