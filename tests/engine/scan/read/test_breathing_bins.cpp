// Shots of a breathing phantom are put into bins of the same state of breathing, by the samples at
// the centre of k-space or by a file; what cannot be is refused.
#include <QtTest>
#include <cmath>

#include "engine/core/error.h"
#include "engine/scan/read/shots/breathing_signal.h"
#include "engine/scan/simulate/breathing.h"
#include "tests/engine/scan/read/variant_reader.h"
#include "tests/test_main.h"

namespace test_breathing_bins {

using namespace spokelab;
using namespace spokelab::test;

namespace {

SimulateOptions breathing(int shots) {
  SimulateOptions o;
  o.trajectory.pattern = Pattern::goldenRadial2d;
  o.trajectory.matrix = {32, 32, 1};
  o.trajectory.shots = shots;
  o.coils = 4;
  o.noise = 0.02;
  o.breathingMm = 15;
  o.breathShots = 37;
  return o;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  double ma = 0, mb = 0, aa = 0, bb = 0, ab = 0;
  for (std::size_t i = 0; i < a.size(); ++i) ma += a[i] / double(a.size()), mb += b[i] / double(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    aa += (a[i] - ma) * (a[i] - ma);
    bb += (b[i] - mb) * (b[i] - mb);
    ab += (a[i] - ma) * (b[i] - mb);
  }
  return ab / std::sqrt(aa * bb);
}

}  // namespace

class TestBreathingBins : public QObject, private VariantReader {
  Q_OBJECT

  std::string reasonOf(const Scan& scan, const std::map<std::string, std::string>& choices) {
    try {
      read(scan, acquisitionsOf(scan), choices);
    } catch (const Error& e) {
      return e.reason();
    }
    return "no error";
  }
  QString fileOf(const char* text) {
    const QString path = folder_.filePath(QStringLiteral("bins.txt"));
    QFile file(path);
    if (file.open(QIODevice::WriteOnly)) file.write(text);
    return path;
  }
  QTemporaryDir folder_;

 private Q_SLOTS:
  // A moved object is the object's k-space times a phase: one coil without frequencies.
  void thePhantomMoves() {
    SimulateOptions o = breathing(40);
    o.coils = 1;
    o.noise = 0;
    const auto moved = simulate(o, {});
    o.breathingMm = 0;
    const auto still = simulate(o, {});
    const Trajectory& t = still->trajectory(0);
    const std::vector<double> shifts = breathingShifts(breathing(40), t.shots(), 220);
    QVERIFY(shifts[0] == 0 && *std::max_element(shifts.begin(), shifts.end()) > 0.99 * 15 / 220);
    double apart = 0, whole = 0;
    for (std::int64_t s = 0; s < t.shots(); ++s)
      for (std::int64_t j = t.shotOffsets[std::size_t(s)]; j < t.shotOffsets[std::size_t(s) + 1]; ++j) {
        const cdouble turned = cdouble(still->data(0, 0, 0)[j]) *
                               std::polar(1.0, -2 * std::numbers::pi * t.points[std::size_t(2 * j + 1)] *
                                                   shifts[std::size_t(s)]);
        apart += std::norm(cdouble(moved->data(0, 0, 0)[j]) - turned);
        whole += std::norm(turned);
      }
    QVERIFY(apart < 1e-10 * whole);
  }

  void theSignalFollowsTheBreath() {
    const auto scan = simulate(breathing(300), {});
    const BreathingSignal signal = breathingSignal(*scan, "test");
    const double follows = std::abs(correlation(signal.values, breathingShifts(breathing(300), 300, 220)));
    QVERIFY2(follows > 0.9, qPrintable(QString::number(follows)));
    QCOMPARE(signal.centred, std::int64_t(300));
    QVERIFY2(std::abs(signal.breaths - 8) <= 2, qPrintable(QString::number(signal.breaths)));
  }

