// Several ranks give the image of one, whichever axis they divide; a failure or a cancel of one ends
// all, and rank 0 knows why.
#include <QtTest>

#include <nlohmann/json.hpp>

#include "engine/nufft/tune/wisdom.h"
#include "engine/recon/options/options.h"
#include "engine/recon/ranks/rank_messages.h"
#include "engine/recon/ranks/rank_reconstruction.h"
#include "engine/recon/ranks/rank_share.h"
#include "engine/recon/reconstruct.h"
#include "tests/engine/recon/measures.h"
#include "tests/engine/recon/ranks/other_processor.h"
#include "tests/engine/recon/ranks/rank_scans.h"
#include "tests/engine/recon/ranks/thread_ranks.h"
#include "tests/engine/recon/reconstruct.h"
#include "tests/test_main.h"

namespace test_ranks {

using namespace spokelab;
using namespace spokelab::test;

class TestRanks : public QObject {
  Q_OBJECT

  // The image of several ranks against that of one.
  static void compare(const Shape& shape, ReconOptions options, int ranks, RankAxis axis, double tolerance) {
    const auto scan = scanOf(shape);
    const auto cpu = makeCpuBackend();
    const Reconstruction alone = reconstruct({cpu.get()}, *scan, options, nullptr, {});
    RankReconstruction first;
    const RankReader reader = readerOf(scan);
    const auto ends = runOnThreads(ranks, [&](Ranks& r, const Progress& progress) {
      const auto own = makeCpuBackend();
      RankReconstruction done = reconstructOnRanks(r, *own, reader, options, nullptr, progress);
      if (r.isFirst())
        first = std::move(done);
      else if (done.result.image)
        throw Error("The test failed", "a rank kept an image", "");
    });
    for (const RankEnd& end : ends) QVERIFY2(end.done, end.error ? end.error->what() : "not done");
    const Image &image = *first.result.image, &wanted = *alone.image;
    QCOMPARE(int(first.axis), int(axis));
    QCOMPARE(first.result.ranks.size(), std::size_t(ranks));
    QCOMPARE(image.frames, wanted.frames);
    QVERIFY(image.size == wanted.size);
    QCOMPARE(image.isDouble(), wanted.isDouble());
    QVERIFY(image.geometry.slicePositions == wanted.geometry.slicePositions);
    double difference = 0, energy = 0;
    for (std::size_t i = 0; i < wanted.data.size(); ++i) {
      difference += std::norm(image.value(i) - wanted.value(i));
      energy += std::norm(wanted.value(i));
    }
    QVERIFY(energy > 0);
    QVERIFY2(difference <= tolerance * tolerance * energy,
             std::to_string(std::sqrt(difference / energy) * 1e6).append("e-6").c_str());
    QCOMPARE(first.result.iterations.size(), alone.iterations.size());
    for (std::size_t i = 0; i < alone.iterations.size(); ++i) {
      QCOMPARE(first.result.iterations[i].frame, alone.iterations[i].frame);
      QCOMPARE(first.result.iterations[i].slice, alone.iterations[i].slice);
      QCOMPARE(first.result.iterations[i].residuals.size(), alone.iterations[i].residuals.size());
    }
  }
  static ReconOptions gridded() {
    ReconOptions options;
    options.nufft.alpha = 2;
    options.nufft.width = 6;
    return options;
  }

 private Q_SLOTS:
  void imagesAreThoseOfOneRank_data() {
    QTest::addColumn<int>("which");
    QTest::addColumn<int>("ranks");
    const char* const names[] = {
        "gridding, frames", "gridding, slices", "gridding, coils", "gridding, volume, coils",
        "SENSE, frames",    "SENSE, slices",    "SENSE, coils",    "SENSE, volume, coils"};
    for (int which = 0; which < 8; ++which)
      for (const int ranks : {1, 2, 4}) QTest::addRow("%s, %d", names[which], ranks) << which << ranks;
  }
  void imagesAreThoseOfOneRank() {
    QFETCH(const int, which);
    QFETCH(const int, ranks);
    const Shape shapes[] = {{6, 1, 3}, {1, 5, 2}, {1, 1, 6}, {1, 1, 5, true}};
    const Shape& shape = shapes[which % 4];
    const RankAxis axes[] = {RankAxis::frames, RankAxis::slices, RankAxis::coils, RankAxis::coils};
    const RankAxis axis = ranks == 1 ? RankAxis::frames : axes[which % 4];
    // Iterations in single precision amplify the rounding of sums that are taken in another order
    // (1.4e-6 of a volume); in double precision the images are the same to 1e-12 (below).
    const bool amplifies = which == 7;
    compare(shape, which < 4 ? gridded() : senseOptions(), ranks, axis, amplifies ? 3e-6 : 1e-6);
  }

