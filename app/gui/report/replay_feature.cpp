#include "app/gui/report/replay_feature.h"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>
#include <QMessageBox>
#include <QPushButton>

#include "app/gui/report/replay_dialog.h"
#include "engine/core/text.h"
#include "engine/profile/report/replay.h"
#include "engine/profile/report/report.h"
#include "engine/profile/results/record_file.h"
#include "engine/scan/read/read_scan.h"
#include "engine/scan/simulate/built_in_scans.h"

namespace spokelab {
namespace {

constexpr double readShare = 0.1;  // of the progress bar

}  // namespace

ReplayFeature::ReplayFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent),
      action_(makeAction(this, tr("Repea&t a report…"), "action-replay", Qt::CTRL | Qt::SHIFT | Qt::Key_E)) {
  connect(action_, &QAction::triggered, this, &ReplayFeature::chooseReport);
}

void ReplayFeature::chooseReport() {
  auto* dialog = dialogToOpen(views_.window, tr("Repeat a report"), "open-report", QString(),
                              tr("Reports (report.json *.json);;All files (*)"));
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) { replay(file); });
  dialog->open();
}

void ReplayFeature::replay(const QString& reportJson, const QString& scanFile) {
  session_.jobs().submit(
      JobKind::open, tr("Repeat %1").arg(QFileInfo(reportJson).fileName()),
      [this, &session = session_, reportJson, scanFile](const JobContext& context) -> JobQueue::Delivery {
        const Replay replay = readReplay(reportJson.toStdString(), context.progress);
        const QString file = scanFile.isEmpty() ? QString::fromStdString(replay.scan) : scanFile;
        const bool made = !replay.simulation.empty() && scanFile.isEmpty();
        if (!made && !isBuiltIn(file.toStdString()) && !QFileInfo::exists(file))
          return [this, reportJson, file] { askForScan(reportJson, file); };
        const auto scan = scanOf(replay, file.toStdString(), context.progress.part(0, readShare));
        const auto report = std::make_shared<const Report>(
            repeat(replay, scan, session.backends(), context.progress.part(readShare, 1)));
        return [this, file = made ? QString() : file, report] {
          session_.restoreScan({report->scan, file, report->reading.overrides,
                                file.isEmpty() ? report->simulation : std::map<std::string, std::string>(),
                                report->reading.separate});
          session_.deliver(report->scan, report->result);
          session_.setProfile(report->sweep, report->result->options.nufft.accuracy);
          showReplay(report);
        };
      },
      QString::fromStdString("spokelab report --replay " + shellWord(reportJson.toStdString()) +
                             " -o again"));
}

void ReplayFeature::askForScan(const QString& report, const QString& scan) {
  auto* box = new QMessageBox(QMessageBox::NoIcon, tr("Where is the scan?"),
                              tr("The report was made of %1, which is not there.").arg(scan),
                              QMessageBox::Cancel, views_.window);
  box->setObjectName(QStringLiteral("replay-scan-missing"));
  box->setAttribute(Qt::WA_DeleteOnClose);
  auto* find = box->addButton(tr("Find it…"), QMessageBox::AcceptRole);
  find->setObjectName(QStringLiteral("find-scan"));
  connect(find, &QPushButton::clicked, this, [this, report, scan] {
    auto* dialog = dialogToOpen(views_.window, tr("The scan %1").arg(QFileInfo(scan).fileName()),
                                "find-replay-scan", QFileInfo(report).absolutePath(), {});
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, report](const QString& file) { replay(report, file); });
    dialog->open();
  });
  box->open();
}

void ReplayFeature::showReplay(const std::shared_ptr<const Report>& report) {
  auto* dialog = new ReplayDialog(report, views_.window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &ReplayDialog::writeRequested, this, [this, report] { chooseFolder(report); });
  dialog->show();
}

void ReplayFeature::chooseFolder(const std::shared_ptr<const Report>& report) {
  auto* dialog = dialogToSave(views_.window, tr("Folder for the report"), "replay-folder",
                              QString::fromStdString(report->scan->name) + QStringLiteral("-replay"), {});
  dialog->setLabelText(QFileDialog::Accept, tr("Write"));
  connect(dialog, &QFileDialog::fileSelected, this,
          [this, report](const QString& folder) { Q_EMIT writeRequested(*report, folder); });
  dialog->open();
}

bool isReport(const std::filesystem::path& file) {
  return file.extension() == ".json" && kindOfRecord(file) == "report";
}

}  // namespace spokelab
