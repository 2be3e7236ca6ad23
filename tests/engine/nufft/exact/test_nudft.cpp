// The exact sums against sums in long double, term by term.
#include <QtTest>

#include <cmath>
#include <numbers>

#include "engine/core/error.h"
#include "engine/nufft/exact/nudft.h"
#include "tests/engine/nufft/random_problem.h"
#include "tests/test_main.h"

namespace test_nudft {

using namespace spokelab;
using namespace spokelab::test;
using Long = std::complex<long double>;

namespace {

Long phase(const NufftProblem& p, const std::vector<double>& points, std::int64_t j, std::int64_t pixel) {
  const std::int64_t n[3] = {pixel % p.size[0] - p.size[0] / 2, pixel / p.size[0] % p.size[1] - p.size[1] / 2,
                             pixel / (p.size[0] * p.size[1]) - p.size[2] / 2};
  long double turns = 0;
  for (int d = 0; d < p.dims; ++d)
    turns += n[d] * static_cast<long double>(points[std::size_t(j * p.dims + d)]);
  return std::polar(1.0L, 2 * std::numbers::pi_v<long double> * p.sign * turns);
}

double difference(const std::vector<Long>& exact, const std::vector<cdouble>& got) {
  long double error = 0, norm = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    error += std::norm(exact[i] - Long(got[i]));
    norm += std::norm(exact[i]);
  }
  return double(std::sqrt(error / norm));
}

}  // namespace

class TestNudft : public QObject {
  Q_OBJECT
 private slots:
  void agreesWithLongDouble_data();
  void agreesWithLongDouble();
  void selectionsAreParts();
  void pointsFoldPeriodically();
  void nothingGivesNothing();
  void isCancelled();
  void refusesWhatDoesNotFit();
};

void TestNudft::agreesWithLongDouble_data() {
  QTest::addColumn<int>("dims");
  QTest::addColumn<QList<qint64>>("size");
  QTest::addColumn<int>("sign");
  QTest::newRow("1-D even") << 1 << QList<qint64>{700, 1, 1} << -1;
  QTest::newRow("1-D odd, sign +") << 1 << QList<qint64>{333, 1, 1} << 1;
  QTest::newRow("2-D anisotropic") << 2 << QList<qint64>{31, 14, 1} << -1;
  QTest::newRow("2-D many rows") << 2 << QList<qint64>{5, 70, 1} << 1;
  QTest::newRow("3-D") << 3 << QList<qint64>{6, 9, 11} << 1;
  QTest::newRow("3-D thin") << 3 << QList<qint64>{1, 40, 3} << -1;
  QTest::newRow("one pixel") << 3 << QList<qint64>{1, 1, 1} << -1;
}

void TestNudft::agreesWithLongDouble() {
  QFETCH(int, dims);
  QFETCH(QList<qint64>, size);
  QFETCH(int, sign);
  std::mt19937 random(7);
  const NufftProblem p = problemOf(dims, {size[0], size[1], size[2]}, Precision::double64, sign);
  const std::int64_t m = 53;
  const std::vector<double> points = uniformPoints(random, m, dims);
  const std::vector<cdouble> image = normalData(random, p.pixels()), samples = normalData(random, m);
  std::vector<Long> forward(static_cast<std::size_t>(m)), adjoint(static_cast<std::size_t>(p.pixels()));
  for (std::int64_t j = 0; j < m; ++j)
    for (std::int64_t i = 0; i < p.pixels(); ++i) {
      const Long e = phase(p, points, j, i);
      forward[std::size_t(j)] += Long(image[std::size_t(i)]) * e;
      adjoint[std::size_t(i)] += Long(samples[std::size_t(j)]) * std::conj(e);
    }
  for (int threads : {1, 0}) {
    QVERIFY(difference(forward, nudftForward(p, points, image, {}, threads)) < 1e-14);
    QVERIFY(difference(adjoint, nudftAdjoint(p, points, samples, {}, threads)) < 1e-14);
  }
}

void TestNudft::selectionsAreParts() {
  std::mt19937 random(8);
  const NufftProblem p = problemOf(2, {300, 35, 1});
  const std::vector<double> points = uniformPoints(random, 101, 2);
  const std::vector<cdouble> image = normalData(random, p.pixels()), samples = normalData(random, 101);
  const std::vector<cdouble> forward = nudftForward(p, points, image),
                             adjoint = nudftAdjoint(p, points, samples);
  const std::vector<std::int64_t> someSamples{100, 3, 4, 77, 0, 5, 6, 7, 8, 9, 50};
  const std::vector<std::int64_t> somePixels{0, 10499, 256, 255, 5000};
  const auto partForward = nudftForward(p, points, image, someSamples);
  const auto partAdjoint = nudftAdjoint(p, points, samples, somePixels);
  for (std::size_t i = 0; i < someSamples.size(); ++i)
    QVERIFY(std::abs(partForward[i] - forward[std::size_t(someSamples[i])]) < 1e-11);
  for (std::size_t i = 0; i < somePixels.size(); ++i)
    QVERIFY(std::abs(partAdjoint[i] - adjoint[std::size_t(somePixels[i])]) < 1e-11);
}

void TestNudft::pointsFoldPeriodically() {
  std::mt19937 random(9);
  const NufftProblem p = problemOf(2, {12, 13, 1});
  const std::vector<double> points{0.25, -0.375, 0.5, 0.0625};
  const std::vector<double> shifted{1.25, -3.375, -0.5, 7.0625};
  const std::vector<cdouble> image = normalData(random, p.pixels());
  const auto a = nudftForward(p, points, image), b = nudftForward(p, shifted, image);
  for (std::size_t i = 0; i < 2; ++i) QVERIFY(std::abs(a[i] - b[i]) < 1e-13);
}

void TestNudft::nothingGivesNothing() {
  const NufftProblem p = problemOf(2, {4, 4, 1});
  QVERIFY(nudftForward(p, {}, std::vector<cdouble>(16, 1)).empty());
  QCOMPARE(squareNorm(nudftAdjoint(p, {}, {})), 0.0);
  QCOMPARE(nudftAdjoint(p, {}, {}).size(), std::size_t(16));
}

void TestNudft::isCancelled() {
  std::mt19937 random(10);
  const NufftProblem p = problemOf(2, {64, 64, 1});
  const auto points = uniformPoints(random, 64, 2);
  std::stop_source stop;
  stop.request_stop();
  const Progress progress(stop.get_token());
  bool cancelled = false;
  try {
    nudftForward(p, points, normalData(random, p.pixels()), {}, 0, progress);
  } catch (const Cancelled&) {
    cancelled = true;
  }
  QVERIFY(cancelled);
}

void TestNudft::refusesWhatDoesNotFit() {
  const NufftProblem p = problemOf(2, {4, 4, 1});
  const std::vector<double> points{0.1, 0.2}, broken{0.1, std::nan("")};
  const std::vector<cdouble> pixels(16), samples(1);
  QVERIFY_EXCEPTION_THROWN(nudftForward(p, points, std::vector<cdouble>(15)), Error);
  QVERIFY_EXCEPTION_THROWN(nudftAdjoint(p, points, std::vector<cdouble>(2)), Error);
  QVERIFY_EXCEPTION_THROWN(nudftForward(p, broken, pixels), Error);
  QVERIFY_EXCEPTION_THROWN(nudftForward(p, std::vector<double>{0.1, 0.2, 0.3}, pixels), Error);
}

SPOKELAB_TEST(TestNudft)

}  // namespace test_nudft

#include "test_nudft.moc"
