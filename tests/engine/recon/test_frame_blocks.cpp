// A scan that is read frame by frame gives the images of one that is read at once, holds no more than
// two blocks, and reads the next one while it works on the last.
#include <QtTest>

#include <atomic>
#include <future>

#include "engine/core/error.h"
#include "engine/core/number_list.h"
#include "engine/recon/job/job_memory.h"
#include "engine/recon/reconstruct.h"
#include "engine/recon/run/frame_blocks.h"
#include "engine/recon/run/run_job.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/engine/recon/reconstruct.h"
#include "tests/test_main.h"

namespace test_frame_blocks {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr int frameCount = 7;

std::shared_ptr<const Scan> cine() {
  SimulateOptions o;
  o.trajectory.matrix = {32, 32, 1};
  o.coils = 3;
  o.frames = frameCount;
  o.noise = 0.1;
  return simulate(o, {});
}

// Some frames of a scan, as a reader gives them.
std::shared_ptr<const Scan> part(const Scan& scan, const std::string& frames) {
  auto some = describedAs(scan);
  some->trajectories = scan.trajectories;
  some->noise = scan.noise;
  some->samples.clear();
  some->doubleSamples.clear();
  for (const int f : numberList(frames, scan.frames, "test"))
    some->samples.push_back(scan.samples[std::size_t(f)]);
  some->frames = int(some->samples.size());
  return some;
}

std::vector<int> allFrames() {
  return numberList("all", frameCount, "test");
}

}  // namespace

class TestFrameBlocks : public QObject {
  Q_OBJECT
  std::shared_ptr<const Scan> scan_ = cine();

  Reconstruction inBlocks(const std::vector<std::vector<int>>& blocks, const ReconOptions& options,
                          const Progress& progress = {}) const {
    std::shared_ptr<const Scan> first;
    return reconstructBlocks(
        blocks, [&](const std::string& frames, const Progress&) { return part(*scan_, frames); },
        [&](const Scan& scan, const Progress& p) {
          return runJob(*makeCpuBackend(), scan, options, nullptr, nullptr, p);
        },
        first, progress);
  }

 private slots:
  void blocksHoldWhatFits() {
    const std::vector<int> frames = allFrames();
    QCOMPARE(frameBlocks(frames, 10, 1, 1000).size(), std::size_t(1));  // everything
    const auto some = frameBlocks(frames, 10, 1, 100);                  // 100 / 2 - 7, in two blocks
    QCOMPARE(some.front(), (std::vector<int>{0, 1}));
    QCOMPARE(some.size(), std::size_t(4));
    QCOMPARE(some.back(), (std::vector<int>{6}));
    QCOMPARE(frameBlocks(frames, 1000, 1, 100).size(), std::size_t(frameCount));  // one at least
    QCOMPARE(frameBlocks({4}, 1000, 1, 100), (std::vector<std::vector<int>>{{4}}));
  }

  void imagesAreThoseOfTheWholeScan() {
    ReconOptions options;
    options.nufft.alpha = 2;
    options.nufft.width = 5;
    const Reconstruction whole = run(*scan_, options), parts = inBlocks({{0, 1, 2}, {3, 4, 5}, {6}}, options);
    QCOMPARE(parts.image->frames, frameCount);
    QVERIFY(parts.image->data == whole.image->data);
    QVERIFY(parts.notes.back().find("3 frames at a time") != std::string::npos);
    QVERIFY(parts.account.accounted() <= parts.account.total);
  }

  void iterationsKeepTheirFramesNumbers() {
    ReconOptions options = senseOptions();
    options.iterative.solver.iterations = 2;
    const Reconstruction parts = inBlocks({{0, 1}, {2, 3}}, options);
    QCOMPARE(parts.iterations.size(), std::size_t(4));
    for (int f = 0; f < 4; ++f) QCOMPARE(parts.iterations[std::size_t(f)].frame, f);
  }

