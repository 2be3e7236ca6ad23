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
#include "tests/test_main.h"

using namespace spokelab;

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

std::string npyHeader(const std::string& type, const std::vector<std::int64_t>& shape, bool fortran = false) {
  std::string text =
      "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': (";
  for (const std::int64_t n : shape) text += std::to_string(n) + ", ";
  text += "), }";
  text.append(63 - (text.size() + 10) % 64, ' ');
  text += '\n';
  return std::string("\x93NUMPY\x01\x00", 8) + char(text.size() & 0xff) + char(text.size() >> 8) + text;
}

template <class T>
std::string bytesOf(const std::vector<T>& values) {
  return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

template <class T>
std::string swapped(const std::vector<T>& values) {
  std::string bytes = bytesOf(values);
  for (std::size_t i = 0; i < bytes.size(); i += sizeof(T)) std::reverse(&bytes[i], &bytes[i] + sizeof(T));
  return bytes;
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

std::string reasonOf(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& e) {
    return e.summary().empty() ? "" : e.reason();
  }
  return "(no error)";
}

}  // namespace

class TestArrayScans : public QObject {
  Q_OBJECT

 private:
  std::unique_ptr<QTemporaryDir> folder_;
  fs::path path(const std::string& name) const {
    return folder_->filePath(QString::fromStdString(name)).toStdString();
  }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }
  void writeNpy(const std::string& name, const std::vector<std::int64_t>& shape,
                const std::vector<cfloat>& v) const {
    write(name, npyHeader("<c8", shape) + bytesOf(v));
  }
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
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  // --- .npy and .hdr
  void elementTypes() {
    const auto first = [&](const std::string& bytes) {
      write("a.npy", bytes);
      cdouble value = 0;
      ArrayFile(path("a.npy")).read(Progress(), "", [&](std::int64_t at, const cdouble* v, std::int64_t n) {
        if (at <= 1 && at + n > 1) value = v[1 - at];
      });
      return value;
    };
    QCOMPARE(first(npyHeader("<f4", {2}) + bytesOf<float>({1, -2.5F})), cdouble(-2.5));
    QCOMPARE(first(npyHeader(">f8", {2}) + swapped<double>({1, -2.5})), cdouble(-2.5));
    QCOMPARE(first(npyHeader("|i1", {2}) + bytesOf<std::int8_t>({1, -7})), cdouble(-7));
    QCOMPARE(first(npyHeader("<u2", {2}) + bytesOf<std::uint16_t>({1, 65535})), cdouble(65535));
    QCOMPARE(first(npyHeader(">i4", {2}) + swapped<std::int32_t>({1, -70000})), cdouble(-70000));
    QCOMPARE(first(npyHeader("<i8", {2}) + bytesOf<std::int64_t>({1, -70000})), cdouble(-70000));
    QCOMPARE(first(npyHeader("<c8", {2}) + bytesOf<float>({1, 2, 3, -4})), cdouble(3, -4));
    QCOMPARE(first(npyHeader(">c16", {2}) + swapped<double>({1, 2, 3, -4})), cdouble(3, -4));
  }
  void headersOfOtherVersions() {
    std::string bytes = npyHeader("<f4", {3}, true);
    const std::string dictionary = bytes.substr(10);
    for (const char version : {char(2), char(3)}) {
      const std::string later = std::string("\x93NUMPY") + version + char(0) + char(dictionary.size()) +
                                char(0) + char(0) + char(0) + dictionary;
      const ArrayHeader h = parseNpyHeader(later, "x");
      QCOMPARE(h.offset, std::int64_t(12 + dictionary.size()));
      QVERIFY(h.firstAxisFastest);
      QCOMPARE(h.shape, std::vector<std::int64_t>{3});
    }
  }
  void scalarHeader() { QCOMPARE(parseNpyHeader(npyHeader("<f4", {}), "x").elements(), std::int64_t(1)); }
  void brokenHeaders() {
    const std::string sound = npyHeader("<c8", {2, 3});
    const auto reason = [](const std::string& bytes) {
      return reasonOf([&] { parseNpyHeader(bytes, "Cannot read x"); });
    };
    for (std::size_t n = 0; n < sound.size(); ++n) QVERIFY(reason(sound.substr(0, n)) != "(no error)");
    QVERIFY(reason(npyHeader("<O8", {2})).find("type") != std::string::npos);
    QVERIFY(reason(npyHeader("<c8", {2, -3})).find("negative") != std::string::npos);
    QVERIFY(reason(npyHeader("<c8", {2, 0})).find("no elements") != std::string::npos);
    QVERIFY(reason(npyHeader("<c8", {1L << 40, 1L << 40})).find("more elements") != std::string::npos);
    QVERIFY(reason(npyHeader("<c8", {99999999999999999})).find("more elements") != std::string::npos);
    const auto cfl = [](const std::string& text) {
      return reasonOf([&] { parseCflHeader(text, "Cannot read x"); });
    };
    for (const char* text :
         {"", "# Dimensions", "# Dimensions\n", "# Dimensions\na b\n", "# Dimensions\n3 -1\n",
          "# Dimensions\n99999999999 99999999999 99999999999\n", "Dimensions\n1 2\n"})
      QVERIFY2(cfl(text) != "(no error)", text);
    QCOMPARE(parseCflHeader("# Command\nphantom\n# Dimensions\n3 128 64 1 1 1 \n", "x").shape,
             (std::vector<std::int64_t>{3, 128, 64}));
  }
  void tooShortFiles() {
    write("a.npy", npyHeader("<c8", {1000}) + std::string(100, 'x'));
    QVERIFY(reasonOf([&] { ArrayFile(path("a.npy")); }).find("take") != std::string::npos);
    write("b.cfl", std::string(8, '\0'));
    QVERIFY(reasonOf([&] { ArrayFile(path("b.cfl")); }).find("b.hdr") != std::string::npos);
    write("b.hdr", "# Dimensions\n2 \n");
    QVERIFY(reasonOf([&] { ArrayFile(path("b.cfl")); }).find("take") != std::string::npos);
  }
  void unwantedPartsAreNotRead() {
    // 3 frames of which the file holds two: the third would fail if it were touched; a sparse file
    // keeps it cheap.
    std::vector<cfloat> values(1000);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = cfloat(float(i), 0);
    writeNpy("a.npy", {10, 100}, values);
    const ArrayFile file(path("a.npy"));
    std::atomic<std::int64_t> seen = 0;  // runs are handed over by several threads
    file.readComplex(
        Progress(), "",
        [&](std::int64_t first, const cfloat* v, std::int64_t n) {
          seen += n;
          QCOMPARE(v[0].real(), float(first));
        },
        100, [](std::int64_t run) { return run == 3 || run == 7; });
    QCOMPARE(seen.load(), std::int64_t(200));
  }

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
    for (const Decision& d : guessed->decisions)
      if (d.topic == "matrix") QVERIFY(d.question && d.alternatives.size() > 2);
    const auto told = open(j, {{"matrix", "16x16"}});
    QVERIFY(told->geometry.matrix == (Index3{16, 16, 1}));
    for (std::size_t i = 0; i < points.size(); ++i)
      QVERIFY(std::abs(2 * told->trajectory(0).points[i] - t.points[i]) < 1e-5);
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
    QVERIFY(reasonOf([&] { readScan(path("scan.json"), {}, Progress()); }).find("no JSON") !=
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
    QVERIFY(reasonOf([&] { open(j); }).find("not finite") != std::string::npos);
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
#include "test_array_scans.moc"