  // Accounts of ranks come as bytes: numbers to the last bit, and what is damaged is an error.
  void messagesAreExact() {
    const nlohmann::json message = {{"seconds", 0.1}, {"residuals", {1e-300, 3.0, -0.0}}, {"host", "a"}};
    const std::string bytes = packedMessage(message);
    QVERIFY(unpackedMessage(bytes) == message);
    for (std::size_t length = 0; length < bytes.size(); ++length)
      QVERIFY_THROWS_EXCEPTION(Error, unpackedMessage(bytes.substr(0, length)));
    QVERIFY_THROWS_EXCEPTION(Error, unpackedMessage(bytes + 'x'));
  }

  // Whitening, virtual coils, and maps of all frames or slices are those of the whole scan.
  void whatIsMadeFromTheWholeScanIsTheSame() {
    for (ReconOptions options : {gridded(), senseOptions()}) {
      options.prewhitening = Prewhitening::on;
      options.virtualCoils = 4;
      compare({7, 1, 6}, options, 4, RankAxis::frames, 1e-6);
      compare({1, 4, 6}, options, 4, RankAxis::slices, 1e-6);
      options.precision = Precision::double64;
      compare({1, 1, 6}, options, 2, RankAxis::coils, 1e-12);
      options.precision = Precision::single;
      compare({1, 1, 6}, options, 2, RankAxis::coils, 3e-6);
    }
  }

  void everyRegularizationAndPrecisionOverCoils() {
    ReconOptions options = senseOptions();
    options.iterative.solver = {8, 1e-2, 0, Regularization::totalVariation};
    compare({1, 1, 6}, options, 3, RankAxis::coils, 1e-5);  // its shrinkage amplifies rounding
    options.iterative.solver = {8, 1e-2, 0, Regularization::roughness};
    compare({1, 1, 6}, options, 3, RankAxis::coils, 1e-6);
    options = senseOptions();
    options.iterative.mapSets = 2;
    compare({1, 1, 6}, options, 2, RankAxis::coils, 1e-6);
    options = senseOptions();
    options.precision = Precision::double64;
    compare({1, 1, 6}, options, 4, RankAxis::coils, 1e-12);
    compare({1, 1, 5, true}, options, 4, RankAxis::coils, 1e-12);
    options = gridded();
    options.precision = Precision::double64;
    compare({6, 1, 3}, options, 2, RankAxis::frames, 1e-12);
    compare({1, 1, 6}, options, 4, RankAxis::coils, 1e-12);
  }

  // Of a volume that is transformed in slabs and has too few coils to divide.
  void slabsAreDividedWhereNothingElseCan() {
    for (ReconOptions options : {gridded(), senseOptions()}) {
      options.slabs = 5;  // which makes 4 of 4 planes
      compare({1, 1, 1, true}, options, 2, RankAxis::slabs, 3e-6);
      compare({1, 1, 2, true}, options, 4, RankAxis::slabs, 3e-6);
      compare({1, 1, 4, true}, options, 4, RankAxis::coils, 3e-6);
      options.precision = Precision::double64;
      compare({1, 1, 1, true}, options, 3, RankAxis::slabs, 1e-12);
    }
    ReconOptions options = gridded();
    options.slabs = 4;
    options.combination = Combination::none;
    compare({1, 1, 3, true}, options, 2, RankAxis::slabs, 1e-6);
    options = senseOptions();
    options.slabs = 4;
    options.iterative.mapSets = 2;
    compare({1, 1, 2, true}, options, 3, RankAxis::slabs, 3e-6);
  }

