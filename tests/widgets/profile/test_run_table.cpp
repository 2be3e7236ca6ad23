// Runs as a table: every run, sorted, filtered, and compared with a pinned row.
#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>

#include "engine/nufft/tune/repeats.h"
#include "tests/test_main.h"
#include "tests/widgets/profile/sample_candidates.h"
#include "widgets/profile/runs/run_table.h"
#include "widgets/profile/runs/run_table_model.h"

namespace test_run_table {

using namespace spokelab;

namespace {

using Model = RunTableModel;

Candidate timedPlan(double alpha, double seconds) {
  Candidate plan = sampleCandidate(alpha, 5);
  const double factor = seconds / plan.timings.total;
  for (const Stage stage : {Stage::spread, Stage::fft, Stage::zero}) plan.timings[stage] *= factor;
  plan.timings.total = seconds;
  plan.seconds = 0;
  plan.runs.clear();
  for (int i = 0; i < 12; ++i) plan.runs.push_back(seconds * (1 + 0.001 * i));
  plan.repeats = int(plan.runs.size());
  return plan;
}

TimedRun run(int number, const std::string& name, std::vector<Candidate> plans, int best) {
  TimedRun made;
  made.number = number;
  made.name = name;
  auto timed = std::make_shared<TuneResult>();
  timed->candidates = std::move(plans);
  timed->best = best;
  timed->workload.direction = Direction::adjoint;
  made.timed = timed;
  return made;
}

std::vector<TimedRun> runs() {
  TimedRun other = run(3, "normal", {timedPlan(1.5, 0.001)}, 0);
  auto timed = std::make_shared<TuneResult>(*other.timed);
  timed->workload.direction = Direction::normal;
  other.timed = timed;
  TimedRun live;
  live.number = 4;
  live.name = "runs still";
  return {run(1, "first", {timedPlan(1.25, 0.010), timedPlan(2, 0.004)}, 0),
          run(2, "second", {timedPlan(1.5, 0.005)}, -1), other, live};
}

QStringList column(const RunTable& table, int column) {
  QStringList texts;
  for (int row = 0; row < table.table()->model()->rowCount(); ++row)
    texts << table.table()->model()->index(row, column).data().toString();
  return texts;
}

}  // namespace

class TestRunTable : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aRowIsTheChoiceOfARunOrEachPlan() {
    RunTable table;
    table.setRuns(runs());
    QCOMPARE(column(table, Model::runColumn),
             (QStringList{QStringLiteral("first"), QStringLiteral("second"), QStringLiteral("normal")}));
    QCOMPARE(column(table, Model::alphaColumn).first(), QStringLiteral("1.25"));  // chosen, not fastest
    table.findChild<QCheckBox*>(QStringLiteral("everyPlan"))->setChecked(true);
    QCOMPARE(table.table()->model()->rowCount(), 4);
  }

  void numbersAreSortedAsNumbers() {
    RunTable table;
    table.setRuns(runs());
    table.table()->sortByColumn(Model::timeColumn, Qt::AscendingOrder);
    QCOMPARE(column(table, Model::timeColumn),
             (QStringList{QStringLiteral("1.00 ms"), QStringLiteral("5.00 ms"), QStringLiteral("10.0 ms")}));
    table.table()->sortByColumn(Model::timeColumn, Qt::DescendingOrder);
    QCOMPARE(column(table, Model::runColumn).first(), QStringLiteral("first"));
  }

  void everyWordOfTheFilterIsWanted() {
    RunTable table;
    table.setRuns(runs());
    auto* filter = table.findChild<QLineEdit*>(QStringLiteral("runFilter"));
    filter->setText(QStringLiteral("ADJOINT"));
    QCOMPARE(table.table()->model()->rowCount(), 2);
    filter->setText(QStringLiteral("adjoint 1.25"));
    QCOMPARE(column(table, Model::runColumn), QStringList{QStringLiteral("first")});
    filter->setText(QStringLiteral("nothing"));
    QCOMPARE(table.table()->model()->rowCount(), 0);
  }

  void aPinnedRowIsWhatAllAreComparedWith() {
    RunTable table;
    table.setRuns(runs());
    Model& model = *table.model();
    QVERIFY(!model.ratio(1));
    table.table()->setCurrentIndex(table.table()->model()->index(0, 0));
    table.findChild<QAction*>(QStringLiteral("run-pin"))->trigger();
    QCOMPARE(model.pinned(), 0);
    const auto ratio = model.ratio(1);
    QVERIFY(ratio && std::abs(ratio->ratio - 0.5) < 0.01);
    QVERIFY(ratio->low > 0.45 && ratio->high < 0.55 && ratio->low <= ratio->ratio);
    QVERIFY(!model.ratio(2));  // of another workload
    QVERIFY(column(table, Model::ratioColumn)[1].startsWith(QStringLiteral("0.5 (")));
    // It stays pinned when runs are added.
    std::vector<TimedRun> more = runs();
    more.insert(more.begin(), run(9, "earlier", {timedPlan(1.5, 0.02)}, 0));
    table.setRuns(more);
    QCOMPARE(model.pinned(), 1);
    QCOMPARE(model.run(1).number, 1);
    more.erase(more.begin() + 1);
    table.setRuns(more);
    QCOMPARE(model.pinned(), -1);
  }

  void aRunIsChosenAndTheTableCopied() {
    RunTable table;
    table.setRuns(runs());
    table.table()->sortByColumn(Model::timeColumn, Qt::AscendingOrder);
    QSignalSpy chosen(&table, &RunTable::runChosen);
    table.table()->setCurrentIndex(table.table()->model()->index(1, 0));
    Q_EMIT table.table()->activated(table.table()->currentIndex());
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen.front().front().toInt(), 2);
    const QStringList lines = table.model()->csv().split(QLatin1Char('\n'));
    QCOMPARE(lines.size(), 5);  // with the end
    QCOMPARE(lines[1].split(QLatin1Char(','))[0], QStringLiteral("\"first\""));
    QVERIFY2(lines[1].contains(QStringLiteral(",0.01,")), qPrintable(lines[1]));
  }
};

SPOKELAB_GUI_TEST(TestRunTable)

}  // namespace test_run_table

#include "test_run_table.moc"
