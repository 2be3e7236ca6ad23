// One bad readout does not cost the scan: it is left out with a warning that counts and names it,
// unless somebody wants it refused; what is not used does not matter.
#include <QtTest>

#include <limits>

#include "engine/core/error.h"
#include "tests/engine/scan/read/variant_reader.h"
#include "tests/test_main.h"

namespace test_bad_readouts {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr int coilCount = 2, sampleCount = 32;

bool warns(const Scan& scan, const std::string& words) {
  return std::any_of(scan.warnings.begin(), scan.warnings.end(),
                     [&](const std::string& w) { return w.find(words) != std::string::npos; });
}

// The shots of a frame of `back` are those of `scan` with these numbers.
void compareShots(const Scan& back, const Scan& scan, int frame, const std::vector<int>& numbers) {
  const Trajectory& t = back.trajectory(frame);
  QCOMPARE(t.shots(), std::int64_t(numbers.size()));
  QCOMPARE(t.shotNumbers, numbers);
  QCOMPARE(t.wholeShots, scan.trajectory(0).shots());
  for (std::size_t s = 0; s < numbers.size(); ++s)
    for (int c = 0; c < coilCount; ++c)
      for (int i = 0; i < sampleCount; ++i)
        QCOMPARE(back.data(frame, 0, c)[t.shotOffsets[s] + i],
                 scan.data(frame, 0, c)[numbers[s] * sampleCount + i]);
}

std::vector<int> allBut(const std::vector<int>& bad) {
  std::vector<int> numbers;
  for (int s = 0; s < 20; ++s)
    if (std::find(bad.begin(), bad.end(), s) == bad.end()) numbers.push_back(s);
  return numbers;
}

class TestBadReadouts : public QObject, private VariantReader {
  Q_OBJECT

  std::shared_ptr<const Scan> readSelected(const Scan& scan, const std::vector<TestAcquisition>& all,
                                           const std::string& shots, const std::string& samples) {
    const std::filesystem::path file = folder_.filePath("scan.h5").toStdString();
    writeVariant(file, headerText(spaceOf(scan), spaceOf(scan)), all);
    ReadOptions options;
    options.overrides["bad-readouts"] = "refuse";
    options.selection = {shots, samples};
    return readScan(file, options, Progress());
  }