  // The second block's reader begins before the first block is done, and no third one does.
  void theNextBlockIsReadMeanwhile() {
    std::atomic<int> begun{0}, alive{0}, most{0};
    std::promise<void> secondBegun;
    std::shared_ptr<const Scan> first;
    const auto result = reconstructBlocks(
        {{0}, {1}, {2}},
        [&](const std::string& frames, const Progress&) {
          if (++begun == 2) secondBegun.set_value();
          most = std::max(most.load(), ++alive);
          const std::shared_ptr<const Scan> some = part(*scan_, frames);
          return std::shared_ptr<const Scan>(some.get(), [some, &alive](const Scan*) { --alive; });
        },
        [&](const Scan& scan, const Progress&) {
          if (scan.samples.front() == scan_->samples[0]) secondBegun.get_future().wait();
          Reconstruction done;
          done.image = makeImage(scan, 1, {0});
          return done;
        },
        first, {});
    QCOMPARE(result.image->frames, 3);
    QVERIFY2(most <= 3, QByteArray::number(most.load()));  // the first one is kept, for its description
  }

  void anErrorOfTheReaderIsTheJobs() {
    std::shared_ptr<const Scan> first;
    QVERIFY_EXCEPTION_THROWN(reconstructBlocks(
                                 {{0}, {1}, {2}},
                                 [&](const std::string& frames, const Progress&) {
                                   if (frames == "1") throw Error("Cannot read x", "it ends", "Copy it");
                                   return part(*scan_, frames);
                                 },
                                 [&](const Scan& scan, const Progress&) {
                                   Reconstruction done;
                                   done.image = makeImage(scan, 1, {0});
                                   return done;
                                 },
                                 first, {}),
                             Error);
  }

  void aCancelKeepsCompleteFrames() {
    int block = 0;
    std::shared_ptr<const Scan> first;
    const Reconstruction result = reconstructBlocks(
        {{0, 1}, {2, 3}, {4, 5}}, [&](const std::string& f, const Progress&) { return part(*scan_, f); },
        [&](const Scan& scan, const Progress&) {
          Reconstruction done;
          done.cancelled = ++block == 2;
          done.image = makeImage(scan, done.cancelled ? 1 : 2, {0});
          return done;
        },
        first, {});
    QVERIFY(result.cancelled);
    QCOMPARE(result.image->frames, 3);
    QCOMPARE(block, 2);
  }

  // Fewer coils at a time instead of a refusal, and the same image.
  void coilsAreTakenInTilesThatFit() {
    ReconOptions options;
    options.nufft.alpha = 2;
    options.nufft.width = 5;
    options.frames = "0";
    const double asked = hostBytes(planJob(*scan_, options));
    options.coilsAtOnce = 1;
    const double least = hostBytes(planJob(*scan_, options));
    options.coilsAtOnce = 0;
    QVERIFY(least < asked);
    const auto fitted = [&](double room) {
      JobMachine machine;
      machine.roomForCoils = room;
      return planJob(*scan_, options, machine);
    };
    QCOMPARE(fitted(asked).options.coilsAtOnce, 0);
    QVERIFY(fitted(asked).notes.empty());
    QCOMPARE(fitted((asked + least) / 2).options.coilsAtOnce, 1);
    QCOMPARE(fitted((asked + least) / 2).notes,
             (std::vector<std::string>{"1 coil at a time instead of 3, to fit into memory"}));
    QCOMPARE(fitted(least / 2).options.coilsAtOnce, 0);  // no help: refused with the reason
    const auto cpu = makeCpuBackend();
    const Reconstruction whole = reconstruct({cpu.get()}, *scan_, options, nullptr, {});
    QVERIFY(whole.memory.host > asked);  // and a plan
    QCOMPARE(whole.memory.device, 0.0);
    options.coilsAtOnce = 1;
    const Reconstruction tiled = reconstruct({cpu.get()}, *scan_, options, nullptr, {});
    double difference = 0, norm = 0;
    for (std::size_t i = 0; i < whole.image->data.size(); ++i) {
      difference += std::norm(tiled.image->data[i] - whole.image->data[i]);
      norm += std::norm(whole.image->data[i]);
    }
    QVERIFY(std::sqrt(difference / norm) < 1e-4);
  }
};

SPOKELAB_TEST(TestFrameBlocks)

}  // namespace test_frame_blocks

#include "test_frame_blocks.moc"
