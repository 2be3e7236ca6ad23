// Plain arrays and a description make the same scan as the ISMRMRD file that holds the same
// numbers.
#include <QtTest>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <numbers>

#include <nlohmann/json.hpp>

#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "engine/scan/formats/arrays/array_file.h"
#include "engine/scan/formats/images/read_image.h"
#include "engine/scan/read/description/propose_description.h"
#include "engine/scan/read/description/scan_description.h"
#include "engine/scan/read/read_scan.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/engine/scan/array_folder.h"
#include "tests/test_main.h"

namespace test_array_scans {

using namespace spokelab;
using namespace spokelab::test;

namespace {

namespace fs = std::filesystem;

std::shared_ptr<const Scan> radialScan(int coils = 3, int frames = 2) {
  SimulateOptions o;
  o.trajectory.pattern = Pattern::goldenRadial2d;
  o.trajectory.matrix = {32, 32, 1};
  o.trajectory.shots = 11;
  o.coils = coils;
  o.frames = frames;
  o.noise = 0.01;
  o.fov = {240, 240, 5};
  return simulate(o, Progress());
}

// Samples with the axes in any order (slowest first) of: f frame, c coil, s shot, n sample.
std::vector<cfloat> arranged(const Scan& scan, const std::string& order) {
  const std::int64_t shots = scan.trajectory(0).shots(), samples = scan.trajectory(0).samples() / shots;
  const auto sizeOf = [&](char axis) -> std::int64_t {
    return axis == 'f' ? scan.frames : axis == 'c' ? scan.coils : axis == 's' ? shots : samples;
  };
  std::vector<cfloat> out;
  std::array<std::int64_t, 4> n{};
  for (n[0] = 0; n[0] < sizeOf(order[0]); ++n[0])
    for (n[1] = 0; n[1] < sizeOf(order[1]); ++n[1])
      for (n[2] = 0; n[2] < sizeOf(order[2]); ++n[2])
        for (n[3] = 0; n[3] < sizeOf(order[3]); ++n[3]) {
          std::int64_t at[128] = {};
          for (std::size_t i = 0; i < 4; ++i) at[int(order[i])] = n[i];
          out.push_back(
              scan.data(int(at[int('f')]), 0, int(at[int('c')]))[at[int('s')] * samples + at[int('n')]]);
        }
  return out;
}

std::vector<std::int64_t> shapeOf(const Scan& scan, const std::string& order) {
  const std::int64_t shots = scan.trajectory(0).shots();
  std::vector<std::int64_t> shape;
  for (const char axis : order)
    shape.push_back(axis == 'f'   ? scan.frames
                    : axis == 'c' ? scan.coils
                    : axis == 's' ? shots
                                  : scan.trajectory(0).samples() / shots);
  return shape;
}

std::vector<std::string> namesOf(const std::string& order) {
  std::vector<std::string> names;
  for (const char axis : order)
    names.push_back(axis == 'f' ? "frame" : axis == 'c' ? "coil" : axis == 's' ? "shot" : "sample");
  return names;
}

std::string choiceOn(const Scan& scan, const std::string& topic) {
  for (const Decision& d : scan.decisions)
    if (d.topic == topic) return d.choice;
  return "";
}

}  // namespace

class TestArrayScans : public QObject, private ArrayFolder {
  Q_OBJECT

 private:
  void writeTrajectory(const Scan& scan) const {
    const Trajectory& t = scan.trajectory(0);
    write("traj.npy", npyHeader("<f8", {t.shots(), t.samples() / t.shots(), t.dims}) + bytesOf(t.points));
  }
  std::shared_ptr<const Scan> open(const nlohmann::json& j,
                                   const std::map<std::string, std::string>& overrides = {}) {
    write("scan.json", j.dump());
    ReadOptions options;
    options.overrides = overrides;
    return readScan(path("scan.json"), options, Progress());
  }
  void compare(const Scan& back, const Scan& scan) {
    QCOMPARE(back.frames, scan.frames);
    QCOMPARE(back.coils, scan.coils);
    QCOMPARE(back.trajectory(0).shotOffsets, scan.trajectory(0).shotOffsets);
    QCOMPARE(back.trajectory(0).points.size(), scan.trajectory(0).points.size());
    for (std::size_t i = 0; i < back.trajectory(0).points.size(); ++i)
      QVERIFY(std::abs(back.trajectory(0).points[i] - scan.trajectory(0).points[i]) < 1e-5);
    for (int f = 0; f < scan.frames; ++f)
      QVERIFY(back.samples[std::size_t(f)] == scan.samples[std::size_t(f)]);
  }

