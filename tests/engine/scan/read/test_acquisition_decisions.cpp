// Which acquisitions make the image, and which frame and slice each belongs to, is found out from
// the file and can be overridden.
#include <QtTest>

#include <cmath>

#include "tests/engine/scan/read/variant_reader.h"
#include "tests/test_main.h"

namespace test_acquisition_decisions {

using namespace spokelab;
using namespace spokelab::test;

namespace {

class TestAcquisitionDecisions : public QObject, private VariantReader {
  Q_OBJECT

 private slots:
  // --- acquisitions that are no part of the image
  void noiseLinesInFront() {
    const auto scan = radialScan();
    auto all = acquisitionsOf(*scan);
    TestAcquisition noise = acquisition(100, 2, 0);
    for (std::size_t i = 0; i < noise.samples.size(); ++i) noise.samples[i] = float(i);
    setFlag(noise, noiseFlag);
    all.insert(all.begin(), noise);
    const auto back = read(*scan, all);
    QCOMPARE(back->trajectory(0).shots(), scan->trajectory(0).shots());
    QCOMPARE(back->samples[0], scan->samples[0]);
    QCOMPARE(back->noise.size(), std::size_t(200));
    QCOMPARE(back->noise[130], cfloat(130));
    QVERIFY(decisionOn(*back, "acquisitions")->evidence.find("1 noise") != std::string::npos);
  }
  void calibrationLines() {
    const auto scan = radialScan();
    auto all = acquisitionsOf(*scan);
    setFlag(all[0], calibrationFlag);
    setFlag(all[1], calibrationAndImagingFlag);
    QCOMPARE(read(*scan, all)->trajectory(0).shots(), scan->trajectory(0).shots() - 1);
    QCOMPARE(read(*scan, all, {{"calibration", "include"}})->trajectory(0).shots(),
             scan->trajectory(0).shots());
  }
  void navigatorsAndDummies() {
    const auto scan = radialScan();
    auto all = acquisitionsOf(*scan);
    for (const int flag : {23, 24, 26, 27, 28, 29, 30, 31}) {
      TestAcquisition other = acquisition(7, 1, 3);
      setFlag(other, flag);
      all.insert(all.begin() + flag % 5, other);
    }
    const auto back = read(*scan, all);
    QCOMPARE(back->samples[0], scan->samples[0]);
    QVERIFY(back->warnings.empty());
  }
  void unknownFlagsWarn() {
    const auto scan = radialScan();
    auto all = acquisitionsOf(*scan);
    setFlag(all[3], unknownFlag);
    const auto back = read(*scan, all);
    QCOMPARE(back->trajectory(0).shots(), scan->trajectory(0).shots());
    QCOMPARE(back->warnings.size(), std::size_t(1));
  }
  void otherEncodingSpaces() {
    const auto scan = radialScan();
    auto all = acquisitionsOf(*scan);
    TestAcquisition other = acquisition(7, 2, 2);
    other.trajectory[0] = 1;
    other.head.encoding_space_ref = 1;
    all.push_back(other);
    const std::string xml = headerText(spaceOf(*scan), spaceOf(*scan), "", 2);
    const auto back = read(xml, all);
    QCOMPARE(choiceOn(*back, "encoding"), std::string("0"));
    QCOMPARE(back->trajectory(0).shots(), scan->trajectory(0).shots());
    QCOMPARE(read(xml, all, {{"encoding", "1"}, {"k-unit", "cycles/FOV"}})->trajectory(0).samples(),
             std::int64_t(7));
  }
  void otherGroupNames() {
    const auto scan = radialScan();
    const auto back =
        read(headerText(spaceOf(*scan), spaceOf(*scan)), acquisitionsOf(*scan), {}, "measurement");
    QCOMPARE(back->samples[0], scan->samples[0]);
  }

