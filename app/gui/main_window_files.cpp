// Files that the window opens and writes: scans, images, charts, reports; and the guide.
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QSettings>

#include "app/gui/help_viewer.h"
#include "app/gui/main_window.h"
#include "app/gui/report.h"
#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "widgets/profile/chart_panel.h"
#include "widgets/recon/history_list.h"
#include "widgets/recon/log_view.h"

namespace spokelab {
namespace {

constexpr qsizetype mostRecent = 10;
const QString recentKey = QStringLiteral("files/recent");
const QString folderKey = QStringLiteral("files/folder");

}  // namespace

void MainWindow::chooseFile() {
  auto* dialog = new QFileDialog(this, tr("Open a scan"), QSettings().value(folderKey).toString(),
                                 tr("Scans (*.h5 *.hdf5 *.mrd);;All files (*)"));
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
  auto* dialog = new QFileDialog(this, tr("Save the image"), entry->scan,
                                 tr("NIfTI, complex (*.nii.gz);;NumPy (*.npy);;Picture (*.png)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  connect(dialog, &QFileDialog::fileSelected, this,
          [this, dialog, kept = HistoryEntry(*entry)](QString file) {
            if (QFileInfo(file).suffix().isEmpty()) {
              const QString filter = dialog->selectedNameFilter();
              file += filter.contains(QStringLiteral("npy"))   ? QStringLiteral(".npy")
                      : filter.contains(QStringLiteral("png")) ? QStringLiteral(".png")
                                                               : QStringLiteral(".nii.gz");
            }
            session_.saveImage(kept, std::filesystem::path(file.toStdString()));
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
      showFailure({QString::fromStdString(error.summary()), QString::fromStdString(error.reason()),
                   QString::fromStdString(error.remedy())});
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
  ReportContents report;
  report.scan = entry.source.lock();
  if (!report.scan) {
    showFailure({tr("Cannot write the report"), tr("another scan has been opened since"),
                 tr("Open %1 again and reconstruct it").arg(entry.scan)});
    return;
  }
  report.result = entry.result;
  report.profile.candidates = charts_->data().candidates;
  report.profile.best = charts_->data().best;
  for (ChartFormat format : {ChartFormat::svg, ChartFormat::pdf}) {
    auto files = renderCharts(charts_->data(), format);
    report.charts.insert(report.charts.end(), files.begin(), files.end());
  }
  report.commandLine = commandLineFor(*report.scan, session_.overrides(), entry.result->options);
  session_.saveReport(report, folder);
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
