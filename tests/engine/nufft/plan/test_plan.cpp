// A plan's transforms against the exact sums, whatever the points and the threads.
#include <QtTest>

#include "tests/engine/nufft/plan/plan_test.h"
#include "tests/test_main.h"

namespace test_plan {

using namespace spokelab;
using namespace spokelab::test;

class PlanTest : public QObject {
  Q_OBJECT

 private slots:
  void agreesWithTheExactSum_data();
  void agreesWithTheExactSum();
  void everyWidthAgreesWithTheExactSum();
  void adjointIsTheConjugateTranspose();
  void anyPointPlacementIsHandled_data();
  void anyPointPlacementIsHandled();
  void pointsFoldPeriodically();
  void denseCentreIsSharedAmongThreadsWithoutRaces();
  void resultsRepeatBitByBit();
  void threadCountsAgree();
  void fewPlanesAreSharedAmongThreads_data();
  void fewPlanesAreSharedAmongThreads();
};

void PlanTest::agreesWithTheExactSum_data() {
  QTest::addColumn<int>("dims");
  QTest::addColumn<QList<int>>("size");
  QTest::addColumn<bool>("single");
  QTest::addColumn<double>("accuracy");
  QTest::addColumn<double>("alpha");
  QTest::addColumn<int>("sign");
  const struct {
    int dims;
    QList<int> size;
  } shapes[] = {{1, {1, 1, 1}}, {1, {2, 1, 1}},    {1, {33, 1, 1}},  {1, {500, 1, 1}},
                {2, {1, 1, 1}}, {2, {20, 33, 1}},  {2, {64, 5, 1}},  {2, {101, 98, 1}},
                {3, {1, 7, 1}}, {3, {12, 17, 20}}, {3, {40, 9, 13}}, {3, {24, 24, 48}}};
  for (const auto& shape : shapes) {
    for (const auto& [single, accuracy] :
         {std::pair{true, 1e-1}, {true, 1e-3}, {true, 1e-5}, {false, 1e-3}, {false, 1e-7}, {false, 1e-11}}) {
      for (double alpha : {1.25, 2.0}) {
        if (single && accuracy < 1e-4 && alpha < 2) continue;  // rounding forbids it
        // Needs a wider kernel than there is.
        if (!single && accuracy < 1e-10 && alpha < 2) continue;
        const int sign = shape.size[0] % 2 ? 1 : -1;
        QTest::addRow("%dx%dx%d %s %g alpha %g", shape.size[0], shape.size[1], shape.size[2],
                      single ? "float" : "double", accuracy, alpha)
            << shape.dims << shape.size << single << accuracy << alpha << sign;
      }
    }
  }
}

void PlanTest::agreesWithTheExactSum() {
  QFETCH(int, dims);
  QFETCH(QList<int>, size);
  QFETCH(bool, single);
  QFETCH(double, accuracy);
  QFETCH(double, alpha);
  QFETCH(int, sign);
  NufftProblem problem;
  problem.dims = dims;
  problem.size = {size[0], size[1], size[2]};
  problem.sign = sign;
  const std::vector<double> points = randomPoints(dims, 700, 3);
  const NufftOptions options = withAccuracy(accuracy, alpha);
  const double error =
      single ? errorOf<float>(problem, options, points) : errorOf<double>(problem, options, points);
  // One draw of few numbers scatters; the contract over many draws is the contract test's.
  QVERIFY2(error <= 2 * accuracy, qPrintable(QString("error %1").arg(error)));
}

void PlanTest::everyWidthAgreesWithTheExactSum() {
  // Whole widths and ones whose last piece ends inside its cell; the error falls by more than 5 a
  // cell.
  for (int dims : {1, 2, 3}) {
    NufftProblem problem;
    problem.dims = dims;
    problem.size = {18, dims > 1 ? 15 : 1, dims > 2 ? 11 : 1};
    const std::vector<double> points = randomPoints(dims, 300, 5);
    for (double width = 1.5; width <= 16; width += dims < 3 ? 0.25 : 0.5) {
      NufftOptions options;
      options.alpha = 2;
      options.width = width;
      options.threads = 1;
      const double expected = std::max(4 * std::exp(-2.1 * width), 1e-13);
      options.accuracy = std::min(0.9, 10 * expected);
      const double error = errorOf<double>(problem, options, points);
      QVERIFY2(error <= 10 * expected,
               qPrintable(QString("%1-D, width %2: %3").arg(dims).arg(width).arg(error)));
      if (width < 7) {
        const double floor = 1e-5;
        options.accuracy = std::min(0.9, 10 * expected + floor);
        const double single = errorOf<float>(problem, options, points);
        QVERIFY2(single <= 10 * expected + floor,
                 qPrintable(QString("%1-D, float, width %2: %3").arg(dims).arg(width).arg(single)));
      }
    }
  }
}

void PlanTest::adjointIsTheConjugateTranspose() {
  // <A x, y> = <x, A^H y> to rounding, however inaccurate A is: both use the same kernel.
  for (int dims : {1, 2, 3}) {
    NufftProblem problem;
    problem.dims = dims;
    problem.size = {30, dims > 1 ? 21 : 1, dims > 2 ? 10 : 1};
    const std::vector<double> points = randomPoints(dims, 5000, 7);
    for (double accuracy : {1e-1, 1e-4, 1e-9}) {
      const auto plan = makePlan<double>(problem, withAccuracy(accuracy, 1.5));
      plan->setPoints(points);
      const auto x = randomData<double>(problem.pixels(), 8), y = randomData<double>(plan->points(), 9);
      std::vector<cdouble> ax(y.size()), ahy(x.size());
      plan->forward(x.data(), ax.data());
      plan->adjoint(y.data(), ahy.data());
      cdouble left = 0, right = 0;
      double scale = 0;
      for (std::size_t j = 0; j < y.size(); ++j) {
        left += std::conj(y[j]) * ax[j];
        scale += std::norm(ax[j]);
      }
      for (std::size_t n = 0; n < x.size(); ++n) right += std::conj(ahy[n]) * x[n];
      scale = std::sqrt(scale * static_cast<double>(y.size()));
      QVERIFY2(std::abs(left - right) < 1e-13 * scale,
               qPrintable(QString::number(std::abs(left - right) / scale)));
    }
  }
}

void PlanTest::anyPointPlacementIsHandled_data() {
  QTest::addColumn<int>("dims");
  QTest::addColumn<QString>("placement");
  for (int dims : {1, 2, 3}) {
    for (const char* placement :
         {"one point", "on the grid", "at the edge", "one cell", "zero", "tiny steps"}) {
      QTest::addRow("%d-D, %s", dims, placement) << dims << QString(placement);
    }
  }
}

void PlanTest::anyPointPlacementIsHandled() {
  QFETCH(int, dims);
  QFETCH(QString, placement);
  NufftProblem problem;
  problem.dims = dims;
  problem.size = {20, dims > 1 ? 16 : 1, dims > 2 ? 9 : 1};
  std::vector<double> points = randomPoints(dims, placement == "one point" ? 1 : 400, 11);
  for (std::size_t i = 0; i < points.size(); ++i) {
    double& k = points[i];
    if (placement == "on the grid") k = std::round(k * 40) / 40;
    if (placement == "at the edge") k = i % 3 == 0 ? 0.5 : i % 3 == 1 ? -0.5 : std::nextafter(0.5, 0);
    if (placement == "one cell") k = 0.123 + 0.01 * k;
    if (placement == "zero") k = i % 2 ? 0.0 : -0.0;
    if (placement == "tiny steps") k = 0.25 + k * 1e-17;
  }
  const double scatter = placement == "one point" ? 20 : 3;  // one value may happen to be small
  for (int threads : {1, 2}) {
    const double error = errorOf<double>(problem, withAccuracy(1e-6, 2, threads), points);
    QVERIFY2(error <= scatter * 1e-6, qPrintable(QString::number(error)));
    const double single = errorOf<float>(problem, withAccuracy(1e-4, 2, threads), points);
    QVERIFY2(single <= scatter * 1e-4, qPrintable(QString::number(single)));
  }
}

void PlanTest::pointsFoldPeriodically() {
  NufftProblem problem;
  problem.size = {24, 17, 1};
  std::vector<double> inside = randomPoints(2, 300, 12);
  // Whole periods can be added without rounding.
  for (double& k : inside) k = std::round(k * 1024) / 1024;
  std::vector<double> outside = inside;
  const double periods[] = {1, -1, 3, -1000, 1e6, -1e9};
  for (std::size_t i = 0; i < outside.size(); ++i) outside[i] += periods[i % 6];
  const auto plan = makePlan<double>(problem, withAccuracy(1e-8));
  const auto image = randomData<double>(problem.pixels(), 13);
  std::vector<cdouble> first(300), second(300);
  plan->setPoints(inside);
  plan->forward(image.data(), first.data());
  plan->setPoints(outside);
  plan->forward(image.data(), second.data());
  QVERIFY(first == second);
}

void PlanTest::denseCentreIsSharedAmongThreadsWithoutRaces() {
  for (int dims : {1, 2, 3}) {
    NufftProblem problem;
    problem.dims = dims;
    problem.size = {48, dims > 1 ? 48 : 1, dims > 2 ? 40 : 1};
    const std::vector<double> points =
        radialPoints(dims, 1000, 48, 14);  // the tiles of the centre are cut up
    const auto samples = randomData<double>(static_cast<std::int64_t>(points.size()) / dims, 15);
    std::vector<cdouble> expected(static_cast<std::size_t>(problem.pixels())), result(expected.size());
    const auto one = makePlan<double>(problem, withAccuracy(1e-7, 2, 1));
    one->setPoints(points);
    one->adjoint(samples.data(), expected.data());
    for (int threads : {2, 3, 8}) {
      const auto several = makePlan<double>(problem, withAccuracy(1e-7, 2, threads));
      several->setPoints(points);
      for (int repeat = 0; repeat < 3; ++repeat) {
        several->adjoint(samples.data(), result.data());
        QVERIFY(distance(result.data(), expected) < 1e-13);
      }
    }
  }
}

void PlanTest::resultsRepeatBitByBit() {
  NufftProblem problem;
  problem.dims = 3;
  problem.size = {32, 32, 32};
  const std::vector<double> points = radialPoints(3, 1000, 32, 16);
  const auto samples = randomData<float>(32000, 17);
  const auto plan = makePlan<float>(problem, withAccuracy(1e-3, 1.5, 4));
  plan->setPoints(points);
  std::vector<cfloat> first(static_cast<std::size_t>(problem.pixels())), again(first.size());
  plan->adjoint(samples.data(), first.data());
  for (int repeat = 0; repeat < 5; ++repeat) {
    plan->setPoints(points);
    plan->adjoint(samples.data(), again.data());
    QVERIFY(first == again);
  }
}

void PlanTest::fewPlanesAreSharedAmongThreads_data() {
  QTest::addColumn<int>("planes");
  QTest::addColumn<int>("batch");
  for (const int planes : {1, 3, 40})
    for (const int batch : {1, 4}) QTest::addRow("%d planes, %d images", planes, batch) << planes << batch;
}

// Rows and columns of a plane one by one, by more threads than planes: the same numbers.
void PlanTest::fewPlanesAreSharedAmongThreads() {
  QFETCH(int, planes);
  QFETCH(int, batch);
  NufftProblem problem;
  problem.dims = 3;
  problem.size = {70, 37, planes};  // columns in several parts, the last one narrower
  problem.batch = batch;
  problem.precision = Precision::double64;
  const auto points = randomPoints(3, 400, 5);
  QVERIFY(errorOf<double>(problem, withAccuracy(1e-9, 2, 6), points) < 1e-8);
  const auto image = randomData<double>(batch * problem.pixels(), 3);
  std::vector<cdouble> one(static_cast<std::size_t>(batch * 400)), many = one;
  for (auto* out : {&one, &many}) {
    const auto plan = makePlan<double>(problem, withAccuracy(1e-9, 2, out == &one ? 1 : 6));
    plan->setPoints(points);
    plan->forward(image.data(), out->data());
  }
  QVERIFY(one == many);
}

void PlanTest::threadCountsAgree() {
  for (int dims : {1, 2, 3}) {
    NufftProblem problem;
    problem.dims = dims;
    problem.size = {dims > 1 ? 90 : 40000, dims > 1 ? 70 : 1, dims > 2 ? 33 : 1};
    const std::vector<double> points = randomPoints(dims, 60000, 18);
    const auto image = randomData<double>(problem.pixels(), 19);
    const auto samples = randomData<double>(60000, 20);
    std::vector<cdouble> f1(samples.size()), a1(image.size()), f(samples.size()), a(image.size());
    for (int threads : {1, 2, 5}) {
      const auto plan = makePlan<double>(problem, withAccuracy(1e-6, 2, threads));
      plan->setPoints(points);
      plan->forward(image.data(), f.data());
      plan->adjoint(samples.data(), a.data());
      if (threads == 1) {
        f1 = f;
        a1 = a;
      }
      QVERIFY(distance(f.data(), f1) < 1e-13);
      QVERIFY(distance(a.data(), a1) < 1e-13);
    }
  }
}

SPOKELAB_TEST(PlanTest)

}  // namespace test_plan

#include "test_plan.moc"
