// Calls that repeat with arrays on the device are recorded and launched as one
// (cuda/nufft/plan/call_graphs.h): the results equal the first call's, and follow new values,
// points, weights and arrays. And the clock of plans on a device.
#include <cuda_runtime.h>
#include <QtTest>

#include <array>
#include <cmath>

#include "engine/core/error.h"
#include "tests/cuda/gpu_test.h"
#include "tests/cuda/on_device.h"
#include "tests/test_main.h"

namespace test_gpu_repeated_calls {

using namespace spokelab;
using namespace spokelab::gputest;

namespace {

constexpr std::int64_t samples = 900, images = 3;

NufftProblem problemOf(int dims) {
  NufftProblem problem;
  problem.dims = dims;
  problem.size = {22, dims > 1 ? 19 : 1, dims > 2 ? 16 : 1};
  problem.batch = images;
  return problem;
}

NufftOptions optionsOf(Method spread, Method interpolate, NormalMethod normal, bool reproducible = true) {
  NufftOptions options;
  options.accuracy = 1e-3;
  options.reproducible = reproducible;
  options.spread = spread;
  options.interpolate = interpolate;
  options.normal = normal;
  return options;
}

Execution onDevice(cudaStream_t stream = nullptr) {
  Execution execution;
  execution.devicePointers = true;
  execution.stream = stream;
  return execution;
}

// bits: of all values; else to the rounding of sums in another order.
bool agree(const std::vector<cfloat>& a, const std::vector<cfloat>& b, bool bits) {
  if (bits) return a == b;
  constexpr double rounding = 1e-5;
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += std::norm(cdouble(a[i]) - cdouble(b[i]));
    size += std::norm(cdouble(b[i]));
  }
  return size > 0 && difference <= rounding * rounding * size;
}

void call(Nufft<float>& plan, Direction direction, cfloat* in, cfloat* out, cudaStream_t stream = nullptr) {
  if (direction == Direction::forward) return plan.forward(in, out, onDevice(stream));
  if (direction == Direction::adjoint) return plan.adjoint(in, out, onDevice(stream));
  plan.normal(in, out, onDevice(stream));
}

// The result of a new plan, where nothing has repeated.
std::vector<cfloat> fresh(const NufftProblem& problem, const NufftOptions& options,
                          const std::vector<double>& points, const std::vector<double>& weights,
                          Direction direction, const std::vector<cfloat>& in, std::size_t outs) {
  const auto plan = backend()->plan<float>(problem, options);
  plan->setPoints(points);
  plan->setWeights(weights);
  const OnDevice<cfloat> from(in), to(outs);
  call(*plan, direction, from.get(), to.get());
  return to.read();
}

}  // namespace

