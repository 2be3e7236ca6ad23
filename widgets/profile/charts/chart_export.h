// Charts as pictures for reports and papers: light theme, a title, vector formats. Nothing is
// shown; works on any Qt platform, offscreen included.
#pragma once

#include <QByteArray>
#include <QSize>
#include <QString>

#include <array>
#include <vector>

#include "widgets/profile/charts/chart.h"

namespace spokelab {

enum class ChartFormat { svg, pdf, png };
enum class ChartKind { time, error, scatter, map };

QString chartSuffix(ChartFormat format);  // "svg"
QString chartFileName(ChartKind kind);    // "time-over-alpha", without a suffix
QString chartTitle(ChartKind kind);       // "Time over α"

inline constexpr QSize chartSize{720, 420};  // of an exported chart, in pixels of 1/96 inch

// The picture file's content. SVG carries a viewBox.
QByteArray renderChart(const ProfileData& data, ChartKind kind, ChartFormat format, QSize size = chartSize);

struct ChartFile {
  QString name;  // with suffix
  QByteArray content;
};
inline constexpr std::array chartKinds = {ChartKind::time, ChartKind::error, ChartKind::scatter,
                                          ChartKind::map};
bool hasCharts(const ProfileData& data);  // some candidate was timed
// All charts; none if no candidate was timed.
std::vector<ChartFile> renderCharts(const ProfileData& data, ChartFormat format);

}  // namespace spokelab
