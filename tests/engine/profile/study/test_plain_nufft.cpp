// The plain transform of the studies against exact sums: every dimension, precision and source of
// kernel values, kernels wider than our loops, points on the edge.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <random>
#include <stop_token>

#include "engine/nufft/exact/nudft.h"
#include "engine/profile/study/plain_nufft.h"
#include "engine/profile/study/plan_race.h"
#include "tests/test_main.h"

namespace test_plain_nufft {

using namespace spokelab;

namespace {

NufftProblem problemOf(int dims, Precision precision) {
  NufftProblem problem;
  problem.dims = dims;
  problem.size = {14, dims > 1 ? 11 : 1, dims > 2 ? 8 : 1};
  problem.precision = precision;
  return problem;
}

std::vector<double> pointsOf(int dims) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  std::vector<double> points(static_cast<std::size_t>(dims * 60));
  for (double& k : points) k = uniform(random);
  for (std::size_t d = 0; d < std::size_t(dims); ++d) {
    points[d] = -0.5;
    points[std::size_t(dims) + d] = 0.5;
    points[2 * std::size_t(dims) + d] = 0;
  }
  return points;
}

template <class Complex>
std::vector<Complex> dataOf(std::int64_t count) {
  std::mt19937 random(9);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Complex> data;
  for (std::int64_t i = 0; i < count; ++i) {
    const double re = uniform(random), im = uniform(random);
    data.push_back(Complex(cdouble(re, im)));
  }
  return data;
}

template <class Complex>
double relativeError(const std::vector<Complex>& is, const std::vector<cdouble>& exact) {
  double error = 0, norm = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    error += std::norm(cdouble(is[i]) - exact[i]);
    norm += std::norm(exact[i]);
  }
  return std::sqrt(error / norm);
}

template <class Real>
void agrees(int dims, double width, Precomputation precomputation, double tolerance,
            Method method = Method::automatic) {
  using Complex = std::complex<Real>;
  const NufftProblem problem =
      problemOf(dims, std::is_same_v<Real, float> ? Precision::single : Precision::double64);
  NufftOptions options = optionsWith(problem, 2, width);
  options.precomputation = precomputation;
  options.spread = options.interpolate = method;
  // Finer tables than this do not exist in single precision.
  if (precomputation == Precomputation::linear) options.accuracy = std::max(options.accuracy, 1e-4);
  PlainNufft<Real> plain(problem, options);
  const auto points = pointsOf(dims);
  plain.setPoints(points);
  const auto image = dataOf<Complex>(problem.pixels()), samples = dataOf<Complex>(plain.count());
  std::vector<Complex> toSamples(samples.size()), toImage(image.size());
  const StageTimings timings = timedStages([&] {
    plain.forward(image.data(), toSamples.data(), {});
    plain.adjoint(samples.data(), toImage.data(), {});
  });
  QVERIFY(timings[Stage::spread] > 0 && timings[Stage::interpolate] > 0 && timings.unaccounted() >= 0);
  QVERIFY(plain.kernelSeconds({}) > 0);
  const double forward = relativeError(
                   toSamples,
                   nudftForward(problem, points, std::vector<cdouble>(image.begin(), image.end()))),
               adjoint = relativeError(
                   toImage,
                   nudftAdjoint(problem, points, std::vector<cdouble>(samples.begin(), samples.end())));
  QVERIFY2(forward < tolerance && adjoint < tolerance,
           qPrintable(QStringLiteral("%1 %2").arg(forward).arg(adjoint)));
}

}  // namespace

class TestPlainNufft : public QObject {
  Q_OBJECT

 private slots:
  void isTheExactSum() {
    for (const int dims : {1, 2, 3}) {
      agrees<double>(dims, 8, Precomputation::polynomial, 1e-6);
      agrees<double>(dims, 7.5, Precomputation::none, 2e-6);
      agrees<float>(dims, 6, Precomputation::linear, 2e-4);
      agrees<float>(dims, 8, Precomputation::linear, 1e-4);
    }
  }

  void goesBeyondTheLoopsWidths() {
    for (const double width : {18.0, 20.0})
      for (const Precomputation values : {Precomputation::polynomial, Precomputation::none})
        agrees<double>(2, width, values, 1e-12);
  }

  // Stored values are the same numbers as computed ones: the results agree to the last bits, of new
  // points, too.
  void storedValuesGiveWhatComputedOnesGive() {
    const NufftProblem problem = problemOf(2, Precision::double64);
    for (const double width : {7.0, 20.0}) {
      NufftOptions options = optionsWith(problem, 2, width), stored = options, matrix = options;
      stored.precomputation = Precomputation::tensor;
      matrix.spread = matrix.interpolate = Method::sparse;
      PlainNufft<double> computed(problem, options), values(problem, stored), entries(problem, matrix);
      auto points = pointsOf(2);
      for (int turn = 0; turn < 2; ++turn) {
        for (double& k : points) k = 0.9 * k;
        const auto image = dataOf<cdouble>(problem.pixels()),
                   samples = dataOf<cdouble>(std::int64_t(points.size() / 2));
        std::vector<std::vector<cdouble>> results;
        for (PlainNufft<double>* plain : {&computed, &values, &entries}) {
          plain->setPoints(points);
          std::vector<cdouble> both(samples.size() + image.size());
          plain->forward(image.data(), both.data(), {});
          plain->adjoint(samples.data(), both.data() + samples.size(), {});
          results.push_back(both);
        }
        QVERIFY(results[1] == results[0]);
        QVERIFY(relativeError(results[2], results[0]) < 1e-15);
      }
    }
    for (const int dims : {1, 2, 3}) {
      agrees<double>(dims, 20, Precomputation::tensor, 1e-12);
      agrees<double>(dims, 18, Precomputation::polynomial, 1e-12, Method::sparse);
    }
  }

  void isCancelled() {
    const NufftProblem problem = problemOf(2, Precision::double64);
    PlainNufft<double> plain(problem, optionsWith(problem, 2, 6));
    plain.setPoints(pointsOf(2));
    std::stop_source stop;
    stop.request_stop();
    std::vector<cdouble> image(std::size_t(problem.pixels())), samples(60);
    const Progress progress(stop.get_token());
    QVERIFY_THROWS_EXCEPTION(Cancelled, plain.adjoint(samples.data(), image.data(), progress));
    QVERIFY_THROWS_EXCEPTION(Cancelled, plain.forward(image.data(), samples.data(), progress));
    NufftOptions matrix = optionsWith(problem, 2, 6);
    matrix.spread = Method::sparse;
    PlainNufft<double> stored(problem, matrix);
    stored.setPoints(pointsOf(2));
    QVERIFY_THROWS_EXCEPTION(Cancelled, stored.adjoint(samples.data(), image.data(), progress));
    QVERIFY_THROWS_EXCEPTION(Cancelled, stored.forward(image.data(), samples.data(), progress));
  }
};

SPOKELAB_TEST(TestPlainNufft)

}  // namespace test_plain_nufft

#include "test_plain_nufft.moc"
