// The time chart's other axes: shares of each plan's time, a logarithm, points and bytes a second.
#include <cmath>
#include <map>

#include "tests/test_main.h"
#include "tests/widgets/profile/charts/sample_charts.h"

namespace test_time_scales {

using namespace spokelab;

namespace {

// The bars at this α, by name.
std::map<QString, double> barsAt(Chart& chart, double alpha) {
  std::map<QString, double> parts;
  for (int i = 0; i < chart.plottableCount(); ++i) {
    const auto* bars = qobject_cast<QCPBars*>(chart.plottable(i));
    if (!bars) continue;
    for (const QCPBarsData& bar : *bars->data())
      if (std::abs(bar.key - alpha) < 1e-9) parts[bars->name()] += bar.value;
  }
  return parts;
}

const QCPGraph* lineOf(Chart& chart, const QString& name) {
  for (int i = 0; i < chart.graphCount(); ++i)
    if (chart.graph(i)->name() == name) return chart.graph(i);
  return nullptr;
}

QString textsOf(Chart& chart) {
  QString all;
  for (int i = 0; i < chart.itemCount(); ++i)
    if (const auto* text = qobject_cast<QCPItemText*>(chart.item(i))) all += text->text() + QLatin1Char('\n');
  return all;
}

}  // namespace

class TestTimeScales : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void sharesAreOfEachPlansTime() {
    const ProfileData data = sampleData();
    TimeChart chart;
    chart.resize(500, 320);
    chart.setData(data);
    chart.setScale(TimeScale::share);
    QVERIFY(chart.titleOf(chart.yAxis).contains(QLatin1Char('%')));
    int plans = 0;
    for (const int i : fastestForEachAlpha(data)) {
      const Candidate& plan = data.candidates[std::size_t(i)];
      const auto parts = barsAt(chart, plan.options.alpha);
      double sum = 0;
      for (const auto& [name, part] : parts) sum += part;
      QVERIFY(std::abs(sum - 100) < 1e-6);
      QVERIFY(std::abs(parts.at(QStringLiteral("FFT")) - 100 * plan.timings.fft() / plan.cost()) < 1e-6);
      ++plans;
    }
    QVERIFY(plans >= 3);
    QVERIFY(chart.yAxis->range().contains(100) && chart.yAxis->range().upper < 130);
    QVERIFY(!lineOf(chart, QStringLiteral("predicted")));
    chart.setPlace(PlanPlace{1.5, 5, 1e-3, 0.01, 1e-3});
    QVERIFY(chart.placeMark().isShown());
    QVERIFY(std::isnan(chart.placeMark().at().y));  // a predicted time is no share
  }

  void aLogarithmShowsEachPart() {
    ProfileData data = sampleData();
    Candidate& slow = data.candidates.back();
    slow.timings.total *= 300;
    TimeChart chart;
    chart.resize(500, 320);
    chart.setData(data);
    chart.setScale(TimeScale::logarithmic);
    QCOMPARE(chart.yAxis->scaleType(), QCPAxis::stLogarithmic);
    const QCPGraph *fft = lineOf(chart, QStringLiteral("FFT")), *all = lineOf(chart, QStringLiteral("all"));
    QVERIFY(fft && all);
    const std::vector<int> fastest = fastestForEachAlpha(data);
    QCOMPARE(all->dataCount(), int(fastest.size()));
    const double unit = all->data()->at(0)->value / data.candidates[std::size_t(fastest[0])].cost();
    for (int n = 0; n < int(fastest.size()); ++n) {
      const Candidate& plan = data.candidates[std::size_t(fastest[std::size_t(n)])];
      QVERIFY(std::abs(all->data()->at(n)->value / (unit * plan.cost()) - 1) < 1e-9);
      QVERIFY(chart.yAxis->range().contains(all->data()->at(n)->value));
      QVERIFY(std::abs(fft->data()->at(n)->value / (unit * plan.timings.fft()) - 1) < 1e-9);
    }
    QVERIFY(barsAt(chart, 1.5).empty());
    chart.setScale(TimeScale::linear);
    QCOMPARE(chart.yAxis->scaleType(), QCPAxis::stLinear);
    QCOMPARE(chart.yAxis->range().lower, 0.0);
    QVERIFY(!barsAt(chart, 1.5).empty());
  }

  void ratesAreOfPointsAndBytes() {
    ProfileData data = sampleData();
    TimeChart chart;
    chart.resize(500, 320);
    chart.setData(data);
    chart.setScale(TimeScale::points);
    QVERIFY(!lineOf(chart, QStringLiteral("points")));  // none were counted
    for (Candidate& plan : data.candidates) {
      plan.timings.points = 2e6;
      plan.timings.bytes[std::size_t(Stage::fft)] = 3e9 * plan.timings.fft();
    }
    chart.setData(data);
    const QCPGraph* points = lineOf(chart, QStringLiteral("points"));
    QVERIFY(points);
    const std::vector<int> fastest = fastestForEachAlpha(data);
    QCOMPARE(points->dataCount(), int(fastest.size()));
    for (int n = 0; n < int(fastest.size()); ++n) {
      const double total = data.candidates[std::size_t(fastest[std::size_t(n)])].timings.total;
      QVERIFY(std::abs(points->data()->at(n)->value / (2 / total) - 1) < 1e-9);
      QVERIFY(chart.yAxis->range().contains(2 / total));
    }
    QVERIFY(barsAt(chart, 1.5).empty());
    chart.setScale(TimeScale::bandwidth);
    const QCPGraph* fft = lineOf(chart, QStringLiteral("FFT"));
    QVERIFY(fft && std::abs(fft->data()->at(0)->value - 3) < 1e-9);
    QVERIFY(textsOf(chart).contains(QStringLiteral("not measured")));
    for (const Candidate& plan : data.candidates) data.ceilings[plan.backend] = 12.5e9;
    chart.setData(data);
    QVERIFY2(textsOf(chart).contains(QStringLiteral("12.5 GB/s")), qPrintable(textsOf(chart)));
    QVERIFY(chart.yAxis->range().contains(12.5));
    chart.setPlace(PlanPlace{1.5, 5, 1e-3, 0.01, 1e-3});
    QVERIFY(std::isnan(chart.placeMark().at().y));
    chart.setScale(TimeScale::linear);
    QVERIFY(!barsAt(chart, 1.5).empty());
  }
};

SPOKELAB_GUI_TEST(TestTimeScales)

}  // namespace test_time_scales

#include "test_time_scales.moc"
