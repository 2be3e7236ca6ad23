// A reconstruction on the GPU equals the CPU's with the same plan: one coil with its phase, several
// combined, coils kept apart, 2-D slices and 3-D, float and double; a cancel gives a result without
// an image.
#include <QtTest>
#include <cmath>

#include "engine/recon/backend_cpu.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/cuda/gpu_test.h"
#include "tests/engine/recon/moving_frames.h"
#include "tests/test_main.h"

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
  options.precision = dbl ? Precision::dbl : Precision::single;
  return options;
}

}  // namespace

class TestGpuReconstruction : public QObject {
  Q_OBJECT
 private slots:
  void equalsTheCpu_data() {
    QTest::addColumn<bool>("volume");
    QTest::addColumn<int>("coils");
    QTest::addColumn<bool>("apart");
    QTest::addColumn<bool>("dbl");
    for (const bool volume : {false, true})
      for (const int coils : {1, 5})
        for (const bool apart : {false, true})
          for (const bool dbl : {false, true})
            QTest::addRow("%s, %d coils%s, %s", volume ? "3-D" : "2-D", coils, apart ? " apart" : "",
                          dbl ? "double" : "float")
                << volume << coils << apart << dbl;
  }
  void equalsTheCpu() {
    NEEDS_GPU();
    QFETCH(bool, volume);
    QFETCH(int, coils);
    QFETCH(bool, apart);
    QFETCH(bool, dbl);
    const auto scan = scanOf(volume, coils, 2);
    ReconOptions options = fixedPlan(dbl);
    if (apart) options.combination = Combination::none;
    const auto cpu = makeCpuBackend();
    const auto expected = cpu->reconstruct(*scan, options, nullptr, nullptr, {});
    const auto found = backend()->reconstruct(*scan, options, nullptr, nullptr, {});
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

  // Frames with points of their own are gridded together: in several passes, by float and double, with
  // and without the combination on the device.
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
    const auto all = backend()->reconstruct(*scan, options, nullptr, nullptr, {});
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
    const auto result = backend()->reconstruct(*scanOf(false, 2, 1), fixedPlan(false), nullptr, nullptr,
                                               Progress(stop.get_token()));
    QVERIFY(result.cancelled);
    QVERIFY(!result.image);
  }
};

SPOKELAB_CORE_TEST(TestGpuReconstruction)
#include "test_gpu_reconstruction.moc"
