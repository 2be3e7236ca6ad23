// Files that the window opens and writes: scans, images, charts, reports; and the guide.
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QSettings>
#include <QTimer>

#include <algorithm>

#include "app/gui/report/report.h"
#include "app/gui/report/report_pdf.h"
#include "app/gui/window/help_viewer.h"
#include "app/gui/window/main_window.h"
#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "widgets/profile/charts/chart_export.h"
#include "widgets/profile/charts/chart_panel.h"
#include "widgets/recon/history_list.h"
#include "widgets/recon/jobs/log_view.h"

namespace spokelab {
namespace {

constexpr qsizetype mostRecent = 10;
const QString recentKey = QStringLiteral("files/recent");
const QString folderKey = QStringLiteral("files/folder");

struct SavedAs {
  QString filter, ending;
  ComplexPart part = ComplexPart::complex;
};

QList<SavedAs> imageFormats() {
  using P = ComplexPart;
  return {{MainWindow::tr("NIfTI, complex (*.nii.gz)"), QStringLiteral(".nii.gz"), P::complex},
          {MainWindow::tr("NIfTI, magnitude (*.nii.gz *.nii)"), QStringLiteral(".nii.gz"), P::magnitude},
          {MainWindow::tr("NIfTI, phase (*.nii.gz *.nii)"), QStringLiteral(".nii.gz"), P::phase},
          {MainWindow::tr("ISMRMRD (*.h5)"), QStringLiteral(".h5"), P::complex},
          {MainWindow::tr("BART (*.cfl)"), QStringLiteral(".cfl"), P::complex},
          {MainWindow::tr("NumPy (*.npy)"), QStringLiteral(".npy"), P::complex},
          {MainWindow::tr("Picture: slices side by side (*.png)"), QStringLiteral(".png"), P::magnitude},
          {MainWindow::tr("Pictures: a folder, one for each slice (*)"), QStringLiteral("/"), P::magnitude}};
}

}  // namespace

// A report whose charts are being drawn.
struct MainWindow::DrawnReport {
  Report report;
  ProfileData data;
  std::filesystem::path folder;
  std::size_t wanted = 0;  // charts, each as SVG and as PDF
};

void MainWindow::chooseFile() {
  auto* dialog = new QFileDialog(
      this, tr("Open a scan"), QSettings().value(folderKey).toString(),
      tr("Scans and sessions (*.h5 *.hdf5 *.mrd *.json *.npy *.cfl *.spokelab);;All files (*)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
    QSettings().setValue(folderKey, QFileInfo(file).absolutePath());
    open(file);
  });
  dialog->open();
}

void MainWindow::saveImage(int id) {
  const HistoryModel& model = *history_->model();
  const HistoryEntry* entry = model.find(id != 0 ? id : model.shown());
  if (!entry) return;
  QStringList filters;
  for (const SavedAs& format : imageFormats()) filters << format.filter;
  auto* dialog = new QFileDialog(this, tr("Save the image"), entry->scan, filters.join(QStringLiteral(";;")));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  connect(dialog, &QFileDialog::fileSelected, this,
          [this, dialog, kept = HistoryEntry(*entry)](QString file) {
            const QList<SavedAs> formats = imageFormats();
            const QString chosen = dialog->selectedNameFilter();
            const auto found = std::find_if(formats.begin(), formats.end(),
                                            [&](const SavedAs& format) { return format.filter == chosen; });
            const SavedAs format = found == formats.end() ? formats.front() : *found;
            const bool folder = format.ending == QStringLiteral("/");
            if (folder || QFileInfo(file).suffix().isEmpty()) file += format.ending;
            WriteOptions options;
            options.part = format.part;
            session_.saveImage(kept, std::filesystem::path(file.toStdString()), options);
          });
  dialog->open();
}

void MainWindow::saveChart(ChartKind kind, ChartFormat format) {
  auto* dialog =
      new QFileDialog(this, tr("Save the chart"), chartFileName(kind),
                      QStringLiteral("%1 (*.%2)").arg(chartSuffix(format).toUpper(), chartSuffix(format)));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(chartSuffix(format));
  connect(dialog, &QFileDialog::fileSelected, this, [this, kind, format](const QString& file) {
    try {
      const QByteArray content = renderChart(charts_->data(), kind, format);
      writeFileAtomically(file.toStdString(), std::string_view(content.data(), std::size_t(content.size())));
      log_->append(LogLevel::information, tr("Saved %1").arg(file));
    } catch (const Error& error) {
      showFailure(failureOf(error));
    }
  });
  dialog->open();
}

void MainWindow::saveReport() {
  const HistoryEntry* entry = history_->model()->find(history_->model()->shown());
  if (!entry || entry->source.expired()) return;
  auto* dialog = new QFileDialog(this, tr("Folder for the report"), entry->scan + QStringLiteral("-report"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setLabelText(QFileDialog::Accept, tr("Write"));
  connect(dialog, &QFileDialog::fileSelected, this,
          [this, kept = HistoryEntry(*entry)](const QString& folder) {
            writeReport(kept, std::filesystem::path(folder.toStdString()));
          });
  dialog->open();
}

void MainWindow::writeReport(const HistoryEntry& entry, const std::filesystem::path& folder) {
  Report report;
  report.scan = entry.source.lock();
  if (!report.scan) {
    showFailure({tr("Cannot write the report"), tr("another scan has been opened since"),
                 tr("Open %1 again and reconstruct it").arg(entry.scan)});
    return;
  }
  report.result = entry.result;
  report.reading.overrides = session_.overrides();
  report.sweep.candidates = charts_->data().candidates;
  report.sweep.best = charts_->data().best;
  report.commandLine = commandLineFor(*report.scan, session_.overrides(), entry.result->options);
  report.drawPdf = reportPdf;
  const ProfileData& data = charts_->data();
  const std::size_t charts = hasCharts(data) ? 2 * chartKinds.size() : 0;
  drawNextChart(std::make_shared<DrawnReport>(DrawnReport{std::move(report), data, folder, charts}));
}

// One an event: all of them would keep the window from answering.
void MainWindow::drawNextChart(const std::shared_ptr<DrawnReport>& drawn) {
  auto& charts = drawn->report.charts;
  if (charts.size() == drawn->wanted) return session_.saveReport(drawn->report, drawn->folder);
  const ChartKind kind = chartKinds[charts.size() % chartKinds.size()];
  const ChartFormat format = charts.size() < chartKinds.size() ? ChartFormat::svg : ChartFormat::pdf;
  const QString name = chartFileName(kind) + QLatin1Char('.') + chartSuffix(format);
  charts.push_back({name.toStdString(), renderChart(drawn->data, kind, format).toStdString()});
  QTimer::singleShot(0, this, [this, drawn] { drawNextChart(drawn); });
}

void MainWindow::addRecent(const QString& file) {
  if (!remember_) return;
  QSettings settings;
  const QString path = QFileInfo(file).absoluteFilePath();
  QStringList recent = settings.value(recentKey).toStringList();
  recent.removeAll(path);
  recent.prepend(path);
  settings.setValue(recentKey, recent.mid(0, mostRecent));
}

void MainWindow::fillRecent() {
  recent_->clear();
  const QStringList recent = QSettings().value(recentKey).toStringList();
  for (const QString& file : recent) {
    QAction* action = recent_->addAction(QFileInfo(file).fileName(), this, [this, file] { open(file); });
    action->setToolTip(file);
    action->setEnabled(QFileInfo::exists(file));
  }
  if (recent.isEmpty()) recent_->addAction(tr("nothing yet"))->setEnabled(false);
  recent_->setToolTipsVisible(true);
}

void MainWindow::showHelp() {
  if (!help_) help_ = new HelpViewer(this);
  help_->show();
  help_->raise();
  help_->activateWindow();
}

}  // namespace spokelab
