// Each thing that a file leaves open is found out from the file, with its evidence, and can be
// overridden.
#include <QtTest>

#include <cmath>
#include <numbers>

#include "engine/core/error.h"
#include "engine/scan/formats/acquisitions/write_scan.h"
#include "engine/scan/read/read_scan.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/engine/scan/variant_file.h"
#include "tests/test_main.h"

using namespace spokelab;
using namespace spokelab::test;

namespace {

std::shared_ptr<const Scan> radialScan(std::int64_t n = 64, int coils = 2, int frames = 1) {
  SimulateOptions o;
  o.trajectory.pattern = Pattern::goldenRadial2d;
  o.trajectory.matrix = {n, n, 1};
  o.trajectory.shots = 20;
  o.coils = coils;
  o.frames = frames;
  o.noise = 0.01;
  o.fov = {240, 240, 5};
  return simulate(o, Progress());
}

std::shared_ptr<const Scan> volumeScan() {
  SimulateOptions o;
  o.trajectory.pattern = Pattern::stackOfStars;
  o.trajectory.matrix = {16, 16, 8};
  o.fov = {240, 240, 120};
  return simulate(o, Progress());
}

const Decision* decisionOn(const Scan& scan, const std::string& topic) {
  for (const Decision& d : scan.decisions)
    if (d.topic == topic) return &d;
  return nullptr;
}

std::string choiceOn(const Scan& scan, const std::string& topic) {
  const Decision* d = decisionOn(scan, topic);
  return d ? d->choice : "";
}

double largestDifference(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return HUGE_VAL;
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

void scale(std::vector<TestAcquisition>& all, double factor) {
  for (TestAcquisition& a : all)
    for (float& k : a.trajectory) k = float(k * factor);
}

// Adds a column to the trajectory: value(shot, sample).
void addColumn(std::vector<TestAcquisition>& all, const std::function<double(int, int)>& value) {
  for (std::size_t s = 0; s < all.size(); ++s) {
    TestAcquisition& a = all[s];
    std::vector<float> wider;
    const std::size_t columns = a.head.trajectory_dimensions;
    for (std::size_t i = 0; i < a.head.number_of_samples; ++i) {
      wider.insert(wider.end(), a.trajectory.begin() + std::ptrdiff_t(i * columns),
                   a.trajectory.begin() + std::ptrdiff_t((i + 1) * columns));
      wider.push_back(float(value(int(s), int(i))));
    }
    a.trajectory = std::move(wider);
    ++a.head.trajectory_dimensions;
  }
}

void setFlag(TestAcquisition& a, int flag) {
  a.head.flags |= std::uint64_t(1) << (flag - 1);
}

constexpr int noiseFlag = 19, calibrationFlag = 20, calibrationAndImagingFlag = 21, reversedFlag = 22,
              unknownFlag = 40;

}  // namespace

class TestReadDecisions : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir folder_;

  std::shared_ptr<const Scan> read(const std::string& xml, const std::vector<TestAcquisition>& all,
                                   const std::map<std::string, std::string>& overrides = {},
                                   const std::string& group = "dataset") {
    const std::filesystem::path file = folder_.filePath("scan.h5").toStdString();
    writeVariant(file, xml, all, group);
    ReadOptions options;
    options.overrides = overrides;
    return readScan(file, options, Progress());
  }
  std::shared_ptr<const Scan> read(const Scan& scan, const std::vector<TestAcquisition>& all,
                                   const std::map<std::string, std::string>& overrides = {}) {
    return read(headerText(spaceOf(scan), spaceOf(scan)), all, overrides);
  }

 private slots:
  void nameOfTheDemo() { QCOMPARE(readScan("demo", ReadOptions(), Progress()).get(), demoScan().get()); }

