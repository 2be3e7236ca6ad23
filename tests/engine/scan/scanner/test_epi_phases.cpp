// The ghost of EPI where each coil has a phase of its own, and in volumes: shift and phases are
// found, and the image is then the object.
#include <QtTest>

#include <cmath>
#include <numbers>
#include <random>

#include "engine/scan/read/correct/epi_shots.h"
#include "engine/scan/read/read_scan.h"
#include "tests/engine/scan/array_folder.h"
#include "tests/engine/scan/twix_file.h"
#include "tests/test_main.h"

namespace test_epi_phases {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr int base = 20, lines = 20, samples = 40, coils = 3;
constexpr double twoPi = 2 * std::numbers::pi;
constexpr int phaseCorrection = 21, reflected = 24;
constexpr double injectedShift = 0.3;

struct Experiment {
  std::vector<double> phases = std::vector<double>(coils, 0.7);  // rad, of each coil
  int partitions = 1;
  double noise = 0;
  bool navigators = true;
  std::string ghost = "navigators", who;
};

// Discs off the centre with a smooth phase through a coil; z from -1/2.
cdouble objectAt(double u, double v, double z, int coil) {
  double value = 0;
  if (std::hypot(u - 0.06, v + 0.05) < 0.3) value += 1;
  if (std::hypot(u + 0.1, v - 0.05) < 0.1) value += 0.8 - z;
  const double near = coil == 0 ? u : coil == 1 ? -u : v;
  return std::polar(value * (1 + near) * (1 - 0.6 * std::abs(z + 0.1)), 0.5 * u - 0.7 * v + 0.4 * coil);
}

double placeOf(int i, int count) {
  return double(i - count / 2) / count;
}

cdouble signalAt(double kx, double ky, double kz, int coil, int partitions) {
  cdouble sum = 0;
  for (int z = 0; z < partitions; ++z)
    for (int y = 0; y < lines; ++y) {
      cdouble row = 0, wave = std::polar(1.0, -twoPi * kx * placeOf(0, base));
      const cdouble step = std::polar(1.0, -twoPi * kx / base);
      for (int x = 0; x < base; ++x, wave *= step)
        row += objectAt(placeOf(x, base), placeOf(y, lines), placeOf(z, partitions), coil) * wave;
      sum += row * std::polar(1.0, -twoPi * (ky * placeOf(y, lines) + kz * placeOf(z, partitions)));
    }
  return sum;
}

TestLine lineOf(const Experiment& e, int number, int partition, bool backwards, bool navigator) {
  static std::mt19937 random(3);
  std::normal_distribution<double> normal(0, e.noise);
  TestLine line;
  line.counters[0] = std::uint16_t(number);
  line.counters[3] = std::uint16_t(partition);
  line.centreLine = lines / 2;
  line.centrePartition = std::uint16_t(e.partitions / 2);
  line.centreSample = samples / 2;
  if (backwards) line.flags |= twixBit(reflected);
  if (navigator) line.flags |= twixBit(phaseCorrection);
  const double sign = backwards ? 1 : -1;  // Siemens' k is negated
  for (int c = 0; c < coils; ++c) {
    line.coils.emplace_back();
    for (int i = 0; i < samples; ++i) {
      const double assumed = -0.5 * ((backwards ? samples - 1 - i : i) - samples / 2);
      const double ky = navigator ? 0 : lines / 2 - number, kz = e.partitions / 2 - partition;
      const cdouble value = signalAt(assumed + sign * injectedShift / 2, ky, kz, c, e.partitions) *
                            std::polar(1.0, -sign * e.phases[std::size_t(c)] / 2);
      line.coils.back().push_back(cfloat(value + cdouble(normal(random), normal(random))));
    }
  }
  return line;
}

TestMeasurement epi(const Experiment& e) {
  const std::string volume =
      "sKSpace.ucDimension = 0x4\nsKSpace.lPartitions = " + std::to_string(e.partitions) +
      "\nsKSpace.lImagesPerSlab = " + std::to_string(e.partitions) + "\n";
  TestMeasurement m{twixProtocol(base, lines, 240, e.partitions > 1 ? 10.0 * e.partitions : 4,
                                 e.partitions > 1 ? volume : ""),
                    twixNested,
                    "epi",
                    {},
                    true};
  for (int z = 0; z < e.partitions; ++z) {
    for (int n = 0; e.navigators && n < 3; ++n) m.lines.push_back(lineOf(e, lines / 2, z, n != 1, true));
    for (int l = 0; l < lines; ++l) m.lines.push_back(lineOf(e, l, z, l % 2 == 1, false));
  }
  return m;
}

const Decision* decisionOf(const Scan& scan, const std::string& topic) {
  for (const Decision& d : scan.decisions)
    if (d.topic == topic) return &d;
  return nullptr;
}

// Relative error of a coil's image.
double imageError(const Scan& scan, int coil, int partitions) {
  const Trajectory& t = scan.trajectory(0);
  double error = 0, norm = 0;
  // Every other plane and line tells: the ghost moves by half the lines, an even number.
  for (int z = 0; z < partitions; z += 2)
    for (int y = 0; y < lines; y += 2)
      for (int x = 0; x < base; ++x) {
        cdouble sum = 0;
        for (std::int64_t j = 0; j < t.samples(); ++j) {
          const double* const k = t.points.data() + j * t.dims;
          double turns = k[0] * placeOf(x, base) + k[1] * placeOf(y, lines);
          if (t.dims > 2) turns += k[2] * placeOf(z, partitions);
          sum += cdouble(scan.data(0, 0, coil)[j]) *
                 std::polar(0.5 / (base * lines * partitions), twoPi * turns);
        }
        const cdouble truth = objectAt(placeOf(x, base), placeOf(y, lines), placeOf(z, partitions), coil);
        error += std::norm(sum - truth);
        norm += std::norm(truth);
      }
  return std::sqrt(error / norm);
}

double worstError(const Scan& scan, int partitions) {
  double worst = 0;
  for (int c = 0; c < coils; ++c) worst = std::max(worst, imageError(scan, c, partitions));
  return worst;
}

// k of the first line is known but for the shift.
double shiftOf(const Scan& scan) {
  return -2 * (scan.trajectory(0).points[0] - 0.5 * samples / 2);
}

}  // namespace

