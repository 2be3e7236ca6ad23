// An array beside a scan that looks as if it belonged to it, and that its reading did not use, is told: the
// weights that nobody named, maps, times.
#include <QtTest>

#include <fstream>

#include "engine/scan/read/description/unused_arrays.h"
#include "engine/scan/read/read_scan.h"
#include "tests/engine/scan/array_folder.h"
#include "tests/engine/scan/variant_file.h"
#include "tests/test_main.h"

namespace test_unused_arrays {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr int matrix = 24, shots = 9, coils = 3;

class TestUnusedArrays : public QObject, private ArrayFolder {
  Q_OBJECT

  std::int64_t samples_ = 0;  // a shot

  std::vector<UnusedArray> unused(const std::string& name, const SeparateFiles& separate = {}) {
    ReadOptions options;
    options.separate = separate;
    return unusedArrays(*readScan(path(name), options, Progress()), separate);
  }
  void describe(const std::string& more) {
    write("scan.json", R"({"spokelab-scan": 1, "matrix": [24, 24],
                           "samples": {"file": "ksp.npy", "axes": ["coil", "shot", "sample"]},
                           "trajectory": {"file": "traj.npy", "axes": ["shot", "sample", "column"],
                                          "unit": "cycles/FOV"})" +
                           more + "}");
  }
  void writeReal(const char* name, const std::vector<std::int64_t>& shape) {
    std::int64_t count = 1;
    for (const std::int64_t n : shape) count *= n;
    write(name, npyHeader("<f4", shape) + bytesOf(std::vector<float>(std::size_t(count), 0.5F)));
  }

 private slots:
  void init() {
    renew();
    const auto scan = smallRadial(matrix, shots, coils);
    samples_ = scan->trajectory(0).samples() / shots;
    writeNpy("ksp.npy", {coils, shots, samples_}, samplesOf(*scan));
    const auto& points = scan->trajectory(0).points;
    write("traj.npy",
          npyHeader("<f4", {shots, samples_, 2}) + bytesOf(std::vector<float>(points.begin(), points.end())));
    std::filesystem::create_directory(path("mrd"));
    writeVariant(path("mrd/scan.h5"), headerText(spaceOf(*scan), spaceOf(*scan)), acquisitionsOf(*scan));
    describe("");
  }

  void weightsThatADescriptionLeavesOut() {
    QVERIFY(unused("scan.json").empty());
    writeReal("dcf.npy", {shots, samples_});
    const auto found = unused("scan.json");
    QCOMPARE(found.size(), std::size_t(1));
    QCOMPARE(found[0].file, std::string("dcf.npy"));
    QCOMPARE(found[0].meaning, std::string("density weights"));
    QVERIFY(found[0].remedy.find("--sample-weights dcf.npy") != std::string::npos);
    describe(R"(, "weights": {"file": "dcf.npy", "axes": ["shot", "sample"]})");
    QVERIFY(unused("scan.json").empty());
  }

  void weightsBesideIsmrmrd() {
    writeReal("mrd/dcf.npy", {shots, samples_});
    QCOMPARE(unused("mrd/scan.h5").size(), std::size_t(1));
    SeparateFiles separate;
    separate.weights = path("mrd/dcf.npy");
    QVERIFY(unused("mrd/scan.h5", separate).empty());
  }

  void numbersWithoutAName() {
    writeReal("mrd/unnamed.npy", {shots * samples_});
    writeReal("mrd/other.npy", {7, 11});
    const auto found = unused("mrd/scan.h5");
    QCOMPARE(found.size(), std::size_t(1));
    QCOMPARE(found[0].file, std::string("unnamed.npy"));
  }

  void maps() {
    writeNpy("smaps.npy", {coils, matrix, matrix}, std::vector<cfloat>(coils * matrix * matrix, cfloat(1)));
    writeReal("b0.npy", {matrix, matrix});
    const auto found = unused("scan.json");
    QCOMPARE(found.size(), std::size_t(2));
    QCOMPARE(found[0].meaning, std::string("a field map"));
    QVERIFY(found[0].remedy.find("--field-map b0.npy") != std::string::npos);
    QCOMPARE(found[1].meaning, std::string("coil maps"));
    describe(R"(, "arrays": {"SENSEMap": {"file": "smaps.npy"}})");
    QCOMPARE(unused("scan.json").size(), std::size_t(1));
  }
};

}  // namespace

SPOKELAB_TEST(TestUnusedArrays)

}  // namespace test_unused_arrays

#include "test_unused_arrays.moc"
