// Where kernel values come from: each source against the kernel, plans of each within the accuracy,
// what they take.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "engine/core/error.h"
#include "engine/nufft/kernel/smallest_width.h"
#include "engine/nufft/plan/design.h"
#include "engine/nufft/plan/plan.h"
#include "engine/nufft/tune/candidates.h"
#include "engine/nufft/tune/refinements.h"
#include "engine/recon/sense/backend_cpu.h"
#include "tests/engine/nufft/contract.h"
#include "tests/test_main.h"

namespace test_precomputation {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr Precomputation all[] = {Precomputation::polynomial, Precomputation::linear, Precomputation::tensor,
                                  Precomputation::none};
constexpr KernelType windows[] = {KernelType::kaiserBessel, KernelType::semicircle, KernelType::prolate,
                                  KernelType::gaussian};

}  // namespace

class TestPrecomputation : public QObject {
  Q_OBJECT
 private slots:
  void sourcesGiveTheKernel() {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> fraction(0, 1);
    for (const KernelType window : windows)
      for (const double width : {3.0, 4.3, 7.984375})
        for (const double tolerance : {1e-3, 1e-6}) {
          const Kernel kernel(window, width, 2);
          // what a semicircle's edge leaves, whose slope is infinite
          if (window == KernelType::semicircle && tolerance < 0.3 * kernel(width / 2)) continue;
          const KernelPolynomial polynomial = fitKernel(kernel, tolerance);
          for (const Precomputation p :
               {Precomputation::linear, Precomputation::tensor, Precomputation::none}) {
            const KernelSource<double> source(kernel, polynomial, p, tolerance);
            QVERIFY(source.deviation() <= tolerance);
            constexpr int count = 2000;
            std::vector<SortedPoint<double, 2>> points(count);
            for (auto& point : points)
              for (double& f : point.f) f = fraction(random);
            const int cells = kernel.cells();
            std::vector<double> values(static_cast<std::size_t>(count * 2 * cells));
            source.fill(2, points.data(), count, values.data());
            double square = 0;
            std::size_t i = 0;
            for (const auto& point : points)
              for (const double f : point.f)
                for (int j = 0; j < cells; ++j)
                  square += std::pow(values[i++] - kernel(f + j - width / 2), 2);
            const double rms = std::sqrt(square / double(values.size()));
            QVERIFY2(rms <= tolerance, qPrintable(QString("%1 for %2").arg(rms).arg(tolerance)));
            if (p == Precomputation::none) QVERIFY(rms < 1e-15);
          }
        }
  }

  // [gnufftw] appendix B: 0.37 sqrt(d) / (alpha S)^2.
  void tablesAreAsDenseAsTheAccuracyNeeds() {
    int last = 0;
    for (const double accuracy : {1e-2, 1e-3, 1e-4, 1e-6, 1e-8}) {
      const NufftProblem problem = problemOf(2, {64, 64, 1}, Precision::double64);
      NufftOptions options;
      options.accuracy = accuracy;
      options.precomputation = Precomputation::linear;
      const CpuPlanDesign<double> design(problem, options);
      const double share = predictError(problem, design.kernel, design.grid, design.deviation()).polynomial;
      const double paper = 0.37 * std::sqrt(2.0) / std::pow(2.0 * design.source->density(), 2);
      QVERIFY(share <= 0.1 * accuracy);
      const double foreseen = linearTableDensity(
          design.kernel, polynomialTolerance(problem, design.kernel, design.grid, accuracy));
      QVERIFY2(foreseen > 0.6 * design.source->density() && foreseen < 1.1 * design.source->density(),
               qPrintable(QString("S %1, foreseen %2").arg(design.source->density()).arg(foreseen)));
      QVERIFY2(share > paper / 3 && share < paper * 3,
               qPrintable(
                   QString("S %1: %2, by the paper %3").arg(design.source->density()).arg(share).arg(paper)));
      QVERIFY(design.source->density() > last);
      last = design.source->density();
    }
    NufftOptions finest;
    finest.accuracy = 1e-14;
    finest.precomputation = Precomputation::linear;
    QVERIFY_EXCEPTION_THROWN(makeCpuNufftDouble(problemOf(1, {16, 1, 1}, Precision::double64), finest),
                             Error);
  }