class TestGpuRepeatedCalls : public QObject {
  Q_OBJECT
 private slots:
  void resultsFollowWhatChanges_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<int>("spread");
    QTest::addColumn<int>("interpolate");
    QTest::addColumn<int>("normal");
    QTest::addColumn<bool>("bits");
    const auto row = [](const char* name, int dims, Method spread, Method interpolate, NormalMethod normal,
                        bool bits = true) {
      QTest::newRow(name) << dims << int(spread) << int(interpolate) << int(normal) << bits;
    };
    row("1-D", 1, Method::automatic, Method::automatic, NormalMethod::gridded);
    row("2-D, fixed and tiles", 2, Method::fixedPoint, Method::subproblem, NormalMethod::gridded);
    row("2-D, stored matrix", 2, Method::sparse, Method::sparse, NormalMethod::gridded, false);
    row("3-D, tensor", 3, Method::tensor, Method::tensor, NormalMethod::gridded, false);
    row("2-D, cuSPARSE", 2, Method::cusparse, Method::cusparse, NormalMethod::gridded, false);
    row("2-D, points unsorted", 2, Method::pointDriven, Method::pointDriven, NormalMethod::gridded, false);
    row("3-D, Toeplitz", 3, Method::automatic, Method::automatic, NormalMethod::toeplitz);
    row("2-D, Toeplitz, shifted", 2, Method::automatic, Method::automatic, NormalMethod::toeplitzShifted);
  }
  void resultsFollowWhatChanges() {
    NEEDS_GPU();
    try {
      followWhatChanges();
    } catch (const Error& error) {
      QFAIL(error.what());
    }
  }

  // More arrays than graphs are kept of.
  void manyArraysTakeTurns() {
    NEEDS_GPU();
    constexpr std::size_t arrays = 12;
    const NufftProblem problem = problemOf(2);
    const NufftOptions options = optionsOf(Method::automatic, Method::automatic, NormalMethod::gridded);
    const auto points = makePoints(2, samples, PointPattern::random, 3);
    const std::vector<double> weights(samples, 1);
    const auto plan = backend()->plan<float>(problem, options);
    plan->setPoints(points);
    const auto pixels = std::size_t(images * problem.pixels());
    const auto values = converted<float>(randomValues(std::int64_t(pixels), 5));
    const auto expected =
        fresh(problem, options, points, weights, Direction::forward, values, std::size_t(images * samples));
    const OnDevice<cfloat> in(values);
    std::vector<std::unique_ptr<OnDevice<cfloat>>> outs;
    for (std::size_t i = 0; i < arrays; ++i)
      outs.push_back(std::make_unique<OnDevice<cfloat>>(images * samples));
    for (int turn = 0; turn < 5; ++turn)
      for (const auto& out : outs) {
        out->write(std::vector<cfloat>(images * samples));
        call(*plan, Direction::forward, in.get(), out->get());
        QVERIFY(out->read() == expected);
      }
  }

  void aRepeatedCallStillReportsWhatIsNotFinite() {
    NEEDS_GPU();
    const NufftProblem problem = problemOf(2);
    const auto plan = backend()->plan<float>(problem, {});
    plan->setPoints(makePoints(2, samples, PointPattern::random, 3));
    std::vector<cfloat> values(std::size_t(images * problem.pixels()), cfloat(1));
    OnDevice<cfloat> in(values);
    const OnDevice<cfloat> out(images * samples);
    for (int i = 0; i < 5; ++i) call(*plan, Direction::forward, in.get(), out.get());
    values[7] = NAN;
    in.write(values);
    call(*plan, Direction::forward, in.get(), out.get());
    StageTimings timings;
    const StageRecorder waits(timings);
    QVERIFY_EXCEPTION_THROWN(plan->forward(in.get(), out.get(), onDevice()), Error);
  }

  void devicesTimeTheirPlans_data() {
    QTest::addColumn<int>("direction");
    for (const Direction d : {Direction::forward, Direction::adjoint, Direction::both, Direction::normal})
      QTest::addRow("%d", int(d)) << int(d);
  }
  void devicesTimeTheirPlans() {
    NEEDS_GPU();
    QFETCH(const int, direction);
    const NufftProblem problem = problemOf(3);
    const auto plan = backend()->plan<float>(problem, {});
    const auto points = makePoints(3, samples, PointPattern::random, 3);
    plan->setPoints(points);
    QVERIFY(plan->info().onDevice);
    for (const bool repeated : {false, true}) {
      const DeviceRuns runs = plan->deviceRuns(Direction(direction), 5, repeated);
      QCOMPARE(runs.seconds.size(), std::size_t(5));
      for (const double s : runs.seconds) QVERIFY(s > 0 && s < 0.1);
      QVERIFY(runs.stages[Stage::fft] > 0);
      QCOMPARE(runs.stages[Stage::transfer], 0.0);
    }
    // The plan serves as before.
    const auto values = randomValues(images * problem.pixels(), 5);
    const auto image = converted<float>(values);
    std::vector<cfloat> out(images * samples);
    plan->forward(image.data(), out.data());
    NufftProblem one = problem;
    one.batch = 1;
    const std::vector<cdouble> first(values.begin(), values.begin() + problem.pixels());
    const auto exact = nudftForward(one, points, first);
    const std::vector<cfloat> firstOut(out.begin(), out.begin() + samples);
    QVERIFY(contractError<float>(firstOut, exact, first) < plan->info().options.accuracy);
  }

 private:
  void followWhatChanges() {
    QFETCH(const int, dims);
    QFETCH(const int, spread);
    QFETCH(const int, interpolate);
    QFETCH(const int, normal);
    QFETCH(const bool, bits);
    const NufftProblem problem = problemOf(dims);
    const NufftOptions options = optionsOf(Method(spread), Method(interpolate), NormalMethod(normal), bits);
    const auto points = makePoints(dims, samples, PointPattern::random, 3),
               others = makePoints(dims, samples, PointPattern::random, 4);
    const std::vector<double> weights(samples, 0.5), otherWeights(samples, 2);
    const auto plan = backend()->plan<float>(problem, options);
    const auto pixels = std::size_t(images * problem.pixels());
    for (const Direction direction : {Direction::forward, Direction::adjoint, Direction::normal}) {
      const std::size_t ins = direction == Direction::adjoint ? images * samples : pixels,
                        outs = direction == Direction::forward ? images * samples : pixels;
      const auto values = converted<float>(randomValues(std::int64_t(ins), 5)),
                 otherValues = converted<float>(randomValues(std::int64_t(ins), 6));
      OnDevice<cfloat> in(values), out(outs), otherOut(outs);
      plan->setPoints(points);
      plan->setWeights(weights);
      const auto expected = fresh(problem, options, points, weights, direction, values, outs);
      for (int i = 0; i < 6; ++i) {
        out.write(std::vector<cfloat>(outs));
        call(*plan, direction, in.get(), out.get());
        QVERIFY2(agree(out.read(), expected, bits), qPrintable(QString("call %1").arg(i)));
      }
      in.write(otherValues);
      call(*plan, direction, in.get(), out.get());
      QVERIFY(
          agree(out.read(), fresh(problem, options, points, weights, direction, otherValues, outs), bits));
      in.write(values);
      cudaStream_t stream = nullptr;
      cudaStreamCreate(&stream);
      call(*plan, direction, in.get(), otherOut.get(), stream);
      QVERIFY(agree(otherOut.read(), expected, bits));
      plan->setPoints(others);
      call(*plan, direction, in.get(), out.get(), stream);
      QVERIFY(agree(out.read(), fresh(problem, options, others, weights, direction, values, outs), bits));
      plan->setWeights(otherWeights);
      call(*plan, direction, in.get(), out.get());
      QVERIFY(
          agree(out.read(), fresh(problem, options, others, otherWeights, direction, values, outs), bits));
      cudaStreamDestroy(stream);
    }
  }
};

SPOKELAB_CORE_TEST(TestGpuRepeatedCalls)

}  // namespace test_gpu_repeated_calls

#include "test_gpu_repeated_calls.moc"
