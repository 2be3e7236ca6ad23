// Segmented NUFFT: errors that are measured, segments that suffice, adjoints.
#include <QtTest>
#include <cmath>
#include <random>

#include "engine/core/error.h"
#include "engine/nufft/plan/plan.h"
#include "engine/recon/field/gdft/gdft_direct.h"
#include "engine/recon/field/segmented.h"
#include "tests/test_main.h"

namespace test_segmented {

using namespace spokelab;

namespace {

GdftProblem smoothField(double largestPhase) {
  GdftProblem p;
  p.dims = 2;
  p.matrix = {28, 24, 1};
  std::mt19937 random(5);
  std::uniform_real_distribution<double> u(-0.5, 0.5);
  for (int j = 0; j < 500; ++j) {
    p.points.push_back(28 * u(random));
    p.points.push_back(24 * u(random));
    p.times.push_back(0.002 + 0.03 * (0.5 + u(random)));
  }
  for (int i = 0; i < 28 * 24; ++i)
    p.field.push_back(largestPhase / 0.032 * std::sin(0.2 * (i % 28)) * std::cos(0.15 * (i / 28)));
  return p;
}

std::unique_ptr<SampleTransform<float>> make(HostSpace<float>& space, const GdftProblem& p,
                                             SegmentInterpolator kind, int segments, double accuracy,
                                             std::vector<std::string>& notes) {
  return makeSegmented<HostSpace<float>>(space, p, kind, segments, accuracy,
                                         [&](std::int64_t batch) {
                                           NufftProblem nufft;
                                           nufft.size = p.matrix;
                                           nufft.batch = batch;
                                           NufftOptions options;
                                           options.accuracy = accuracy / 2;
                                           std::vector<double> points = p.points;
                                           for (std::size_t i = 0; i < points.size(); ++i)
                                             points[i] /= double(p.matrix[i % 2]);
                                           return std::make_unique<NufftTransform<float>>(
                                               makeCpuNufftFloat(nufft, options), points);
                                         },
                                         notes, {});
}

}  // namespace

class TestSegmented : public QObject {
  Q_OBJECT

 private slots:
  // The best segments are known to the last digits: of each further one the error falls.
  void theLastDigitsTakeFewSegmentsMore() {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> u(0, 1);
    for (const double phase : {2.3, 5.2, 11., 50.}) {
      std::vector<double> field, times;
      for (int i = 0; i < 500; ++i) field.push_back(phase / 0.02 * (u(random) - 0.3));
      for (int i = 0; i < 300; ++i) times.push_back(1e-3 + 0.02 * i / 299);
      const auto segments = [&](double accuracy) {
        return segment(field, times, SegmentInterpolator::svd, 0, accuracy, {}).segments;
      };
      const std::int64_t few = segments(5e-8), many = segments(1e-11);
      QVERIFY2(many - few <= 5, QByteArray::number(few) + " and " + QByteArray::number(many));
    }
  }

  void meetsTheAccuracyAgainstExactSums_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<double>("accuracy");
    QTest::newRow("svd 1e-2") << int(SegmentInterpolator::svd) << 1e-2;
    QTest::newRow("svd 1e-4") << int(SegmentInterpolator::svd) << 1e-4;
    QTest::newRow("min-max 1e-3") << int(SegmentInterpolator::minMax) << 1e-3;
    QTest::newRow("hanning 8e-2") << int(SegmentInterpolator::hanning) << 8e-2;
  }

  void meetsTheAccuracyAgainstExactSums() {
    QFETCH(int, kind);
    QFETCH(double, accuracy);
    const GdftProblem p = smoothField(40);
    HostSpace<float> space;
    std::vector<std::string> notes;
    const auto transform = make(space, p, SegmentInterpolator(kind), 0, accuracy, notes);
    QVERIFY(notes.empty());
    std::mt19937 random(77);
    std::normal_distribution<double> g;
    std::vector<cdouble> image(std::size_t(p.pixels()));
    for (cdouble& v : image) v = {g(random), g(random)};
    const std::vector<cfloat> single(image.begin(), image.end());
    std::vector<cfloat> samples(500);
    transform->forward(single.data(), samples.data(), 1);
    const auto exact = gdftDirect(p, image);
    double difference = 0, norm = 0;
    for (std::size_t j = 0; j < 500; ++j) {
      difference += std::norm(cdouble(samples[j]) - exact[j]);
      norm += std::norm(exact[j]);
    }
    const double error = std::sqrt(difference / norm);
    QVERIFY2(error < 1.3 * accuracy, QByteArray::number(error));  // the check saw 48 of the samples
  }

  void adjointIsTheConjugateTranspose() {
    const GdftProblem p = smoothField(25);
    HostSpace<float> space;
    std::vector<std::string> notes;
    const auto transform = make(space, p, SegmentInterpolator::svd, 0, 1e-3, notes);
    std::mt19937 random(7);
    std::normal_distribution<float> g;
    std::vector<cfloat> x(std::size_t(p.pixels())), y(500), ax(500), aty(x.size());
    for (cfloat& v : x) v = {g(random), g(random)};
    for (cfloat& v : y) v = {g(random), g(random)};
    transform->forward(x.data(), ax.data(), 1);
    transform->adjoint(y.data(), aty.data(), 1);
    cdouble left = 0, right = 0;
    double a = 0, b = 0;
    for (std::size_t j = 0; j < 500; ++j) {
      left += std::conj(cdouble(y[j])) * cdouble(ax[j]);
      a += std::norm(ax[j]);
      b += std::norm(y[j]);
    }
    for (std::size_t i = 0; i < x.size(); ++i) right += std::conj(cdouble(aty[i])) * cdouble(x[i]);
    QVERIFY(std::abs(left - right) < 1e-5 * std::sqrt(a * b));
  }

  void singularVectorsNeedTheFewestSegments() {
    const GdftProblem p = smoothField(40);
    const auto count = [&](SegmentInterpolator kind) {
      return segment(p.field, p.times, kind, 0, 1e-3, {}).segments;
    };
    const auto svd = count(SegmentInterpolator::svd), minMax = count(SegmentInterpolator::minMax);
    QVERIFY(svd <= minMax);
    QVERIFY(svd > 2);
    QVERIFY(segment(p.field, p.times, SegmentInterpolator::hanning, int(minMax), 0, {}).predicted > 1e-3);
  }

  void whatCannotBeIsRefused() {
    const GdftProblem p = smoothField(40);
    QVERIFY_EXCEPTION_THROWN(segment({}, p.times, SegmentInterpolator::svd, 0, 1e-3, {}), Error);
    QVERIFY_EXCEPTION_THROWN(segment(p.field, {}, SegmentInterpolator::svd, 0, 1e-3, {}), Error);
    QVERIFY_EXCEPTION_THROWN(segment(p.field, p.times, SegmentInterpolator::hanning, 0, 1e-9, {}), Error);
  }
};

SPOKELAB_TEST(TestSegmented)

}  // namespace test_segmented

#include "test_segmented.moc"
