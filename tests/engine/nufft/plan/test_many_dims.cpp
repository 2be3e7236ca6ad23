// Transforms of four and five dimensions keep the accuracy contract ([formulas]) against exact
// sums, at pairs of points and at any points; forward and adjoint are transposes of each other.
#include <QtTest>

#include <cmath>
#include <random>

#include "engine/core/error.h"
#include "engine/nufft/exact/nudft.h"
#include "engine/nufft/exact/nudft_many.h"
#include "engine/nufft/plan/many/many_dims.h"
#include "engine/nufft/plan/many/separable_points.h"
#include "tests/test_main.h"

namespace test_many_dims {

using namespace spokelab;

namespace {

constexpr int draws = 8;

struct Case {
  ManyDimsProblem problem;
  NufftOptions options;
  std::vector<double> points;
};

std::int64_t pixelsOf(const Case& c) {
  return foldedProblem(c.problem).pixels();
}
std::int64_t countOf(const Case& c) {
  return std::int64_t(c.points.size()) / c.problem.dims();
}

std::vector<cdouble> normalData(std::mt19937& random, std::int64_t count) {
  std::normal_distribution<double> normal;
  std::vector<cdouble> values(static_cast<std::size_t>(count));
  for (cdouble& v : values) v = {normal(random), normal(random)};
  return values;
}

std::vector<double> anyPoints(std::mt19937& random, int dims, int count) {
  std::uniform_real_distribution<double> place(-0.5, 0.5);
  std::vector<double> points(std::size_t(dims * count));
  for (double& k : points) k = place(random);
  return points;
}

// All pairs of `first` places and `last` ones; the first fastest, or the last.
std::vector<double> pairs(std::mt19937& random, int dims, int first, int last, bool firstFastest) {
  const auto a = anyPoints(random, dims - 1, first), b = anyPoints(random, 1, last);
  std::vector<double> points;
  for (int i = 0; i < first * last; ++i) {
    const int j = firstFastest ? i % first : i / last, l = firstFastest ? i / first : i % last;
    points.insert(points.end(), a.begin() + j * (dims - 1), a.begin() + (j + 1) * (dims - 1));
    points.push_back(b[std::size_t(l)]);
  }
  return points;
}

double normOf(const std::vector<cdouble>& values) {
  double sum = 0;
  for (const cdouble& v : values) sum += std::norm(v);
  return std::sqrt(sum);
}

// Root of the mean square over the draws of |found - exact| / max(|exact|, sqrt(R) |u|).
template <class Real>
double contractError(const Case& c, bool adjoint) {
  using Complex = std::complex<Real>;
  const auto plan = makeManyDims<Real>(c.problem, c.options);
  plan->setPoints(c.points);
  std::mt19937 random(7);
  const std::int64_t in = adjoint ? countOf(c) : pixelsOf(c), out = adjoint ? pixelsOf(c) : countOf(c);
  double sum = 0;
  for (int draw = 0; draw < draws; ++draw) {
    std::vector<cdouble> u = normalData(random, in);
    std::vector<Complex> from(u.begin(), u.end()), to(static_cast<std::size_t>(out), Complex(NAN));
    u.assign(from.begin(), from.end());
    adjoint ? plan->adjoint(from.data(), to.data()) : plan->forward(from.data(), to.data());
    const auto exact = adjoint ? nudftManyAdjoint(c.problem.size, c.problem.sign, c.points, u)
                               : nudftManyForward(c.problem.size, c.problem.sign, c.points, u);
    double difference = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) difference += std::norm(cdouble(to[i]) - exact[i]);
    const double scale = std::max(normOf(exact), std::sqrt(double(out)) * normOf(u));
    sum += scale > 0 ? difference / (scale * scale) : difference;
  }
  return std::sqrt(sum / draws);
}

double contractError(const Case& c, bool adjoint) {
  return c.problem.precision == Precision::single ? contractError<float>(c, adjoint)
                                                  : contractError<double>(c, adjoint);
}

Case caseOf(std::vector<std::int64_t> size, Precision precision, double accuracy,
            std::vector<double> points) {
  Case c;
  c.problem.size = std::move(size);
  c.problem.precision = precision;
  c.options.accuracy = accuracy;
  c.options.threads = 2;
  c.points = std::move(points);
  return c;
}

}  // namespace

class TestManyDims : public QObject {
  Q_OBJECT

