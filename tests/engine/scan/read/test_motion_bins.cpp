// Bins of breathing and heartbeat follow the motion of a simulated subject by each of their
// sources: traces of the physiological unit, and the centre of k-space.
#include <QtTest>
#include <cmath>
#include <numbers>

#include "engine/core/error.h"
#include "engine/scan/formats/acquisitions/write_scan.h"
#include "engine/scan/read/shots/motion_bins.h"
#include "engine/scan/simulate/breathing.h"
#include "engine/scan/simulate/heartbeat.h"
#include "tests/engine/scan/read/variant_reader.h"
#include "tests/test_main.h"

namespace test_motion_bins {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr int breath = 73, beat = 17;  // shots: 3.65 s and 0.85 s

SimulateOptions moving(int shots) {
  SimulateOptions o;
  o.trajectory.pattern = Pattern::goldenRadial2d;
  o.trajectory.matrix = {32, 32, 1};
  o.trajectory.shots = shots;
  o.coils = 4;
  o.noise = 0.01;
  o.breathingMm = 15;
  o.breathShots = breath;
  o.heartShots = beat;
  return o;
}

const NamedArray& arrayOf(const Scan& scan, const char* name) {
  for (const NamedArray& array : scan.arrays)
    if (array.name == name) return array;
  throw Error("test", std::string("no array ") + name, "");
}

// The length of the mean of e^{2 pi i (signal - phase)}: 1 where they differ by a constant.
double together(const NamedArray& signal, const std::vector<double>& phases) {
  cdouble sum = 0;
  for (std::size_t s = 0; s < phases.size(); ++s)
    sum += std::polar(1.0, 2 * std::numbers::pi * (double(signal.values[s].real()) - phases[s]));
  return std::abs(sum) / double(phases.size());
}

}  // namespace

class TestMotionBins : public QObject, private VariantReader {
  Q_OBJECT

  std::shared_ptr<const Scan> readAgain(const Scan& scan, const std::map<std::string, std::string>& choices) {
    const std::filesystem::path file = folder_.filePath("moving.h5").toStdString();
    writeScan(scan, file, {});
    ReadOptions options;
    options.overrides = choices;
    return readScan(file, options, Progress());
  }
  std::string reasonOf(const Scan& scan, const std::map<std::string, std::string>& choices) {
    try {
      readAgain(scan, choices);
    } catch (const Error& e) {
      return e.reason();
    }
    return "no error";
  }

 private Q_SLOTS:
  void tracesAreWrittenAndRead() {
    const auto scan = simulate(moving(200), {});
    const auto again = readAgain(*scan, {});
    for (const char* name : {"PMU RESP", "PMU ECG"}) {
      const NamedArray &made = arrayOf(*scan, name), &found = arrayOf(*again, name);
      QCOMPARE(found.shape, made.shape);
      const auto count = std::size_t(made.shape[1]);
      for (std::size_t i = 0; i < count; ++i) {
        QVERIFY(std::abs(found.values[i].real() - made.values[i].real()) < 2e-3F);
        QVERIFY(found.values[count + i] == made.values[count + i]);
      }
    }
    QCOMPARE(again->shotTimes.size(), std::size_t(1));
    QVERIFY(largestDifference(again->shotTimes[0], scan->shotTimes[0]) < 2e-3);
    // A file of ours with traces may be made again.
    QVERIFY(readAgain(*scan, {}) != nullptr);
  }

  // The heart is widest at phase 0, where the ECG has its peak, and smallest half a beat later.
  void theHeartBeats() {
    SimulateOptions o = moving(2 * beat);
    o.breathingMm = o.noise = 0;
    o.coils = 1;
    const auto scan = simulate(o, {});
    const Trajectory& t = scan->trajectory(0);
    const auto centre = [&](int shot) {
      std::int64_t nearest = t.shotOffsets[std::size_t(shot)];
      for (std::int64_t j = nearest; j < t.shotOffsets[std::size_t(shot) + 1]; ++j)
        if (std::hypot(t.points[std::size_t(2 * j)], t.points[std::size_t(2 * j + 1)]) <
            std::hypot(t.points[std::size_t(2 * nearest)], t.points[std::size_t(2 * nearest + 1)]))
          nearest = j;
      return std::abs(scan->data(0, 0, 0)[nearest]);
    };
    for (int s = 1; s < beat; ++s) QVERIFY(centre(s) < centre(0));
    QVERIFY(std::abs(centre(beat) - centre(0)) < 1e-6F * centre(0));
    QVERIFY(centre(beat / 2) < centre(2) && centre(beat / 2) < centre(beat - 2));
  }

  void binsOfTheBeltAreOrderedByTheShift() {
    const auto binned =
        readAgain(*simulate(moving(300), {}), {{"breathing", "3"}, {"breathing-signal", "pmu"}});
    QCOMPARE(binned->frames, 3);
    const NamedArray& bins = arrayOf(*binned, motionBinsName);
    const std::vector<double> shifts = breathingShifts(moving(300), 300, 220);
    std::vector<double> most(3, 0), least(3, 1);
    for (std::size_t s = 0; s < 300; ++s) {
      const auto bin = std::size_t(bins.values[s].real());
      most[bin] = std::max(most[bin], shifts[s]);
      least[bin] = std::min(least[bin], shifts[s]);
    }
    constexpr double tie = 2e-3;  // of the field of view: shots at the edge of two bins
    QVERIFY(least[1] > most[0] - tie && least[2] > most[1] - tie);
    for (int f = 0; f < 3; ++f) QCOMPARE(binned->trajectory(f).shots(), std::int64_t(100));
    QVERIFY(decisionOn(*binned, "breathing")->evidence.find("RESP") != std::string::npos);
  }

