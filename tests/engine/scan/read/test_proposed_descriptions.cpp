// What is proposed for lone arrays and for files of several makes the scan that they were made
// from, whatever the order of their axes; and what cannot be told is asked.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <random>

#include "engine/scan/read/description/propose_description.h"
#include "engine/scan/read/read_scan.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/engine/scan/array_containers.h"
#include "tests/engine/scan/array_folder.h"
#include "tests/test_main.h"

namespace test_proposed_descriptions {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr std::int64_t shots = 11, samples = 32;

std::shared_ptr<const Scan> radialScan(int coils) {
  SimulateOptions o;
  o.trajectory.pattern = Pattern::goldenRadial2d;
  o.trajectory.matrix = {samples, samples, 1};
  o.trajectory.shots = shots;
  o.coils = coils;
  o.noise = 0.01;
  return simulate(o, Progress());
}

// The scan's samples with their axes in the order of the letters c, s and n (sample), outermost
// first.
std::vector<cfloat> arranged(const Scan& scan, const std::string& order) {
  const auto sizeOf = [&](char axis) { return axis == 'c' ? scan.coils : axis == 's' ? shots : samples; };
  std::vector<cfloat> out;
  std::int64_t n[3] = {};
  for (n[0] = 0; n[0] < sizeOf(order[0]); ++n[0])
    for (n[1] = 0; n[1] < sizeOf(order[1]); ++n[1])
      for (n[2] = 0; n[2] < sizeOf(order[2]); ++n[2]) {
        const auto at = [&](char axis) { return n[order.find(axis) % 3]; };
        out.push_back(scan.data(0, 0, int(at('c')))[at('s') * samples + at('n')]);
      }
  return out;
}
std::vector<std::int64_t> shapeOf(const Scan& scan, const std::string& order) {
  std::vector<std::int64_t> shape;
  for (const char axis : order) shape.push_back(axis == 'c' ? scan.coils : axis == 's' ? shots : samples);
  return shape;
}
std::vector<std::size_t> turned(const std::vector<std::int64_t>& shape) {
  return {shape.rbegin(), shape.rend()};
}
std::vector<float> floats(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

class TestProposedDescriptions : public QObject, private ArrayFolder {
  Q_OBJECT

 private:
  // Opens the scan that is proposed for a file.
  std::shared_ptr<const Scan> proposed(const std::string& name) const {
    const ProposedDescription p = proposeScanDescription(path(name));
    write("proposed.json", scanDescriptionText(p.description));
    return readScan(path("proposed.json"), ReadOptions(), Progress());
  }
  static void compare(const Scan& back, const Scan& scan) {
    QCOMPARE(back.coils, scan.coils);
    QCOMPARE(back.trajectory(0).shotOffsets, scan.trajectory(0).shotOffsets);
    const auto &points = back.trajectory(0).points, &expected = scan.trajectory(0).points;
    QCOMPARE(points.size(), expected.size());
    for (std::size_t i = 0; i < points.size(); ++i) QVERIFY(std::abs(points[i] - expected[i]) < 1e-4);
    QVERIFY(back.samples[0] == scan.samples[0]);
  }
  static std::vector<cfloat> complexPoints(const Scan& scan) {
    const std::vector<double>& points = scan.trajectory(0).points;
    std::vector<cfloat> all;
    for (std::size_t i = 0; i < points.size(); i += 2)
      all.emplace_back(float(points[i]), float(points[i + 1]));
    return all;
  }
  std::string trajectoryBytes(const Scan& scan) const {
    return npyHeader("<f4", {shots, samples, 2}) + bytesOf(floats(scan.trajectory(0).points));
  }

 private slots:
  void init() { renew(); }

  void ordersOfAxes_data() {
    QTest::addColumn<QString>("order");
    for (const char* order : {"csn", "scn", "snc", "ncs", "nsc", "cns"}) QTest::newRow(order) << order;
  }
  void ordersOfAxes() {
    QFETCH(QString, order);
    const auto scan = radialScan(3);
    const std::string axes = order.toStdString();
    write("traj.npy", trajectoryBytes(*scan));
    writeNpy("ksp.npy", shapeOf(*scan, axes), arranged(*scan, axes));
    compare(*proposed("ksp.npy"), *scan);
    compare(*proposed("traj.npy"), *scan);
    // the same indices in the other order of memory
    const std::string backwards(axes.rbegin(), axes.rend());
    write("ksp.npy", npyHeader("<c8", shapeOf(*scan, axes), true) + bytesOf(arranged(*scan, backwards)));
    compare(*proposed("ksp.npy"), *scan);
  }
  void fortranOrderOfTheTrajectory() {
    const auto scan = radialScan(3);
    const std::vector<float> points = floats(scan->trajectory(0).points);
    std::vector<float> stored;
    for (std::int64_t d = 0; d < 2; ++d)
      for (std::int64_t n = 0; n < samples; ++n)
        for (std::int64_t s = 0; s < shots; ++s)
          stored.push_back(points[std::size_t((s * samples + n) * 2 + d)]);
    write("traj.npy", npyHeader("<f4", {shots, samples, 2}, true) + bytesOf(stored));
    writeNpy("ksp.npy", shapeOf(*scan, "csn"), arranged(*scan, "csn"));
    compare(*proposed("ksp.npy"), *scan);
  }
  // As many coils as shots: which axis is which is said to be open.
  void equalSizesAreAQuestion() {
    const auto scan = radialScan(shots);
    write("traj.npy", trajectoryBytes(*scan));
    writeNpy("ksp.npy", shapeOf(*scan, "csn"), arranged(*scan, "csn"));
    const ProposedDescription p = proposeScanDescription(path("ksp.npy"));
    QCOMPARE(p.description.samples.axes, (std::vector<std::string>{"coil", "shot", "sample"}));
    QVERIFY(std::any_of(p.notes.begin(), p.notes.end(), [](const std::string& note) {
      return note.find("shot x coil x sample") != std::string::npos;
    }));
  }

  // One file holds all: opened, it proposes what two would.
  void archive() {
    const auto scan = radialScan(3);
    const std::vector<double> ones(std::size_t(shots * samples), 1.0);
    QVERIFY(
        writeZip(path("scan.npz"),
                 {{"k.npy", trajectoryBytes(*scan)},
                  {"kspace.npy", npyHeader("<c8", shapeOf(*scan, "scn")) + bytesOf(arranged(*scan, "scn"))},
                  {"dcf.npy", npyHeader("<f8", {shots, samples}) + bytesOf(ones)},
                  {"sens.npy", npyHeader("<c8", {3, 32, 32}) + std::string(3 * 32 * 32 * 8, '\0')}},
                 true));
    for (const char* asked : {"scan.npz", "scan.npz:k", "scan.npz:kspace"}) {
      const auto back = proposed(asked);
      compare(*back, *scan);
      QCOMPARE(back->trajectory(0).weights.size(), ones.size());
      QCOMPARE(back->arrays.size(), std::size_t(1));
      QCOMPARE(back->arrays[0].name, std::string("SENSEMap"));
    }
  }
  // The samples in an archive, the trajectory beside it.
  void archiveAndItsNeighbour() {
    const auto scan = radialScan(3);
    QVERIFY(writeZip(path("raw.npz"),
                     {{"raw.npy", npyHeader("<c8", shapeOf(*scan, "csn")) + bytesOf(arranged(*scan, "csn"))}},
                     false));
    QVERIFY(reasonOf([&] { proposeScanDescription(path("raw.npz")); }) != "(no error)");
    write("traj.npy", trajectoryBytes(*scan));
    compare(*proposed("raw.npz"), *scan);
    compare(*proposed("traj.npy"), *scan);
    // a file that has no part in the scan is not answered with one
    QVERIFY(writeZip(path("other.npz"), {{"x.npy", npyHeader("<f4", {2}) + std::string(8, '\0')}}, false));
    QVERIFY(reasonOf([&] { proposeScanDescription(path("other.npz")); }) != "(no error)");
  }
  void matlabFile_data() {
    QTest::addColumn<int>("version");
    QTest::newRow("5") << int(MAT_FT_MAT5);
    QTest::newRow("7.3") << int(MAT_FT_MAT73);
  }
  void matlabFile() {
    QFETCH(int, version);
    const auto scan = radialScan(3);
    for (const char* order : {"csn", "scn"}) {  // MATLAB counts the axes the other way round
      MatWriter mat(path("scan.mat"), mat_ft(version), true);
      QVERIFY(mat.complex("kdata", turned(shapeOf(*scan, order)), arranged(*scan, order)));
      QVERIFY(mat.real("k", MAT_C_DOUBLE, MAT_T_DOUBLE, {2, samples, shots}, scan->trajectory(0).points));
    }
    compare(*proposed("scan.mat"), *scan);
    compare(*proposed("scan.mat:kdata"), *scan);
  }
  // Everything in one structure, as toolboxes save it, and the coils' samples in a cell.
  void matlabStructure() {
    const auto scan = radialScan(3);
    {
      MatWriter mat(path("scan.mat"), MAT_FT_MAT5, true);
      QVERIFY(
          mat.structure("acq", {{"k", realMat({2, samples, shots}, scan->trajectory(0).points)},
                                {"ksp", complexMat(turned(shapeOf(*scan, "csn")), arranged(*scan, "csn"))},
                                {"who", textMat("nobody")}}));
    }
    compare(*proposed("scan.mat"), *scan);
    compare(*proposed("scan.mat:acq.ksp"), *scan);
    const ProposedDescription p = proposeScanDescription(path("scan.mat"));
    QCOMPARE(p.description.samples.file.string(), std::string("scan.mat:acq.ksp"));
  }
  void complexCoordinates_data() {
    QTest::addColumn<int>("coils");
    QTest::addColumn<QString>("name");
    QTest::newRow("several coils, any name") << 3 << "a";
    QTest::newRow("one coil, named") << 1 << "traj";
  }
  void complexCoordinates() {
    QFETCH(int, coils);
    QFETCH(QString, name);
    const auto scan = radialScan(coils);
    const std::string file = name.toStdString() + ".npy";
    writeNpy(file, {shots, samples}, complexPoints(*scan));
    writeNpy("y.npy", shapeOf(*scan, "csn"), arranged(*scan, "csn"));
    compare(*proposed(file), *scan);
    compare(*proposed("y.npy"), *scan);
    QCOMPARE(proposeScanDescription(path(file)).description.columns, std::vector<std::string>{"kx+iky"});
    // the description need not say it
    write("short.json",
          R"({"spokelab-scan": 1, "samples": {"file": "y.npy", "axes": ["coil", "shot", "sample"]},
      "trajectory": {"file": ")" +
              file + R"(", "axes": ["shot", "sample"]}})");
    compare(*readScan(path("short.json"), ReadOptions(), Progress()), *scan);
  }
  void whatMayBeEitherIsAsked() {
    const auto scan = radialScan(1);
    writeNpy("a.npy", {shots, samples}, arranged(*scan, "csn"));
    writeNpy("b.npy", {shots, samples}, arranged(*scan, "csn"));
    QVERIFY(reasonOf([&] { proposeScanDescription(path("a.npy")); }).find("either") != std::string::npos);
  }
  void realColumnCannotBeComplex() {
    const auto scan = radialScan(1);
    write("traj.npy", npyHeader("<f4", {shots, samples}) + std::string(shots * samples * 4, 'x'));
    writeNpy("y.npy", {shots, samples}, arranged(*scan, "csn"));
    write("scan.json", R"({"spokelab-scan": 1, "samples": {"file": "y.npy", "axes": ["shot", "sample"]},
      "trajectory": {"file": "traj.npy", "axes": ["shot", "sample"], "columns": ["kx+iky"]}})");
    const auto open = [&] { readScan(path("scan.json"), ReadOptions(), Progress()); };
    QVERIFY(reasonOf(open).find("real") != std::string::npos);
  }
  // The numbers of a .cfl that has lost its .hdr are given the shape that its partner leaves.
  void cflWithoutHeader_data() {
    QTest::addColumn<bool>("samplesHave");
    QTest::addColumn<bool>("trajectoryHas");
    QTest::newRow("samples lost it") << false << true;
    QTest::newRow("trajectory lost it") << true << false;
  }
  void cflWithoutHeader() {
    QFETCH(bool, samplesHave);
    QFETCH(bool, trajectoryHas);
    const auto scan = radialScan(3);
    std::vector<cfloat> points;
    for (std::size_t i = 0; i < scan->trajectory(0).points.size(); i += 2) {
      points.emplace_back(float(scan->trajectory(0).points[i]), 0.0F);
      points.emplace_back(float(scan->trajectory(0).points[i + 1]), 0.0F);
      points.emplace_back(0.0F, 0.0F);
    }
    write("traj.cfl", bytesOf(points));
    write("ksp.cfl", bytesOf(arranged(*scan, "csn")));
    if (trajectoryHas) write("traj.hdr", "# Dimensions\n3 32 11 1 1 1 \n");
    if (samplesHave) write("ksp.hdr", "# Dimensions\n1 32 11 3 1 1 \n");
    compare(*proposed("ksp.cfl"), *scan);
    compare(*proposed("traj.cfl"), *scan);
  }
  // Numbers kx + i ky that have lost their .hdr: their own values tell them from samples.
  void complexCoordinatesWithoutHeader_data() {
    QTest::addColumn<int>("pattern");
    QTest::addColumn<int>("coils");
    QTest::addColumn<bool>("samplesHave");
    for (const Pattern pattern : {Pattern::goldenRadial2d, Pattern::spiral2d})
      for (const int coils : {1, 3})
        for (const bool have : {true, false})
          QTest::addRow("%s, %d coils, samples %s .hdr", patternName(pattern).c_str(), coils,
                        have ? "with" : "without")
              << int(pattern) << coils << have;
  }
  void complexCoordinatesWithoutHeader() {
    QFETCH(int, pattern);
    QFETCH(int, coils);
    QFETCH(bool, samplesHave);
    SimulateOptions o;
    o.trajectory.pattern = Pattern(pattern);
    o.trajectory.matrix = {samples, samples, 1};
    o.coils = coils;
    o.noise = 0.01;
    const auto scan = simulate(o, Progress());
    const Trajectory& t = scan->trajectory(0);
    const cfloat* first = scan->data(0, 0, 0);
    const std::vector<cfloat> values(first, first + coils * t.samples());
    write("b.cfl", bytesOf(complexPoints(*scan)));
    write("a.cfl", bytesOf(values));  // no name speaks
    if (samplesHave)
      write("a.hdr", "# Dimensions\n1 " + std::to_string(t.samples() / t.shots()) + ' ' +
                         std::to_string(t.shots()) + ' ' + std::to_string(coils) + " 1 1 \n");
    for (const char* asked : {"a.cfl", "b.cfl"}) {
      const ProposedDescription p = proposeScanDescription(path(asked));
      QCOMPARE(p.description.columns, std::vector<std::string>{"kx+iky"});
      QCOMPARE(p.description.trajectory.front().file.filename().string(), std::string("b.cfl"));
      const auto back = proposed(asked);
      QCOMPARE(back->coils, coils);
      QVERIFY(back->samples[0] == scan->samples[0]);
      for (std::size_t i = 0; i < t.points.size(); ++i)
        QVERIFY(std::abs(back->trajectory(0).points[i] - t.points[i]) < 1e-4);
    }
  }
  // Samples beside samples, and noise, are no coordinates.
  void samplesWithoutHeaderAreNoCoordinates() {
    const auto scan = radialScan(1);
    std::vector<cfloat> noise;
    std::mt19937 random(3);
    std::normal_distribution<float> normal;
    for (std::int64_t i = 0; i < shots * samples; ++i) {
      const float re = normal(random);
      noise.emplace_back(re, normal(random));
    }
    write("a.cfl", bytesOf(arranged(*scan, "csn")));
    for (const auto& other : {arranged(*scan, "csn"), noise}) {
      write("b.cfl", bytesOf(other));
      for (const char* asked : {"a.cfl", "b.cfl"})
        QVERIFY(reasonOf([&] { proposeScanDescription(path(asked)); }).find("no .hdr") != std::string::npos);
    }
  }
  void loneCflWithoutHeader() {
    const auto scan = radialScan(3);
    write("ksp.cfl", bytesOf(arranged(*scan, "csn")));
    const std::string why = reasonOf([&] { proposeScanDescription(path("ksp.cfl")); });
    QVERIFY2(why.find("no .hdr") != std::string::npos && why.find("1056") != std::string::npos, why.c_str());
    // a shape that the file is too short for
    write("scan.json", R"({"spokelab-scan": 1, "samples": {"file": "ksp.cfl", "shape": [1, 1000, 1000]},
      "trajectory": {"file": "ksp.cfl", "shape": [3, 352]}})");
    QVERIFY(reasonOf([&] { readScan(path("scan.json"), ReadOptions(), Progress()); }).find("take") !=
            std::string::npos);
  }
  void halfFloats() {
    const auto scan = radialScan(3);
    // whole and half numbers up to 16 are exact in 16 bits
    std::vector<std::uint16_t> stored;
    std::vector<double> points;
    for (std::int64_t i = 0; i < shots * samples * 2; ++i) {
      const int value = int(i * 7 % 32) - 16;  // -16 ... 15
      points.push_back(value);
      int exponent = 0;
      const double fraction = std::frexp(double(std::abs(value)), &exponent);
      const auto bits = value == 0 ? 0 : ((exponent + 14) << 10) | (int(fraction * 2048) & 1023);
      stored.push_back(std::uint16_t(bits | (value < 0 ? 0x8000 : 0)));
    }
    write("traj.npy", npyHeader("<f2", {shots, samples, 2}) + bytesOf(stored));
    writeNpy("ksp.npy", shapeOf(*scan, "csn"), arranged(*scan, "csn"));
    const auto back = proposed("ksp.npy");
    QVERIFY(back->trajectory(0).points == points);
  }
};

}  // namespace

SPOKELAB_TEST(TestProposedDescriptions)

}  // namespace test_proposed_descriptions

#include "test_proposed_descriptions.moc"
