// The slice view shows voxels where it says, keeps the physical aspect, and does what hands and
// keys ask.
#include <limits>

#include <QApplication>
#include <QSignalSpy>
#include <QTest>

#include "tests/test_main.h"
#include "tests/widgets/image/sample_images.h"
#include "widgets/core/colour_map.h"
#include "widgets/core/image_theme.h"
#include "widgets/image/display/measurement.h"
#include "widgets/image/slice/slice_view.h"

namespace test_slice_view {

using namespace spokelab;

namespace {

// A view of known size, without what would hide pixels.
void prepare(SliceView& view, const std::shared_ptr<const Image>& image) {
  view.resize(400, 300);
  view.setReadoutVisible(false);
  view.setCursorVisible(false);
  view.setImage(image);
}

constexpr int brightness = 230;  // brighter than the text

}  // namespace

class TestSliceView : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aBrightVoxelIsWhereTheViewSays_data() {
    QTest::addColumn<int>("plane");
    QTest::addColumn<bool>("reversed");
    for (Plane plane : imagePlanes)
      for (bool reversed : {false, true})
        QTest::addRow("plane %d reversed %d", int(plane), int(reversed)) << int(plane) << reversed;
  }
  void aBrightVoxelIsWhereTheViewSays() {
    QFETCH(int, plane);
    QFETCH(bool, reversed);
    auto image = samples::blank({21, 16, 11}, {2, 3, 5});
    if (reversed) {
      image->geometry.readDirection = {0, -1, 0};
      image->geometry.phaseDirection = {0, 0, 1};
      image->geometry.sliceDirection = {-1, 0, 0};
    }
    const Index3 voxel{15, 4, 7};
    samples::at(*image, voxel) = 1;
    SliceView view{Plane(plane)};
    prepare(view, image);
    view.setCursorIndex(voxel);
    const auto found = samples::centreOfBright(view.grab().toImage(), brightness);
    QVERIFY(found);
    const QPointF predicted = view.voxelToWidget(voxel);
    QVERIFY2(
        samples::distance(*found, predicted) < 1.5,
        qPrintable(QStringLiteral("%1 %2").arg(found->x() - predicted.x()).arg(found->y() - predicted.y())));
    QCOMPARE(*view.widgetToVoxel(predicted), voxel);
  }

  // The same by hand: 100 x 50 mm in a view of 400 x 300 with 8 pixels around.
  void pixelsHaveTheirPhysicalAspect() {
    auto image = samples::blank({50, 10, 1}, {2, 5, 3});
    SliceView view(Plane::axial);
    prepare(view, image);
    const QRectF picture = view.pictureRect();
    QCOMPARE(picture.width(), 384.0);
    QCOMPARE(picture.height(), 192.0);
    QCOMPARE(picture.center(), QPointF(200, 150));
    QCOMPARE(view.voxelToWidget({0, 0, 0}), QPointF(8 + 3.84, 54 + 9.6));
    image->geometry.fov = {50, 100, 3};  // now upright: 284 pixels for 100 mm
    view.setImage(image);
    QCOMPARE(view.pictureRect().height(), 284.0);
    QCOMPARE(view.pictureRect().width(), 142.0);
  }

  void lettersTellThePatientsSides() {
    SliceView view(Plane::axial);
    auto image = samples::blank({4, 4, 4});
    view.setImage(image);
    QCOMPARE(view.sideTexts(), (std::array<QString, 4>{"R", "L", "A", "P"}));
    view.setPlane(Plane::coronal);
    QCOMPARE(view.sideTexts(), (std::array<QString, 4>{"R", "L", "S", "I"}));
    view.setPlane(Plane::sagittal);
    QCOMPARE(view.sideTexts(), (std::array<QString, 4>{"A", "P", "S", "I"}));
    image->geometry.readDirection = {0.8, 0.6, 0};
    image->geometry.phaseDirection = {-0.6, 0.8, 0};
    view.setPlane(Plane::axial);
    view.setImage(image);
    QCOMPARE(view.sideTexts(), (std::array<QString, 4>{"RA", "LP", "AL", "PR"}));
    image->geometry.nominal = true;
    image->geometry.readDirection = {1, 0, 0};
    image->geometry.phaseDirection = {0, 1, 0};
    view.setImage(image);
    const QString minus(QChar(0x2212));
    QCOMPARE(view.sideTexts(), (std::array<QString, 4>{minus + "x", "+x", minus + "y", "+y"}));
  }

