// Thumbnails show the middle slice in the patient's orientation, whatever the image's size.
#include <QtTest>

#include <limits>

#include "tests/test_main.h"
#include "tests/widgets/image/sample_images.h"
#include "widgets/image/slice/thumbnail.h"

namespace test_thumbnail {

using namespace spokelab;

class TestThumbnail : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void theMiddleSliceIsShownInItsPhysicalShape() {
    // Two times as long in y as in x, at 2 mm against 1 mm: four times as high as wide.
    auto image = samples::blank({40, 80, 5}, {1, 2, 4});
    samples::fillBox(*image, {0, 0, 0}, {39, 79, 1}, 9);
    samples::fillBox(*image, {0, 0, 2}, {9, 79, 2}, {0, 3});  // of the middle slice: patient's right
    samples::fillBox(*image, {0, 0, 3}, {39, 79, 4}, 9);
    const QImage picture = thumbnail(*image, 64);
    QCOMPARE(picture.size(), QSize(16, 64));
    QCOMPARE(qGray(picture.pixel(1, 32)), 255);
    QCOMPARE(qGray(picture.pixel(14, 32)), 0);
  }

  void pixelsAreAveragesOfTheirVoxels() {
    auto image = samples::blank({128, 128, 1});
    for (std::int64_t y = 0; y < 128; ++y)
      for (std::int64_t x = 0; x < 128; ++x)
        samples::at(*image, {x, y, 0}) = x >= 64 ? cfloat(4) : cfloat(x % 2 == 0 ? 4 : 0);
    const QImage picture = thumbnail(*image, 64);
    QCOMPARE(qGray(picture.pixel(50, 20)), 255);
    QCOMPARE(qGray(picture.pixel(10, 20)), 128);
  }

  void numbersThatAreNoneDoNoHarm() {
    auto image = samples::blank({8, 8, 1});
    samples::fillBox(*image, {0, 0, 0}, {7, 7, 0}, std::numeric_limits<float>::quiet_NaN());
    QCOMPARE(qGray(thumbnail(*image, 16).pixel(3, 3)), 0);
    samples::at(*image, {0, 0, 0}) = std::numeric_limits<float>::infinity();
    QCOMPARE(qGray(thumbnail(*image, 16).pixel(0, 0)), 0);
    QVERIFY(thumbnail(Image(), 16).isNull());  // no data
  }

  void alongThinImageStillHasAPicture() {
    const auto image = samples::blank({1000, 2, 1});
    QCOMPARE(thumbnail(*image, 48).size(), QSize(48, 1));
  }
};

SPOKELAB_GUI_TEST(TestThumbnail)

}  // namespace test_thumbnail

#include "test_thumbnail.moc"