  // --- samples
  void discardedSamples() {
    const auto scan = radialScan();
    auto all = acquisitionsOf(*scan);
    for (TestAcquisition& a : all) {
      a.head.discard_pre = 3;
      a.head.discard_post = 2;
      a.head.sample_time_us = 10;
    }
    const auto back = read(*scan, all);
    QCOMPARE(back->trajectory(0).samples(), std::int64_t(20 * 59));
    QCOMPARE(back->data(0, 0, 1)[0], scan->data(0, 0, 1)[3]);
    QCOMPARE(back->data(0, 0, 0)[59], scan->data(0, 0, 0)[64 + 3]);
    QVERIFY(std::abs(back->trajectory(0).points[0] - scan->trajectory(0).points[6]) < 1e-5);
    QVERIFY(std::abs(back->trajectory(0).times[0] - 30e-6) < 1e-9);
    QCOMPARE(read(*scan, all, {{"discard", "ignore"}})->trajectory(0).samples(), std::int64_t(20 * 64));
  }
  void unequalShots() {
    const auto scan = radialScan();
    auto all = acquisitionsOf(*scan);
    const std::size_t shorter = 40;
    TestAcquisition& a = all[4];
    TestAcquisition cut = acquisition(int(shorter), 2, 2);
    std::copy_n(a.trajectory.begin(), shorter * 2, cut.trajectory.begin());
    std::copy_n(a.samples.begin(), shorter, cut.samples.begin());
    std::copy_n(a.samples.begin() + 64, shorter, cut.samples.begin() + std::ptrdiff_t(shorter));
    all[4] = cut;
    const auto back = read(*scan, all);
    QCOMPARE(back->trajectory(0).samples(), std::int64_t(19 * 64 + 40));
    QCOMPARE(back->trajectory(0).shotOffsets[5] - back->trajectory(0).shotOffsets[4], std::int64_t(40));
    QCOMPARE(back->data(0, 0, 1)[4 * 64 + 39], scan->data(0, 0, 1)[4 * 64 + 39]);
    QCOMPARE(back->data(0, 0, 1)[4 * 64 + 40], scan->data(0, 0, 1)[5 * 64]);
  }
  // Readouts that start at the centre; every second one is stored from its end, its trajectory from
  // its start.
  void reversedReadouts() {
    const auto full = radialScan(64, 2);
    auto all = acquisitionsOf(*full);
    for (TestAcquisition& a : all) {
      TestAcquisition half = acquisition(32, 2, 2);
      std::copy_n(a.trajectory.begin() + 64, 64, half.trajectory.begin());
      for (int c = 0; c < 2; ++c)
        std::copy_n(a.samples.begin() + c * 64 + 32, 32, half.samples.begin() + c * 32);
      a = half;
    }
    const auto sound = read(*full, all);
    for (std::size_t s = 1; s < all.size(); s += 2) {
      setFlag(all[s], reversedFlag);
      for (int c = 0; c < 2; ++c)
        std::reverse(all[s].samples.begin() + c * 32, all[s].samples.begin() + (c + 1) * 32);
    }
    auto back = read(*full, all);
    QCOMPARE(choiceOn(*back, "reversed"), std::string("flip"));
    QCOMPARE(back->samples[0], sound->samples[0]);
    QVERIFY(read(*full, all, {{"reversed", "as-stored"}})->samples[0] != sound->samples[0]);
    // Trajectory turned round as well: nothing to do.
    for (std::size_t s = 1; s < all.size(); s += 2) {
      std::vector<float>& k = all[s].trajectory;
      for (std::size_t i = 0; i < 16; ++i) std::swap_ranges(&k[2 * i], &k[2 * i] + 2, &k[2 * (31 - i)]);
    }
    QCOMPARE(choiceOn(*read(*full, all), "reversed"), std::string("as-stored"));
  }

