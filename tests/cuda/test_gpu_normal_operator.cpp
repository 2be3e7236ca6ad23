// normal() is adjoint . weights . forward, whichever way it is computed: over the grid, or as a
// convolution (padded, or by shifted transforms); hermitian, in place, batched, for odd, unequal
// and single-pixel dimensions.
#include <cuda_runtime.h>

#include <QtTest>
#include <cmath>

#include "engine/core/error.h"
#include "tests/cuda/gpu_test.h"
#include "tests/cuda/on_device.h"
#include "tests/test_main.h"

namespace test_gpu_normal_operator {

using namespace spokelab;
using namespace spokelab::gputest;

namespace {

const Index3 sizes[] = {{50, 1, 1}, {24, 31, 1}, {33, 1, 1}, {12, 15, 10}, {16, 9, 1}, {1, 40, 1}};
const int shapeDimensions[] = {1, 2, 2, 3, 3, 2};

template <class Real>
double normalError(NufftProblem problem, NufftOptions options, bool weighted, bool inPlace,
                   std::int64_t batch = 3) {
  constexpr std::int64_t count = 2500;
  problem.batch = batch;
  const auto points = makePoints(problem.dims, count, PointPattern::random, 11);
  std::vector<double> weights;
  if (weighted)
    for (std::int64_t j = 0; j < count; ++j) weights.push_back(0.5 + double(j % 17) / 17);
  const auto plan = backend()->plan<Real>(problem, options);
  plan->setPoints(points);
  plan->setWeights(weights);
  const std::int64_t pixels = problem.pixels();
  const auto images = randomValues(problem.batch * pixels, 12);
  auto in = converted<Real>(images);
  std::vector<std::complex<Real>> out(in.size());
  plan->normal(in.data(), inPlace ? in.data() : out.data());
  if (inPlace) out = in;
  NufftProblem single = problem;
  single.batch = 1;
  double error = 0, scale = 0;
  for (std::int64_t b = 0; b < problem.batch; ++b) {
    const std::vector<cdouble> image(images.begin() + b * pixels, images.begin() + (b + 1) * pixels);
    auto samples = nudftForward(single, points, image);
    for (std::size_t j = 0; j < weights.size(); ++j) samples[j] *= weights[j];
    const auto exact = nudftAdjoint(single, points, samples);
    for (std::int64_t i = 0; i < pixels; ++i) {
      error += std::norm(cdouble(out[std::size_t(b * pixels + i)]) - exact[std::size_t(i)]);
      scale += std::norm(exact[std::size_t(i)]);
    }
  }
  return std::sqrt(error / scale);
}

}  // namespace

class TestGpuNormalOperator : public QObject {
  Q_OBJECT
 private slots:
  void equalsExactSums_data() {
    QTest::addColumn<int>("shape");
    QTest::addColumn<int>("method");
    QTest::addColumn<bool>("dbl");
    for (int s = 0; s < int(std::size(sizes)); ++s)
      for (const NormalMethod m : {NormalMethod::gridded, NormalMethod::toeplitz,
                                   NormalMethod::toeplitzShifted, NormalMethod::automatic})
        for (const bool dbl : {false, true})
          QTest::addRow("%d-D shape %d, %s, %s", shapeDimensions[s], s,
                        std::string(normalMethodName(m)).c_str(), dbl ? "double" : "float")
              << s << int(m) << dbl;
  }
  void equalsExactSums() {
    NEEDS_GPU();
    QFETCH(int, shape);
    QFETCH(int, method);
    QFETCH(bool, dbl);
    NufftProblem problem;
    problem.dims = shapeDimensions[shape];
    problem.size = sizes[shape];
    problem.precision = dbl ? Precision::double64 : Precision::single;
    NufftOptions options;
    options.accuracy = dbl ? 1e-7 : 1e-4;
    options.normal = NormalMethod(method);
    for (const bool weighted : {false, true}) {
      const double error = dbl ? normalError<double>(problem, options, weighted, weighted)
                               : normalError<float>(problem, options, weighted, weighted);
      QVERIFY2(error <= options.accuracy, qPrintable(QString::number(error)));
    }
  }

  // 17 images go in two passes, the second one with an image less.
  void aLastPassMayHaveFewerImages_data() {
    QTest::addColumn<int>("method");
    QTest::addColumn<bool>("dbl");
    for (const NormalMethod m :
         {NormalMethod::gridded, NormalMethod::toeplitz, NormalMethod::toeplitzShifted})
      for (const bool dbl : {false, true})
        QTest::addRow("%s %s", std::string(normalMethodName(m)).c_str(), dbl ? "double" : "float")
            << int(m) << dbl;
  }
  void aLastPassMayHaveFewerImages() {
    NEEDS_GPU();
    QFETCH(int, method);
    QFETCH(bool, dbl);
    constexpr std::int64_t images = 17;
    NufftProblem problem{.size = {18, 21, 1}};
    problem.precision = dbl ? Precision::double64 : Precision::single;
    NufftOptions options;
    options.accuracy = dbl ? 1e-7 : 1e-4;
    options.normal = NormalMethod(method);
    for (const bool inPlace : {false, true}) {
      const double error = dbl ? normalError<double>(problem, options, true, inPlace, images)
                               : normalError<float>(problem, options, true, inPlace, images);
      QVERIFY2(error <= options.accuracy, qPrintable(QString::number(error)));
    }
  }

