// The panel's views share one cursor, one window and one mode; flat images show alone; image and
// difference change places.
#include <stdexcept>

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QSemaphore>
#include <QSignalSpy>
#include <QSlider>
#include <QThreadPool>

#include "tests/patience.h"
#include "tests/widgets/image/sample_images.h"
#include "tests/widgets/image/view_test.h"
#include "widgets/core/number_text.h"
#include "widgets/image/display/colour_bar.h"
#include "widgets/image/image_panel.h"
#include "widgets/image/slice/slice_view.h"

namespace test_image_panel {

using namespace spokelab;

namespace {

std::shared_ptr<Image> ramp(const Index3& size, int frames = 1) {
  auto image = samples::blank(size, {1, 1, 1}, frames);
  for (std::size_t i = 0; i < image->data.size(); ++i) image->data[i] = {float(i % 97) / 97, 0.1F};
  return image;
}

template <class T>
T* child(ImagePanel& panel, const char* name) {
  return panel.findChild<T*>(QLatin1String(name));
}

}  // namespace

class TestImagePanel : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void oneCursorForAllViews() {
    ImagePanel panel;
    panel.resize(800, 700);
    panel.show();
    panel.setImage(ramp({20, 30, 40}));
    QCOMPARE(panel.cursorIndex(), (Index3{10, 15, 20}));
    QSignalSpy moved(&panel, &ImagePanel::cursorMoved);
    SliceView& axial = *panel.sliceView(Plane::axial);
    samples::click(axial, axial.voxelToWidget({3, 7, 20}));
    QCOMPARE(panel.cursorIndex(), (Index3{3, 7, 20}));
    SliceView& sagittal = *panel.sliceView(Plane::sagittal);
    samples::wheel(sagittal, {50, 50}, 2);
    for (Plane plane : imagePlanes) QCOMPARE(panel.sliceView(plane)->cursorIndex(), (Index3{5, 7, 20}));
    QCOMPARE(moved.count(), 2);
    panel.setCursorIndex({500, -3, 1});
    QCOMPARE(panel.cursorIndex(), (Index3{19, 0, 1}));
    const QString text = child<QLabel>(panel, "imageReadout")->text().simplified();  // of any width
    QVERIFY2(text.contains("x 19 y 0 z 1"), qPrintable(text));
    VERIFY_VTK_WAS_SILENT();
  }

  void theReadoutSaysValueAndPlaceInANarrowPanel() {
    ImagePanel panel;
    panel.resize(740, 600);
    panel.show();
    panel.setImage(ramp({20, 30, 40}));
    auto* readout = child<QLabel>(panel, "imageReadout");
    for (const int width : {1200, 740, 660, 516}) {
      panel.resize(width, 600);
      QTRY_VERIFY_WITH_TIMEOUT(readout->fontMetrics().horizontalAdvance(readout->text()) <= readout->width(),
                               patience);
      QVERIFY2(readout->text().contains(QStringLiteral("rad")), qPrintable(readout->text()));
      QVERIFY2(readout->text().contains(QStringLiteral("z 20")), qPrintable(readout->text()));
    }
    panel.resize(1400, 600);
    QTRY_VERIFY_WITH_TIMEOUT(readout->text().contains(QStringLiteral("mm")) && readout->toolTip().isEmpty(),
                             patience);
    VERIFY_VTK_WAS_SILENT();
  }

  void theSameFieldAtAnotherResolutionKeepsThePlace() {
    ImagePanel panel;
    panel.resize(800, 700);
    panel.show();
    auto fine = ramp({40, 60, 80});
    fine->geometry.fov = {200, 300, 400};
    auto coarse = ramp({20, 30, 40});
    coarse->geometry = fine->geometry;
    coarse->geometry.matrix = coarse->size;
    panel.setImage(fine);
    panel.setCursorIndex({30, 20, 60});
    panel.setWindow({0.3, 0.4});
    panel.sliceView(Plane::axial)->setView(2, {5, 6});
    panel.setPreview(coarse, QStringLiteral("coarse"));
    QVERIFY(panel.showsPreview());
    QVERIFY(child<QLabel>(panel, "previewNote")->isVisible());
    QCOMPARE(panel.cursorIndex(), (Index3{15, 10, 30}));
    QCOMPARE(panel.window(), (DisplayWindow{0.3, 0.4}));
    QCOMPARE(panel.sliceView(Plane::axial)->zoom(), 2.0);
    panel.setImage(fine);
    QVERIFY(!panel.showsPreview() && !child<QLabel>(panel, "previewNote")->isVisible());
    QCOMPARE(panel.cursorIndex(), (Index3{30, 20, 60}));
    VERIFY_VTK_WAS_SILENT();
  }