  // A limit under which only a slab's grid fits; every rank gets one.
  void memoryDividesVolumesIntoSlabsForAllRanks() {
    const auto scan = scanOf({1, 1, 1, true});
    const auto cpu = makeCpuBackend();
    ReconOptions options = gridded();
    NufftProblem slab;
    slab.dims = 3;
    slab.size = {16, 16, 8};
    options.nufft.memoryLimit =
        std::int64_t(1.25 * double(cpu->estimateMemory(slab, options.nufft, scan->trajectory(0).samples())));
    const RankReader reader = readerOf(scan);
    RankReconstruction first;
    const auto ends = runOnThreads(3, [&](Ranks& r, const Progress& progress) {
      const auto own = makeCpuBackend();
      RankReconstruction done = reconstructOnRanks(r, *own, reader, options, nullptr, progress);
      if (r.isFirst()) first = std::move(done);
    });
    for (const RankEnd& end : ends) QVERIFY2(end.done, end.error ? end.error->what() : "not done");
    QVERIFY(first.axis == RankAxis::slabs);
    QCOMPARE(first.result.ranks.size(), std::size_t(3));
    QVERIFY2(first.result.plan.description.find("in 3 slabs of 6 planes") != std::string::npos,
             first.result.plan.description.c_str());
    QVERIFY(std::any_of(first.result.notes.begin(), first.result.notes.end(),
                        [](const std::string& note) { return note.starts_with("transformed in "); }));
    options.nufft.memoryLimit = 0;
    const Reconstruction alone = reconstruct({cpu.get()}, *scan, options, nullptr, {});
    QVERIFY(relativeDifference(first.result.image->data, alone.image->data) < 1e-4);
  }

  void selectionsHold() {
    ReconOptions options = senseOptions();
    options.frames = "1-4";
    compare({6, 1, 3}, options, 2, RankAxis::frames, 1e-6);
    options = gridded();
    options.slices = "1-4";
    options.coils = "0,2-4";
    compare({1, 5, 6}, options, 2, RankAxis::slices, 1e-6);
    options.slices = "2";
    compare({1, 5, 6}, options, 2, RankAxis::coils, 1e-6);
  }

  // Every rank has rank 0's plan, though only rank 0 tuned.
  void oneRankTunes() {
    ReconOptions options;
    options.nufft.accuracy = 1e-5;
    const auto scan = scanOf({4, 1, 2});
    const RankReader reader = readerOf(scan);
    std::array<NufftOptions, 2> plans;
    std::array<bool, 2> tuned{};
    const auto ends = runOnThreads(2, [&](Ranks& r, const Progress& progress) {
      const auto own = makeCpuBackend();
      const RankReconstruction done = reconstructOnRanks(r, *own, reader, options, nullptr, progress);
      plans[std::size_t(r.rank())] = done.result.plan.options;
      tuned[std::size_t(r.rank())] = done.result.tuning != nullptr;
    });
    QVERIFY(ends[0].done && ends[1].done);
    QVERIFY(tuned[0] && !tuned[1]);
    QCOMPARE(plans[0].alpha, plans[1].alpha);
    QCOMPARE(plans[0].width, plans[1].width);
    QVERIFY(plans[0].spread == plans[1].spread);
  }

