// The Sweep dialog: it says how many plans its choice is and how long they take, refuses what cannot be
// swept, and sweeps what it says. The trace of a reconstruction goes into a file.
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>

#include <set>

#include <nlohmann/json.hpp>

#include "app/gui/features/profile/sweep_dialog.h"
#include "tests/app/gui/command_line_run.h"
#include "tests/app/gui/workbench.h"
#include "widgets/profile/charts/chart_panel.h"

namespace test_sweep_dialog {

using namespace spokelab;

namespace {

SweepDialog* openDialog(Workbench& bench) {
  bench.window.findChild<QAction*>(QStringLiteral("action-sweep-dialog"))->trigger();
  return bench.window.findChild<SweepDialog*>();
}

template <class Widget>
Widget& child(QObject& dialog, const char* name) {
  auto* found = dialog.findChild<Widget*>(QString::fromUtf8(name));
  if (!found) qFatal("there is no %s", name);
  return *found;
}

void chooseRange(SweepDialog& dialog, const char* name, double from, double to, double step) {
  const QString prefix = QString::fromUtf8(name);
  child<QDoubleSpinBox>(dialog, qPrintable(prefix + "From")).setValue(from);
  child<QDoubleSpinBox>(dialog, qPrintable(prefix + "To")).setValue(to);
  child<QDoubleSpinBox>(dialog, qPrintable(prefix + "Step")).setValue(step);
  QComboBox& choice = child<QComboBox>(dialog, qPrintable(prefix + "s"));
  choice.setCurrentIndex(choice.count() - 1);
}

}  // namespace

class TestSweepDialog : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void itSweepsWhatItSays() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    QPointer<SweepDialog> dialog = openDialog(bench);
    QVERIFY(dialog);
    QSignalSpy estimated(dialog, &SweepDialog::estimated);
    QTRY_VERIFY_WITH_TIMEOUT(estimated.count() > 0, patience);
    chooseRange(*dialog, "sweepAlpha", 1.5, 2, 0.25);
    chooseRange(*dialog, "sweepWidth", 3, 4, 1);
    child<QSpinBox>(*dialog, "sweepRepeats").setValue(3);
    child<QComboBox>(*dialog, "sweepDirection").setCurrentIndex(2);  // adjoint
    child<QDoubleSpinBox>(*dialog, "sweepAccuracy").setValue(5e-3);
    child<QCheckBox>(*dialog, "sweepErrors").setChecked(false);
    estimated.clear();
    QTRY_VERIFY_WITH_TIMEOUT(estimated.count() > 0, patience);
    const QString text = child<QLabel>(*dialog, "sweepEstimate").text();
    QVERIFY2(text.startsWith(QStringLiteral("6 plans, about ")), qPrintable(text));
    keepPicture(*dialog, "sweep-dialog");
    QStringList commands;
    connect(&bench.session.jobs(), &JobQueue::jobChanged, this,
            [&](const JobState& state) { commands << state.command; });
    QSignalSpy ready(&bench.session, &Session::profileReady);
    child<QPushButton>(*dialog, "sweepRun").click();
    QTRY_COMPARE_WITH_TIMEOUT(ready.count(), 1, patience);
    QTRY_VERIFY_WITH_TIMEOUT(!dialog, patience);
    const ProfileData& data = bench.window.views().charts->data();
    QCOMPARE(data.candidates.size(), std::size_t(6));
    QCOMPARE(data.accuracy, 5e-3);
    QCOMPARE(data.workload->direction, Direction::adjoint);
    for (const Candidate& c : data.candidates) {
      QCOMPARE(int(c.runs.size()), 3);
      QVERIFY(!c.measuredError);
    }
    QVERIFY(data.load.processors > 0);
    const QString command = commands.last();
    for (const char* part : {"--alphas 1.5,1.75,2", "--widths 3,4", "--trials 3", "--direction adjoint"})
      QVERIFY2(command.contains(QString::fromUtf8(part)), qPrintable(command));
    QVERIFY(!command.contains(QStringLiteral("--measure-error")));
  }

  void whatCannotBeSweptIsRefusedThere() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    SweepDialog* dialog = openDialog(bench);
    QSignalSpy estimated(dialog, &SweepDialog::estimated);
    chooseRange(*dialog, "sweepAlpha", 2, 1.5, 0.25);
    QTRY_VERIFY_WITH_TIMEOUT(estimated.count() > 0, patience);
    QVERIFY(!child<QPushButton>(*dialog, "sweepRun").isEnabled());
    QVERIFY(!child<QLabel>(*dialog, "sweepEstimate").text().isEmpty());
    estimated.clear();
    chooseRange(*dialog, "sweepAlpha", 1.5, 2, 0.25);
    QTRY_VERIFY_WITH_TIMEOUT(estimated.count() > 0, patience);
    QVERIFY(child<QPushButton>(*dialog, "sweepRun").isEnabled());
  }

  void anotherScanClosesIt() {
    const QTemporaryDir folder;
    Workbench bench;
    QVERIFY(!bench.window.findChild<QAction*>(QStringLiteral("action-sweep-dialog"))->isEnabled());
    openSmall(bench, folder);
    QPointer<SweepDialog> dialog = openDialog(bench);
    QVERIFY(dialog);
    bench.window.open(smallScan(folder));
    QTRY_VERIFY_WITH_TIMEOUT(!dialog, patience);
  }

  void theTraceOfAReconstructionIsExported() {
    const QTemporaryDir folder;
    Workbench bench;
    auto* action = bench.window.findChild<QAction*>(QStringLiteral("action-trace"));
    QVERIFY(action && !action->isEnabled());
    ReconOptions options;
    options.nufft.accuracy = 1e-2;
    options.iterative.method = ReconMethod::sense;
    openSmall(bench, folder, options);
    QVERIFY(action->isEnabled());
    QSignalSpy saved(&bench.session, &Session::saved);
    const QString file = folder.filePath(QStringLiteral("trace.json"));
    bench.window.features().timeline->saveTrace(file);
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, patience);
    const nlohmann::json trace = parsed(file);
    std::set<std::string> names;
    for (const nlohmann::json& e : trace.at("traceEvents")) names.insert(e.at("name").get<std::string>());
    for (const char* name : {"iterations", "iteration 1", "maps", "tune"})
      QVERIFY2(names.contains(name), name);
    // The open scan is not written over.
    QSignalSpy failed(&bench.session, &Session::failed);
    bench.window.features().timeline->saveTrace(smallScan(folder));
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, patience);
  }
};

SPOKELAB_WINDOW_TEST(TestSweepDialog)

}  // namespace test_sweep_dialog

#include "test_sweep_dialog.moc"
