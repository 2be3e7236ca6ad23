// Images of a batch that are transformed together, their grids side by side: the same results as
// one by one.
#include <QtTest>

#include <cmath>
#include <limits>

#include "engine/core/error.h"
#include "engine/nufft/nufft.h"
#include "engine/nufft/plan/plan.h"
#include "engine/nufft/plan/resolve.h"
#include "engine/nufft/spread/kernels/spread_interleaved.h"
#include "engine/nufft/tune/refinements.h"
#include "engine/recon/options/options.h"
#include "tests/engine/nufft/random_problem.h"
#include "tests/test_main.h"

namespace test_interleaved_images {

using namespace spokelab;
using namespace spokelab::test;

namespace {

template <class Real>
std::unique_ptr<Nufft<Real>> planOf(const NufftProblem& problem, NufftOptions options, int together) {
  options.interleave = together;
  if constexpr (std::is_same_v<Real, float>)
    return makeCpuNufftFloat(problem, options);
  else
    return makeCpuNufftDouble(problem, options);
}

template <class Real>
std::vector<std::complex<Real>> data(std::mt19937& random, std::int64_t count) {
  std::vector<std::complex<Real>> result;
  for (const cdouble& v : normalData(random, count)) result.push_back(std::complex<Real>(v));
  return result;
}

template <class T>
double distance(const std::vector<T>& a, const std::vector<T>& b) {
  double difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference += std::norm(a[i] - b[i]);
  return std::sqrt(difference / squareNorm(b));
}

// Three quarters of the points in the middle, so that tiles there are shared among threads.
std::vector<double> crowded(std::mt19937& random, std::int64_t count, int dims) {
  std::vector<double> points = uniformPoints(random, count, dims);
  for (std::size_t i = 0; i < points.size() * 3 / 4; ++i) points[i] *= 0.05;
  return points;
}

// The largest difference between both ways, of forward, adjoint and normal, relative.
template <class Real>
double difference(const NufftProblem& problem, const NufftOptions& options, std::int64_t count) {
  std::mt19937 random(7);
  const auto points = crowded(random, count, problem.dims);
  const auto one = planOf<Real>(problem, options, 1), four = planOf<Real>(problem, options, 0);
  std::vector<double> weights(static_cast<std::size_t>(count));
  for (double& w : weights) w = 0.5 + double(random()) / double(random.max());
  const auto image = data<Real>(random, problem.batch * problem.pixels());
  const auto samples = data<Real>(random, problem.batch * count);
  std::vector<std::complex<Real>> f[2], a[2], n[2];
  for (Nufft<Real>* plan : {one.get(), four.get()}) {
    const std::size_t at = plan == four.get();
    plan->setPoints(points);
    plan->setWeights(weights);
    f[at].resize(samples.size());
    a[at].resize(image.size());
    n[at].resize(image.size());
    plan->forward(image.data(), f[at].data());
    plan->adjoint(samples.data(), a[at].data());
    plan->normal(image.data(), n[at].data());
  }
  if (one->info().options.interleave != 1 || four->info().options.interleave != interleavedImages)
    return HUGE_VAL;
  return std::max({distance(f[1], f[0]), distance(a[1], a[0]), distance(n[1], n[0])});
}

}  // namespace

class TestInterleavedImages : public QObject {
  Q_OBJECT

 private slots:
  void agreeWithOneByOne_data() {
    QTest::addColumn<int>("precomputation");
    QTest::addColumn<int>("scheduler");
    QTest::addColumn<bool>("sparseSpread");
    QTest::addColumn<bool>("sparseInterpolate");
    QTest::newRow("sparse spreading")
        << int(Precomputation::polynomial) << int(Scheduler::tiles) << true << false;
    QTest::newRow("sparse interpolation")
        << int(Precomputation::linear) << int(Scheduler::graph) << false << true;
    QTest::newRow("sparse both") << int(Precomputation::tensor) << int(Scheduler::tiles) << true << true;
    for (const Precomputation p :
         {Precomputation::polynomial, Precomputation::linear, Precomputation::tensor, Precomputation::none})
      for (const Scheduler s : {Scheduler::tiles, Scheduler::graph})
        QTest::addRow("%s, %s", std::string(precomputationName(p)).c_str(),
                      std::string(schedulerName(s)).c_str())
            << int(p) << int(s) << false << false;
  }
  void agreeWithOneByOne() {
    QFETCH(int, precomputation);
    QFETCH(int, scheduler);
    QFETCH(bool, sparseSpread);
    QFETCH(bool, sparseInterpolate);
    NufftOptions options;
    options.accuracy = 1e-4;
    options.normal = NormalMethod::gridded;
    options.precomputation = Precomputation(precomputation);
    options.scheduler.kind = Scheduler(scheduler);
    options.spread = sparseSpread ? Method::sparse : Method::blocked;
    options.interpolate = sparseInterpolate ? Method::sparse : Method::blocked;
    // Enough for tiles that threads share, where kernel values are quick to make.
    const std::int64_t count = options.precomputation == Precomputation::polynomial ? 9000 : 1500;
    for (const int threads : {1, 2})
      for (const int dims : {2, 3})
        for (const std::int64_t batch : {3, 6}) {
          options.threads = threads;
          NufftProblem problem =
              problemOf(dims, dims == 2 ? Index3{33, 20, 1} : Index3{13, 16, 9}, Precision::single);
          problem.batch = batch;
          QVERIFY(difference<float>(problem, options, count) < 1e-6);
          problem.precision = Precision::double64;
          QVERIFY(difference<double>(problem, options, count) < 1e-14);
        }
  }