  void accuracyHolds_data() {
    QTest::addColumn<int>("window");
    QTest::addColumn<int>("precomputation");
    for (const KernelType w : windows)
      for (const Precomputation p : all)
        QTest::addRow("%s %s", std::string(kernelName(w)).c_str(), std::string(precomputationName(p)).c_str())
            << int(w) << int(p);
  }
  // Every window and source, both directions, precisions, threads, and enough points in a tile that
  // it is divided.
  void accuracyHolds() {
    QFETCH(int, window);
    QFETCH(int, precomputation);
    std::mt19937 random(2);
    const Index3 sizes[] = {{60, 1, 1}, {22, 17, 1}, {9, 12, 7}};
    for (int dims = 1; dims <= 3; ++dims)
      for (const double accuracy : {1e-1, 1e-3, 1e-4, 1e-8})
        for (const bool adjoint : {false, true}) {
          ContractCase c;
          c.problem =
              problemOf(dims, sizes[dims - 1], accuracy < 1e-5 ? Precision::double64 : Precision::single);
          c.problem.batch = 2;
          c.options.kernel = KernelType(window);
          c.options.precomputation = Precomputation(precomputation);
          c.options.accuracy = accuracy;
          c.options.threads = 1 + dims % 2;
          if (smallestWidth(c.problem, c.options.kernel, 2, accuracy) == 0) continue;
          c.adjoint = adjoint;
          c.draws = 4;
          c.points = uniformPoints(random, 90, dims);
          const ContractResult r = runContract(c, random);
          QVERIFY2(r.error <= accuracy, qPrintable(QString("%1: %2").arg(c.text().c_str()).arg(r.error)));
        }
  }

  void agreeOnCrowdedTiles_data() { accuracyHolds_data(); }
  void agreeOnCrowdedTiles() {
    QFETCH(int, window);
    QFETCH(int, precomputation);
    std::mt19937 random(3);
    const NufftProblem problem = problemOf(2, {40, 40, 1}, Precision::double64);
    std::vector<double> points = uniformPoints(random, 12000, 2);
    for (std::size_t i = 0; i < points.size() / 2; ++i) points[i] *= 0.05;
    const auto samples = normalData(random, 12000), image = normalData(random, problem.pixels());
    NufftOptions options;
    options.kernel = KernelType(window);
    options.accuracy = 1e-4;
    options.normal = NormalMethod::gridded;
    std::vector<cdouble> expectedImage(image.size()), expectedSamples(samples.size()),
        expectedNormal(image.size());
    const auto run = [&](std::vector<cdouble>& a, std::vector<cdouble>& f, std::vector<cdouble>& n) {
      const auto plan = makeCpuNufftDouble(problem, options);
      plan->setPoints(points);
      plan->adjoint(samples.data(), a.data());
      plan->forward(image.data(), f.data());
      plan->normal(image.data(), n.data());
    };
    const auto distance = [](const std::vector<cdouble>& a, const std::vector<cdouble>& b) {
      double square = 0;
      for (std::size_t i = 0; i < a.size(); ++i) square += std::norm(a[i] - b[i]);
      return std::sqrt(square / squareNorm(b));
    };
    options.threads = 1;
    options.precomputation = Precomputation::polynomial;
    run(expectedImage, expectedSamples, expectedNormal);
    options.precomputation = Precomputation(precomputation);
    for (const int threads : {1, 2, 5}) {
      options.threads = threads;
      std::vector<cdouble> a(image.size()), f(samples.size()), n(image.size());
      run(a, f, n);
      QVERIFY(distance(a, expectedImage) < options.accuracy);
      QVERIFY(distance(f, expectedSamples) < options.accuracy);
      QVERIFY(distance(n, expectedNormal) < options.accuracy);
    }
  }

