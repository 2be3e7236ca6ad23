// Whole jobs on the device: one that is cancelled, wherever it is, gives its memory back and leaves
// a backend that works; one that does not fit says so, and the next one runs; its trace has the
// device's stages on a separate track.
#include <cuda_runtime.h>
#include <QtTest>

#include <stop_token>

#include "engine/core/error.h"
#include "engine/core/measure/trace.h"
#include "engine/recon/job/job_plan.h"
#include "engine/recon/options/options.h"
#include "engine/recon/prepare/coil_preparation.h"
#include "engine/recon/prepare/samples_ahead.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/run/run_job.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/check/compare_images.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/cuda/gpu_test.h"
#include "tests/test_main.h"

namespace test_gpu_jobs {

using namespace spokelab;
using namespace spokelab::gputest;

namespace {

// Gives back the memory that is kept for the next job first.
std::int64_t freeBytes() {
  cudaDeviceSynchronize();
  cudaMemPool_t pool = nullptr;
  if (cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess) cudaMemPoolTrimTo(pool, 0);
  std::size_t left = 0, all = 0;
  cudaMemGetInfo(&left, &all);
  return std::int64_t(left);
}

std::shared_ptr<const Scan> scanOf(bool volume, int n) {
  SimulateOptions simulation;
  simulation.trajectory.pattern = volume ? spokelab::Pattern::radial3d : spokelab::Pattern::radial2d;
  simulation.trajectory.matrix = {n, n, volume ? n : 1};
  simulation.trajectory.acceleration = 4;
  simulation.coils = 6;
  return simulate(simulation, {});
}

// Nothing is left to the tuner, whose searches depend on the clock.
ReconOptions optionsOf(ReconMethod method) {
  ReconOptions options;
  options.effort = TuneEffort::estimate;
  options.nufft.alpha = 1.5;
  options.nufft.width = 5;
  options.iterative.method = method;
  options.iterative.transform =
      method == ReconMethod::sense ? TransformKind::toeplitz : TransformKind::automatic;
  options.iterative.solver.iterations = 4;
  return options;
}

}  // namespace

class TestGpuJobs : public QObject {
  Q_OBJECT

 private slots:
  void cancelledJobsGiveMemoryBack_data() {
    QTest::addColumn<bool>("volume");
    QTest::addColumn<bool>("sense");
    QTest::newRow("gridding, 2-D") << false << false;
    QTest::newRow("gridding, 3-D") << true << false;
    QTest::newRow("SENSE, 2-D") << false << true;
    QTest::newRow("SENSE, 3-D") << true << true;
  }

  void cancelledJobsGiveMemoryBack() {
    NEEDS_GPU();
    QFETCH(bool, volume);
    QFETCH(bool, sense);
    constexpr std::int64_t slack = 32 << 20;  // what libraries keep for the next plan
    const auto scan = scanOf(volume, volume ? 48 : 128);
    const ReconOptions options = optionsOf(sense ? ReconMethod::sense : ReconMethod::gridding);
    const Reconstruction whole = runJob(*backend(), *scan, options, nullptr, nullptr, {});
    QVERIFY(whole.image);
    const std::int64_t before = freeBytes();
    int cancelled = 0;
    for (int stopAt = 1;; ++stopAt) {
      std::stop_source stop;
      int reports = 0;
      const Progress progress(stop.get_token(), [&](double, const std::string&) {
        if (++reports == stopAt) stop.request_stop();
      });
      const Reconstruction part = runJob(*backend(), *scan, options, nullptr, nullptr, progress);
      QVERIFY2(freeBytes() > before - slack,
               qPrintable(QString("report %1: %2 bytes are missing").arg(stopAt).arg(before - freeBytes())));
      if (reports < stopAt) {
        QVERIFY(part.image && !part.cancelled);
        break;
      }
      cancelled += part.cancelled;
    }
    QVERIFY2(cancelled >= (sense ? 6 : 2), qPrintable(QString::number(cancelled)));
    const Reconstruction again = runJob(*backend(), *scan, options, nullptr, nullptr, {});
    QCOMPARE(again.image->data.size(), whole.image->data.size());
  }

  void aFullDeviceIsAClearErrorAndNoMore_data() {
    QTest::addColumn<bool>("sense");
    QTest::newRow("gridding") << false;
    QTest::newRow("SENSE") << true;
  }

