// The N/2 ghost of EPI: shift and phase between odd and even lines are found by navigators and from
// the image itself, and the image is then the object.
#include <QtTest>

#include <cmath>
#include <numbers>
#include <random>

#include "engine/scan/read/correct/ghost_fit.h"
#include "engine/scan/read/read_scan.h"
#include "tests/engine/scan/array_folder.h"
#include "tests/engine/scan/twix_file.h"
#include "tests/test_main.h"

namespace test_epi_ghost {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr int base = 32, lines = 32, samples = 64, coils = 2;
constexpr double twoPi = 2 * std::numbers::pi;
constexpr int phaseCorrection = 21, reflected = 24;
const std::vector<GhostPhase> injected = {{0.35, 0.8}, {0.35, 1.1}};  // of each slice

// Two discs and a bar off the centre, with a smooth phase, through a coil.
cdouble objectAt(int x, int y, int coil) {
  const double u = (x - base / 2) / double(base), v = (y - lines / 2) / double(lines);
  double value = 0;
  if (std::hypot(u - 0.06, v + 0.05) < 0.3) value += 1;
  if (std::hypot(u + 0.1, v - 0.05) < 0.1) value += 0.8;
  if (std::abs(u - 0.15) < 0.03 && std::abs(v + 0.1) < 0.12) value -= 0.5;
  const double near = coil == 0 ? u : -u;
  return std::polar(value * (1 + near), 0.5 * u - 0.7 * v + 0.4 * coil);
}

// The signal at a point of k-space of the reader's sign.
cdouble signalAt(double kx, double ky, int coil) {
  static std::vector<cdouble> object[coils];
  if (object[coil].empty())
    for (int y = 0; y < lines; ++y)
      for (int x = 0; x < base; ++x) object[coil].push_back(objectAt(x, y, coil));
  cdouble sum = 0;
  for (int y = 0; y < lines; ++y) {
    cdouble row = 0;
    const cdouble step = std::polar(1.0, -twoPi * kx / base);
    cdouble wave = std::polar(1.0, twoPi * kx / 2);
    for (int x = 0; x < base; ++x, wave *= step) row += object[coil][std::size_t(y * base + x)] * wave;
    sum += row * std::polar(1.0, -twoPi * ky * (y - lines / 2) / lines);
  }
  return sum;
}

// A line as the scanner stores it; the reader takes its points for the ones without the shift.
TestLine lineOf(int number, bool backwards, int slice, double noise, bool navigator) {
  static std::mt19937 random(3);
  std::normal_distribution<double> normal(0, noise);
  TestLine line;
  line.counters[0] = std::uint16_t(number);
  line.counters[2] = std::uint16_t(slice);
  line.centreLine = lines / 2;
  line.centreSample = samples / 2;
  line.position = {0, 0, float(10 * slice)};
  if (backwards) line.flags |= twixBit(reflected);
  if (navigator) line.flags |= twixBit(phaseCorrection);
  const GhostPhase& ghost = injected[std::size_t(slice)];
  for (int c = 0; c < coils; ++c) {
    line.coils.emplace_back();
    for (int i = 0; i < samples; ++i) {
      const double assumed = -0.5 * ((backwards ? samples - 1 - i : i) - samples / 2);
      // Siemens' k is negated: lines that are not flagged fall.
      const double sign = backwards ? 1 : -1;
      const double ky = navigator ? 0 : -(number - lines / 2);
      const cdouble value =
          signalAt(assumed + sign * ghost.shift / 2, ky, c) * std::polar(1.0, -sign * ghost.phase / 2);
      line.coils.back().push_back(cfloat(value + cdouble(normal(random), normal(random))));
    }
  }
  return line;
}

TestMeasurement epi(double noise, bool withNavigators, int slices) {
  TestMeasurement m{twixProtocol(base, lines, 240, 4), twixNested, "epi", {}, true};
  for (int z = 0; z < slices; ++z) {
    for (int n = 0; withNavigators && n < 3; ++n)
      m.lines.push_back(lineOf(lines / 2, n != 1, z, noise, true));
    for (int l = 0; l < lines; ++l) m.lines.push_back(lineOf(l, l % 2 == 1, z, noise, false));
  }
  return m;
}

const Decision& ghostOf(const Scan& scan) {
  for (const Decision& d : scan.decisions)
    if (d.topic == "ghost") return d;
  qFatal("no decision about the ghost");
}

// Relative error of the image of a coil.
double imageError(const Scan& scan, int slice, int coil) {
  const Trajectory& t = scan.trajectory(0);
  double error = 0, norm = 0;
  for (int y = 0; y < lines; ++y)
    for (int x = 0; x < base; ++x) {
      cdouble sum = 0;
      for (std::int64_t j = 0; j < t.samples(); ++j) {
        const double kx = t.points[std::size_t(2 * j)], ky = t.points[std::size_t(2 * j + 1)];
        const double turns = kx * (x - base / 2) / base + ky * (y - lines / 2) / lines;
        sum += cdouble(scan.data(0, slice, coil)[j]) * std::polar(0.5 / (base * lines), twoPi * turns);
      }
      error += std::norm(sum - objectAt(x, y, coil));
      norm += std::norm(objectAt(x, y, coil));
    }
  return std::sqrt(error / norm);
}

// Shift that the reader has taken away: k of the first line, whose first sample is known.
double shiftOf(const Scan& scan) {
  return -2 * (scan.trajectory(0).points[0] - 0.5 * samples / 2);
}

}  // namespace