 private slots:
  void init() { renew(); }

  // --- scans
  void anyOrderOfAxes_data() {
    QTest::addColumn<QString>("order");
    for (const char* order : {"fcsn", "fscn", "fsnc", "csnf", "nscf", "sncf", "cfsn", "snfc"})
      QTest::newRow(order) << order;
  }
  void anyOrderOfAxes() {
    QFETCH(QString, order);
    const std::string axes = order.toStdString();
    const auto scan = radialScan();
    writeTrajectory(*scan);
    writeNpy("ksp.npy", shapeOf(*scan, axes), arranged(*scan, axes));
    const nlohmann::json j = {
        {"spokelab-scan", 1},
        {"samples", {{"file", "ksp.npy"}, {"axes", namesOf(axes)}}},
        {"trajectory",
         {{"file", "traj.npy"}, {"axes", {"shot", "sample", "column"}}, {"unit", "cycles/FOV"}}},
        {"matrix", {32, 32}},
        {"fov_mm", {240, 240, 5}},
        {"dwell_us", 5}};
    const auto back = open(j);
    compare(*back, *scan);
    QVERIFY((back->geometry.fov == Vec3{240, 240, 5}));
    QVERIFY((back->geometry.matrix == Index3{32, 32, 1}));
    QCOMPARE(choiceOn(*back, "k-unit"), std::string("cycles/FOV"));
    QVERIFY(std::abs(back->trajectory(0).times[1] - 5e-6) < 1e-12);
    // only one frame
    const auto one = open(j, {{"read-frames", "1"}});
    QCOMPARE(one->frames, 1);
    QVERIFY(one->samples[0] == scan->samples[1]);
    QVERIFY_THROWS_EXCEPTION(Error, open(j, {{"read-frames", "2"}}));
    // unit and matrix found out
    nlohmann::json bare = j;
    bare.erase("matrix");
    bare["trajectory"].erase("unit");
    QCOMPARE(choiceOn(*open(bare), "k-unit"), std::string("cycles/FOV"));
    QVERIFY((open(bare)->geometry.matrix == Index3{32, 32, 1}));
  }
  void bartPair() {
    const auto scan = radialScan(3, 1);
    const Trajectory& t = scan->trajectory(0);
    std::vector<cfloat> traj;
    for (std::int64_t i = 0; i < t.samples(); ++i) {
      for (int c = 0; c < 2; ++c) traj.emplace_back(float(t.points[std::size_t(2 * i + c)]), 0.0F);
      traj.emplace_back(0.0F, 0.0F);
    }
    write("traj.cfl", bytesOf(traj));
    write("traj.hdr", "# Dimensions\n3 32 11 1 1 1 1 1 1 1 1 1 1 1 1 1 \n");
    write("ksp.cfl", bytesOf(arranged(*scan, "fcsn")));
    write("ksp.hdr", "# Dimensions\n1 32 11 3 1 1 1 1 1 1 1 1 1 1 1 1 \n");
    for (const char* asked : {"ksp.cfl", "ksp.hdr", "traj.cfl"}) {
      const ProposedDescription p = proposeScanDescription(path(asked));
      write("scan.json", scanDescriptionText(p.description));
      QVERIFY(!p.notes.empty());
      const auto back = readScan(path("scan.json"), ReadOptions(), Progress());
      compare(*back, *scan);
      QCOMPARE(choiceOn(*back, "third-dimension"), std::string("ignore"));
    }
    // the array alone is refused, and the remedy names the way
    try {
      readScan(path("ksp.cfl"), ReadOptions(), Progress());
      QFAIL("a lone array was taken for a scan");
    } catch (const Error& e) {
      QVERIFY(e.remedy().find("info") != std::string::npos);
    }
  }
  // Coordinates in cycles or radians a pixel do not tell the matrix, and these files have no
  // header: a question, with the right answer among the proposals; and the user may say it.
  void coordinatesAPixelWithoutMatrix_data() {
    QTest::addColumn<double>("factor");
    QTest::addColumn<QString>("unit");
    QTest::newRow("cycles") << 1.0 / 32 << "cycles/pixel";
    QTest::newRow("radians") << 2 * std::numbers::pi / 32 << "radians/pixel";
  }
  void coordinatesAPixelWithoutMatrix() {
    QFETCH(double, factor);
    QFETCH(QString, unit);
    const auto scan = radialScan(2, 1);
    const Trajectory& t = scan->trajectory(0);
    std::vector<double> points = t.points;
    for (double& p : points) p *= factor;
    write("traj.npy", npyHeader("<f8", {t.shots(), t.samples() / t.shots(), 2}) + bytesOf(points));
    writeNpy("ksp.npy", shapeOf(*scan, "csn"), arranged(*scan, "fcsn"));
    const nlohmann::json j = {{"spokelab-scan", 1},
                              {"samples", {{"file", "ksp.npy"}, {"axes", namesOf("csn")}}},
                              {"trajectory", {{"file", "traj.npy"}}}};
    const auto guessed = open(j);
    compare(*guessed, *scan);
    QCOMPARE(choiceOn(*guessed, "k-unit"), unit.toStdString());
    for (const Decision& d : guessed->decisions)  // no headers are spoken of: there are none
      if (d.topic == "orientation") QVERIFY(d.evidence.find("gives no directions") != std::string::npos);
    for (const Decision& d : guessed->decisions)
      if (d.topic == "matrix") QVERIFY(d.question && d.alternatives.size() > 2);
    const auto told = open(j, {{"matrix", "16x16"}});
    QVERIFY(told->geometry.matrix == (Index3{16, 16, 1}));
    for (std::size_t i = 0; i < points.size(); ++i)
      QVERIFY(std::abs(2 * told->trajectory(0).points[i] - t.points[i]) < 1e-5);
    QVERIFY((told->geometry.voxel() == guessed->geometry.voxel()));  // 1 mm a pixel is assumed
  }
  void oneFileAColumn() {
    const auto scan = radialScan(2, 1);
    const Trajectory& t = scan->trajectory(0);
    std::vector<float> kx, ky, kz(std::size_t(t.samples()), 0.0F), times;
    for (std::int64_t i = 0; i < t.samples(); ++i) {
      kx.push_back(float(t.points[std::size_t(2 * i)]));
      ky.push_back(float(t.points[std::size_t(2 * i + 1)]));
      times.push_back(0.025F + 5e-6F * float(i % 32));
    }
    const std::vector<std::int64_t> shape = {t.samples(), 1};
    for (const auto& [name, v] :
         {std::pair{"kx.npy", &kx}, {"ky.npy", &ky}, {"kz.npy", &kz}, {"t.npy", &times}})
      write(name, npyHeader("<f4", shape, true) + bytesOf(*v));
    writeNpy("ksp.npy", {2, t.samples()}, arranged(*scan, "fcsn"));
    write("FM.npy", npyHeader("<f4", {1024, 1}, true) + bytesOf(std::vector<float>(1024, 3.0F)));
    ProposedDescription p = proposeScanDescription(path("kx.npy"));
    p.description.samplesPerShot = 32;
    write("scan.json", scanDescriptionText(p.description));
    const auto back = readScan(path("scan.json"), ReadOptions(), Progress());
    compare(*back, *scan);
    QCOMPARE(back->dims(), 2);
    QVERIFY(std::abs(back->trajectory(0).times[33] - 0.025005) < 1e-7);
    QCOMPARE(back->arrays.size(), std::size_t(1));
    QCOMPARE(back->arrays[0].name, std::string("FieldMap"));
    QCOMPARE(back->arrays[0].values[7], cfloat(3, 0));
  }
  void weightsAndColumnsByName() {
    const auto scan = radialScan(1, 1);
    const Trajectory& t = scan->trajectory(0);
    std::vector<double> wide;
    for (std::int64_t i = 0; i < t.samples(); ++i) {
      wide.push_back(t.weights[std::size_t(i)]);
      wide.push_back(t.points[std::size_t(2 * i + 1)]);
      wide.push_back(t.points[std::size_t(2 * i)]);
    }
    write("traj.npy", npyHeader("<f8", {11, 32, 3}) + bytesOf(wide));
    writeNpy("ksp.npy", {11, 32}, arranged(*scan, "fcsn"));
    const nlohmann::json j = {{"spokelab-scan", 1},
                              {"samples", {{"file", "ksp.npy"}}},
                              {"trajectory", {{"file", "traj.npy"}, {"columns", {"weight", "ky", "kx"}}}},
                              {"matrix", {32, 32}}};
    const auto back = open(j);
    compare(*back, *scan);
    for (std::size_t i = 0; i < t.weights.size(); ++i)
      QVERIFY(std::abs(back->trajectory(0).weights[i] - t.weights[i]) < 1e-4 * (1 + t.weights[i]));
  }
  void longShotsAreTakenInPieces() {
    constexpr std::int64_t n = 150000;
    std::vector<float> traj;
    std::vector<cfloat> samples;
    for (std::int64_t i = 0; i < n; ++i) {
      const double a = 0.01 * double(i);
      traj.push_back(float(16 * double(i) / n * std::cos(a)));
      traj.push_back(float(16 * double(i) / n * std::sin(a)));
      samples.emplace_back(float(i), 1.0F);
    }
    write("traj.npy", npyHeader("<f4", {n, 2}) + bytesOf(traj));
    writeNpy("ksp.npy", {n}, samples);
    const auto back = open({{"spokelab-scan", 1},
                            {"samples", {{"file", "ksp.npy"}, {"axes", {"sample"}}}},
                            {"trajectory", {{"file", "traj.npy"}, {"axes", {"sample", "column"}}}},
                            {"matrix", {32, 32}}});
    QCOMPARE(back->trajectory(0).samples(), n);
    QCOMPARE(back->trajectory(0).shots(), std::int64_t(3));
    QCOMPARE(back->samples[0][n - 1], cfloat(float(n - 1), 1));
  }
  void slicesAndGeometry() {
    const auto scan = radialScan(2, 3);  // frames stand for slices here
    writeTrajectory(*scan);
    writeNpy("ksp.npy", shapeOf(*scan, "fcsn"), arranged(*scan, "fcsn"));
    const nlohmann::json j = {
        {"spokelab-scan", 1},
        {"samples", {{"file", "ksp.npy"}, {"axes", {"slice", "coil", "shot", "sample"}}}},
        {"trajectory", {{"file", "traj.npy"}}},
        {"matrix", {32, 32}},
        {"fov_mm", {240, 240, 5}},
        {"read_direction", {0, 1, 0}},
        {"phase_direction", {0, 0, -1}},
        {"slice_direction", {1, 0, 0}},
        {"positions_mm", {{-6, 1, 2}, {0, 1, 2}, {6, 1, 2}}}};
    const auto back = open(j);
    QCOMPARE(back->slices, 3);
    QVERIFY(!back->geometry.nominal);
    QCOMPARE(back->geometry.slicePositions[2][0], 6.0);
    QCOMPARE(back->geometry.readDirection[1], 1.0);
    QCOMPARE(back->data(0, 2, 1)[40], scan->data(2, 0, 1)[40]);
    const auto middle = open(j, {{"read-slices", "1"}});
    QCOMPARE(middle->slices, 1);
    QCOMPARE(middle->geometry.slicePositions[0][0], 0.0);
    QCOMPARE(middle->data(0, 0, 1)[40], scan->data(1, 0, 1)[40]);
  }
  void wrongDescriptions() {
    const auto scan = radialScan(2, 1);
    writeTrajectory(*scan);
    writeNpy("ksp.npy", {2, 11, 32}, arranged(*scan, "fcsn"));
    const nlohmann::json sound = {{"spokelab-scan", 1},
                                  {"samples", {{"file", "ksp.npy"}, {"axes", {"coil", "shot", "sample"}}}},
                                  {"trajectory", {{"file", "traj.npy"}}}};
    QCOMPARE(reasonOf([&] { open(sound); }), std::string("(no error)"));
    const auto changed = [&](const std::function<void(nlohmann::json&)>& change) {
      nlohmann::json j = sound;
      change(j);
      return reasonOf([&] { open(j); });
    };
    QVERIFY(changed([](auto& j) {
              j["samples"]["axes"] = {"coil", "sample", "shot"};
            }) == "(no error)");  // same count
    QVERIFY(changed([](auto& j) {
              j["samples"]["axes"] = {"shot", "coil", "sample"};
            }).find("samples are") == 0 ||
            changed([](auto& j) {
              j["samples"]["axes"] = {"shot", "coil", "sample"};
            }).find("the samples") == 0);
    QVERIFY(changed([](auto& j) {
              j["samples"]["axes"] = {"coil", "sample"};
            }).find("names 2") != std::string::npos);
    QVERIFY(changed([](auto& j) {
              j["samples"]["axes"] = {"foil", "shot", "sample"};
            }).find("foil") != std::string::npos);
    QVERIFY(changed([](auto& j) { j["samples"]["file"] = "missing.npy"; }) != "(no error)");
    QVERIFY(changed([](auto& j) { j["spokelab-scan"] = 2; }).find("version") != std::string::npos);
    QVERIFY(changed([](auto& j) { j["metrix"] = {32, 32}; }).find("metrix") != std::string::npos);
    QVERIFY(changed([](auto& j) { j["matrix"] = {32, -32}; }).find("matrix") != std::string::npos);
    QVERIFY(changed([](auto& j) { j["trajectory"]["unit"] = "furlongs"; }).find("furlongs") !=
            std::string::npos);
    QVERIFY(changed([](auto& j) { j["trajectory"]["columns"] = {"kx"}; }) != "(no error)");
    QVERIFY(changed([](auto& j) { j.erase("trajectory"); }).find("trajectory") != std::string::npos);
    write("scan.json", "{\"spokelab-scan\": 1, ");
    QVERIFY(reasonOf([&] { readScan(path("scan.json"), {}, Progress()); }).find("not JSON") !=
            std::string::npos);
    write("scan.json", "{\"name\": \"something else\"}");
    QVERIFY(reasonOf([&] { readScan(path("scan.json"), {}, Progress()); }).find("describes no scan") !=
            std::string::npos);
  }
  void notFiniteNumbersAreRefused() {
    const auto scan = radialScan(1, 1);
    auto samples = arranged(*scan, "fcsn");
    samples[5] = cfloat(NAN, 0);
    writeTrajectory(*scan);
    writeNpy("ksp.npy", {11, 32}, samples);
    const nlohmann::json j = {
        {"spokelab-scan", 1}, {"samples", {{"file", "ksp.npy"}}}, {"trajectory", {{"file", "traj.npy"}}}};
    QVERIFY(reasonOf([&] { open(j, {{"bad-readouts", "refuse"}}); }).find("not finite") != std::string::npos);
  }
  void readingCanBeCancelled() {
    const auto scan = radialScan();
    writeTrajectory(*scan);
    writeNpy("ksp.npy", shapeOf(*scan, "fcsn"), arranged(*scan, "fcsn"));
    const nlohmann::json j = {{"spokelab-scan", 1},
                              {"samples", {{"file", "ksp.npy"}, {"axes", namesOf("fcsn")}}},
                              {"trajectory", {{"file", "traj.npy"}}}};
    write("scan.json", j.dump());
    for (const char* step : {"Opening", "Reading the trajectory", "Reading samples"}) {
      std::stop_source stop;
      const Progress progress(stop.get_token(), [&](double, const std::string& what) {
        if (what.starts_with(step)) stop.request_stop();
      });
      bool cancelled = false;
      try {
        readScan(path("scan.json"), {}, progress);
      } catch (const Cancelled&) {
        cancelled = true;
      }
      QVERIFY2(cancelled, step);
    }
  }
};

SPOKELAB_TEST(TestArrayScans)

}  // namespace test_array_scans

#include "test_array_scans.moc"