  void aFullDeviceIsAClearErrorAndNoMore() {
    NEEDS_GPU();
    QFETCH(bool, sense);
    const auto scan = scanOf(true, 160);
    const ReconOptions options = optionsOf(sense ? ReconMethod::sense : ReconMethod::gridding);
    constexpr std::int64_t left = 100 << 20;
    void* filled = nullptr;
    const std::int64_t before = freeBytes();
    if (cudaMalloc(&filled, std::size_t(before - left)) != cudaSuccess) {
      cudaGetLastError();
      QSKIP("The device's memory is in use elsewhere");
    }
    QString said;
    try {
      runJob(*backend(), *scan, options, nullptr, nullptr, {});
    } catch (const Error& error) {
      said = QString::fromStdString(error.what());
    }
    cudaFree(filled);
    QVERIFY2(said.contains("GPU") && (said.contains("memory") || said.contains("free")), qPrintable(said));
    constexpr std::int64_t slack = 64 << 20;
    QVERIFY2(freeBytes() > before - slack, qPrintable(QString::number(before - freeBytes())));
    QVERIFY(runJob(*backend(), *scan, options, nullptr, nullptr, {}).image);
  }

  // The transforms of the iterations are the device's own, the plan's convolution is the plan's,
  // and all is accounted for.
  void theAccountTellsTransformsFromIterations() {
    NEEDS_GPU();
    const auto scan = scanOf(true, 96);
    ReconOptions options = optionsOf(ReconMethod::sense);
    options.iterative.solver.iterations = 10;
    runJob(*backend(), *scan, options, nullptr, nullptr, {});
    double unaccounted = 1, iterations = 1;
    for (int attempt = 0; attempt < 4; ++attempt) {
      const Reconstruction job = runJob(*backend(), *scan, options, nullptr, nullptr, {});
      QVERIFY(job.account.accounted() <= job.account.total * (1 + 1e-9));
      unaccounted = std::min(unaccounted, job.account.unaccounted() / job.account.total);
      iterations =
          std::min(iterations, job.account[JobStage::iterations] / job.account[JobStage::transforms]);
    }
    QVERIFY2(unaccounted < 0.05, qPrintable(QString::number(unaccounted)));
    const JobAccount account = runJob(*backend(), *scan, options, nullptr, nullptr, {}).account;
    const auto text = QStringLiteral("%1, transforms %2 s, iterations %3 s")
                          .arg(iterations)
                          .arg(account[JobStage::transforms])
                          .arg(account[JobStage::iterations]);
    QVERIFY2(iterations < 1, qPrintable(text));
  }

  // Whitened and compressed on the device, which keeps the samples: the CPU's image.
  void coilsAreMixedOnTheDevice() {
    NEEDS_GPU();
    SimulateOptions simulation;
    simulation.trajectory.matrix = {160, 160, 1};
    simulation.trajectory.samplesPerShot = 320;
    simulation.coils = 12;
    simulation.noise = 0.05;
    simulation.noiseCorrelation = 0.5;
    const auto scan = simulate(simulation, {});
    const auto mixer = backend()->coilMixer();
    QVERIFY(mixer && mixer->takes(scan->coils, scan->trajectory(0).samples()));
    QVERIFY(!mixer->takes(2, 100));
    ReconOptions options = optionsOf(ReconMethod::sense);
    options.prewhitening = Prewhitening::on;
    options.virtualCoils = 7;
    const ScanPreparation there = prepareScan(*scan, planJob(*scan, options), {}, mixer),
                          here = prepareScan(*scan, planJob(*scan, options), {});
    QVERIFY(there.mixer && there.scan->coils == 7);
    QVERIFY(mixer->copyOf(there.scan->data(0, 0, 6)) && !mixer->copyOf(here.scan->data(0, 0, 6)));
    // Both keep the same space of coils: M^H M.
    double difference = 0, whole = 0;
    for (std::size_t a = 0; a < 12; ++a)
      for (std::size_t b = 0; b < 12; ++b) {
        cdouble x = 0, y = 0;
        for (std::size_t r = 0; r < 7; ++r) {
          x += std::conj(there.mixing[r * 12 + a]) * there.mixing[r * 12 + b];
          y += std::conj(here.mixing[r * 12 + a]) * here.mixing[r * 12 + b];
        }
        difference += std::norm(x - y);
        whole += std::norm(y);
      }
    QVERIFY2(difference < 1e-3 * whole, qPrintable(QString::number(difference / whole)));
    const Reconstruction device = runJob(*backend(), *scan, options, nullptr, nullptr, {});
    const Reconstruction host = runJob(*makeCpuBackend(), *scan, options, nullptr, nullptr, {});
    difference = whole = 0;
    for (std::size_t i = 0; i < host.image->data.size(); ++i) {
      difference += std::norm(cdouble(device.image->data[i]) - cdouble(host.image->data[i]));
      whole += std::norm(host.image->data[i]);
    }
    QVERIFY2(std::sqrt(difference / whole) < 5e-3,
             qPrintable(QString::number(std::sqrt(difference / whole))));
  }