class TestEpiGhost : public QObject, private ArrayFolder {
  Q_OBJECT

 private:
  std::shared_ptr<const Scan> read(const TestMeasurement& m, const std::string& ghost) {
    write("epi.dat", TwixWriter(TwixStyle::vd).file({m}));
    ReadOptions options;
    if (!ghost.empty()) options.overrides["ghost"] = ghost;
    return readScan(path("epi.dat"), options, Progress());
  }

 private slots:
  void init() { renew(); }

  void nobodyAsks() {
    const auto scan = read(epi(0, true, 1), "");
    const Decision& d = ghostOf(*scan);
    QCOMPARE(d.choice, std::string("none"));
    QVERIFY2(d.question && d.evidence.find("by navigators") != std::string::npos, d.evidence.c_str());
    QCOMPARE(d.alternatives, (std::vector<std::string>{"navigators", "data"}));
    QVERIFY(imageError(*scan, 0, 0) > 0.2);
  }

  void found_data() {
    QTest::addColumn<QString>("how");
    QTest::addColumn<bool>("navigators");
    QTest::addColumn<double>("noise");
    QTest::addColumn<double>("tolerance");
    QTest::newRow("navigators") << "navigators" << true << 0.0 << 0.005;
    QTest::newRow("navigators, noise") << "navigators" << true << 2.0 << 0.03;
    QTest::newRow("data") << "data" << false << 0.0 << 0.03;
    QTest::newRow("data, noise") << "data" << false << 2.0 << 0.04;
    QTest::newRow("given") << "0.35,0.8" << false << 0.0 << 1e-6;
  }
  void found() {
    QFETCH(QString, how);
    QFETCH(bool, navigators);
    QFETCH(double, noise);
    QFETCH(double, tolerance);
    const auto scan = read(epi(noise, navigators, 1), how.toStdString());
    const Decision& d = ghostOf(*scan);
    QVERIFY2(std::abs(shiftOf(*scan) - injected[0].shift) < tolerance, d.evidence.c_str());
    const double error = std::max(imageError(*scan, 0, 0), imageError(*scan, 0, 1));
    const double ofNoise = noise * 0.5 * std::sqrt(2.0 * lines * samples) / (base * lines) / 0.4;
    QVERIFY2(error < 0.03 + ofNoise, qPrintable(QString("%1: %2").arg(error).arg(d.evidence.c_str())));
    QVERIFY(d.evidence.find("before") != std::string::npos);
  }

  // The shift is common, the phase each slice's own.
  void slicesHaveTheirPhases() {
    for (const char* how : {"navigators", "data"}) {
      const auto scan = read(epi(0, true, 2), how);
      QCOMPARE(scan->slices, 2);
      for (int z = 0; z < 2; ++z)
        QVERIFY2(
            imageError(*scan, z, 0) < 0.03,
            qPrintable(QString("%1 %2").arg(imageError(*scan, z, 0)).arg(ghostOf(*scan).evidence.c_str())));
    }
  }

  void whatItCannotDoIsSaid() {
    TestMeasurement plain = epi(0, false, 1);
    QVERIFY(reasonOf([&] { read(plain, "navigators"); }).find("no lines for phase correction") !=
            std::string::npos);
    QVERIFY(reasonOf([&] { read(plain, "best"); }).find("no choice") != std::string::npos);
    for (TestLine& line : plain.lines) line.flags = 0;
    QVERIFY(reasonOf([&] { read(plain, "data"); }).find("back and forth") != std::string::npos);
    const auto scan = read(plain, "");
    for (const Decision& d : scan->decisions) QVERIFY(d.topic != "ghost");
  }
};

SPOKELAB_CORE_TEST(TestEpiGhost)

}  // namespace test_epi_ghost

#include "test_epi_ghost.moc"
