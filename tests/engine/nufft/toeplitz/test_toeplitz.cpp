// The normal operator as a convolution: the operator against direct sums, plans against exact sums
// in all forms, what they take, and the tuner's race between them and the grid.
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <limits>
#include <numbers>

#include "engine/core/error.h"
#include "engine/core/output/kept_values.h"
#include "engine/nufft/plan/plan.h"
#include "engine/nufft/plan/psf.h"
#include "engine/nufft/toeplitz/toeplitz.h"
#include "engine/nufft/toeplitz/toeplitz_lengths.h"
#include "engine/nufft/tune/tune.h"
#include "engine/recon/sense/backend_cpu.h"
#include "tests/engine/nufft/contract.h"
#include "tests/test_main.h"

namespace test_toeplitz {

using namespace spokelab;
using namespace spokelab::test;

namespace {

const Index3 shapes[] = {{50, 1, 1},   {1, 1, 1},  {24, 31, 1}, {33, 1, 1},
                         {12, 15, 10}, {16, 1, 9}, {7, 8, 17}};
const int shapeDims[] = {1, 1, 2, 2, 3, 3, 3};

std::vector<double> randomWeights(std::mt19937& random, std::int64_t count) {
  std::uniform_real_distribution<double> weight(0.2, 2);
  std::vector<double> weights(static_cast<std::size_t>(count));
  for (double& w : weights) w = weight(random);
  return weights;
}

// A^H W A f by exact sums.
std::vector<cdouble> exactNormal(NufftProblem problem, const std::vector<double>& points,
                                 const std::vector<double>& weights, const std::vector<cdouble>& image) {
  problem.batch = 1;
  std::vector<cdouble> samples = nudftForward(problem, points, image);
  for (std::size_t j = 0; j < weights.size(); ++j) samples[j] *= weights[j];
  return nudftAdjoint(problem, points, samples);
}

// Relative l2 error of plan.normal over the images of a batch.
template <class Real>
double normalError(const NufftProblem& problem, const NufftOptions& options,
                   const std::vector<double>& points, const std::vector<double>& weights,
                   std::mt19937& random, bool inPlace = false) {
  const auto plan = cpuPlan<Real>(problem, options);
  plan->setPoints(points);
  plan->setWeights(weights);
  const std::int64_t pixels = problem.pixels();
  std::vector<std::complex<Real>> in, out(static_cast<std::size_t>(problem.batch * pixels));
  std::vector<std::vector<cdouble>> images;
  for (std::int64_t b = 0; b < problem.batch; ++b) {
    images.emplace_back();
    for (const cdouble& v : normalData(random, pixels)) {
      in.emplace_back(v);
      images.back().emplace_back(in.back());
    }
  }
  plan->normal(in.data(), inPlace ? in.data() : out.data());
  if (inPlace) out = in;
  double error = 0, scale = 0;
  for (std::int64_t b = 0; b < problem.batch; ++b) {
    const auto exact = exactNormal(problem, points, weights, images[static_cast<std::size_t>(b)]);
    for (std::int64_t i = 0; i < pixels; ++i) {
      error += std::norm(cdouble(out[static_cast<std::size_t>(b * pixels + i)]) -
                         exact[static_cast<std::size_t>(i)]);
      scale += std::norm(exact[static_cast<std::size_t>(i)]);
    }
  }
  return std::sqrt(error / scale);
}

double normalError(const NufftProblem& problem, const NufftOptions& options,
                   const std::vector<double>& points, const std::vector<double>& weights,
                   std::mt19937& random, bool inPlace = false) {
  return problem.precision == Precision::single
             ? normalError<float>(problem, options, points, weights, random, inPlace)
             : normalError<double>(problem, options, points, weights, random, inPlace);
}

std::vector<double> radialPoints(int spokes, int readout) {
  std::vector<double> points;
  for (int s = 0; s < spokes; ++s)
    for (int i = 0; i < readout; ++i) {
      const double r = (i + 0.5) / readout - 0.5, angle = std::numbers::pi * s / spokes;
      points.push_back(r * std::cos(angle));
      points.push_back(r * std::sin(angle));
    }
  return points;
}

}  // namespace

class TestToeplitz : public QObject {
  Q_OBJECT
 private slots:
  void operatorConvolves_data() {
    QTest::addColumn<int>("shape");
    QTest::addColumn<bool>("shifted");
    for (int s = 0; s < int(std::size(shapes)); ++s)
      for (const bool shifted : {false, true})
        QTest::addRow("%d-D shape %d %s", shapeDims[s], s, shifted ? "shifted" : "padded") << s << shifted;
  }
  // Against sum_m f(m) q(n - m) for lags of any kind that are conjugate.
  void operatorConvolves() {
    QFETCH(int, shape);
    QFETCH(bool, shifted);
    const NufftProblem problem = problemOf(shapeDims[shape], shapes[shape], Precision::double64);
    const Index3 n = problem.size;
    std::mt19937 random(1);
    const auto last = static_cast<std::size_t>(problem.dims - 1);
    Index3 lags{2 * n[0] - 1, 2 * n[1] - 1, 2 * n[2] - 1}, first{1 - n[0], 1 - n[1], 1 - n[2]};
    const auto at = [&](const Index3& l) {
      return static_cast<std::size_t>(((l[2] - first[2]) * lags[1] + l[1] - first[1]) * lags[0] + l[0] -
                                      first[0]);
    };
    std::vector<cdouble> all = normalData(random, product(lags)), half;
    for (std::size_t i = 0; i < all.size() / 2; ++i) all[all.size() - 1 - i] = std::conj(all[i]);
    all[all.size() / 2] = all[all.size() / 2].real();
    Index3 begin = first;
    begin[last] = 0;
    for (std::int64_t z = begin[2]; z < n[2]; ++z)
      for (std::int64_t y = begin[1]; y < n[1]; ++y)
        for (std::int64_t x = begin[0]; x < n[0]; ++x) half.push_back(all[at({x, y, z})]);
    const std::vector<cdouble> image = normalData(random, problem.pixels());
    std::vector<cdouble> expected, result(image.size());
    const auto forPixels = [&](auto&& work) {
      for (std::int64_t z = 0; z < n[2]; ++z)
        for (std::int64_t y = 0; y < n[1]; ++y)
          for (std::int64_t x = 0; x < n[0]; ++x) work(Index3{x, y, z});
    };
    forPixels([&](const Index3& p) {
      cdouble sum = 0;
      std::size_t i = 0;
      forPixels([&](const Index3& m) {
        sum += image[i++] * all[at({p[0] - m[0], p[1] - m[1], p[2] - m[2]})];
      });
      expected.push_back(sum);
    });
    for (const int threads : {1, 2, 3})
      for (const double alpha : {0.0, 2.7}) {
        ToeplitzOperator<double> convolve(problem, shifted, alpha, threads);
        convolve.setPsf(half.data());
        convolve.apply(image.data(), result.data());
        double error = 0;
        for (std::size_t i = 0; i < result.size(); ++i) error += std::norm(result[i] - expected[i]);
        QVERIFY2(std::sqrt(error / squareNorm(expected)) < 1e-13, qPrintable(QString::number(error)));
        QVERIFY(convolve.memory() <= ToeplitzOperator<double>::estimate(problem, shifted, alpha));
      }
  }

