// A result as a folder that a colleague can read, check and repeat: report.html (all in one file,
// nothing is fetched), report.json (what `report --replay` repeats), report.pdf (of programs that
// draw), sweep.csv and tuning.csv, image.nii.gz, image.png, the charts, and command.txt. With maps
// of the noise it also has noise, snr and g-factor, each as .nii.gz and .png. The window and the
// command line write the same.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "engine/profile/results/replay_comparison.h"
#include "engine/profile/results/results.h"
#include "engine/recon/explore/noise_maps.h"
#include "engine/scan/check/region_metrics.h"
#include "engine/scan/read/read_scan.h"

namespace spokelab {

struct ReportFile {
  std::string name;  // "time.svg"; files that end in .svg are shown in report.html
  std::string content;
};

// A region that was measured in the image.
struct ReportRegion {
  std::string name;
  ImageRegion region;
  int frame = 0;
  RegionStatistics statistics;
  double area = 0;             // mm² (mm³ where it has several slices)
  bool solid = false;          // true: several slices, and area is a volume
  std::vector<double> course;  // the mean magnitude of each frame, of a series
};

struct Report;
// A report.pdf; document: toJson(report), png: the image's picture.
using DrawPdf =
    std::function<std::string(const Report& report, const nlohmann::json& document, const std::string& png)>;

struct Report {
  std::shared_ptr<const Scan> scan;
  ReadOptions reading;                            // how the scan was read
  std::map<std::string, std::string> simulation;  // options that simulate it; empty: it was read
  std::shared_ptr<const Reconstruction> result;
  TuneResult sweep;  // what the charts show; may be empty
  std::vector<ReportFile> charts;
  std::string commandLine;
  std::vector<ReportRegion> regions;
  std::shared_ptr<const NoiseMaps> noise;  // of the result's first frame; null: not mapped
  std::vector<ReportFile> noisePictures;   // PNG; writeReport() makes them
  std::optional<ReplayComparison> replay;
  DrawPdf drawPdf;  // empty: no report.pdf
};

nlohmann::json toJson(const ReportRegion& region);
nlohmann::json toJson(const NoiseMaps& maps);
nlohmann::json toJson(const Report& report);  // provenance included

// The names of files that a report has or may have; charts have other names.
std::vector<std::string> reportFileNames();

// Appears whole or not at all. Throws Error, Cancelled.
void writeReport(const Report& report, const std::filesystem::path& folder, const Progress& progress);

}  // namespace spokelab
