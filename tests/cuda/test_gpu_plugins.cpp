// A plug-in whose arrays are in the GPU's memory: tried in a child process, ordered after its
// caller's stream and before it, taken in a job whose data stay on the device. One that reads
// device memory as the host's ends the child alone.
#include <cuda_runtime.h>
#include <QtTest>

#include "engine/core/error.h"
#include "engine/nufft/plugin/gpu_plugins.h"
#include "engine/nufft/tune/plugins/trial.h"
#include "engine/recon/options/options.h"
#include "engine/recon/run/run_job.h"
#include "engine/recon/sense/backend_plugin.h"
#include "engine/scan/check/compare_images.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/cuda/gpu_test.h"
#include "tests/cuda/on_device.h"
#include "tests/engine/nufft/plugin/plugin_files.h"
#include "tests/test_main.h"

namespace test_gpu_plugins {

using namespace spokelab;
using namespace spokelab::gputest;

namespace {

constexpr double trialSeconds = 60;

PluginInfo onGpu(const std::string& name) {
  PluginInfo info = test::probed(name, trialSeconds);
  info.onGpu = true;
  return info;
}

NufftProblem problemOf(int dims, Precision precision, std::int64_t batch) {
  NufftProblem problem;
  problem.dims = dims;
  problem.size = dims == 1 ? Index3{41, 1, 1} : dims == 2 ? Index3{20, 17, 1} : Index3{8, 9, 10};
  problem.precision = precision;
  problem.batch = batch;
  return problem;
}

std::unique_ptr<Nufft<double>> planOf(const NufftProblem& problem) {
  // Without a child process, which compute-sanitizer cannot follow.
  const auto code = std::make_shared<const PluginCode>(test::pluginFile("device-sum"));
  PluginInfo info = code->describe(test::pluginFile("device-sum"));
  info.onGpu = true;
  NufftOptions options;
  options.accuracy = 1e-9;
  return std::get<std::unique_ptr<Nufft<double>>>(makeGpuPluginNufft({code, info, problem, options, {}}));
}

double apart(const std::vector<cdouble>& a, const std::vector<cdouble>& b) {
  return relativeDistance<double>(a, b);
}

}  // namespace

class TestGpuPlugins : public QObject {
  Q_OBJECT

 private slots:
  void itIsTriedInTheMemoryThatItGets_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<bool>("single");
    for (int dims = 1; dims <= 3; ++dims)
      for (const bool single : {false, true})
        QTest::addRow("%d-D %s", dims, single ? "single" : "double") << dims << single;
  }
  void itIsTriedInTheMemoryThatItGets() {
    NEEDS_GPU();
    QFETCH(int, dims);
    QFETCH(bool, single);
    TuneRequest request;
    request.problem = problemOf(dims, single ? Precision::single : Precision::double64, 3);
    request.options.accuracy = single ? 1e-5 : 1e-10;
    const std::vector<double> points = makePoints(dims, 300, PointPattern::random, 5);
    request.points = points;
    const PluginTrial trial = tryPlugin(onGpu("device-sum"), request, 0, trialSeconds, {});
    QVERIFY2(trial.measuredError <= request.options.accuracy,
             qPrintable(QString::number(trial.measuredError)));
  }

