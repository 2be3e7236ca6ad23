#include "widgets/profile/charts/chart_export.h"

#include <QBuffer>
#include <QFontInfo>
#include <QPageSize>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>
#include <memory>

#include "widgets/profile/charts/error_chart.h"
#include "widgets/profile/charts/plan_map.h"
#include "widgets/profile/charts/scatter_chart.h"
#include "widgets/profile/charts/time_chart.h"

namespace spokelab {
namespace {

constexpr int dotsPerInch = 96;
constexpr double pngScale = 2;  // pixels for each of chartSize's

std::unique_ptr<Chart> makeChart(ChartKind kind) {
  switch (kind) {
    case ChartKind::time:
      return std::make_unique<TimeChart>();
    case ChartKind::error:
      return std::make_unique<ErrorChart>();
    case ChartKind::scatter:
      return std::make_unique<ScatterChart>();
    case ChartKind::map:
      return std::make_unique<PlanMap>();
  }
  return nullptr;
}

double placeOn(const QCPAxis& axis, double value) {
  return axis.scaleType() == QCPAxis::stLogarithmic ? std::log(value) : value;
}

// SVG knows no clipping here: what leaves the axes would run over the page. A line ends where it
// leaves them, marks outside are left out. Points of error bars are not drawn, and remain: bars are
// counted by them.
void clipLines(QCustomPlot& plot) {
  for (int g = 0; g < plot.graphCount(); ++g) {
    QCPGraph& graph = *plot.graph(g);
    const QCPAxis& axis = *graph.valueAxis();
    const QCPRange range = axis.range();
    const bool isLine = graph.lineStyle() != QCPGraph::lsNone;
    if (!isLine && graph.scatterStyle().isNone()) continue;
    QVector<double> x, y;
    const QCPGraphData* before = nullptr;
    for (const QCPGraphData& point : *graph.data()) {
      const bool inside = range.contains(point.value);
      if (before && isLine && inside != range.contains(before->value)) {
        const double edge = (inside ? before->value : point.value) > range.upper ? range.upper : range.lower;
        const double from = placeOn(axis, before->value), step = placeOn(axis, point.value) - from;
        x << before->key + (point.key - before->key) * (placeOn(axis, edge) - from) / step;
        y << edge;
      }
      if (inside) {
        x << point.key;
        y << point.value;
      }
      before = &point;
    }
    graph.setData(x, y, true);
  }
}

void clipBars(QCustomPlot& plot) {
  for (int i = 0; i < plot.plottableCount(); ++i) {
    auto* bars = qobject_cast<QCPErrorBars*>(plot.plottable(i));
    const auto* middles = bars ? qobject_cast<QCPGraph*>(bars->dataPlottable()) : nullptr;
    if (!middles) continue;
    const bool across = bars->errorType() == QCPErrorBars::etKeyError;
    const QCPRange range = (across ? middles->keyAxis() : middles->valueAxis())->range();
    for (int b = 0; b < bars->data()->size() && b < middles->dataCount(); ++b) {
      const double at = across ? middles->dataMainKey(b) : middles->dataMainValue(b);
      QCPErrorBarsData& bar = (*bars->data())[b];
      bar.errorMinus = std::clamp(bar.errorMinus, 0.0, std::max(0.0, at - range.lower));
      bar.errorPlus = std::clamp(bar.errorPlus, 0.0, std::max(0.0, range.upper - at));
    }
  }
}

void paint(Chart& chart, QPaintDevice& device, QSize size) {
  QCPPainter painter;
  painter.begin(&device);
  painter.setMode(QCPPainter::pmVectorized);
  chart.toPainter(&painter, size.width(), size.height());
  painter.end();
}

// Qt's name of the platform's font means nothing to a browser: the measured or a plain one.
void nameFonts(QByteArray& svg) {
  const QFont font;
  const QString written = QStringLiteral("font-family=\"%1\"");
  svg.replace(written.arg(font.family()).toUtf8(),
              written.arg(QStringLiteral("%1, sans-serif").arg(QFontInfo(font).family())).toUtf8());
}

}  // namespace

QString chartSuffix(ChartFormat format) {
  switch (format) {
    case ChartFormat::svg:
      return QStringLiteral("svg");
    case ChartFormat::pdf:
      return QStringLiteral("pdf");
    case ChartFormat::png:
      return QStringLiteral("png");
  }
  return {};
}

QString chartFileName(ChartKind kind) {
  switch (kind) {
    case ChartKind::time:
      return QStringLiteral("time-over-alpha");
    case ChartKind::error:
      return QStringLiteral("error");
    case ChartKind::scatter:
      return QStringLiteral("error-against-time");
    case ChartKind::map:
      return QStringLiteral("plan-map");
  }
  return {};
}

QString chartTitle(ChartKind kind) {
  switch (kind) {
    case ChartKind::time:
      return QStringLiteral("Time over α");
    case ChartKind::error:
      return QStringLiteral("Error over α and W");
    case ChartKind::scatter:
      return QStringLiteral("Error against time");
    case ChartKind::map:
      return QStringLiteral("Plans over α and W");
  }
  return {};
}

QByteArray renderChart(const ProfileData& data, ChartKind kind, ChartFormat format, QSize size) {
  const auto chart = makeChart(kind);
  chart->setTheme(ChartTheme::onPaper());
  chart->setTitle(chartTitle(kind));
  chart->resize(size);
  chart->setData(data);
  if (format == ChartFormat::svg) {
    clipLines(*chart);
    clipBars(*chart);
  }
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  if (format == ChartFormat::svg) {
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(dotsPerInch);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(0, 0), size));
    generator.setTitle(chartTitle(kind));
    paint(*chart, generator, size);
    nameFonts(buffer.buffer());
  } else if (format == ChartFormat::pdf) {
    QPdfWriter writer(&buffer);
    writer.setResolution(dotsPerInch);
    writer.setPageSize(QPageSize(QSizeF(size) / dotsPerInch, QPageSize::Inch));
    writer.setPageMargins(QMarginsF(0, 0, 0, 0));
    writer.setTitle(chartTitle(kind));
    paint(*chart, writer, size);
  } else {
    chart->toPixmap(size.width(), size.height(), pngScale).save(&buffer, "PNG");
  }
  return buffer.data();
}

bool hasCharts(const ProfileData& data) {
  return std::any_of(data.candidates.begin(), data.candidates.end(),
                     [](const Candidate& candidate) { return candidate.timed(); });
}

std::vector<ChartFile> renderCharts(const ProfileData& data, ChartFormat format) {
  std::vector<ChartFile> files;
  if (!hasCharts(data)) return files;
  for (const ChartKind kind : chartKinds)
    files.push_back(
        {chartFileName(kind) + QLatin1Char('.') + chartSuffix(format), renderChart(data, kind, format)});
  return files;
}

}  // namespace spokelab
