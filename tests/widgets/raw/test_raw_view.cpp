// The view of samples: a place in the picture is the place of the sliders, the readout and the
// curves; a known tone is one spike of its spectrum; known noise is its covariance.
#include <cmath>
#include <numbers>

#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QSlider>
#include <QTest>

#include "tests/test_main.h"
#include "widgets/core/plot/curve_plot.h"
#include "widgets/raw/raw_picture_view.h"
#include "widgets/raw/raw_place_bar.h"
#include "widgets/raw/raw_plot.h"
#include "widgets/raw/raw_view.h"

namespace test_raw_view {

using namespace spokelab;

namespace {

constexpr int shots = 12, samples = 40, coils = 3, tone = 7;
constexpr int patience = 10000;  // ms

// Coil c, shot s: a tone of s + 1 times (c + 1), at `tone` cycles of the readout.
std::shared_ptr<Scan> tones() {
  auto scan = std::make_shared<Scan>();
  scan->coils = coils;
  Trajectory t;
  t.dims = 2;
  for (int s = 0; s < shots; ++s) t.shotOffsets.push_back((s + 1) * samples);
  t.points.assign(std::size_t(2 * shots * samples), 0.0);
  scan->trajectories = {t};
  scan->samples.resize(1);
  scan->samples[0].resize(std::size_t(shots * samples * coils));
  for (int c = 0; c < coils; ++c)
    for (int s = 0; s < shots; ++s)
      for (int i = 0; i < samples; ++i)
        scan->data(0, 0, c)[s * samples + i] =
            std::polar(float((s + 1) * (c + 1)), float(2 * std::numbers::pi * tone * i / samples));
  return scan;
}

struct Shown {
  RawView view;
  explicit Shown(const std::shared_ptr<Scan>& scan) {
    view.resize(900, 320);
    view.show();
    QSignalSpy ready(&view, &RawView::pictureReady);
    view.setScan(scan);
    QTRY_VERIFY_WITH_TIMEOUT(ready.count() > 0, patience);
  }
};

double heightAt(const RawPlot& plot, double x) {
  for (const QCPGraphData& point : *plot.plot()->graph(0)->data())
    if (std::abs(point.key - x) < 1e-9) return point.value;
  return -1;
}

}  // namespace

class TestRawView : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aClickIsThePlaceOfAllParts() {
    Shown shown(tones());
    RawView& view = shown.view;
    QSignalSpy placed(&view, &RawView::placed);
    QTest::mouseClick(view.picture(), Qt::LeftButton, {}, view.picture()->pointOf({11, 5}).toPoint());
    QCOMPARE(placed.count(), 1);
    QCOMPARE(placed.last().at(1).toInt(), 5);
    QCOMPARE(placed.last().at(2).toInt(), 11);
    QCOMPARE(view.place().shot, 5);
    QCOMPARE(view.findChild<QSlider*>(QStringLiteral("raw-shot"))->value(), 5);
    QVERIFY2(view.readout().contains(QStringLiteral("shot 5   sample 11   coil 0")) &&
                 view.readout().contains(QStringLiteral("|y| 6")),
             qPrintable(view.readout()));
    QTest::keyClick(view.picture(), Qt::Key_Down);
    QCOMPARE(view.place().shot, 6);
    QSignalSpy toggled(&view, &RawView::shotToggled);
    QTest::mouseClick(view.picture(), Qt::LeftButton, Qt::ControlModifier,
                      view.picture()->pointOf({3, 9}).toPoint());
    QCOMPARE(toggled.count(), 1);
    QCOMPARE(toggled.last().front().toInt(), 9);
    QCOMPARE(view.place().shot, 6);  // only its selection has changed
    view.lookAt(2, -1);
    QCOMPARE(view.place().shot, 2);
    QCOMPARE(view.place().sample, 11);
    QCOMPARE(placed.count(), 2);
  }

  void anotherCoilIsAnotherPicture() {
    Shown shown(tones());
    RawView& view = shown.view;
    QVERIFY(std::abs(view.picture()->high() - shots) < 1e-4);
    QSignalSpy ready(&view, &RawView::pictureReady);
    view.findChild<QSlider*>(QStringLiteral("raw-coil"))->setValue(2);
    QTRY_VERIFY_WITH_TIMEOUT(ready.count() > 0, patience);
    QVERIFY(std::abs(view.picture()->high() - 3 * shots) < 1e-3);
    view.findChild<QComboBox*>(QStringLiteral("rawAxes"))->setCurrentIndex(2);  // shot x coil
    QTRY_COMPARE_WITH_TIMEOUT(view.picture()->picture().rows, coils, patience);
    QCOMPARE(view.picture()->picture().columns, shots);
    QVERIFY(std::abs(std::abs(view.picture()->picture().at(4, 1)) - 10) < 1e-4F);
  }

  // Frames count from 1, as beside the image; shots from 0, as in the trajectory and in Shots.
  void framesCountFromOneAndShotsFromZero() {
    const auto scan = tones();
    scan->frames = 2;
    scan->trajectories.push_back(scan->trajectories[0]);
    scan->samples.push_back(scan->samples[0]);
    Shown shown(scan);
    const auto numberAt = [&](const char* slider) {
      const auto* part = shown.view.findChild<QSlider*>(QString::fromUtf8(slider));
      return part->parentWidget()->findChildren<QLabel*>().last()->text();
    };
    QCOMPARE(numberAt("raw-frame"), QStringLiteral("1 / 2"));
    QCOMPARE(numberAt("raw-shot"), QStringLiteral("0 / 11"));
    shown.view.findChild<QSlider*>(QStringLiteral("raw-frame"))->setValue(1);
    QCOMPARE(numberAt("raw-frame"), QStringLiteral("2 / 2"));
    QCOMPARE(shown.view.place().frame, 1);
  }

