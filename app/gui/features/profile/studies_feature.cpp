#include "app/gui/features/profile/studies_feature.h"

#include <QAction>
#include <QDialog>
#include <QFileDialog>
#include <QMainWindow>
#include <QPointer>
#include <QVBoxLayout>

#include <nlohmann/json.hpp>

#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "engine/core/output/job_files.h"
#include "engine/profile/results/provenance.h"
#include "engine/profile/results/record_file.h"
#include "engine/profile/study/study_results.h"
#include "engine/profile/study/study_text.h"
#include "widgets/core/screen_size.h"
#include "widgets/profile/study_view.h"

namespace spokelab {
namespace {

const QString dialogName = QStringLiteral("studies");
constexpr JobKind reportJob{.name = "study's report"};
constexpr QSize initialStudiesSize{900, 760};

}  // namespace

StudiesFeature::StudiesFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent),
      action_(makeAction(this, tr("Studies of the &papers…"), "action-studies")) {
  connect(action_, &QAction::triggered, this, &StudiesFeature::show);
}

void StudiesFeature::show() {
  auto* dialog = views_.window->findChild<QDialog*>(dialogName);
  if (!dialog) {
    dialog = new QDialog(views_.window);
    dialog->setObjectName(dialogName);
    dialog->setWindowTitle(tr("Studies of the papers"));
    auto* view = new StudyView;
    (new QVBoxLayout(dialog))->addWidget(view);
    dialog->resize(sizeOnScreen(*dialog, initialStudiesSize));
    connect(view, &StudyView::runRequested, this, [this, view] { run(*view); });
    connect(&session_.jobs(), &JobQueue::jobChanged, view, [this, view](const JobState& state) {
      if (state.id == job_ && state.finished() && state.status != JobStatus::done && view->running())
        view->stop(tr("Stopped"));
    });
    connect(view, &StudyView::cancelRequested, this, [this] { session_.jobs().cancel(job_); });
    connect(view, &StudyView::exportRequested, this,
            [this, view](const QString& suffix) { save(*view, suffix); });
  }
  dialog->show();
  dialog->raise();
}

void StudiesFeature::run(StudyView& shown) {
  StudyRequest request;
  try {
    request = shown.request();
  } catch (const Error& error) {
    Q_EMIT session_.failed(failureOf(error));
    return;
  }
  const QPointer<StudyView> view(&shown);
  const int number = shown.start();
  job_ = session_.jobs().submit(
      job, tr("Study %1").arg(QString::fromStdString(request.study)),
      [&session = session_, view, request, number](const JobContext& context) -> JobQueue::Delivery {
        const std::vector<NufftBackend*> backends(session.backends().begin(), session.backends().end());
        // Rows are handed over on the window's thread, as they come.
        const auto seen = [&session, view, number](const StudyRow& row, const StudyAxes& axes) {
          QMetaObject::invokeMethod(
              &session,
              [view, row, axes, number] {
                if (view) view->addRow(number, row, axes);
              },
              Qt::QueuedConnection);
        };
        auto result =
            std::make_shared<const StudyResult>(runStudy(backends, request, context.progress, seen));
        return [view, result] {
          if (view) view->finish(*result);
        };
      },
      QString::fromStdString(studyCommand(request)));
}

void StudiesFeature::saveReport(const StudyView& view) {
  const std::string name = view.result().request.study;
  auto* dialog =
      dialogToSave(views_.window, tr("Save the study's report"), "save-study-report",
                   QString::fromStdString(name) + QStringLiteral(".html"),
                   drawPdf_ ? tr("Page (*.html);;PDF (*.pdf)") : tr("Page (*.html)"), QStringLiteral("html"));
  connect(dialog, &QFileDialog::fileSelected, this,
          [this, name, result = std::make_shared<const StudyResult>(view.result())](const QString& chosen) {
            const std::filesystem::path file = chosen.toStdString();
            session_.jobs().submit(
                reportJob, tr("Report of %1").arg(QString::fromStdString(name)),
                [this, draw = drawPdf_, name, result, file](const JobContext&) -> JobQueue::Delivery {
                  const std::string title = "Study " + name;
                  const nlohmann::json origin = provenance(studyCommand(result->request));
                  const bool pdf = draw && file.extension() == ".pdf";
                  requireTarget(file);
                  writeFileAtomically(file, pdf ? draw(studyPageParts({*result}, title, origin), title)
                                                : studyPage({*result}, title, origin));
                  return [this, file] { Q_EMIT session_.saved(QString::fromStdString(file.string())); };
                });
          });
  dialog->open();
}

void StudiesFeature::save(const StudyView& view, const QString& suffix) {
  if (suffix == QLatin1String("html")) return saveReport(view);
  const bool table = suffix == QLatin1String("csv");
  const std::string content =
      table ? toCsv(view.result())
            : recordText(recordOf(studyCommand(view.result().request), {{"study", toJson(view.result())}}));
  auto* dialog = dialogToSave(views_.window, tr("Export the study"), "",
                              QString::fromStdString(view.result().request.study) + QLatin1Char('.') + suffix,
                              table ? tr("Table (*.csv)") : tr("JSON (*.json)"), suffix);
  connect(dialog, &QFileDialog::fileSelected, this, [this, content](const QString& file) {
    try {
      writeFileAtomically(file.toStdString(), content);
    } catch (const Error& error) {
      Q_EMIT session_.failed(failureOf(error));
    }
  });
  dialog->open();
}

}  // namespace spokelab
