// The normal operator with a field as a sum of convolutions: its error against exact sums, as it is predicted, measured
// and asked for.
#include <QtTest>
#include <cmath>
#include <numbers>
#include <random>

#include "engine/core/error.h"
#include "engine/nufft/plan/plan.h"
#include "engine/recon/field/gdft/gdft.h"
#include "engine/recon/field/gdft/gdft_direct.h"
#include "engine/recon/field/phase_error.h"
#include "engine/recon/field/segmented_toeplitz.h"
#include "tests/engine/recon/measures.h"
#include "tests/test_main.h"

namespace test_segmented_toeplitz {

using namespace spokelab;
using spokelab::test::relativeDifference;

namespace {

// Spiral arms of 20 ms in a smooth field.
GdftProblem spiral(double largestPhase, const Index3& matrix = {20, 24, 1}, int arms = 12, int length = 80) {
  constexpr double duration = 0.02;
  GdftProblem p;
  p.dims = 2;
  p.matrix = matrix;
  for (int a = 0; a < arms; ++a)
    for (int i = 0; i < length; ++i) {
      const double part = double(i) / length, angle = 2 * std::numbers::pi * (double(a) / arms + 3 * part);
      p.points.push_back(double(matrix[0]) / 2 * part * std::cos(angle));
      p.points.push_back(double(matrix[1]) / 2 * part * std::sin(angle));
      p.times.push_back(0.001 + duration * part);
    }
  for (std::int64_t i = 0; i < p.pixels(); ++i)
    p.field.push_back(largestPhase / duration * std::sin(0.21 * double(i % matrix[0])) *
                      std::cos(0.15 * double(i / matrix[0])));
  return p;
}

struct Made {
  std::unique_ptr<SampleTransform<float>> transform;
  std::vector<std::string> notes;
  std::int64_t convolutions = 0;
  double predicted = 0;  // of the phases
};

std::vector<double> cyclesPerPixel(const GdftProblem& p) {
  std::vector<double> points = p.points;
  for (std::size_t i = 0; i < points.size(); ++i) points[i] /= double(p.matrix[i % std::size_t(p.dims)]);
  return points;
}

Made make(HostSpace<float>& space, const GdftProblem& p, double accuracy, NormalMethod form, int wanted = 0,
          std::int64_t batch = 1) {
  Made made;
  const auto plan = [&](std::int64_t images, NormalMethod normal) {
    NufftProblem nufft;
    nufft.dims = p.dims;
    nufft.size = p.matrix;
    nufft.batch = images;
    NufftOptions options;
    options.accuracy = accuracy / 2;
    options.normal = normal;
    return std::make_unique<NufftTransform<float>>(makeCpuNufftFloat(nufft, options), cyclesPerPixel(p));
  };
  auto segmented = makeSegmented<HostSpace<float>>(
      space, p, SegmentInterpolator::svd, 0, accuracy,
      [&](std::int64_t images) { return plan(images, NormalMethod::gridded); }, made.notes, {});
  made.transform = makeSegmentedToeplitz<HostSpace<float>>(
      space, p, std::move(segmented), wanted, accuracy, [&] { return plan(batch, form); }, 0, made.notes, {});
  const auto& whole = dynamic_cast<const SegmentedToeplitz<HostSpace<float>>&>(*made.transform);
  made.convolutions = whole.convolutions();
  made.predicted = whole.predicted();
  return made;
}

// A^H W A u by exact sums in double.
std::vector<cdouble> exactNormal(const GdftProblem& p, const std::vector<cdouble>& u,
                                 const std::vector<double>& weights) {
  const auto exact = makeCpuGdft<double>(p);
  exact->setWeights(weights);
  std::vector<cdouble> image(u.size());
  exact->normal(u.data(), image.data(), 1);
  return image;
}

// Areas of a spiral's samples, but for a factor.
std::vector<double> areas(const GdftProblem& p) {
  std::vector<double> weights;
  for (std::int64_t j = 0; j < p.samples(); ++j)
    weights.push_back(0.02 + std::hypot(p.points[std::size_t(2 * j)], p.points[std::size_t(2 * j + 1)]));
  return weights;
}

std::vector<cdouble> randomImage(std::int64_t pixels, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<cdouble> image(static_cast<std::size_t>(pixels));
  for (cdouble& v : image) v = {normal(random), normal(random)};
  return image;
}

std::vector<cdouble> normalOf(SampleTransform<float>& transform, const std::vector<cdouble>& u) {
  std::vector<cfloat> image(u.begin(), u.end());
  image.resize(std::size_t(transform.batch() * transform.pixels()));
  transform.normal(image.data(), image.data(), transform.batch());
  return {image.begin(), image.begin() + std::ptrdiff_t(u.size())};
}

}  // namespace

class TestSegmentedToeplitz : public QObject {
  Q_OBJECT

 private slots:
  void theNormalOperatorMeetsTheAccuracy_data() {
    QTest::addColumn<double>("accuracy");
    QTest::addColumn<double>("phase");
    QTest::addColumn<int>("form");
    QTest::newRow("1e-2, padded") << 1e-2 << 20.0 << int(NormalMethod::toeplitz);
    QTest::newRow("1e-3, padded") << 1e-3 << 30.0 << int(NormalMethod::toeplitz);
    QTest::newRow("1e-3, shifted") << 1e-3 << 30.0 << int(NormalMethod::toeplitzShifted);
    QTest::newRow("1e-4, weak field") << 1e-4 << 2.0 << int(NormalMethod::toeplitz);
  }

