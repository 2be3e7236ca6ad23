// A reconstruction on the GPU equals the CPU's with the same plan: one coil with its phase, several
// combined, coils kept apart, 2-D slices and 3-D, float and double; a cancel gives a result without
// an image.
#include <QtTest>
#include <cmath>

#include "engine/recon/run/reconstruction.h"
#include "engine/recon/run/run_job.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/cuda/gpu_test.h"
#include "tests/engine/recon/moving_frames.h"
#include "tests/test_main.h"

namespace test_gpu_reconstruction {

using namespace spokelab;
using namespace spokelab::gputest;

namespace {

using SamplingPattern = spokelab::Pattern;

std::shared_ptr<const Scan> scanOf(bool volume, int coils, int frames) {
  SimulateOptions options;
  options.trajectory.pattern = volume ? SamplingPattern::stackOfStars : SamplingPattern::goldenRadial2d;
  options.trajectory.matrix = {32, 32, volume ? 12 : 1};
  options.coils = coils;
  options.frames = frames;
  return simulate(options, {});
}

ReconOptions fixedPlan(bool dbl) {
  ReconOptions options;
  options.nufft.accuracy = dbl ? 1e-6 : 1e-4;
  options.nufft.alpha = 2;
  options.nufft.width = dbl ? 8 : 6;
  options.precision = dbl ? Precision::double64 : Precision::single;
  return options;
}

}  // namespace

class TestGpuReconstruction : public QObject {
  Q_OBJECT
 private slots:
  void equalsTheCpu_data() {
    QTest::addColumn<bool>("volume");
    QTest::addColumn<int>("coils");
    QTest::addColumn<int>("combination");
    QTest::addColumn<bool>("dbl");
    for (const bool volume : {false, true})
      for (const int coils : {1, 5})
        for (const Combination c : {Combination::rootSumSquares, Combination::none, Combination::adaptive})
          for (const bool dbl : {false, true})
            QTest::addRow("%s, %d coils, combination %d, %s", volume ? "3-D" : "2-D", coils, int(c),
                          dbl ? "double" : "float")
                << volume << coils << int(c) << dbl;
  }
  void equalsTheCpu() {
    NEEDS_GPU();
    QFETCH(bool, volume);
    QFETCH(int, coils);
    QFETCH(int, combination);
    QFETCH(bool, dbl);
    const auto scan = scanOf(volume, coils, 2);
    ReconOptions options = fixedPlan(dbl);
    options.combination = Combination(combination);
    const auto cpu = makeCpuBackend();
    const auto expected = runJob(*cpu, *scan, options, nullptr, nullptr, {});
    const auto found = runJob(*backend(), *scan, options, nullptr, nullptr, {});
    QVERIFY(expected.image && found.image);
    QCOMPARE(found.image->data.size(), expected.image->data.size());
    QCOMPARE(found.plan.backend, std::string("cuda"));
    double difference = 0, scale = 0;
    for (std::size_t i = 0; i < expected.image->data.size(); ++i) {
      difference += std::norm(found.image->data[i] - expected.image->data[i]);
      scale += std::norm(expected.image->data[i]);
    }
    constexpr double twoPlans = 2;
    QVERIFY(std::sqrt(difference / scale) <= twoPlans * std::max(options.nufft.accuracy, 1e-6));
    for (const Stage s : {Stage::spread, Stage::fft, Stage::transfer}) QVERIFY(found.timings[s] > 0);
  }

  // Power iterations on the device and on the host end within their tolerance of each other, with
  // any number of threads a pixel.
  void adaptiveCombinationsOfManyCoilsEqualTheCpus_data() {
    QTest::addColumn<int>("coils");
    QTest::addColumn<int>("block");
    for (const int coils : {2, 4, 7, 13, 32, 33})  // more than 32 are the host's
      for (const int block : {1, 9}) QTest::addRow("%d coils, block %d", coils, block) << coils << block;
  }
  void adaptiveCombinationsOfManyCoilsEqualTheCpus() {
    NEEDS_GPU();
    QFETCH(int, coils);
    QFETCH(int, block);
    const auto scan = scanOf(false, coils, 1);
    ReconOptions options = fixedPlan(false);
    options.combination = Combination::adaptive;
    options.walshBlock = block;
    const auto expected = runJob(*makeCpuBackend(), *scan, options, nullptr, nullptr, {});
    const auto found = runJob(*backend(), *scan, options, nullptr, nullptr, {});
    double difference = 0, scale = 0;
    for (std::size_t i = 0; i < expected.image->data.size(); ++i) {
      difference += std::norm(found.image->data[i] - expected.image->data[i]);
      scale += std::norm(expected.image->data[i]);
    }
    QVERIFY2(std::sqrt(difference / scale) <= 5e-4,
             qPrintable(QString::number(std::sqrt(difference / scale))));
  }