  void oneWindowAndOneModeForAllViews() {
    ImagePanel panel;
    panel.resize(800, 700);
    panel.show();
    panel.setImage(ramp({16, 16, 16}));
    QSignalSpy windowed(&panel, &ImagePanel::windowChanged);
    samples::drag(*panel.sliceView(Plane::coronal), {50, 50}, {90, 20}, Qt::RightButton);
    QVERIFY(windowed.count() > 0);
    for (Plane plane : imagePlanes) QCOMPARE(panel.sliceView(plane)->window(), panel.window());
    auto* bar = child<ColourBar>(panel, "colourBar");
    QCOMPARE(bar->highText(), valueText(panel.window().high()));
    const DisplayWindow magnitude = panel.window();

    QSignalSpy mode(&panel, &ImagePanel::modeChanged);
    QTest::keyClick(panel.sliceView(Plane::axial), Qt::Key_R);
    QCOMPARE(mode.count(), 1);
    for (Plane plane : imagePlanes) QCOMPARE(panel.sliceView(plane)->mode(), DisplayMode::real);
    QVERIFY(child<QAbstractButton>(panel, "modeR")->isChecked());
    QVERIFY(panel.window() != magnitude);  // signed parts have their own
    QTest::keyClick(&panel, Qt::Key_P);    // wherever the focus is
    QCOMPARE(panel.mode(), DisplayMode::phase);
    QCOMPARE(bar->highText(), QString(QChar(0x3c0)));
    QVERIFY(bar->title().contains("rad"));
    child<QAbstractButton>(panel, "modeM")->click();
    QCOMPARE(panel.window(), magnitude);
  }

  void aFlatImageShowsAloneInItsPlane_data() {
    QTest::addColumn<int>("plane");
    for (Plane plane : imagePlanes) QTest::addRow("plane %d", int(plane)) << int(plane);
  }
  void aFlatImageShowsAloneInItsPlane() {
    QFETCH(int, plane);
    auto image = ramp({24, 24, 1});
    if (Plane(plane) == Plane::coronal) {
      image->geometry.phaseDirection = {0, 0, -1};
      image->geometry.sliceDirection = {0, 1, 0};
    } else if (Plane(plane) == Plane::sagittal) {
      image->geometry.readDirection = {0, 1, 0};
      image->geometry.phaseDirection = {0, 0, -1};
      image->geometry.sliceDirection = {1, 0, 0};
    }
    ImagePanel panel;
    panel.resize(800, 700);
    panel.show();
    panel.setImage(ramp({8, 8, 8}));
    for (Plane p : imagePlanes) QVERIFY(panel.sliceView(p)->isVisible());
    panel.setImage(image);
    QTest::qWait(20);
    for (Plane p : imagePlanes) QCOMPARE(panel.sliceView(p)->isVisible(), p == Plane(plane));
    const SliceView& shown = *panel.sliceView(Plane(plane));
    QVERIFY2(shown.width() > 790 && shown.height() > 600,
             qPrintable(QStringLiteral("%1 x %2").arg(shown.width()).arg(shown.height())));
    if (panel.volumeView()) QVERIFY(!panel.volumeView()->isVisible());
    panel.setImage(ramp({8, 8, 8}));
    QTest::qWait(20);
    for (Plane p : imagePlanes) QVERIFY(panel.sliceView(p)->width() < 450);
    VERIFY_VTK_WAS_SILENT();
  }

  void framesAreChosenBySlider() {
    ImagePanel panel;
    panel.resize(800, 700);
    panel.show();
    auto image = ramp({8, 8, 8}, 5);
    panel.setImage(image);
    auto* slider = child<QSlider>(panel, "frameSlider");
    QVERIFY(slider->isVisible());
    QCOMPARE(slider->maximum(), 4);
    QSignalSpy changed(&panel, &ImagePanel::frameChanged);
    slider->setValue(3);
    QCOMPARE(panel.frame(), 3);
    QCOMPARE(changed.count(), 1);
    for (Plane plane : imagePlanes) QCOMPARE(panel.sliceView(plane)->frame(), 3);
    panel.setImage(ramp({8, 8, 8}));
    QCOMPARE(panel.frame(), 0);
    QVERIFY(!slider->isVisible());
  }

  void aNewImageOfTheSameSizeKeepsWhatTheUserSet() {
    ImagePanel panel;
    panel.setImage(ramp({16, 16, 16}));
    panel.setCursorIndex({1, 2, 3});
    panel.setWindow(DisplayWindow::fromRange(0.25, 0.5));
    panel.setImage(ramp({16, 16, 16}));
    QCOMPARE(panel.cursorIndex(), (Index3{1, 2, 3}));
    QCOMPARE(panel.window(), DisplayWindow::fromRange(0.25, 0.5));
    panel.setImage(ramp({16, 16, 18}));
    QCOMPARE(panel.cursorIndex(), (Index3{8, 8, 9}));
    QVERIFY(panel.window() != DisplayWindow::fromRange(0.25, 0.5));
  }

