// The orders of points that a GPU plan makes: by counting (few points), by counting and gathering,
// by way of buckets (many points, or fewer in a few bins), by a radix sort (a reproducible plan);
// with the counts added up by one block or by separate launches; points set again in another
// number. Each agrees with the method that takes the points as they come.
#include <QtTest>

#include <algorithm>

#include "engine/core/error.h"
#include "tests/cuda/gpu_test.h"
#include "tests/test_main.h"

namespace test_gpu_point_orders {

using namespace spokelab;
using namespace spokelab::gputest;

namespace {

template <class Real>
constexpr double accuracy = sizeof(Real) == 8 ? 1e-8 : 1e-4;

// More than PointOrders scatters (and than few bins count), than are counted, and enough that
// buckets fill tiles.
constexpr std::int64_t gathered = (std::int64_t(1) << 18) + 77, bucketed = (std::int64_t(1) << 20) + 5,
                       most = (std::int64_t(1) << 22) + 3;

struct Case {
  const char* name;
  int dims;
  Index3 size;
};
// The long line, the large slice and the large volume have more keys than one block adds up, the
// volume a grid that lends buckets their room.
const Case cases[] = {{"1-D", 1, {300, 1, 1}},  {"1-D, many cells", 1, {60000, 1, 1}},
                      {"2-D", 2, {64, 48, 1}},  {"2-D, many tiles", 2, {3000, 2800, 1}},
                      {"3-D", 3, {24, 20, 28}}, {"3-D, many columns", 3, {128, 120, 136}}};
const Method methods[] = {Method::pointSorted, Method::subproblem, Method::sector, Method::tensor,
                          Method::cell};

template <class Real>
using Values = std::vector<std::complex<Real>>;

template <class Real>
Values<Real> values(std::int64_t count, unsigned seed) {
  const auto random = randomValues(count, seed);
  return {random.begin(), random.end()};
}

template <class Real>
struct Both {
  Values<Real> image, samples;
};

// samples: at least one for each point.
template <class Real>
Both<Real> transformed(Nufft<Real>& plan, const std::vector<double>& points, const Values<Real>& samples,
                       const Values<Real>& image) {
  plan.setPoints(points);
  Both<Real> both{Values<Real>(image.size()), Values<Real>(points.size() / std::size_t(plan.problem().dims))};
  plan.adjoint(samples.data(), both.image.data());
  plan.forward(image.data(), both.samples.data());
  return both;
}

template <class Real>
void everyOrderAgrees(const Case& c, PointPattern pattern) {
  NufftProblem problem;
  problem.dims = c.dims;
  problem.size = c.size;
  problem.precision = sizeof(Real) == 8 ? Precision::double64 : Precision::single;
  NufftOptions options;
  options.accuracy = accuracy<Real>;
  options.alpha = 1.5;
  options.normal = NormalMethod::later;
  options.spread = options.interpolate = Method::pointDriven;
  const auto reference = backend()->template plan<Real>(problem, options);
  const auto image = values<Real>(problem.pixels(), 4), samples = values<Real>(most, 5);
  // Smaller and larger in turn: what is left of an order must not show in the next.
  for (const std::int64_t count :
       {gathered, std::int64_t(1), std::int64_t(5000), bucketed, most, std::int64_t(1000)}) {
    const auto points = makePoints(c.dims, count, pattern, 9);
    // Set first, so that no order is its plan's first.
    const auto others = makePoints(c.dims, 3 * count / 4 + 1, PointPattern::edges, 2);
    const Both<Real> expected = transformed(*reference, points, samples, image);
    for (const Method method : methods)
      for (const bool reproducible : {false, true}) {
        options.spread = options.interpolate = method;
        options.reproducible = reproducible;
        std::unique_ptr<Nufft<Real>> plan;
        try {
          plan = backend()->template plan<Real>(problem, options);
        } catch (const Error&) {
          continue;  // not in these dimensions, or not reproducible
        }
        plan->setPoints(others);
        const Both<Real> found = transformed(*plan, points, samples, image);
        const QString what = QStringLiteral("%1, %2 points%3: ")
                                 .arg(std::string(methodName(method)).c_str())
                                 .arg(count)
                                 .arg(reproducible ? ", reproducible" : "");
        const double adjoint = relativeDistance<Real>(found.image, expected.image),
                     forward = relativeDistance<Real>(found.samples, expected.samples);
        QVERIFY2(adjoint <= accuracy<Real>, qPrintable(what + QString("adjoint %1").arg(adjoint)));
        QVERIFY2(forward <= accuracy<Real>, qPrintable(what + QString("forward %1").arg(forward)));
      }
  }
}

}  // namespace

class TestGpuPointOrders : public QObject {
  Q_OBJECT
 private slots:
  void everyOrderAgreesWithNone_data() {
    QTest::addColumn<int>("which");
    QTest::addColumn<int>("pattern");
    QTest::addColumn<bool>("single");
    for (int i = 0; i < int(std::size(cases)); ++i)
      for (const PointPattern pattern : {PointPattern::random, PointPattern::oneCell})
        for (const bool single : {false, true})
          QTest::addRow("%s, %s, %s", cases[i].name, pattern == PointPattern::random ? "random" : "one cell",
                        single ? "float" : "double")
              << i << int(pattern) << single;
  }
  void everyOrderAgreesWithNone() {
    NEEDS_GPU();
    QFETCH(int, which);
    QFETCH(int, pattern);
    QFETCH(bool, single);
    const auto agrees = single ? everyOrderAgrees<float> : everyOrderAgrees<double>;
    agrees(cases[which], PointPattern(pattern));
  }

  void noPointsGiveNothing() {
    NEEDS_GPU();
    for (const Method method : methods) {
      NufftProblem problem;
      problem.dims = method == Method::cell ? 1 : 2;
      problem.size = {64, problem.dims == 1 ? 1 : 48, 1};
      problem.precision = Precision::double64;
      NufftOptions options;
      options.accuracy = accuracy<double>;
      options.normal = NormalMethod::later;
      options.spread = method;
      const std::vector<Method> served = backend()->spreadMethods(problem, options);
      if (method == Method::tensor && std::ranges::find(served, method) == served.end())
        continue;  // a device without matrix products in double
      const auto plan = backend()->plan<double>(problem, options);
      std::vector<cdouble> image(std::size_t(problem.pixels()), 1);
      for (const std::int64_t count : {100, 0}) {
        plan->setPoints(makePoints(problem.dims, count, PointPattern::random, 1));
        plan->adjoint(randomValues(count, 2).data(), image.data());
      }
      for (const cdouble& value : image) QCOMPARE(value, cdouble(0));
    }
  }
};

SPOKELAB_CORE_TEST(TestGpuPointOrders)

}  // namespace test_gpu_point_orders

#include "test_gpu_point_orders.moc"
