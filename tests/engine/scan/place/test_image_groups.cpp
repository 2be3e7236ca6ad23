// Slices and frames that lie anywhere are divided into groups that one affine each describes exactly.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <random>

#include "engine/scan/formats/images/nifti_affine.h"
#include "engine/scan/formats/images/read_image.h"
#include "engine/scan/formats/images/write_image.h"
#include "engine/scan/place/affine.h"
#include "engine/scan/place/image_groups.h"
#include "engine/scan/place/slice_lines.h"
#include "engine/scan/place/vectors.h"
#include "tests/test_main.h"

namespace test_image_groups {

using namespace spokelab;

namespace {

using Lines = std::vector<std::vector<std::size_t>>;

const Directions axial{}, coronal{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}},
    sagittal{{0, 1, 0}, {0, 0, -1}, {-1, 0, 0}};

std::vector<SlicePlace> axialAt(const std::vector<double>& z) {
  std::vector<SlicePlace> places;
  for (const double mm : z) places.push_back({axial, {0, 0, mm}});
  return places;
}

// Pixels of 2 mm; each holds its frame, slice and number.
Image imageAt(const std::vector<std::vector<SlicePlace>>& frames) {
  Image image = nominalImage({4, 3, std::int64_t(frames.front().size())}, "test");
  image.frames = int(frames.size());
  Geometry& g = image.geometry;
  g.nominal = false;
  g.matrix[2] = 1;
  g.fov = {8, 6, 5};
  for (const auto& slices : frames) {
    Geometry frame = g;
    frame.frames.clear();
    frame.slicePositions.clear();
    for (const SlicePlace& p : slices) {
      frame.slicePositions.push_back(p.position);
      frame.sliceDirections.push_back(p.directions);
    }
    frame.setDirections(slices.front().directions);
    g.frames.push_back(frame);
  }
  const std::vector<Geometry> all = g.frames;
  g = all.front();
  if (frames.size() > 1) g.frames = all;
  for (int f = 0; f < image.frames; ++f)
    for (std::int64_t i = 0; i < image.volume(); ++i) image.data.push_back({float(f), float(i)});
  return image;
}

// Where pixel (x, y) of a slice lies: LPS, mm.
Vec3 pixelAt(const Geometry& g, std::size_t slice, double x, double y) {
  const Directions d = g.directionsOf(slice);
  const Vec3 across = along(g.slicePositions[slice], (x - double(g.matrix[0] / 2)) * g.voxel()[0], d.read);
  return along(across, (y - double(g.matrix[1] / 2)) * g.voxel()[1], d.phase);
}

// The largest distance of a slice's corner from the place that its group's affine gives it, mm.
double misplaced(const Image& image, const std::vector<ImageGroup>& groups) {
  double most = 0;
  for (const ImageGroup& group : groups) {
    const auto slices = std::int64_t(group.parts.size()) / group.frames;
    const Affine affine = niftiAffine(group.geometry, {image.size[0], image.size[1], slices});
    for (std::size_t i = 0; i < group.parts.size(); ++i) {
      const ImageGroup::Part& part = group.parts[i];
      for (const double x : {0.0, double(image.size[0] - 1)})
        for (const double y : {0.0, double(image.size[1] - 1)}) {
          const Vec3 ras = mapped(affine, {x, y, double(std::int64_t(i) % slices)});
          const Vec3 is = pixelAt(image.geometry.ofFrame(part.frame), std::size_t(part.slice), x, y);
          most = std::max(most, lengthOf(minus({-ras[0], -ras[1], ras[2]}, is)));
        }
    }
  }
  return most;
}

}  // namespace

class TestImageGroups : public QObject {
  Q_OBJECT

