// A result as a folder: report.json, profile.csv, image.nii.gz, image.png, the charts, and command.txt, which
// repeats it. Appears whole or not at all.
#pragma once

#include <QString>

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/progress.h"
#include "engine/recon/backend.h"
#include "widgets/profile/chart_export.h"

namespace spokelab {

struct ReportContents {
  std::shared_ptr<const Scan> scan;
  std::shared_ptr<const Reconstruction> result;
  TuneResult profile;  // what the charts show
  std::vector<ChartFile> charts;
  std::string commandLine;
};

// Throws Error, Cancelled.
void writeReportFolder(const ReportContents& report, const std::filesystem::path& folder,
                       const Progress& progress);

// "spokelab reconstruct scan.h5 -o image.nii.gz --set k-unit=... --alpha 1.25": what differs from the defaults.
std::string commandLineFor(const Scan& scan, const std::map<std::string, std::string>& overrides,
                           const ReconOptions& options);

// For the `report` command: draws a sweep's charts into a folder as SVG. Makes the (offscreen) QApplication that
// this needs if there is none. Returns the file names. On the main thread.
std::vector<std::string> drawReportCharts(const TuneResult& sweep, double accuracy,
                                          const std::filesystem::path& folder);

}  // namespace spokelab
