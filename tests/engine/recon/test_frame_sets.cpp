// Frames with points of their own are gridded several at a time, each as by a job of its own.
#include <QtTest>
#include <cmath>

#include "engine/recon/run/reconstruction.h"
#include "engine/recon/run/run_job.h"
#include "engine/recon/run/scan_problem.h"
#include "engine/recon/sense/backend_cpu.h"
#include "tests/engine/recon/moving_frames.h"
#include "tests/test_main.h"

namespace test_frame_sets {

using namespace spokelab;
using namespace spokelab::test;

class FrameSetsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { cpu_ = makeCpuBackend(); }

  // Four threads take eight frames at a time: eleven make two blocks, the last with an empty set.
  void everyFrameIsThatOfItsOwnJob_data() {
    QTest::addColumn<int>("frames");
    QTest::addColumn<int>("coils");
    QTest::addColumn<int>("combination");
    for (const int frames : {2, 5, 11})
      for (const int coils : {1, 3})
        for (const Combination c : {Combination::rootSumSquares, Combination::adaptive})
          QTest::addRow("%d frames, %d coils, %d", frames, coils, int(c)) << frames << coils << int(c);
  }
  void everyFrameIsThatOfItsOwnJob() {
    QFETCH(int, frames);
    QFETCH(int, coils);
    QFETCH(int, combination);
    const auto scan = movingFrames(frames, coils, frames == 5 ? 2 : 1);
    ReconOptions options = frameOptions(4);
    options.combination = Combination(combination);
    const Reconstruction all = runJob(*cpu_, *scan, options, nullptr, nullptr, {});
    QVERIFY(framesWereTogether(all));
    QCOMPARE(all.image->frames, frames);
    QCOMPARE(all.frameSeconds.size(), std::size_t(frames - 1));
    QVERIFY(all.plan.description.find("sets of points") != std::string::npos);
    const double difference = differenceFromSingleJobs(*cpu_, *scan, options, *all.image);
    QVERIFY2(difference < 1e-6, qPrintable(QString::number(difference)));
    for (const Stage s : {Stage::sort, Stage::spread, Stage::fft}) QVERIFY(all.timings[s] > 0);
    QVERIFY(all.timings.accounted() <= all.timings.total * 1.001);
    QVERIFY(all.timings.total <= all.seconds);
  }

  void chosenFramesAndDouble() {
    const auto scan = movingFrames(6, 2);
    ReconOptions options = frameOptions(4);
    options.frames = "4,1,5";
    options.precision = Precision::double64;
    const Reconstruction all = runJob(*cpu_, *scan, options, nullptr, nullptr, {});
    QVERIFY(framesWereTogether(all));
    QCOMPARE(all.image->frames, 3);
    options.frames = "5";
    const Reconstruction last = runJob(*cpu_, *scan, options, nullptr, nullptr, {});
    const int place = int(std::find(all.options.frames.begin(), all.options.frames.end(), '5') -
                          all.options.frames.begin()) /
                      2;
    for (std::int64_t i = 0; i < last.image->volume(); ++i)
      QVERIFY(std::abs(all.image->frame(place)[i] - last.image->frame(0)[i]) <= 1e-6F);
  }

  void oneByOneWhereItHasToBe() {
    const auto scan = movingFrames(4, 3);
    const auto together = [&](const ReconOptions& options) {
      const Reconstruction r = runJob(*cpu_, *scan, options, nullptr, nullptr, {});
      return framesWereTogether(r) && r.image;
    };
    QVERIFY(together(frameOptions(4)));
    QVERIFY(!together(frameOptions(1)));
    QVERIFY(!together(frameOptions(2)));
    ReconOptions options = frameOptions(4);
    options.nufft.reproducible = true;
    QVERIFY(!together(options));
    options = frameOptions(4);
    options.coilsAtOnce = 1;
    QVERIFY(!together(options));
    options = frameOptions(4);
    options.combination = Combination::none;
    QVERIFY(!together(options));
    options = frameOptions(4);
    options.nufft.memoryLimit = 600'000;  // of one plan with three images
    const Reconstruction limited = runJob(*cpu_, *scan, options, nullptr, nullptr, {});
    QCOMPARE(limited.image->frames, 4);
    QVERIFY(limited.plan.memory <= options.nufft.memoryLimit);
  }

  // What the tuner times is what is run: plans for several sets, by their share of a call.
  void theTunerTimesFramesTogether() {
    const auto scan = movingFrames(9, 3);
    ReconOptions options;
    options.nufft.threads = 4;
    QCOMPARE(scanProblem(*scan, options).workload.together, 9.0);
    const Reconstruction all = runJob(*cpu_, *scan, options, nullptr, nullptr, {});
    QVERIFY(all.tuning && framesWereTogether(all));
    QVERIFY(workloadText(all.tuning->workload).find("up to 9 set together") != std::string::npos);
    const Candidate& best = all.tuning->candidates[std::size_t(all.tuning->best)];
    QVERIFY(best.timed() && best.timings.accounted() <= best.timings.total * 1.001);
    QCOMPARE(all.plan.options.alpha, best.options.alpha);
    QCOMPARE(best.options.memoryLimit, options.nufft.memoryLimit);
    options.nufft.reproducible = true;
    QCOMPARE(scanProblem(*scan, options).workload.together, 1.0);
    QCOMPARE(scanProblem(*movingFrames(1, 3), ReconOptions{}).workload.together, 1.0);
  }

  void aCancelKeepsFinishedBlocks() {
    const auto scan = movingFrames(20, 2);
    std::stop_source stop;
    const Progress stopped(stop.get_token(), [&](double fraction, const std::string&) {
      if (fraction > 0.6) stop.request_stop();
    });
    const Reconstruction r = runJob(*cpu_, *scan, frameOptions(4), nullptr, nullptr, stopped);
    QVERIFY(r.cancelled && r.image);
    QVERIFY(r.image->frames >= 4 && r.image->frames < 20);
    ReconOptions first = frameOptions(4);
    QVERIFY(differenceFromSingleJobs(*cpu_, *scan, first, *r.image) < 1e-6);
  }

 private:
  std::unique_ptr<Backend> cpu_;
};

SPOKELAB_TEST(FrameSetsTest)

}  // namespace test_frame_sets

#include "test_frame_sets.moc"
