// The accuracy contract ([formulas]): every plan keeps the error that was asked for, or is
// refused.
#include <QtTest>

#include <cmath>
#include <map>
#include <numbers>

#include "engine/core/error.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/nufft/kernel/smallest_width.h"
#include "engine/nufft/plan/plan.h"
#include "engine/nufft/plan/resolve.h"
#include "engine/nufft/tune/tune.h"
#include "tests/campaign.h"
#include "tests/engine/nufft/contract.h"
#include "tests/engine/nufft/normal_contract.h"
#include "tests/test_main.h"

namespace test_accuracy_contract {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr int problems = 600;

NufftProblem randomProblem(std::mt19937& random) {
  NufftProblem p;
  p.dims = int(between(random, 1, 3));
  const std::int64_t largest = p.dims == 1 ? 300 : p.dims == 2 ? 40 : 14;
  for (int d = 0; d < p.dims; ++d) p.size[std::size_t(d)] = between(random, 1, largest);
  p.precision = between(random, 0, 1) ? Precision::single : Precision::double64;
  p.sign = between(random, 0, 1) ? 1 : -1;
  p.batch = between(random, 1, 6);
  return p;
}

NufftOptions randomCpuOptions(std::mt19937& random, Precision precision) {
  NufftOptions o = randomOptions(random, precision);
  o.threads = int(between(random, 1, 2));
  o.scheduler.kind = Scheduler(between(random, 0, 2));
  o.scheduler.off = unsigned(between(random, 0, allSchedulerParts));
  o.scheduler.partitions = int(between(random, 0, 9));
  return o;
}

ContractCase specialCase(int dims, Index3 size, Precision precision, double accuracy, bool adjoint) {
  ContractCase c;
  c.problem = problemOf(dims, size, precision);
  c.options.accuracy = accuracy;
  c.adjoint = adjoint;
  return c;
}

// Values of an ellipse: an image, or a k-space that falls off steeply.
std::vector<cdouble> ellipseImage(const NufftProblem& p) {
  std::vector<cdouble> image(std::size_t(p.pixels()));
  for (std::int64_t i = 0; i < p.pixels(); ++i) {
    const double x = 2.0 * double(i % p.size[0]) / double(p.size[0]) - 1;
    const double y = 2.0 * double(i / p.size[0] % p.size[1]) / double(p.size[1]) - 1;
    image[std::size_t(i)] = x * x / 0.5 + y * y / 0.8 < 1 ? 1 + (x > 0.2 ? 0.5 : 0) : 0;
  }
  return image;
}

}  // namespace

class TestAccuracyContract : public QObject {
  Q_OBJECT
 private slots:
  void holdsOnRandomProblems();
  void holdsForNormalOperators();
  void holdsForPointsAnywhere_data();
  void holdsForPointsAnywhere();
  void holdsForLongImages_data();
  void holdsForLongImages();
  void holdsForPhantoms();
  void holdsForAnOutlierInTheSamples();
  void noPointsGiveExactZeros();
  void refusesWhatCannotBeReached();
  void reachableAccuracyIsReached();
  void toeplitzRangeIsWhatTheErrorTells();
};

void TestAccuracyContract::holdsOnRandomProblems() {
  std::mt19937 random(campaignSeed(2026));
  int run = 0, refused = 0;
  std::map<std::string, double> closest;
  while (run < problems * campaignFactor()) {
    ContractCase c;
    c.problem = randomProblem(random);
    c.options = randomCpuOptions(random, c.problem.precision);
    c.points = uniformPoints(random, between(random, 1, 60), c.problem.dims);
    c.adjoint = between(random, 0, 1);
    c.draws = drawsFor(c);
    try {
      const ContractResult r = runContract(c, random);
      QVERIFY2(r.error <= c.options.accuracy, qPrintable(QString("%1: %2 (predicted %3)")
                                                             .arg(QString::fromStdString(c.text()))
                                                             .arg(r.error)
                                                             .arg(r.predicted)));
      auto& worst = closest[std::string(kernelName(c.options.kernel))];
      worst = std::max(worst, r.error / c.options.accuracy);
      ++run;
    } catch (const Error& e) {
      QVERIFY2(mayBeRefused(c.options, e.reason()), e.what());
      ++refused;
    }
  }
  for (const auto& [name, ratio] : closest)
    qInfo("%s: at most %.2f of the error asked for", name.c_str(), ratio);
  qInfo("%d problems, %d requests refused", run, refused);
  countCases("random problems against exact sums", run);
  QVERIFY(refused < run / 3);
}

