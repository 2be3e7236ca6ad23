// Bins of breathing: each shot is in the colour of its bin, a drag chooses shots, and these go to
// another bin, a new one or none.
#include <QComboBox>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>

#include "engine/scan/read/shots/motion_bins.h"
#include "tests/patience.h"
#include "tests/test_main.h"
#include "widgets/core/plot/curve_plot.h"
#include "widgets/raw/bins_view.h"
#include "widgets/raw/raw_plot.h"
#include "widgets/raw/raw_view.h"

namespace test_bins_view {

using namespace spokelab;

namespace {

constexpr int shots = 40, count = 4;

std::shared_ptr<Scan> binned() {
  auto scan = std::make_shared<Scan>();
  NamedArray signal{breathingSignalName, {shots}, {}, false}, bins{motionBinsName, {shots}, {}, false};
  for (int s = 0; s < shots; ++s) {
    signal.values.push_back(cfloat(float(s % 10)));
    bins.values.push_back(cfloat(float(s % 10 * count / 10)));
  }
  scan->arrays = {signal, bins};
  return scan;
}

template <class Part>
Part* part(BinsView& view, const char* name) {
  auto* found = view.findChild<Part*>(QString::fromUtf8(name));
  if (!found) qFatal("no %s", name);
  return found;
}

void moveTo(BinsView& view, int bin) {
  auto* target = part<QComboBox>(view, "binsTarget");
  const int index = target->findData(bin);
  QVERIFY(index >= 0);
  target->setCurrentIndex(index);
  part<QPushButton>(view, "binsMove")->click();
}

}  // namespace

class TestBinsView : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void everyShotIsDrawnInItsBin() {
    BinsView view;
    view.setScan(binned());
    QCOMPARE(view.plot()->graphCount(), count);
    int points = 0;
    for (int bin = 0; bin < count; ++bin)
      for (const QCPGraphData& point : *view.plot()->graph(bin)->data()) {
        QCOMPARE(view.bins()[std::size_t(point.key)], bin);
        QCOMPARE(point.value, double(int(point.key) % 10));
        ++points;
      }
    QCOMPARE(points, shots);
    QVERIFY2(view.note().contains(QStringLiteral("12, 8, 12, 8")), qPrintable(view.note()));
  }

  // Seen before, in a low dock: two rows of buttons over a plot of ten pixels. The dock scrolls.
  void aLowDockLeavesThePlotItsHeight() {
    QScrollArea dock;
    auto* view = new RawView;
    dock.setWidget(view);
    dock.setWidgetResizable(true);
    dock.resize(900, 180);
    dock.show();
    const int usual = view->minimumSizeHint().height();
    view->plot()->setShown(RawCurve::bins);
    QTRY_VERIFY_WITH_TIMEOUT(view->plot()->bins()->plot()->height() >= 100, patience);
    view->plot()->setShown(RawCurve::readout);
    QTRY_COMPARE_WITH_TIMEOUT(view->minimumSizeHint().height(), usual, patience);
  }

  void aDragChoosesShotsThatMove() {
    BinsView view;
    view.resize(700, 300);
    view.show();
    view.setScan(binned());
    CurvePlot& plot = *view.plot();
    plot.replot(QCustomPlot::rpImmediateRefresh);
    const auto at = [&](double shot) {
      return QPoint(int(std::lround(plot.xAxis->coordToPixel(shot))), plot.axisRect()->center().y());
    };
    QTest::mousePress(&plot, Qt::LeftButton, {}, at(9.6));
    for (const double shot : {11.0, 14.0, 17.0, 19.4}) {
      QMouseEvent move(QEvent::MouseMove, at(shot), plot.mapToGlobal(at(shot)), Qt::NoButton, Qt::LeftButton,
                       Qt::NoModifier);
      QCoreApplication::sendEvent(&plot, &move);
    }
    QTest::mouseRelease(&plot, Qt::LeftButton, {}, at(19.4));
    QCOMPARE(part<QSpinBox>(view, "binsFrom")->value(), 10);
    QCOMPARE(part<QSpinBox>(view, "binsTo")->value(), 19);
    QSignalSpy edited(&view, &BinsView::binsEdited);
    QVERIFY(!part<QPushButton>(view, "binsRead")->isEnabled());
    moveTo(view, -1);
    for (int s = 0; s < shots; ++s) QCOMPARE(view.bins()[std::size_t(s)] == -1, s >= 10 && s < 20);
    QVERIFY2(view.note().contains(QStringLiteral("10 shots left out")), qPrintable(view.note()));
    moveTo(view, count);  // a new one
    QCOMPARE(view.bins()[10], count);
    part<QPushButton>(view, "binsRead")->click();
    QCOMPARE(edited.count(), 1);
    QCOMPARE(edited.front().front().value<std::vector<int>>(), view.bins());
    part<QPushButton>(view, "binsReset")->click();
    QCOMPARE(view.bins()[10], 0);
    QVERIFY(!part<QPushButton>(view, "binsRead")->isEnabled());
  }

  // The view is in a stack beside the picture of samples, whose width it leaves as it was.
  void itsBarWrapsAndAsksForNoWidth() {
    BinsView view;
    QVERIFY2(view.sizeHint().width() < 400, qPrintable(QString::number(view.sizeHint().width())));
    view.resize(380, 300);
    view.show();
    view.setScan(binned());
    QCoreApplication::processEvents();
    for (const QPushButton* button : view.findChildren<QPushButton*>()) {
      QVERIFY2(button->width() >= button->sizeHint().width(), qPrintable(button->text()));
      QVERIFY2(view.rect().contains({button->mapTo(&view, QPoint()), button->size()}),
               qPrintable(button->text()));
    }
    QVERIFY(view.plot()->height() > 100);
  }

  void withoutBinsTheyCanBeDivided() {
    BinsView view;
    QVERIFY(!part<QPushButton>(view, "binsDivide")->isEnabled());
    view.setScan(std::make_shared<Scan>());
    QVERIFY(view.bins().empty());
    QVERIFY(!part<QPushButton>(view, "binsMove")->isEnabled());
    QSignalSpy divided(&view, &BinsView::divisionRequested);
    part<QSpinBox>(view, "binsCount")->setValue(6);
    part<QPushButton>(view, "binsDivide")->click();
    QCOMPARE(divided.count(), 1);
    QCOMPARE(divided.front().front().toInt(), 6);
  }
};

SPOKELAB_GUI_TEST(TestBinsView)

}  // namespace test_bins_view

#include "test_bins_view.moc"