  void sparseMatricesKeepTheAccuracy() {
    std::mt19937 random(6);
    const Index3 sizes[] = {{60, 1, 1}, {22, 17, 1}, {9, 12, 7}};
    for (int dims = 1; dims <= 3; ++dims)
      for (const double accuracy : {1e-2, 1e-4, 1e-9})
        for (const bool adjoint : {false, true})
          for (const Precomputation p : {Precomputation::automatic, Precomputation::none}) {
            ContractCase c;
            c.problem =
                problemOf(dims, sizes[dims - 1], accuracy < 1e-5 ? Precision::double64 : Precision::single);
            c.problem.batch = 2;
            c.problem.sign = adjoint ? 1 : -1;
            c.options.spread = adjoint ? Method::sparse : Method::automatic;
            c.options.interpolate = adjoint ? Method::automatic : Method::sparse;
            c.options.precomputation = p;
            c.options.accuracy = accuracy;
            c.options.threads = 1 + dims % 2;
            c.adjoint = adjoint;
            c.draws = 4;
            for (const std::int64_t count : {0, 1, 90}) {
              c.points = uniformPoints(random, count, dims);
              const ContractResult r = runContract(c, random);
              QVERIFY2(r.error <= accuracy, qPrintable(QString("%1: %2").arg(c.text().c_str()).arg(r.error)));
            }
          }
  }

  // Crowded tiles, several threads, the normal operator's sorted samples, and points set again.
  void sparseMatricesAgreeWithTiles() {
    std::mt19937 random(7);
    for (int dims = 1; dims <= 3; ++dims) {
      const NufftProblem problem = problemOf(dims, dims == 1   ? Index3{500, 1, 1}
                                                   : dims == 2 ? Index3{40, 36, 1}
                                                               : Index3{14, 15, 16});
      NufftOptions options;
      options.accuracy = 1e-6;
      options.normal = NormalMethod::gridded;
      const auto blocked = makeCpuNufftDouble(problem, options);
      options.spread = options.interpolate = Method::sparse;
      options.threads = 1 + dims;
      const auto sparse = makeCpuNufftDouble(problem, options);
      const auto image = normalData(random, problem.pixels());
      for (const std::int64_t count : {5000, 300}) {
        std::vector<double> points = uniformPoints(random, count, dims);
        for (std::size_t i = 0; i < points.size() / 2; ++i) points[i] *= 0.05;
        const std::vector<double> weights(static_cast<std::size_t>(count), 0.7);
        std::vector<cdouble> expected(image.size()), result(image.size());
        for (auto* plan : {blocked.get(), sparse.get()}) {
          plan->setPoints(points);
          plan->setWeights(weights);
          plan->normal(image.data(), plan == blocked.get() ? expected.data() : result.data());
        }
        double error = 0;
        for (std::size_t i = 0; i < result.size(); ++i) error += std::norm(result[i] - expected[i]);
        QVERIFY(std::sqrt(error / squareNorm(expected)) < 1e-12);
        QVERIFY(sparse->info().memory <= 1.2 * double(estimateCpuMemory(problem, options, count)) + 1e5);
      }
    }
    NufftOptions huge;
    huge.spread = huge.interpolate = Method::sparse;
    const NufftProblem large = problemOf(3, {64, 64, 64});
    const std::int64_t billions = std::int64_t{1} << 32;
    QVERIFY(estimateCpuMemory(large, huge, billions) > 100 * billions);
    huge.memoryLimit = 1 << 26;
    const auto limited = makeCpuNufftDouble(large, huge);
    QVERIFY_EXCEPTION_THROWN(limited->setPoints(uniformPoints(random, 100000, 3)), Error);
  }

  void memoryIsKnown() {
    std::mt19937 random(4);
    const NufftProblem problem = problemOf(3, {16, 16, 16}, Precision::single);
    const std::int64_t count = 30000;
    const auto points = uniformPoints(random, count, 3);
    NufftOptions options;
    options.threads = 1;
    options.normal = NormalMethod::gridded;
    options.precomputation = Precomputation::polynomial;
    const std::int64_t least = estimateCpuMemory(problem, options, count);
    options.precomputation = Precomputation::tensor;
    const auto plan = makeCpuNufftFloat(problem, options);
    plan->setPoints(points);
    const std::int64_t cells = std::int64_t(std::ceil(plan->info().options.width));
    const std::int64_t estimate = estimateCpuMemory(problem, options, count);
    QVERIFY(estimate >= least + count * 3 * cells * std::int64_t(sizeof(float)));
    QVERIFY(plan->info().memory >= least && plan->info().memory < 1.2 * double(estimate));
    options.memoryLimit = (least + estimate) / 2;
    QVERIFY_EXCEPTION_THROWN(makeCpuNufftFloat(problem, options)->setPoints(points), Error);
  }