// In all forms, and where the plan was made for its transforms and the normal operator is asked for
// later.
void TestAccuracyContract::holdsForNormalOperators() {
  constexpr int ofEach = 90;
  std::mt19937 random(campaignSeed(53));
  int all = 0;
  for (const NormalMethod normal : {NormalMethod::gridded, NormalMethod::later, NormalMethod::automatic,
                                    NormalMethod::toeplitz, NormalMethod::toeplitzShifted}) {
    double worst = 0;
    std::string closest;
    int run = 0, refused = 0;
    while (run < ofEach * campaignFactor()) {
      NormalContractCase c = randomNormalCase(random);
      c.options.normal = normal;
      try {
        const NormalContractResult r = runNormalContract(c, random);
        QVERIFY2(r.error <= c.options.accuracy, (c.text() + ": " + std::to_string(r.error)).c_str());
        if (normal == NormalMethod::gridded) QVERIFY(r.bound <= 0.5 * c.options.accuracy);
        if (r.error / c.options.accuracy > worst) closest = c.text();
        worst = std::max(worst, r.error / c.options.accuracy);
        ++run;
      } catch (const Error& e) {
        QVERIFY2(mayBeRefused(c.options, e.reason()), (c.text() + ": " + e.what()).c_str());
        ++refused;
      }
    }
    qInfo("%s: at most %.2f of the error asked for, %d refused (%s)", normalMethodName(normal).data(), worst,
          refused, closest.c_str());
    QVERIFY(refused < run / 2);
    all += run;
  }
  countCases("random normal operators against exact sums", all);
}

void TestAccuracyContract::holdsForPointsAnywhere_data() {
  QTest::addColumn<QString>("where");
  for (const char* where :
       {"on the grid", "between the cells", "at the edge", "in one cell", "one point", "at zero"})
    QTest::newRow(where) << where;
}

void TestAccuracyContract::holdsForPointsAnywhere() {
  QFETCH(QString, where);
  std::mt19937 random(99);
  for (const KernelType kernel :
       {KernelType::kaiserBessel, KernelType::semicircle, KernelType::prolate, KernelType::gaussian})
    for (const double alpha : {1.25, 1.5, 2.0, 2.5})
      for (const double accuracy : {1e-1, 1e-2, 1e-3, 1e-4, 1e-9})
        for (const bool adjoint : {false, true}) {
          const Precision precision = accuracy < 1e-5 ? Precision::double64 : Precision::single;
          ContractCase c = specialCase(2, {16, 13, 1}, precision, accuracy, adjoint);
          c.options.kernel = kernel;
          c.options.alpha = alpha;
          if (kernel == KernelType::gaussian && smallestWidth(c.problem, kernel, alpha, accuracy) == 0)
            continue;
          const NufftOptions settled = resolveOptions(c.problem, c.options);
          const Index3 grid = gridSize(c.problem, settled.alpha, settled.width);
          const std::int64_t count = where == "one point" ? 1 : 24;
          for (std::int64_t j = 0; j < count; ++j)
            for (std::size_t d = 0; d < 2; ++d) {
              const double cell = 1.0 / double(grid[d]);
              const double on = double(between(random, 0, grid[d] - 1)) * cell;
              double k = uniform(random, -0.5, 0.5);
              if (where == "on the grid") k = on;
              if (where == "between the cells") k = on + 0.5 * cell;
              if (where == "at the edge") k = between(random, 0, 1) ? 0.5 : -0.5;
              if (where == "in one cell") k = (3 + uniform(random, 0, 1)) * cell;
              if (where == "at zero") k = 0;
              c.points.push_back(k);
            }
          const ContractResult r = runContract(c, random);
          QVERIFY2(r.error <= accuracy,
                   qPrintable(QString("%1: %2").arg(QString::fromStdString(c.text())).arg(r.error)));
        }
}