  void equalsExactSums_data() {
    QTest::addColumn<int>("shape");
    QTest::addColumn<int>("method");
    for (int s = 0; s < int(std::size(shapes)); ++s)
      for (const NormalMethod m : {NormalMethod::gridded, NormalMethod::toeplitz,
                                   NormalMethod::toeplitzShifted, NormalMethod::automatic})
        QTest::addRow("%d-D shape %d %s", shapeDims[s], s, std::string(normalMethodName(m)).c_str())
            << s << int(m);
  }
  // Within the accuracy asked; gridding, forward and adjoint, within twice that.
  void equalsExactSums() {
    QFETCH(int, shape);
    QFETCH(int, method);
    std::mt19937 random(2);
    for (const double accuracy : {1e-2, 1e-4, 1e-5, 1e-8, 1e-11}) {
      NufftProblem problem = problemOf(shapeDims[shape], shapes[shape],
                                       accuracy < 1e-5 ? Precision::double64 : Precision::single);
      problem.batch = 2;
      problem.sign = accuracy < 1e-3 ? 1 : -1;
      NufftOptions options;
      options.accuracy = accuracy;
      options.normal = NormalMethod(method);
      const auto points = uniformPoints(random, 700, problem.dims);
      const double allowed = accuracy * (isToeplitz(options.normal) ? 1 : 2);
      for (const bool weighted : {false, true}) {
        const auto weights = weighted ? randomWeights(random, 700) : std::vector<double>();
        const double error = normalError(problem, options, points, weights, random, weighted);
        QVERIFY2(error <= allowed, qPrintable(QString("%1 for %2").arg(error).arg(accuracy)));
      }
    }
  }