  // One rank of each kind tunes; its entries come into rank 0's file under its own processor's name.
  void wisdomOfEachProcessorComesTogether() {
    const QTemporaryDir folder;
    const std::string file = folder.filePath("wisdom.json").toStdString();
    ReconOptions options;
    options.nufft.accuracy = 1e-2;
    const auto scan = scanOf({3, 1, 2});  // a frame each, however fast they are
    const RankReader reader = readerOf(scan);
    for (const bool again : {false, true}) {
      Wisdom wisdom(file);
      std::vector<std::string> notes;
      const auto ends = runOnThreads(3, [&](Ranks& r, const Progress& progress) {
        std::unique_ptr<Backend> own = std::make_unique<OtherProcessor>();
        if (r.isFirst()) own = makeCpuBackend();
        const RankReconstruction done =
            reconstructOnRanks(r, *own, reader, options, r.isFirst() ? &wisdom : nullptr, progress);
        if (r.isFirst()) notes = done.result.notes;
      });
      for (const RankEnd& end : ends) QVERIFY2(end.done, end.error ? end.error->what() : "not done");
      const Wisdom kept(file);
      QCOMPARE(kept.size(), std::size_t(2));
      const std::vector<std::string> other{"cpu: another processor"};
      const auto lines = kept.list(other);
      QCOMPARE(std::count_if(lines.begin(), lines.end(), [](const WisdomLine& line) { return line.here; }),
               1);
      // What the file knows is not tuned again.
      const auto told = std::count(notes.begin(), notes.end(), "wisdom of the processor of thread: 1 entry");
      QCOMPARE(told, again ? 0 : 1);
    }
    // Nothing is kept where rank 0 keeps nothing.
    const auto ends = runOnThreads(2, [&](Ranks& r, const Progress& progress) {
      OtherProcessor other;
      const auto cpu = makeCpuBackend();
      reconstructOnRanks(r, r.isFirst() ? *cpu : other, reader, options, nullptr, progress);
    });
    QVERIFY(ends[0].done && ends[1].done);
  }

  void aFailureOfOneRankEndsAllWithItsReason() {
    const auto scan = scanOf({1, 1, 6});
    for (const int failing : {0, 2}) {
      const auto ends = runOnThreads(4, [&](Ranks& r, const Progress& progress) {
        const auto own = makeCpuBackend();
        RankReader reader = readerOf(scan);
        if (r.rank() == failing)
          reader.read = [](const std::string&, const std::string&,
                           const Progress&) -> std::shared_ptr<const Scan> {
            throw Error("Cannot read the scan", "its disk is gone", "Look for it");
          };
        reconstructOnRanks(r, *own, reader, senseOptions(), nullptr, progress);
      });
      for (int r = 0; r < 4; ++r) {
        const RankEnd& end = ends[std::size_t(r)];
        QVERIFY(!end.done);
        QCOMPARE(end.error.has_value(), r == failing);
        QCOMPARE(end.cancelled, r != failing);
      }
      QCOMPARE(ends[0].elsewhere.has_value(), failing == 2);
      if (failing == 0) continue;
      QCOMPARE(ends[0].elsewhere->summary(), std::string("Cannot read the scan (rank 2 of 4)"));
      QCOMPARE(ends[0].elsewhere->reason(), std::string("its disk is gone"));
      QCOMPARE(ends[0].elsewhere->remedy(), std::string("Look for it"));
    }
  }

  void aSignalToOneRankEndsAll() {
    const auto scan = scanOf({1, 1, 6});
    const RankReader reader = readerOf(scan);
    ReconOptions options = senseOptions();
    options.iterative.solver.iterations = 1000000;
    options.iterative.solver.tolerance = 0;
    for (const int signalled : {0, 1}) {
      std::vector<std::stop_source> stops(2);
      std::atomic<bool> iterating = false;
      options.iterative.watcher = [&](const IterationState& state) {
        iterating = iterating || state.iteration > 2;
        return IterationCommand{};
      };
      std::thread signal([&, source = stops[std::size_t(signalled)]]() mutable {
        while (!iterating) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        source.request_stop();
      });
      const auto ends = runOnThreads(
          2,
          [&](Ranks& r, const Progress& progress) {
            const auto own = makeCpuBackend();
            reconstructOnRanks(r, *own, reader, options, nullptr, progress);
          },
          stops);
      signal.join();
      QVERIFY(ends[0].cancelled && ends[1].cancelled);
      QVERIFY(!ends[0].elsewhere);
    }
  }

  void moreRanksThanPartsAreRefused() {
    const auto scan = scanOf({2, 1, 2});
    const RankReader reader = readerOf(scan);
    const auto ends = runOnThreads(3, [&](Ranks& r, const Progress& progress) {
      const auto own = makeCpuBackend();
      reconstructOnRanks(r, *own, reader, gridded(), nullptr, progress);
    });
    QVERIFY(ends[0].error && ends[0].error->remedy() == "Start at most 2");
    QVERIFY(ends[1].cancelled && ends[2].cancelled);
  }
};

SPOKELAB_TEST(TestRanks)

}  // namespace test_ranks

#include "test_ranks.moc"
