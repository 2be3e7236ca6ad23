// Names inside plots do not overlap and are not cut off: marks at one place, curves that end at one
// place, paths with one time.
#include <QtTest>

#include <algorithm>
#include <cmath>

#include "tests/test_main.h"
#include "tests/widgets/profile/sample_candidates.h"
#include "widgets/core/plot/curve_plot.h"
#include "widgets/core/plot/plot_names.h"
#include "widgets/profile/charts/time_chart.h"

namespace test_plot_names {

using namespace spokelab;

namespace {

QString told(const QRectF& r) {
  return QStringLiteral("%1, %2: %3 × %4").arg(r.x()).arg(r.y()).arg(r.width()).arg(r.height());
}

void verifyApart(const std::vector<QRectF>& places, const QRect& area) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    QVERIFY2(QRectF(area).adjusted(-1, -1, 1, 1).contains(places[i]), qPrintable(told(places[i])));
    for (std::size_t j = 0; j < i; ++j)
      QVERIFY2(!places[i].intersects(places[j]), qPrintable(told(places[i]) + told(places[j])));
  }
}

void draw(QCustomPlot& plot, const QSize& size) {
  plot.resize(size);
  plot.show();
  QVERIFY(QTest::qWaitForWindowExposed(&plot));
  plot.replot(QCustomPlot::rpImmediateRefresh);
}

}  // namespace