  // Circles longer than they need be: our own passes, and cuFFT.
  void longerCircles_data() {
    QTest::addColumn<double>("ratio");
    QTest::addColumn<bool>("dbl");
    for (const double ratio : {1.95, 2.25, 3.0})
      for (const bool dbl : {false, true})
        QTest::addRow("%g %s", ratio, dbl ? "double" : "float") << ratio << dbl;
  }
  void longerCircles() {
    NEEDS_GPU();
    QFETCH(double, ratio);
    QFETCH(bool, dbl);
    NufftProblem problem;
    problem.dims = 3;
    problem.size = {32, 33, 30};
    problem.precision = dbl ? Precision::double64 : Precision::single;
    NufftOptions options;
    options.accuracy = 1e-4;
    options.normal = NormalMethod::toeplitz;
    options.toeplitzAlpha = ratio;
    const double error = dbl ? normalError<double>(problem, options, true, false)
                             : normalError<float>(problem, options, true, false);
    QVERIFY2(error <= options.accuracy, qPrintable(QString::number(error)));
    const auto plan = backend()->plan<float>(problem, options);
    plan->setPoints(makePoints(3, 100, PointPattern::random, 1));
    std::vector<cfloat> image(std::size_t(problem.pixels()));
    plan->normal(image.data(), image.data());
    QVERIFY(plan->info().options.toeplitzAlpha >= ratio);
  }

  // An image times maps, without the products in memory, gives the same as the products. Forms with
  // separate passes serve, for arrays on the device; the weights are there, too.
  void productsWithMapsAreMadeWhereTheyAreRead_data() {
    QTest::addColumn<Index3>("size");
    QTest::newRow("2-D") << Index3{32, 30, 1};
    QTest::newRow("3-D") << Index3{32, 48, 40};
  }
  void productsWithMapsAreMadeWhereTheyAreRead() {
    NEEDS_GPU();
    QFETCH(Index3, size);
    NufftProblem problem;
    problem.dims = dimensions(size);
    problem.size = size;
    problem.batch = 5;
    NufftOptions options;
    options.accuracy = 1e-4;
    options.normal = NormalMethod::toeplitz;
    const auto plan = backend()->plan<float>(problem, options);
    QVERIFY(plan->info().onDevice);
    Execution execution;
    execution.devicePointers = true;
    QVERIFY(!plan->takesMaps(execution));  // no points yet
    plan->setPoints(makePoints(problem.dims, 3000, PointPattern::random, 4));
    std::vector<double> weights;
    for (int j = 0; j < 3000; ++j) weights.push_back(1 + j % 3);
    QVERIFY(!plan->placeWeights(weights, 2, {}));  // the caller's arrays lie on the host
    const float* const placed = plan->placeWeights(weights, 2, execution);
    QVERIFY(placed);
    std::vector<float> there(weights.size());
    cudaMemcpy(there.data(), placed, there.size() * sizeof(float), cudaMemcpyDeviceToHost);
    for (std::size_t j = 0; j < there.size(); ++j) QCOMPARE(there[j], float(weights[j] / 2));
    QVERIFY(plan->takesMaps(execution) && !plan->takesMaps({}));
    const auto pixels = std::size_t(problem.pixels());
    const auto image = converted<float>(randomValues(problem.pixels(), 5));
    const auto maps = converted<float>(randomValues(problem.batch * problem.pixels(), 6));
    std::vector<cfloat> products(maps.size());
    for (std::size_t i = 0; i < maps.size(); ++i) products[i] = image[i % pixels] * maps[i];
    std::vector<cfloat> expected(maps.size());
    plan->normal(products.data(), expected.data());
    const OnDevice<cfloat> imageThere(image), mapsThere(maps), out(expected);
    cudaMemset(out.get(), 0, maps.size() * sizeof(cfloat));
    cudaDeviceSynchronize();
    plan->mappedNormal(imageThere.get(), mapsThere.get(), out.get(), execution);
    const std::vector<cfloat> found = out.read();
    double difference = 0, whole = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      difference += std::norm(cdouble(found[i]) - cdouble(expected[i]));
      whole += std::norm(cdouble(expected[i]));
    }
    QVERIFY2(whole > 0 && std::sqrt(difference / whole) < 1e-6,
             qPrintable(QString::number(std::sqrt(difference / whole))));
    options.normal = NormalMethod::gridded;
    const auto gridded = backend()->plan<float>(problem, options);
    gridded->setPoints(makePoints(problem.dims, 3000, PointPattern::random, 4));
    QVERIFY(!gridded->takesMaps(execution));
  }

