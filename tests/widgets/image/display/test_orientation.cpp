// Pixels lie where the geometry says, and planes, sides and letters follow radiologists'
// convention.
#include <cmath>

#include <QTest>

#include "tests/test_main.h"
#include "tests/widgets/image/sample_images.h"
#include "widgets/image/display/orientation.h"

namespace test_orientation {

using namespace spokelab;

namespace {

void compare(const Vec3& a, const Vec3& b) {
  for (std::size_t d = 0; d < 3; ++d) QVERIFY2(std::abs(a[d] - b[d]) < 1e-9, qPrintable(QString::number(d)));
}

}  // namespace

class TestOrientation : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void pixelsLieHalfTheMatrixFromTheCentre() {
    auto image = samples::blank({8, 5, 4}, {2, 3, 4});
    image->geometry.slicePositions = {{10, 20, 30}};
    const PixelAxes axes = pixelAxes(*image);
    compare(axes.position(Index3{4, 2, 2}), {10, 20, 30});  // floor(N/2)
    compare(axes.position(Index3{0, 0, 0}), {10 - 8, 20 - 6, 30 - 8});
    compare(axes.position(Index3{7, 4, 3}), {10 + 6, 20 + 6, 30 + 4});
  }

  void obliqueCornersAreWhereHandComputed() {
    auto image = samples::blank({4, 4, 1}, {2, 2, 5});
    Geometry& g = image->geometry;
    g.readDirection = {0.6, 0.8, 0};
    g.phaseDirection = {0, 0, -1};
    g.sliceDirection = {-0.8, 0.6, 0};
    g.slicePositions = {{100, 0, -50}};
    const PixelAxes axes = pixelAxes(*image);
    // centre (100, 0, -50) - 2 * 2 * read - 2 * 2 * phase
    compare(axes.position(Index3{0, 0, 0}), {100 - 2.4, -3.2, -50 + 4});
    compare(axes.position(Index3{3, 0, 0}), {100 - 2.4 + 3.6, -3.2 + 4.8, -46});
    compare(axes.position(Index3{0, 3, 0}), {97.6, -3.2, -46 - 6});
  }

  void aStackOfSlicesFollowsItsPositions() {
    auto image = samples::blank({4, 4, 3}, {1, 1, 1});
    image->geometry.matrix = {4, 4, 1};
    image->geometry.fov = {4, 4, 5};
    image->geometry.slicePositions = {{0, 0, 10}, {0, 0, 3}, {0, 0, -4}};  // downwards, 7 mm apart
    const PixelAxes axes = pixelAxes(*image);
    compare(axes.direction[2], {0, 0, -1});
    QCOMPARE(axes.spacing[2], 7.0);
    compare(axes.position(Index3{2, 2, 1}), {0, 0, 3});
    const PlaneAxes coronal = planeAxes(axes, Plane::coronal);
    QCOMPARE(coronal.down, 2);
    QVERIFY(!coronal.flipDown);  // the first slice is the highest: it is shown at the top
  }

  void withoutGeometryOneMillimetreIsAssumed() {
    auto image = samples::blank({4, 4, 4});
    image->geometry.fov = {0, 0, std::nan("")};
    image->geometry.readDirection = image->geometry.phaseDirection =
        image->geometry.sliceDirection = {0, 0, 0};
    image->geometry.slicePositions.clear();
    const PixelAxes axes = pixelAxes(*image);
    compare(axes.spacing, {1, 1, 1});
    compare(axes.direction[0], {1, 0, 0});
    compare(axes.position(Index3{2, 2, 2}), {0, 0, 0});
  }

  void identityGeometryIsShownAsRadiologistsDo() {
    const PixelAxes axes = pixelAxes(*samples::blank({4, 4, 4}));
    const PlaneAxes axial = planeAxes(axes, Plane::axial);
    QCOMPARE(axial.through, 2);
    QCOMPARE(axial.across, 0);  // x to the patient's left, which is at the right of the screen
    QVERIFY(!axial.flipAcross && !axial.flipDown);
    const PlaneAxes coronal = planeAxes(axes, Plane::coronal);
    QCOMPARE(coronal.through, 1);
    QCOMPARE(coronal.down, 2);
    QVERIFY(coronal.flipDown && !coronal.flipAcross);  // head up
    const PlaneAxes sagittal = planeAxes(axes, Plane::sagittal);
    QCOMPARE(sagittal.through, 0);
    QCOMPARE(sagittal.across, 1);
    QVERIFY(sagittal.flipDown && !sagittal.flipAcross);  // anterior at the left
    QCOMPARE(nativePlane(axes), Plane::axial);
  }

  void planesFollowTheAcquisition() {
    auto image = samples::blank({8, 8, 8});
    image->geometry.readDirection = {0, 0, -1};   // feet
    image->geometry.phaseDirection = {0, -1, 0};  // anterior
    image->geometry.sliceDirection = {-1, 0, 0};  // right
    const PixelAxes axes = pixelAxes(*image);
    QCOMPARE(nativePlane(axes), Plane::sagittal);
    const PlaneAxes sagittal = planeAxes(axes, Plane::sagittal);
    QCOMPARE(sagittal.through, 2);
    QCOMPARE(sagittal.across, 1);
    QVERIFY(sagittal.flipAcross);  // index grows towards anterior, anterior is at the left
    QCOMPARE(sagittal.down, 0);
    QVERIFY(!sagittal.flipDown);  // index grows towards the feet, which are below
  }

  void lettersNameTheSides() {
    QCOMPARE(sideLetters({1, 0, 0}, false), QStringLiteral("L"));
    QCOMPARE(sideLetters({-1, 0, 0}, false), QStringLiteral("R"));
    QCOMPARE(sideLetters({0, 1, 0}, false), QStringLiteral("P"));
    QCOMPARE(sideLetters({0, -1, 0}, false), QStringLiteral("A"));
    QCOMPARE(sideLetters({0, 0, 1}, false), QStringLiteral("S"));
    QCOMPARE(sideLetters({0, 0, -1}, false), QStringLiteral("I"));
    QCOMPARE(sideLetters({0.8, -0.6, 0}, false), QStringLiteral("LA"));
    QCOMPARE(sideLetters({0.98, -0.2, 0}, false), QStringLiteral("L"));
    QCOMPARE(sideLetters({0, 1, 0}, true), QStringLiteral("+y"));
    QCOMPARE(sideLetters({-1, 0, 0}, true), QString(QChar(0x2212)) + QStringLiteral("x"));
    QCOMPARE(positionText({-12, 3, 5.04}, false), QStringLiteral("R 12.0  P 3.0  S 5.0 mm"));
  }
};

SPOKELAB_CORE_TEST(TestOrientation)

}  // namespace test_orientation

#include "test_orientation.moc"
