// What the window adds to a report (engine/profile/report/report.h): charts, and the command line that repeats it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/profile/report/report.h"
#include "widgets/profile/charts/chart_export.h"

class QApplication;

namespace spokelab {

// "spokelab reconstruct scan.h5 -o image.nii.gz --set k-unit=... --alpha 1.25": what differs from the defaults.
std::string commandLineFor(const Scan& scan, const std::map<std::string, std::string>& overrides,
                           const ReconOptions& options);

// The same for another command: "spokelab sweep scan.h5 --set ... --accuracy 1e-3", what `more` holds at the end.
std::string commandFor(const std::string& verb, const Scan& scan,
                       const std::map<std::string, std::string>& overrides, const ReconOptions& options,
                       const std::vector<std::string>& more = {});
// What the command density needs to write the point spread function of the options' weights.
std::vector<std::string> spreadArguments(const ReconOptions& options);

// An offscreen application object, to draw with, where there is none; else null. On the main thread.
struct ApplicationEnd {
  void operator()(QApplication* application) const;
};
std::unique_ptr<QApplication, ApplicationEnd> applicationIfNone();

// Draws a sweep's charts as SVG. Makes the (offscreen) QApplication that this needs if there is none. On the main
// thread.
std::vector<ReportFile> drawReportCharts(const TuneResult& sweep, double accuracy);
std::vector<ReportFile> chartFiles(const ProfileData& data, ChartFormat format);

}  // namespace spokelab