 private slots:
  void aBadSampleCostsItsShot() {
    const auto scan = radialScan(32, coilCount);
    auto all = acquisitionsOf(*scan);
    all[7].samples[sampleCount + 3] = nan;
    const auto back = read(*scan, all);
    compareShots(*back, *scan, 0, allBut({7}));
    QCOMPARE(choiceOn(*back, "bad-readouts"), std::string("leave-out"));
    QVERIFY(warns(*back, "1 of 20 shots (7)"));
  }
  void badCoordinatesCostTheirShots() {
    const auto scan = radialScan(32, coilCount);
    auto all = acquisitionsOf(*scan);
    all[0].trajectory[1] = nan;
    all[11].trajectory[4] = std::numeric_limits<float>::infinity();
    const auto back = read(*scan, all);
    compareShots(*back, *scan, 0, allBut({0, 11}));
    QVERIFY(warns(*back, "2 of 20 shots (0,11)"));
    // the unit is that of the sound ones
    QCOMPARE(choiceOn(*back, "k-unit"), std::string("cycles/FOV"));
  }
  void framesThatLoseOtherShotsHaveTrajectoriesOfTheirOwn() {
    const auto scan = radialScan(32, coilCount, 3);
    auto all = acquisitionsOf(*scan);
    all[20 + 4].samples[0] = nan;
    all[40 + 9].samples[1] = nan;
    const auto back = read(*scan, all);
    QCOMPARE(back->trajectories.size(), std::size_t(3));
    QCOMPARE(back->trajectory(0).shots(), std::int64_t(20));
    compareShots(*back, *scan, 1, allBut({4}));
    compareShots(*back, *scan, 2, allBut({9}));
    QVERIFY(warns(*back, "frame 1: 4; frame 2: 9"));
  }
  void framesShareTheLossOfCoordinates() {
    const auto scan = radialScan(32, coilCount, 2);
    auto all = acquisitionsOf(*scan);
    all[4].trajectory[0] = nan;
    const auto back = read(*scan, all);
    QCOMPARE(back->trajectories.size(), std::size_t(1));
    compareShots(*back, *scan, 0, allBut({4}));
    compareShots(*back, *scan, 1, allBut({4}));
  }
  void timesOfShotsGoWithThem() {
    const auto scan = radialScan(32, coilCount);
    auto all = acquisitionsOf(*scan);
    for (std::size_t s = 0; s < all.size(); ++s) all[s].head.acquisition_time_stamp = std::uint32_t(400 * s);
    all[2].samples[0] = nan;
    const auto back = read(*scan, all);
    QCOMPARE(back->shotTimes.front().size(), std::size_t(19));
    QCOMPARE(back->shotTimes.front()[2], 3.0);
  }
  void theyCanBeRefused() {
    const auto scan = radialScan(32, coilCount);
    auto all = acquisitionsOf(*scan);
    all[7].samples[3] = nan;
    QVERIFY_THROWS_EXCEPTION(Error, read(*scan, all, {{"bad-readouts", "refuse"}}));
    all = acquisitionsOf(*scan);
    all[7].trajectory[3] = nan;
    QVERIFY_THROWS_EXCEPTION(Error, read(*scan, all, {{"bad-readouts", "refuse"}}));
  }
  void aSelectionActsBeforeTheCheck() {
    const auto scan = radialScan(32, coilCount);
    auto all = acquisitionsOf(*scan);
    all[7].samples[3] = nan;
    QVERIFY_THROWS_EXCEPTION(Error, readSelected(*scan, all, "0-9", ""));
    compareShots(*readSelected(*scan, all, "0-6,8-19", ""), *scan, 0, allBut({7}));
    QVERIFY_THROWS_EXCEPTION(Error, readSelected(*scan, all, "", "0-3"));
    const auto whole = readSelected(*scan, all, "", "4-31");
    QCOMPARE(whole->trajectory(0).shots(), std::int64_t(20));
    QCOMPARE(whole->data(0, 0, 0)[7 * sampleCount + 4], scan->data(0, 0, 0)[7 * sampleCount + 4]);
  }
  void linesWithoutATrajectoryAreLeftOut() {
    const auto scan = radialScan(32, coilCount);
    auto all = acquisitionsOf(*scan);
    for (const int line : {5, 12}) {
      all[std::size_t(line)].trajectory.clear();
      all[std::size_t(line)].head.trajectory_dimensions = 0;
    }
    const auto back = read(*scan, all);
    QCOMPARE(back->trajectory(0).shots(), std::int64_t(18));
    QVERIFY(warns(*back, "2 lines have no trajectory (acquisitions 5,12)"));
    QCOMPARE(back->data(0, 0, 1)[5 * sampleCount], scan->data(0, 0, 1)[6 * sampleCount]);
    QVERIFY_THROWS_EXCEPTION(Error, read(*scan, all, {{"bad-readouts", "refuse"}}));
  }
  void nothingLeftIsAnError() {
    const auto scan = radialScan(32, coilCount);
    auto all = acquisitionsOf(*scan);
    for (TestAcquisition& a : all) a.samples[0] = nan;
    QVERIFY_THROWS_EXCEPTION(Error, read(*scan, all));
    all = acquisitionsOf(*scan);
    for (TestAcquisition& a : all) a.trajectory[0] = nan;
    QVERIFY_THROWS_EXCEPTION(Error, read(*scan, all));
  }
  void soundScansAreNotAsked() {
    const auto scan = radialScan(32, coilCount);
    const auto back = read(*scan, acquisitionsOf(*scan));
    QVERIFY(!decisionOn(*back, "bad-readouts"));
    QVERIFY(back->trajectory(0).shotNumbers.empty());
  }
};

}  // namespace

SPOKELAB_TEST(TestBadReadouts)

}  // namespace test_bad_readouts

#include "test_bad_readouts.moc"
