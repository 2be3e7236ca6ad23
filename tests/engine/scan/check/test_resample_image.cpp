// Images of other grids are laid onto one another in the patient: exactly where a linear image lets
// it be exact, nothing where they do not overlap, refused with the reason.
#include <QtTest>

#include <cmath>
#include <limits>

#include "engine/core/error.h"
#include "engine/scan/check/compare_images.h"
#include "engine/scan/check/region_metrics.h"
#include "engine/scan/check/resample_image.h"
#include "tests/test_main.h"

namespace test_resample_image {

using namespace spokelab;

namespace {

// A volume about `centre`, turned by `degrees` about the patient's long axis.
Image grid(const Index3& size, const Vec3& voxel, const Vec3& centre = {0, 0, 0}, double degrees = 0) {
  Image image = nominalImage(size, "grid");
  Geometry& g = image.geometry;
  g.nominal = false;
  for (std::size_t d = 0; d < 3; ++d) g.fov[d] = voxel[d] * double(size[d]);
  const double angle = degrees * std::acos(-1.0) / 180;
  g.readDirection = {std::cos(angle), std::sin(angle), 0};
  g.phaseDirection = {-std::sin(angle), std::cos(angle), 0};
  g.slicePositions = {centre};
  image.data.assign(std::size_t(image.volume()), cfloat(0));
  return image;
}

Vec3 position(const Image& image, const Index3& index) {
  const Geometry& g = image.geometry;
  Vec3 mm = g.slicePositions.front();
  for (std::size_t d = 0; d < 3; ++d) {
    const std::array<double, 3> n{double(index[0] - image.size[0] / 2), double(index[1] - image.size[1] / 2),
                                  double(index[2] - image.size[2] / 2)};
    mm[d] += n[0] * g.voxel()[0] * g.readDirection[d] + n[1] * g.voxel()[1] * g.phaseDirection[d] +
             n[2] * g.voxel()[2] * g.sliceDirection[d];
  }
  return mm;
}

// Linear in the patient's millimetres, so that linear interpolation is exact.
cfloat valueAt(const Vec3& mm) {
  return {float(3 + 0.5 * mm[0] - 0.25 * mm[1] + mm[2]), float(mm[1] - 2 * mm[2])};
}

template <class Visit>
void forEach(const Image& image, Visit visit) {
  for (std::int64_t z = 0; z < image.size[2]; ++z)
    for (std::int64_t y = 0; y < image.size[1]; ++y)
      for (std::int64_t x = 0; x < image.size[0]; ++x)
        visit(Index3{x, y, z}, std::size_t((z * image.size[1] + y) * image.size[0] + x));
}

Image filled(Image image) {
  forEach(image,
          [&](const Index3& index, std::size_t i) { image.data[i] = valueAt(position(image, index)); });
  return image;
}

}  // namespace

class TestResampleImage : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aLinearImageComesOutExactlyOnATurnedGrid() {
    const Image from = filled(grid({40, 36, 20}, {3, 3, 4}));
    const Image onto = grid({21, 25, 9}, {2, 1.5, 5}, {4, -3, 2}, 30);
    QVERIFY(!sameGrid(from, onto));
    QCOMPARE(gridObstacle(from, onto), std::string());
    const auto laid = resampled(from, onto, {});
    QCOMPARE(laid->size, onto.size);
    double worst = 0;
    forEach(onto, [&](const Index3& index, std::size_t i) {
      worst = std::max(worst, double(std::abs(laid->data[i] - valueAt(position(onto, index)))));
    });
    QVERIFY2(worst < 1e-4, qPrintable(QString::number(worst)));
    QVERIFY(QString::fromStdString(resampledText(from, *laid)).contains("covers 100%"));
  }

  void doublePrecisionIsKept() {
    Image from = filled(grid({16, 16, 16}, {2, 2, 2}));
    from.doubleData.resize(from.data.size());
    forEach(from, [&](const Index3& index, std::size_t i) {
      from.doubleData[i] = 1 + 1e-9 * position(from, index)[0];
    });
    from.settle();
    const Image onto = grid({8, 8, 8}, {1, 1, 1});
    const auto laid = resampled(from, onto, {});
    QVERIFY(laid->isDouble());
    forEach(onto, [&](const Index3& index, std::size_t i) {
      const double expected = 1 + 1e-9 * position(onto, index)[0];
      QVERIFY(std::abs(laid->doubleData[i].real() - expected) < 1e-14);
    });
  }

