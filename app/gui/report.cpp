#include "app/gui/report.h"

#include <QApplication>

#include "engine/recon/options.h"

namespace spokelab {
namespace {

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

}  // namespace

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

std::vector<ReportFile> chartFiles(const ProfileData& data, ChartFormat format) {
  std::vector<ReportFile> files;
  for (const ChartFile& chart : renderCharts(data, format))
    files.push_back({chart.name.toStdString(), chart.content.toStdString()});
  return files;
}

std::vector<ReportFile> drawReportCharts(const TuneResult& sweep, double accuracy) {
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
  return chartFiles(data, ChartFormat::svg);
}

}  // namespace spokelab
