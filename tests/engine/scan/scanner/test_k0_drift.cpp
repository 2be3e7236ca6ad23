// The drift of k0: a phase that grows from shot to shot is found at the centre of k-space, also in
// noise and over several turns, and is taken from the samples.
#include <QtTest>

#include <cmath>
#include <numbers>
#include <random>

#include "engine/core/error.h"
#include "engine/scan/formats/acquisitions/write_scan.h"
#include "engine/scan/read/correct/correct_drift.h"
#include "engine/scan/read/read_scan.h"
#include "engine/scan/read/shots/nearest_sample.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/engine/scan/array_folder.h"
#include "tests/test_main.h"

namespace test_k0_drift {

using namespace spokelab;
using namespace spokelab::test;

namespace {

// Spokes whose samples turn by `turns` from the first shot to the last, with noise.
Scan driftingScan(double turns, double snr, Pattern pattern = Pattern::goldenRadial2d) {
  SimulateOptions o;
  o.trajectory.pattern = pattern;
  o.trajectory.matrix = {32, 32, 1};
  o.trajectory.shots = 60;
  o.trajectory.samplesPerShot = 64;
  o.coils = 3;
  Scan scan = *simulate(o, {});
  takeDrift(scan, -turns);
  double energy = 0;
  for (const cfloat& v : scan.samples[0]) energy += double(std::norm(v));
  std::mt19937 random(3);
  std::normal_distribution<float> normal(
      0, snr > 0 ? float(std::sqrt(energy / double(scan.samples[0].size()) / 2) / snr) : 1e-30F);
  for (cfloat& v : scan.samples[0]) v += cfloat(normal(random), normal(random));
  return scan;
}

const Decision* decisionOn(const Scan& scan) {
  for (const Decision& d : scan.decisions)
    if (d.topic == "k0-drift") return &d;
  return nullptr;
}

double distance(const Scan& a, const Scan& b) {
  double difference = 0, sum = 0;
  for (std::size_t i = 0; i < a.samples[0].size(); ++i) {
    difference += double(std::norm(a.samples[0][i] - b.samples[0][i]));
    sum += double(std::norm(a.samples[0][i]));
  }
  return std::sqrt(difference / sum);
}

}  // namespace

class TestK0Drift : public QObject, private ArrayFolder {
  Q_OBJECT

 private slots:
  void init() { renew(); }

  void nearestSamplesAreTheFirstOfEquals() {
    Trajectory t;
    t.dims = 2;
    t.points = {-1.5, 0, -0.5, 0, 0.5, 0, 1.5, 0, 0, 0.8, 0, 2};
    t.shotOffsets = {0, 4, 6};
    QCOMPARE(nearestSample(t, 0, 0.5), std::int64_t(1));
    QCOMPARE(nearestSample(t, 0, 0.4), std::int64_t(-1));
    QCOMPARE(nearestSample(t, 1, 1), std::int64_t(4));
    QCOMPARE(nearestSample(t, 1, 0.5), std::int64_t(-1));
  }

  void driftsAreFound() {
    for (const double turns : {0.0, 0.05, -0.4, 3.2})
      for (const double snr : {0.0, 20.0}) {
        const K0Drift drift = fitDrift(driftingScan(turns, snr));
        QCOMPARE(drift.shots, std::int64_t(60));
        QVERIFY2(std::abs(drift.turns - turns) < (snr > 0 ? 0.01 : 1e-3),
                 qPrintable(QString::number(drift.turns)));
        QVERIFY(turns == 0 || drift.after < drift.before / 3);
      }
  }

  void driftsAreTakenFromTheSamples() {
    const Scan sound = driftingScan(0, 0), drifted = driftingScan(0.3, 0);
    writeScan(drifted, path("scan.h5"), Progress());
    ReadOptions options;
    const auto untouched = readScan(path("scan.h5"), options, Progress());
    QVERIFY(!decisionOn(*untouched) && distance(sound, *untouched) > 0.3);
    for (const char* const choice : {"fit", "0.3"}) {
      options.overrides["k0-drift"] = choice;
      const auto scan = readScan(path("scan.h5"), options, Progress());
      QVERIFY2(distance(sound, *scan) < 2e-3, choice);
      const Decision* const d = decisionOn(*scan);
      QVERIFY(d && d->overridden && d->evidence.find("before") != std::string::npos);
    }
    options.overrides["k0-drift"] = "none";
    QVERIFY(distance(drifted, *readScan(path("scan.h5"), options, Progress())) < 1e-6);
    options.overrides["k0-drift"] = "often";
    QVERIFY_EXCEPTION_THROWN(readScan(path("scan.h5"), options, Progress()), Error);
  }

  // Of shots that pass the centre by, nothing is known.
  void shotsBesideTheCentreAreRefused() {
    Scan scan = driftingScan(0.3, 0);
    for (std::size_t i = 0; i < scan.trajectories[0].points.size(); i += 2)
      scan.trajectories[0].points[i] += 20;
    QCOMPARE(fitDrift(scan).shots, std::int64_t(0));
    QCOMPARE(fitDrift(scan).turns, 0.0);
  }
};

SPOKELAB_CORE_TEST(TestK0Drift)

}  // namespace test_k0_drift

#include "test_k0_drift.moc"
