// The volume view shows an asymmetric object where the patient's geometry says: not mirrored, from
// each side, floated and docked, while VTK says nothing.
#include <vtkNew.h>
#include <vtkObject.h>
#include <vtkSetGet.h>

#include <QDockWidget>
#include <QMainWindow>
#include <QSignalSpy>

#include "tests/patience.h"
#include "tests/widgets/image/sample_images.h"
#include "tests/widgets/image/view_test.h"
#include "widgets/core/image_theme.h"

namespace test_volume_view {

using namespace spokelab;

namespace {

// A block near the patient's left (high x), front (low y) and head (high z). Voxels of 10 mm; the
// box's middle is half a voxel before the origin, at (-5, -5, -5) mm.
constexpr Index3 blockFrom{22, 7, 20}, blockTo{26, 10, 25};
const Vec3 blockCentre{80, -75, 65};

std::shared_ptr<Image> block() {
  auto image = samples::blank({32, 32, 32}, {10, 10, 10});
  samples::fillBox(*image, blockFrom, blockTo, cfloat(1));
  return image;
}

constexpr int width = 420, height = 360;
constexpr double tolerance = 5;  // pixels; rays are up to 4 apart on a busy machine
constexpr int brightness = 85;   // between the box's lines and the shaded block

// The view fits 1.42 x half the box (160 mm) into half its height.
constexpr double pixelsPerMm = height / (2 * 1.42 * 160);

void showBlock(VolumeView& view, const std::shared_ptr<const Image>& image) {
  view.resize(width, height);
  view.setWindow(DisplayWindow::fromRange(0, 1));
  view.setMaximumIntensity(true);
  QSignalSpy ready(&view, &VolumeView::volumeReady);
  view.show();
  view.setImage(image);
  QVERIFY(ready.wait(10000));
}

std::optional<QPointF> findBlock(VolumeView& view) {
  QCoreApplication::processEvents();
  return samples::centreOfBright(view.picture(), brightness);
}

#define COMPARE_POINTS(found, expected)                          \
  do {                                                           \
    QVERIFY(found);                                              \
    const QPointF wanted = expected;                             \
    QVERIFY2(samples::distance(*found, wanted) < tolerance,      \
             qPrintable(QStringLiteral("(%1, %2), not (%3, %4)") \
                            .arg(found->x())                     \
                            .arg(found->y())                     \
                            .arg(wanted.x())                     \
                            .arg(wanted.y())));                  \
  } while (false)

}  // namespace

class TestVolumeView : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    QString why;
    if (!VolumeView::available(&why)) QSKIP(qPrintable(QStringLiteral("no OpenGL: ") + why));
  }

  void theFrontViewIsNotMirrored() {
    VolumeView view;
    showBlock(view, block());
    view.turn(-25, -15);  // from the first view to straight from the front
    // Patient's left at the right of the screen, head up: by hand.
    const QPointF expected(width / 2.0 + 85 * pixelsPerMm, height / 2.0 - 70 * pixelsPerMm);
    COMPARE_POINTS(findBlock(view), expected);
    QVERIFY(samples::distance(view.project(blockCentre), expected) < 0.5);
    VERIFY_VTK_WAS_SILENT();
  }

  void theLeftViewHasTheBackAtTheRight() {
    VolumeView view;
    showBlock(view, block());
    view.turn(90 - 25, -15);
    const QPointF expected(width / 2.0 - 70 * pixelsPerMm, height / 2.0 - 70 * pixelsPerMm);
    COMPARE_POINTS(findBlock(view), expected);
    VERIFY_VTK_WAS_SILENT();
  }

  void obliqueViewsAgreeWithTheProjection() {
    VolumeView view;
    showBlock(view, block());
    for (int i = 0; i < 5; ++i) {
      view.turn(40, 7);
      COMPARE_POINTS(findBlock(view), view.project(blockCentre));
    }
    // composite and shaded: its visible surface, so only near the centre
    view.setMaximumIntensity(false);
    const auto found = findBlock(view);
    QVERIFY(found);
    QVERIFY(samples::distance(*found, view.project(blockCentre)) < 3 * tolerance);
    VERIFY_VTK_WAS_SILENT();
  }

  void leftHandedAndTurnedGeometriesKeepTheirPlace() {
    auto image = block();
    image->geometry.readDirection = {0, 1, 0};
    image->geometry.phaseDirection = {0, 0, 1};
    image->geometry.sliceDirection = {-1, 0, 0};  // x to the back, y to the head, z to the right
    VolumeView view;
    showBlock(view, image);
    view.turn(-25, -15);
    const Vec3 centre{-65, 80, -75};
    // The box's middle is at (5, -5, -5).
    const QPointF expected(width / 2.0 + (-65 - 5) * pixelsPerMm, height / 2.0 - (-75 + 5) * pixelsPerMm);
    QVERIFY(samples::distance(view.project(centre), expected) < 0.5);
    COMPARE_POINTS(findBlock(view), expected);
    VERIFY_VTK_WAS_SILENT();
  }

  void theMouseTurnsMovesAndZooms() {
    VolumeView view;
    showBlock(view, block());
    const QPointF first = view.project(blockCentre);
    samples::drag(view, {200, 200}, {250, 190}, Qt::LeftButton);
    QVERIFY(samples::distance(view.project(blockCentre), first) > 10);
    COMPARE_POINTS(findBlock(view), view.project(blockCentre));
    samples::doubleClick(view, {200, 200});
    QVERIFY(samples::distance(view.project(blockCentre), first) < 1e-6);
    samples::drag(view, {200, 200}, {230, 220}, Qt::MiddleButton);
    QVERIFY(samples::distance(view.project(blockCentre), first + QPointF(30, 20)) < 0.5);
    COMPARE_POINTS(findBlock(view), view.project(blockCentre));
    samples::doubleClick(view, {200, 200});
    samples::wheel(view, {200, 200}, 2);
    const QPointF middle(width / 2.0, height / 2.0);
    QVERIFY(samples::distance(view.project(blockCentre), middle) > 1.2 * samples::distance(first, middle));
    VERIFY_VTK_WAS_SILENT();
  }

  void keysTurnMoveAndZoom() {
    VolumeView view;
    showBlock(view, block());
    QVERIFY(view.focusPolicy() & Qt::TabFocus);
    const QPointF first = view.project(blockCentre), middle(width / 2.0, height / 2.0);
    for (int i = 0; i < 5; ++i) QTest::keyClick(&view, Qt::Key_Right);
    const QPointF turned = view.project(blockCentre);
    QVERIFY(samples::distance(turned, first) > 10);
    COMPARE_POINTS(findBlock(view), turned);
    QTest::keyClick(&view, Qt::Key_0);
    QVERIFY(samples::distance(view.project(blockCentre), first) < 1e-6);
    samples::drag(view, {200, 200}, {250, 200}, Qt::LeftButton);  // as the mouse does
    QVERIFY(samples::distance(view.project(blockCentre), turned) < 1e-6);
    QTest::keyClick(&view, Qt::Key_Home);
    QTest::keyClick(&view, Qt::Key_Down, Qt::ShiftModifier);
    QVERIFY(view.project(blockCentre).y() > first.y() + 20);
    QTest::keyClick(&view, Qt::Key_0);
    QTest::keyClick(&view, Qt::Key_Plus);
    QVERIFY(samples::distance(view.project(blockCentre), middle) > 1.1 * samples::distance(first, middle));
    VERIFY_VTK_WAS_SILENT();
  }

  void theWindowSetsTheBrightness() {
    VolumeView view;
    showBlock(view, block());
    QVERIFY(findBlock(view));
    view.setWindow(DisplayWindow::fromRange(0, 20));
    QVERIFY(!findBlock(view));
    VERIFY_VTK_WAS_SILENT();
  }

  // The block holds 1, a cube round it 0.4: the part that a surface or a curve shows tells its
  // place.
  void theGroundFollowsTheTheme() {
    VolumeView view;
    showBlock(view, block());
    const auto ground = [&] {
      QCoreApplication::processEvents();
      return view.picture().pixelColor(3, 3);
    };
    for (const ScreenTheme theme : {ScreenTheme::highContrast, ScreenTheme::dark}) {
      setScreenTheme(theme);
      const QColor is = ground(), wanted = ImageTheme::background();
      QVERIFY2(std::abs(is.red() - wanted.red()) <= 1 && std::abs(is.blue() - wanted.blue()) <= 1,
               qPrintable(is.name()));
    }
  }

  void theSurfaceLiesAtItsLevel() {
    VolumeView view;
    auto image = samples::blank({32, 32, 32}, {10, 10, 10});
    samples::fillBox(*image, {4, 4, 4}, {28, 28, 28}, cfloat(0.4F));
    samples::fillBox(*image, blockFrom, blockTo, cfloat(1));
    showBlock(view, image);
    VolumeStyle style;
    style.mode = VolumeMode::surface;
    const auto lit = [&](double level) {
      style.level = level;
      QSignalSpy ready(&view, &VolumeView::surfaceReady);
      view.setVolumeStyle(style);
      if (!ready.wait(10000) || ready.back()[0].toDouble() != level) return -1;
      QCoreApplication::processEvents();
      const QImage picture = view.picture();
      int count = 0;
      for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x) count += qGray(picture.pixel(x, y)) > 40;
      return count;
    };
    const double pixels = pixelsPerMm * pixelsPerMm;
    const int outer = lit(0.2), inner = lit(0.7);
    QVERIFY2(outer > 0.8 * 240 * 240 * pixels, qPrintable(QString::number(outer)));
    QVERIFY2(inner > 500 * pixels && inner < 90 * 90 * pixels + 4000, qPrintable(QString::number(inner)));
    QVERIFY(outer > 4 * inner);
    const auto found = findBlock(view);  // the faces that look here are brighter
    QVERIFY(found && samples::distance(*found, view.project(blockCentre)) < 3 * tolerance);
    // The box cuts the mesh, too: the cube's half that is left hides less.
    style.clip = {0, 0.5, 0, 1, 0, 1};
    const int half = lit(0.2);
    const int gone = lit(0.7);
    style.clip = {0, 1, 0, 1, 0, 1};
    const int empty = lit(5);  // nothing is that bright: the box and the letters
    QCOMPARE(view.surfaceTriangles(), 0);
    QVERIFY2(std::abs(gone - empty) < 0.1 * (inner - empty),
             qPrintable(QStringLiteral("%1, %2").arg(gone).arg(empty)));
    QVERIFY2(half - empty > 0.3 * (outer - empty) && half - empty < 0.8 * (outer - empty),
             qPrintable(QStringLiteral("%1 of %2").arg(half).arg(outer)));
    // Without a given level: a share of the image's window, whatever the window is by now.
    QVERIFY(lit(0) == -1 && view.surfaceLevel() == VolumeView::automaticLevel * view.imageHigh());
    view.setWindow(DisplayWindow::fromRange(0, 3));
    QCOMPARE(view.surfaceLevel(), VolumeView::automaticLevel * view.imageHigh());
    style.mode = VolumeMode::maximum;
    view.setWindow(DisplayWindow::fromRange(0, 1));
    view.setVolumeStyle(style);
    QVERIFY(findBlock(view));  // the rays are back
    VERIFY_VTK_WAS_SILENT();
  }

  void aDraggedLevelEndsWhereItRests() {
    VolumeView view;
    showBlock(view, block());
    VolumeStyle style;
    style.mode = VolumeMode::surface;
    QSignalSpy ready(&view, &VolumeView::surfaceReady);
    for (int i = 1; i <= 40; ++i) {
      style.level = 0.02 * i;
      view.setVolumeStyle(style);
    }
    QTRY_VERIFY_WITH_TIMEOUT(!ready.isEmpty() && ready.back()[0].toDouble() == style.level, 10000);
    QVERIFY(ready.count() < 40);
    // A surface of an image that is gone is not shown.
    style.level = 0.5;
    view.setVolumeStyle(style);
    view.setImage(nullptr);
    QTest::qWait(200);
    QVERIFY(!findBlock(view));
    QCOMPARE(view.surfaceTriangles(), 0);
    VERIFY_VTK_WAS_SILENT();
  }

  void theCurveOfOpacityHidesAndShows() {
    VolumeView view;
    showBlock(view, block());
    VolumeStyle style;
    style.mode = VolumeMode::opacity;
    style.opacity = {{0, 0}, {1, 1}};
    view.setVolumeStyle(style);
    QVERIFY(findBlock(view));
    style.opacity = {{0, 0}, {1, 0}};
    view.setVolumeStyle(style);
    QVERIFY(!findBlock(view));
    VERIFY_VTK_WAS_SILENT();
  }

  void whatIsCutOffIsGone() {
    VolumeView view;
    showBlock(view, block());
    VolumeStyle style;
    style.clip = {0.5, 1, 0, 1, 0, 1};  // the block is at 22 ... 26 of 32
    view.setVolumeStyle(style);
    COMPARE_POINTS(findBlock(view), view.project(blockCentre));
    style.clip = {0, 0.5, 0, 1, 0, 1};
    view.setVolumeStyle(style);
    QVERIFY(!findBlock(view));
    style.clip = {0, 1, 0, 1, 0, 0.5};
    view.setVolumeStyle(style);
    QVERIFY(!findBlock(view));
    style = {};
    view.setVolumeStyle(style);
    COMPARE_POINTS(findBlock(view), view.project(blockCentre));
    VERIFY_VTK_WAS_SILENT();
  }

  void anExposeRendersNothingAnew() {
    VolumeView view;
    showBlock(view, block());
    QTest::qWait(600);  // the finer picture that follows motion
    QSignalSpy rendered(&view, &VolumeView::rendered);
    for (int i = 0; i < 5; ++i) {
      view.update();
      QTest::qWait(20);
    }
    QVERIFY(findBlock(view));
    QCOMPARE(rendered.count(), 0);
    view.turn(5, 0);
    QVERIFY(findBlock(view));
    QVERIFY(rendered.count() >= 1);
  }

  // All of a window is painted when its layout changes, in one event.
  void aNewSizeIsPaintedBeforeItIsRendered() {
    VolumeView view;
    showBlock(view, block());
    QVERIFY(findBlock(view));
    QTest::qWait(600);  // the finer picture that follows motion
    QSignalSpy rendered(&view, &VolumeView::rendered);
    view.resize(width + 60, height + 40);
    const auto shown = samples::centreOfBright(view.grab().toImage(), brightness);
    QVERIFY(shown);  // stretched
    QCOMPARE(rendered.count(), 0);
    QTRY_VERIFY_WITH_TIMEOUT(rendered.count() > 0, patience);
    COMPARE_POINTS(findBlock(view), view.project(blockCentre));
  }

  void noImageIsAnEmptyView() {
    VolumeView view;
    showBlock(view, block());
    QVERIFY(findBlock(view));
    view.setImage(nullptr);
    QVERIFY(!findBlock(view));
    QVERIFY(!view.hasVolume());
    auto flat = samples::blank({16, 16, 1});
    QSignalSpy ready(&view, &VolumeView::volumeReady);
    view.setImage(flat);
    QVERIFY(ready.wait(10000));
    QVERIFY(!findBlock(view));
    VERIFY_VTK_WAS_SILENT();
  }

  // A floated dock is a separate window.
  void floatingAndDockingKeepThePicture() {
    QMainWindow window;
    window.resize(700, 500);
    auto* dock = new QDockWidget(QStringLiteral("Volume"));
    auto* view = new VolumeView;
    dock->setWidget(view);
    window.addDockWidget(Qt::LeftDockWidgetArea, dock);
    window.setCentralWidget(new QWidget);
    window.show();
    showBlock(*view, block());
    for (bool floating : {true, false, true, false}) {
      dock->setFloating(floating);
      QTest::qWait(100);
      const auto found = findBlock(*view);
      COMPARE_POINTS(found, view->project(blockCentre));
      // The screen shows it, too.
      const auto shown = samples::centreOfBright(
          dock->grab(QRect(view->mapTo(dock, QPoint()), view->size())).toImage(), brightness);
      QVERIFY(shown);
    }
    delete dock;  // while its context lives
    QTest::qWait(20);
    VERIFY_VTK_WAS_SILENT();
  }

  void viewsComeAndGo() {
    for (int i = 0; i < 3; ++i) {
      VolumeView view;
      view.resize(width, height);
      view.show();
      view.setImage(block());  // gone before the voxels are ready
    }
    QTest::qWait(100);
    VolumeView view;  // shows its image although the others were deleted at work
    showBlock(view, block());
    COMPARE_POINTS(findBlock(view), view.project(blockCentre));
    VERIFY_VTK_WAS_SILENT();
  }

  // Last, because it speaks.
  void messagesOfVtkReachTheLog() {
    QSignalSpy message(&VtkLog::instance(), &VtkLog::message);
    vtkNew<vtkObject> speaker;
    vtkWarningWithObjectMacro(speaker, "a warning");
    QCOMPARE(message.count(), 1);
    QVERIFY(message.first().first().toString().contains(QStringLiteral("a warning")));
  }
};

SPOKELAB_VIEW_TEST(TestVolumeView)

}  // namespace test_volume_view

#include "test_volume_view.moc"