  void theNormalOperatorMeetsTheAccuracy() {
    QFETCH(double, accuracy);
    QFETCH(double, phase);
    QFETCH(int, form);
    const GdftProblem p = spiral(phase);
    HostSpace<float> space;
    const Made made = make(space, p, accuracy, NormalMethod(form));
    QVERIFY2(made.notes.empty(), made.notes.empty() ? "" : made.notes.front().c_str());
    const std::vector<cdouble> u = randomImage(p.pixels(), 3);
    const double error = relativeDifference(normalOf(*made.transform, u), exactNormal(p, u, {}));
    QVERIFY2(error < accuracy, QByteArray::number(error));
    QVERIFY(made.convolutions > 1);
    // Without the field it would be far off.
    GdftProblem plain = p;
    plain.field.clear();
    QVERIFY(relativeDifference(exactNormal(plain, u, {}), exactNormal(p, u, {})) > 10 * accuracy);
  }

  void weightsActAndTheOperatorIsHermitian() {
    const GdftProblem p = spiral(15);
    HostSpace<float> space;
    const Made made = make(space, p, 1e-3, NormalMethod::toeplitz);
    const std::vector<double> weights = areas(p);
    made.transform->setWeights(weights);
    const std::vector<cdouble> u = randomImage(p.pixels(), 3), v = randomImage(p.pixels(), 4);
    const auto nu = normalOf(*made.transform, u), nv = normalOf(*made.transform, v);
    QVERIFY(relativeDifference(nu, exactNormal(p, u, weights)) < 1e-3);
    cdouble left = 0, right = 0;
    double norm = 0;
    for (std::size_t i = 0; i < u.size(); ++i) {
      left += std::conj(v[i]) * nu[i];
      right += std::conj(nv[i]) * u[i];
      norm += std::abs(v[i]) * std::abs(nu[i]);
    }
    QVERIFY(std::abs(left - right) < 1e-5 * norm);
  }

  void imagesOfABatchAreTakenOneByOne() {
    const GdftProblem p = spiral(15);
    HostSpace<float> space;
    const Made one = make(space, p, 1e-3, NormalMethod::toeplitz),
               three = make(space, p, 1e-3, NormalMethod::toeplitz, 0, 3);
    QCOMPARE(three.transform->batch(), std::int64_t(3));
    std::vector<cfloat> images;
    for (unsigned i = 0; i < 3; ++i)
      for (const cdouble& v : randomImage(p.pixels(), i)) images.emplace_back(v);
    std::vector<cfloat> apart = images;
    three.transform->normal(images.data(), images.data(), 3);
    one.transform->normal(apart.data(), apart.data(), 3);
    for (std::size_t i = 0; i < images.size(); ++i)
      QVERIFY(std::abs(images[i] - apart[i]) <= 1e-4F * (1 + std::abs(apart[i])));
  }

  void theCheckAtSomePixelsSeesTheErrorOfAll() {
    const GdftProblem p = spiral(25);
    HostSpace<float> space;
    for (const int convolutions : {11, 12, 14}) {  // too few: an error to be seen
      const Made made = make(space, p, 1e-4, NormalMethod::toeplitz, convolutions);
      QCOMPARE(made.convolutions, std::int64_t(convolutions));
      const std::vector<double> weights = areas(p);
      made.transform->setWeights(weights);
      const NormalCheck check = makeNormalCheck(p, weights, 0, {});
      const double seen = normalError(space, *made.transform, check, {});
      const std::vector<cdouble> u = randomImage(p.pixels(), 9);
      const double all = relativeDifference(normalOf(*made.transform, u), exactNormal(p, u, weights));
      QVERIFY2(seen > all / 1.5 && seen < 1.5 * all,
               (std::to_string(seen) + " of " + std::to_string(all)).c_str());
      // What is predicted from the phases alone.
      const double predicted = predictPhaseError(
          p, weights, segmentDifferences(p.field, p.times, convolutions, 1e-4, {}), true, 0);
      QVERIFY2(predicted > all / 1.5 && predicted < 1.5 * all,
               (std::to_string(predicted) + " of " + std::to_string(all)).c_str());
    }
  }

  void exactSumsOfSomePixelsAreThoseOfTheWhole() {
    const GdftProblem p = spiral(10);
    const std::vector<std::int64_t> pixels = {0, 7, 133, 479};
    std::vector<cdouble> u(std::size_t(p.pixels())), some;
    for (const std::int64_t i : pixels) {
      some.emplace_back(double(i + 1), 2);
      u[std::size_t(i)] = some.back();
    }
    QVERIFY(relativeDifference(gdftDirect(somePixels(p, pixels), some), gdftDirect(p, u)) < 1e-12);
  }

  void withoutTheFieldTheErrorIsTheRmsOfThePhases() {
    GdftProblem p = spiral(1e-3);
    double squares = 0;
    for (const double f : p.field)
      for (const double t : p.times) squares += std::norm(std::polar(1.0, -f * t) - 1.0);
    const double all = std::sqrt(squares / double(p.field.size() * p.times.size()));
    const double predicted = errorWithoutField(p);
    QVERIFY(std::abs(predicted - all) < 0.05 * all);
    p.field.clear();
    QCOMPARE(errorWithoutField(p), 0.0);
  }

  void tooManyConvolutionsAreRefused() {
    const GdftProblem p = spiral(10);
    QVERIFY_EXCEPTION_THROWN(segmentDifferences(p.field, p.times, 1000, 1e-3, {}), Error);
    QVERIFY_EXCEPTION_THROWN(segmentDifferences({}, p.times, 0, 1e-3, {}), Error);
  }
};

SPOKELAB_TEST(TestSegmentedToeplitz)

}  // namespace test_segmented_toeplitz

#include "test_segmented_toeplitz.moc"