  void everyWidthAgrees() {
    for (const int dims : {2, 3})
      for (double width = 2.5; width <= 15.5; width += dims == 2 ? 2 : 4) {
        NufftOptions options;
        options.alpha = 2;
        options.width = width;
        options.accuracy = 0.5;
        options.threads = 1;
        options.normal = NormalMethod::gridded;
        NufftProblem problem = problemOf(dims, dims == 2 ? Index3{20, 18, 1} : Index3{9, 10, 8});
        problem.batch = 4;
        QVERIFY2(difference<double>(problem, options, 300) < 1e-13, qPrintable(QString::number(width)));
      }
  }

  void aBadImageSpoilsNoOther() {
    std::mt19937 random(3);
    NufftProblem problem = problemOf(2, {24, 22, 1}, Precision::single);
    problem.batch = 5;  // four together, then one alone
    const std::int64_t count = 800;
    const auto plan = planOf<float>(problem, {}, 0);
    plan->setPoints(uniformPoints(random, count, 2));
    const auto image = data<float>(random, problem.batch * problem.pixels());
    const auto samples = data<float>(random, problem.batch * count);
    std::vector<cfloat> f(samples.size()), a(image.size()), f2(samples.size()), a2(image.size());
    plan->forward(image.data(), f.data());
    plan->adjoint(samples.data(), a.data());
    auto badImage = image;
    auto badSamples = samples;
    const std::size_t bad = 2;
    badImage[bad * std::size_t(problem.pixels()) + 9] = std::numeric_limits<float>::quiet_NaN();
    badSamples[bad * std::size_t(count) + 9] = std::numeric_limits<float>::infinity();
    const auto others = [&](const std::vector<cfloat>& v, const std::vector<cfloat>& w, std::int64_t each) {
      for (std::size_t i = 0; i < v.size(); ++i)
        if (i / std::size_t(each) != bad && v[i] != w[i]) return false;
      return true;
    };
    plan->forward(badImage.data(), f2.data());
    QVERIFY(others(f, f2, count));
    plan->adjoint(badSamples.data(), a2.data());
    QVERIFY(others(a, a2, problem.pixels()));
    plan->forward(image.data(), f2.data());
    QVERIFY(f == f2);
    plan->adjoint(samples.data(), a2.data());
    QVERIFY(a == a2);
  }

  void memoryLimitComesFirst() {
    std::mt19937 random(5);
    NufftProblem problem = problemOf(3, {24, 24, 24}, Precision::single);
    problem.batch = 8;
    const auto points = uniformPoints(random, 3000, 3);
    NufftOptions options;
    options.threads = 1;
    options.normal = NormalMethod::gridded;
    const std::int64_t whole = estimateCpuMemory(problem, options, 3000);
    const auto plan = planOf<float>(problem, options, 0);
    plan->setPoints(points);
    QVERIFY(plan->info().memory <= whole && double(plan->info().memory) > 0.8 * double(whole));
    const std::int64_t held = plan->info().memory;
    plan->setPoints(points);
    QCOMPARE(plan->info().memory, held);
    options.memoryLimit = whole - 1;
    const auto limited = planOf<float>(problem, options, 0);
    limited->setPoints(points);
    QCOMPARE(limited->info().options.interleave, 1);
    QVERIFY(double(limited->info().memory) < 0.5 * double(held));
    options.memoryLimit = whole;  // with more points than there is room for beside so large a grid
    const auto shrinking = planOf<float>(problem, options, 0);
    shrinking->setPoints(points);
    QCOMPARE(shrinking->info().options.interleave, interleavedImages);
    shrinking->setPoints(uniformPoints(random, 20000, 3));
    QCOMPARE(shrinking->info().options.interleave, 1);
    const auto samples = data<float>(random, 8 * 20000);
    std::vector<cfloat> image(std::size_t(8 * problem.pixels()));
    shrinking->adjoint(samples.data(), image.data());
    QVERIFY(squareNorm(image) > 0 && std::isfinite(squareNorm(image)));
  }

