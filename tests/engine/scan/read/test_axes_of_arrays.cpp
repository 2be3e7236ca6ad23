// The meaning of every axis of a plain array is named or asked: frames of several kinds, partitions,
// BART's dimensions, pairs of real numbers, weights that hold along an axis, points in columns.
#include <QtTest>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "engine/scan/read/description/propose_description.h"
#include "engine/scan/read/description/scan_description.h"
#include "engine/scan/read/read_scan.h"
#include "tests/engine/scan/array_folder.h"
#include "tests/test_main.h"

namespace test_axes_of_arrays {

using namespace spokelab;
using namespace spokelab::test;

namespace {

using nlohmann::json;
using Shape = std::vector<std::int64_t>;

constexpr std::int64_t shots = 12, samples = 20;
constexpr double extent = 10;  // cycles/FOV: matrix 20

std::int64_t product(const Shape& shape) {
  std::int64_t n = 1;
  for (const std::int64_t s : shape) n *= s;
  return n;
}

// Each value tells its place in the array.
std::vector<cfloat> counted(const Shape& shape) {
  std::vector<cfloat> values(std::size_t(product(shape)));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = cfloat(float(i), -float(i % 97));
  return values;
}

std::vector<float> radialPoints(double scale = 1, int dims = 2) {
  std::vector<float> points;
  for (std::int64_t s = 0; s < shots; ++s)
    for (std::int64_t i = 0; i < samples; ++i) {
      const double angle = double(s) * std::numbers::pi / double(shots);
      const double k = scale * extent * (2 * double(i) / double(samples) - 1);
      points.push_back(float(k * std::cos(angle)));
      points.push_back(float(k * std::sin(angle)));
      if (dims == 3) points.push_back(0);
    }
  return points;
}

const Decision* decisionOn(const Scan& scan, const std::string& topic) {
  for (const Decision& d : scan.decisions)
    if (d.topic == topic) return &d;
  return nullptr;
}

class TestAxesOfArrays : public QObject, private ArrayFolder {
  Q_OBJECT

  std::shared_ptr<const Scan> open(const json& description,
                                   const std::map<std::string, std::string>& overrides = {}) {
    write("scan.json", description.dump());
    ReadOptions options;
    options.overrides = overrides;
    return readScan(path("scan.json"), options, Progress());
  }
  std::shared_ptr<const Scan> openProposed(const std::string& name,
                                           const std::map<std::string, std::string>& overrides = {}) {
    return open(json::parse(scanDescriptionText(proposeScanDescription(path(name)).description)), overrides);
  }
  void writeTrajectory(double scale = 1) {
    write("traj.npy", npyHeader("<f4", {shots, samples, 2}) + bytesOf(radialPoints(scale)));
  }
  static json described(const std::vector<std::string>& axes) {
    return {{"spokelab-scan", 1},
            {"samples", {{"file", "ksp.npy"}, {"axes", axes}}},
            {"trajectory", {{"file", "traj.npy"}, {"axes", {"shot", "sample", "column"}}}},
            {"matrix", {20, 20}},
            {"fov_mm", {200, 200}}};
  }

 private slots:
  void init() { renew(); }

