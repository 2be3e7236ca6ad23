#include "app/gui/features/study_actions.h"

#include <QDialog>
#include <QFileDialog>
#include <QPointer>
#include <QVBoxLayout>

#include <nlohmann/json.hpp>

#include "app/gui/window/main_window.h"
#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "engine/profile/results/results.h"
#include "engine/profile/study/study_results.h"
#include "widgets/profile/study_view.h"

namespace spokelab {
namespace {

const QString dialogName = QStringLiteral("studies");
constexpr QSize usualSize{900, 760};

void run(Session& session, const QPointer<StudyView>& view, int& job) {
  StudyRequest request;
  try {
    request = view->request();
  } catch (const Error& error) {
    Q_EMIT session.failed(failureOf(error));
    return;
  }
  const int number = view->start();
  job = session.jobs().submit(
      JobKind{.name = "study"}, StudyView::tr("Study %1").arg(QString::fromStdString(request.study)),
      [&session, view, request, number](const JobContext& context) -> JobQueue::Delivery {
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
      QStringLiteral("spokelab study %1").arg(QString::fromStdString(request.study)));
}

void save(MainWindow& window, const StudyView& view, const QString& suffix) {
  const std::string content = suffix == QLatin1String("csv")
                                  ? toCsv(view.result())
                                  : nlohmann::json{{"study", toJson(view.result())}}.dump(1) + "\n";
  auto* dialog = new QFileDialog(
      &window, StudyView::tr("Export the study"),
      QString::fromStdString(view.result().request.study) + QLatin1Char('.') + suffix,
      suffix == QLatin1String("csv") ? StudyView::tr("Table (*.csv)") : StudyView::tr("JSON (*.json)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(suffix);
  QObject::connect(dialog, &QFileDialog::fileSelected, &window, [&window, content](const QString& file) {
    try {
      writeFileAtomically(file.toStdString(), content);
    } catch (const Error& error) {
      Q_EMIT window.session().failed(failureOf(error));
    }
  });
  dialog->open();
}

}  // namespace

void showStudies(MainWindow& window) {
  auto* dialog = window.findChild<QDialog*>(dialogName);
  if (!dialog) {
    dialog = new QDialog(&window);
    dialog->setObjectName(dialogName);
    dialog->setWindowTitle(MainWindow::tr("Studies of the papers"));
    auto* view = new StudyView;
    (new QVBoxLayout(dialog))->addWidget(view);
    dialog->resize(usualSize);
    Session& session = window.session();
    const auto job = std::make_shared<int>(0);  // the study that runs, or ran last
    QObject::connect(view, &StudyView::runRequested, &session,
                     [&session, view, job] { run(session, QPointer<StudyView>(view), *job); });
    QObject::connect(&session.jobs(), &JobQueue::jobChanged, view, [view, job](const JobState& state) {
      if (state.id == *job && state.finished() && state.status != JobStatus::done && view->running())
        view->stop(StudyView::tr("Stopped"));
    });
    QObject::connect(view, &StudyView::cancelRequested, &session,
                     [&session, job] { session.jobs().cancel(*job); });
    QObject::connect(view, &StudyView::exportRequested, view,
                     [&window, view](const QString& suffix) { save(window, *view, suffix); });
  }
  dialog->show();
  dialog->raise();
}

}  // namespace spokelab
