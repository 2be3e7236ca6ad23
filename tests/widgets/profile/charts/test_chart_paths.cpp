// The paths of a normal operator in the charts: each has its marks and name, its place on
// the axis of α, its errors, its cells on the map; what cannot run says why.
#include <QtTest>

#include <algorithm>

#include "tests/test_main.h"
#include "tests/widgets/profile/sample_candidates.h"
#include "widgets/core/candidate_text.h"
#include "widgets/profile/charts/error_chart.h"
#include "widgets/profile/charts/plan_map.h"
#include "widgets/profile/charts/time_chart.h"

namespace test_chart_paths {

using namespace spokelab;

namespace {

constexpr int grid = 20, padded = 3, shifted = grid + padded;  // of samplePaths()

ProfileData paths() {
  ProfileData data;
  data.candidates = samplePaths();
  data.accuracy = 1e-3;
  data.best = grid;  // a Toeplitz form
  data.selected = 9;
  Workload workload;
  workload.direction = Direction::normal;
  data.workload = workload;
  return data;
}

ProfileData withRefused(const char* why) {
  ProfileData data = paths();
  data.best = 9;
  for (int i = grid; i <= shifted; ++i) {
    Candidate& c = data.candidates[std::size_t(i)];
    c.timings = {};
    c.predictedNormalError = 0;
    c.measuredError.reset();
    c.refused = why;
  }
  return data;
}

void show(Chart& chart, const ProfileData& data) {
  chart.resize(720, 320);
  chart.show();
  chart.setData(data);
  chart.replot(QCustomPlot::rpImmediateRefresh);
}

QStringList legendOf(Chart& chart) {
  QStringList names;
  for (int i = 0; i < chart.legend->itemCount(); ++i)
    if (auto* item = qobject_cast<QCPPlottableLegendItem*>(chart.legend->item(i)))
      names << item->plottable()->name();
  return names;
}

QStringList textsOn(Chart& chart) {
  QStringList texts;
  for (int i = 0; i < chart.itemCount(); ++i)
    if (auto* text = qobject_cast<QCPItemText*>(chart.item(i))) texts << text->text();
  return texts;
}

// The top of the stacked bars at a place, by what is drawn.
double stackAt(Chart& chart, double x) {
  double sum = 0;
  for (int i = 0; i < chart.plottableCount(); ++i)
    if (auto* bars = qobject_cast<QCPBars*>(chart.plottable(i)))
      for (const QCPBarsData& bar : *bars->data())
        if (std::abs(bar.key - x) < 1e-9) sum += bar.value;
  return sum;
}

}  // namespace

class TestChartPaths : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void eachPathShowsItsFastestPlanAtEachOfItsRatios() {
    const ProfileData data = paths();
    const auto indices = fastestForEachAlpha(data);
    QCOMPARE(std::count_if(indices.begin(), indices.end(), [](int i) { return i < grid; }), 5);
    for (int i = grid; i <= shifted; ++i)
      QVERIFY(std::find(indices.begin(), indices.end(), i) != indices.end());
  }

  void timesOfAllPathsAreStackedNamedAndFound() {
    TimeChart chart;
    const ProfileData data = paths();
    show(chart, data);
    const QStringList names = legendOf(chart);
    for (const char* name : {"gridded", "Toeplitz padded", "Toeplitz shifted", "tuner's choice", "predicted"})
      QCOMPARE(names.count(QString::fromUtf8(name)), 1);
    QVERIFY2(chart.titleOf(chart.xAxis).contains(QStringLiteral("α_T")),
             qPrintable(chart.titleOf(chart.xAxis)));
    QVERIFY(chart.titleOf(chart.xAxis).contains(QStringLiteral("normal")));
    for (const int i : fastestForEachAlpha(data)) {
      const QPoint at = chart.positionOf(i);
      QVERIFY(!at.isNull());
      QCOMPARE(chart.candidateAt(at), i);
      const double x = chart.xAxis->pixelToCoord(at.x());
      const CandidatePath path = pathOf(data.candidates[std::size_t(i)]);
      if (path.isGrid()) QVERIFY(std::abs(x - path.alpha) < 0.01);
      if (path.over == SweptOver::toeplitzAlpha) QVERIFY(x > path.alpha - 0.01 && x < path.alpha + 0.05);
      if (path.over == SweptOver::nothing) QVERIFY(x > sampleRatios[2]);
    }
    const Candidate& last = data.candidates[shifted];
    QVERIFY(std::abs(stackAt(chart, 2.25 + 0.12) - 1e3 * last.cost()) < 1e-6);
  }