  // --- frames and slices
  void framesShareATrajectory() {
    const auto scan = radialScan(64, 2, 3);
    const auto back = read(*scan, acquisitionsOf(*scan));
    QCOMPARE(back->frames, 3);
    QCOMPARE(choiceOn(*back, "frames"), std::string("repetition"));
    QCOMPARE(back->trajectories.size(), std::size_t(1));
    for (std::size_t f = 0; f < 3; ++f) QCOMPARE(back->samples[f], scan->samples[f]);
    const auto merged = read(*scan, acquisitionsOf(*scan), {{"frames", "merge"}});
    QCOMPARE(merged->frames, 1);
    QCOMPARE(merged->trajectory(0).shots(), std::int64_t(60));
  }
  void framesWithTrajectoriesOfTheirOwn() {
    const auto scan = radialScan();
    auto all = acquisitionsOf(*scan);
    for (std::size_t s = 0; s < all.size(); ++s) all[s].head.idx.contrast = std::uint16_t(s < 12 ? 0 : 1);
    const auto back = read(*scan, all);
    QCOMPARE(back->frames, 2);
    QCOMPARE(choiceOn(*back, "frames"), std::string("contrast"));
    QCOMPARE(back->trajectories.size(), std::size_t(2));
    QCOMPARE(back->trajectory(1).shots(), std::int64_t(8));
    QCOMPARE(back->data(1, 0, 1)[0], scan->data(0, 0, 1)[12 * 64]);
  }
  void countersThatRunWithTheShotsMakeNoFrames() {
    const auto scan = radialScan(128, 1);
    auto all = acquisitionsOf(*scan);
    for (std::size_t s = 0; s < all.size(); ++s) all[s].head.idx.repetition = std::uint16_t(s);
    const auto back = read(*scan, all);
    QCOMPARE(back->frames, 1);
    QCOMPARE(choiceOn(*back, "frames"), std::string("merge"));
    QCOMPARE(read(*scan, all, {{"frames", "repetition"}})->frames, 20);
  }
  void averagesAreMerged() {
    const auto scan = radialScan(64, 1, 2);
    auto all = acquisitionsOf(*scan);
    for (TestAcquisition& a : all) std::swap(a.head.idx.repetition, a.head.idx.average);
    QCOMPARE(read(*scan, all)->trajectory(0).shots(), std::int64_t(40));
    QCOMPARE(read(*scan, all, {{"frames", "average"}})->frames, 2);
  }
  void slices() {
    const auto scan = radialScan(64, 2, 3);
    auto all = acquisitionsOf(*scan);
    for (TestAcquisition& a : all) {
      std::swap(a.head.idx.repetition, a.head.idx.slice);
      a.head.position[2] = float(7 * a.head.idx.slice - 7);
    }
    const auto back = read(*scan, all);
    QCOMPARE(back->slices, 3);
    QCOMPARE(back->frames, 1);
    QCOMPARE(back->geometry.slicePositions[2][2], 7.0);
    for (int z = 0; z < 3; ++z) QCOMPARE(back->data(0, z, 1)[100], scan->data(z, 0, 1)[100]);
    all.pop_back();  // one slice lacks a shot: slices of their own
    const auto uneven = read(*scan, all);
    QCOMPARE(uneven->slices, 1);
    QCOMPARE(uneven->frames, 3);
    QCOMPARE(uneven->trajectory(2).shots(), std::int64_t(19));
  }
  void incompleteLastFrameIsLeftOut() {
    const auto scan = radialScan(64, 1, 3);
    std::vector<TestAcquisition> all;
    for (int z = 0; z < 2; ++z)
      for (TestAcquisition a : acquisitionsOf(*scan)) {
        a.head.idx.slice = std::uint16_t(z);
        if (z == 0 || a.head.idx.repetition < 2) all.push_back(std::move(a));
      }
    const auto back = read(*scan, all);
    QCOMPARE(back->slices, 2);
    QCOMPARE(back->frames, 2);
    QVERIFY(!back->warnings.empty());
  }
  void obliqueOrientation() {
    const auto scan = radialScan();
    auto all = acquisitionsOf(*scan);
    const float c = std::cos(0.3f), s = std::sin(0.3f);
    for (TestAcquisition& a : all) {
      a.head.read_dir[0] = c, a.head.read_dir[1] = s;
      a.head.phase_dir[0] = -s, a.head.phase_dir[1] = c;
      a.head.position[0] = 12;
    }
    const auto back = read(*scan, all);
    QVERIFY(!back->geometry.nominal);
    QVERIFY(std::abs(back->geometry.phaseDirection[0] + double(s)) < 1e-6);
    QCOMPARE(back->geometry.slicePositions[0][0], 12.0);
    for (TestAcquisition& a : all) a.head.phase_dir[0] = 1;  // no right angle
    QVERIFY(read(*scan, all)->geometry.nominal);
  }
};

}  // namespace

SPOKELAB_TEST(TestAcquisitionDecisions)

}  // namespace test_acquisition_decisions

#include "test_acquisition_decisions.moc"
