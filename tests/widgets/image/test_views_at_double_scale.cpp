// At scale factor 2 everything is where it is at 1, with twice the pixels.
#include <QSignalSpy>

#include "tests/widgets/image/sample_images.h"
#include "tests/widgets/image/view_test.h"
#include "widgets/image/slice/slice_view.h"

namespace test_views_at_double_scale {

using namespace spokelab;

class TestViewsAtDoubleScale : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void theScaleIsTwo() { QCOMPARE(qApp->devicePixelRatio(), 2.0); }

  void sliceViewsUseAllPixels() {
    auto image = samples::blank({21, 16, 11}, {2, 3, 5});
    samples::at(*image, {15, 4, 7}) = 1;
    SliceView view(Plane::axial);
    view.resize(300, 220);
    view.setReadoutVisible(false);
    view.setCursorVisible(false);
    view.setImage(image);
    view.setCursorIndex({15, 4, 7});
    const QImage picture = view.grab().toImage();
    QCOMPARE(picture.size(), QSize(600, 440));
    const auto found = samples::centreOfBright(picture, 230);
    QVERIFY(found);
    QVERIFY(samples::distance(*found, view.voxelToWidget({15, 4, 7})) < 1);
  }

  void theVolumeFillsItsView() {
    QString why;
    if (!VolumeView::available(&why)) QSKIP(qPrintable(QStringLiteral("no OpenGL: ") + why));
    auto image = samples::blank({32, 32, 32}, {10, 10, 10});
    samples::fillBox(*image, {22, 7, 20}, {26, 10, 25}, cfloat(1));
    VolumeView view;
    view.resize(300, 260);
    view.setWindow(DisplayWindow::fromRange(0, 1));
    view.setMaximumIntensity(true);
    QSignalSpy ready(&view, &VolumeView::volumeReady);
    view.show();
    view.setImage(image);
    QVERIFY(ready.wait(10000));
    QImage picture = view.picture();
    QCOMPARE(picture.size(), QSize(600, 520));
    picture.setDevicePixelRatio(2);
    const auto found = samples::centreOfBright(picture, 85);
    QVERIFY(found);
    QVERIFY(samples::distance(*found, view.project({80, -75, 65})) < 5);
    VERIFY_VTK_WAS_SILENT();
  }
};

static int runAtDoubleScale(int argc, char** argv) {
  qputenv("QT_SCALE_FACTOR", "2");
  return test::runViewTest<TestViewsAtDoubleScale>(argc, argv);
}

SPOKELAB_TEST_RUN(runAtDoubleScale)

}  // namespace test_views_at_double_scale

#include "test_views_at_double_scale.moc"