  void aKnownToneIsOneSpike() {
    Shown shown(tones());
    RawPlot& plot = *shown.view.plot();
    QSignalSpy drawn(&plot, &RawPlot::drawn);
    plot.setShown(RawCurve::spectrum);
    shown.view.lookAt(3, 0);
    QTRY_VERIFY_WITH_TIMEOUT(plot.note().contains(QStringLiteral("Shot 3")), patience);
    QVERIFY2(plot.note().contains(QStringLiteral("most at 7 cycles")), qPrintable(plot.note()));
    QVERIFY(std::abs(heightAt(plot, tone) - 4) < 1e-5);
    QVERIFY(heightAt(plot, tone + 1) < 1e-5);
    QCOMPARE(plot.plot()->graph(0)->dataCount(), samples);
  }

  void coilsAndShotsAreChosenInTheirCurves() {
    Shown shown(tones());
    RawPlot& plot = *shown.view.plot();
    plot.setShown(RawCurve::coils);
    QTRY_VERIFY_WITH_TIMEOUT(plot.note().contains(QStringLiteral("of the energy")), patience);
    QVERIFY2(plot.note().contains(QStringLiteral("Coil 0 has 7.1 %")),
             qPrintable(plot.note()));  // 1 / (1 + 4 + 9)
    QCPAxis* x = plot.plot()->xAxis;
    QTest::mouseClick(plot.plot(), Qt::LeftButton, {},
                      {int(std::lround(x->coordToPixel(2))), plot.plot()->height() / 2});
    QCOMPARE(shown.view.place().coil, 2);
    plot.setShown(RawCurve::shots);
    QTRY_VERIFY_WITH_TIMEOUT(plot.note().contains(QStringLiteral("strongest 11")), patience);
    QTest::mouseClick(plot.plot(), Qt::LeftButton, {},
                      {int(std::lround(x->coordToPixel(8))), plot.plot()->height() / 2});
    QCOMPARE(shown.view.place().shot, 8);
  }

  void knownNoiseIsItsCovariance() {
    auto scan = tones();
    scan->noise.resize(coils * 4);
    const cfloat white[4] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    for (std::size_t j = 0; j < 4; ++j) {
      scan->noise[j] = white[j];
      scan->noise[4 + j] = 2.0F * white[j];  // the same noise, twice as strong
      scan->noise[8 + j] = 3.0F;             // its mean product with the others is 0
    }
    Shown shown(scan);
    RawPlot& plot = *shown.view.plot();
    plot.setShown(RawCurve::noise);
    QTRY_VERIFY_WITH_TIMEOUT(plot.note().contains(QStringLiteral("Deviation 1 of coil 0")), patience);
    const RawPicture& psi = plot.covariance()->picture();
    const float known[3][3] = {{1, 2, 0}, {2, 4, 0}, {0, 0, 9}};
    for (int a = 0; a < coils; ++a)
      for (int b = 0; b < coils; ++b) QVERIFY(std::abs(psi.at(b, a) - known[a][b]) < 1e-6F);
    QTest::mouseMove(plot.covariance(), plot.covariance()->pointOf({1, 0}).toPoint());
    QTRY_VERIFY2(plot.note().contains(QStringLiteral("correlation 1.000")), qPrintable(plot.note()));
  }

  void tracesAreDrawnAtTheirTimes() {
    auto scan = tones();
    NamedArray& pulse = scan->arrays.emplace_back();
    pulse.name = "PMU PULS";
    pulse.shape = {2, 4};
    pulse.values = {0.5F, 1.0F, 1.5F, 2.0F, 100, 300, 200, 100};  // seconds, then the signal
    scan->shotTimes = {std::vector<double>(shots, 0.25)};
    Shown shown(scan);
    RawPlot& plot = *shown.view.plot();
    plot.setShown(RawCurve::traces);
    QTRY_VERIFY_WITH_TIMEOUT(plot.note().startsWith(QStringLiteral("1 signal;")), patience);
    QVERIFY(std::abs(heightAt(plot, 1.0) - 0.9) < 1e-6);  // the largest of its range
    QVERIFY(std::abs(heightAt(plot, 0.5)) < 1e-6);
    QVERIFY(std::abs(heightAt(plot, 1.5) - 0.45) < 1e-6);
  }

  void aScanWithoutNoiseOrTracesSaysSo() {
    Shown shown(tones());
    RawPlot& plot = *shown.view.plot();
    plot.setShown(RawCurve::noise);
    QTRY_VERIFY_WITH_TIMEOUT(plot.note().isEmpty() && plot.covariance()->isVisible(), patience);
    QVERIFY(plot.covariance()->picture().values.empty());
    shown.view.setScan(nullptr);
    QVERIFY(!shown.view.grab().isNull());
    QVERIFY(shown.view.readout().isEmpty());
  }
};

SPOKELAB_GUI_TEST(TestRawView)

}  // namespace test_raw_view

#include "test_raw_view.moc"
