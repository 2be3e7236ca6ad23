// Each thing that a file leaves open is found out from the file, with its evidence, and can be
// overridden: unit, columns, matrix and field of view.
#include <QtTest>

#include <cmath>
#include <numbers>

#include "engine/core/error.h"
#include "engine/scan/formats/acquisitions/write_scan.h"
#include "engine/scan/simulate/built_in_scans.h"
#include "tests/engine/scan/read/variant_reader.h"
#include "tests/test_main.h"

namespace test_read_decisions {

using namespace spokelab;
using namespace spokelab::test;

namespace {

class TestReadDecisions : public QObject, private VariantReader {
  Q_OBJECT

 private slots:
  void nameOfTheDemo() {
    QCOMPARE(readScan("demo", ReadOptions(), Progress()).get(), builtInScan(demoName).get());
  }

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
  void negativeFieldOfViewIsNoMissingOne() {
    const auto scan = radialScan();
    const TestSpace space{64, 64, 1, 240, -240, 5};
    const auto back = read(headerText(space, space), acquisitionsOf(*scan));
    QVERIFY((back->geometry.fov == Vec3{240, 240, 5}));
    QVERIFY(!back->geometry.nominal);
    const Decision* d = decisionOn(*back, "fov");
    QVERIFY(d->question);
    QVERIFY(d->evidence.find("-240") != std::string::npos);
    const auto told = read(headerText(space, space), acquisitionsOf(*scan), {{"fov", "200x100"}});
    QVERIFY((told->geometry.fov == Vec3{200, 100, 5}));
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
  // A coordinate in cycles per pixel says where a point lies among the file's own pixels: with
  // another matrix the field of view changes, not the pixel. A field of view that k is counted in
  // stays as it is.
  void anotherMatrixKeepsThePixel_data() {
    QTest::addColumn<QString>("unit");
    QTest::addColumn<double>("factor");  // of cycles/FOV, matrix 64
    QTest::addColumn<bool>("pixelStays");
    QTest::newRow("cycles/pixel") << "cycles/pixel" << 1.0 / 64 << true;
    QTest::newRow("radians/pixel") << "radians/pixel" << 2 * std::numbers::pi / 64 << true;
    QTest::newRow("cycles/FOV") << "cycles/FOV" << 1.0 << false;
  }
  void anotherMatrixKeepsThePixel() {
    QFETCH(QString, unit);
    QFETCH(double, factor);
    QFETCH(bool, pixelStays);
    const auto scan = radialScan();
    auto all = acquisitionsOf(*scan);
    scale(all, factor);
    const std::map<std::string, std::string> matrix = {{"matrix", "96x80"}, {"k-unit", unit.toStdString()}};
    const auto plain = read(*scan, all), changed = read(*scan, all, matrix);
    QVERIFY((changed->geometry.matrix == Index3{96, 80, 1}));
    const Vec3 before = plain->geometry.voxel(), after = changed->geometry.voxel();
    for (std::size_t i = 0; i < 3; ++i) {
      const double kept =
          pixelStays ? after[i] / before[i] : changed->geometry.fov[i] / scan->geometry.fov[i];
      QVERIFY2(std::abs(kept - 1) < 1e-5, qPrintable(QString("axis %1: %2").arg(i).arg(kept)));
    }
    auto both = matrix;
    both["fov"] = "200x100";
    QVERIFY((read(*scan, all, both)->geometry.fov == Vec3{200, 100, 5}));
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

}  // namespace

SPOKELAB_TEST(TestReadDecisions)

}  // namespace test_read_decisions

#include "test_read_decisions.moc"
