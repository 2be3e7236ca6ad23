// The item models behind the lists keep the rules of Qt's models while their content changes.
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QListView>
#include <QSignalSpy>
#include <QtTest>

#include "tests/test_main.h"
#include "widgets/recon/history_list.h"
#include "widgets/recon/jobs/job_list.h"
#include "widgets/recon/parameters/plan_model.h"
#include "widgets/recon/parameters/plan_view.h"
#include "widgets/recon/row_delegate.h"
#include "widgets/recon/scan/decision_model.h"
#include "widgets/recon/scan/scan_panel.h"

namespace test_models {

using namespace spokelab;

namespace {

constexpr auto strict = QAbstractItemModelTester::FailureReportingMode::QtTest;

std::shared_ptr<Scan> sampleScan(const std::string& path) {
  auto scan = std::make_shared<Scan>();
  scan->name = "scan.h5";
  scan->path = path;
  scan->geometry.matrix = {64, 64, 1};
  scan->trajectories.push_back({});
  scan->decisions = {{"k-unit", "cycles/FOV", "max |k| = 31.5", {"radians/pixel"}, false},
                     {"matrix", "64x64", "the header", {}, true}};
  return scan;
}

std::shared_ptr<Reconstruction> sampleResult() {
  auto result = std::make_shared<Reconstruction>();
  result->image = std::make_shared<Image>();
  result->plan.backend = "cpu";
  result->plan.options.alpha = 1.25;
  result->plan.options.width = 5.5;
  result->plan.description = "cpu blocked";
  result->plan.error.relativeL2 = 7e-4;
  result->plan.memory = 1000000;
  result->timings[Stage::spread] = 0.02;
  result->timings[Stage::fft] = 0.01;
  result->timings.total = 0.04;
  result->seconds = 0.1;
  return result;
}

QString planText(const PlanModel& model) {
  QString text;
  for (int row = 0; row < model.rowCount(); ++row) {
    text += model.index(row, 0).data().toString() + QLatin1Char('=') + model.index(row, 1).data().toString() +
            QLatin1Char('\n');
  }
  return text;
}

}  // namespace

class TestModels : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void decisionsFollowTheScan() {
    DecisionModel model;
    const QAbstractItemModelTester tester(&model, strict);
    model.setScan(sampleScan("/data/scan.h5"));
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.index(0).data(ValueRole).toString(), QStringLiteral("cycles/FOV"));
    QVERIFY(model.index(1).data(MarkRole).isValid());  // the user's own choice
    model.setScan(nullptr);
    QCOMPARE(model.rowCount(), 0);
  }

  void editingADecisionAsksForAnOverrideAndChangesNothingItself() {
    DecisionModel model;
    const QAbstractItemModelTester tester(&model, strict);
    model.setScan(sampleScan("/data/scan.h5"));
    QSignalSpy spy(&model, &DecisionModel::overrideRequested);
    QVERIFY(model.setData(model.index(0), QStringLiteral("radians/pixel"), Qt::EditRole));
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy.front().at(0).toString(), QStringLiteral("k-unit"));
    QCOMPARE(spy.front().at(1).toString(), QStringLiteral("radians/pixel"));
    QCOMPARE(model.index(0).data(ValueRole).toString(), QStringLiteral("cycles/FOV"));
    QVERIFY(!model.setData(model.index(0), QStringLiteral("cycles/FOV"), Qt::EditRole));  // no change
    QCOMPARE(spy.count(), 1);
  }

  void aScanThatWasNotReadCannotBeReadAnew() {
    DecisionModel model;
    model.setScan(sampleScan({}));
    QVERIFY(!(model.index(0).flags() & Qt::ItemIsEditable));
  }

  // A decision without another choice offers none: "acquisitions" only informs.
  void aDecisionWithoutAnotherChoiceCannotBeEdited() {
    ScanPanel panel;
    panel.setChoices({{QStringLiteral("k-unit"), {QStringLiteral("1/m")}}, {QStringLiteral("matrix"), {}}});
    auto scan = sampleScan("/data/scan.h5");
    scan->decisions.push_back({"acquisitions", "15 of 16 acquisitions", "left out: 1 noise", {}, false});
    panel.setScan(scan);
    const DecisionModel& model = *panel.model();
    QVERIFY(model.index(0).flags() & Qt::ItemIsEditable);
    QVERIFY(model.index(0).data(AlternativesRole).toStringList().contains(QStringLiteral("1/m")));
    QVERIFY(model.index(1).flags() & Qt::ItemIsEditable);  // free text
    QVERIFY(!(model.index(2).flags() & Qt::ItemIsEditable));
    QVERIFY(!model.index(2).data(EditableRole).toBool());
  }

  // The focus on the list is not yet a wish to edit.
  void keysInTheListOfDecisionsOpenNoEditor() {
    ScanPanel panel;
    panel.setChoices({{QStringLiteral("k-unit"), {QStringLiteral("1/m")}}, {QStringLiteral("matrix"), {}}});
    panel.setScan(sampleScan("/data/scan.h5"));
    panel.resize(300, 400);
    panel.show();
    QApplication::setActiveWindow(&panel);
    QListView& list = *panel.list();
    list.setFocus();
    list.setCurrentIndex(panel.model()->index(0));
    QTest::keyClicks(&list, QStringLiteral("256"));
    QVERIFY(!list.findChild<QComboBox*>());
    const QRect row = list.visualRect(panel.model()->index(1));
    QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, row.center());
    QVERIFY(list.findChild<QComboBox*>());  // a click does
  }

  void jobsComeNewestFirstAndOldOnesGo() {
    JobModel model;
    const QAbstractItemModelTester tester(&model, strict);
    constexpr int count = 50;
    for (int id = 1; id <= count; ++id) {
      model.update({.id = id, .title = QStringLiteral("job"), .what = {}, .status = JobStatus::running});
      model.update({.id = id, .title = QStringLiteral("job"), .what = {}, .status = JobStatus::done});
    }
    QVERIFY(model.rowCount() < count);
    QCOMPARE(model.index(0).data(JobIdRole).toInt(), count);
    QVERIFY(model.index(0).data(ButtonRole).toString().isEmpty());  // nothing left to cancel
  }

  void timeLeftFollowsFromWhatIsDone() {
    JobState job{
        .id = 1, .title = {}, .what = {}, .status = JobStatus::running, .fraction = 0.25, .seconds = 2};
    QCOMPARE(secondsLeft(job), 6.0);
    job.fraction = 0.001;
    QVERIFY(secondsLeft(job) < 0);  // too early to say
    job.status = JobStatus::done;
    QVERIFY(secondsLeft(job) < 0);
  }

  void theButtonOfAJobCancelsIt() {
    JobList list;
    list.resize(300, 200);
    list.update({.id = 7,
                 .title = QStringLiteral("Sweep"),
                 .what = QStringLiteral("α 1.25"),
                 .status = JobStatus::running,
                 .fraction = 0.5,
                 .seconds = 1});
    list.show();
    QCoreApplication::processEvents();
    QSignalSpy spy(&list, &JobList::cancelRequested);
    auto* delegate = qobject_cast<RowDelegate*>(list.list()->itemDelegate());
    const QModelIndex index = list.model()->index(0);
    const QRect button = delegate->buttonRect(list.list()->visualRect(index), index);
    QVERIFY(!button.isEmpty());
    QTest::mouseClick(list.list()->viewport(), Qt::LeftButton, {}, button.center());
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy.front().front().toInt(), 7);
  }

  void historyKeepsWhatIsShownAndCompared() {
    HistoryModel model;
    const QAbstractItemModelTester tester(&model, strict);
    model.add({1, QStringLiteral("scan"), sampleResult()});
    model.setReference(1);
    constexpr int count = 30;
    for (int id = 2; id <= count; ++id) {
      model.add({id, QStringLiteral("scan"), sampleResult()});
      model.setShown(id);
    }
    QVERIFY(model.rowCount() < count);
    QVERIFY(model.find(1));
    QVERIFY(model.find(count));
    model.setDifference(2.5e-3);
    QVERIFY(model.index(0).data(SmallPrintRole).toString().contains(QStringLiteral("2.5e-03")));
  }

  void theTimesOfAPlanShowWhatIsUnaccounted() {
    PlanModel model;
    const QAbstractItemModelTester tester(&model, strict);
    model.setResult(sampleResult());
    const QString text = planText(model);
    QVERIFY(text.contains(QStringLiteral("spread=20.0 ms  50 %")));
    QVERIFY(text.contains(QStringLiteral("fft=10.0 ms  25 %")));
    QVERIFY(text.contains(QStringLiteral("unaccounted=10.0 ms  25 %")));
    QVERIFY(text.contains(QStringLiteral("Predicted=7.0e-04")));
    QVERIFY(text.contains(QStringLiteral("Memory=1.00 MB")));
    model.setResult(nullptr);
    QCOMPARE(model.rowCount(), 0);
  }

  // Iterations with exact sums: nothing is predicted, no grid is used, and the time is the
  // iterations'.
  void aPlanSaysWhatWasNotPredicted() {
    auto result = sampleResult();
    result->plan.error = {};
    result->iterations.push_back({});
    result->timings = {};
    result->timings.total = 2;
    PlanModel model;
    model.setResult(result);
    const QString exact = planText(model);
    QVERIFY2(exact.contains(QStringLiteral("Predicted=not predicted")), qPrintable(exact));
    for (const char* absent : {"0.0e+00", "unaccounted", "Grid=", "α="})
      QVERIFY2(!exact.contains(QString::fromUtf8(absent)), qPrintable(exact));
    QVERIFY(exact.contains(QStringLiteral("iterations=2.00 s  100 %")));
    // The transforms inside, where the plan knows their stages.
    result->plan.grid = {80, 80, 1};
    result->timings[Stage::fft] = 1.5;
    model.setResult(result);
    const QString stages = planText(model);
    QVERIFY2(stages.contains(QStringLiteral("fft=1.50 s  75 %")), qPrintable(stages));
    QVERIFY(stages.contains(QStringLiteral("rest of the iterations=500 ms  25 %")));
    QVERIFY(stages.contains(QStringLiteral("Grid=80 × 80")));
    QVERIFY(!stages.contains(QStringLiteral("an iteration")));  // they are not told apart
    IterationParts parts;
    parts[IterationPart::fft] = 0.3;
    parts[IterationPart::maps] = 0.1;
    result->iterations.back().parts = {parts, parts};
    model.setResult(result);
    const QString each = planText(model);
    QVERIFY2(each.contains(QStringLiteral("an iteration, mean of 2=400 ms")), qPrintable(each));
    QVERIFY(each.contains(QStringLiteral("maps=100 ms  25 %")));
    QVERIFY(!each.contains(QStringLiteral("regularizer")));
    QVERIFY(each.contains(QStringLiteral("    FFT=300 ms")) && each.contains(QStringLiteral("fft=1.50 s")));
    // A fused multiply is named.
    result->timings.multiplyInFft = true;
    for (IterationParts& p : result->iterations.back().parts) p.multiplyInFft = true;
    model.setResult(result);
    const QString fused = planText(model);
    QVERIFY2(fused.contains(QStringLiteral("    FFT and multiply=300 ms")), qPrintable(fused));
    QVERIFY(fused.contains(QStringLiteral("fft and multiply=1.50 s")));
  }

  void aLongPlanFitsItsView() {
    PlanView view;
    view.resize(260, 300);
    auto result = sampleResult();
    auto tuning = std::make_shared<TuneResult>();
    tuning->reason = std::string(400, 'x');
    for (std::size_t i = 20; i < tuning->reason.size(); i += 20) tuning->reason[i] = ' ';
    result->tuning = tuning;
    view.setResult(result);
    view.show();
    QCoreApplication::processEvents();
    QCOMPARE(view.columnWidth(0) + view.columnWidth(1), view.viewport()->width());
    int tallest = 0;
    for (int row = 0; row < view.planModel()->rowCount(); ++row)
      tallest = std::max(tallest, view.rowHeight(row));
    QVERIFY(tallest > 4 * QFontMetrics(view.font()).height());  // the long text is wrapped, not cut
  }

  // Seen before: "Oversamplin", cut at the column's end.
  void noWordOfAPlansNamesIsCut() {
    PlanView view;
    view.resize(230, 300);
    view.setResult(sampleResult());
    view.show();
    QCoreApplication::processEvents();
    const QFontMetrics metrics(view.font());
    int words = 0;
    for (int row = 0; row < view.planModel()->rowCount(); ++row)
      for (const QString& word : view.planModel()->index(row, 0).data().toString().split(QLatin1Char(' '))) {
        if (view.planModel()->index(row, 0).data(HeadingRole).toBool()) continue;
        QVERIFY2(metrics.horizontalAdvance(word) <= view.columnWidth(0), qPrintable(word));
        ++words;
      }
    QVERIFY(words > 4);
    QCOMPARE(view.columnWidth(0) + view.columnWidth(1), view.viewport()->width());
  }

  void warningsAndSizesOfAScanAreShown() {
    ScanPanel panel;
    auto scan = sampleScan("/data/scan.h5");
    scan->warnings = {"the noise scan is empty"};
    panel.setScan(scan);
    panel.show();
    bool found = false;
    for (const auto* label : panel.findChildren<QLabel*>()) {
      found = found || (label->isVisible() && label->text().contains(QStringLiteral("noise scan")));
    }
    QVERIFY(found);
    QVERIFY(scanSummary(*scan).contains(QStringLiteral("64 × 64")));
  }
};

SPOKELAB_GUI_TEST(TestModels)

}  // namespace test_models

#include "test_models.moc"