  void theDifferenceTakesTheImagesPlace() {
    ImagePanel panel;
    panel.resize(800, 700);
    panel.show();
    auto image = ramp({16, 16, 16}), reference = ramp({16, 16, 16});
    reference->data[100] += 0.01F;
    panel.setImage(image);
    auto* button = child<QAbstractButton>(panel, "showDifferenceButton");
    QVERIFY(!button->isVisible());
    panel.setReference(reference, QStringLiteral("the exact sum"));
    QVERIFY(button->isVisible() && button->isEnabled());
    QVERIFY(button->toolTip().contains("the exact sum"));
    const DisplayWindow imageWindow = panel.window();
    QSignalSpy ready(&panel, &ImagePanel::differenceReady);
    button->click();
    QVERIFY(ready.wait(10000));
    QVERIFY(panel.showsDifference());
    QVERIFY(panel.shownImage() != panel.image());
    QVERIFY(panel.window().high() < imageWindow.high());  // a separate window
    QVERIFY(child<ColourBar>(panel, "colourBar")->title().startsWith("Difference"));
    QVERIFY(child<QLabel>(panel, "nrmseLabel")->text().contains("NRMSE"));
    for (Plane plane : imagePlanes) QCOMPARE(panel.sliceView(plane)->image(), panel.shownImage());
    QTest::keyClick(&panel, Qt::Key_D);
    QCOMPARE(panel.shownImage(), panel.image());
    QCOMPARE(panel.window(), imageWindow);

    QTest::keyClick(&panel, Qt::Key_D);
    panel.setImage(ramp({16, 16, 16}));  // another result: its difference follows
    QVERIFY(ready.wait(10000));
    QVERIFY(panel.shownImage() != panel.image());
    panel.setImage(ramp({16, 16, 8}));  // cannot be compared
    QVERIFY(!panel.showsDifference());
    QVERIFY(!button->isEnabled());
    QVERIFY(!button->toolTip().isEmpty());
    panel.setShowsDifference(true);
    QVERIFY(!panel.showsDifference());
    panel.setReference(nullptr);
    QVERIFY(!button->isVisible());
    VERIFY_VTK_WAS_SILENT();
  }

  void aDifferenceThatFailsIsToldAndTheImageStays() {
    ImagePanel panel;
    panel.setDifferenceFunction(
        [](const Image&, const Image&) -> Difference { throw std::runtime_error("no memory left"); });
    panel.setImage(ramp({8, 8, 8}));
    panel.setReference(ramp({8, 8, 8}));
    QSignalSpy message(&panel, &ImagePanel::message);
    panel.setShowsDifference(true);
    QVERIFY(message.wait(10000));
    QVERIFY(message.first().first().toString().contains("no memory left"));
    QCOMPARE(panel.shownImage(), panel.image());
  }

  // The difference of the old function is still being computed when the new one comes.
  void aNewDifferenceFunctionReplacesARunningDifference() {
    QSemaphore begun, mayEnd;
    const auto differenceOf = [](const Image& image, double nrmse) {
      return Difference{std::make_shared<Image>(image), nrmse, false, {}};
    };
    ImagePanel panel;
    panel.setDifferenceFunction([&](const Image& image, const Image&) {
      begun.release();
      mayEnd.acquire();
      return differenceOf(image, 0.25);
    });
    panel.setImage(ramp({8, 8, 8}));
    panel.setReference(ramp({8, 8, 8}));
    QSignalSpy ready(&panel, &ImagePanel::differenceReady);
    panel.setShowsDifference(true);
    begun.acquire();
    panel.setDifferenceFunction([&](const Image& image, const Image&) { return differenceOf(image, 0.5); });
    mayEnd.release();
    QVERIFY(ready.wait(patience));
    QThreadPool::globalInstance()->waitForDone();
    QCoreApplication::processEvents();
    QCOMPARE(ready.size(), qsizetype(1));
    QCOMPARE(ready.front().front().toDouble(), 0.5);
  }

  void coloursAreChosenForSlicesAndLegend() {
    ImagePanel panel;
    panel.resize(800, 700);
    panel.show();
    panel.setImage(ramp({8, 8, 8}));
    panel.setColourMap(QStringLiteral("ember"));
    QCOMPARE(child<QComboBox>(panel, "colourMapBox")->currentData().toString(), QStringLiteral("ember"));
    for (Plane plane : imagePlanes) QCOMPARE(panel.sliceView(plane)->colourMap(), QStringLiteral("ember"));
    panel.setColourMap(QStringLiteral("no such map"));
    QCOMPARE(panel.colourMap(), QStringLiteral("ember"));
  }