 private:
  const Vec3 fov_{200, 200, 5};
  std::unique_ptr<QTemporaryDir> folder_;
  std::filesystem::path path(const char* name) const { return folder_->filePath(name).toStdString(); }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void interleavedSlicesFollowTheirPositions() {
    QCOMPARE(slicesInLines(axialAt({0, 12, 24, 6, 18}), fov_), (Lines{{0, 3, 1, 4, 2}}));
  }
  void slicesThatRunOneWayKeepTheirOrder() {
    QCOMPARE(slicesInLines(axialAt({18, 12, 6, 0}), fov_), (Lines{{0, 1, 2, 3}}));
  }
  void unevenGapsDivide() {
    QCOMPARE(slicesInLines(axialAt({0, 6, 30}), fov_), (Lines{{0, 1}, {2}}));
    QCOMPARE(slicesInLines(axialAt({0, 30, 36, 42}), fov_), (Lines{{0}, {1, 2, 3}}));
    QCOMPARE(slicesInLines(axialAt({0, 6, 12, 40, 50, 60}), fov_), (Lines{{0, 1, 2}, {3, 4, 5}}));
  }
  void slicesAtOnePlaceAreApart() {
    QCOMPARE(slicesInLines(axialAt({0, 6, 12, 0, 6, 12}), fov_), (Lines{{0, 1, 2}, {3, 4, 5}}));
  }
  void stacksBesideEachOtherAreApart() {
    std::vector<SlicePlace> knees;
    for (const double z : {0.0, 4.0, 8.0})
      for (const double x : {-90.0, 90.0}) knees.push_back({axial, {x, 0, z}});
    QCOMPARE(slicesInLines(knees, fov_), (Lines{{0, 2, 4}, {1, 3, 5}}));
  }
  void slicesThatShiftEvenlyAreOneLine() {
    std::vector<SlicePlace> places;
    for (const int i : {2, 0, 1}) places.push_back({axial, {1.5 * i, -2.0 * i, 6.0 * i}});
    QCOMPARE(slicesInLines(places, fov_), (Lines{{1, 2, 0}}));
  }

  void threePlanesAreThreeGroups() {
    const Image image = imageAt({{{axial, {}}, {coronal, {}}, {sagittal, {}}}});
    const auto groups = imageGroups(image);
    QCOMPARE(groups.size(), std::size_t(3));
    QCOMPARE(groups[0].name, std::string("axial"));
    QCOMPARE(groups[1].name, std::string("coronal"));
    QCOMPARE(groups[2].name, std::string("sagittal"));
    QVERIFY(misplaced(image, groups) < 1e-9);
    QCOMPARE(groupsText(groups), std::string("3 groups: axial 1 slice, coronal 1 slice, sagittal 1 slice"));
  }
  void framesElsewhereAreGroups() {
    const auto slices = axialAt({0, 6, 12});
    auto moved = slices;
    for (SlicePlace& p : moved) p.position[0] = 40;
    const Image image = imageAt({slices, moved, slices});
    const auto groups = imageGroups(image);
    QCOMPARE(groups.size(), std::size_t(2));
    QCOMPARE(groups[0].frames, 2);
    QCOMPARE(groups[1].frames, 1);
    QVERIFY(misplaced(image, groups) < 1e-9);
    const auto second = imageOfGroup(image, groups[0]);
    QCOMPARE(second->frames, 2);
    QCOMPARE(second->data[std::size_t(second->volume())], cfloat(2, 0));
  }
  void framesThatAreSlicesBecomeAStack() {
    std::vector<std::vector<SlicePlace>> frames;
    for (const double z : {0.0, 12.0, 6.0}) frames.push_back(axialAt({z}));
    const Image image = imageAt(frames);
    const auto groups = imageGroups(image);
    QCOMPARE(groups.size(), std::size_t(1));
    QVERIFY(!isOneGroup(image));  // its frames have to be put into slices
    QCOMPARE(imageOfGroup(image, groups[0])->size, (Index3{4, 3, 3}));
    QVERIFY(misplaced(image, groups) < 1e-9);
  }
  void slicesWithoutPositionsAreOneGroup() {
    Image image = imageAt({axialAt({0, 0, 0})});
    image.geometry.sliceDirections.clear();
    QVERIFY(isOneGroup(image));
    image.geometry.slicePositions.resize(1);
    QVERIFY(isOneGroup(image));
  }

