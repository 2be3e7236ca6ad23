#include "app/gui/report/report_feature.h"

#include <QAction>
#include <QDir>
#include <QFileDialog>
#include <QMainWindow>
#include <QTimer>

#include "app/gui/features/banner.h"
#include "app/gui/report/report.h"
#include "app/gui/report/report_pdf.h"
#include "app/gui/session/command_text.h"
#include "widgets/image/image_panel.h"
#include "widgets/image/measured.h"
#include "widgets/profile/charts/chart_panel.h"

namespace spokelab {
namespace {

constexpr JobKind reportJob{.name = "report"};

}  // namespace

struct ReportFeature::DrawnReport {
  Report report;
  ProfileData data;
  std::filesystem::path folder;
  std::size_t wanted = 0;  // charts, each as SVG and as PDF
};

ReportFeature::ReportFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent) {
  action_ = makeAction(this, tr("Report"), "action-report", Qt::CTRL | Qt::Key_E,
                       tr("Write image, charts and numbers of this result into a folder"));
  action_->setEnabled(false);
  connect(action_, &QAction::triggered, this, &ReportFeature::chooseFolder);
  connect(&session_, &Session::resultsChanged, this, &ReportFeature::updateAction);
}

// Charts, decisions and the command line belong to the open scan.
void ReportFeature::updateAction() {
  const HistoryEntry* shown = session_.shown();
  action_->setEnabled(shown && session_.scan() && shown->source.lock() == session_.scan());
}

void ReportFeature::chooseFolder() {
  const HistoryEntry* entry = session_.shown();
  if (!entry || entry->source.expired()) return;
  auto* dialog = dialogToSave(views_.window, tr("Folder for the report"), "",
                              entry->scan + QStringLiteral("-report"), {});
  dialog->setLabelText(QFileDialog::Accept, tr("Write"));
  connect(dialog, &QFileDialog::fileSelected, this,
          [this, kept = HistoryEntry(*entry)](const QString& folder) {
            write(kept, std::filesystem::path(folder.toStdString()));
          });
  dialog->open();
}

void ReportFeature::write(const HistoryEntry& entry, const std::filesystem::path& folder) {
  Report report;
  report.scan = entry.source.lock();
  if (!report.scan) {
    Q_EMIT session_.failed({tr("Cannot write the report"), tr("another scan has been opened since"),
                            tr("Open %1 again and reconstruct it").arg(entry.scan)});
    return;
  }
  ProfileData data = views_.charts->data();
  data.traces.clear();  // a report is of one run
  report.result = entry.result;
  report.reading = session_.reading();
  report.sweep.candidates = data.candidates;
  report.sweep.best = data.best;
  report.sweep.workload = data.workload.value_or(Workload());
  report.sweep.reason = data.reason.toStdString();
  report.sweep.load = data.load;
  report.simulation = session_.simulation();
  report.commandLine =
      session_.withSimulation(commandLineFor(*report.scan, report.reading, entry.result->options));
  report.drawPdf = reportPdf;
  addRegions(entry, report);
  if (noise_) report.noise = noise_(*report.scan, entry.result->options);
  const std::size_t charts = hasCharts(data) ? 2 * chartKinds.size() : 0;
  drawNextChart(std::make_shared<DrawnReport>(DrawnReport{std::move(report), data, folder, charts}));
}

// Regions are in the shown image.
void ReportFeature::addRegions(const HistoryEntry& entry, Report& report) const {
  const std::shared_ptr<const Image> image = views_.image->image();
  if (!image || views_.image->showsPreview() || session_.results().shown() != entry.id) return;
  MeasureRequest request{image, nullptr, views_.image->frame(), {}, 0, {}, {}};
  for (const NamedRegion& region : views_.measurement->regions().all)
    if (region.region) request.regions.emplace_back(region.id, *region.region);
  if (request.regions.empty()) return;
  for (const RegionNumbers& numbers : measure(request).regions) {
    const NamedRegion& region = *views_.measurement->find(numbers.id);
    report.regions.push_back({region.name.toStdString(), *region.region, request.frame, numbers.shown,
                              numbers.area, numbers.solid, numbers.course});
  }
}

// One chart an event: all of them at once would keep the window from answering.
void ReportFeature::drawNextChart(const std::shared_ptr<DrawnReport>& drawn) {
  auto& charts = drawn->report.charts;
  if (charts.size() == drawn->wanted) return save(drawn->report, drawn->folder);
  const ChartKind kind = chartKinds[charts.size() % chartKinds.size()];
  const ChartFormat format = charts.size() < chartKinds.size() ? ChartFormat::svg : ChartFormat::pdf;
  const QString name = chartFileName(kind) + QLatin1Char('.') + chartSuffix(format);
  charts.push_back({name.toStdString(), renderChart(drawn->data, kind, format).toStdString()});
  QTimer::singleShot(0, this, [this, drawn] { drawNextChart(drawn); });
}

void ReportFeature::writeReplay(const Report& replayed, const QString& folder) {
  Report report = replayed;
  ProfileData data;
  data.candidates = report.sweep.candidates;
  data.best = report.sweep.best;
  data.workload = report.sweep.workload;
  data.accuracy = report.result->options.nufft.accuracy;
  if (!data.candidates.empty()) report.charts = chartFiles(data, ChartFormat::svg);
  report.commandLine = "spokelab report --replay " + report.replay->of + " -o " + folder.toStdString();
  report.drawPdf = reportPdf;
  save(report, std::filesystem::path(folder.toStdString()));
}

void ReportFeature::save(const Report& report, const std::filesystem::path& folder) {
  session_.jobs().submit(
      reportJob, tr("Report %1").arg(QString::fromStdString(folder.filename().string())),
      [this, report, folder](const JobContext& context) -> JobQueue::Delivery {
        writeReport(report, folder, context.progress);
        return [this, folder] {
          const QString where = QString::fromStdString(folder.string());
          Q_EMIT session_.saved(where);
          views_.banner->showWritten(tr("The report was written to %1.").arg(where),
                                     QDir(where).filePath(QStringLiteral("report.html")));
        };
      },
      report.replay ? QString::fromStdString(report.commandLine)
                    : session_.commandFor("report", report.result->options, {"-o", folder.string()}));
}

}  // namespace spokelab