  void theVolumeFollowsItsButton() {
    ImagePanel panel;
    auto* button = child<QAbstractButton>(panel, "mipButton");
    if (!panel.volumeView()) QSKIP("no OpenGL");
    QCOMPARE(panel.volumeView()->maximumIntensity(), button->isChecked());
    button->click();
    QCOMPARE(panel.volumeView()->maximumIntensity(), button->isChecked());
    VERIFY_VTK_WAS_SILENT();
  }

  void withoutAnImageThePanelIsQuiet() {
    ImagePanel panel;
    panel.resize(600, 500);
    panel.show();
    QVERIFY(!panel.grab().isNull());
    panel.setShowsDifference(true);
    panel.setFrame(3);
    panel.setCursorIndex({1, 1, 1});
    panel.resetViews();
    QTest::keyClick(&panel, Qt::Key_C);
    panel.setImage(std::make_shared<Image>());  // claims a voxel it doesn't have
    QVERIFY(!panel.image());
    panel.setImage(ramp({8, 8, 8}));
    panel.setImage(nullptr);
    QVERIFY(!panel.image());
    QTest::qWait(150);
    QVERIFY(!panel.grab().isNull());
    VERIFY_VTK_WAS_SILENT();
  }

  // Root-sum-of-squares images are magnitudes: one colour all over, which says nothing by itself.
  void thePhaseOfMagnitudesIsExplained() {
    ImagePanel panel;
    panel.resize(600, 500);
    panel.show();
    const auto* remark = child<QLabel>(panel, "imageRemark");
    auto magnitudes = samples::blank({8, 8, 1});
    for (std::size_t i = 0; i < magnitudes->data.size(); ++i) magnitudes->data[i] = float(i);
    panel.setImage(magnitudes);
    QVERIFY(!remark->isVisible());
    panel.setMode(DisplayMode::phase);
    QVERIFY(remark->isVisible() && remark->text().contains(QStringLiteral("magnitudes")));
    panel.setImage(ramp({8, 8, 1}));
    QVERIFY(!remark->isVisible());
    panel.setImage(magnitudes);
    panel.setMode(DisplayMode::magnitude);
    QVERIFY(!remark->isVisible());
  }

  void spacePlaysTheSlicesWhereThereAreNoFrames() {
    ImagePanel panel;
    panel.resize(600, 500);
    panel.show();
    panel.setImage(ramp({8, 8, 4}));
    QApplication::setActiveWindow(&panel);
    SliceView* axial = panel.sliceView(Plane::axial);
    axial->setFocus();
    const std::int64_t first = panel.cursorIndex()[2];
    QTest::keyClick(axial, Qt::Key_Space);
    QTRY_VERIFY_WITH_TIMEOUT(panel.cursorIndex()[2] != first, patience);
    QTRY_COMPARE_WITH_TIMEOUT(panel.cursorIndex()[2], first, patience);  // round the end
    QTest::keyClick(axial, Qt::Key_Space);
    const std::int64_t held = panel.cursorIndex()[2];
    QTest::qWait(300);
    QCOMPARE(panel.cursorIndex()[2], held);
  }

  void keysInTheBarAreItsOwn() {
    ImagePanel panel;
    panel.resize(600, 500);
    panel.show();
    panel.setImage(ramp({8, 8, 4}));
    QApplication::setActiveWindow(&panel);
    auto* smooth = child<QAbstractButton>(panel, "smoothButton");
    smooth->setFocus();
    QTest::keyClick(smooth, Qt::Key_P);
    QCOMPARE(panel.mode(), DisplayMode::magnitude);
    panel.sliceView(Plane::coronal)->setFocus();
    QTest::keyClick(panel.sliceView(Plane::coronal), Qt::Key_P);
    QCOMPARE(panel.mode(), DisplayMode::phase);
    panel.setImage(ramp({8, 8, 1}));  // hides the coronal view
    QVERIFY(panel.sliceView(Plane::axial)->hasFocus());
  }

  void controlsHaveNamesForScreenReaders() {
    ImagePanel panel;
    for (QWidget* widget : panel.findChildren<QWidget*>()) {
      const bool control = qobject_cast<QAbstractButton*>(widget) || qobject_cast<QComboBox*>(widget) ||
                           qobject_cast<QSlider*>(widget) || qobject_cast<SliceView*>(widget);
      if (!control || widget->parent()->inherits("QComboBoxPrivateContainer")) continue;
      QVERIFY2(!widget->accessibleName().isEmpty(), qPrintable(widget->objectName()));
      QVERIFY2(!widget->objectName().isEmpty(), widget->metaObject()->className());
    }
  }
};

SPOKELAB_VIEW_TEST(TestImagePanel)

}  // namespace test_image_panel

#include "test_image_panel.moc"
