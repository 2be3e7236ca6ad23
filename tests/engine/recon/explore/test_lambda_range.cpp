// Images of a range of lambda from one run: beside solutions of the dense systems, and beside
// reconstructions with one lambda each; the choices of lambda beside the noise that was added.
#include <QtTest>
#include <cmath>

#include "engine/core/error.h"
#include "engine/recon/explore/lambda/lambda_choice.h"
#include "engine/recon/operators/vector_space.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/recon/solve/lanczos.h"
#include "engine/scan/simulate/random_numbers.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/engine/recon/measures.h"
#include "tests/engine/recon/reconstruct.h"
#include "tests/test_main.h"

namespace test_lambda_range {

using namespace spokelab;
using namespace spokelab::test;

namespace {

// Gaussian elimination with pivots.
std::vector<cdouble> solved(std::vector<cdouble> a, std::vector<cdouble> b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(a[i * n + k]) > std::abs(a[pivot * n + k])) pivot = i;
    for (std::size_t j = 0; j < n; ++j) std::swap(a[k * n + j], a[pivot * n + j]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const cdouble factor = a[i * n + k] / a[k * n + k];
      for (std::size_t j = k; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k * n + j] * b[j];
    b[k] /= a[k * n + k];
  }
  return b;
}

std::shared_ptr<const Scan> noisyScan(double noise) {
  SimulateOptions options;
  options.trajectory.pattern = Pattern::radial2d;
  options.trajectory.matrix = {32, 32, 1};
  options.trajectory.samplesPerShot = 64;
  options.trajectory.shots = 30;
  options.coils = 4;
  options.noise = noise;
  return simulate(options, {});
}

ReconOptions accurate() {
  ReconOptions options = senseOptions();
  options.nufft.width = 8;
  options.iterative.solver = {80, 1e-6, 0, Regularization::tikhonov};
  return options;
}

LambdaRangeOptions wide() {
  LambdaRangeOptions range;
  range.low = 1e-3;
  range.high = 3;
  range.count = 21;
  range.steps = 80;
  range.tolerance = 1e-6;
  return range;
}

}  // namespace

