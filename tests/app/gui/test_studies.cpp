// Studies of the papers in the window: run, shown as they come, stopped, exported.
#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/app/gui/workbench.h"
#include "widgets/profile/study_chart.h"
#include "widgets/profile/study_view.h"

namespace test_studies {

using namespace spokelab;

namespace {

StudyView& openStudies(MainWindow& window) {
  auto* action = window.findChild<QAction*>(QStringLiteral("action-studies"));
  if (!action) qFatal("there is no such action");
  action->trigger();
  return *window.findChild<StudyView*>();
}

StudyRequest small(const char* name) {
  StudyRequest request;
  request.study = name;
  request.sizes = {16};
  request.patterns = {"random", "radial3d"};
  return request;
}

void press(StudyView& view) {
  view.findChild<QPushButton*>(QStringLiteral("study-run"))->click();
}

}  // namespace

class TestStudies : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aStudyIsRunShownAndExported() {
    Workbench bench;
    StudyView& view = openStudies(bench.window);
    view.setRequest(small("row-deviations"));
    press(view);
    QTRY_VERIFY_WITH_TIMEOUT(!view.running() && view.result().rows.size() == 4, patience);
    QCOMPARE(view.table()->rowCount(), 4);
    QCOMPARE(view.panels()->count(), 1);
    QCOMPARE(view.chart()->lines(), 2);
    QVERIFY(view.chart()->positionOf(0) != QPoint());
    QVERIFY(view.chart()->detailsOf(0).contains(QStringLiteral("random")));
    QTemporaryDir folder;
    for (const char* suffix : {"csv", "json"}) {
      const QString file = folder.filePath(QStringLiteral("study.%1").arg(QLatin1String(suffix)));
      Q_EMIT view.exportRequested(QLatin1String(suffix));
      auto* dialog = bench.window.findChild<QFileDialog*>();
      QVERIFY(dialog);
      Q_EMIT dialog->fileSelected(file);
      dialog->close();
      QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
      QFile written(file);
      QVERIFY(written.open(QIODevice::ReadOnly));
      const QByteArray content = written.readAll();
      if (QLatin1String(suffix) == QLatin1String("csv"))
        QCOMPARE(content.count('\n'), 5);
      else
        QCOMPARE(nlohmann::json::parse(content.toStdString())["study"]["rows"].size(), std::size_t(4));
    }
    for (const char* suffix : {"html", "pdf"}) {
      const QString file = folder.filePath(QStringLiteral("report.%1").arg(QLatin1String(suffix)));
      view.findChild<QPushButton*>(QStringLiteral("study-report"))->click();
      auto* dialog = bench.window.findChild<QFileDialog*>();
      QVERIFY(dialog);
      Q_EMIT dialog->fileSelected(file);
      dialog->close();
      QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
      QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
      QFile written(file);
      QVERIFY(written.open(QIODevice::ReadOnly));
      const QByteArray content = written.readAll();
      if (file.endsWith(QLatin1String("html")))
        QVERIFY(content.contains("<svg") && content.contains("Study row-deviations") &&
                content.contains("random"));
      else
        QVERIFY(content.startsWith("%PDF") && content.size() > 10'000);
    }
  }

  // gnufftw Fig. 3 as the paper has it: nothing is asked for.
  void aFigureAtThePapersSizeIsDrawn() {
    Workbench bench;
    StudyView& view = openStudies(bench.window);
    StudyRequest request;
    request.study = "aliasing";
    view.setRequest(request);
    press(view);
    QTRY_VERIFY_WITH_TIMEOUT(!view.running() && !view.result().rows.empty(), patience);
    QCOMPARE(view.panels()->currentText(), QStringLiteral("N 128"));
    QCOMPARE(view.chart()->lines(), 6);
    for (const StudyRow& row : view.result().rows) QCOMPARE(row.c.size, 128);
    QCOMPARE(view.table()->rowCount(), int(view.result().rows.size()));
    keepPicture(*bench.window.findChild<QDialog*>(QStringLiteral("studies")), "studies");
  }

  void panelsAreChosen() {
    Workbench bench;
    StudyView& view = openStudies(bench.window);
    view.setRequest(small("row-lengths"));
    press(view);
    QTRY_VERIFY_WITH_TIMEOUT(!view.running() && !view.result().rows.empty(), patience);
    QCOMPARE(view.panels()->count(), 2);
    view.panels()->setCurrentIndex(1);
    QCOMPARE(view.chart()->lines(), 2);
    for (std::size_t i = 0; i < view.result().rows.size(); ++i) {
      const bool shown = view.chart()->positionOf(int(i)) != QPoint();
      QCOMPARE(shown, view.result().rows[i].panel == view.panels()->currentText().toStdString());
    }
  }

  void aLongStudyIsStopped() {
    Workbench bench;
    StudyView& view = openStudies(bench.window);
    StudyRequest request = small("alpha");
    request.sizes = {32};
    request.accelerations = {1, 2, 3, 4, 5, 6, 7, 8};
    request.accuracies = {1e-2, 1e-3, 1e-4};
    view.setRequest(request);
    press(view);
    QVERIFY(view.running());
    QTRY_VERIFY_WITH_TIMEOUT(!view.result().rows.empty(), patience);
    press(view);
    QTRY_VERIFY_WITH_TIMEOUT(!view.running(), patience);
    QVERIFY(view.result().cancelled);
    QVERIFY(!bench.session.jobs().busy(StudiesFeature::job));
  }

  void whatIsNoNumberIsRefused() {
    Workbench bench;
    StudyView& view = openStudies(bench.window);
    view.findChild<QLineEdit*>(QStringLiteral("study-sizes"))->setText(QStringLiteral("12, many"));
    QSignalSpy failed(&bench.session, &Session::failed);
    press(view);
    QCOMPARE(failed.size(), 1);
    QVERIFY(!view.running());
  }

  void thePaperIsShownWhereAFieldIsEmpty() {
    Workbench bench;
    StudyView& view = openStudies(bench.window);
    view.setRequest(small("alpha"));
    QCOMPARE(view.findChild<QLineEdit*>(QStringLiteral("study-sizes"))->placeholderText(),
             QStringLiteral("158"));
    QVERIFY(view.request().accuracies.empty());
    const auto differs = std::find_if(studies().begin(), studies().end(), [](const StudyInfo& info) {
                           return info.name == "alpha";
                         })->differs;
    QVERIFY(view.findChild<QLabel*>(QStringLiteral("study-comparison"))
                ->text()
                .contains(QString::fromStdString(differs)));
    view.setRequest(small("partitions"));
    QCOMPARE(view.findChild<QLineEdit*>(QStringLiteral("study-accelerations"))->placeholderText(),
             StudyView::tr("the paper's for each size"));
  }
};

SPOKELAB_WINDOW_TEST(TestStudies)

}  // namespace test_studies

#include "test_studies.moc"