  // --- the unit of k
  void unit_data() {
    QTest::addColumn<QString>("unit");
    QTest::addColumn<double>("factor");  // of cycles/FOV, matrix 64, FOV 240 mm
    QTest::newRow("cycles/FOV") << "cycles/FOV" << 1.0;
    QTest::newRow("cycles/pixel") << "cycles/pixel" << 1.0 / 64;
    QTest::newRow("radians/pixel") << "radians/pixel" << 2 * std::numbers::pi / 64;
    QTest::newRow("1/m") << "1/m" << 1 / 0.24;
    QTest::newRow("1/cm") << "1/cm" << 1 / 24.0;
    QTest::newRow("1/mm") << "1/mm" << 1 / 240.0;
  }
  void unit() {
    QFETCH(QString, unit);
    QFETCH(double, factor);
    const auto scan = radialScan();
    for (const double coverage : {1.0, 0.8}) {  // a readout may end before the edge
      auto all = acquisitionsOf(*scan);
      scale(all, factor * coverage);
      const auto back = read(*scan, all);
      QCOMPARE(choiceOn(*back, "k-unit"), unit.toStdString());
      std::vector<double> expected = scan->trajectory(0).points;
      for (double& k : expected) k *= coverage;
      QVERIFY(largestDifference(back->trajectory(0).points, expected) < 1e-4);
      QCOMPARE(back->samples[0], scan->samples[0]);
    }
  }
  void unitCanBeOverridden() {
    const auto scan = radialScan();
    const auto back = read(*scan, acquisitionsOf(*scan), {{"k-unit", "1/m"}});
    const Decision* d = decisionOn(*back, "k-unit");
    QVERIFY(d->overridden);
    QCOMPARE(d->choice, std::string("1/m"));
    QVERIFY(std::find(d->alternatives.begin(), d->alternatives.end(), "cycles/FOV") != d->alternatives.end());
    QVERIFY(std::abs(back->trajectory(0).points[0] / scan->trajectory(0).points[0] - 0.24) < 1e-5);
  }
  void unknownOverridesAreRefused() {
    const auto scan = radialScan();
    QVERIFY_THROWS_EXCEPTION(Error, read(*scan, acquisitionsOf(*scan), {{"k-unti", "1/m"}}));
    QVERIFY_THROWS_EXCEPTION(Error, read(*scan, acquisitionsOf(*scan), {{"k-unit", "furlongs"}}));
    QVERIFY_THROWS_EXCEPTION(Error, read(*scan, acquisitionsOf(*scan), {{"matrix", "12by12"}}));
    QVERIFY_THROWS_EXCEPTION(Error, read(*scan, acquisitionsOf(*scan), {{"fov", "-3x4"}}));
    QVERIFY_THROWS_EXCEPTION(Error, read(*scan, acquisitionsOf(*scan), {{"frames", "shots"}}));
    QVERIFY_THROWS_EXCEPTION(Error, read(*scan, acquisitionsOf(*scan), {{"encoding", "7"}}));
    QVERIFY_THROWS_EXCEPTION(Error, read(*scan, acquisitionsOf(*scan), {{"third-dimension", "kz"}}));
  }

