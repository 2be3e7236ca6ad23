// Several GPUs of one machine: each works whichever is current, together they give the image of
// one, a cancelled job gives the memory of all back. What one GPU shows as well is tested there.
#include <cuda_runtime.h>
#include <QtTest>

#include <stop_token>
#include <thread>

#include "engine/core/device_state.h"
#include "engine/core/error.h"
#include "engine/core/measure/trace_json.h"
#include "engine/recon/options/options.h"
#include "engine/recon/reconstruct.h"
#include "engine/scan/check/compare_images.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/cuda/gpu_test.h"
#include "tests/test_main.h"

namespace test_gpu_devices {

using namespace spokelab;
using namespace spokelab::gputest;

#define NEEDS_TWO_GPUS()                                         \
  NEEDS_GPU();                                                   \
  if (backend()->deviceCount() < 2) {                            \
    QSKIP("One GPU: jobs on several of them need a second one"); \
  }                                                              \
  static_cast<void>(0)

namespace {

constexpr double sameImage = 1e-6;
// Iterations amplify sums of another order: the same job twice on one H200 gives images 1.1e-6
// apart.
constexpr double amplified = 3e-6;

std::shared_ptr<const Scan> scanOf(int frames, int coils, bool volume = false) {
  SimulateOptions simulation;
  simulation.trajectory.pattern = volume ? spokelab::Pattern::radial3d : spokelab::Pattern::goldenRadial2d;
  simulation.trajectory.matrix = volume ? Index3{48, 48, 48} : Index3{96, 96, 1};
  if (volume)
    simulation.trajectory.acceleration = 4;
  else
    simulation.trajectory.shots = 64;
  simulation.frames = frames;
  simulation.coils = coils;
  simulation.noise = 0.01;
  return simulate(simulation, {});
}

// Nothing is left to the tuner, whose searches depend on the clock.
ReconOptions optionsOf(ReconMethod method, const std::string& devices) {
  ReconOptions options;
  options.nufft.alpha = 1.5;
  options.nufft.width = 5;
  options.iterative.method = method;
  if (method == ReconMethod::sense) options.iterative.transform = TransformKind::toeplitz;
  options.iterative.solver.iterations = 6;
  // A pixel at the edge of the maps may be in or out: sums of the GPU have no fixed order.
  options.iterative.crop = 0;
  options.devices = devices;
  return options;
}

Reconstruction run(const Scan& scan, const ReconOptions& options, const Progress& progress = {}) {
  return reconstruct({backend()}, scan, options, nullptr, progress);
}

std::int64_t freeBytes(int device) {
  cudaSetDevice(device);
  cudaDeviceSynchronize();
  cudaMemPool_t pool = nullptr;
  if (cudaDeviceGetDefaultMemPool(&pool, device) == cudaSuccess) cudaMemPoolTrimTo(pool, 0);
  std::size_t left = 0, all = 0;
  cudaMemGetInfo(&left, &all);
  cudaSetDevice(0);
  return std::int64_t(left);
}

}  // namespace

class TestGpuDevices : public QObject {
  Q_OBJECT

 private slots:
  void statesAreThoseOfTheDevices() {
    NEEDS_GPU();
    const std::vector<DeviceState> states = backend()->deviceStates();
    QCOMPARE(states.size(), std::size_t(backend()->deviceCount()));
    for (const DeviceState& state : states) {
      QVERIFY(!state.name.empty());
      QVERIFY(state.memory > (std::int64_t(1) << 30) && state.freeMemory > 0 &&
              state.freeMemory < state.memory);
      QVERIFY2(state.load <= 100, qPrintable(QString::number(state.load)));
    }
    QVERIFY_THROWS_EXCEPTION(Error, backend()->device(backend()->deviceCount()));
  }