 private slots:
  void exactSumsAreThoseOfThreeDimensions() {
    std::mt19937 random(1);
    NufftProblem p;
    p.dims = 3;
    p.size = {5, 4, 3};
    p.sign = 1;
    const auto points = anyPoints(random, 3, 9);
    const auto image = normalData(random, 60), samples = normalData(random, 9);
    const auto f = nudftForward(p, points, image), a = nudftAdjoint(p, points, samples);
    const auto ours = nudftManyForward(std::vector<std::int64_t>{5, 4, 3}, 1, points, image);
    const auto ourAdjoint = nudftManyAdjoint(std::vector<std::int64_t>{5, 4, 3}, 1, points, samples);
    for (std::size_t i = 0; i < f.size(); ++i) QVERIFY(std::abs(f[i] - ours[i]) < 1e-11);
    for (std::size_t i = 0; i < a.size(); ++i) QVERIFY(std::abs(a[i] - ourAdjoint[i]) < 1e-11);
  }

  void pairsAreFound() {
    std::mt19937 random(2);
    for (const bool firstFastest : {true, false}) {
      const auto found = separablePoints(pairs(random, 4, 6, 5, firstFastest), 4);
      QVERIFY(found && found->firstFastest == firstFastest);
      QCOMPARE(found->firstCount(4), std::int64_t(6));
      QCOMPARE(found->last.size(), std::size_t(5));
    }
    auto points = pairs(random, 4, 6, 5, true);
    points[4 * 17] += 1e-9;  // one place moved
    QVERIFY(!separablePoints(points, 4));
    QVERIFY(!separablePoints(anyPoints(random, 4, 30), 4));
  }

  void contractHolds_data() {
    QTest::addColumn<std::vector<std::int64_t>>("size");
    QTest::addColumn<bool>("single");
    QTest::addColumn<double>("accuracy");
    using Sizes = std::vector<std::int64_t>;
    QTest::newRow("4-D float") << Sizes{9, 8, 7, 6} << true << 1e-3;
    QTest::newRow("4-D float finer") << Sizes{8, 5, 6, 11} << true << 1e-5;
    QTest::newRow("4-D double") << Sizes{6, 7, 5, 8} << false << 1e-9;
    QTest::newRow("a line of one pixel") << Sizes{6, 1, 5, 1} << false << 1e-6;
    QTest::newRow("5-D float") << Sizes{5, 4, 6, 3, 5} << true << 1e-3;
    QTest::newRow("5-D double") << Sizes{4, 5, 3, 4, 3} << false << 1e-7;
  }
  void contractHolds() {
    QFETCH(std::vector<std::int64_t>, size);
    QFETCH(bool, single);
    QFETCH(double, accuracy);
    std::mt19937 random(3);
    const int dims = int(size.size());
    const Precision precision = single ? Precision::single : Precision::double64;
    for (const auto& points : {anyPoints(random, dims, 150), pairs(random, dims, 30, 7, true),
                               pairs(random, dims, 12, 9, false)}) {
      Case c = caseOf(size, precision, accuracy, points);
      for (const int sign : {-1, 1}) {
        c.problem.sign = sign;
        for (const bool adjoint : {false, true}) {
          const double error = contractError(c, adjoint);
          QVERIFY2(error <= accuracy, qPrintable(QString::number(error)));
        }
      }
    }
  }

  void specialPoints() {
    // On the grid, at the edges, all in one place, one, none.
    std::mt19937 random(4);
    std::vector<std::vector<double>> cases;
    std::vector<double> edges, crowd, grid;
    for (int j = 0; j < 40; ++j)
      for (int d = 0; d < 4; ++d) {
        edges.push_back((j >> d) & 1 ? 0.5 : -0.5);
        crowd.push_back(0.123);
        grid.push_back(double((j * (d + 1)) % 12) / 12);
      }
    cases = {edges, crowd, grid, anyPoints(random, 4, 1), {}};
    for (const auto& points : cases)
      for (const bool adjoint : {false, true}) {
        const Case c = caseOf({6, 5, 4, 7}, Precision::double64, 1e-6, points);
        const double error = contractError(c, adjoint);
        QVERIFY2(error <= 1e-6, qPrintable(QString::number(error)));
      }
  }

  void longAxisByOneDimensionalTransforms() {
    // 300 places of an axis of 300 pixels: beyond the size of a matrix.
    std::mt19937 random(5);
    for (const bool firstFastest : {true, false}) {
      const Case c = caseOf({3, 2, 3, 300}, Precision::single, 1e-4, pairs(random, 4, 4, 300, firstFastest));
      const auto plan = makeManyDims<float>(c.problem, c.options);
      plan->setPoints(c.points);
      QVERIFY2(plan->info().description.find("1-D transforms") != std::string::npos,
               plan->info().description.c_str());
      for (const bool adjoint : {false, true}) QVERIFY(contractError(c, adjoint) <= 1e-4);
    }
  }