  // --- third and fourth column
  void thirdColumnOfWeights() {
    const auto scan = radialScan();
    const std::vector<double>& w = scan->trajectory(0).weights;
    auto all = acquisitionsOf(*scan);
    const double most = *std::max_element(w.begin(), w.end());
    addColumn(all, [&](int s, int i) {
      return w[std::size_t(s * 64 + i)] / most;
    });  // normalised, as Gadgetron does
    const auto back = read(*scan, all);
    QCOMPARE(choiceOn(*back, "third-dimension"), std::string("density-weight"));
    QCOMPARE(back->dims(), 2);
    double sum = 0, expected = 0;
    for (std::size_t i = 0; i < w.size(); ++i) {
      sum += back->trajectory(0).weights[i];
      expected += w[i];
    }
    QVERIFY(std::abs(sum / expected - 1) < 0.01);  // back to areas
    QVERIFY(read(*scan, all, {{"weights", "ignore"}})->trajectory(0).weights.empty());
    QVERIFY(read(*scan, all, {{"third-dimension", "ignore"}})->trajectory(0).weights.empty());
  }
  void thirdColumnOfZeros() {
    const auto scan = radialScan();
    auto all = acquisitionsOf(*scan);
    addColumn(all, [](int, int) { return 0.0; });
    const auto back = read(*scan, all);
    QCOMPARE(choiceOn(*back, "third-dimension"), std::string("ignore"));
    QCOMPARE(back->dims(), 2);
    QVERIFY(back->trajectory(0).weights.empty());
  }
  void thirdColumnOfKz() {
    const auto scan = volumeScan();
    const auto back = read(*scan, acquisitionsOf(*scan));
    QCOMPARE(choiceOn(*back, "third-dimension"), std::string("kz"));
    QCOMPARE(back->dims(), 3);
    QVERIFY((back->geometry.matrix == Index3{16, 16, 8}));
    QVERIFY(largestDifference(back->trajectory(0).points, scan->trajectory(0).points) < 1e-5);
  }
  void partialStackIsKz() {  // kz from 0 on, constant in each shot
    const auto scan = volumeScan();
    auto all = acquisitionsOf(*scan);
    std::erase_if(all, [](const TestAcquisition& a) { return a.trajectory[2] < 0; });
    QCOMPARE(choiceOn(*read(*scan, all), "third-dimension"), std::string("kz"));
  }
  void countedPartitionsBecomeKz() {
    const auto flat = radialScan(16, 1);
    std::vector<TestAcquisition> all;
    for (int z = 0; z < 8; ++z)
      for (TestAcquisition a : acquisitionsOf(*flat)) {
        a.head.idx.kspace_encode_step_2 = std::uint16_t(z);
        all.push_back(std::move(a));
      }
    const TestSpace space{16, 16, 8, 240, 240, 120};
    const auto back = read(headerText(space, space), all);
    QCOMPARE(choiceOn(*back, "third-dimension"), std::string("partition"));
    QCOMPARE(back->dims(), 3);
    QCOMPARE(back->trajectory(0).points[2], -4.0);
    QCOMPARE(back->trajectory(0).points.back(), 3.0);
    const std::string limits =
        "<kspace_encoding_step_2><minimum>0</minimum><maximum>7</maximum><center>5</center></"
        "kspace_encoding_step_2>";
    QCOMPARE(read(headerText(space, space, limits), all)->trajectory(0).points[2], -5.0);
  }
  void fourthColumnOfTime() {
    const auto scan = volumeScan();
    auto all = acquisitionsOf(*scan);
    addColumn(all, [](int, int i) { return 0.025 + 5e-6 * i; });
    const auto back = read(*scan, all);
    QCOMPARE(choiceOn(*back, "fourth-dimension"), std::string("seconds"));
    QVERIFY(std::abs(back->trajectory(0).times[3] - 0.025015) < 1e-7);
    for (TestAcquisition& a : all) a.head.sample_time_us = 5;
    QCOMPARE(choiceOn(*read(*scan, all), "fourth-dimension"), std::string("seconds"));
    for (TestAcquisition& a : all) a.head.sample_time_us = 50;  // the rise is not the dwell time
    QCOMPARE(choiceOn(*read(*scan, all), "fourth-dimension"), std::string("density-weight"));
  }
  void fourthColumnOfWeights() {
    const auto scan = volumeScan();
    auto all = acquisitionsOf(*scan);
    const auto& w = scan->trajectory(0).weights;
    addColumn(all, [&](int s, int i) { return w[std::size_t(s * 16 + i)]; });
    const auto back = read(*scan, all);
    QCOMPARE(choiceOn(*back, "fourth-dimension"), std::string("density-weight"));
    QVERIFY(largestDifference(back->trajectory(0).weights, w) < 1e-4);  // already areas: untouched
  }