  void clickAndDragMoveTheCursor() {
    SliceView view(Plane::coronal);
    prepare(view, samples::blank({32, 32, 32}));
    QSignalSpy moved(&view, &SliceView::cursorMoved);
    const Index3 target{5, 16, 20};
    samples::click(view, view.voxelToWidget(target));
    QCOMPARE(view.cursorIndex(), target);
    QCOMPARE(moved.count(), 1);
    QCOMPARE(moved.first().first().value<Index3>(), target);
    samples::drag(view, view.voxelToWidget(target), view.voxelToWidget({25, 16, 3}), Qt::LeftButton);
    QCOMPARE(view.cursorIndex(), (Index3{25, 16, 3}));
    samples::drag(view, view.voxelToWidget({25, 16, 3}), QPointF(5000, -5000), Qt::LeftButton);
    QCOMPARE(view.cursorIndex(), (Index3{31, 16, 31}));  // held inside
  }

  void settersDoNotSignal() {
    SliceView view(Plane::axial);
    prepare(view, samples::blank({8, 8, 8}));
    QSignalSpy moved(&view, &SliceView::cursorMoved);
    QSignalSpy mode(&view, &SliceView::modeChanged);
    QSignalSpy window(&view, &SliceView::windowChanged);
    view.setCursorIndex({1, 2, 300});
    QCOMPARE(view.cursorIndex(), (Index3{1, 2, 7}));
    view.setMode(DisplayMode::phase);
    view.setWindows({{3, 1}, {0, 1}});
    QCOMPARE(moved.count() + mode.count() + window.count(), 0);
  }

  void theWheelScrollsAndZooms() {
    SliceView view(Plane::sagittal);
    prepare(view, samples::blank({9, 9, 9}));
    const QPointF centre(200, 150);
    samples::wheel(view, centre, 1);
    QCOMPARE(view.cursorIndex(), (Index3{5, 4, 4}));
    samples::wheel(view, centre, -20);
    QCOMPARE(view.cursorIndex(), (Index3{0, 4, 4}));
    const QPointF anchor = view.voxelToWidget({0, 2, 6});
    samples::wheel(view, anchor, 3, Qt::ControlModifier);
    QVERIFY(view.zoom() > 1.5);
    // is still under the mouse
    QVERIFY(samples::distance(view.voxelToWidget({0, 2, 6}), anchor) < 1e-6);
    QCOMPARE(view.cursorIndex(), (Index3{0, 4, 4}));
  }

  void middleDragPansAndDoubleClickFits() {
    SliceView view(Plane::axial);
    prepare(view, samples::blank({16, 16, 16}));
    const QRectF before = view.pictureRect();
    samples::drag(view, {100, 100}, {130, 80}, Qt::MiddleButton);
    QCOMPARE(view.pictureRect().topLeft(), before.topLeft() + QPointF(30, -20));
    samples::wheel(view, {10, 10}, 2, Qt::ControlModifier);
    QSignalSpy reset(&view, &SliceView::windowResetRequested);
    samples::drag(view, {100, 100}, {180, 60}, Qt::RightButton);
    samples::doubleClick(view, {200, 150});
    QCOMPARE(view.pictureRect(), before);
    QCOMPARE(view.window(), DisplayWindow::fromRange(0, 1));  // what fits zeros
    QCOMPARE(reset.count(), 1);
  }

  void rightAndShiftDragChangeTheWindow_data() {
    QTest::addColumn<int>("button");
    QTest::addColumn<int>("keys");
    QTest::newRow("right") << int(Qt::RightButton) << int(Qt::NoModifier);
    QTest::newRow("shift + left") << int(Qt::LeftButton) << int(Qt::ShiftModifier);
  }
  void rightAndShiftDragChangeTheWindow() {
    QFETCH(int, button);
    QFETCH(int, keys);
    SliceView view(Plane::axial);
    auto image = samples::blank({8, 8, 8});
    std::fill(image->data.begin(), image->data.end(), cfloat(1));
    prepare(view, image);
    const Index3 cursor = view.cursorIndex();
    const DisplayWindow before = view.window();
    QSignalSpy changed(&view, &SliceView::windowChanged);
    samples::drag(view, {100, 100}, {180, 100}, Qt::MouseButton(button), Qt::KeyboardModifiers(keys));
    QVERIFY(view.window().width > before.width);
    QCOMPARE(view.window().level, before.level);
    samples::drag(view, {100, 100}, {100, 40}, Qt::MouseButton(button), Qt::KeyboardModifiers(keys));
    QVERIFY(view.window().level > before.level);
    QVERIFY(changed.count() >= 2);
    QCOMPARE(changed.last().first().value<DisplayWindow>(), view.window());
    samples::drag(view, {300, 100}, {-9000, 100}, Qt::MouseButton(button), Qt::KeyboardModifiers(keys));
    QVERIFY(view.window().width > 0);
    QCOMPARE(view.cursorIndex(), cursor);
  }