  void batchesAndTransposes() {
    std::mt19937 random(6);
    constexpr std::int64_t batch = 3;
    for (const auto& points : {anyPoints(random, 4, 80), pairs(random, 4, 10, 8, true)}) {
      Case c = caseOf({5, 6, 4, 7}, Precision::double64, 1e-8, points);
      c.problem.batch = batch;
      const auto many = makeManyDims<double>(c.problem, c.options);
      c.problem.batch = 1;
      const auto one = makeManyDims<double>(c.problem, c.options);
      for (Nufft<double>* plan : {many.get(), one.get()}) plan->setPoints(points);
      const std::int64_t pixels = pixelsOf(c), count = countOf(c);
      const auto x = normalData(random, batch * pixels), y = normalData(random, batch * count);
      std::vector<cdouble> ax(y.size()), ahy(x.size()), ax1(static_cast<std::size_t>(count));
      many->forward(x.data(), ax.data());
      many->adjoint(y.data(), ahy.data());
      cdouble left = 0, right = 0;
      for (std::size_t i = 0; i < y.size(); ++i) left += ax[i] * std::conj(y[i]);
      for (std::size_t i = 0; i < x.size(); ++i) right += x[i] * std::conj(ahy[i]);
      QVERIFY(std::abs(left - right) < 1e-11 * std::abs(left) + 1e-9);
      for (std::int64_t b = 0; b < batch; ++b) {
        one->forward(x.data() + b * pixels, ax1.data());
        for (std::int64_t j = 0; j < count; ++j)
          QVERIFY(std::abs(ax1[std::size_t(j)] - ax[std::size_t(b * count + j)]) < 1e-9 * double(pixels));
      }
    }
  }

  void normalOperatorKeepsTheAccuracy() {
    std::mt19937 random(8);
    for (const auto& points : {anyPoints(random, 4, 90), pairs(random, 4, 10, 9, true)}) {
      const Case c = caseOf({5, 6, 4, 5}, Precision::single, 1e-4, points);
      const auto plan = makeManyDims<float>(c.problem, c.options);
      plan->setPoints(points);
      std::vector<double> weights(std::size_t(countOf(c)));
      for (double& w : weights) w = std::uniform_real_distribution<double>(0.5, 1)(random);
      plan->setWeights(weights);
      auto x = normalData(random, pixelsOf(c));
      std::vector<cfloat> from(x.begin(), x.end()), to(x.size());
      x.assign(from.begin(), from.end());
      plan->normal(from.data(), to.data());
      auto samples = nudftManyForward(c.problem.size, -1, points, x);
      for (std::size_t j = 0; j < samples.size(); ++j) samples[j] *= weights[j];
      const auto exact = nudftManyAdjoint(c.problem.size, -1, points, samples);
      double difference = 0;
      for (std::size_t i = 0; i < exact.size(); ++i) difference += std::norm(cdouble(to[i]) - exact[i]);
      QVERIFY(std::sqrt(difference) <= 1e-4 * normOf(exact));
      plan->setWeights(std::vector<double>(3, 1.0));
      QVERIFY_EXCEPTION_THROWN(plan->normal(from.data(), to.data()), Error);
    }
  }

  void whatCannotBeDoneIsRefused() {
    const auto plan = [](const Case& c) { return makeManyDims<float>(c.problem, c.options); };
    QVERIFY_EXCEPTION_THROWN(plan(caseOf({4, 4, 4, 0}, Precision::single, 1e-3, {})), Error);
    QVERIFY_EXCEPTION_THROWN(plan(caseOf(std::vector<std::int64_t>(9, 2), Precision::single, 1e-3, {})),
                             Error);
    QVERIFY_EXCEPTION_THROWN(plan(caseOf({8, 8, 8, 8}, Precision::single, 1e-12, {})), Error);
    Case toeplitz = caseOf({4, 4, 4, 4}, Precision::single, 1e-3, {});
    toeplitz.options.normal = NormalMethod::toeplitz;
    QVERIFY_EXCEPTION_THROWN(plan(toeplitz), Error);
    const auto good = plan(caseOf({4, 4, 4, 4}, Precision::single, 1e-3, {}));
    QVERIFY_EXCEPTION_THROWN(good->setPoints(std::vector<double>(6, 0.1)), Error);
    QVERIFY_EXCEPTION_THROWN(good->setPoints(std::vector<double>(4, NAN)), Error);
  }
};

SPOKELAB_TEST(TestManyDims)

}  // namespace test_many_dims

#include "test_many_dims.moc"
