// Each of the charts by its name, with a sweep in it.
#pragma once

#include <QtTest>

#include <memory>

#include "tests/widgets/profile/sample_candidates.h"
#include "widgets/profile/charts/error_chart.h"
#include "widgets/profile/charts/plan_map.h"
#include "widgets/profile/charts/scatter_chart.h"
#include "widgets/profile/charts/time_chart.h"

namespace spokelab {

inline ProfileData sampleData() {
  ProfileData data;
  data.candidates = sampleSweep();
  data.accuracy = 1e-3;
  data.best = 6;
  return data;
}

// Rows of a test of all charts.
inline void addChartNames() {
  QTest::addColumn<QString>("name");
  for (const char* name : {"time", "error", "scatter", "map"})
    QTest::newRow(name) << QString::fromLatin1(name);
}

inline std::unique_ptr<Chart> emptyChart(const QString& name) {
  if (name == QStringLiteral("time")) return std::make_unique<TimeChart>();
  if (name == QStringLiteral("error")) return std::make_unique<ErrorChart>();
  if (name == QStringLiteral("scatter")) return std::make_unique<ScatterChart>();
  if (name == QStringLiteral("map")) return std::make_unique<PlanMap>();
  qFatal("there is no chart %s", qPrintable(name));
}

inline std::unique_ptr<Chart> chartNamed(const QString& name, const ProfileData& data = sampleData()) {
  std::unique_ptr<Chart> chart = emptyChart(name);
  chart->setData(data);
  return chart;
}

// Drawn once, so that its places are known.
inline std::unique_ptr<Chart> shownAt(const QString& name, const QSize& size,
                                      const ProfileData& data = sampleData()) {
  auto chart = chartNamed(name, data);
  chart->resize(size);
  chart->show();
  if (!QTest::qWaitForWindowExposed(chart.get())) qFatal("the chart is not shown");
  chart->replot(QCustomPlot::rpImmediateRefresh);
  return chart;
}

}  // namespace spokelab
