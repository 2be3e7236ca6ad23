// The histogram beside the colour bar: what it counts, its handles, percentiles, typed numbers.
#include <QDialog>
#include <QDoubleSpinBox>
#include <QSignalSpy>
#include <QtTest>

#include "tests/test_main.h"
#include "widgets/image/display/window_histogram.h"

namespace test_window_histogram {

using namespace spokelab;

namespace {

constexpr int patience = 5000;  // ms

// Magnitudes 0, 1, … 99, one pixel each, and one that is not a number; real parts have both signs.
std::shared_ptr<const Image> ramp() {
  auto image = std::make_shared<Image>();
  image->size = {101, 1, 1};
  for (int i = 0; i < 100; ++i) image->data.push_back({i % 2 == 0 ? float(i) : -float(i), 0});
  image->data.push_back({NAN, 0});
  return image;
}

struct Shown {
  WindowHistogram view;
  QSignalSpy chosen{&view, &WindowHistogram::windowChosen};
  Shown() {
    QSignalSpy ready(&view, &WindowHistogram::histogramReady);
    view.resize(212, 34);
    view.show();
    view.setImage(ramp(), 0, DisplayMode::magnitude);
    view.setWindow(DisplayWindow::fromRange(20, 60));
    if (!QTest::qWaitForWindowExposed(&view) || (ready.isEmpty() && !ready.wait(patience)))
      qFatal("no histogram");
  }
  DisplayWindow last() { return chosen.back().front().value<DisplayWindow>(); }
  QPoint at(double value) const { return {int(std::lround(view.placeOf(value))), 17}; }
  void drag(double from, double to) {
    QTest::mousePress(&view, Qt::LeftButton, {}, at(from));
    QMouseEvent move(QEvent::MouseMove, at(to), view.mapToGlobal(at(to)), Qt::NoButton, Qt::LeftButton,
                     Qt::NoModifier);
    QCoreApplication::sendEvent(&view, &move);
    QTest::mouseRelease(&view, Qt::LeftButton, {}, at(to));
  }
};

}  // namespace

class TestWindowHistogram : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void valuesAreCountedOnce() {
    const ValueHistogram h = valueHistogram(*ramp(), 0, DisplayMode::magnitude);
    QCOMPARE(h.total, std::int64_t(100));
    QCOMPARE(h.low, 0.0);
    QCOMPARE(h.high, 99.0);
    QVERIFY(std::abs(h.quantile(0.5) - 49.5) < 1);
    QVERIFY(std::abs(h.quantile(0.99) - 98) < 1.1);
    const ValueHistogram real = valueHistogram(*ramp(), 0, DisplayMode::real);
    QCOMPARE(real.low, -99.0);
    QCOMPARE(real.high, 98.0);
  }

  // Half of the values, in the bins of all of them.
  void aRegionHasItsOwn() {
    Shown shown;
    QCOMPARE(shown.view.ofRegion().total, std::int64_t(0));
    const QImage without = shown.view.grab().toImage();
    shown.view.setRegion(ImageRegion{{50, 0, 0}, {200, 0, 0}, false, 2});
    const ValueHistogram& h = shown.view.ofRegion();
    QCOMPARE(h.total, std::int64_t(50));
    QCOMPARE(h.low, 0.0);
    QCOMPARE(h.high, 99.0);
    QVERIFY(std::abs(h.quantile(0.5) - 74.5) < 1);
    QVERIFY(shown.view.grab().toImage() != without);
    shown.view.setRegion({});
    QCOMPARE(shown.view.ofRegion().total, std::int64_t(0));
  }

  void anImageWithoutNumbersHasNone() {
    Image image;
    image.size = {4, 1, 1};
    image.data.assign(4, cfloat(NAN, NAN));
    QCOMPARE(valueHistogram(image, 0, DisplayMode::magnitude).total, std::int64_t(0));
  }

  void eachHandleMovesItsEnd() {
    Shown shown;
    shown.drag(20, 30);
    QVERIFY(std::abs(shown.last().low() - 30) < 1 && std::abs(shown.last().high() - 60) < 1e-9);
    shown.drag(60, 80);
    QVERIFY(std::abs(shown.last().low() - 20) < 1e-9 && std::abs(shown.last().high() - 80) < 1);
    shown.drag(40, 50);  // between them: the level
    QVERIFY(std::abs(shown.last().level - 50) < 1 && std::abs(shown.last().width - 40) < 1e-9);
    shown.drag(20, 90);  // no further than the other end
    QVERIFY(shown.last().width > 0 && shown.last().low() <= 60);
  }

  void keysMoveAndWiden() {
    Shown shown;
    QTest::keyClick(&shown.view, Qt::Key_Right);
    QVERIFY(shown.last().level > 40);
    QTest::keyClick(&shown.view, Qt::Key_Up);
    QVERIFY(shown.last().width > 40);
  }

  void percentilesAndNumbersSetIt() {
    Shown shown;
    shown.view.takePercentiles(0.1, 0.9);
    QVERIFY(std::abs(shown.last().low() - 9.5) < 1.5 && std::abs(shown.last().high() - 89.5) < 1.5);
    QTest::keyClick(&shown.view, Qt::Key_Return);
    auto* dialog = shown.view.findChild<QDialog*>(QStringLiteral("windowNumbers"));
    QVERIFY(dialog);
    dialog->findChild<QDoubleSpinBox*>(QStringLiteral("windowLevel"))->setValue(12.5);
    dialog->findChild<QDoubleSpinBox*>(QStringLiteral("windowWidth"))->setValue(5);
    dialog->accept();
    QCOMPARE(shown.last(), (DisplayWindow{12.5, 5}));
  }

  void phaseHasNone() {
    Shown shown;
    shown.view.setImage(ramp(), 0, DisplayMode::phase);
    QVERIFY(shown.view.isHidden());
  }
};

SPOKELAB_GUI_TEST(TestWindowHistogram)

}  // namespace test_window_histogram

#include "test_window_histogram.moc"