  // The points are of another unit and on the device, the values arrive on a stream that is busy.
  void deviceArraysFollowTheCallersStream() {
    NEEDS_GPU();
    const NufftProblem problem = problemOf(2, Precision::double64, 2);
    std::vector<double> points = makePoints(2, 500, PointPattern::edges, 6), given = points;
    for (std::size_t i = 0; i < given.size(); ++i) given[i] *= i % 2 == 0 ? 20 : 17;
    const auto plan = planOf(problem);
    QVERIFY(plan->info().onDevice);
    cudaStream_t stream = nullptr;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    const OnDevice<double> there(given);
    PlanPoints set = devicePoints({there.get(), given.size()}, stream);
    set.divisors = {20, 17, 1};
    plan->setPoints(set);
    QCOMPARE(plan->points(), std::int64_t(500));

    const std::vector<cdouble> image = randomValues(2 * problem.pixels(), 7);
    cdouble* pinned = nullptr;
    cudaMallocHost(reinterpret_cast<void**>(&pinned), image.size() * sizeof(cdouble));
    std::copy(image.begin(), image.end(), pinned);
    const OnDevice<cdouble> in(image.size()), samples(2 * 500), back(image.size());
    constexpr std::size_t busyBytes = std::size_t(256) << 20;
    const OnDevice<char> busy(busyBytes);
    const Execution execution{.devicePointers = true, .stream = stream};
    cudaMemsetAsync(busy.get(), 1, busyBytes, stream);
    cudaMemcpyAsync(in.get(), pinned, image.size() * sizeof(cdouble), cudaMemcpyHostToDevice, stream);
    plan->forward(in.get(), samples.get(), execution);
    plan->adjoint(samples.get(), back.get(), execution);
    std::vector<cdouble> found(2 * 500), again(image.size());
    cudaMemcpyAsync(found.data(), samples.get(), found.size() * sizeof(cdouble), cudaMemcpyDeviceToHost,
                    stream);
    cudaMemcpyAsync(again.data(), back.get(), again.size() * sizeof(cdouble), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    cudaFreeHost(pinned);

    NufftProblem one = problem;
    one.batch = 1;
    std::vector<cdouble> exact, exactBack;
    for (int b = 0; b < 2; ++b) {
      const std::span<const cdouble> of(image.data() + b * problem.pixels(), std::size_t(problem.pixels()));
      const std::vector<cdouble> part = nudftForward(one, points, of);
      exact.insert(exact.end(), part.begin(), part.end());
      const std::vector<cdouble> image2 = nudftAdjoint(one, points, part);
      exactBack.insert(exactBack.end(), image2.begin(), image2.end());
    }
    QVERIFY2(apart(found, exact) < 1e-10, qPrintable(QString::number(apart(found, exact))));
    QVERIFY2(apart(again, exactBack) < 1e-10, qPrintable(QString::number(apart(again, exactBack))));

    // The same from host memory.
    std::vector<cdouble> host(2 * 500);
    plan->setPoints(points);
    plan->forward(image.data(), host.data());
    QVERIFY(apart(host, exact) < 1e-10);
  }

  void theNormalOperatorHasWeights() {
    NEEDS_GPU();
    const NufftProblem problem = problemOf(2, Precision::double64, 2);
    const std::vector<double> points = makePoints(2, 120, PointPattern::random, 8);
    const auto plan = planOf(problem);
    plan->setPoints(points);
    std::vector<double> weights(120);
    for (std::size_t j = 0; j < weights.size(); ++j) weights[j] = 0.5 + double(j % 7);
    plan->setWeights(weights);
    const std::vector<cdouble> image = randomValues(2 * problem.pixels(), 9);
    std::vector<cdouble> samples(2 * 120), expected(image.size()), found(image);
    plan->forward(image.data(), samples.data());
    for (std::size_t i = 0; i < samples.size(); ++i) samples[i] *= weights[i % 120];
    plan->adjoint(samples.data(), expected.data());
    plan->normal(found.data(), found.data());
    QVERIFY(apart(found, expected) < 1e-12);
    const DeviceRuns runs = plan->deviceRuns(Direction::both, 3, false);
    QCOMPARE(runs.seconds.size(), std::size_t(3));
    QVERIFY(runs.seconds.front() > 0);
  }

  void coordinatesThatAreNoNumbersAreRefused() {
    NEEDS_GPU();
    const auto plan = planOf(problemOf(2, Precision::double64, 1));
    std::vector<double> points = makePoints(2, 50, PointPattern::random, 10);
    points[33] = std::numeric_limits<double>::quiet_NaN();
    QVERIFY_EXCEPTION_THROWN(plan->setPoints(points), Error);
    points[33] = 0.25;
    plan->setPoints(points);
    QCOMPARE(plan->points(), std::int64_t(50));
  }

  // The iterations' vectors are the GPU's, the transforms the plug-in's.
  void aJobOfThePluginGivesTheGpusImage() {
    NEEDS_GPU();
    SimulateOptions simulation;
    simulation.trajectory.pattern = Pattern::goldenRadial2d;
    simulation.trajectory.matrix = {24, 24, 1};
    simulation.trajectory.shots = 21;
    simulation.coils = 3;
    const auto scan = simulate(simulation, {});
    ReconOptions options;
    options.effort = TuneEffort::estimate;
    options.nufft.accuracy = 1e-4;
    options.iterative.method = ReconMethod::sense;
    options.iterative.transform = TransformKind::nufft;
    options.iterative.solver.iterations = 5;
    const auto plugin = makePluginBackend(onGpu("device-sum"), backend());
    QVERIFY(plugin->deviceMemory() > 0);
    const Reconstruction own = runJob(*backend(), *scan, options, nullptr, nullptr, {});
    const Reconstruction theirs = runJob(*plugin, *scan, options, nullptr, nullptr, {});
    QCOMPARE(theirs.plan.backend, std::string("device-sum"));
    QVERIFY(theirs.plan.onDevice);
    const double error = nrmse(*theirs.image, *own.image);
    QVERIFY2(error < 2e-3, qPrintable(QString::number(error)));
  }

  void aCrashOfThePluginLeavesTheDevice() {
    NEEDS_GPU();
    const PluginInfo info = onGpu("device-careless");
    TuneRequest request;
    request.problem = problemOf(2, Precision::single, 1);
    const std::vector<double> points = makePoints(2, 100, PointPattern::random, 11);
    request.points = points;
    QString said;
    try {
      tryPlugin(info, request, 0, trialSeconds, {});
    } catch (const Error& e) {
      said = QString::fromStdString(e.reason());
    }
    QVERIFY2(said.contains("it crashed in the step 'set points'"), qPrintable(said));
    const Errors errors = errorsAgainstNudft(request.problem, {}, points, 12);
    QVERIFY(errors.forward < 1e-3 && errors.adjoint < 1e-3);
  }
};

SPOKELAB_CORE_TEST(TestGpuPlugins)  // it starts children

}  // namespace test_gpu_plugins

#include "test_gpu_plugins.moc"
