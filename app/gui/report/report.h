// The charts of a report (engine/profile/report/report.h).
#pragma once

#include <memory>
#include <vector>

#include "engine/profile/report/report.h"
#include "widgets/profile/charts/chart_export.h"

class QApplication;

namespace spokelab {

// An offscreen application object for drawing, if none exists; else null. Call on the main thread.
// Deletes an application that applicationIfNone() made.
struct ApplicationEnd {
  void operator()(QApplication* application) const;
};
std::unique_ptr<QApplication, ApplicationEnd> applicationIfNone();

// Draws a sweep's charts as SVG, with an offscreen QApplication if none. On the main thread.
std::vector<ReportFile> drawReportCharts(const TuneResult& sweep, double accuracy);
std::vector<ReportFile> chartFiles(const ProfileData& data, ChartFormat format);

}  // namespace spokelab
