#include "engine/profile/report/report.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "engine/core/atomic_file.h"
#include "engine/core/output/job_files.h"
#include "engine/core/staged_folder.h"
#include "engine/profile/report/report_html.h"
#include "engine/profile/report/report_noise.h"
#include "engine/profile/results/reading_json.h"
#include "engine/profile/results/record_file.h"
#include "engine/scan/formats/images/write_image.h"

namespace spokelab {
namespace {

using nlohmann::json;

constexpr double imageDone = 0.7, pictureDone = 0.9;  // of the progress bar
constexpr const char *imageFile = "image.nii.gz", *pictureFile = "image.png", *sweepFile = "sweep.csv",
                     *tuningFile = "tuning.csv", *commandFile = "command.txt", *documentFile = "report.json",
                     *pageFile = "report.html", *pdfFile = "report.pdf";

std::string contentOf(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The user's decisions, given now or remembered from earlier: a replay does not know them.
ReadOptions readingOf(const Report& report) {
  ReadOptions reading = report.reading;
  for (const Decision& d : report.scan->decisions)
    if (d.overridden) reading.overrides.try_emplace(d.topic, d.choice);
  return reading;
}

}  // namespace

json toJson(const ReportRegion& r) {
  const RegionStatistics& s = r.statistics;
  json j{{"name", r.name},
         {"kind", r.region.ellipse ? "ellipse" : "box"},
         {"low", r.region.low},
         {"high", r.region.high},
         {"through", r.region.through},
         {"frame", r.frame},
         {r.solid ? "volumeMm3" : "areaMm2", r.area},
         {"count", s.count},
         {"magnitudeMean", s.magnitudeMean},
         {"magnitudeDeviation", s.magnitudeDeviation},
         {"smallest", s.smallest},
         {"largest", s.largest},
         {"mean", {s.mean.real(), s.mean.imag()}},
         {"deviation", s.deviation}};
  if (!r.course.empty()) j["course"] = r.course;
  return j;
}

json toJson(const Report& report) {
  json names = json::array();
  for (const ReportFile& chart : report.charts) names.push_back(chart.name);
  json j = recordOf(report.commandLine,
                    {{"scan", toJson(*report.scan)},
                     {"reading", asJson(readingOf(report))},
                     {"reconstruction", toJson(*report.result)},
                     {"sweep", toJson(report.sweep)},
                     {"charts", names}},
                    "report");
  if (!report.simulation.empty()) j["simulation"] = report.simulation;
  for (const ReportRegion& region : report.regions) j["regions"].push_back(toJson(region));
  if (report.noise) j["noise"] = toJson(*report.noise);
  if (report.replay) j["replay"] = toJson(*report.replay);
  return j;
}

std::vector<std::string> reportFileNames() {
  std::vector<std::string> names = {imageFile,   pictureFile,  sweepFile, tuningFile,
                                    commandFile, documentFile, pageFile,  pdfFile};
  for (const std::string& name : noiseFileNames()) names.push_back(name);
  return names;
}

void writeReport(const Report& asked, const std::filesystem::path& folder, const Progress& progress) {
  Report report = asked;
  for (const std::string& name : reportFileNames()) requireReplaceable(folder / name);
  StagedFolder staged(folder);
  const std::filesystem::path& place = staged.path();
  const Image& image = *report.result->image;
  writeImage(image, place / imageFile, {}, progress.part(0, imageDone));
  writeImage(image, place / pictureFile, {}, progress.part(imageDone, pictureDone));
  progress.report(pictureDone, "writing numbers");
  if (report.noise)
    report.noisePictures = writeNoiseMaps(*report.noise, place, progress.part(pictureDone, 1));
  for (const ReportFile& chart : report.charts) writeFileAtomically(place / chart.name, chart.content);
  if (!report.sweep.candidates.empty()) writeFileAtomically(place / sweepFile, toCsv(report.sweep));
  if (report.result->tuning) writeFileAtomically(place / tuningFile, toCsv(*report.result->tuning));
  writeFileAtomically(place / commandFile, report.commandLine + '\n');
  const json document = toJson(report);
  writeFileAtomically(place / documentFile, recordText(document));
  const std::string png = contentOf(place / pictureFile);
  writeFileAtomically(place / pageFile, reportHtml(report, document, png));
  progress.checkpoint();
  if (report.drawPdf) writeFileAtomically(place / pdfFile, report.drawPdf(report, document, png));
  progress.checkpoint();
  staged.commit();
}

}  // namespace spokelab
