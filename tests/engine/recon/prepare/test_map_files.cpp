// A map file gives the same values whatever the order of its axes; on another grid it is resampled; one
// that does not say where it lies is taken as stored, and the notes have a (?).
#include <QtTest>

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/recon/prepare/map_files.h"
#include "engine/scan/formats/images/write_image.h"
#include "tests/test_main.h"

namespace test_map_files {

using namespace spokelab;

namespace {

constexpr std::int64_t n = 8;

// Three slices, 6 mm apart; no samples.
Scan sliceScan() {
  Scan scan;
  scan.name = "slices";
  scan.slices = 3;
  scan.trajectories.emplace_back();
  scan.geometry.matrix = {n, n, 1};
  scan.geometry.fov = {80, 80, 6};
  scan.geometry.slicePositions = {{3, 4, 0}, {3, 4, 6}, {3, 4, 12}};
  return scan;
}

// A map of the scan's slices, of another value in each pixel and frame.
Image mapOf(const Scan& scan, int frames = 1) {
  Image map = nominalImage({n, n, scan.slices}, "map");
  map.geometry = scan.geometry;
  map.frames = frames;
  for (std::int64_t i = 0; i < map.volume() * frames; ++i) map.data.push_back({float(i % 61), float(i % 7)});
  return map;
}

// Stored with x from left to right and y from back to front, as RAS files are.
Image turned(const Image& map) {
  Image out = map;
  Geometry& g = out.geometry;
  g.readDirection = {-1, 0, 0};
  g.phaseDirection = {0, -1, 0};
  const double voxel = g.voxel()[0];
  for (Vec3& p : g.slicePositions) p = {p[0] - voxel, p[1] - voxel, p[2]};  // n is even
  for (std::int64_t i = 0; i < map.volume() * map.frames; ++i) {
    const std::int64_t plane = i / (n * n), x = i % n, y = i / n % n;
    out.data[std::size_t(i)] = map.data[std::size_t(plane * n * n + (n - 1 - y) * n + n - 1 - x)];
  }
  return out;
}

bool isSlice(const std::vector<cfloat>& values, const Image& map, std::int64_t slice) {
  bool same = std::int64_t(values.size()) == n * n * map.frames;
  for (std::int64_t f = 0; same && f < map.frames; ++f)
    same = std::equal(values.begin() + f * n * n, values.begin() + (f + 1) * n * n,
                      map.data.begin() + f * map.volume() + slice * n * n);
  return same;
}

}  // namespace

class TestMapFiles : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir folder_;
  std::vector<std::string> notes_;

  std::string written(const Image& map, const char* name) const {
    const std::string file = folder_.filePath(QString::fromUtf8(name)).toStdString();
    writeImage(map, file, {}, {});
    return file;
  }
  std::vector<cfloat> read(const Scan& scan, const std::string& file, int slice, std::int64_t count = 1) {
    return readMaps(scan, {file, "", "the map", count}, {0, slice}, notes_, {});
  }

 private slots:
  void init() { notes_.clear(); }