  void holdsForUnevenPoints_data() {
    QTest::addColumn<int>("method");
    for (const NormalMethod m : {NormalMethod::toeplitz, NormalMethod::toeplitzShifted})
      QTest::newRow(std::string(normalMethodName(m)).c_str()) << int(m);
  }
  void holdsForUnevenPoints() {
    QFETCH(int, method);
    std::mt19937 random(3);
    for (const double accuracy : {1e-3, 1e-9}) {
      const NufftProblem problem =
          problemOf(2, {32, 27, 1}, accuracy < 1e-5 ? Precision::double64 : Precision::single);
      NufftOptions options;
      options.accuracy = accuracy;
      options.normal = NormalMethod(method);
      const auto radial = radialPoints(40, 32);
      std::vector<double> ramp;  // density weights
      for (std::size_t j = 0; j < radial.size(); j += 2) ramp.push_back(std::hypot(radial[j], radial[j + 1]));
      QVERIFY(normalError(problem, options, radial, ramp, random) <= accuracy);
      std::vector<double> cluster = uniformPoints(random, 300, 2);
      for (double& k : cluster) k = 0.49 + 0.03 * k;
      QVERIFY(normalError(problem, options, cluster, {}, random) <= accuracy);
      QVERIFY(normalError(problem, options, {0.5, -0.5}, {3.0}, random) <= accuracy);
      QVERIFY(normalError(problem, options, {7.25, -3.125}, {3.0}, random) <= accuracy);
    }
  }

  void newPointsAndWeightsAreSeen() {
    std::mt19937 random(4);
    const NufftProblem problem = problemOf(2, {20, 20, 1}, Precision::double64);
    NufftOptions options;
    options.accuracy = 1e-8;
    options.normal = NormalMethod::toeplitz;
    const auto plan = makeCpuNufftDouble(problem, options);
    const auto image = normalData(random, problem.pixels());
    std::vector<cdouble> result(image.size());
    const auto agrees = [&](const std::vector<double>& points, const std::vector<double>& weights) {
      plan->normal(image.data(), result.data());
      const auto exact = exactNormal(problem, points, weights, image);
      double error = 0;
      for (std::size_t i = 0; i < exact.size(); ++i) error += std::norm(result[i] - exact[i]);
      return std::sqrt(error / squareNorm(exact)) <= options.accuracy;
    };
    const auto first = uniformPoints(random, 500, 2), second = uniformPoints(random, 800, 2);
    plan->setPoints(first);
    QVERIFY(agrees(first, {}));
    const auto weights = randomWeights(random, 500);
    plan->setWeights(weights);
    QVERIFY(agrees(first, weights));
    plan->setPoints(second);
    QVERIFY_EXCEPTION_THROWN(plan->normal(image.data(), result.data()), Error);
    plan->setWeights({});
    QVERIFY(agrees(second, {}));
    plan->setPoints({});
    plan->normal(image.data(), result.data());
    QCOMPARE(squareNorm(result), 0.0);
  }

  void ratioIsUsed() {
    const NufftProblem problem = problemOf(2, {30, 23, 1});
    QCOMPARE(toeplitzLengths(problem, 0), (Index3{60, 48, 1}));
    QCOMPARE(toeplitzLengths(problem, 2.1), (Index3{64, 50, 1}));
    QCOMPARE(toeplitzLengths(problemOf(1, {1, 1, 1}), 3), (Index3{1, 1, 1}));
    const auto alphas = toeplitzAlphas(problem, 4);
    QVERIFY(alphas.size() == 4 && alphas.front() == 2.0 && std::is_sorted(alphas.begin(), alphas.end()));
    for (const double alpha : alphas) QVERIFY(toeplitzLengths(problem, alpha)[0] == std::llround(alpha * 30));
    NufftOptions options;
    options.normal = NormalMethod::toeplitz;
    options.toeplitzAlpha = 3;
    const auto wide = makeCpuNufftFloat(problem, options);
    std::mt19937 random(5);
    const auto points = uniformPoints(random, 900, 2);
    wide->setPoints(points);
    QCOMPARE(wide->info().options.toeplitzAlpha, 3.0);
    QVERIFY(normalError(problem, options, points, {}, random) <= options.accuracy);
    for (const double broken : {-1.0, 1.2, 5.0, std::nan("")}) {
      options.toeplitzAlpha = broken;
      QVERIFY_EXCEPTION_THROWN(makeCpuNufftFloat(problem, options), Error);
    }
  }