  void phasesOfTheHeartFollowTheBeat_data() {
    QTest::addColumn<QString>("source");
    QTest::addColumn<double>("least");
    QTest::newRow("pmu") << QStringLiteral("pmu") << 0.999;
    QTest::newRow("ssa-fary") << QStringLiteral("ssa-fary") << 0.95;
  }
  void phasesOfTheHeartFollowTheBeat() {
    QFETCH(QString, source);
    QFETCH(double, least);
    const auto binned =
        readAgain(*simulate(moving(600), {}), {{"heart", "6"}, {"heart-signal", source.toStdString()}});
    QCOMPARE(binned->frames, 6);
    const double follows = together(arrayOf(*binned, heartSignalName), heartPhases(moving(600), 600));
    QVERIFY2(follows > least, qPrintable(QString::number(follows)));
    for (int f = 0; f < 6; ++f) QCOMPARE(binned->trajectory(f).shots(), std::int64_t(100));
  }

  void theBreathIsFoundBesideTheHeart() {
    const auto binned =
        readAgain(*simulate(moving(600), {}), {{"breathing", "4"}, {"breathing-signal", "ssa-fary"}});
    const NamedArray& signal = arrayOf(*binned, breathingSignalName);
    const std::vector<double> shifts = breathingShifts(moving(600), 600, 220);
    double mean = 0, middle = 0, both = 0, own = 0, true_ = 0;
    for (std::size_t s = 0; s < 600; ++s)
      mean += shifts[s] / 600, middle += double(signal.values[s].real()) / 600;
    for (std::size_t s = 0; s < 600; ++s) {
      const double a = shifts[s] - mean, b = double(signal.values[s].real()) - middle;
      both += a * b, own += b * b, true_ += a * a;
    }
    // The pair's first signal may be up to an eighth of a period early or late.
    const double follows = std::abs(both) / std::sqrt(own * true_);
    QVERIFY2(follows > 0.7, qPrintable(QString::number(follows)));
    QVERIFY(decisionOn(*binned, "breathing")->evidence.find("SSA-FARY") != std::string::npos);
  }

  void bothMotionsMakeAGrid() {
    const auto binned = readAgain(*simulate(moving(240), {}),
                                  {{"breathing", "2"}, {"breathing-signal", "pmu"}, {"heart", "3"}});
    QCOMPARE(binned->frames, 6);
    QVERIFY(binned->frameAxes.isGrid());
    QCOMPARE(binned->frameAxes.axes.size(), std::size_t(2));
    QCOMPARE(binned->frameAxes.axes[1].size, 3);
    for (int f = 0; f < 6; ++f) QCOMPARE(binned->trajectory(f).shots(), std::int64_t(40));
    QCOMPARE(choiceOn(*binned, "heart-signal"), std::string("pmu"));
  }

  void whatCannotBeIsRefused() {
    const auto scan = simulate(moving(40), {});
    Scan still = *scan;
    still.arrays.clear();
    QVERIFY(
        reasonOf(still, {{"breathing", "2"}, {"breathing-signal", "pmu"}}).find("no trace of breathing") !=
        std::string::npos);
    QVERIFY(reasonOf(still, {{"heart", "2"}, {"heart-signal", "pmu"}}).find("no trace of the heart") !=
            std::string::npos);
    Scan untimed = *scan;
    untimed.shotTimes.clear();
    QVERIFY(reasonOf(untimed, {{"heart", "2"}}).find("time") != std::string::npos);
    QVERIFY(reasonOf(untimed, {{"heart", "2"}, {"heart-signal", "ssa-fary"}}).find("time") !=
            std::string::npos);
    QVERIFY(reasonOf(*scan, {{"heart", "bins.txt"}}).find("not a number") != std::string::npos);
    QVERIFY(reasonOf(*scan, {{"breathing", "10"}, {"heart", "5"}}).find("not possible") != std::string::npos);
    Scan late = *simulate(moving(200), {});
    for (double& t : late.shotTimes[0]) t *= 10;
    QVERIFY(reasonOf(late, {{"heart", "2"}}).find("covers") != std::string::npos);
  }

  void simulationsThatCannotBeAreRefused() {
    for (const int shots : {1, -3}) {
      SimulateOptions o = moving(20);
      o.heartShots = shots;
      QVERIFY_EXCEPTION_THROWN(simulate(o, {}), Error);
    }
    SimulateOptions o = moving(20);
    o.fingerprint = 4;
    QVERIFY_EXCEPTION_THROWN(simulate(o, {}), Error);
  }
};

SPOKELAB_TEST(TestMotionBins)

}  // namespace test_motion_bins

#include "test_motion_bins.moc"
