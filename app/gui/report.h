// What the window adds to a report (engine/profile/report.h): charts, and the command line that repeats it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/profile/report.h"
#include "widgets/profile/chart_export.h"

namespace spokelab {

// "spokelab reconstruct scan.h5 -o image.nii.gz --set k-unit=... --alpha 1.25": what differs from the defaults.
std::string commandLineFor(const Scan& scan, const std::map<std::string, std::string>& overrides,
                           const ReconOptions& options);

// Draws a sweep's charts as SVG. Makes the (offscreen) QApplication that this needs if there is none. On the main
// thread.
std::vector<ReportFile> drawReportCharts(const TuneResult& sweep, double accuracy);
std::vector<ReportFile> chartFiles(const ProfileData& data, ChartFormat format);

}  // namespace spokelab
