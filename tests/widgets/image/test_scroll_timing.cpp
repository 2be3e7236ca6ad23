// Scrolling through 256^3 and dragging the cursor show all slices beside the volume within 33 ms,
// also without a graphics card.
#include <QElapsedTimer>
#include <QMainWindow>
#include <QSignalSpy>

#include <algorithm>
#include <vector>

#include "tests/event_probe.h"
#include "tests/widgets/image/sample_images.h"
#include "tests/widgets/image/view_test.h"
#include "widgets/image/image_panel.h"
#include "widgets/image/slice/slice_view.h"

using namespace spokelab;

namespace {

constexpr double allowedMs = 33;
constexpr int steps = 21;

std::shared_ptr<const Image> largeVolume() {
  auto image = samples::blank({256, 256, 256});
  for (std::size_t i = 0; i < image->data.size(); ++i)
    image->data[i] = {float(i % 251) / 251, float(i % 127) / 127};
  return image;
}

// The median: what a user feels while the wheel turns. This thread's own time where the machine is
// busy.
template <class Step>
double stepMs(Step step) {
  const clockid_t clock = loadedMachine() ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
  std::vector<double> took;
  for (int i = 0; i < steps; ++i) {
    const double before = clockMs(clock);
    step(i);
    QCoreApplication::processEvents();
    took.push_back(clockMs(clock) - before);
  }
  std::nth_element(took.begin(), took.begin() + steps / 2, took.end());
  return took[steps / 2];
}

}  // namespace

class TestScrollTiming : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aWheelNotchAndADragShowWithin33Ms() {
    QMainWindow window;
    auto* panel = new ImagePanel;
    window.setCentralWidget(panel);
    window.resize(1500, 950);
    window.show();
    panel->setImage(largeVolume());
    if (panel->volumeView()) {
      QSignalSpy ready(panel->volumeView(), &VolumeView::volumeReady);
      QVERIFY(ready.wait(30000));
    }
    QTest::qWait(1500);  // the volume's coarse and fine pictures
    for (const Plane plane : imagePlanes) {
      SliceView& view = *panel->sliceView(plane);
      const QPointF middle = view.rect().center();
      const double wheel = stepMs([&](int) { samples::wheel(view, middle, 1); });
      samples::mouse(view, QEvent::MouseButtonPress, middle, Qt::LeftButton, Qt::LeftButton);
      const double drag = stepMs([&](int i) {
        samples::mouse(view, QEvent::MouseMove, middle + QPointF(2 * i, i), Qt::NoButton, Qt::LeftButton);
      });
      samples::mouse(view, QEvent::MouseButtonRelease, middle, Qt::LeftButton, Qt::NoButton);
      qInfo("plane %d: wheel %.1f ms, drag %.1f ms", int(plane), wheel, drag);
      QVERIFY2(wheel <= allowedMs, qPrintable(QString::number(wheel)));
      QVERIFY2(drag <= allowedMs, qPrintable(QString::number(drag)));
    }
  }
};

SPOKELAB_TEST_RUN(&test::runViewTest<TestScrollTiming, ProbeApplication>)
#include "test_scroll_timing.moc"