  // The estimate is the memory taken, or more; a limit below it refuses the form, or takes the grid
  // if that is open.
  void memoryIsKnownAndLimited() {
    std::mt19937 random(6);
    for (const Index3& size : {Index3{40, 36, 1}, Index3{20, 18, 16}})
      for (const NormalMethod method : {NormalMethod::toeplitz, NormalMethod::toeplitzShifted}) {
        const NufftProblem problem = problemOf(size[2] > 1 ? 3 : 2, size);
        const std::int64_t count = 20000;
        const auto points = uniformPoints(random, count, problem.dims);
        NufftOptions options;
        options.normal = method;
        const std::int64_t estimate = estimateCpuMemory(problem, options, count);
        std::vector<cfloat> image(static_cast<std::size_t>(problem.pixels()), cfloat(1));
        const auto plan = makeCpuNufftFloat(problem, options);
        plan->setPoints(points);
        plan->normal(image.data(), image.data());
        QVERIFY(plan->info().memory <= estimate);
        options.memoryLimit = estimate;
        const auto limited = makeCpuNufftFloat(problem, options);
        limited->setPoints(points);
        limited->normal(image.data(), image.data());
        NufftOptions gridded = options;
        gridded.normal = NormalMethod::gridded;
        options.memoryLimit = estimateCpuMemory(problem, gridded, count) + 1000;
        bool refused = false;
        try {
          makeCpuNufftFloat(problem, options)->setPoints(points);
        } catch (const Error& e) {
          refused = e.reason().find("limit") != std::string::npos;
        }
        QVERIFY(refused);
        options.normal = NormalMethod::automatic;
        const auto open = makeCpuNufftFloat(problem, options);
        open->setPoints(points);
        QCOMPARE(open->info().options.normal, NormalMethod::gridded);
      }
  }

  void manyPointsConvolve() {
    std::mt19937 random(7);
    const NufftProblem problem = problemOf(2, {64, 64, 1});
    NufftOptions options;
    options.alpha = 1.25;  // a grid much smaller than the padded form's
    const auto plan = makeCpuNufftFloat(problem, options);
    plan->setPoints(uniformPoints(random, 40000, 2));
    QCOMPARE(plan->info().options.normal, NormalMethod::toeplitz);
    plan->setPoints(uniformPoints(random, 5, 2));
    QCOMPARE(plan->info().options.normal, NormalMethod::gridded);
  }

  void tunerRacesAllForms() {
    std::mt19937 random(8);
    const auto backend = makeCpuBackend();
    NufftBackend* const backends[] = {backend.get()};
    const auto points = uniformPoints(random, 4000, 2);
    const auto weights = randomWeights(random, 4000);
    TuneRequest request;
    request.problem = problemOf(2, {40, 36, 1});
    request.points = points;
    request.weights = weights;
    request.options.threads = 1;
    request.workload.direction = Direction::normal;
    request.effort = TuneEffort::exhaustive;
    request.trials = 2;
    const TuneResult result = tune(backends, request, nullptr, {});
    int gridded = 0, padded = 0, shifted = 0;
    for (const Candidate& c : result.candidates) {
      QVERIFY2(c.timed() && c.refused.empty(), c.refused.c_str());
      gridded += c.options.normal == NormalMethod::gridded;
      padded += c.options.normal == NormalMethod::toeplitz && c.options.toeplitzAlpha >= 1.95;
      shifted += c.options.normal == NormalMethod::toeplitzShifted;
      if (isToeplitz(c.options.normal)) QCOMPARE(c.timings.interpolation(), 0.0);
    }
    QVERIFY2(gridded > 3 && padded > 2 && shifted == 1,
             qPrintable(QString("%1 %2 %3").arg(gridded).arg(padded).arg(shifted)));
    QVERIFY(result.best >= 0);
    request.effort = TuneEffort::measure;
    const TuneResult measured = tune(backends, request, nullptr, {});
    const Candidate& best = measured.candidates[static_cast<std::size_t>(measured.best)];
    QVERIFY(best.options.normal != NormalMethod::automatic);
    QVERIFY(best.options.normal != NormalMethod::toeplitz || best.options.toeplitzAlpha > 0);
    request.options.normal = NormalMethod::gridded;
    for (const Candidate& c : tune(backends, request, nullptr, {}).candidates)
      QCOMPARE(c.options.normal, NormalMethod::gridded);
  }

  // The kernel of the worst pixel's error is wider than the one of the mean.
  void keptSpreadsAreToldApartByTheErrorsMeasure() {
    const QTemporaryDir folder;
    KeptValues kept(folder.path().toStdString(), {.minSeconds = 0});
    const KeptValuesScope scope(&kept);
    NufftProblem problem;
    problem.dims = 2;
    problem.size = {24, 31, 1};
    std::mt19937 random(3);
    std::uniform_real_distribution<double> cycles(-0.5, 0.5);
    std::vector<double> points(400);
    for (double& k : points) k = cycles(random);
    NufftOptions options;
    options.accuracy = 1e-3;
    for (const ErrorMeasure measure :
         {ErrorMeasure::relativeL2, ErrorMeasure::worstPixel, ErrorMeasure::worstPixel}) {
      problem.measure = measure;
      ToeplitzOperator<float> convolve(problem, false, 2, 1);
      setPointSpread(problem, options, points, {}, 0, convolve);
    }
    QCOMPARE(kept.list().size(), std::size_t(2));
    QCOMPARE(kept.uses().size(), std::size_t(1));
  }
};

SPOKELAB_TEST(TestToeplitz)

}  // namespace test_toeplitz

#include "test_toeplitz.moc"