  // Any number of stacks, orientations and frames, in any order.
  void noSliceIsMisplaced() {
    std::mt19937 random(52);
    const auto uniform = [&](double low, double high) {
      return std::uniform_real_distribution<double>(low, high)(random);
    };
    for (int trial = 0; trial < 300; ++trial) {
      std::vector<SlicePlace> slices;
      for (int stack = 0; stack < 1 + trial % 4; ++stack) {
        Directions d = std::array<Directions, 3>{axial, coronal, sagittal}[std::size_t(random() % 3)];
        if (random() % 2) {
          const double c = std::cos(uniform(0, 3)), s = std::sin(uniform(0, 3)), length = std::hypot(c, s);
          const Vec3 read = d.read, phase = d.phase;
          for (std::size_t i = 0; i < 3; ++i) {
            d.read[i] = (c * read[i] + s * phase[i]) / length;
            d.phase[i] = (-s * read[i] + c * phase[i]) / length;
          }
        }
        Vec3 at{uniform(-90, 90), uniform(-90, 90), uniform(-90, 90)};
        const double gap = random() % 3 ? 6 : uniform(1, 20);
        for (std::size_t z = 0; z < 1 + random() % 5; ++z) {
          slices.push_back({d, at});
          at = along(at, random() % 4 ? gap : uniform(1, 40), d.slice);
        }
      }
      std::shuffle(slices.begin(), slices.end(), random);
      std::vector<std::vector<SlicePlace>> frames(1 + random() % 3, slices);
      if (random() % 3 == 0)
        for (SlicePlace& p : frames.back()) p.position = along(p.position, uniform(0, 30), p.directions.read);
      const Image image = imageAt(frames);
      const auto groups = imageGroups(image);
      std::vector<int> seen(frames.size() * slices.size(), 0);
      for (const ImageGroup& group : groups)
        for (const auto& part : group.parts)
          ++seen[std::size_t(part.frame) * slices.size() + std::size_t(part.slice)];
      QVERIFY(std::all_of(seen.begin(), seen.end(), [](int n) { return n == 1; }));
      QVERIFY2(misplaced(image, groups) < 0.1, qPrintable(QString::number(trial)));
    }
  }

  // --- files
  void aNiftiFileHoldsOneGroup() {
    const Image image = imageAt({{{axial, {0, 0, 6}}, {coronal, {1, 2, 3}}, {axial, {}}}});
    const auto files = writeImage(image, path("a.nii.gz"), {}, {});
    QCOMPARE(files, (std::vector{path("a_axial.nii.gz"), path("a_coronal.nii.gz")}));
    QVERIFY(!std::filesystem::exists(path("a.nii.gz")));
    const Image stack = readImage(files[0], {}), single = readImage(files[1], {});
    QCOMPARE(stack.size, (Index3{4, 3, 2}));
    QCOMPARE(single.data[0], image.data[12]);
    const auto groups = imageGroups(image);
    for (const auto& [back, group] : {std::pair(&stack, &groups[0]), std::pair(&single, &groups[1])}) {
      const Affine is = niftiAffine(back->geometry, back->size),
                   was = niftiAffine(group->geometry, back->size);
      for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t c = 0; c < 4; ++c) QVERIFY(std::abs(is[row][c] - was[row][c]) < 1e-4);
    }
  }
  void slantedStacksHaveNoQuaternion() {
    const Image image = imageAt({{{axial, {0, 0, 0}}, {axial, {3, 0, 6}}}});
    writeImage(image, path("a.nii"), {}, {});
    const Affine is = niftiAffine(readImage(path("a.nii"), {}).geometry, image.size),
                 was = niftiAffine(image.geometry, image.size);
    for (std::size_t row = 0; row < 3; ++row) QVERIFY(std::abs(is[row][2] - was[row][2]) < 1e-4);
    QFile file(QString::fromStdString(path("a.nii").string()));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray head = file.read(256);
    QCOMPARE(int(head[252]), 0);  // qform_code
    QVERIFY(int(head[254]) > 0);  // sform_code
  }
  void mrdAndArraysKeepEachPlace_data() {
    QTest::addColumn<QByteArray>("name");
    for (const char* name : {"a.h5", "a.npy", "a.cfl"}) QTest::newRow(name) << QByteArray(name);
  }
  void mrdAndArraysKeepEachPlace() {
    QFETCH(QByteArray, name);
    const std::vector<SlicePlace> slices{{axial, {0, 0, 6}}, {coronal, {1, 2, 3}}, {sagittal, {}}};
    auto moved = slices;
    moved[1].position = {9, 9, 9};
    const Image image = imageAt({slices, moved});
    writeImage(image, path(name.constData()), {}, {});
    const Image back = readImage(path(name.constData()), {});
    QCOMPARE(back.frames, 2);
    QCOMPARE(back.data, image.data);
    for (int f = 0; f < 2; ++f)
      for (std::size_t z = 0; z < 3; ++z) {
        const Geometry &is = back.geometry.ofFrame(f), &was = image.geometry.ofFrame(f);
        QVERIFY(is.directionsOf(z) == was.directionsOf(z));
        QVERIFY(is.slicePositions[z] == was.slicePositions[z]);
      }
  }
};

SPOKELAB_TEST(TestImageGroups)

}  // namespace test_image_groups

#include "test_image_groups.moc"
