// Calls of a plan: normal operators, batches, points set again, wrong input, stages, memory.
#include <QtTest>

#include <limits>
#include <thread>

#include "engine/core/error.h"
#include "tests/engine/nufft/plan/plan_test.h"
#include "tests/test_main.h"

namespace test_plan_calls {

using namespace spokelab;
using namespace spokelab::test;

class PlanCallsTest : public QObject {
  Q_OBJECT

 private slots:
  void normalIsAdjointOfWeightedForward();
  void normalWorksInPlace();
  void batchEqualsSingleTransforms();
  void noPointsGiveExactZeros();
  void pointsCanBeSetAgain();
  void pointsComeInOtherUnitsAndByOffsets();
  void notFiniteInputDoesNotOutliveItsCall();
  void wrongInputIsRefused();
  void sizesBeyondAnyMachineAreRefused();
  void stagesAddUp();
  void memoryLimitIsKept();
  void plansInSeveralThreadsDoNotDisturbEachOther();
};

void PlanCallsTest::normalIsAdjointOfWeightedForward() {
  for (bool weighted : {false, true}) {
    NufftProblem problem;
    problem.size = {32, 27, 1};
    problem.batch = 2;
    const std::vector<double> points = randomPoints(2, 3000, 21);
    std::vector<double> weights(3000);
    for (std::size_t j = 0; j < weights.size(); ++j) weights[j] = 0.5 + static_cast<double>(j % 7);
    NufftOptions options = withAccuracy(1e-9);
    options.normal = NormalMethod::gridded;
    const auto plan = makePlan<double>(problem, options);
    plan->setPoints(points);
    const auto image = randomData<double>(2 * problem.pixels(), 22);
    std::vector<cdouble> samples(6000), expected(image.size()), result(image.size());
    plan->forward(image.data(), samples.data());
    for (std::size_t j = 0; weighted && j < samples.size(); ++j) samples[j] *= weights[j % 3000];
    plan->adjoint(samples.data(), expected.data());
    if (weighted) plan->setWeights(weights);
    plan->normal(image.data(), result.data());
    QVERIFY(distance(result.data(), expected) < 1e-13);
  }
}

void PlanCallsTest::normalWorksInPlace() {
  NufftProblem problem;
  problem.dims = 3;
  problem.size = {12, 10, 9};
  const auto plan = makePlan<float>(problem, withAccuracy(1e-3));
  plan->setPoints(randomPoints(3, 2000, 23));
  auto image = randomData<float>(problem.pixels(), 24);
  std::vector<cfloat> apart(image.size());
  plan->normal(image.data(), apart.data());
  plan->normal(image.data(), image.data());
  QVERIFY(image == apart);
}

void PlanCallsTest::batchEqualsSingleTransforms() {
  for (int dims : {1, 2, 3}) {
    NufftProblem problem;
    problem.dims = dims;
    problem.size = {20, dims > 1 ? 12 : 1, dims > 2 ? 10 : 1};
    for (std::int64_t batch : {2, 3, 5}) {
      problem.batch = batch;
      QVERIFY(errorOf<float>(problem, withAccuracy(1e-3), randomPoints(dims, 300, 25)) <= 2e-3);
      QVERIFY(errorOf<double>(problem, withAccuracy(1e-8, 1.5), randomPoints(dims, 300, 26)) <= 2e-8);
    }
  }
}

void PlanCallsTest::noPointsGiveExactZeros() {
  NufftProblem problem;
  problem.size = {8, 8, 1};
  const auto plan = makePlan<float>(problem, withAccuracy(1e-3));
  for (bool set : {false, true}) {
    if (set) plan->setPoints({});
    std::vector<cfloat> image(64, cfloat(3, 4)), in(64, cfloat(1, 1));
    plan->adjoint(nullptr, image.data());
    QCOMPARE(image, std::vector<cfloat>(64));
    image.assign(64, cfloat(3, 4));
    plan->normal(in.data(), image.data());
    QCOMPARE(image, std::vector<cfloat>(64));
    plan->forward(in.data(), nullptr);
    QCOMPARE(plan->points(), std::int64_t{0});
  }
}

void PlanCallsTest::pointsComeInOtherUnitsAndByOffsets() {
  NufftProblem problem;
  problem.size = {30, 26, 1};
  const std::vector<double> points = randomPoints(2, 500, 31);
  const auto plan = makePlan<double>(problem, withAccuracy(1e-6));
  const auto image = randomData<double>(problem.pixels(), 32);
  std::vector<cdouble> expected(500), found(500);
  plan->setPoints(points);
  plan->forward(image.data(), expected.data());
  std::vector<double> multiples;  // powers of 2, whose quotients are exact
  for (std::size_t i = 0; i < points.size(); ++i) multiples.push_back((i % 2 ? 64 : 0.5) * points[i]);
  PlanPoints given(multiples);
  given.divisors = {0.5, 64, 1};
  plan->setPoints(given);
  plan->forward(image.data(), found.data());
  QCOMPARE(found, expected);
  const std::vector<std::int64_t> oneSet{0, 500}, twoSets{0, 100, 500};
  plan->setPoints({points, oneSet});
  plan->forward(image.data(), found.data());
  QCOMPARE(found, expected);
  // The points of before remain where others are refused.
  QVERIFY_EXCEPTION_THROWN(plan->setPoints({points, twoSets}), Error);
  QVERIFY_EXCEPTION_THROWN(plan->setPoints(devicePoints(points)), Error);
  plan->forward(image.data(), found.data());
  QCOMPARE(found, expected);
}

void PlanCallsTest::pointsCanBeSetAgain() {
  NufftProblem problem;
  problem.size = {30, 30, 1};
  const auto used = makePlan<double>(problem, withAccuracy(1e-6));
  for (std::int64_t count : {5000, 10, 60000, 300}) {
    const std::vector<double> points = randomPoints(2, count, static_cast<unsigned>(count));
    const auto fresh = makePlan<double>(problem, withAccuracy(1e-6));
    used->setPoints(points);
    fresh->setPoints(points);
    const auto samples = randomData<double>(count, 27);
    std::vector<cdouble> a(900), b(900);
    used->adjoint(samples.data(), a.data());
    fresh->adjoint(samples.data(), b.data());
    QVERIFY(a == b);
  }
}

void PlanCallsTest::notFiniteInputDoesNotOutliveItsCall() {
  NufftProblem problem;
  problem.dims = 3;
  problem.size = {14, 11, 13};
  const auto plan = makePlan<float>(problem, withAccuracy(1e-3));
  plan->setPoints(randomPoints(3, 2000, 28));
  auto image = randomData<float>(problem.pixels(), 29);
  auto samples = randomData<float>(2000, 30);
  std::vector<cfloat> f(samples.size()), a(image.size()), f2(samples.size()), a2(image.size());
  plan->forward(image.data(), f.data());
  plan->adjoint(samples.data(), a.data());
  auto badImage = image;
  auto badSamples = samples;
  badImage[17] = badSamples[5] = cfloat(std::nanf(""), INFINITY);
  plan->forward(badImage.data(), f2.data());
  plan->forward(image.data(), f2.data());
  QVERIFY(f == f2);
  plan->adjoint(badSamples.data(), a2.data());
  plan->adjoint(samples.data(), a2.data());
  QVERIFY(a == a2);
  plan->adjoint(badSamples.data(), a2.data());
  plan->forward(image.data(), f2.data());
  QVERIFY(f == f2);
}

void PlanCallsTest::wrongInputIsRefused() {
  NufftProblem problem;
  problem.size = {8, 8, 1};
  const auto plan = makePlan<float>(problem, withAccuracy(1e-3));
  for (double bad : {std::nan(""), double(INFINITY), -double(INFINITY)}) {
    std::vector<double> points = randomPoints(2, 100, 31);
    points[77] = bad;
    QVERIFY_EXCEPTION_THROWN(plan->setPoints(points), Error);
  }
  QVERIFY_EXCEPTION_THROWN(plan->setPoints(std::vector<double>(3)), Error);
  plan->setPoints(randomPoints(2, 100, 32));
  plan->setWeights(std::vector<double>(99, 1.0));
  std::vector<cfloat> image(64);
  QVERIFY_EXCEPTION_THROWN(plan->normal(image.data(), image.data()), Error);
  NufftOptions gpu = withAccuracy(1e-3);
  for (const Method method : {Method::tensor, Method::cusparse}) {
    gpu.spread = method;
    QVERIFY_EXCEPTION_THROWN(makePlan<float>(problem, gpu), Error);
  }
}

// Before their products are formed, which would not fit into 64 bits.
void PlanCallsTest::sizesBeyondAnyMachineAreRefused() {
  constexpr std::int64_t edge = 1 << 20, most = std::numeric_limits<std::int64_t>::max();
  NufftProblem problem;
  problem.dims = 3;
  for (const Index3& size : {Index3{edge, edge, edge}, Index3{most, 1, 1}, Index3{most, most, most}}) {
    problem.size = size;
    QVERIFY_EXCEPTION_THROWN(makePlan<float>(problem, withAccuracy(1e-3)), Error);
    QVERIFY_EXCEPTION_THROWN(estimateCpuMemory(problem, withAccuracy(1e-3), 10), Error);
  }
  problem.size = {8, 8, 8};
  problem.batch = most;
  QVERIFY_EXCEPTION_THROWN(makePlan<float>(problem, withAccuracy(1e-3)), Error);
}

void PlanCallsTest::stagesAddUp() {
  NufftProblem problem;
  problem.dims = 3;
  problem.size = {48, 48, 48};
  NufftOptions options = withAccuracy(1e-3);
  options.normal = NormalMethod::gridded;
  const auto plan = makePlan<float>(problem, options);
  const auto points = randomPoints(3, 50000, 33);
  const StageTimings sort = timedStages([&] { plan->setPoints(points); });
  const auto image = randomData<float>(problem.pixels(), 34);
  std::vector<cfloat> samples(50000), out(image.size());
  const StageTimings forward = timedStages([&] { plan->forward(image.data(), samples.data()); }),
                     adjoint = timedStages([&] { plan->adjoint(samples.data(), out.data()); }),
                     normal = timedStages([&] { plan->normal(image.data(), out.data()); });
  for (const StageTimings* t : {&sort, &forward, &adjoint, &normal}) {
    QVERIFY(t->total > 0);
    QVERIFY(t->accounted() <= t->total);
    QVERIFY2(t->unaccounted() < 0.2 * t->total + 1e-4,
             qPrintable(QString::number(t->unaccounted() / t->total)));
  }
  QVERIFY(sort[Stage::sort] > 0);
  QVERIFY(forward[Stage::interpolate] > 0 && forward[Stage::fft] > 0 && forward[Stage::spread] == 0);
  QVERIFY(adjoint[Stage::spread] > 0 && adjoint[Stage::zero] > 0 && adjoint[Stage::interpolate] == 0);
  QVERIFY(normal[Stage::spread] > 0 && normal[Stage::interpolate] > 0);
}

void PlanCallsTest::memoryLimitIsKept() {
  NufftProblem problem;
  problem.dims = 3;
  problem.size = {32, 32, 32};
  NufftOptions options = withAccuracy(1e-3);
  const std::int64_t needed = estimateCpuMemory(problem, options, 10000);
  options.memoryLimit = needed;
  const auto plan = makePlan<float>(problem, options);
  plan->setPoints(randomPoints(3, 10000, 35));
  QVERIFY2(plan->info().memory <= 1.2 * static_cast<double>(needed),
           qPrintable(QString::number(plan->info().memory)));
  QVERIFY(static_cast<double>(plan->info().memory) >= 0.5 * static_cast<double>(needed));
  QVERIFY_EXCEPTION_THROWN(plan->setPoints(randomPoints(3, 20000, 36)), Error);
  options.memoryLimit = 1000;
  QVERIFY_EXCEPTION_THROWN(makePlan<float>(problem, options), Error);

  // Many small tiles count, too.
  problem.dims = 2;
  problem.size = {48, 40, 1};
  options = withAccuracy(1e-3);
  options.threads = 1;
  for (const int bin : {4, 8, 16, 64}) {
    options.bins = {bin, bin, 1};
    const auto small = makePlan<float>(problem, options);
    small->setPoints(randomPoints(2, 1500, 37));
    QVERIFY(small->info().memory <= estimateCpuMemory(problem, options, 1500));
  }
}

void PlanCallsTest::plansInSeveralThreadsDoNotDisturbEachOther() {
  std::vector<double> errors(4, 1);
  std::vector<std::thread> callers;
  for (std::size_t caller = 0; caller < errors.size(); ++caller) {
    callers.emplace_back([&, caller] {
      NufftProblem problem;
      problem.size = {static_cast<std::int64_t>(20 + caller), 30, 1};
      errors[caller] = errorOf<double>(problem, withAccuracy(1e-6), randomPoints(2, 500, 37));
    });
  }
  for (std::thread& caller : callers) caller.join();
  for (double error : errors) QVERIFY(error <= 2e-6);
}

SPOKELAB_TEST(PlanCallsTest)

}  // namespace test_plan_calls

#include "test_plan_calls.moc"