  void aBadImageSpoilsNoOtherOfASparseProduct() {
    std::mt19937 random(4);
    NufftProblem problem = problemOf(2, {24, 22, 1}, Precision::single);
    problem.batch = 4;
    const std::int64_t count = 800;
    NufftOptions options;
    options.spread = options.interpolate = Method::sparse;
    const auto plan = planOf<float>(problem, options, 0);
    plan->setPoints(uniformPoints(random, count, 2));
    auto samples = data<float>(random, problem.batch * count);
    std::vector<cfloat> a(std::size_t(problem.batch * problem.pixels())), b = a;
    plan->adjoint(samples.data(), a.data());
    samples[std::size_t(2 * count + 5)] = std::numeric_limits<float>::quiet_NaN();
    plan->adjoint(samples.data(), b.data());
    for (std::size_t i = 0; i < a.size(); ++i)
      QVERIFY(std::int64_t(i) / problem.pixels() == 2 ? std::isnan(b[i].real()) : a[i] == b[i]);
  }

  // The matrices are the largest part: a limit that holds them and one grid, but not four.
  void memoryLimitOfSparsePlansDecides() {
    std::mt19937 random(6);
    NufftProblem problem = problemOf(3, {20, 20, 20}, Precision::single);
    problem.batch = 4;
    NufftOptions options;
    options.threads = 1;
    options.spread = options.interpolate = Method::sparse;
    options.normal = NormalMethod::gridded;
    const auto points = uniformPoints(random, 4000, 3);
    const std::int64_t whole = estimateCpuMemory(problem, options, 4000);
    const auto plan = planOf<float>(problem, options, 0);
    plan->setPoints(points);
    std::vector<cfloat> image(std::size_t(4 * problem.pixels()));
    const auto samples = data<float>(random, 4 * 4000);
    plan->adjoint(samples.data(), image.data());
    QCOMPARE(plan->info().options.interleave, interleavedImages);
    plan->setPoints(points);
    QVERIFY(plan->info().memory <= whole && double(plan->info().memory) > 0.8 * double(whole));
    options.memoryLimit = whole - 1;
    const auto limited = planOf<float>(problem, options, 0);
    limited->setPoints(points);
    QCOMPARE(limited->info().options.interleave, 1);
  }

  void fewImagesGoOneByOne() {
    NufftProblem problem = problemOf(2, {16, 16, 1}, Precision::single);
    for (const std::int64_t batch : {1, 2}) {
      problem.batch = batch;
      QCOMPARE(planOf<float>(problem, {}, 0)->info().options.interleave, 1);
    }
    problem = problemOf(1, {64, 1, 1}, Precision::single);
    problem.batch = 8;
    QCOMPARE(planOf<float>(problem, {}, 0)->info().options.interleave, 1);
  }

  void tunerTriesBoth() {
    TuneRequest request;
    request.problem = problemOf(2, {32, 32, 1});
    request.problem.batch = 8;
    Candidate winner;
    winner.backend = "cpu";
    winner.options.spread = winner.options.interpolate = Method::blocked;
    const auto apart = [&] {
      int found = 0;
      for (const NufftOptions& o : refinements(request, winner)) found += o.interleave == 1;
      return found;
    };
    QCOMPARE(apart(), 1);
    request.problem.batch = 2;
    QCOMPARE(apart(), 0);
    request.problem.batch = 8;
    winner.backend = "cuda";
    QCOMPARE(apart(), 0);
  }

  void optionIsInTheTable() {
    ReconOptions options;
    QCOMPARE(optionValue(options, "images-together"), std::string("auto"));
    setOption(options, "images-together", "1");
    QCOMPARE(options.nufft.interleave, 1);
    QVERIFY_EXCEPTION_THROWN(setOption(options, "images-together", "5"), Error);
    NufftOptions wild;
    wild.interleave = -1;
    QVERIFY_EXCEPTION_THROWN(makeCpuNufftFloat(problemOf(2, {8, 8, 1}, Precision::single), wild), Error);
  }

  // Numbers between 1 and 4 would act as 4, so they are refused with the numbers that exist.
  void onlyOneOrFourImagesAreTogether() {
    const NufftProblem problem = problemOf(2, {8, 8, 1}, Precision::single);
    NufftOptions options;
    for (const int together : {0, 1, interleavedImages}) {
      options.interleave = together;
      QCOMPARE(resolveOptions(problem, options).interleave, together);
    }
    for (const int together : {2, 3, 5}) {
      options.interleave = together;
      try {
        resolveOptions(problem, options);
        QFAIL("was not refused");
      } catch (const Error& error) {
        QCOMPARE(error.remedy(), std::string("Give 0 (automatic), 1 or 4"));
      }
    }
  }
};

SPOKELAB_TEST(TestInterleavedImages)

}  // namespace test_interleaved_images

#include "test_interleaved_images.moc"
