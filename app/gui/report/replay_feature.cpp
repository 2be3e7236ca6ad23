#include "app/gui/report/replay_feature.h"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>
#include <QMessageBox>
#include <QPushButton>

#include "app/gui/report/replay_dialog.h"
#include "engine/core/atomic_file.h"
#include "engine/core/text.h"
#include "engine/profile/report/replay.h"
#include "engine/profile/report/report.h"
#include "engine/profile/results/provenance.h"
#include "engine/profile/results/record_file.h"
#include "engine/profile/suite/study_replay.h"
#include "engine/scan/read/read_scan.h"
#include "engine/scan/simulate/built_in_scans.h"

namespace spokelab {
namespace {

constexpr double readShare = 0.1;  // of the progress bar
constexpr JobKind studyReplayJob{.name = "study-replay"}, pageJob{.name = "study-replay-page"};

}  // namespace

ReplayFeature::ReplayFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent),
      action_(makeAction(this, tr("Repea&t a report…"), "action-replay", Qt::CTRL | Qt::SHIFT | Qt::Key_E)) {
  connect(action_, &QAction::triggered, this, &ReplayFeature::chooseReport);
}

void ReplayFeature::chooseReport() {
  auto* dialog = dialogToOpen(views_.window, tr("Repeat a report"), "open-report", QString(),
                              tr("Reports, studies and suites (*.json);;All files (*)"));
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) { replay(file); });
  dialog->open();
}

void ReplayFeature::replay(const QString& reportJson, const QString& scanFile) {
  if (isStudyRecord(reportJson.toStdString())) return replayStudies(reportJson);
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
  auto* dialog = new ReplayDialog(*report->replay, views_.window);
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

void ReplayFeature::replayStudies(const QString& file) {
  const QString name = QFileInfo(file).fileName();
  session_.jobs().submit(
      studyReplayJob, tr("Repeat %1").arg(name),
      [this, &session = session_, file, name](const JobContext& context) -> JobQueue::Delivery {
        const StudyRecord record = readStudyRecord(file.toStdString(), context.progress.part(0, readShare));
        const std::vector<NufftBackend*> backends(session.backends().begin(), session.backends().end());
        const auto replay = std::make_shared<const StudyReplay>(
            repeatStudies(record, backends, context.progress.part(readShare, 1)));
        return [this, name, replay] {
          auto* dialog = new ReplayDialog(replay->comparison, views_.window);
          dialog->setAttribute(Qt::WA_DeleteOnClose);
          connect(dialog, &ReplayDialog::writeRequested, this,
                  [this, name, replay] { choosePage(tr("%1 repeated").arg(name), replay); });
          dialog->show();
        };
      },
      QString::fromStdString("spokelab study --replay " + shellWord(file.toStdString())));
}

void ReplayFeature::choosePage(const QString& title, const std::shared_ptr<const StudyReplay>& replay) {
  auto* dialog = dialogToSave(
      views_.window, tr("Report of the repeated studies"), "replay-page", QStringLiteral("replay.html"),
      drawPdf_ ? tr("Page (*.html);;PDF (*.pdf)") : tr("Page (*.html)"), QStringLiteral("html"));
  connect(dialog, &QFileDialog::fileSelected, this, [this, title, replay](const QString& chosen) {
    session_.jobs().submit(
        pageJob, title,
        [this, draw = drawPdf_, title = title.toStdString(), replay,
         file = std::filesystem::path(chosen.toStdString())](const JobContext&) -> JobQueue::Delivery {
          const nlohmann::json origin =
              provenance("spokelab study --replay " + shellWord(replay->comparison.of));
          const bool pdf = draw && file.extension() == ".pdf";
          requireTarget(file);
          writeFileAtomically(
              file, pdf ? draw(studyPageParts(replay->results, title, origin, &replay->comparison), title)
                        : studyPage(replay->results, title, origin, &replay->comparison));
          return [this, file] { Q_EMIT session_.saved(QString::fromStdString(file.string())); };
        });
  });
  dialog->open();
}

bool isReport(const std::filesystem::path& file) {
  return (file.extension() == ".json" && kindOfRecord(file) == "report") || isStudyRecord(file);
}

}  // namespace spokelab