  // Each device's stages are on a track with its name, one after the other, and within the part of
  // the job that leads it.
  void aTraceHasATrackForEachDevice() {
    NEEDS_TWO_GPUS();
    for (const auto& scan : {scanOf(4, 4), scanOf(1, 8)}) {
      TraceRecorder recorder;
      {
        const SpanScope scope(&recorder);
        const Reconstruction result = run(*scan, optionsOf(ReconMethod::sense, "0,1"));
        QVERIFY(result.image);
        // Iterations have the same records as on one device, whichever device made them.
        for (const IterationRecord& record : result.iterations) {
          QCOMPARE(record.parts.size(), record.residuals.size());
          QVERIFY(record.parts.front()[IterationPart::maps] > 0);
        }
      }
      const Trace trace = recorder.take();
      for (const int device : {0, 1}) {
        const std::string name = trackName(trace, deviceTrack + device);
        QVERIFY2(name.starts_with("GPU " + std::to_string(device) + ": "), name.c_str());
        const int leader = device == 0 ? 0 : rankTrack + 1;
        constexpr double clockSlack = 1e-6;  // events and the host have different clocks
        double last = trace.begin, stages = 0, led = 0;
        for (const TraceSpan& span : trace.spans) {
          if (span.track == leader && span.kind == SpanKind::iteration) led += span.end - span.begin;
          if (span.track != deviceTrack + device) continue;
          QVERIFY2(span.begin >= last - clockSlack && span.end <= trace.end, span.name.c_str());
          last = span.end;
          stages += span.end - span.begin;
        }
        QVERIFY(stages > 0 && led > 0 && stages <= trace.end - trace.begin);
      }
    }
  }

  // One thread for each device, and one thread that changes from device to device.
  void plansOfAllDevicesAreAccurate() {
    NEEDS_TWO_GPUS();
    const NufftProblem problem{.dims = 2, .size = {48, 40, 1}};
    NufftOptions options;
    options.accuracy = 1e-4;
    const std::vector<double> points = makePoints(2, 3000, gputest::PointPattern::random, 5);
    const auto values = converted<float>(randomValues(3000, 6));
    const auto adjointOn = [&](int device) {
      std::vector<cfloat> image(48 * 40);
      const auto plan = backend()->device(device).plan<float>(problem, options);
      plan->setPoints(points);
      plan->adjoint(values.data(), image.data());
      return image;
    };
    const std::vector<cdouble> input = randomValues(3000, 6);
    const std::vector<cdouble> exact = nudftAdjoint(problem, points, input);
    const int count = backend()->deviceCount();
    std::vector<std::vector<cfloat>> found(std::size_t(2 * count));
    std::vector<std::jthread> threads;
    for (int d = 0; d < count; ++d) threads.emplace_back([&, d] { found[std::size_t(d)] = adjointOn(d); });
    threads.clear();
    for (int d = 0; d < count; ++d) found[std::size_t(count + d)] = adjointOn(d);
    for (const auto& image : found) QVERIFY(contractError<float>(image, exact, input) < options.accuracy);
  }

  void imagesAreThoseOfOneDevice_data() {
    QTest::addColumn<int>("frames");
    QTest::addColumn<int>("coils");
    QTest::addColumn<bool>("sense");
    QTest::addColumn<bool>("volume");
    QTest::addColumn<QString>("divided");
    QTest::newRow("gridding, frames") << 7 << 4 << false << false << "frames";
    QTest::newRow("gridding, coils") << 1 << 5 << false << false << "coils";
    QTest::newRow("SENSE, frames") << 5 << 4 << true << false << "frames";
    QTest::newRow("SENSE, coils") << 1 << 7 << true << false << "coils";
    QTest::newRow("SENSE, coils of a volume") << 1 << 6 << true << true << "coils";
  }

  void imagesAreThoseOfOneDevice() {
    NEEDS_TWO_GPUS();
    QFETCH(int, frames);
    QFETCH(int, coils);
    QFETCH(bool, sense);
    QFETCH(bool, volume);
    QFETCH(QString, divided);
    const ReconMethod method = sense ? ReconMethod::sense : ReconMethod::gridding;
    const auto scan = scanOf(frames, coils, volume);
    const Reconstruction alone = run(*scan, optionsOf(method, "0")),
                         together = run(*scan, optionsOf(method, "all"));
    QVERIFY(alone.ranks.empty());
    QCOMPARE(QString::fromStdString(together.divided), divided);
    QCOMPARE(int(together.ranks.size()), std::min(backend()->deviceCount(), frames > 1 ? frames : coils));
    const double apart = nrmse(*together.image, *alone.image);
    QVERIFY2(apart <= (sense ? amplified : sameImage), qPrintable(QString::number(apart)));
  }

