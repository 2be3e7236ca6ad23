// The course of a region, or of the pixel under the cursor, over the frames of a series.
#include <QSignalSpy>

#include "tests/test_main.h"
#include "widgets/core/plot/curve_plot.h"
#include "widgets/image/measure_view.h"

namespace test_time_course {

using namespace spokelab;

namespace {

constexpr int patience = 5000;  // ms

// Frame f has the value f + 1 + x.
std::shared_ptr<Image> series() {
  auto image = std::make_shared<Image>();
  image->size = {4, 3, 1};
  image->frames = 5;
  for (int frame = 0; frame < 5; ++frame)
    for (int i = 0; i < 12; ++i) image->data.push_back({float(frame + 1 + i % 4), 0});
  return image;
}

struct Shown {
  MeasureView view;
  Measurement measurement;
  QSignalSpy measured{&view, &MeasureView::measuredAgain};
  Shown() {
    view.resize(600, 200);
    view.show();
    view.setMeasurement(&measurement);
  }
  void wait() {
    measured.clear();
    if (!measured.wait(patience)) qFatal("nothing was measured");
  }
};

}  // namespace

class TestTimeCourse : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void thePixelUnderTheCursorIsFollowed() {
    Shown shown;
    shown.view.setImages(series(), nullptr);
    shown.wait();
    shown.view.setCursor({2, 1, 0});
    shown.wait();
    QCOMPARE(shown.view.measured().shownCourse, (std::vector<double>{3, 4, 5, 6, 7}));
    QVERIFY(shown.view.plot()->isVisible());
    QCOMPARE(shown.view.plot()->xAxis->label(), QStringLiteral("frame"));
    QCOMPARE(shown.view.plot()->graph(0)->dataMainKey(0), 1.0);  // frames count from 1
  }

  void aRegionIsFollowedByItsMean() {
    Shown shown;
    shown.measurement.setRegion(ImageRegion{{1, 0, 0}, {2, 1, 0}, false, 2});
    shown.view.setImages(series(), series());
    shown.wait();
    QCOMPARE(shown.view.measured().shownCourse, (std::vector<double>{2.5, 3.5, 4.5, 5.5, 6.5}));
    QCOMPARE(shown.view.measured().referenceCourse.size(), std::size_t(5));
    QCOMPARE(shown.view.plot()->graphCount(), 2);
  }

  void framesLieAtTheirTimes() {
    Shown shown;
    auto image = series();
    FrameAxis echo;
    echo.meaning = FrameMeaning::echo;
    echo.size = 5;
    echo.values = {0.002, 0.004, 0.006, 0.008, 0.01};
    image->frameAxes = FrameAxes::grid({echo});
    shown.view.setImages(image, nullptr);
    shown.wait();
    QCOMPARE(shown.view.plot()->xAxis->label(), QStringLiteral("echo (s)"));
    QCOMPARE(shown.view.plot()->graph(0)->dataMainKey(4), 0.01);
  }

  void aLineAndASingleFrameHaveNone() {
    Shown shown;
    shown.measurement.setLine(MeasuredLine{{0, 0, 0}, {3, 0, 0}, 2});
    shown.view.setImages(series(), nullptr);
    shown.wait();
    QVERIFY(shown.view.measured().shownCourse.empty());
    QVERIFY(!shown.view.measured().shownLine.empty());
  }
};

SPOKELAB_GUI_TEST(TestTimeCourse)

}  // namespace test_time_course

#include "test_time_course.moc"