  void namedFramesKeepTheirNamesAndValues() {
    writeTrajectory();
    const Shape shape = {3, 4, 2, shots, samples};
    writeNpy("ksp.npy", shape, counted(shape));
    json j = described({"time", "echo", "coil", "shot", "sample"});
    j["echo_times_ms"] = {1.2, 4.9, 8.6, 12.3};
    const auto scan = open(j);
    QCOMPARE(scan->frames, 12);
    QCOMPARE(scan->coils, 2);
    QCOMPARE(scan->frameAxes.text(5), std::string("time 2 of 3; echo 2 of 4, TE 4.9 ms"));
    for (int f = 0; f < 12; ++f)
      for (int c = 0; c < 2; ++c)
        QCOMPARE(scan->data(f, 0, c)[7], counted(shape)[std::size_t((f * 2 + c) * shots * samples + 7)]);
    const auto one = open(j, {{"read-frames", "5"}});
    QCOMPARE(one->frameAxes.text(0), scan->frameAxes.text(5));
    QCOMPARE(one->data(0, 0, 1)[7], scan->data(5, 0, 1)[7]);
    j["echo_times_ms"] = {1.2, 4.9};
    QVERIFY(reasonOf([&] { open(j); }).find("echo_times_ms") != std::string::npos);
  }
  void anAxisWhoseMeaningIsAGuessIsAsked() {
    writeTrajectory();
    const Shape shape = {5, 4, shots, samples};
    writeNpy("ksp.npy", shape, counted(shape));
    const auto scan = openProposed("ksp.npy");
    const Decision* d = decisionOn(*scan, "array-axes");
    QVERIFY(d && d->question);
    QCOMPARE(d->choice, std::string("echo,coil,shot,sample"));
    QCOMPARE(scan->frames, 5);
    QCOMPARE(scan->slices, 1);
    QCOMPARE(scan->coils, 4);
    for (const char* other : {"slice,coil,shot,sample", "coil,slice,shot,sample", "time,coil,shot,sample",
                              "coil,partition,shot,sample"})
      QVERIFY2(std::find(d->alternatives.begin(), d->alternatives.end(), other) != d->alternatives.end(),
               other);
    const auto answered = openProposed("ksp.npy", {{"array-axes", "coil,slice,shot,sample"}});
    QCOMPARE(answered->coils, 5);
    QCOMPARE(answered->slices, 4);
    QVERIFY(!decisionOn(*answered, "array-axes")->question);
    QCOMPARE(answered->data(0, 1, 2)[3], counted(shape)[std::size_t((2 * 4 + 1) * shots * samples + 3)]);
    QVERIFY(reasonOf([&] {
              openProposed("ksp.npy", {{"array-axes", "coil,slab,shot,sample"}});
            }) != "(no error)");
  }
  void axesThatADescriptionNamesAreNotAsked() {
    writeTrajectory();
    const Shape shape = {5, 4, shots, samples};
    writeNpy("ksp.npy", shape, counted(shape));
    QVERIFY(!decisionOn(*open(described({"slice", "coil", "shot", "sample"})), "array-axes"));
  }
  void echoTimesBesideNameTheEchoes() {
    writeTrajectory();
    const Shape shape = {2, 12, shots, samples};  // twelve echoes inside two coils
    writeNpy("ksp.npy", shape, counted(shape));
    std::vector<double> te;
    for (int e = 0; e < 12; ++e) te.push_back(1.5 + 2.25 * e);
    write("te.npy", npyHeader("<f8", {12}) + bytesOf(te));
    const auto scan = openProposed("ksp.npy");
    QCOMPARE(scan->frames, 12);
    QCOMPARE(scan->frameAxes.text(1), std::string("echo 2 of 12, TE 3.75 ms"));
  }
  void partitionsThatHaveNoAxisInTheTrajectory() {
    writeTrajectory();
    const Shape shape = {2, 6, shots, samples};
    writeNpy("ksp.npy", shape, counted(shape));
    const auto scan = open(described({"coil", "partition", "shot", "sample"}));
    QCOMPARE(scan->dims(), 3);
    QCOMPARE(scan->geometry.matrix[2], std::int64_t(6));
    QCOMPARE(scan->trajectory(0).shots(), 6 * shots);
    for (int p = 0; p < 6; ++p) {
      const std::int64_t first = p * shots * samples;
      QCOMPARE(scan->trajectory(0).points[std::size_t(first * 3 + 2)], double(p - 3));
      QCOMPARE(scan->data(0, 0, 1)[first + 5], counted(shape)[std::size_t(6 * shots * samples + first + 5)]);
    }
  }
  void framesWithTrajectoriesOfTheirOwn() {
    std::vector<float> points = radialPoints();
    const std::vector<float> other = radialPoints(0.5);
    points.insert(points.end(), other.begin(), other.end());
    write("traj.npy", npyHeader("<f4", {2, shots, samples, 2}) + bytesOf(points));
    const Shape shape = {2, 3, 2, shots, samples};
    writeNpy("ksp.npy", shape, counted(shape));
    json j = described({"echo", "time", "coil", "shot", "sample"});
    j["trajectory"]["axes"] = {"echo", "shot", "sample", "column"};
    const auto scan = open(j);
    QCOMPARE(scan->frames, 6);
    for (int f = 0; f < 6; ++f) QCOMPARE(scan->trajectory(f).points[0], f < 3 ? -10.0 : -5.0);
  }
  // READ 0, PHS1 1, PHS2 2, COIL 3, TE 5, TIME 10, SLICE 13.
  void bartsDimensions() {
    const auto cfl = [&](const std::string& name, const Shape& sizes, const std::string& bytes) {
      std::string text = "# Dimensions\n";
      for (const std::int64_t n : sizes) text += std::to_string(n) + " ";
      write(name + ".hdr", text + "\n");
      write(name + ".cfl", bytes);
    };
    std::vector<cfloat> points;
    for (const float k : radialPoints(1, 3)) points.emplace_back(k, 0);
    cfl("traj", {3, samples, shots}, bytesOf(points));
    const Shape sizes = {1, samples, shots, 2, 1, 3, 1, 1, 1, 1, 4, 1, 1, 5};
    cfl("ksp", sizes, bytesOf(counted(sizes)));
    const auto scan = openProposed("ksp.cfl");
    QVERIFY(!decisionOn(*scan, "array-axes"));
    QCOMPARE(scan->coils, 2);
    QCOMPARE(scan->frames, 12);
    QCOMPARE(scan->slices, 5);
    QCOMPARE(scan->frameAxes.text(4), std::string("time 2 of 4; echo 2 of 3"));
    const std::int64_t inner = shots * samples;  // coil 1, echo 1, time 1, slice 3
    QCOMPARE(scan->data(4, 3, 1)[9],
             counted(sizes)[std::size_t(((3 * 4 + 1) * 3 + 1) * 2 * inner + inner + 9)]);
  }
  void pairsOfRealNumbers_data() {
    QTest::addColumn<QString>("type");
    for (const char* type : {"<i2", "<i4", "<f4", "<f8", ">i2"}) QTest::newRow(type) << type;
  }
  void pairsOfRealNumbers() {
    QFETCH(QString, type);
    writeTrajectory();
    std::vector<std::int16_t> shorts;
    std::vector<std::int32_t> ints;
    std::vector<float> floats;
    std::vector<double> doubles;
    for (std::int64_t i = 0; i < 3 * shots * samples; ++i)
      for (const int v : {int(i % 3001), -int(i % 97)}) {
        shorts.push_back(std::int16_t(v));
        ints.push_back(v);
        floats.push_back(float(v));
        doubles.push_back(v);
      }
    if (type == ">i2")
      for (std::int16_t& v : shorts) v = std::int16_t(std::uint16_t(v) << 8 | std::uint16_t(v) >> 8);
    const std::string bytes = type.endsWith("i2") ? bytesOf(shorts)
                              : type == "<i4"     ? bytesOf(ints)
                              : type == "<f4"     ? bytesOf(floats)
                                                  : bytesOf(doubles);
    write("kdata.npy", npyHeader(type.toStdString(), {3, shots, samples, 2}) + bytes);
    const auto scan = openProposed("kdata.npy");
    QCOMPARE(scan->coils, 3);
    for (std::int64_t i = 0; i < shots * samples; ++i) {
      const std::int64_t n = 2 * shots * samples + i;
      QCOMPARE(scan->data(0, 0, 2)[i], cfloat(float(n % 3001), -float(n % 97)));
    }
    // said in a description, the pairs outermost
    const auto planes = [&](int part) {
      std::vector<float> plane;
      for (std::size_t i = 0; i < floats.size(); i += 2) plane.push_back(floats[i + std::size_t(part)]);
      return bytesOf(plane);
    };
    write("ksp.npy", npyHeader("<f4", {2, 3, shots, samples}) + planes(0) + planes(1));
    const auto said = open(described({"complex", "coil", "shot", "sample"}));
    QCOMPARE(said->samples.front(), scan->samples.front());
  }
  void weightsHoldAlongTheAxesThatTheyLack() {
    writeTrajectory();
    const Shape shape = {2, shots, samples};
    writeNpy("ksp.npy", shape, counted(shape));
    std::vector<double> ofSamples, ofShots;
    for (std::int64_t i = 0; i < samples; ++i)
      ofSamples.push_back(std::abs(2.0 * double(i) / samples - 1) + 0.1);
    for (std::int64_t s = 0; s < shots; ++s) ofShots.push_back(1 + double(s));
    write("dcf.npy", npyHeader("<f8", {samples}) + bytesOf(ofSamples));
    const auto bySample = openProposed("ksp.npy");
    const auto& w = bySample->trajectory(0).weights;
    QCOMPARE(w.size(), std::size_t(shots * samples));
    for (std::size_t i = 0; i < w.size(); ++i)
      QVERIFY(std::abs(w[i] / w[0] - ofSamples[i % samples] / ofSamples[0]) < 1e-12);
    write("dcf.npy", npyHeader("<f8", {shots, 1}) + bytesOf(ofShots));
    const auto byShot = openProposed("ksp.npy");
    const auto& v = byShot->trajectory(0).weights;
    for (std::size_t i = 0; i < v.size(); ++i)
      QVERIFY(std::abs(v[i] / v[0] - ofShots[i / samples] / ofShots[0]) < 1e-12);
  }
  void pointsInRowsOrColumns_data() {
    QTest::addColumn<bool>("rows");
    QTest::newRow("[2, n]") << true;
    QTest::newRow("[n, 2]") << false;
  }
  void pointsInRowsOrColumns() {
    QFETCH(bool, rows);
    const std::vector<float> points = radialPoints(1 / 200.0);  // 1/mm
    std::vector<float> stored = points;
    const std::size_t n = points.size() / 2;
    if (rows)
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t c = 0; c < 2; ++c) stored[c * n + i] = points[2 * i + c];
    write("t.npy",
          npyHeader("<f4", rows ? Shape{2, std::int64_t(n)} : Shape{std::int64_t(n), 2}) + bytesOf(stored));
    const Shape shape = {3, std::int64_t(n)};
    writeNpy("y.npy", shape, counted(shape));
    json j = json::parse(scanDescriptionText(proposeScanDescription(path("y.npy")).description));
    j["matrix"] = {20, 20};
    j["fov_mm"] = {200, 200};
    j["samples_per_shot"] = samples;
    const auto scan = open(j);
    QCOMPARE(decisionOn(*scan, "k-unit")->choice, std::string("1/mm"));
    QCOMPARE(scan->coils, 3);
    QVERIFY(std::abs(scan->trajectory(0).points[0] + 10) < 1e-4);
    QCOMPARE(scan->data(0, 0, 1)[4], counted(shape)[n + 4]);
  }
  void unitsOfAngles_data() {
    QTest::addColumn<QString>("unit");
    QTest::addColumn<double>("scale");
    QTest::newRow("radians/m") << "radians/m" << 2 * std::numbers::pi / 0.2;
    QTest::newRow("degrees/pixel") << "degrees/pixel" << 360.0 / 20;
  }
  void unitsOfAngles() {
    QFETCH(QString, unit);
    QFETCH(double, scale);
    writeTrajectory(scale);
    const Shape shape = {1, shots, samples};
    writeNpy("ksp.npy", shape, counted(shape));
    json j = described({"coil", "shot", "sample"});
    QCOMPARE(decisionOn(*open(j), "k-unit")->choice, unit.toStdString());
    j["trajectory"]["unit"] = unit.toStdString();
    QVERIFY(std::abs(open(j)->trajectory(0).points[0] + 10) < 1e-4);
  }
  // A list of points tells neither shots nor matrix.
  void listsOfPointsInThreeDimensions() {
    constexpr std::int64_t n = 8000;  // 20 cubed
    std::vector<float> points;
    for (std::int64_t i = 0; i < n; ++i)
      for (const std::int64_t period : {1, 20, 400})
        points.push_back(float(2 * std::numbers::pi * (double(i / period % 20) / 20 - 0.5)));
    write("traj.npy", npyHeader("<f4", {n, 3}) + bytesOf(points));
    writeNpy("ksp.npy", {n}, counted({n}));
    const auto scan = openProposed("ksp.npy");
    const Decision* d = decisionOn(*scan, "matrix");
    QVERIFY(d->question);
    QCOMPARE(d->choice, std::string("20x20x20"));
  }
  void passingPiByAShadeProvesNoUnit() {
    const double shade = 1.15 * std::numbers::pi / extent;
    writeTrajectory(shade);
    const Shape shape = {1, shots, samples};
    writeNpy("ksp.npy", shape, counted(shape));
    json j = described({"coil", "shot", "sample"});
    j.erase("matrix");
    j.erase("fov_mm");
    const auto scan = open(j);
    QVERIFY(decisionOn(*scan, "matrix")->question);
    QVERIFY(decisionOn(*scan, "k-unit")->question);
    QCOMPARE(decisionOn(*scan, "k-unit")->choice, std::string("radians/pixel"));
  }
};

}  // namespace

SPOKELAB_TEST(TestAxesOfArrays)

}  // namespace test_axes_of_arrays

#include "test_axes_of_arrays.moc"
