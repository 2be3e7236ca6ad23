// One plan over its life: batches, new points, no points, device pointers and streams, the same
// answer every time.
#include <cuda_runtime.h>
#include <QtTest>
#include <algorithm>
#include <cmath>

#include "cuda/backend.h"
#include "engine/core/error.h"
#include "tests/cuda/gpu_test.h"
#include "tests/cuda/on_device.h"
#include "tests/test_main.h"

namespace test_gpu_plan_life {

using namespace spokelab;
using namespace spokelab::gputest;

namespace {

NufftProblem planar(std::int64_t batch = 1) {
  NufftProblem problem;
  problem.dims = 2;
  problem.size = {40, 33, 1};
  problem.batch = batch;
  return problem;
}

NufftOptions within(double accuracy) {
  NufftOptions options;
  options.accuracy = accuracy;
  return options;
}

constexpr double rounding = 1e-5;  // of float sums in another order

}  // namespace

class TestGpuPlanLife : public QObject {
  Q_OBJECT
 private slots:
  void batchEqualsSingleTransforms_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<int>("batch");
    QTest::addColumn<int>("method");
    QTest::addColumn<double>("accuracy");
    const auto row = [](int dims, int batch, Method method, double accuracy) {
      QTest::addRow("%d-D, %d images, %s, %g", dims, batch, std::string(methodName(method)).c_str(), accuracy)
          << dims << batch << int(method) << accuracy;
    };
    for (const int batch : {2, 5, 7, 17, 23, 24})
      for (const Method m :
           {Method::pointDriven, Method::pointSorted, Method::subproblem, Method::sector,
            Method::outputDriven, Method::fixedPoint, Method::tensor, Method::sparse, Method::cusparse})
        row(2, batch, m, 1e-4);
    // Tensor kernels take coils in pairs or fours, and leave some over, according to their width.
    // In 3-D a slab of a column has more points than a block of coils takes at a time.
    for (const int dims : {2, 3})
      for (const int batch : {3, 4, 7})
        for (const double accuracy : {5e-2, 1e-2, 3e-3, 1e-3, 2e-4, 1e-5})
          row(dims, batch, Method::tensor, accuracy);
  }
  void batchEqualsSingleTransforms() {
    NEEDS_GPU();
    QFETCH(int, dims);
    QFETCH(int, batch);
    QFETCH(int, method);
    QFETCH(double, accuracy);
    const std::int64_t count = dims == 3 ? 5000 : 1234;
    NufftOptions options = within(accuracy);
    options.spread = Method(method);
    options.interpolate = options.spread == Method::tensor || options.spread == Method::subproblem ||
                                  options.spread == Method::sector || storesMatrix(options.spread)
                              ? options.spread
                              : Method::pointSorted;
    const auto points = makePoints(dims, count, PointPattern::random, 1);
    NufftProblem problem = planar();
    if (dims == 3) problem = {.dims = 3, .size = {12, 17, 10}};
    problem.batch = batch;
    const Errors e = batchAgainstSingle(problem, options, points);
    const double bound =
        options.spread == Method::tensor ? options.accuracy : rounding;  // scaled by the batch
    QVERIFY(e.forward < bound);
    QVERIFY(e.adjoint < bound);
  }