  void phaseHasNoWindow() {
    SliceView view(Plane::axial);
    prepare(view, samples::blank({8, 8, 8}));
    view.setMode(DisplayMode::phase);
    const QImage before = view.grab().toImage();
    const DisplayWindows windows = view.windows();
    QSignalSpy changed(&view, &SliceView::windowChanged);
    samples::drag(view, {100, 100}, {180, 40}, Qt::RightButton);
    QCOMPARE(changed.count(), 0);
    QCOMPARE(view.windows(), windows);
    QCOMPARE(view.grab().toImage(), before);
  }

  void keysChooseTheMode() {
    SliceView view(Plane::axial);
    prepare(view, samples::blank({8, 8, 8}));
    QSignalSpy changed(&view, &SliceView::modeChanged);
    const std::array<std::pair<Qt::Key, DisplayMode>, 5> keys{{{Qt::Key_P, DisplayMode::phase},
                                                               {Qt::Key_R, DisplayMode::real},
                                                               {Qt::Key_I, DisplayMode::imaginary},
                                                               {Qt::Key_C, DisplayMode::complex},
                                                               {Qt::Key_M, DisplayMode::magnitude}}};
    int count = 0;
    for (const auto& [key, mode] : keys) {
      QTest::keyClick(&view, key);
      QCOMPARE(view.mode(), mode);
      QCOMPARE(changed.count(), ++count);
      QCOMPARE(changed.last().first().value<DisplayMode>(), mode);
    }
    QTest::keyClick(&view, Qt::Key_M);  // is it already
    QCOMPARE(changed.count(), count);
  }

  void keysMoveTheCursorAsTheScreenSays() {
    SliceView view(Plane::coronal);
    prepare(view, samples::blank({9, 9, 9}));
    QTest::keyClick(&view, Qt::Key_Up);  // up is towards the head
    QCOMPARE(view.cursorIndex(), (Index3{4, 4, 5}));
    QTest::keyClick(&view, Qt::Key_Left);
    QCOMPARE(view.cursorIndex(), (Index3{3, 4, 5}));
    QTest::keyClick(&view, Qt::Key_PageUp);
    QCOMPARE(view.cursorIndex(), (Index3{3, 5, 5}));
  }

  void keysZoomMoveWindowAndFit() {
    SliceView view(Plane::axial);
    auto image = samples::blank({8, 8, 8});
    std::fill(image->data.begin(), image->data.end(), cfloat(1));
    prepare(view, image);
    const Index3 cursor = view.cursorIndex();
    const QPointF place = view.voxelToWidget(cursor);
    QTest::keyClick(&view, Qt::Key_Plus);
    QVERIFY(view.zoom() > 1.1);
    QVERIFY(samples::distance(view.voxelToWidget(cursor), place) < 1e-6);
    QTest::keyClick(&view, Qt::Key_Minus);
    QVERIFY(std::abs(view.zoom() - 1) < 1e-9);
    QTest::keyClick(&view, Qt::Key_Right, Qt::ShiftModifier);
    QVERIFY(view.voxelToWidget(cursor).x() > place.x() + 10);
    const DisplayWindow before = view.window();
    QSignalSpy changed(&view, &SliceView::windowChanged), reset(&view, &SliceView::windowResetRequested);
    QTest::keyClick(&view, Qt::Key_Right, Qt::ControlModifier);
    QVERIFY(view.window().width > before.width);
    QTest::keyClick(&view, Qt::Key_Up, Qt::ControlModifier);
    QVERIFY(view.window().level > before.level);
    QCOMPARE(changed.count(), 2);
    QTest::keyClick(&view, Qt::Key_0);
    QCOMPARE(view.window(), before);
    QCOMPARE(reset.count(), 1);
    QVERIFY(samples::distance(view.voxelToWidget(cursor), place) < 1e-6);
    QCOMPARE(view.cursorIndex(), cursor);
  }