  void anyOrderOfAxesGivesTheSameMap_data() {
    QTest::addColumn<QByteArray>("name");
    for (const char* name : {"m.nii.gz", "m.h5", "m.npy"}) QTest::newRow(name) << QByteArray(name);
  }
  void anyOrderOfAxesGivesTheSameMap() {
    QFETCH(QByteArray, name);
    const Scan scan = sliceScan();
    for (const int frames : {1, 3}) {
      const Image map = mapOf(scan, frames);
      for (const Image& stored : {map, turned(map)}) {
        const std::string file = written(stored, name.constData());
        for (int z = 0; z < 3; ++z) QVERIFY(isSlice(read(scan, file, z, frames), map, z));
      }
    }
    QCOMPARE(notes_.size(), std::size_t(1));  // of the turned one
    QVERIFY2(notes_.front().find("another order") != std::string::npos, notes_.front().c_str());
  }
  void slicesInAnotherOrderAreFound() {
    const Scan scan = sliceScan();
    const Image map = mapOf(scan);
    Image mixed = map;
    const std::array<std::int64_t, 3> order{2, 0, 1};
    for (std::size_t z = 0; z < 3; ++z) {
      mixed.geometry.slicePositions[z] = map.geometry.slicePositions[std::size_t(order[z])];
      std::copy_n(map.data.begin() + order[z] * n * n, n * n, mixed.data.begin() + std::int64_t(z) * n * n);
    }
    const std::string file = written(mixed, "mixed.h5");
    for (int z = 0; z < 3; ++z) QVERIFY(isSlice(read(scan, file, z), map, z));
  }
  void anotherGridIsResampled() {
    const Scan scan = sliceScan();
    Image coarse = nominalImage({4, 4, 3}, "coarse");
    coarse.geometry = scan.geometry;
    coarse.geometry.matrix = {4, 4, 1};
    coarse.data.assign(48, cfloat(5, -1));
    const std::vector<cfloat> values = read(scan, written(coarse, "coarse.nii"), 1);
    QCOMPARE(values.size(), std::size_t(n * n));
    for (const cfloat v : values) QVERIFY(std::abs(v - cfloat(5, -1)) < 1e-5f);
    QVERIFY(notes_.front().find("resampled (linear) from 4 x 4 x 3") != std::string::npos);
  }
  void framesElsewhereReadTheirPlace() {
    Scan scan = sliceScan();
    const Image map = mapOf(scan);
    Geometry moved = scan.geometry;
    for (Vec3& p : moved.slicePositions) p[2] += 6;
    scan.frames = 2;
    scan.geometry.frames = {sliceScan().geometry, moved};
    const std::string file = written(map, "m.nii");
    QVERIFY(isSlice(readMaps(scan, {file, "", "the map"}, {1, 0}, notes_, {}), map, 1));
  }
  void aMapWithoutPlaceIsTakenAsStoredAndMarked() {
    const Scan scan = sliceScan();
    const Image map = mapOf(scan);
    const std::string file = written(map, "plain.npy");
    std::filesystem::remove(file + ".json");
    QVERIFY(isSlice(read(scan, file, 2), map, 2));
    QVERIFY(notes_.front().starts_with("(?) "));
    QVERIFY(notes_.front().find("as stored") != std::string::npos);
    Scan nowhere = scan;
    nowhere.geometry.nominal = true;
    for (Vec3& position : nowhere.geometry.slicePositions) position[0] += 50;
    notes_.clear();
    QVERIFY(isSlice(read(nowhere, written(map, "m.nii"), 2), map, 2));
    QVERIFY(notes_.front().find("the scan does not say where it lies") != std::string::npos);
  }
  // Four maps of three slices: the sizes tell which axis is which.
  void slicesMayComeBeforeMaps() {
    const Scan scan = sliceScan();
    const Image map = mapOf(scan, 4);
    Image bySlices = nominalImage({n, n, 4}, "by slices");
    bySlices.frames = 3;
    for (std::int64_t z = 0; z < 3; ++z)
      for (std::int64_t m = 0; m < 4; ++m)
        bySlices.data.insert(bySlices.data.end(), map.data.begin() + (m * 3 + z) * n * n,
                             map.data.begin() + (m * 3 + z + 1) * n * n);
    const std::string file = written(bySlices, "by_slices.npy");
    std::filesystem::remove(file + ".json");
    for (int z = 0; z < 3; ++z) QVERIFY(isSlice(read(scan, file, z, 4), map, z));
  }
  // What programs write that know no place.
  void anIdentityIsNoPlace() {
    const Scan scan = sliceScan();
    Image map = mapOf(scan);
    map.geometry = nominalImage({n, n, 3}, "").geometry;
    map.geometry.nominal = false;
    map.geometry.fov = {double(n), double(n), 3};
    map.geometry.setDirections({{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}});  // RAS
    map.geometry.slicePositions = {{-double(n / 2), -double(n / 2), 1}};
    const std::string file = written(map, "identity.nii");
    QVERIFY(isSlice(read(scan, file, 2), map, 2));
    QVERIFY(notes_.front().starts_with("(?) "));
  }
  void aMapThatEndsBeforeTheImageIsMarked() {
    const Scan scan = sliceScan();
    Image map = mapOf(scan);
    for (Vec3& p : map.geometry.slicePositions) p[2] += 60;
    read(scan, written(map, "above.nii"), 0);
    QVERIFY2(notes_.front().starts_with("(?) "), notes_.front().c_str());
  }
  void aMapElsewhereIsRefused() {
    const Scan scan = sliceScan();
    Image map = mapOf(scan);
    for (Vec3& p : map.geometry.slicePositions) p[0] += 300;
    const std::string file = written(map, "far.nii");
    QVERIFY_THROWS_EXCEPTION(Error, read(scan, file, 0));
    Image broken = mapOf(scan);
    broken.data[3] = cfloat(NAN, 0);
    QVERIFY_THROWS_EXCEPTION(Error, read(scan, written(broken, "broken.nii"), 0));
    QVERIFY_THROWS_EXCEPTION(Error, read(scan, written(mapOf(scan), "m.nii"), 0, 5));  // five maps wanted
  }
};

SPOKELAB_TEST(TestMapFiles)

}  // namespace test_map_files

#include "test_map_files.moc"
