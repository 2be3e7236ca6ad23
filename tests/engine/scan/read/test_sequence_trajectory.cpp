// Samples of one file, and the Pulseq sequence they were measured with as their trajectory: the
// scan is the one that a single file holds, its labels count, and a wrong sequence is refused with
// the place where it differs.
#include <QtTest>

#include "engine/core/error.h"
#include "engine/scan/read/read_scan.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/engine/scan/array_folder.h"
#include "tests/engine/scan/hdf5_file.h"
#include "tests/engine/scan/sequence_file.h"
#include "tests/engine/scan/variant_file.h"
#include "tests/test_main.h"

namespace test_sequence_trajectory {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr int shots = 6, samples = 32, coils = 2;

SequenceSpec specOf(bool labels = false) {
  SequenceSpec spec;
  spec.shots = shots;
  spec.samples = samples;
  spec.labels = labels;
  return spec;
}

const Decision* decisionOn(const Scan& scan, const std::string& topic) {
  for (const Decision& d : scan.decisions)
    if (d.topic == topic) return &d;
  return nullptr;
}

}  // namespace

class TestSequenceTrajectory : public QObject, private ArrayFolder {
  Q_OBJECT

 private:
  std::shared_ptr<const Scan> scan_;

  std::shared_ptr<const Scan> read(const std::string& name, const std::string& trajectory) {
    ReadOptions options;
    options.separate.trajectory = path(trajectory);
    return readScan(path(name), options, Progress());
  }
  void compareToSpokes(const Scan& scan, int count) {
    const SequenceSpec spec = specOf();
    const auto& t = scan.trajectory(0);
    QCOMPARE(t.shots(), std::int64_t(count));
    QCOMPARE(t.samples(), std::int64_t(count) * samples);
    for (int n = 0; n < count; ++n)
      for (int j = 0; j < samples; ++j) {
        const double r = radiusOf(spec, j) * spec.fov, angle = n * spec.angle;
        const double* const k = t.points.data() + 2 * (n * samples + j);
        QVERIFY(std::abs(k[0] - r * std::cos(angle)) < 1e-5);
        QVERIFY(std::abs(k[1] - r * std::sin(angle)) < 1e-5);
      }
  }

 private slots:
  void init() {
    renew();
    SimulateOptions o;
    o.trajectory.matrix = {samples, samples, 1};
    o.trajectory.shots = shots;
    o.trajectory.samplesPerShot = samples;
    o.coils = coils;
    scan_ = simulate(o, Progress());
    std::vector<TestAcquisition> bare = acquisitionsOf(*scan_);
    for (TestAcquisition& a : bare) {
      a.head.trajectory_dimensions = 0;
      a.head.idx.kspace_encode_step_1 = 0;
      a.head.sample_time_us = 0;
      a.trajectory.clear();
    }
    TestSpace space = spaceOf(*scan_);
    space.fovX = space.fovY = 240;
    writeVariant(path("bare.h5"), headerText(space, space), bare);
    write("scan.seq", sequenceText(specOf()));
  }

  void acquisitionsTakeItsReadouts() {
    const auto scan = read("bare.h5", "scan.seq");
    compareToSpokes(*scan, shots);
    QCOMPARE(decisionOn(*scan, "k-unit")->choice, std::string("1/m"));
    QVERIFY(decisionOn(*scan, "trajectory")->evidence.find("6 shots x 32") != std::string::npos);
    QVERIFY(scan->samples == scan_->samples);
    // The dwell time is the sequence's, as the file has none.
    QVERIFY(std::abs(scan->trajectory(0).times[1] - scan->trajectory(0).times[0] - 20e-6) < 1e-9);
  }

  void labelsBecomeFrames() {
    write("labels.seq", sequenceText(specOf(true)));
    const auto scan = read("bare.h5", "labels.seq");
    QVERIFY(decisionOn(*scan, "labels"));
    QCOMPARE(scan->frames, 2);
    QCOMPARE(scan->trajectory(0).shots(), std::int64_t(shots / 2));
    QCOMPARE(scan->trajectories.size(), std::size_t(2));
  }

  // Shots of the second half are the second repetition, whether shots or samples run fastest.
  void labelsOfArraysBecomeFrames_data() {
    QTest::addColumn<bool>("shotsFastest");
    QTest::newRow("samples run fastest") << false;
    QTest::newRow("shots run fastest") << true;
  }
  void labelsOfArraysBecomeFrames() {
    QFETCH(bool, shotsFastest);
    write("labels.seq", sequenceText(specOf(true)));
    std::vector<cfloat> values;
    for (int c = 0; c < coils; ++c)
      for (int i = 0; i < shots * samples; ++i)
        values.push_back(scan_->data(0, 0, c)[shotsFastest ? i % shots * samples + i / shots : i]);
    if (shotsFastest)
      writeNpy("ksp.npy", {coils, samples, shots}, values);
    else
      writeNpy("ksp.npy", {coils, shots, samples}, values);
    const auto scan = read("ksp.npy", "labels.seq");
    QVERIFY(decisionOn(*scan, "labels"));
    QCOMPARE(scan->frames, 2);
    constexpr int half = shots / 2;
    for (int f = 0; f < 2; ++f) {
      QCOMPARE(scan->trajectory(f).shots(), std::int64_t(half));
      for (int c = 0; c < coils; ++c)
        for (int i = 0; i < half * samples; ++i)
          QCOMPARE(scan->data(f, 0, c)[i], scan_->data(0, 0, c)[f * half * samples + i]);
    }
    QVERIFY(std::abs(scan->trajectory(0).times[1] - scan->trajectory(0).times[0] - 20e-6) < 1e-9);
    // The second repetition has the points of the later shots.
    const SequenceSpec spec = specOf();
    const double r = radiusOf(spec, 3) * spec.fov, angle = (half + 1) * spec.angle;
    QVERIFY(std::abs(scan->trajectory(1).points[2 * (samples + 3)] - r * std::cos(angle)) < 1e-5);
  }

  void arraysTakeItsReadouts() {
    writeNpy("ksp.npy", {coils, shots, samples},
             {scan_->data(0, 0, 0), scan_->data(0, 0, 0) + coils * shots * samples});
    const auto scan = read("ksp.npy", "scan.seq");
    compareToSpokes(*scan, shots);
    QVERIFY(scan->samples == scan_->samples);
    QVERIFY(std::abs(scan->geometry.fov[0] - 240) < 1e-6);
  }

  void aWrongSequenceIsRefused() {
    SequenceSpec longer = specOf();
    longer.shots = 8;
    write("longer.seq", sequenceText(longer));
    const std::string more = reasonOf([&] { read("bare.h5", "longer.seq"); });
    QVERIFY2(more.find("8 shots x 32") != std::string::npos &&
                 more.find("the first 6 shots agree") != std::string::npos,
             more.c_str());
    SequenceSpec finer = specOf();
    finer.samples = 40;
    write("finer.seq", sequenceText(finer));
    const std::string other = reasonOf([&] { read("bare.h5", "finer.seq"); });
    QVERIFY2(other.find("differ first in shot 0: 40 samples") != std::string::npos, other.c_str());
  }

  void aSequenceAloneIsNoScan() {
    const std::string reason = reasonOf([&] { readScan(path("scan.seq"), ReadOptions(), Progress()); });
    QVERIFY2(reason.find("Pulseq sequence, without samples") != std::string::npos, reason.c_str());
  }
};

SPOKELAB_CORE_TEST(TestSequenceTrajectory)

}  // namespace test_sequence_trajectory

#include "test_sequence_trajectory.moc"