  void binsHaveEqualCountsInTheOrderOfTheBreath() {
    const auto scan = simulate(breathing(300), {});
    const auto binned = read(*scan, acquisitionsOf(*scan), {{"breathing", "4"}});
    QCOMPARE(binned->frames, 4);
    QCOMPARE(choiceOn(*binned, "bins"), std::string("4 frames"));
    QVERIFY(binned->frameAxes.find(FrameMeaning::phase).has_value());
    const auto* bins = &binned->arrays.back();
    QCOMPARE(bins->name, std::string("BreathingBins"));
    const std::vector<double> shifts = breathingShifts(breathing(300), 300, 220);
    std::vector<double> means(4);
    for (std::size_t s = 0; s < 300; ++s) means[std::size_t(bins->values[s].real())] += shifts[s] / 75;
    if (means.front() > means.back()) std::reverse(means.begin(), means.end());
    QVERIFY(std::is_sorted(means.begin(), means.end()));
    QVERIFY(means.back() > 3 * means.front());
    for (int f = 0; f < 4; ++f) {
      QCOMPARE(binned->trajectory(f).shots(), std::int64_t(75));
      std::int64_t at = 0;  // the shots keep their samples
      for (int s = 0; s < 300; ++s) {
        if (int(bins->values[std::size_t(s)].real()) != f) continue;
        const std::int64_t first = scan->trajectory(0).shotOffsets[std::size_t(s)];
        QVERIFY(binned->data(f, 0, 1)[at] == scan->data(0, 0, 1)[first]);
        at += scan->trajectory(0).shotOffsets[std::size_t(s) + 1] - first;
      }
    }
    const auto one = read(*scan, acquisitionsOf(*scan), {{"breathing", "4"}, {"read-frames", "2"}});
    QCOMPARE(one->frames, 1);
    QVERIFY(std::equal(one->samples[0].begin(), one->samples[0].end(), binned->samples[2].begin()));
  }

  void aFileSaysTheBins() {
    const auto scan = simulate(breathing(10), {});
    const QString path = fileOf("0 1 0 1 0 1\n-1 -1\n2 2\n");
    const auto binned = read(*scan, acquisitionsOf(*scan), {{"breathing", path.toStdString()}});
    QCOMPARE(binned->frames, 3);
    QCOMPARE(binned->trajectory(0).shots(), std::int64_t(3));
    QCOMPARE(binned->trajectory(2).shots(), std::int64_t(2));
    QVERIFY(decisionOn(*binned, "bins")->evidence.find("2 shots left out") != std::string::npos);
  }

  void whatCannotBeIsRefused() {
    const auto scan = simulate(breathing(10), {});
    const auto withFile = [&](const char* text) {
      return reasonOf(*scan, {{"breathing", fileOf(text).toStdString()}});
    };
    QVERIFY(reasonOf(*scan, {{"breathing", "1"}}).find("not possible") != std::string::npos);
    QVERIFY(reasonOf(*scan, {{"breathing", "11"}}).find("not possible") != std::string::npos);
    QVERIFY(reasonOf(*scan, {{"breathing", "nowhere.txt"}}).find("neither") != std::string::npos);
    QVERIFY(withFile("0 1 0").find("has 3 bins") != std::string::npos);
    QVERIFY(withFile("0 1 0 1 0 1 0 1 0 1 0").find("more") != std::string::npos);
    QVERIFY(withFile("0 1 a").find("not a bin") != std::string::npos);
    QVERIFY(withFile("0 0 0 0 0 2 2 2 2 2").find("bin 1 has no shots") != std::string::npos);
    QVERIFY(withFile("-1 -1 -1 -1 -1 -1 -1 -1 -1 -1").find("no shot") != std::string::npos);
    QVERIFY(reasonOf(*scan, {{"breathing", "2"}, {"sliding-window", "5"}}).find("one frame") !=
            std::string::npos);
  }
};

SPOKELAB_TEST(TestBreathingBins)

}  // namespace test_breathing_bins

#include "test_breathing_bins.moc"
