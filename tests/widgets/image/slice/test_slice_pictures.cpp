// One bright voxel appears at the predicted pixel of every plane; phase ignores the window; what is
// not a number is marked; windows fit the image.
#include <limits>
#include <numbers>

#include <QTest>

#include "tests/test_main.h"
#include "tests/widgets/image/sample_images.h"
#include "widgets/image/display/fitting_windows.h"
#include "widgets/image/slice/slice_renderer.h"

namespace test_slice_pictures {

using namespace spokelab;

namespace {

constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();

SliceRequest request(const Image& image, Plane plane, std::int64_t index,
                     DisplayMode mode = DisplayMode::magnitude) {
  SliceRequest r;
  r.axes = planeAxes(pixelAxes(image), plane);
  r.index = index;
  r.mode = mode;
  r.window = DisplayWindow::fromRange(0, 1);
  return r;
}

// All pixels brighter than half.
QList<QPoint> bright(const QImage& picture) {
  QList<QPoint> found;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x)
      if (qGray(picture.pixel(x, y)) > 127) found << QPoint(x, y);
  return found;
}

}  // namespace

class TestSlicePictures : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aBrightVoxelIsAtItsPixelInEveryPlane() {
    auto image = samples::blank({7, 6, 5});  // odd and even
    samples::at(*image, {5, 1, 3}) = 1;
    const QImage axial = renderSlice(*image, request(*image, Plane::axial, 3));
    QCOMPARE(axial.size(), QSize(7, 6));
    QCOMPARE(bright(axial), QList<QPoint>{QPoint(5, 1)});
    const QImage coronal = renderSlice(*image, request(*image, Plane::coronal, 1));
    QCOMPARE(coronal.size(), QSize(7, 5));
    QCOMPARE(bright(coronal), QList<QPoint>{QPoint(5, 5 - 1 - 3)});
    const QImage sagittal = renderSlice(*image, request(*image, Plane::sagittal, 5));
    QCOMPARE(sagittal.size(), QSize(6, 5));
    QCOMPARE(bright(sagittal), QList<QPoint>{QPoint(1, 5 - 1 - 3)});
    QVERIFY(bright(renderSlice(*image, request(*image, Plane::axial, 2))).isEmpty());
  }

  void reversedAxesAreTurnedBack() {
    auto image = samples::blank({7, 6, 5});
    image->geometry.readDirection = {-1, 0, 0};
    image->geometry.phaseDirection = {0, -1, 0};
    samples::at(*image, {5, 1, 3}) = 1;
    QCOMPARE(bright(renderSlice(*image, request(*image, Plane::axial, 3))),
             QList<QPoint>{QPoint(7 - 1 - 5, 6 - 1 - 1)});
  }

  void framesAreApart() {
    auto image = samples::blank({4, 4, 1}, {1, 1, 1}, 3);
    samples::at(*image, {2, 1, 0}, 2) = 1;
    SliceRequest r = request(*image, Plane::axial, 0);
    QVERIFY(bright(renderSlice(*image, r)).isEmpty());
    r.frame = 2;
    QCOMPARE(bright(renderSlice(*image, r)), QList<QPoint>{QPoint(2, 1)});
  }

  void windowMapsLevelAndWidth() {
    auto image = samples::blank({4, 1, 1});
    image->data = {cfloat(2), cfloat(0, 3), cfloat(-4), cfloat(10)};
    SliceRequest r = request(*image, Plane::axial, 0);
    r.window = DisplayWindow::fromRange(2, 4);
    const QImage picture = renderSlice(*image, r);
    QCOMPARE(qGray(picture.pixel(0, 0)), 0);
    QVERIFY(std::abs(qGray(picture.pixel(1, 0)) - 127.5) <= 1);
    QCOMPARE(qGray(picture.pixel(2, 0)), 255);
    QCOMPARE(qGray(picture.pixel(3, 0)), 255);
    r.mode = DisplayMode::real;
    r.window = DisplayWindow::fromRange(-4, 4);
    const QImage real = renderSlice(*image, r);
    QCOMPARE(qGray(real.pixel(2, 0)), 0);
    QVERIFY(std::abs(qGray(real.pixel(1, 0)) - 127.5) <= 1);
    QVERIFY(std::abs(qGray(real.pixel(0, 0)) - 191) <= 1);
  }

  void phaseIsCyclicAndIgnoresTheWindow() {
    auto image = samples::blank({5, 1, 1});
    const float pi = std::numbers::pi_v<float>;
    for (int i = 0; i < 5; ++i) {
      const float phase = float(i) * pi / 2 - pi;  // -pi, -pi/2, 0, pi/2, pi
      image->data[std::size_t(i)] = std::polar(1e-3F * float(i + 1), phase);
    }
    image->data[0] = {-1, -0.0F};
    image->data[4] = {-1, 0.0F};
    SliceRequest r = request(*image, Plane::axial, 0, DisplayMode::phase);
    const QImage picture = renderSlice(*image, r);
    QCOMPARE(picture.pixel(0, 0), picture.pixel(4, 0));
    QCOMPARE(picture.pixel(2, 0), ColourMap::phaseColour(0));
    QCOMPARE(picture.pixel(3, 0), ColourMap::phaseColour(std::numbers::pi / 2));
    QCOMPARE(picture.pixel(1, 0), ColourMap::phaseColour(-std::numbers::pi / 2));
    r.window = DisplayWindow::fromRange(5, 5.1);
    r.map = &ColourMap::sequential(QStringLiteral("ember"));
    QCOMPARE(renderSlice(*image, r), picture);
  }

  void notANumberIsMarkedInEveryMode() {
    auto image = samples::blank({3, 1, 1});
    image->data = {cfloat(notANumber, 0), cfloat(0, std::numeric_limits<float>::infinity()), cfloat(1)};
    for (DisplayMode mode : displayModes) {
      const QImage picture = renderSlice(*image, request(*image, Plane::axial, 0, mode));
      QCOMPARE(picture.pixel(0, 0), ColourMap::invalidColour(mode));
      QCOMPARE(picture.pixel(1, 0), ColourMap::invalidColour(mode));
      QVERIFY(picture.pixel(2, 0) != ColourMap::invalidColour(mode));
    }
  }

  void whatDoesNotExistIsANullPicture() {
    auto image = samples::blank({3, 3, 3});
    QVERIFY(renderSlice(*image, request(*image, Plane::axial, 3)).isNull());
    QVERIFY(renderSlice(*image, request(*image, Plane::axial, -1)).isNull());
    SliceRequest r = request(*image, Plane::axial, 0);
    r.frame = 1;
    QVERIFY(renderSlice(*image, r).isNull());
    image->data.resize(5);  // less than the size says
    QVERIFY(!isShowable(image.get()));
    QVERIFY(renderSlice(*image, request(*image, Plane::axial, 0)).isNull());
    QVERIFY(!isShowable(nullptr));
  }

  void windowsFitTheImage() {
    auto image = samples::blank({100, 100, 10});
    for (std::size_t i = 0; i < image->data.size(); ++i) image->data[i] = float(i % 100) / 100;
    image->data[777] = 1e6;  // one outlier doesn't darken the rest
    image->data[778] = {notANumber, notANumber};
    const DisplayWindows windows = fittingWindows(*image, 0);
    QCOMPARE(windows.magnitude.low(), 0.0);
    QVERIFY2(windows.magnitude.high() < 1e3, qPrintable(QString::number(windows.magnitude.high())));
    QVERIFY(std::abs(windows.signedParts.level) < 1e-12);
    image->data[777] = 0;
    const double high = fittingWindows(*image, 0).magnitude.high();
    QVERIFY2(high > 0.95 && high < 1.05, qPrintable(QString::number(high)));
  }

  void aWindowExistsWhateverTheImage() {
    auto zero = samples::blank({4, 4, 4});
    QCOMPARE(fittingWindows(*zero, 0).magnitude, DisplayWindow::fromRange(0, 1));
    auto one = samples::blank({160, 160, 160});
    samples::at(*one, {81, 33, 12}) = 5;  // a sample of the voxels misses it
    QVERIFY(std::abs(fittingWindows(*one, 0).magnitude.high() - 5) < 0.1);
    auto none = samples::blank({2, 2, 1});
    std::fill(none->data.begin(), none->data.end(), cfloat(notANumber));
    QCOMPARE(fittingWindows(*none, 0).magnitude, DisplayWindow::fromRange(0, 1));
  }
};

SPOKELAB_CORE_TEST(TestSlicePictures)

}  // namespace test_slice_pictures

#include "test_slice_pictures.moc"
