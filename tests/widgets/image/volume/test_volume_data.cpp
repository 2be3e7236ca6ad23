// The reduced volume keeps magnitude and place.
#include <limits>

#include <QTest>

#include "tests/test_main.h"
#include "tests/widgets/image/sample_images.h"
#include "widgets/image/volume/volume_data.h"

namespace test_volume_data {

using namespace spokelab;

class TestVolumeData : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void smallVolumesKeepEveryVoxel() {
    auto image = samples::blank({5, 4, 3});
    samples::at(*image, {2, 3, 1}) = {0.3F, -0.4F};
    const VolumeData v = reduceVolume(*image, 0, 1000, 1);
    QCOMPARE(v.size, (Index3{5, 4, 3}));
    QCOMPARE(v.blocks, (Index3{1, 1, 1}));
    const double value = v.values[(1 * 4 + 3) * 5 + 2] * v.step;
    QVERIFY(std::abs(value - 0.5) <= v.step);
    QCOMPARE(int(std::count(v.values.begin(), v.values.end(), 0)), 59);
  }

  void blocksAreAveragedAndKeepTheirPlace() {
    auto image = samples::blank({7, 4, 4}, {1, 2, 3});
    for (cfloat& v : image->data) v = 1;
    const VolumeData v = reduceVolume(*image, 0, 16, 1);
    QVERIFY(product(v.size) <= 16);
    // edges too
    for (std::uint16_t value : v.values) QVERIFY(std::abs(value * v.step - 1) <= v.step);
    // The first reduced voxel's centre is the mean of its image voxels' places.
    const PixelAxes axes = pixelAxes(*image);
    const Vec3 first = axes.position(Index3{0, 0, 0});
    const Vec3 last = axes.position(Index3{v.blocks[0] - 1, v.blocks[1] - 1, v.blocks[2] - 1});
    for (std::size_t d = 0; d < 3; ++d) {
      QVERIFY(std::abs(v.axes.origin[d] - (first[d] + last[d]) / 2) < 1e-9);
      QVERIFY(std::abs(v.spacing[d] - axes.spacing[d] * double(v.blocks[d])) < 1e-9);
    }
  }

  void outliersAreClampedAndNotANumberIsZero() {
    auto image = samples::blank({2, 2, 2});
    image->data[0] = 1e9F;
    image->data[1] = {std::numeric_limits<float>::quiet_NaN(), 0};
    const VolumeData v = reduceVolume(*image, 0, 1000, 1);
    QCOMPARE(int(v.values[0]), VolumeData::levels - 1);
    QCOMPARE(int(v.values[1]), 0);
  }
};

SPOKELAB_CORE_TEST(TestVolumeData)

}  // namespace test_volume_data

#include "test_volume_data.moc"