  // A model without the field is fast and wrong: it is there, hatched, with its error.
  void aPathThatMissesTheAccuracyIsMarked() {
    ProfileData data = paths();
    for (int i = grid; i < shifted; ++i) data.candidates[std::size_t(i)].predictedNormalError = 0.08;
    for (int i = grid; i < shifted; ++i) data.candidates[std::size_t(i)].measuredError = 0.08;
    data.best = shifted;
    const auto shown = fastestForEachAlpha(data, InexactPaths::shown), kept = fastestForEachAlpha(data);
    QCOMPARE(shown.size(), kept.size() + std::size_t(padded));
    TimeChart chart;
    show(chart, data);
    QVERIFY(std::abs(stackAt(chart, sampleRatios[2]) - 1e3 * data.candidates[grid + 2].cost()) < 1e-6);
    QVERIFY(!chart.positionOf(grid).isNull());
    QVERIFY(legendOf(chart).contains(QStringLiteral("Toeplitz padded (misses the accuracy)")));
    QVERIFY(legendOf(chart).contains(QStringLiteral("Toeplitz shifted")));
    QVERIFY2(textsOn(chart).contains(QStringLiteral("padded, error 0.08")),
             qPrintable(textsOn(chart).join(QLatin1Char('\n'))));
    int hatched = 0, solid = 0;
    for (int i = 0; i < chart.plottableCount(); ++i)
      if (auto* bars = qobject_cast<QCPBars*>(chart.plottable(i)))
        ++(bars->brush().style() == Qt::BDiagPattern ? hatched : solid);
    QVERIFY(hatched == 4 && solid == 8);
  }

  void aLowChartNamesThePathsBesideTheirMarks() {
    TimeChart chart;
    chart.resize(280, 180);
    chart.show();
    chart.setData(paths());
    chart.replot(QCustomPlot::rpImmediateRefresh);
    for (const char* name : {"padded", "shifted"}) QVERIFY(textsOn(chart).contains(QString::fromUtf8(name)));
    QVERIFY(!legendOf(chart).contains(QStringLiteral("Toeplitz padded")));
    QVERIFY(legendOf(chart).contains(QStringLiteral("interpolation")));
  }

  // Seen before: five kinds of marks without a word, as a narrow chart has no legend.
  void aNarrowErrorChartNamesThePathsBesideTheirMarks() {
    ErrorChart chart;
    chart.resize(330, 200);
    chart.show();
    chart.setData(paths());
    chart.replot(QCustomPlot::rpImmediateRefresh);
    for (const char* name : {"padded", "shifted"}) QVERIFY(textsOn(chart).contains(QString::fromUtf8(name)));
    QCOMPARE(chart.namePlaces().size(), 2U);
    QVERIFY(!chart.namePlaces()[0].intersects(chart.namePlaces()[1]));
    for (const QRectF& place : chart.namePlaces())
      QVERIFY(QRectF(chart.axisRect()->rect()).adjusted(-1, -1, 1, 1).contains(place));
  }

  // Whatever the direction books to which stage, the parts add up to the cost.
  void theStackIsTheCostInEachDirection_data() {
    QTest::addColumn<bool>("spreads");
    QTest::addColumn<bool>("interpolates");
    QTest::newRow("forward") << false << true;
    QTest::newRow("adjoint") << true << false;
    QTest::newRow("both") << true << true;
  }
  void theStackIsTheCostInEachDirection() {
    QFETCH(const bool, spreads);
    QFETCH(const bool, interpolates);
    ProfileData data;
    for (const double alpha : {1.25, 1.5, 2.0}) {
      Candidate c = sampleCandidate(alpha, 5);
      const double each = c.timings[Stage::spread];
      c.timings[Stage::spread] = spreads ? each : 0;
      c.timings[Stage::interpolate] = interpolates ? each : 0;
      c.timings.total = c.timings.accounted() + 5e-5;
      c.seconds = c.timings.total + 2e-3;
      data.candidates.push_back(c);
    }
    TimeChart chart;
    show(chart, data);
    for (const Candidate& c : data.candidates)
      QVERIFY(std::abs(stackAt(chart, c.options.alpha) - 1e3 * c.cost()) < 1e-6);
    QVERIFY(!legendOf(chart).contains(QStringLiteral("gridded")));  // there is but one path
  }