  // Enough samples for the device to whiten and compress the coils, which gridding takes from
  // there.
  void coilsMixedOnTheDeviceEqualTheCpus() {
    NEEDS_GPU();
    SimulateOptions simulated;
    simulated.trajectory.pattern = SamplingPattern::goldenRadial2d;
    simulated.trajectory.matrix = {128, 128, 1};
    simulated.trajectory.shots = 300;
    simulated.coils = 16;
    simulated.noise = 0.05;
    simulated.noiseCorrelation = 0.5;
    const auto scan = simulate(simulated, {});
    ReconOptions options = fixedPlan(false);
    options.prewhitening = Prewhitening::on;
    options.virtualCoils = 6;
    // Loads cuBLAS, without which so little is mixed by the host.
    ReconOptions first = options;
    first.iterative.method = ReconMethod::sense;
    first.iterative.solver.iterations = 1;
    QVERIFY(runJob(*backend(), *scan, first, nullptr, nullptr, {}).image);
    for (const Combination c : {Combination::rootSumSquares, Combination::adaptive}) {
      options.combination = c;
      const auto expected = runJob(*makeCpuBackend(), *scan, options, nullptr, nullptr, {});
      const auto found = runJob(*backend(), *scan, options, nullptr, nullptr, {});
      double difference = 0, scale = 0;
      for (std::size_t i = 0; i < expected.image->data.size(); ++i) {
        // The virtual coils, which rounding may turn, give the phase of an adaptive combination.
        difference += std::pow(std::abs(found.image->data[i]) - std::abs(expected.image->data[i]), 2);
        scale += std::norm(expected.image->data[i]);
      }
      QVERIFY2(std::sqrt(difference / scale) <= 5e-4,
               qPrintable(QString::number(std::sqrt(difference / scale))));
      // Samples did not travel to the device again: the image came down, and covariances of coils.
      const double samples = 6.0 * double(scan->trajectory(0).samples()) * sizeof(cfloat);
      QVERIFY(found.timings.bytes[std::size_t(Stage::transfer)] < samples);
    }
  }

  // So many that they are sent to the device while the host works, a frame ahead.
  void samplesThatAreSentAheadGiveTheSameImages() {
    NEEDS_GPU();
    SimulateOptions simulated;
    simulated.trajectory.pattern = SamplingPattern::goldenRadial2d;
    simulated.trajectory.matrix = {128, 128, 1};
    simulated.trajectory.shots = 700;
    simulated.trajectory.samplesPerShot = 256;
    simulated.coils = 8;
    simulated.frames = 3;
    const auto scan = simulate(simulated, {});
    QVERIFY(8 * scan->trajectory(0).samples() > std::int64_t(1) << 20);
    ReconOptions options = fixedPlan(false);
    options.prewhitening = Prewhitening::off;
    for (const ReconMethod method : {ReconMethod::gridding, ReconMethod::sense}) {
      options.iterative.method = method;
      options.iterative.transform = TransformKind::nufft;
      options.iterative.solver.iterations = 4;
      const auto expected = runJob(*makeCpuBackend(), *scan, options, nullptr, nullptr, {});
      const auto found = runJob(*backend(), *scan, options, nullptr, nullptr, {});
      QCOMPARE(found.image->frames, 3);
      double difference = 0, scale = 0;
      for (std::size_t i = 0; i < expected.image->data.size(); ++i) {
        difference += std::norm(found.image->data[i] - expected.image->data[i]);
        scale += std::norm(expected.image->data[i]);
      }
      QVERIFY2(std::sqrt(difference / scale) <= 1e-3,
               qPrintable(QString::number(std::sqrt(difference / scale))));
    }
  }

  // Frames with different points are gridded together: in several passes, by float and double,
  // with and without the combination on the device.
  void framesTogetherEqualSingleFrames_data() {
    QTest::addColumn<int>("frames");
    QTest::addColumn<int>("coils");
    QTest::addColumn<bool>("dbl");
    QTest::addColumn<int>("combination");
    for (const int frames : {2, 150})
      for (const int coils : {1, 5})
        for (const bool dbl : {false, true})
          for (const Combination c : {Combination::rootSumSquares, Combination::adaptive})
            QTest::addRow("%d frames, %d coils, %s, %d", frames, coils, dbl ? "double" : "float", int(c))
                << frames << coils << dbl << int(c);
  }
  void framesTogetherEqualSingleFrames() {
    NEEDS_GPU();
    QFETCH(int, frames);
    QFETCH(int, coils);
    QFETCH(bool, dbl);
    QFETCH(int, combination);
    const auto scan = test::movingFrames(frames, coils, frames == 2 ? 3 : 1);
    ReconOptions options = fixedPlan(dbl);
    options.combination = Combination(combination);
    const auto all = runJob(*backend(), *scan, options, nullptr, nullptr, {});
    QVERIFY(test::framesWereTogether(all));
    QCOMPARE(all.image->frames, frames);
    QVERIFY2(all.plan.description.find("sets of points together") != std::string::npos,
             all.plan.description.c_str());
    // The plan of one frame may take other methods.
    const double difference = test::differenceFromSingleJobs(*backend(), *scan, options, *all.image);
    QVERIFY2(difference <= 2 * options.nufft.accuracy, qPrintable(QString::number(difference)));
  }

  void cancelIsAResult() {
    NEEDS_GPU();
    std::stop_source stop;
    stop.request_stop();
    const auto result = runJob(*backend(), *scanOf(false, 2, 1), fixedPlan(false), nullptr, nullptr,
                               Progress(stop.get_token()));
    QVERIFY(result.cancelled);
    QVERIFY(!result.image);
  }
};

SPOKELAB_CORE_TEST(TestGpuReconstruction)

}  // namespace test_gpu_reconstruction

#include "test_gpu_reconstruction.moc"