void TestAccuracyContract::holdsForLongImages_data() {
  QTest::addColumn<qint64>("pixels");
  QTest::addColumn<double>("alpha");
  for (const qint64 pixels : {400'000, 413'338, 1'000'000})
    for (const double alpha : {1.5, 2.0}) QTest::addRow("%lld, %g", pixels, alpha) << pixels << alpha;
}

// The rounding of a place to u G cells would turn the outer pixels by more than the accuracy asked
// for.
void TestAccuracyContract::holdsForLongImages() {
  QFETCH(qint64, pixels);
  QFETCH(double, alpha);
  std::mt19937 random(7);
  const NufftProblem problem = problemOf(1, {pixels, 1, 1}, Precision::double64);
  NufftOptions options;
  options.alpha = alpha;
  options.accuracy = std::max(1e-12, reachableAccuracy(problem, options));
  const std::vector<double> points = uniformPoints(random, 200, 1);
  const auto plan = cpuPlan<double>(problem, options);
  plan->setPoints(points);
  const std::vector<cdouble> image = normalData(random, pixels), samples = normalData(random, plan->points());
  std::vector<cdouble> forward(samples.size()), adjoint(image.size()), chosenPixels;
  plan->forward(image.data(), forward.data());
  plan->adjoint(samples.data(), adjoint.data());
  std::vector<std::int64_t> chosen(4000);
  for (std::int64_t& i : chosen) i = between(random, 0, pixels - 1);
  for (const std::int64_t i : chosen) chosenPixels.push_back(adjoint[std::size_t(i)]);
  const auto relative = [](const std::vector<cdouble>& found, const std::vector<cdouble>& exact) {
    double error = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) error += std::norm(found[i] - exact[i]);
    return std::sqrt(error / squareNorm(exact));
  };
  const double there = relative(forward, nudftForward(problem, points, image)),
               back = relative(chosenPixels, nudftAdjoint(problem, points, samples, chosen));
  QVERIFY2(there <= options.accuracy && back <= options.accuracy,
           qPrintable(QString("%1 %2 of %3").arg(there).arg(back).arg(options.accuracy)));
  qInfo("forward %.2e, adjoint %.2e of %.2e", there, back, options.accuracy);
}

void TestAccuracyContract::holdsForPhantoms() {
  std::mt19937 random(5);
  for (const double accuracy : {1e-1, 1e-3, 1e-4, 1e-10}) {
    const Precision precision = accuracy < 1e-5 ? Precision::double64 : Precision::single;
    ContractCase c = specialCase(2, {32, 28, 1}, precision, accuracy, false);
    constexpr int spokes = 24, readout = 32;
    for (int s = 0; s < spokes; ++s)
      for (int i = 0; i < readout; ++i)
        for (const double direction :
             {std::cos(std::numbers::pi * s / spokes), std::sin(std::numbers::pi * s / spokes)})
          c.points.push_back((double(i) / readout - 0.5) * direction);
    const std::vector<cdouble> image = ellipseImage(c.problem);
    c.draws = 1;
    c.data = [&](std::mt19937&, std::int64_t) { return image; };
    ContractResult r = runContract(c, random);
    QVERIFY2(r.error <= accuracy, qPrintable(QString::number(r.error)));
    const std::vector<cdouble> kSpace = nudftForward(c.problem, c.points, image);
    c.adjoint = true;
    c.data = [&](std::mt19937&, std::int64_t) { return kSpace; };
    r = runContract(c, random);
    QVERIFY2(r.error <= accuracy, qPrintable(QString::number(r.error)));
  }
}

void TestAccuracyContract::holdsForAnOutlierInTheSamples() {
  std::mt19937 random(6);
  constexpr double outlier = 1e6;
  for (const double accuracy : {1e-1, 1e-3, 1e-4, 1e-8})
    for (const Index3& size : {Index3{24, 24, 1}, Index3{9, 40, 1}}) {
      const Precision precision = accuracy < 1e-5 ? Precision::double64 : Precision::single;
      ContractCase c = specialCase(2, size, precision, accuracy, true);
      c.points = uniformPoints(random, 80, 2);
      c.data = [&](std::mt19937& r, std::int64_t count) {
        std::vector<cdouble> u = normalData(r, count);
        u[std::size_t(between(r, 0, count - 1))] *= outlier;
        return u;
      };
      const ContractResult r = runContract(c, random);
      QVERIFY2(r.error <= accuracy, qPrintable(QString::number(r.error)));
    }
}

