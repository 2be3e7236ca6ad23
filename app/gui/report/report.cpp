#include "app/gui/report/report.h"

#include <QApplication>

#include "widgets/core/decimal_point.h"

namespace spokelab {

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
  std::unique_ptr<QApplication, ApplicationEnd> application(new QApplication(argumentCount, arguments));
  useDecimalPoint();
  return application;
}

std::vector<ReportFile> drawReportCharts(const TuneResult& sweep, double accuracy) {
  const auto application = applicationIfNone();
  ProfileData data;
  data.candidates = sweep.candidates;
  data.best = sweep.best;
  data.workload = sweep.workload;
  data.load = sweep.load;
  data.accuracy = accuracy;
  return chartFiles(data, ChartFormat::svg);
}

}  // namespace spokelab
