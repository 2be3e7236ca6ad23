// Slices, frames and volumes are read where they lie: sorted by position, each with its own place,
// and asked about where the header leaves the place open.
#include <QtTest>

#include <map>

#include "engine/scan/check/check_scan.h"
#include "engine/scan/formats/images/write_image.h"
#include "engine/scan/place/image_groups.h"
#include "engine/scan/place/slice_lines.h"
#include "engine/scan/place/vectors.h"
#include "tests/engine/scan/read/variant_reader.h"
#include "tests/test_main.h"

namespace test_slice_places {

using namespace spokelab;
using namespace spokelab::test;

namespace {

// The frames of a simulated scan, each a slice of one frame, at these positions and directions.
std::vector<TestAcquisition> slicesOf(const Scan& scan, const std::vector<SlicePlace>& places) {
  std::vector<TestAcquisition> all = acquisitionsOf(scan);
  for (TestAcquisition& a : all) {
    std::swap(a.head.idx.repetition, a.head.idx.slice);
    const SlicePlace& p = places[a.head.idx.slice];
    for (std::size_t d = 0; d < 3; ++d) {
      a.head.position[d] = float(p.position[d]);
      a.head.read_dir[d] = float(p.directions.read[d]);
      a.head.phase_dir[d] = float(p.directions.phase[d]);
      a.head.slice_dir[d] = float(p.directions.slice[d]);
    }
  }
  return all;
}

std::vector<SlicePlace> axialAt(const std::vector<double>& z) {
  std::vector<SlicePlace> places;
  for (const double mm : z) places.push_back({{}, {0, 0, mm}});
  return places;
}

std::vector<double> heights(const Geometry& g) {
  std::vector<double> z;
  for (const Vec3& p : g.slicePositions) z.push_back(p[2]);
  return z;
}

const Directions coronal{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}, sagittal{{0, 1, 0}, {0, 0, -1}, {-1, 0, 0}};

std::vector<ImageGroup> groupsOf(const Scan& scan) {
  return imageGroups(scan.geometry, {64, 64, scan.slices}, scan.frames);
}

// True if the self-check (info --check) says this.
bool checkNames(const Scan& scan, const std::string& words) {
  const std::vector<Finding> findings = checkScan(scan, Progress());
  return std::any_of(findings.begin(), findings.end(),
                     [&](const Finding& f) { return f.what.find(words) != std::string::npos; });
}

}  // namespace

class TestSlicePlaces : public QObject, private VariantReader {
  Q_OBJECT