  void whatLiesOutsideIsNoNumberAndIsLeftOutOfComparisons() {
    const Image from = filled(grid({20, 20, 8}, {2, 2, 2}));
    const Image onto = filled(grid({20, 20, 8}, {2, 2, 2}, {20, 0, 0}));  // half a field of view away
    const auto laid = resampled(from, onto, {});
    std::size_t outside = 0;
    forEach(onto, [&](const Index3& index, std::size_t i) {
      const bool inside = position(onto, index)[0] <= position(from, {19, 0, 0})[0] + 1.0001;
      QCOMPARE(std::isfinite(laid->data[i].real()), inside);
      outside += inside ? 0 : 1;
    });
    QCOMPARE(outside, onto.data.size() / 2);
    QVERIFY(nrmse(onto, *laid) < 1e-6);
    const ImageRegion all{{0, 0, 0}, {19, 19, 7}, false, 2};
    QVERIFY(compareRegion(onto, *laid, 0, all).nrmse < 1e-6);
  }

  void magnitudesStayMagnitudes() {
    Image from = grid({16, 16, 4}, {2, 2, 2});
    for (cfloat& v : from.data) v = 2;
    const auto laid = resampled(from, grid({32, 32, 4}, {2, 2, 2}), {});
    QVERIFY(isMagnitude(*laid));
  }

  void gridsThatAreOneAreNotResampled() {
    const auto from = std::make_shared<const Image>(filled(grid({12, 12, 4}, {2, 2, 2})));
    Image near = *from;
    near.geometry.slicePositions = {{0.1, 0, 0}};  // a twentieth of a pixel
    QCOMPARE(onGridOf(near, from, {}), from);
    near.geometry.slicePositions = {{1, 0, 0}};
    QVERIFY(onGridOf(near, from, {}) != from);
    near.geometry = nominalImage(near.size, "").geometry;  // does not say where it lies
    QCOMPARE(onGridOf(near, from, {}), from);
  }

  void aSliceAnswersWithinItsThickness() {
    Image slice = grid({16, 16, 1}, {2, 2, 6});
    for (cfloat& v : slice.data) v = 5;
    const Image volume = grid({16, 16, 8}, {2, 2, 2});
    const auto laid = resampled(slice, volume, {});
    forEach(volume, [&](const Index3& index, std::size_t i) {
      const double z = position(volume, index)[2];
      QCOMPARE(std::isfinite(laid->data[i].real()), std::abs(z) <= 3);
    });
  }

  void whatCannotBeIsRefusedWithTheReason() {
    const auto refused = [](const Image& image, const Image& onto, const char* why) {
      const QString obstacle = QString::fromStdString(gridObstacle(image, onto));
      QVERIFY2(obstacle.contains(QString::fromUtf8(why)), qPrintable(obstacle));
      QVERIFY_EXCEPTION_THROWN(resampled(image, onto, {}), Error);
    };
    const Image here = filled(grid({12, 12, 4}, {2, 2, 2}));
    refused(here, grid({12, 12, 4}, {2, 2, 2}, {0, 0, 500}), "do not overlap");
    refused(nominalImage({10, 12, 4}, "nowhere"), here, "not both say where they lie");
    Image frames = here;
    frames.frames = 3;
    frames.data.resize(3 * here.data.size());
    refused(frames, here, "3 frames");
    Image uneven = grid({12, 12, 4}, {2, 2, 2});
    uneven.geometry.matrix[2] = 1;
    uneven.geometry.fov[2] = 2;
    uneven.geometry.slicePositions = {{0, 0, -3}, {0, 0, -2}, {0, 0, 2}, {0, 0, 3}};
    refused(uneven, here, "unevenly");
    Image flat = here;
    flat.geometry.readDirection = flat.geometry.phaseDirection;  // spans no volume
    flat.size = {6, 24, 4};
    refused(flat, here, "not both say where they lie");
  }
};

SPOKELAB_TEST(TestResampleImage)

}  // namespace test_resample_image

#include "test_resample_image.moc"
