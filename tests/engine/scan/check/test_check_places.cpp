// The self-check names what is odd about places: order, spacing and orientations of slices, slices that
// share a position, maps that do not say where they lie.
#include <QtTest>

#include <algorithm>

#include "engine/scan/check/check_places.h"
#include "engine/scan/formats/images/write_image.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/test_main.h"

namespace test_check_places {

using namespace spokelab;

namespace {

Scan scanAt(const std::vector<Vec3>& positions) {
  Scan scan;
  scan.slices = int(positions.size());
  scan.trajectories.emplace_back();
  scan.geometry.matrix = {8, 8, 1};
  scan.geometry.fov = {80, 80, 5};
  scan.geometry.slicePositions = positions;
  return scan;
}

bool names(const std::vector<Finding>& findings, const std::string& words) {
  return std::any_of(findings.begin(), findings.end(),
                     [&](const Finding& f) { return f.what.find(words) != std::string::npos; });
}

std::vector<Finding> found(const Scan& scan) {
  std::vector<Finding> findings;
  checkPlaces(scan, findings);
  return findings;
}

}  // namespace

class TestCheckPlaces : public QObject {
  Q_OBJECT

 private slots:
  void evenSlicesAreSilent() { QVERIFY(found(scanAt({{0, 0, 0}, {0, 0, 5}, {0, 0, 10}})).empty()); }
  void gapsAndOverlapsAreNamed() {
    QVERIFY(names(found(scanAt({{0, 0, 0}, {0, 0, 6}, {0, 0, 12}})), "gaps"));
    QVERIFY(names(found(scanAt({{0, 0, 0}, {0, 0, 3}, {0, 0, 6}})), "overlap"));
    QVERIFY(names(found(scanAt({{0, 0, 0}, {2, 0, 5}, {4, 0, 10}})), "shifted"));
  }
  void unevenSlicesAreNamed() {
    QVERIFY(names(found(scanAt({{0, 0, 0}, {0, 0, 5}, {0, 0, 40}})), "No single affine"));
  }
  void sharedPositionsAreWrong() {
    const auto findings = found(scanAt({{0, 0, 0}, {0, 0, 0}}));
    QVERIFY(names(findings, "same position"));
    QCOMPARE(findings.front().weight, FindingWeight::wrong);
    Scan planes = scanAt({{0, 0, 0}, {0, 0, 0}});
    planes.geometry.sliceDirections = {{}, {{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}};
    QVERIFY(!names(found(planes), "same position"));  // two orientations cross there
  }
  void anOrderByPositionIsNamed() {
    Scan scan = scanAt({{0, 0, 0}, {0, 0, 5}});
    scan.decisions.push_back({"slice-order", "by position", "1 at 0; 0 at 5", {}});
    QVERIFY(names(found(scan), "another order"));
  }
  void mapsAreLookedAtBesideTheScan() {
    QTemporaryDir folder;
    const auto path = [&](const char* name) {
      return std::filesystem::path(folder.filePath(name).toStdString());
    };
    const Scan scan = scanAt({{0, 0, 0}, {0, 0, 5}});
    const auto checked = [&](const Image& map, const char* name) {
      writeImage(map, path(name), {}, {});
      if (map.geometry.nominal) std::filesystem::remove(path(name).string() + ".json");
      std::vector<Finding> findings;
      checkMap(scan, path(name), findings, {});
      return findings;
    };
    Image map = nominalImage({8, 8, 1}, "map");
    map.data.resize(64);
    QVERIFY(names(checked(map, "map.npy"), "taken as stored"));
    Image other = nominalImage({7, 8, 1}, "map");
    other.data.resize(56);
    QVERIFY(names(checked(other, "other.npy"), "does not fit"));
    map.geometry.nominal = false;
    map.geometry.fov = {120, 120, 20};
    QVERIFY(names(checked(map, "map.nii"), "another grid"));
    map.geometry.slicePositions = {{500, 0, 0}};
    QVERIFY(names(checked(map, "map.nii"), "elsewhere"));
  }
};

SPOKELAB_TEST(TestCheckPlaces)

}  // namespace test_check_places

#include "test_check_places.moc"