  // For a volume of one coil the transform's slabs are divided. In half precision, which lower
  // accuracies allow, sums of another order are rounded otherwise.
  void slabsAreThoseOfOneDevice() {
    NEEDS_TWO_GPUS();
    const auto scan = scanOf(1, 1, true);
    for (const ReconMethod method : {ReconMethod::gridding, ReconMethod::sense}) {
      ReconOptions one = optionsOf(method, "0"), all = optionsOf(method, "0,1");
      one.slabs = all.slabs = 5;
      one.nufft.accuracy = all.nufft.accuracy = 4e-5;
      one.nufft.width = all.nufft.width = 7;
      one.iterative.transform = all.iterative.transform = TransformKind::nufft;
      const Reconstruction alone = run(*scan, one), together = run(*scan, all);
      QVERIFY(alone.ranks.empty());
      QCOMPARE(together.divided, std::string("slabs"));
      QCOMPARE(together.ranks.size(), std::size_t(2));
      const double apart = nrmse(*together.image, *alone.image);
      QVERIFY2(apart <= (method == ReconMethod::sense ? amplified : sameImage),
               qPrintable(QString::number(apart)));
    }
  }

  // The same parts on the second device alone: a choice that leaves the first one out.
  void theSecondDeviceAlone() {
    NEEDS_TWO_GPUS();
    const auto scan = scanOf(1, 4);
    const Reconstruction first = run(*scan, optionsOf(ReconMethod::sense, "0")),
                         second = run(*scan, optionsOf(ReconMethod::sense, "1"));
    const double apart = nrmse(*second.image, *first.image);
    QVERIFY2(apart <= amplified, qPrintable(QString::number(apart)));
  }

  void reproducibleFramesAreTheSameBits() {
    NEEDS_TWO_GPUS();
    const auto scan = scanOf(4, 4);
    for (const ReconMethod method : {ReconMethod::gridding, ReconMethod::sense}) {
      ReconOptions one = optionsOf(method, "0"), all = optionsOf(method, "all");
      one.nufft.reproducible = all.nufft.reproducible = true;
      const Reconstruction alone = run(*scan, one), together = run(*scan, all);
      QCOMPARE(together.divided, std::string("frames"));
      QVERIFY(alone.image->data == together.image->data);
    }
  }

  void cancelledJobsGiveTheMemoryOfAllBack() {
    NEEDS_TWO_GPUS();
    constexpr std::int64_t slack = 64 << 20;  // what libraries keep for the next plan
    const auto scan = scanOf(1, 8, true);
    ReconOptions options = optionsOf(ReconMethod::sense, "all");
    run(*scan, options);
    std::vector<std::int64_t> before;
    for (int d = 0; d < backend()->deviceCount(); ++d) before.push_back(freeBytes(d));
    options.iterative.solver.iterations = 1000000;
    options.iterative.solver.tolerance = 0;
    std::stop_source stop;
    options.iterative.watcher = [&](const IterationState& state) {
      if (state.iteration == 3) stop.request_stop();
      return IterationCommand{};
    };
    const Reconstruction result = run(*scan, options, Progress(stop.get_token()));
    QVERIFY(result.cancelled && !result.image);
    for (int d = 0; d < backend()->deviceCount(); ++d)
      QVERIFY2(
          freeBytes(d) > before[std::size_t(d)] - slack,
          qPrintable(
              QString("GPU %1: %2 bytes are missing").arg(d).arg(before[std::size_t(d)] - freeBytes(d))));
    QVERIFY(run(*scan, optionsOf(ReconMethod::sense, "all")).image);
  }
};

SPOKELAB_TEST(TestGpuDevices)

}  // namespace test_gpu_devices

#include "test_gpu_devices.moc"