class TestLambdaRange : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void oneProcessSolvesAllShiftedSystems() {
    constexpr std::size_t n = 20;
    std::vector<cdouble> factor(n * n), a(n * n), b(n);
    for (std::size_t i = 0; i < n * n; ++i) factor[i] = complexNormal(3, i);
    for (std::size_t i = 0; i < n; ++i) b[i] = complexNormal(4, i);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t k = 0; k < n; ++k) a[i * n + j] += factor[i * n + k] * std::conj(factor[j * n + k]);
    HostSpace<double> space;
    const auto apply = [&](const cdouble* in, cdouble* out) {
      for (std::size_t i = 0; i < n; ++i) {
        out[i] = 0;
        for (std::size_t j = 0; j < n; ++j) out[i] += a[i * n + j] * in[j];
      }
    };
    const auto basis = lanczos(space, apply, b.data(), n, int(n), [](const ShiftedSystems&) { return true; });
    for (const double lambda : {1e-3, 0.1, 1.0, 30.0}) {
      std::vector<cdouble> shifted = a;
      for (std::size_t i = 0; i < n; ++i) shifted[i * n + i] += lambda;
      const std::vector<cdouble> exact = solved(shifted, b);
      const std::vector<double> weights = basis.systems.solution(lambda);
      std::vector<cdouble> x(n);
      for (std::size_t k = 0; k < weights.size(); ++k)
        for (std::size_t i = 0; i < n; ++i) x[i] += weights[k] * basis.vectors[k][i];
      QVERIFY(relativeDifference(x, exact) < 1e-8);
    }
    for (std::size_t k = 0; k < basis.vectors.size(); ++k)
      for (std::size_t l = 0; l <= k; ++l)
        QVERIFY(std::abs(space.dot(basis.vectors[k].data(), basis.vectors[l].data(), n) - (k == l)) < 1e-12);
  }

  void theResidualIsKnownWithoutTheImage() {
    constexpr std::size_t n = 40;
    HostSpace<double> space;
    std::vector<cdouble> b(n);
    for (std::size_t i = 0; i < n; ++i) b[i] = complexNormal(5, i);
    const auto apply = [&](const cdouble* in, cdouble* out) {
      for (std::size_t i = 0; i < n; ++i) out[i] = double(i + 1) / n * in[i];
    };
    const auto basis = lanczos(space, apply, b.data(), n, 6, [](const ShiftedSystems&) { return true; });
    for (const double lambda : {0.01, 0.3}) {
      const std::vector<double> weights = basis.systems.solution(lambda);
      double square = 0, all = 0;
      for (std::size_t i = 0; i < n; ++i) {
        cdouble x = 0;
        for (std::size_t k = 0; k < weights.size(); ++k) x += weights[k] * basis.vectors[k][i];
        square += std::norm(b[i] - (double(i + 1) / n + lambda) * x);
        all += std::norm(b[i]);
      }
      QVERIFY(std::abs(basis.systems.residual(lambda) / std::sqrt(square / all) - 1) < 1e-9);
    }
  }

  void imagesAreThoseOfReconstructionsWithOneLambda() {
    const auto scan = noisyScan(0.05);
    const auto cpu = makeCpuBackend();
    const LambdaChoice choice = chooseLambda(*cpu, *scan, accurate(), wide(), 0, {});
    for (const double lambda : {2e-3, 0.1, 1.0}) {
      ReconOptions options = accurate();
      options.iterative.solver.lambda = lambda;
      const Reconstruction one = run(*scan, options);
      const auto image = choice.image(lambda);
      QCOMPARE(image->data.size(), one.image->data.size());
      const double difference = relativeDifference(image->data, one.image->data);
      QVERIFY2(difference < 2e-3, qPrintable(QString("%1 at %2").arg(difference).arg(lambda)));
    }
  }

  void misfitGrowsAndLengthShrinksWithLambda() {
    const auto scan = noisyScan(0.05);
    const auto cpu = makeCpuBackend();
    const LambdaChoice choice = chooseLambda(*cpu, *scan, accurate(), wide(), 0, {});
    const std::vector<LambdaPoint>& points = choice.range->points;
    QCOMPARE(points.size(), std::size_t(21));
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
      QVERIFY(points[i].misfit < points[i + 1].misfit * (1 + 1e-4));
      QVERIFY(points[i].square > points[i + 1].square);
    }
    QVERIFY(points.back().misfit < choice.range->energy);
  }

  void theDiscrepancyFitsTheNoiseThatWasAdded() {
    const auto scan = noisyScan(0.3);
    const auto cpu = makeCpuBackend();
    const LambdaChoice choice = chooseLambda(*cpu, *scan, accurate(), wide(), 0, {});
    QVERIFY(choice.noise > 0);
    QVERIFY(choice.discrepancy.has_value());
    const auto other = lambdaOfMisfit(choice.range->points, choice.noise);
    QCOMPARE(*choice.discrepancy, *other);
    // Twice the noise takes a larger lambda.
    const auto larger = lambdaOfMisfit(choice.range->points, 2 * choice.noise);
    QVERIFY(!larger || *larger > *choice.discrepancy);
    QVERIFY(choice.heldOut.has_value() && !choice.range->heldOut.empty());
  }

  void moreNoiseAsksForMoreRegularization() {
    const auto cpu = makeCpuBackend();
    const LambdaChoice quiet = chooseLambda(*cpu, *noisyScan(0.02), accurate(), wide(), 0, {}),
                       loud = chooseLambda(*cpu, *noisyScan(0.6), accurate(), wide(), 0, {});
    QVERIFY2(*loud.heldOut > *quiet.heldOut,
             qPrintable(QString("%1 %2").arg(*quiet.heldOut).arg(*loud.heldOut)));
  }

  void anLShapedCurveHasItsCornerWhereItBends() {
    std::vector<LambdaPoint> points;
    for (int i = -20; i <= 20; ++i) {
      const double lambda = std::pow(10.0, i / 5.0);
      // Two singular values: 1 with a signal, 1e-4 with noise.
      const auto part = [&](double value, double data, LambdaPoint& p) {
        p.misfit += std::pow(lambda / (value + lambda) * data, 2);
        p.square += value * std::pow(data / (value + lambda), 2);
      };
      LambdaPoint p;
      p.lambda = lambda;
      part(1, 1, p);
      part(1e-4, 1e-2, p);
      points.push_back(p);
    }
    const std::vector<double> curvature = curvatureOf(points);
    const auto at = std::size_t(std::max_element(curvature.begin(), curvature.end()) - curvature.begin());
    QVERIFY(points[at].lambda > 1e-4 && points[at].lambda < 1);
  }

  void methodsWithoutShiftsAreRefused() {
    const auto scan = noisyScan(0.05);
    const auto cpu = makeCpuBackend();
    const auto reason = [&](ReconOptions options, LambdaRangeOptions range = wide()) {
      try {
        chooseLambda(*cpu, *scan, options, range, 0, {});
      } catch (const Error& error) {
        return error.reason();
      }
      return std::string();
    };
    ReconOptions options = accurate();
    options.iterative.method = ReconMethod::wavelet;
    QVERIFY(!reason(options).empty());
    options = accurate();
    options.iterative.solver.regularization = Regularization::roughness;
    QVERIFY(!reason(options).empty());
    LambdaRangeOptions range = wide();
    range.low = 2;
    range.high = 1;
    QVERIFY(!reason(accurate(), range).empty());
  }
};

SPOKELAB_TEST(TestLambdaRange)

}  // namespace test_lambda_range

#include "test_lambda_range.moc"