class TestPlotNames : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void marksSideBySideAndAtTheRightEndKeepTheirTexts() {
    CurvePlot plot;
    plot.setWholeRanges(QCPRange(0, 10), QCPRange(0, 1));
    plot.setMarks({{9, QStringLiteral("corner"), Qt::red},
                   {9.2, QStringLiteral("held out"), Qt::red},
                   {9.9, QStringLiteral("noise of the scan"), Qt::red}});
    draw(plot, {320, 220});
    QCOMPARE(plot.namePlaces().size(), 3U);
    verifyApart(plot.namePlaces(), plot.axisRect()->rect());
    // A further layout, with new marks, keeps nothing of the old ones.
    plot.setMarks({{5, QStringLiteral("corner"), Qt::red}});
    draw(plot, {400, 220});
    QCOMPARE(plot.namePlaces().size(), 1U);
    QVERIFY(std::abs(plot.namePlaces()[0].left() - plot.xAxis->coordToPixel(5)) < 2);
    QVERIFY(std::abs(plot.namePlaces()[0].top() - plot.axisRect()->top()) < 2);
  }

  void curvesAreNamedAtTheirEndsInSight() {
    CurvePlot plot;
    QCPGraph* curves[3];
    for (int c = 0; c < 3; ++c) {
      curves[c] = plot.addGraph();
      curves[c]->setName(QStringLiteral("curve %1").arg(c));
      curves[c]->setData({0, 5, 10}, {0.5 + 0.01 * c, 0.5, 0.5 - 0.01 * c}, true);
    }
    plot.setNamed({curves[0], curves[1], curves[2]});
    plot.setWholeRanges(QCPRange(0, 10), QCPRange(0, 1));
    draw(plot, {320, 220});
    QCOMPARE(plot.namePlaces().size(), 3U);
    verifyApart(plot.namePlaces(), plot.axisRect()->rect());
    QVERIFY(!plot.legend->visible());
    // The one that is zoomed away has no name; the others have theirs at the last point in sight.
    curves[2]->setData({0, 5, 10}, {5, 5, 5}, true);
    plot.xAxis->setRange(0, 7);
    plot.replot(QCustomPlot::rpImmediateRefresh);
    QCOMPARE(plot.namePlaces().size(), 2U);
    QVERIFY(std::abs(plot.namePlaces()[0].right() - plot.xAxis->coordToPixel(5)) < 2);
  }

  // Seen before, of λ: the upper curve's name below the lower curve's.
  void namesHaveTheOrderOfTheirCurves() {
    CurvePlot plot;
    const double ends[] = {0.9, 0.99, 0.93};
    std::vector<QCPGraph*> curves;
    for (const double end : ends) {
      curves.push_back(plot.addGraph());
      curves.back()->setName(QStringLiteral("to %1").arg(end));
      curves.back()->setData({0, 10}, {0, end}, true);
    }
    plot.setNamed(curves);
    plot.setWholeRanges(QCPRange(0, 10), QCPRange(0, 1));
    draw(plot, {320, 220});
    QCOMPARE(plot.namePlaces().size(), 3U);
    verifyApart(plot.namePlaces(), plot.axisRect()->rect());
    for (std::size_t i = 1; i < 3; ++i)  // as they are placed, from above
      QVERIFY(plot.namePlaces()[i].top() > plot.namePlaces()[i - 1].top());
  }

  void pathsOfOneTimeKeepTheirNames() {
    ProfileData data;
    data.candidates = samplePaths();
    // Padded and shifted Toeplitz cost the same, and are side by side.
    for (Candidate& c : data.candidates)
      if (c.options.normal != NormalMethod::gridded) {
        c.timings[Stage::fft] = 12e-3;
        c.timings.total = c.timings.accounted();
        c.seconds = c.timings.total;
      }
    data.accuracy = 1e-3;
    data.best = 3;
    for (const QSize size : {QSize(720, 320), QSize(300, 200), QSize(200, 180)}) {
      TimeChart chart;
      chart.setData(data);
      draw(chart, size);
      QVERIFY(chart.namePlaces().size() >= (size.width() > 250 ? 2U : 1U));
      verifyApart(chart.namePlaces(), chart.axisRect()->rect());
    }
  }

  // Seen before: "gridded, error 0.69" through the bars of another path.
  void namesGiveWayToBars() {
    ProfileData data;
    data.candidates = samplePaths();
    // Bars of Toeplitz at the right end that miss the accuracy have long names beside tall bars.
    for (Candidate& c : data.candidates)
      if (c.options.normal != NormalMethod::gridded) c.measuredError = c.predictedNormalError = 0.69;
    data.accuracy = 1e-3;
    data.best = 3;
    for (const QSize size : {QSize(720, 320), QSize(480, 260)}) {
      TimeChart chart;
      chart.setData(data);
      draw(chart, size);
      QVERIFY(!chart.namePlaces().empty());
      QVERIFY(chart.barPlaces().size() > 5);
      verifyApart(chart.namePlaces(), chart.axisRect()->rect());
      for (const QRectF& name : chart.namePlaces())
        for (const QRectF& bar : chart.barPlaces())
          QVERIFY2(!name.intersects(bar), qPrintable(told(name) + told(bar)));
    }
  }

  void barsInEveryPlaceLeaveTheNameWhereItWas() {
    QCustomPlot plot;
    PlotNames names;
    plot.xAxis->setRange(0, 1);
    plot.yAxis->setRange(0, 1);
    auto* text = new QCPItemText(&plot);
    text->setText(QStringLiteral("name"));
    names.add(text, QPointF(0.5, 0.5));
    names.leaveFreeBar(0.5, 1, 400);
    draw(plot, {200, 160});
    names.keepApart(plot.axisRect()->rect());
    QCOMPARE(names.places().size(), 1U);
    QVERIFY(std::abs(names.places()[0].center().y() - plot.yAxis->coordToPixel(0.5)) < 2);
    // A low bar: the name is above it.
    names.clear();
    names.add(text, QPointF(0.5, 0.5));
    names.leaveFreeBar(0.5, 0.52, 7);
    names.keepApart(plot.axisRect()->rect());
    QCOMPARE(names.places().size(), 1U);
    QVERIFY(names.places()[0].bottom() <= plot.yAxis->coordToPixel(0.52) + 1);
  }

  // Seen before: "exact sums" upon the bar whose name it is.
  void aNameThatReadsUpwardsIsBesideItsTallBar() {
    QCustomPlot plot;
    PlotNames names;
    plot.xAxis->setRange(0, 1);
    plot.yAxis->setRange(0, 1);
    auto* text = new QCPItemText(&plot);
    text->setText(QStringLiteral("exact sums"));
    text->setRotation(-90);
    text->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    names.add(text, QPointF(0.5, 0.8));
    names.leaveFreeBar(0.5, 0.8, 7);
    draw(plot, {300, 160});
    names.keepApart(plot.axisRect()->rect());
    QCOMPARE(names.places().size(), 1U);
    verifyApart(names.places(), plot.axisRect()->rect());
    const QRectF name = names.places()[0], bar = names.barPlaces()[0];
    QVERIFY2(!name.intersects(bar), qPrintable(told(name) + told(bar)));
    QVERIFY(std::abs(name.center().x() - bar.center().x()) < 2 * name.width());
  }

  // Seen before: "length of the image", cut at both ends in a low dock.
  void aTitleWithoutRoomIsShortenedAndKeptInCopies() {
    CurvePlot plot;
    const QString title = QStringLiteral("length of the image in units of its pixels");
    plot.yAxis->setLabel(title);
    draw(plot, {400, 120});
    QVERIFY(plot.yAxis->label() != title);
    QVERIFY(QFontMetrics(plot.yAxis->labelFont()).horizontalAdvance(plot.yAxis->label()) <=
            plot.axisRect()->height());
    QVERIFY(plot.numbers().contains(title));
    draw(plot, {400, 500});
    QCOMPARE(plot.yAxis->label(), title);
    plot.yAxis->setLabel(QStringLiteral("other"));
    draw(plot, {400, 500});
    QCOMPARE(plot.yAxis->label(), QStringLiteral("other"));
  }

  void aNameWithoutRoomIsNotDrawn() {
    QCustomPlot plot;
    PlotNames names;
    plot.xAxis->setRange(0, 1);
    plot.yAxis->setRange(0, 1);
    for (int i = 0; i < 60; ++i) {
      auto* text = new QCPItemText(&plot);
      text->setText(QStringLiteral("name %1").arg(i));
      names.add(text, QPointF(0.5, 0.5));
    }
    draw(plot, {200, 160});
    names.keepApart(plot.axisRect()->rect());
    QVERIFY(names.places().size() > 2 && names.places().size() < 60);
    verifyApart(names.places(), plot.axisRect()->rect());
    // The first keeps its place, also after further layouts.
    const QRectF first = names.places()[0];
    for (int i = 0; i < 3; ++i) names.keepApart(plot.axisRect()->rect());
    QVERIFY((names.places()[0].topLeft() - first.topLeft()).manhattanLength() < 1e-6);
  }
};

SPOKELAB_GUI_TEST(TestPlotNames)

}  // namespace test_plot_names

#include "test_plot_names.moc"
