// Where keys and the wheel go: single keys act in the views, a box keeps what is typed into it, and
// the wheel scrolls. Menu entries of docks bring them up.
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QListView>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <QWheelEvent>

#include "tests/app/gui/workbench.h"
#include "widgets/image/display/measurement.h"
#include "widgets/image/image_panel.h"
#include "widgets/image/slice/slice_view.h"
#include "widgets/recon/parameters/option_editor.h"
#include "widgets/recon/scan/scan_panel.h"

namespace test_focus {

using namespace spokelab;

namespace {

void activate(Workbench& bench) {
  QApplication::setActiveWindow(&bench.window);
  QCoreApplication::processEvents();
}

QAction& action(Workbench& bench, const char* name) {
  auto* found = bench.window.findChild<QAction*>(QString::fromUtf8(name));
  if (!found) qFatal("there is no %s", name);
  return *found;
}

}  // namespace

class TestFocus : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void atFirstTheKeysBelongToTheFirstPage() {
    Workbench bench;
    activate(bench);
    QWidget* focus = QApplication::focusWidget();
    QVERIFY2(focus && focus->objectName() == QStringLiteral("start-action-open"),
             focus ? qPrintable(focus->objectName()) : "nothing");
    QTest::keyClick(focus, Qt::Key_O);  // a view's key
    QCOMPARE(bench.window.views().measurement->tool(), SliceTool::cursor);
  }