  void theReadoutGivesValueAndPlace() {
    auto image = samples::blank({8, 8, 8}, {2, 2, 2});
    samples::at(*image, {1, 6, 4}) = {0, 0.25F};
    samples::at(*image, {0, 0, 0}) = {std::numeric_limits<float>::quiet_NaN(), 0};
    SliceView view(Plane::axial);
    prepare(view, image);
    const QString text = view.readout({1, 6, 4});
    QVERIFY2(text.contains("x 1  y 6  z 4"), qPrintable(text));
    QVERIFY2(text.contains("R 6.0  P 4.0  S 0.0 mm"), qPrintable(text));
    QVERIFY2(text.contains("|m| 0.25"), qPrintable(text));
    QVERIFY2(text.contains("1.57 rad"), qPrintable(text));
    QVERIFY(view.readout({0, 0, 0}).contains("not a number"));
    QSignalSpy hovered(&view, &SliceView::hovered);
    samples::mouse(view, QEvent::MouseMove, view.voxelToWidget({1, 6, 4}), Qt::NoButton, Qt::NoButton);
    QCOMPARE(hovered.last().first().toString(), text);
    samples::mouse(view, QEvent::MouseMove, {1, 1}, Qt::NoButton, Qt::NoButton);
    QVERIFY(hovered.last().first().toString().isEmpty());
  }

  void notANumberIsShownAsSuch() {
    auto image = samples::blank({8, 8, 1});
    std::fill(image->data.begin(), image->data.end(), cfloat(std::numeric_limits<float>::quiet_NaN()));
    SliceView view(Plane::axial);
    prepare(view, image);
    for (DisplayMode mode : displayModes) {
      view.setMode(mode);
      const QImage picture = view.grab().toImage();
      QCOMPARE(picture.pixel(view.pictureRect().center().toPoint() + QPoint(30, 30)),
               ColourMap::invalidColour(mode));
    }
  }

  void withoutAnImageItSaysSo() {
    SliceView view(Plane::axial);
    view.resize(300, 200);
    view.setEmptyText(QStringLiteral("Nothing here"));
    const QImage empty = view.grab().toImage();
    QVERIFY(samples::centreOfBright(empty, 100));  // the text
    for (auto button : {Qt::LeftButton, Qt::RightButton, Qt::MiddleButton})
      samples::drag(view, {10, 10}, {90, 50}, button);
    samples::wheel(view, {10, 10}, 1);
    samples::doubleClick(view, {10, 10});
    QTest::keyClick(&view, Qt::Key_Up);
    QVERIFY(!view.widgetToVoxel({100, 100}));
    view.setImage(std::make_shared<Image>());  // claims a voxel it doesn't have
    QVERIFY(!view.image());
    view.setImage(nullptr);
    QCOMPARE(view.grab().toImage(), empty);
  }

  void tinyAndFlatImagesShow() {
    for (const Index3& size : {Index3{1, 1, 1}, Index3{1, 7, 1}, Index3{300, 1, 2}}) {
      for (Plane plane : imagePlanes) {
        SliceView view(plane);
        prepare(view, samples::blank(size));
        QVERIFY(!view.grab().isNull());
        samples::wheel(view, {200, 150}, 5);
        samples::drag(view, {0, 0}, {399, 299}, Qt::LeftButton);
      }
    }
  }

  // The dot where a line begins is filled; the frame of the focus around the view is not.
  void theFocusFramesASliceWithALineAndDoesNotFillIt() {
    SliceView view(Plane::axial);
    prepare(view, samples::blank({32, 32, 1}));
    Measurement measurement;
    view.setMeasurement(&measurement);
    view.show();
    QApplication::setActiveWindow(&view);
    view.setFocus();
    QVERIFY(view.hasFocus());
    QTest::keyClick(&view, Qt::Key_L);
    QVERIFY(measurement.line());
    const QImage seen = view.grab().toImage();
    QCOMPARE(seen.pixelColor(0, 100), ImageTheme::focus());
    for (const QPoint& away : {QPoint(130, 60), QPoint(270, 240), QPoint(20, 40)})
      QVERIFY2(seen.pixelColor(away).lightness() < 60, qPrintable(seen.pixelColor(away).name()));
    view.setMeasurement(nullptr);
  }

  void everyViewHasANameForScreenReaders() {
    for (Plane plane : imagePlanes) {
      SliceView view(plane);
      QVERIFY(!view.objectName().isEmpty());
      QVERIFY(view.accessibleName().contains(planeTitle(plane)));
    }
  }
};

SPOKELAB_GUI_TEST(TestSliceView)

}  // namespace test_slice_view

#include "test_slice_view.moc"