  // Samples that arrived while a file was read are there when a job asks for them, once; changed
  // samples are not.
  void samplesComeWhileTheyAreRead() {
    NEEDS_GPU();
    QVERIFY(backend()->sampleReceiver());
    const auto scan = scanOf(true, 96);
    const std::int64_t samples = scan->trajectory(0).samples();
    QVERIFY(samples * scan->coils > std::int64_t(1) << 20);
    std::vector<const cfloat*> coils;
    for (int c = 0; c < scan->coils; ++c) coils.push_back(scan->data(0, 0, c));
    const auto copyOf = [&](CoilMixer& mixer, int coil) {
      std::vector<cfloat> values(static_cast<std::size_t>(samples));
      const cfloat* const there = mixer.copyOf(coils[std::size_t(coil)]);
      if (there) cudaMemcpy(values.data(), there, values.size() * sizeof(cfloat), cudaMemcpyDeviceToHost);
      return there ? values : std::vector<cfloat>();
    };
    for (const bool changes : {false, true}) {
      SamplesAhead ahead([&] { return backend()->sampleReceiver(); });
      ahead.begin(scan);
      for (std::int64_t first = 0; first < samples; first += 1000)
        for (int c = 0; c < scan->coils; ++c)
          ahead.arrived(0, 0, first, std::min<std::int64_t>(1000, samples - first), 1);
      if (changes) ahead.changed();
      ahead.finish();
      for (int job = 0; job < 2; ++job) {  // the second one sends them itself
        const auto mixer = backend()->coilMixer();
        QVERIFY(mixer->send(coils, samples));
        for (const int c : {0, scan->coils - 1})
          QVERIFY(
              std::equal(coils[std::size_t(c)], coils[std::size_t(c)] + samples, copyOf(*mixer, c).begin()));
      }
    }
    ReconOptions options = optionsOf(ReconMethod::sense);
    const auto alone = runJob(*backend(), *scan, options, nullptr, nullptr, {});
    SamplesAhead ahead([&] { return backend()->sampleReceiver(); });
    ahead.begin(scan);
    ahead.arrived(0, 0, 0, samples, scan->coils);
    ahead.finish();
    const auto followed = runJob(*backend(), *scan, options, nullptr, nullptr, {});
    constexpr double rounding = 1e-5;  // of sums by atomic additions, after twenty iterations
    QVERIFY(nrmse(*followed.image, *alone.image) < rounding);
  }

  void aTraceHasTheDevicesStages() {
    NEEDS_GPU();
    const auto scan = scanOf(false, 128);
    TraceRecorder recorder;
    {
      const SpanScope scope(&recorder);
      QVERIFY(runJob(*backend(), *scan, optionsOf(ReconMethod::sense), nullptr, nullptr, {}).image);
    }
    const Trace trace = recorder.take();
    double last = trace.begin;
    int iterations = 0;
    std::vector<const TraceSpan*> device;
    for (const TraceSpan& span : trace.spans) {
      QCOMPARE(span.kind == SpanKind::device, isDeviceTrack(span.track));
      if (span.kind != SpanKind::device) continue;
      constexpr double clockSlack = 1e-6;  // events and the host have different clocks
      QVERIFY2(span.begin >= last - clockSlack && span.end <= trace.end, span.name.c_str());
      last = span.end;
      device.push_back(&span);
    }
    for (const TraceSpan& span : trace.spans) {
      if (span.kind != SpanKind::iteration) continue;
      ++iterations;
      double inside = 0;
      for (const TraceSpan* stage : device)
        if (stage->begin >= span.begin && stage->end <= span.end) inside += stage->end - stage->begin;
      QVERIFY2(inside > 0 && inside <= span.end - span.begin, span.name.c_str());
    }
    QCOMPARE(iterations, 4);
  }
};

SPOKELAB_TEST(TestGpuJobs)

}  // namespace test_gpu_jobs

#include "test_gpu_jobs.moc"