  // --- matrix, field of view, oversampling
  void oversampledReadoutIsCut() {
    const auto scan = radialScan();
    const TestSpace recon = spaceOf(*scan), encoded{128, 64, 1, 480, 240, 5};
    const auto all = acquisitionsOf(*scan);  // in cycles over the reconstructed field of view
    auto back = read(headerText(encoded, recon), all);
    QCOMPARE(choiceOn(*back, "oversampling"), std::string("remove"));
    QVERIFY((back->geometry.matrix == Index3{64, 64, 1}));
    QVERIFY(largestDifference(back->trajectory(0).points, scan->trajectory(0).points) < 1e-5);
    back = read(headerText(encoded, recon), all, {{"oversampling", "keep"}});
    QVERIFY((back->geometry.matrix == Index3{128, 64, 1}));
    QVERIFY((back->geometry.fov == Vec3{480, 240, 5}));
    QVERIFY(std::abs(back->trajectory(0).points[0] / scan->trajectory(0).points[0] - 2) < 1e-6);
    QVERIFY(std::abs(back->trajectory(0).points[3] - scan->trajectory(0).points[3]) < 1e-5);
  }
  void coordinatesOverTheEncodedFieldOfView() {
    const auto scan = radialScan();
    const TestSpace encoded{128, 128, 1, 480, 480, 5};
    auto all = acquisitionsOf(*scan);
    scale(all, 2);  // -64 ... 64 cycles over 480 mm
    const auto back = read(headerText(encoded, spaceOf(*scan)), all);
    QCOMPARE(choiceOn(*back, "k-unit"), std::string("cycles/encoded-FOV"));
    QVERIFY(largestDifference(back->trajectory(0).points, scan->trajectory(0).points) < 1e-4);
  }
  // A header that puts the number of samples into the encoded matrix, with the same field of view.
  void encodedMatrixOfSamples() {
    const auto scan = radialScan();
    TestSpace encoded = spaceOf(*scan);
    encoded.x = 1024;
    const auto back = read(headerText(encoded, spaceOf(*scan)), acquisitionsOf(*scan));
    QVERIFY((back->geometry.matrix == Index3{64, 64, 1}));
    QCOMPARE(choiceOn(*back, "k-unit"), std::string("cycles/FOV"));
    QVERIFY(largestDifference(back->trajectory(0).points, scan->trajectory(0).points) < 1e-5);
  }
  void matrixTooSmallIsEnlarged() {
    const auto scan = radialScan();
    TestSpace space = spaceOf(*scan);
    space.x = space.y = 32;
    const auto back = read(headerText(space, space), acquisitionsOf(*scan));
    QVERIFY((back->geometry.matrix == Index3{64, 64, 1}));
    QVERIFY(!back->warnings.empty());
    QVERIFY(largestDifference(back->trajectory(0).points, scan->trajectory(0).points) < 1e-5);
  }
  void missingReconSpaceIsReplaced() {
    const auto scan = radialScan();
    const auto back = read(headerText(spaceOf(*scan), TestSpace{0, 0, 1, 0, 0, 0}), acquisitionsOf(*scan));
    QVERIFY((back->geometry.matrix == Index3{64, 64, 1}));
    QVERIFY((back->geometry.fov == Vec3{240, 240, 5}));
  }
  void missingFieldOfViewIsNominal() {
    const auto scan = radialScan();
    const TestSpace space{64, 64, 1, 0, 0, 0};
    const auto back = read(headerText(space, space), acquisitionsOf(*scan));
    QVERIFY((back->geometry.fov == Vec3{64, 64, 1}));
    QVERIFY(back->geometry.nominal);
  }
  void metresAreNoticed() {
    const auto scan = radialScan();
    const TestSpace space{64, 64, 1, 0.24, 0.24, 0.005};
    const auto back = read(headerText(space, space), acquisitionsOf(*scan));
    for (std::size_t i = 0; i < 3; ++i)
      QVERIFY(std::abs(back->geometry.fov[i] - scan->geometry.fov[i]) < 1e-4);
  }
  void matrixCanBeOverridden() {
    const auto scan = radialScan();
    const auto back = read(*scan, acquisitionsOf(*scan), {{"matrix", "96x80"}, {"fov", "200x100"}});
    QVERIFY((back->geometry.matrix == Index3{96, 80, 1}));
    QVERIFY((back->geometry.fov == Vec3{200, 100, 5}));
  }

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

  // --- what writeScan writes
  void writtenScansReadBack() {
    const std::filesystem::path file = folder_.filePath("written.h5").toStdString();
    for (const auto& scan : {radialScan(64, 3, 2), volumeScan()})
      for (const bool weights : {false, true}) {
        writeScan(*scan, file, Progress(), weights);
        const auto back = readScan(file, ReadOptions(), Progress());
        QCOMPARE(back->frames, scan->frames);
        QCOMPARE(back->coils, scan->coils);
        QCOMPARE(back->trajectories.size(), std::size_t(1));
        QVERIFY(back->geometry.matrix == scan->geometry.matrix);
        QVERIFY(back->geometry.fov == scan->geometry.fov);
        QVERIFY(largestDifference(back->trajectory(0).points, scan->trajectory(0).points) < 1e-5);
        QVERIFY(largestDifference(back->trajectory(0).times, scan->trajectory(0).times) < 1e-9);
        QCOMPARE(back->samples[0], scan->samples[0]);
        QCOMPARE(back->samples.back(), scan->samples.back());
        QCOMPARE(back->noise, scan->noise);
        QCOMPARE(back->trajectory(0).weights.empty(), !weights);
        if (weights)
          QVERIFY(largestDifference(back->trajectory(0).weights, scan->trajectory(0).weights) < 1e-3);
        QVERIFY(back->warnings.empty());
      }
  }
};

SPOKELAB_TEST(TestReadDecisions)
#include "test_read_decisions.moc"
