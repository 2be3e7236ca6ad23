// On a platform without OpenGL the panel works and its fourth place says why the volume is not
// there.
#include <QLabel>

#include "tests/widgets/image/sample_images.h"
#include "tests/widgets/image/view_test.h"
#include "widgets/image/image_panel.h"
#include "widgets/image/slice/slice_view.h"

namespace test_panel_without_opengl {

using namespace spokelab;

class TestPanelWithoutOpenGl : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void theProbeSaysWhy() {
    QCOMPARE(QGuiApplication::platformName(), QStringLiteral("offscreen"));
    QString why;
    QVERIFY(!VolumeView::available(&why));
    QVERIFY2(why.contains(QStringLiteral("offscreen")), qPrintable(why));
    QVERIFY(!VolumeView::available());
  }

  void thePanelShowsSlicesAndTheReason() {
    ImagePanel panel;
    panel.resize(800, 700);
    panel.show();
    QVERIFY(!panel.volumeView());
    auto image = samples::blank({16, 16, 16});
    samples::fillBox(*image, {4, 4, 4}, {11, 11, 11}, cfloat(1));
    panel.setImage(image);
    QTest::qWait(150);
    auto* label = panel.findChild<QLabel*>(QStringLiteral("volumeUnavailable"));
    QVERIFY(label && label->isVisible());
    QVERIFY(label->text().contains(QStringLiteral("OpenGL")));
    QVERIFY(samples::centreOfBright(panel.sliceView(Plane::axial)->grab().toImage(), 230));
    panel.resetViews();
    panel.setImage(samples::blank({16, 16, 1}));
    QVERIFY(!label->isVisible());
  }
};

static int runOffscreen(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  VolumeView::prepareApplication();
  QApplication application(argc, argv);
  return test::runTest<TestPanelWithoutOpenGl>(argc, argv);
}

SPOKELAB_TEST_RUN(runOffscreen)

}  // namespace test_panel_without_opengl

#include "test_panel_without_opengl.moc"