void TestAccuracyContract::noPointsGiveExactZeros() {
  const NufftProblem p = problemOf(2, {8, 9, 1}, Precision::single);
  const auto plan = makeCpuNufftFloat(p, {});
  plan->setPoints({});
  std::vector<cfloat> image(72, cfloat(3, 4));
  plan->adjoint(nullptr, image.data());
  QCOMPARE(squareNorm(image), 0.0);
}

void TestAccuracyContract::refusesWhatCannotBeReached() {
  auto refusal = [](const NufftProblem& p, const NufftOptions& o) {
    try {
      resolveOptions(p, o);
    } catch (const Error& e) {
      return e.reason() + " | " + e.remedy();
    }
    return std::string();
  };
  const NufftProblem single = problemOf(3, {128, 128, 128}, Precision::single);
  const NufftProblem dbl = problemOf(3, {128, 128, 128}, Precision::double64);
  NufftOptions o;
  o.accuracy = 1e-9;
  QVERIFY(refusal(single, o).find("double precision") != std::string::npos);
  QVERIFY(refusal(dbl, o).empty());
  o.accuracy = 1e-17;
  QVERIFY(!refusal(dbl, o).empty());
  o.accuracy = 1e-5;
  o.alpha = 1.125;  // the kernel would have to be so wide that rounding drowns it
  QVERIFY(refusal(single, o).find("oversampling") != std::string::npos);
  QVERIFY(refusal(dbl, o).empty());
  o.alpha = 2;
  o.width = 3;
  QVERIFY(refusal(dbl, o).find("width") != std::string::npos);
  for (const double accuracy : {0.0, -1.0, 1.0, std::nan("")}) {
    NufftOptions broken;
    broken.accuracy = accuracy;
    QVERIFY(!refusal(dbl, broken).empty());
  }
  for (const double alpha : {0.9, 1.0, 2.6, std::nan("")}) {
    NufftOptions broken;
    broken.alpha = alpha;
    QVERIFY(!refusal(dbl, broken).empty());
  }
  for (const double width : {-1.0, 17.0, std::nan("")}) {
    NufftOptions broken;
    broken.width = width;
    QVERIFY(!refusal(dbl, broken).empty());
  }
  QVERIFY(!refusal(problemOf(2, {8, 0, 1}), {}).empty());
  QVERIFY(!refusal(problemOf(2, {8, 8, 8}), {}).empty());
  QVERIFY(!refusal(problemOf(4, {8, 8, 8}), {}).empty());
  QVERIFY(!refusal(problemOf(2, {8, 8, 1}, Precision::double64, 0), {}).empty());
}

void TestAccuracyContract::reachableAccuracyIsReached() {
  for (const Precision precision : {Precision::single, Precision::double64})
    for (const double alpha : {0.0, 1.25, 2.0}) {
      const NufftProblem p = problemOf(2, {64, 48, 1}, precision);
      NufftOptions o;
      o.alpha = alpha;
      o.accuracy = reachableAccuracy(p, o);
      // alpha open means 2 to resolveOptions; a tuner may find more
      if (alpha == 0) continue;
      QVERIFY(resolveOptions(p, o).width > 0);
      o.accuracy /= 3;
      QVERIFY_EXCEPTION_THROWN(resolveOptions(p, o), Error);
    }
}

void TestAccuracyContract::toeplitzRangeIsWhatTheErrorTells() {
  const NufftProblem p = problemOf(2, {2, 2, 1}, Precision::single);
  NufftOptions o;
  for (const double ratio : {1.5, 4.0}) {
    o.toeplitzAlpha = ratio;
    QCOMPARE(resolveOptions(p, o).toeplitzAlpha, ratio);
  }
  for (const double ratio : {1.49, 4.01}) {
    o.toeplitzAlpha = ratio;
    try {
      resolveOptions(p, o);
      QFAIL("was not refused");
    } catch (const Error& error) {
      QCOMPARE(error.remedy(), std::string("Give 0 (automatic) or 1.5 up to 4"));
    }
  }
}

SPOKELAB_TEST(TestAccuracyContract)

}  // namespace test_accuracy_contract

#include "test_accuracy_contract.moc"
