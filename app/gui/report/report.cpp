#include "app/gui/report/report.h"

#include <QApplication>

#include "engine/core/text.h"
#include "engine/recon/options/options.h"

namespace spokelab {

std::string commandLineFor(const Scan& scan, const std::map<std::string, std::string>& overrides,
                           const ReconOptions& options) {
  return commandFor("reconstruct", scan, overrides, options, {"-o", "image.nii.gz"});
}

std::vector<std::string> spreadArguments(const ReconOptions& options) {
  return {"--methods", std::string(densityName(options.density)), "--psf", "psf.nii.gz"};
}

std::string commandFor(const std::string& verb, const Scan& scan,
                       const std::map<std::string, std::string>& overrides, const ReconOptions& options,
                       const std::vector<std::string>& more) {
  std::string line = "spokelab " + verb + " " + shellWord(scan.path.empty() ? scan.name : scan.path);
  for (const std::string& word : more) line += ' ' + shellWord(word);
  for (const auto& [topic, choice] : overrides) line += " --set " + shellWord(topic + '=' + choice);
  const ReconOptions defaults;
  for (const OptionSpec& spec : reconOptionTable()) {
    const std::string value = optionValue(options, spec.name);
    if (value == optionValue(defaults, spec.name)) continue;
    line += " --" + spec.name;
    if (spec.type != OptionType::flag) line += ' ' + shellWord(value);
  }
  return line;
}

std::vector<ReportFile> chartFiles(const ProfileData& data, ChartFormat format) {
  std::vector<ReportFile> files;
  for (const ChartFile& chart : renderCharts(data, format))
    files.push_back({chart.name.toStdString(), chart.content.toStdString()});
  return files;
}

void ApplicationEnd::operator()(QApplication* application) const {
  delete application;
}

std::unique_ptr<QApplication, ApplicationEnd> applicationIfNone() {
  static int argumentCount = 1;
  static char programName[] = "spokelab";
  static char* arguments[] = {programName, nullptr};
  if (QCoreApplication::instance()) return nullptr;
  qputenv("QT_QPA_PLATFORM", "offscreen");
  return std::unique_ptr<QApplication, ApplicationEnd>(new QApplication(argumentCount, arguments));
}

std::vector<ReportFile> drawReportCharts(const TuneResult& sweep, double accuracy) {
  const auto application = applicationIfNone();
  ProfileData data;
  data.candidates = sweep.candidates;
  data.best = sweep.best;
  data.accuracy = accuracy;
  return chartFiles(data, ChartFormat::svg);
}

}  // namespace spokelab
