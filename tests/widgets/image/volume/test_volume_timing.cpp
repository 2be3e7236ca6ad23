// A volume of 128^3 appears, is windowed and turned without an event that keeps the main thread
// longer than 50 ms.
#include <QSignalSpy>

#include "tests/event_probe.h"
#include "tests/widgets/image/sample_images.h"
#include "tests/widgets/image/view_test.h"

namespace test_volume_timing {

using namespace spokelab;

namespace {

// A ball of shells, so that every ray through it has something to shade.
std::shared_ptr<const Image> shells() {
  constexpr std::int64_t n = 128;
  auto image = samples::blank({n, n, n}, {1, 1, 1});
  for (std::int64_t i = 0; i < image->volume(); ++i) {
    const auto d = [](std::int64_t index) { return double(index) - n / 2.0; };
    const double r = std::hypot(d(i % n), d(i / n % n), d(i / (n * n)));
    image->data[std::size_t(i)] = r < 60 ? cfloat(float(0.6 + 0.4 * std::cos(r / 3)), 0) : cfloat(0);
  }
  return image;
}

}  // namespace

class TestVolumeTiming : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    QString why;
    if (!VolumeView::available(&why)) QSKIP(qPrintable(QStringLiteral("no OpenGL: ") + why));
  }

  void aVolumeOf128CubedAppearsWithoutHoldingTheMainThread_data() {
    QTest::addColumn<VolumeMode>("mode");
    QTest::newRow("maximum intensity") << VolumeMode::maximum;
    QTest::newRow("shaded") << VolumeMode::opacity;
    QTest::newRow("surface") << VolumeMode::surface;
  }

  void aVolumeOf128CubedAppearsWithoutHoldingTheMainThread() {
    QFETCH(VolumeMode, mode);
    ProbeApplication& probe = ProbeApplication::instance();
    const auto image = shells();
    // The quickest of some tries: other programs can only add to it.
    double best = 1e9;
    QString what;
    for (int i = 0; i < 3; ++i) {
      VolumeView view;
      view.resize(560, 420);
      VolumeStyle style;
      style.mode = mode;
      view.setVolumeStyle(style);
      view.setWindow(DisplayWindow::fromRange(0, 1));
      view.show();
      QTest::qWait(200);  // the empty view, and OpenGL's own beginnings
      QSignalSpy rendered(&view, &VolumeView::rendered);
      probe.begin();
      view.setImage(image);
      QSignalSpy ready(&view, &VolumeView::volumeReady);
      QVERIFY(ready.wait(20000));
      QTest::qWait(500);  // the coarse and the fine picture
      view.setWindow(DisplayWindow::fromRange(0.1, 0.9));
      QTest::qWait(100);
      view.turn(20, 5);
      QTest::qWait(500);
      if (mode == VolumeMode::surface) {  // the level is dragged through many shells
        for (style.level = 0.25; style.level < 0.95; style.level += 0.05) {
          view.setVolumeStyle(style);
          QTest::qWait(20);
        }
        QTest::qWait(500);
        QVERIFY(view.surfaceTriangles() > 10000);
      }
      QVERIFY(rendered.count() >= 3);
      QString times;
      for (const auto& render : rendered) times += QStringLiteral(" %1").arg(render[0].toDouble(), 0, 'f', 1);
      qInfo("longest %.1f ms (%s), computed %.1f ms; renders%s", probe.longestWall,
            qPrintable(probe.longestName), probe.longestProcessor, qPrintable(times));
      const double took = probe.longest();
      if (took < best) {
        best = took;
        what = probe.longestName;
      }
    }
    QVERIFY2(best <= longestAllowed, qPrintable(QStringLiteral("%1 ms: %2").arg(best).arg(what)));
    VERIFY_VTK_WAS_SILENT();
  }
};

SPOKELAB_TEST_RUN(&test::runViewTest<TestVolumeTiming, ProbeApplication>)

}  // namespace test_volume_timing

#include "test_volume_timing.moc"