  // Some methods evaluate kernel values once for two or four images, where a block has room for
  // them. Three leave one over.
  void imagesThatShareKernelValuesEqualSingleTransforms_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<int>("method");
    QTest::addColumn<bool>("dbl");
    QTest::addColumn<double>("accuracy");
    for (const int dims : {1, 2, 3})
      for (const Method m : {Method::pointDriven, Method::pointSorted, Method::subproblem, Method::sector,
                             Method::outputDriven, Method::fixedPoint})
        for (const double accuracy : {1e-3, 1e-5, 1e-7, 1e-10}) {
          const bool dbl = accuracy < 1e-6;
          if (dbl && m == Method::fixedPoint) continue;
          QTest::addRow("%d-D, %s, %g", dims, std::string(methodName(m)).c_str(), accuracy)
              << dims << int(m) << dbl << accuracy;
        }
  }
  void imagesThatShareKernelValuesEqualSingleTransforms() {
    NEEDS_GPU();
    QFETCH(int, dims);
    QFETCH(int, method);
    QFETCH(bool, dbl);
    QFETCH(double, accuracy);
    NufftOptions options = within(accuracy);
    options.spread = Method(method);
    options.interpolate = options.spread == Method::subproblem || options.spread == Method::pointDriven
                              ? options.spread
                              : Method::pointSorted;
    constexpr int sizes[3][3] = {{3000, 1, 1}, {70, 93, 1}, {32, 27, 40}};
    NufftProblem problem{.dims = dims, .size = {sizes[dims - 1][0], sizes[dims - 1][1], sizes[dims - 1][2]}};
    problem.precision = dbl ? Precision::double64 : Precision::single;
    const auto points = makePoints(dims, 6000, PointPattern::random, 1);
    for (const int batch : {2, 3}) {
      problem.batch = batch;
      for (const bool reproducible : {false, true}) {
        options.reproducible = reproducible;
        if (reproducible && options.spread != Method::outputDriven) continue;
        const Errors e = batchAgainstSingle(problem, options, points);
        QVERIFY(e.forward < (dbl ? 1e-12 : rounding));
        QVERIFY(e.adjoint < (dbl ? 1e-12 : rounding));
      }
    }
  }

  // Integers are scaled for each image on its own: a small one beside a large one, and one of
  // zeros.
  void smallImagesBesideLargeOnesKeepTheirDigits() {
    NEEDS_GPU();
    constexpr std::int64_t count = 4000, batch = 3;
    const auto points = makePoints(2, count, PointPattern::random, 1);
    for (const Method method : {Method::fixedPoint, Method::subproblem}) {
      NufftOptions options = within(1e-4);
      options.spread = method;
      const auto together = backend()->plan<float>(planar(batch), options);
      const auto alone = backend()->plan<float>(planar(), options);
      together->setPoints(points);
      alone->setPoints(points);
      auto samples = converted<float>(randomValues(batch * count, 2));
      const auto image = [&](std::int64_t b) { return samples.begin() + b * count; };
      std::for_each(image(0), image(1), [](cfloat& v) { v *= 1e9f; });
      std::fill(image(2), samples.end(), cfloat(0));
      const auto pixels = static_cast<std::size_t>(planar().pixels());
      std::vector<cfloat> images(batch * pixels), single(pixels);
      together->adjoint(samples.data(), images.data());
      alone->adjoint(samples.data() + count, single.data());
      const std::span<const cfloat> small(images.data() + pixels, pixels),
          zeros(images.data() + 2 * pixels, pixels);
      QVERIFY(relativeDistance<float>(small, single) < rounding);
      QVERIFY(std::all_of(zeros.begin(), zeros.end(), [](cfloat v) { return v == cfloat(0); }));
    }
  }

  // They take the passes of the FFT by groups.
  void imagesThatOutgrowTheCacheEqualSingleTransforms() {
    NEEDS_GPU();
    NufftProblem problem{.dims = 3, .size = {100, 90, 96}};
    problem.batch = 5;
    NufftOptions options = within(1e-4);
    options.spread = options.interpolate = Method::pointSorted;
    const Errors e = batchAgainstSingle(problem, options, makePoints(3, 5000, PointPattern::random, 1));
    QVERIFY(e.forward < rounding);
    QVERIFY(e.adjoint < rounding);
  }

  void newPointsReplaceOld() {
    NEEDS_GPU();
    const auto plan = backend()->plan<float>(planar(), within(1e-4));
    const auto image = converted<float>(randomValues(planar().pixels(), 1));
    for (const std::int64_t count : {500, 4000, 100, 4000}) {
      const auto points = makePoints(2, count, PointPattern::random, unsigned(count));
      plan->setPoints(points);
      QCOMPARE(plan->points(), count);
      std::vector<cfloat> samples(static_cast<std::size_t>(count));
      plan->forward(image.data(), samples.data());
      const std::vector<cdouble> in(image.begin(), image.end());
      QVERIFY(contractError<float>(samples, nudftForward(planar(), points, in), in) <= 1e-4);
    }
  }

  void noPointsGiveExactZeros() {
    NEEDS_GPU();
    const auto plan = backend()->plan<float>(planar(3), within(1e-3));
    plan->setPoints({});
    std::vector<cfloat> images(static_cast<std::size_t>(3 * planar().pixels()), cfloat(1, 1));
    plan->forward(images.data(), nullptr);
    plan->adjoint(nullptr, images.data());
    for (const cfloat& v : images) QCOMPARE(v, cfloat(0));
    std::fill(images.begin(), images.end(), cfloat(2, 3));
    plan->normal(images.data(), images.data());
    for (const cfloat& v : images) QCOMPARE(v, cfloat(0));
  }

  void devicePointersEqualHostPointers() {
    NEEDS_GPU();
    constexpr std::int64_t count = 3000, batch = 2;
    const auto points = makePoints(2, count, PointPattern::random, 1);
    const auto host = backend()->plan<float>(planar(batch), within(1e-4));
    const auto device = backend()->plan<float>(planar(batch), within(1e-4));
    host->setPoints(points);
    const OnDevice<double> pointsThere(points);
    cudaStream_t stream = nullptr;
    QCOMPARE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    QVERIFY(device->info().onDevice);
    device->setPoints(devicePoints({pointsThere.get(), points.size()}, stream));
    const auto samples = converted<float>(randomValues(batch * count, 2));
    std::vector<cfloat> expected(static_cast<std::size_t>(batch * planar().pixels()));
    host->adjoint(samples.data(), expected.data());
    const OnDevice<cfloat> in(samples), out(expected.size()), back(samples.size());
    Execution execution;
    execution.devicePointers = true;
    execution.stream = stream;
    device->adjoint(in.get(), out.get(), execution);
    device->forward(out.get(), back.get(), execution);
    QCOMPARE(cudaStreamSynchronize(stream), cudaSuccess);
    QCOMPARE_LT(relativeDistance<float>(out.read(), expected), rounding);
    std::vector<cfloat> again(samples.size());
    host->forward(expected.data(), again.data());
    QCOMPARE_LT(relativeDistance<float>(back.read(), again), rounding);
    cudaStreamDestroy(stream);
  }

  void stagesAddUpToTheTotal() {
    NEEDS_GPU();
    // A line too long for FFT passes of our own, which deapodize on their way.
    NufftProblem problem{.dims = 1, .size = {120'000, 1, 1}};
    problem.precision = Precision::double64;
    const auto plan = backend()->plan<double>(problem, within(1e-3));
    const auto points = makePoints(1, 20000, PointPattern::random, 1);
    StageTimings timings = timedStages([&] { plan->setPoints(points); });
    QVERIFY(timings[Stage::sort] > 0);
    const auto samples = randomValues(20000, 1);
    std::vector<cdouble> image(static_cast<std::size_t>(problem.pixels()));
    timings = timedStages([&] { plan->adjoint(samples.data(), image.data()); });
    for (const Stage s : {Stage::spread, Stage::fft, Stage::deapodize, Stage::transfer}) {
      QVERIFY(timings[s] > 0);
      QVERIFY(timings.bytes[static_cast<std::size_t>(s)] > 0);
    }
    QVERIFY(std::abs(timings.unaccounted()) <= 1e-3 * timings.total + 1e-6);
  }

  void outputDrivenRepeatsToTheLastBit() {
    NEEDS_GPU();
    NufftOptions options = within(1e-5);
    options.spread = Method::outputDriven;
    const auto plan = backend()->plan<float>(planar(), options);
    constexpr std::int64_t count = 3000;
    plan->setPoints(makePoints(2, count, PointPattern::random, 1));
    QVERIFY(plan->info().description.find("crowded") == std::string::npos);  // those are added in any order
    const auto samples = converted<float>(randomValues(count, 1));
    std::vector<cfloat> first(static_cast<std::size_t>(planar().pixels())), second(first);
    plan->adjoint(samples.data(), first.data());
    for (int i = 0; i < 5; ++i) {
      plan->adjoint(samples.data(), second.data());
      QVERIFY(first == second);
    }
  }
};

SPOKELAB_CORE_TEST(TestGpuPlanLife)

}  // namespace test_gpu_plan_life

#include "test_gpu_plan_life.moc"