  // If points are set the first application takes as long as the others. Weights may also be set
  // before the points, or fit points that are set later.
  void theConvolutionIsMadeWithTheWeights() {
    NEEDS_GPU();
    NufftProblem problem;
    problem.dims = 3;
    problem.size = {40, 40, 40};
    NufftOptions options;
    options.accuracy = 1e-4;
    options.normal = NormalMethod::toeplitz;
    const std::vector<double> points = makePoints(3, 5000, PointPattern::random, 1);
    std::vector<double> weights;
    for (int j = 0; j < 5000; ++j) weights.push_back(1 + j % 3);
    const auto in = converted<float>(randomValues(problem.pixels(), 2));
    std::vector<cfloat> after(in.size()), before(in.size());
    const auto plan = backend()->plan<float>(problem, options);
    plan->setPoints(points);
    const std::int64_t held = plan->info().memory;
    plan->setWeights(weights);
    QVERIFY(plan->info().memory > held + problem.pixels() * 7 * std::int64_t(sizeof(float)));
    QVERIFY(plan->info().options.toeplitzAlpha > 0);
    plan->normal(in.data(), after.data());
    const auto other = backend()->plan<float>(problem, options);
    other->setWeights(weights);
    other->setPoints(points);
    other->normal(in.data(), before.data());
    double difference = 0, whole = 0;
    for (std::size_t i = 0; i < in.size(); ++i) {
      difference += std::norm(after[i] - before[i]);
      whole += std::norm(after[i]);
    }
    QVERIFY2(whole > 0 && difference <= 1e-8 * whole, qPrintable(QString::number(difference / whole)));
    other->setWeights(std::vector<double>(10, 1.0));
    QVERIFY_EXCEPTION_THROWN(other->normal(in.data(), before.data()), Error);
    other->setWeights({});
    other->normal(in.data(), before.data());
  }

  // The convolution's grids, its FFTs and the plan of its point spread function stay, whatever
  // points come.
  void pointsAreReplaced_data() {
    QTest::addColumn<int>("normal");
    QTest::addColumn<double>("accuracy");
    for (const NormalMethod normal : {NormalMethod::toeplitz, NormalMethod::toeplitzShifted})
      for (const double accuracy : {1e-3, 1e-5})  // point spread functions in single and double precision
        QTest::addRow("%d, %g", int(normal), accuracy) << int(normal) << accuracy;
  }
  void pointsAreReplaced() {
    NEEDS_GPU();
    QFETCH(int, normal);
    QFETCH(double, accuracy);
    NufftProblem problem;
    problem.dims = 2;
    problem.size = {40, 36, 1};
    NufftOptions options;
    options.accuracy = accuracy;
    options.normal = NormalMethod(normal);
    const auto in = converted<float>(randomValues(problem.pixels(), 2));
    std::vector<cfloat> found(in.size()), expected(in.size());
    const auto kept = backend()->plan<float>(problem, options);
    std::int64_t memory = 0;
    for (unsigned round = 0; round < 6; ++round) {
      const std::int64_t count = round % 2 ? 500 : 4000;
      const std::vector<double> points = makePoints(2, count, PointPattern::random, round);
      std::vector<double> weights;
      for (std::int64_t j = 0; j < count; ++j) weights.push_back(1 + double(j % 3) + round);
      const auto fresh = backend()->plan<float>(problem, options);
      for (Nufft<float>* const plan : {kept.get(), fresh.get()}) {
        plan->setPoints(points);
        plan->setWeights(weights);
        plan->normal(in.data(), plan == kept.get() ? found.data() : expected.data());
      }
      double difference = 0, whole = 0;
      for (std::size_t i = 0; i < in.size(); ++i) {
        difference += std::norm(found[i] - expected[i]);
        whole += std::norm(expected[i]);
      }
      QVERIFY2(whole > 0 && std::sqrt(difference / whole) <= accuracy,
               qPrintable(QString::number(std::sqrt(difference / whole))));
      if (round == 2) memory = kept->info().memory;
      if (round > 2) QVERIFY(kept->info().memory <= memory);
    }
  }

  void newWeightsAreSeen() {
    NEEDS_GPU();
    NufftProblem problem;
    problem.dims = 2;
    problem.size = {20, 20, 1};
    NufftOptions options;
    options.accuracy = 1e-4;
    options.normal = NormalMethod::toeplitz;
    const auto plan = backend()->plan<float>(problem, options);
    plan->setPoints(makePoints(2, 1000, PointPattern::random, 1));
    const auto in = converted<float>(randomValues(400, 2));
    std::vector<cfloat> ones(400), twos(400);
    plan->normal(in.data(), ones.data());
    plan->setWeights(std::vector<double>(1000, 2.0));
    plan->normal(in.data(), twos.data());
    for (std::size_t i = 0; i < 400; ++i)
      QVERIFY(std::abs(twos[i] - 2.0F * ones[i]) <= 1e-4F * std::abs(ones[i]) + 1e-2F);
  }
};

SPOKELAB_CORE_TEST(TestGpuNormalOperator)

}  // namespace test_gpu_normal_operator

#include "test_gpu_normal_operator.moc"