  void tunerTriesOthers() {
    TuneRequest request;
    request.problem = problemOf(2, {32, 32, 1});
    Candidate winner;
    winner.backend = "cpu";
    winner.options.spread = winner.options.interpolate = Method::blocked;
    request.options.scheduler.kind = Scheduler::tiles;  // schedulers and tiles are others' tests
    request.options.bins = {64, 32, 1};
    request.options.fftEffort = FftEffort::estimate;
    const auto tried = [&] {
      std::vector<Precomputation> list;
      for (const NufftOptions& o : refinements(request, winner)) list.push_back(o.precomputation);
      return list;
    };
    QCOMPARE(tried(), std::vector{Precomputation::tensor});
    // An exhaustive search times them with every pair of blocked, sector and sparse but the two sparse
    // matrices, which are one more.
    std::mt19937 random(5);
    const auto points = uniformPoints(random, 1000, 2);
    const auto backend = makeCpuBackend();
    NufftBackend* const backends[] = {backend.get()};
    TuneRequest every = request;
    every.effort = TuneEffort::exhaustive;
    every.points = points;
    every.options.kernel = KernelType::kaiserBessel;
    std::map<double, std::set<std::tuple<Method, Method, Precomputation>>> ways;
    for (const Candidate& c : enumerateCandidates(backends, every))
      ways[c.options.alpha].insert({c.options.spread, c.options.interpolate, c.options.precomputation});
    QVERIFY(ways.size() > 3);
    for (const auto& [alpha, all] : ways) QCOMPARE(all.size(), std::size_t(3 * (3 * 3 - 1) + 1));
    request.options.precomputation = Precomputation::polynomial;
    request.options.spread = request.options.interpolate = Method::blocked;
    QVERIFY(tried().empty());
    request.options.precomputation = Precomputation::automatic;
    request.workload.direction = Direction::normal;
    winner.options.normal = NormalMethod::toeplitz;
    QVERIFY(tried().empty());
  }

  void tunerChoosesTheWindow() {
    std::mt19937 random(5);
    const auto backend = makeCpuBackend();
    NufftBackend* const backends[] = {backend.get()};
    const auto points = uniformPoints(random, 1000, 2);
    TuneRequest request;
    request.problem = problemOf(2, {48, 40, 1});
    request.points = points;
    request.effort = TuneEffort::exhaustive;
    int kaiser = 0, others = 0;
    for (const Candidate& c : enumerateCandidates(backends, request)) {
      QVERIFY(c.options.kernel != KernelType::automatic && c.predicted.bound <= request.options.accuracy);
      (c.options.kernel == KernelType::kaiserBessel ? kaiser : others) += 1;
    }
    QVERIFY(kaiser > 0 && others > kaiser);
    request.effort = TuneEffort::measure;
    std::set<double> alphas;
    for (const Candidate& c : enumerateCandidates(backends, request)) {
      QVERIFY(alphas.insert(c.options.alpha).second);  // one window each
      if (c.options.kernel == KernelType::kaiserBessel) continue;
      const double kb =
          smallestWidth(request.problem, KernelType::kaiserBessel, c.options.alpha, request.options.accuracy);
      QVERIFY(kb == 0 || std::ceil(c.options.width) < std::ceil(kb));
    }
    request.options.kernel = KernelType::gaussian;
    for (const Candidate& c : enumerateCandidates(backends, request))
      QCOMPARE(c.options.kernel, KernelType::gaussian);
  }
};

SPOKELAB_TEST(TestPrecomputation)

}  // namespace test_precomputation

#include "test_precomputation.moc"