  void aScanThatIsOpenedGivesTheKeysToItsViews() {
    const QTemporaryDir folder;
    Workbench bench;
    activate(bench);
    auto* box = bench.window.views().parameters->editor("lambda")->findChild<QLineEdit*>();
    box->setFocus();
    QVERIFY(box->hasFocus());
    action(bench, "action-open").trigger();
    auto* dialog = bench.window.findChild<QFileDialog*>();
    QVERIFY(dialog);
    const QString file = smallScan(folder);
    Q_EMIT dialog->fileSelected(file);
    dialog->close();
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 1, patience);
    activate(bench);
    QWidget* focus = QApplication::focusWidget();
    QVERIFY2(qobject_cast<SliceView*>(focus), focus ? qPrintable(focus->objectName()) : "nothing");
    // Nor does the list of decisions take what is typed for an edit.
    QListView& list = *bench.window.views().scan->list();
    list.setFocus();
    QTest::keyClicks(&list, QStringLiteral("12"));
    QVERIFY(!list.findChild<QComboBox*>());
  }

  void theSheetOfKeysNeedsAView() {
    Workbench bench;
    const QAction& keys = action(bench, "action-keys");
    QCOMPARE(keys.shortcutContext(), Qt::WidgetWithChildrenShortcut);
    const auto of = [&](const QWidget* widget) {
      return widget->actions().contains(&action(bench, "action-keys"));
    };
    QVERIFY(of(bench.window.centralWidget()));
    QVERIFY(of(bench.window.dock(QStringLiteral("trajectory"))));
    QVERIFY(!of(bench.window.dock(QStringLiteral("parameters"))));
  }

  void theWheelOverTheParametersChangesNone() {
    Workbench bench;
    activate(bench);
    ParameterPanel& panel = *bench.window.views().parameters;
    auto* box = panel.editor("prewhiten")->findChild<QComboBox*>();
    auto* area = panel.findChild<QScrollArea*>();
    panel.reveal("prewhiten");
    QTRY_VERIFY_WITH_TIMEOUT(box->isVisible() && area->verticalScrollBar()->maximum() > 0, patience);
    area->verticalScrollBar()->setValue(area->verticalScrollBar()->maximum());
    bench.window.views().image->takeFocus();
    const int before = area->verticalScrollBar()->value();
    const QPointF at = QPointF(box->rect().center());
    QWheelEvent event(at, box->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                      false);
    QSpontaneKeyEvent::setSpontaneous(&event);
    qApp->notify(box, &event);
    QCOMPARE(optionValue(panel.options(), "prewhiten"), std::string("auto"));
    QCOMPARE(box->currentIndex(), box->findData(QStringLiteral("auto")));
    QVERIFY(area->verticalScrollBar()->value() < before);
  }

  // An entry of the menu View brings a tab to the front; only one that is in front is hidden.
  void theMenuRaisesATabThatIsBehind() {
    Workbench bench;
    QDockWidget& explorer = *bench.window.dock(QStringLiteral("explorer-dock"));
    QTRY_VERIFY_WITH_TIMEOUT(explorer.visibleRegion().isEmpty(), patience);
    QAction& entry = action(bench, "show-explorer-dock");
    QVERIFY(entry.isChecked());
    entry.trigger();
    QTRY_VERIFY_WITH_TIMEOUT(!explorer.visibleRegion().isEmpty(), patience);
    QVERIFY(entry.isChecked());
    entry.trigger();
    QVERIFY(explorer.isHidden() && !entry.isChecked());
    entry.trigger();
    QTRY_VERIFY_WITH_TIMEOUT(!explorer.visibleRegion().isEmpty(), patience);
    QVERIFY(entry.isChecked());
  }

  // A dock's key never takes away what the user looks for: it brings it up, gives it the keys, and only then hides it.
  void aDocksKeyGivesItTheKeysFirst() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    activate(bench);
    for (const char* name : {"parameters", "explorer-dock", "results"}) {
      bench.window.views().image->takeFocus();
      QDockWidget& dock = *bench.window.dock(QString::fromLatin1(name));
      QAction& entry = action(bench, (QByteArray("show-") + name).constData());
      const QKeySequence key = entry.shortcut();
      const auto press = [&] {
        QTest::keySequence(&bench.window, key);
        QTest::qWait(50);
      };
      press();
      QVERIFY2(!dock.visibleRegion().isEmpty(), name);
      QVERIFY2(dock.isAncestorOf(QApplication::focusWidget()),
               qPrintable(QApplication::focusWidget()->objectName()));
      QVERIFY2(entry.isChecked(), name);
      press();
      QVERIFY2(dock.isHidden() && !entry.isChecked(), name);
      press();
      QVERIFY2(!dock.visibleRegion().isEmpty(), name);
      QVERIFY2(dock.isAncestorOf(QApplication::focusWidget()),
               qPrintable(QApplication::focusWidget()->objectName()));
    }
  }

  void emptyViewsSayWhatTheyWaitFor() {
    const QTemporaryDir folder;
    Workbench bench;
    const SliceView& view = *bench.window.views().image->sliceView(Plane::axial);
    QVERIFY(view.emptyText().contains(QStringLiteral("Open a scan")));
    bench.window.open(smallScan(folder));
    QVERIFY2(view.emptyText().contains(QStringLiteral("Opening")), qPrintable(view.emptyText()));
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 1, patience);
  }

  // Neither a blank centre nor 0 % for as long as it takes.
  void whileTheDemoIsMadeItsProgressIsTold() {
    Workbench bench;
    const SliceView& view = *bench.window.views().image->sliceView(Plane::axial);
    QSet<int> told;  // percent
    bool said = true;
    connect(&bench.session.jobs(), &JobQueue::jobChanged, this, [&](const JobState& state) {
      if (bench.session.scan() || state.status != JobStatus::running) return;
      told << int(100 * state.fraction);
      said = said && view.emptyText().contains(QStringLiteral("Opening"));
    });
    QElapsedTimer taken;
    taken.start();
    action(bench, "action-demo").trigger();
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.scan(), patience);
    QVERIFY(said);
    // The queue hands over ten times a second; a fast machine makes the demo between two of them.
    constexpr int handOversMs = 300;
    QVERIFY2(told.size() > 1 || taken.elapsed() < handOversMs, qPrintable(QString::number(told.size())));
    bench.session.jobs().cancelAll();
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
  }

  void aSimulatedScanBringsItsFieldMap() {
    Workbench bench;
    SimulateOptions options;
    options.trajectory.pattern = Pattern::spiral2d;
    options.trajectory.matrix = {32, 32, 1};
    options.trajectory.shots = 4;
    options.trajectory.dwellSeconds = 4e-5;
    options.offResonance = {FieldShape::head, 100};
    bench.window.features().scan->simulate(options, false);
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 1, patience);
    ReconOptions sense;
    setOption(sense, "method", "sense");
    setOption(sense, "transform", "gdft");
    bench.window.views().parameters->setOptions(sense);
    bench.window.features().reconstruct->run();
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 2, patience);
    const auto& notes = bench.results().newest()->result->notes;
    QVERIFY(std::any_of(notes.begin(), notes.end(),
                        [](const std::string& note) { return note.find("field map ") == 0; }));
  }
};

SPOKELAB_WINDOW_TEST(TestFocus)

}  // namespace test_focus

#include "test_focus.moc"