  void errorsAreThoseOfTheNormalOperator() {
    const ProfileData data = paths();
    for (const Along along : {Along::alpha, Along::width}) {
      ErrorChart chart;
      chart.setAlong(along);
      show(chart, data);
      QVERIFY(chart.titleOf(chart.xAxis).contains(QStringLiteral("normal")));
      const QStringList names = legendOf(chart);
      QVERIFY(names.contains(QStringLiteral("Toeplitz padded")));
      QVERIFY(names.contains(QStringLiteral("Toeplitz shifted")));
      QCOMPARE(names.count(QStringLiteral("tuner's choice")), 1);
      for (const int i : {9, grid, shifted}) {
        const QPoint at = chart.positionOf(i);
        QVERIFY2(!at.isNull(), qPrintable(QString::number(i)));
        const double y = std::log10(chart.yAxis->pixelToCoord(at.y()));
        QVERIFY(std::abs(y - std::log10(*data.candidates[std::size_t(i)].measuredError)) < 0.05);
        QCOMPARE(chart.candidateAt(at), i);
      }
      // The lines are the normal operator's predictions.
      bool found = false;
      for (int g = 0; g < chart.graphCount(); ++g)
        for (const QCPGraphData& point : *chart.graph(g)->data())
          found = found || point.value == data.candidates[9].predictedNormalError;
      QVERIFY(found);
    }
  }

  void theMapHasColumnsForEachPath() {
    PlanMap map;
    const ProfileData data = paths();
    show(map, data);
    const PlanCells cells = arrangePlans(data, PlanRows::width, PlanQuantity::time, {});
    QCOMPARE(cells.columns.size(), std::size_t(5 + padded + 1));
    QCOMPARE(columnLabel(cells.columns[5]), QStringLiteral("T 2"));
    QCOMPARE(columnLabel(cells.columns.back()), QStringLiteral("shifted"));
    CandidatePath exact = cells.columns.back(), withGradient = exact;
    exact.name = "gdft";
    withGradient.name = "gdftr2";
    QVERIFY(columnLabel(exact) != columnLabel(withGradient));
    QCOMPARE(pathTitle(exact), QStringLiteral("exact sums (Gdft)"));
    QCOMPARE(pathShortTitle(exact), QStringLiteral("exact sums"));
    QVERIFY(cells.noWidthRow.has_value());
    for (int i = grid; i <= shifted; ++i) {
      QCOMPARE(cells.cells.at({5 + i - grid, *cells.noWidthRow}), i);
      QCOMPARE(map.candidateAt(map.positionOf(i)), i);
    }
    QCOMPARE(legendOf(map).count(QStringLiteral("tuner's choice")), 1);
    const PlanCells named = arrangePlans(data, PlanRows::path, PlanQuantity::time, {});
    QCOMPARE(named.names, QStringList({QStringLiteral("Toeplitz padded"), QStringLiteral("Toeplitz shifted"),
                                       QStringLiteral("gridded")}));
    PlanFilter filter;
    filter.path = QStringLiteral("Toeplitz padded");
    QCOMPARE(arrangePlans(data, PlanRows::width, PlanQuantity::time, filter).cells.size(),
             std::size_t(padded));
  }

  void aPathThatCannotRunSaysWhy() {
    const ProfileData data = withRefused("it takes 3 TB, more than the limit");
    TimeChart time;
    show(time, data);
    const QString said = textsOn(time).join(QLatin1Char('\n'));
    QVERIFY2(said.contains(QStringLiteral("Toeplitz shifted cannot run: it takes 3 TB")), qPrintable(said));
    QVERIFY(said.contains(QStringLiteral("Toeplitz padded cannot run")));
    PlanMap map;
    show(map, data);
    const QPoint at = map.positionOf(shifted);
    QVERIFY(!at.isNull());
    QVERIFY(map.detailsOf(shifted).contains(QStringLiteral("3 TB")));
    QCOMPARE(QColor::fromRgb(map.grab().toImage().pixel(at)), ChartTheme::onScreen().unusable);
  }

  void titlesNameThePath() {
    QCOMPARE(candidateTitle(sampleToeplitz(2.1)), QStringLiteral("cpu · Toeplitz padded · α_T 2.1"));
    QCOMPARE(candidatePlace(sampleToeplitz(0)), QStringLiteral("Toeplitz shifted"));
    QCOMPARE(candidatePlace(sampleNormal(1.25, 6)), QStringLiteral("α 1.25, W 6"));
    // A result of gridding applies no normal operator, whatever its plan would have chosen.
    Reconstruction result;
    result.plan.backend = "cpu";
    result.plan.options = sampleToeplitz(2.1).options;
    QVERIFY(pathOf(planOf(result)).isGrid());
    result.options.iterative.method = ReconMethod::sense;
    QCOMPARE(pathOf(planOf(result)).name, std::string("toeplitz"));
  }
};

SPOKELAB_GUI_TEST(TestChartPaths)

}  // namespace test_chart_paths

#include "test_chart_paths.moc"