 private slots:
  void interleavedSlicesAreSortedByPosition() {
    const auto scan = radialScan(64, 2, 5);
    const auto all = slicesOf(*scan, axialAt({0, 12, 24, 6, 18}));
    const auto back = read(*scan, all);
    QCOMPARE(heights(back->geometry), (std::vector<double>{0, 6, 12, 18, 24}));
    const std::vector<int> counters{0, 3, 1, 4, 2};
    for (int z = 0; z < 5; ++z)
      QCOMPARE(back->data(0, z, 1)[77], scan->data(counters[std::size_t(z)], 0, 1)[77]);
    QCOMPARE(choiceOn(*back, "slice-order"), std::string("by position"));
    QVERIFY(
        decisionOn(*back, "slice-order")->evidence.ends_with("0 at 0; 3 at 6; 1 at 12; 4 at 18; 2 at 24"));
    QCOMPARE(groupsOf(*back).size(), std::size_t(1));
    QVERIFY(checkNames(*back, "measured in another order"));
    // A selection counts by position, too.
    const auto one = read(*scan, all, {{"read-slices", "1"}});
    QCOMPARE(heights(one->geometry), (std::vector<double>{6}));
    QCOMPARE(one->data(0, 0, 1)[77], scan->data(3, 0, 1)[77]);
  }
  void slicesThatRunDownKeepTheirOrder() {
    const auto scan = radialScan(64, 1, 3);
    const auto back = read(*scan, slicesOf(*scan, axialAt({12, 6, 0})));
    QCOMPARE(heights(back->geometry), (std::vector<double>{12, 6, 0}));
    QCOMPARE(choiceOn(*back, "slice-order"), std::string("as counted"));
  }
  void unevenGapsAreGroups() {
    const auto scan = radialScan(64, 1, 3);
    const auto back = read(*scan, slicesOf(*scan, axialAt({0, 30, 6})));
    QCOMPARE(heights(back->geometry), (std::vector<double>{0, 6, 30}));
    QCOMPARE(groupsOf(*back).size(), std::size_t(2));
    QCOMPARE(choiceOn(*back, "slice-groups"), std::string("2"));
    QVERIFY(checkNames(*back, "No single affine"));
  }
  void threePlanesKeepTheirDirections() {
    const auto scan = radialScan(64, 1, 3);
    const auto back = read(*scan, slicesOf(*scan, {{{}, {}}, {coronal, {}}, {sagittal, {}}}));
    QCOMPARE(back->slices, 3);
    const auto groups = groupsOf(*back);
    QCOMPARE(groups.size(), std::size_t(3));
    QVERIFY(groups[1].geometry.directionsOf(0) == coronal);
    QVERIFY(groups[2].geometry.directionsOf(0) == sagittal);
    QVERIFY(!back->geometry.nominal);
  }
  // A localizer of another program.
  void aLocalizerIsThreeImages() {
    const std::filesystem::path data = qgetenv("SPOKELAB_DATA").toStdString();
    const std::filesystem::path file = data / "cases/ismrmrd/i47_three_plane.h5";
    if (data.empty() || !std::filesystem::exists(file))
      QSKIP("SPOKELAB_DATA does not hold cases/ismrmrd/i47_three_plane.h5");
    const auto scan = readScan(file, {}, Progress());
    const auto groups = groupsOf(*scan);
    QCOMPARE(groups.size(), std::size_t(3));
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = 0; b < a; ++b)
        QVERIFY(std::abs(dot(groups[a].geometry.sliceDirection, groups[b].geometry.sliceDirection)) < 0.01);
    const auto image = makeImage(*scan, 1, {0, 1, 2});
    QTemporaryDir folder;
    const auto files = writeImage(*image, folder.filePath("i.nii").toStdString(), {}, {});
    QCOMPARE(files.size(), std::size_t(3));
  }
  void slicesWithoutPositionsAreNominal() {
    const auto scan = radialScan(64, 1, 3);
    const auto back = read(*scan, slicesOf(*scan, axialAt({0, 0, 0})));
    QVERIFY(back->geometry.nominal);
    QCOMPARE(choiceOn(*back, "slice-positions"), std::string("assumed"));
    QCOMPARE(groupsOf(*back).size(), std::size_t(1));
  }
  void framesElsewhereHaveTheirPlace() {
    const auto scan = radialScan(64, 1, 3);
    auto all = acquisitionsOf(*scan);
    for (TestAcquisition& a : all) a.head.position[0] = a.head.idx.repetition == 1 ? 40 : 0;
    const auto back = read(*scan, all);
    QCOMPARE(back->frames, 3);
    QCOMPARE(back->geometry.ofFrame(0).slicePositions[0][0], 0.0);
    QCOMPARE(back->geometry.ofFrame(1).slicePositions[0][0], 40.0);
    const auto groups = groupsOf(*back);
    QCOMPARE(groups.size(), std::size_t(2));
    QCOMPARE(groups[0].frames, 2);
    // A selection of frames takes their places along.
    QCOMPARE(geometryOf(*back, {2, 1}, {0}).ofFrame(1).slicePositions[0][0], 40.0);
    const auto second = read(*scan, all, {{"read-frames", "1"}});
    QCOMPARE(second->geometry.slicePositions[0][0], 40.0);
  }
  void slicesThatBecomeFramesHaveTheirPlace() {
    const auto scan = radialScan(64, 1, 3);
    auto all = slicesOf(*scan, axialAt({0, 14, 7}));
    all.pop_back();  // one slice lacks a shot, so that trajectories differ
    const auto back = read(*scan, all);
    QCOMPARE(back->frames, 3);
    QCOMPARE(back->geometry.ofFrame(1).slicePositions[0][2], 7.0);
    QCOMPARE(groupsOf(*back).size(), std::size_t(1));  // one stack of three slices
  }
  void slabsHaveTheirPlace() {
    const auto scan = volumeScan();
    std::vector<TestAcquisition> all;
    for (const int slab : {0, 1})
      for (TestAcquisition a : acquisitionsOf(*scan)) {
        a.head.idx.slice = std::uint16_t(slab);
        a.head.position[2] = float(100 * slab);
        all.push_back(std::move(a));
      }
    const auto back = read(*scan, all);
    QCOMPARE(back->frames, 2);
    QCOMPARE(back->geometry.ofFrame(1).slicePositions[0][2], 100.0);
    QCOMPARE(imageGroups(back->geometry, back->geometry.matrix, 2).size(), std::size_t(2));
  }
  void oneCounterAtSeveralPlacesIsAsked() {
    const auto scan = radialScan(64, 1, 3);
    auto all = slicesOf(*scan, axialAt({0, 12, 6}));
    for (TestAcquisition& a : all) a.head.idx.slice = 0;
    const auto back = read(*scan, all);
    QCOMPARE(back->slices, 3);
    QCOMPARE(heights(back->geometry), (std::vector<double>{0, 6, 12}));
    QVERIFY(decisionOn(*back, "slice-places")->question);
    const auto merged = read(*scan, all, {{"slice-places", "counter"}});
    QCOMPARE(merged->slices, 1);
    QCOMPARE(merged->trajectory(0).shots(), std::int64_t(60));
    QVERIFY(!merged->warnings.empty());
  }
  void offTheIsocentreIsAsked() {
    const auto scan = radialScan();
    auto all = acquisitionsOf(*scan);
    for (TestAcquisition& a : all) a.head.position[2] = 50;  // along the slice: nothing to correct
    QVERIFY(!decisionOn(*read(*scan, all), "fov-shift"));
    for (TestAcquisition& a : all) a.head.position[0] = 20;
    const auto back = read(*scan, all);
    QVERIFY(decisionOn(*back, "fov-shift")->question);
    QVERIFY(checkNames(*back, "leaves open: fov-shift"));
    QCOMPARE(choiceOn(*back, "fov-shift"), std::string("none"));
    const auto told = read(*scan, all, {{"fov-shift", "none"}});
    QVERIFY(!decisionOn(*told, "fov-shift")->question && !checkNames(*told, "fov-shift"));
  }
  void aVolumeUnderAHeaderOfSlicesIsAsked_data() {
    QTest::addColumn<double>("factor");  // of the stored coordinates: cycles/FOV, 1/m, radians/pixel
    QTest::newRow("cycles/FOV") << 1.0;
    QTest::newRow("1/m") << 1 / 0.24;
  }
  void aVolumeUnderAHeaderOfSlicesIsAsked() {
    QFETCH(double, factor);
    SimulateOptions o;
    o.trajectory.pattern = Pattern::radial3d;
    o.trajectory.matrix = {32, 32, 32};
    o.trajectory.shots = 60;
    o.fov = {240, 240, 240};
    const auto scan = simulate(o, Progress());
    auto all = acquisitionsOf(*scan);
    scale(all, factor);
    TestSpace header = spaceOf(*scan);
    header.z = 1;
    header.fovZ = 5;
    const auto back = read(headerText(header, header), all);
    const Decision* fov = decisionOn(*back, "fov");
    QVERIFY(fov && fov->question && checkNames(*back, "leaves open: fov"));
    QCOMPARE(fov->choice, std::string("240x240x240"));
    QVERIFY(std::find(fov->alternatives.begin(), fov->alternatives.end(), "240x240x5") !=
            fov->alternatives.end());
    QCOMPARE(back->geometry.matrix, (Index3{32, 32, 32}));
    QVERIFY(std::abs(back->geometry.voxel()[2] - 7.5) < 1e-9);
    QVERIFY(largestDifference(back->trajectory(0).points, scan->trajectory(0).points) < 1e-3);
    const auto told = read(headerText(header, header), all, {{"fov", "240x240x5"}});
    QCOMPARE(told->geometry.fov[2], 5.0);
    QVERIFY(!decisionOn(*told, "fov")->question && !checkNames(*told, "leaves open"));
  }
  // A stack of stars without kz, whose header describes a slice: not the sum of its partitions.
  void partitionsUnderAHeaderOfSlicesAreAsked() {
    SimulateOptions o;
    o.trajectory.pattern = Pattern::stackOfStars;
    o.trajectory.matrix = {16, 16, 8};
    o.trajectory.planeTurn = 0;
    const auto scan = simulate(o, Progress());
    auto all = acquisitionsOf(*scan);
    std::map<float, std::uint16_t> partitions;
    for (const TestAcquisition& a : all) partitions[a.trajectory[2]] = 0;
    std::uint16_t count = 0;
    for (auto& [kz, number] : partitions) number = count++;
    for (TestAcquisition& a : all) {
      a.head.idx.kspace_encode_step_2 = partitions.at(a.trajectory[2]);
      std::vector<float> inPlane;
      for (std::size_t i = 0; i < a.trajectory.size(); ++i)
        if (i % 3 < 2) inPlane.push_back(a.trajectory[i]);
      a.trajectory = inPlane;
      a.head.trajectory_dimensions = 2;
    }
    TestSpace header = spaceOf(*scan);
    header.z = 1;
    header.fovZ = 5;
    const auto back = read(headerText(header, header), all);
    QVERIFY(decisionOn(*back, "third-dimension")->question);
    QCOMPARE(choiceOn(*back, "third-dimension"), std::string("partition"));
    QVERIFY(decisionOn(*back, "fov")->question);
    QCOMPARE(back->geometry.matrix, (Index3{16, 16, 8}));
    QVERIFY(largestDifference(back->trajectory(0).points, scan->trajectory(0).points) < 1e-3);
    const auto plane = read(headerText(header, header), all, {{"third-dimension", "ignore"}});
    QCOMPARE(plane->dims(), 2);
    // Counts of shots that have different points are shots of the slice.
    auto shots = acquisitionsOf(*radialScan());
    for (std::size_t s = 0; s < shots.size(); ++s)
      shots[s].head.idx.kspace_encode_step_2 = std::uint16_t(s % 4);
    const auto slice = read(*radialScan(), shots);
    QVERIFY(decisionOn(*slice, "third-dimension")->question);
    QCOMPARE(slice->dims(), 2);
  }
  // kz of half a sphere is never negative, as density weights are.
  void halfASphereIsAsked() {
    const auto scan = radialScan();
    auto all = acquisitionsOf(*scan);
    const double largest = 32, last = all.front().head.number_of_samples - 1;  // N/2
    addColumn(all, [&](int shot, int sample) { return largest * (shot % 5) / 4 * sample / last; });
    const auto back = read(*scan, all);
    QVERIFY(decisionOn(*back, "third-dimension")->question);
    QCOMPARE(choiceOn(*back, "third-dimension"), std::string("kz"));
    auto weighted = acquisitionsOf(*scan);
    addColumn(weighted, [&](int, int sample) { return std::abs(sample - last / 2) + 0.5; });
    const auto weights = read(*scan, weighted);
    QCOMPARE(choiceOn(*weights, "third-dimension"), std::string("density-weight"));
    QVERIFY(!decisionOn(*weights, "third-dimension")->question);
  }
};

SPOKELAB_TEST(TestSlicePlaces)

}  // namespace test_slice_places

#include "test_slice_places.moc"
