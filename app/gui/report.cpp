#include "app/gui/report.h"

#include <QApplication>

#include <nlohmann/json.hpp>

#include "app/cli/staged_folder.h"
#include "engine/core/atomic_file.h"
#include "engine/profile/results.h"
#include "engine/recon/options.h"
#include "engine/scan/write_image.h"

namespace spokelab {
namespace {

constexpr double imageDone = 0.7, pictureDone = 0.9;  // of the progress bar
constexpr int jsonIndent = 2;

std::string quoted(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789_-+=.,:/%@") == std::string::npos;
  if (plain) return word;
  std::string text = "'";
  for (char c : word) {
    if (c == '\'') {
      text += "'\\''";
    } else {
      text += c;
    }
  }
  return text + '\'';
}

void writeBytes(const std::filesystem::path& file, const QByteArray& content) {
  writeFileAtomically(file, std::string_view(content.data(), std::size_t(content.size())));
}

}  // namespace

void writeReportFolder(const ReportContents& report, const std::filesystem::path& folder,
                       const Progress& progress) {
  cli::StagedFolder staged(folder);
  const std::filesystem::path& place = staged.path();
  writeImage(*report.result->image, place / "image.nii.gz", {}, progress.part(0, imageDone));
  writeImage(*report.result->image, place / "image.png", {}, progress.part(imageDone, pictureDone));
  std::vector<std::string> names;
  for (const ChartFile& chart : report.charts) {
    names.push_back(chart.name.toStdString());
    writeBytes(place / names.back(), chart.content);
  }
  progress.report(pictureDone, "writing numbers");
  if (!report.profile.candidates.empty()) writeFileAtomically(place / "profile.csv", toCsv(report.profile));
  writeFileAtomically(place / "command.txt", report.commandLine + '\n');
  const nlohmann::json document = {{"provenance", provenance(report.commandLine)},
                                   {"scan", toJson(*report.scan)},
                                   {"reconstruction", toJson(*report.result)},
                                   {"profile", toJson(report.profile)},
                                   {"charts", names}};
  writeFileAtomically(place / "report.json", document.dump(jsonIndent) + '\n');
  progress.checkpoint();
  staged.commit();
}

std::string commandLineFor(const Scan& scan, const std::map<std::string, std::string>& overrides,
                           const ReconOptions& options) {
  std::string line =
      "spokelab reconstruct " + quoted(scan.path.empty() ? scan.name : scan.path) + " -o image.nii.gz";
  for (const auto& [topic, choice] : overrides) line += " --set " + quoted(topic + '=' + choice);
  const ReconOptions defaults;
  for (const OptionSpec& spec : reconOptionTable()) {
    const std::string value = optionValue(options, spec.name);
    if (value == optionValue(defaults, spec.name)) continue;
    line += " --" + spec.name;
    if (spec.type != OptionType::flag) line += ' ' + quoted(value);
  }
  return line;
}

std::vector<std::string> drawReportCharts(const TuneResult& sweep, double accuracy,
                                          const std::filesystem::path& folder) {
  static int argumentCount = 1;
  static char programName[] = "spokelab";
  static char* arguments[] = {programName, nullptr};
  std::unique_ptr<QApplication> application;
  if (!QCoreApplication::instance()) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    application = std::make_unique<QApplication>(argumentCount, arguments);
  }
  ProfileData data;
  data.candidates = sweep.candidates;
  data.best = sweep.best;
  data.accuracy = accuracy;
  std::vector<std::string> names;
  for (const ChartFile& chart : renderCharts(data, ChartFormat::svg)) {
    names.push_back(chart.name.toStdString());
    writeBytes(folder / names.back(), chart.content);
  }
  return names;
}

}  // namespace spokelab