class TestEpiPhases : public QObject, private ArrayFolder {
  Q_OBJECT

 private:
  std::shared_ptr<const Scan> read(const Experiment& e) {
    write("epi.dat", TwixWriter(TwixStyle::vd).file({epi(e)}));
    ReadOptions options;
    options.overrides["ghost"] = e.ghost;
    if (!e.who.empty()) options.overrides["ghost-phases"] = e.who;
    return readScan(path("epi.dat"), options, Progress());
  }

 private slots:
  void init() { renew(); }

  void coilsHaveTheirPhases_data() {
    QTest::addColumn<QString>("ghost");
    QTest::addColumn<double>("noise");
    QTest::addColumn<double>("tolerance");
    QTest::newRow("navigators") << "navigators" << 0.0 << 0.015;
    QTest::newRow("navigators, noise") << "navigators" << 0.2 << 0.05;
    QTest::newRow("data") << "data" << 0.0 << 0.06;
  }
  void coilsHaveTheirPhases() {
    QFETCH(QString, ghost);
    QFETCH(double, noise);
    QFETCH(double, tolerance);
    Experiment e;
    e.phases = {0.3, 1.1, 0.7};
    e.ghost = ghost.toStdString();
    e.noise = noise;
    e.navigators = e.ghost == "navigators";
    const double shared = worstError(*read(e), 1);
    e.who = "coils";
    const auto scan = read(e);
    const double own = worstError(*scan, 1);
    const std::string& evidence = decisionOf(*scan, "ghost")->evidence;
    QVERIFY2(shared > 0.15 && own < tolerance,
             qPrintable(QString("%1 %2 %3").arg(shared).arg(own).arg(evidence.c_str())));
    QVERIFY2(std::abs(shiftOf(*scan) - injectedShift) < 0.04, evidence.c_str());
  }

  void aQuestionWhereCoilsDiffer() {
    Experiment e;
    const auto same = read(e);
    const Decision* d = decisionOf(*same, "ghost-phases");
    QVERIFY(d && d->choice == "slices" && !d->question);
    QCOMPARE(d->alternatives, std::vector<std::string>{"coils"});
    e.phases = {0.3, 1.1, 0.7};
    const auto differ = read(e);
    QVERIFY(decisionOf(*differ, "ghost-phases")->question);
  }

  void volumes_data() {
    QTest::addColumn<QString>("ghost");
    QTest::addColumn<bool>("byCoil");
    QTest::addColumn<double>("tolerance");
    QTest::newRow("navigators") << "navigators" << false << 0.015;
    QTest::newRow("data") << "data" << false << 0.06;
    QTest::newRow("given") << "0.3,0.7" << false << 1e-4;
    QTest::newRow("navigators, coils") << "navigators" << true << 0.015;
  }
  void volumes() {
    QFETCH(QString, ghost);
    QFETCH(bool, byCoil);
    QFETCH(double, tolerance);
    Experiment e;
    e.partitions = 4;
    e.navigators = ghost == "navigators";
    e.ghost = ghost.toStdString();
    if (byCoil) {
      e.phases = {0.3, 1.1, 0.7};
      e.who = "coils";
    }
    const auto scan = read(e);
    QCOMPARE(scan->dims(), 3);
    const double error = worstError(*scan, e.partitions);
    const std::string& evidence = decisionOf(*scan, "ghost")->evidence;
    QVERIFY2(error < tolerance, qPrintable(QString("%1: %2").arg(error).arg(evidence.c_str())));
    QVERIFY(evidence.find("before") != std::string::npos);
    e.ghost = "none";
    e.who.clear();
    QVERIFY(worstError(*read(e), e.partitions) > 0.2);
  }

  void numbersAreForAllCoils() {
    Experiment e;
    e.ghost = "0.3,0.7";
    e.who = "coils";
    QVERIFY(reasonOf([&] { read(e); }).find("all coils share") != std::string::npos);
  }

  // Trains that change the partition from line to line have no partition with lines of both kinds.
  void centralPartition() {
    std::vector<EpiShot> shots;
    for (int z = -1; z <= 1; ++z)
      for (int y = 0; y < 8; ++y) shots.push_back({0, 2, double(y), double(z), y % 2 == 1});
    QCOMPARE(centralShots(shots).size(), std::size_t(8));
    for (EpiShot& s : shots) s.falls = s.kz != 0;
    QVERIFY(centralShots(shots).empty());
  }
};

SPOKELAB_CORE_TEST(TestEpiPhases)

}  // namespace test_epi_phases

#include "test_epi_phases.moc"
