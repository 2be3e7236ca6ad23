// The list of parameters in the window: found by a key, files browsed for and dropped, groups that
// stay open, and the full height.
#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QSettings>
#include <QToolButton>

#include "engine/recon/run/tune_scan.h"
#include "tests/app/gui/workbench.h"
#include "widgets/recon/parameters/option_editor.h"
#include "widgets/recon/parameters/plan_model.h"
#include "widgets/recon/parameters/plan_view.h"

namespace test_parameter_list {

using namespace spokelab;

class TestParameterList : public QObject {
  Q_OBJECT

  QTemporaryDir settings_;

 private Q_SLOTS:
  void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings_.path()); }
  void init() { QSettings().clear(); }

  void aKeyBringsUpTheSearch() {
    Workbench bench;
    QApplication::setActiveWindow(&bench.window);
    bench.window.resize(1600, 1000);
    QTest::qWait(600);  // longer than a layout takes to settle
    bench.window.dock(QStringLiteral("plan"))->raise();
    const ParameterPanel& panel = *bench.window.views().parameters;  // behind a tab it is "visible", too
    QTRY_VERIFY_WITH_TIMEOUT(panel.visibleRegion().isEmpty(), patience);
    QTest::keyClick(&bench.window, Qt::Key_F, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(!panel.visibleRegion().isEmpty(), patience);
    QVERIFY(bench.window.views().parameters->searchLine()->hasFocus());
  }

  void aFileIsBrowsedFor() {
    Workbench bench;
    ParameterPanel& panel = *bench.window.views().parameters;
    panel.findChild<QToolButton*>(QStringLiteral("browse-coil-maps"))->click();
    auto* dialog = bench.window.findChild<QFileDialog*>(QStringLiteral("map-file"));
    QVERIFY(dialog);
    Q_EMIT dialog->fileSelected(QStringLiteral("/data/maps.nii"));
    dialog->close();
    QCOMPARE(panel.options().iterative.coilMaps, std::string("/data/maps.nii"));
    QVERIFY(bench.window.features().undo->undoAction()->isEnabled());
  }

  void aMapThatIsDroppedIsNoScan() {
    Workbench bench;
    ParameterPanel& panel = *bench.window.views().parameters;
    drop(*panel.editor("field-map"), QStringLiteral("/data/field.nii"));
    QCOMPARE(panel.options().iterative.fieldMap, std::string("/data/field.nii"));
    QVERIFY(!bench.session.jobs().busy());
  }

  // The same words as the command line's `reconstruct --dry-run`.
  void planSaysWhatTheNextReconstructionWouldDo() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    const PlanModel& model = *bench.window.views().plan->planModel();
    const auto valueOf = [&model](const QString& name) {
      for (int row = 0; row < model.rowCount(); ++row)
        if (model.index(row, 0).data().toString() == name) return model.index(row, 1).data().toString();
      return QString();
    };
    QTRY_COMPARE_WITH_TIMEOUT(valueOf(QStringLiteral("Recipe")), QStringLiteral("gridding"), patience);
    ReconOptions options = bench.window.views().parameters->options();
    setOption(options, "method", "sense");
    bench.window.views().parameters->setOptions(options);
    QTRY_COMPARE_WITH_TIMEOUT(valueOf(QStringLiteral("Recipe")), QStringLiteral("SENSE"), patience);
    QVERIFY(valueOf(QStringLiteral("Normal operator")).contains(QStringLiteral("Σ_c")));
    QVERIFY(!valueOf(QStringLiteral("Memory")).isEmpty());
  }

  // The same numbers as the command line's `tune --estimate`.
  void anExhaustiveSearchSaysWhatItWouldTake() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    ParameterPanel& panel = *bench.window.views().parameters;
    QVERIFY(!panel.findChild<QLabel*>(QStringLiteral("note-effort")));
    ReconOptions options = panel.options();
    options.nufft.alpha = options.nufft.width = 0;
    options.effort = TuneEffort::exhaustive;
    panel.setOptions(options);
    panel.reveal("effort");
    QTRY_VERIFY_WITH_TIMEOUT(panel.findChild<QLabel*>(QStringLiteral("note-effort")), patience);
    const QLabel& note = *panel.findChild<QLabel*>(QStringLiteral("note-effort"));
    QVERIFY(note.isVisible());
    const ScanProblem problem = scanProblem(*bench.session.scan(), options);
    const TuneEstimate estimate = estimateTuneOfScan(
        backendsFor(bench.session.backends(), options.backend, options.devices), *bench.session.scan(),
        planJob(*bench.session.scan(), options), tuneRequest(problem, options), nullptr, {});
    QVERIFY2(note.text().startsWith(QStringLiteral("To time: %1 plans, about ").arg(estimate.plans)),
             qPrintable(note.text()));
    keepPicture(panel, "effort");
    panel.searchLine()->setText(QStringLiteral("coil"));
    QVERIFY(!note.isVisible());
    panel.searchLine()->clear();
    QVERIFY(note.isVisible());

    options.exact = true;
    panel.setOptions(options);
    QTRY_VERIFY_WITH_TIMEOUT(note.text().contains(QStringLiteral("leave no choice")), patience);
    options.effort = TuneEffort::measure;
    panel.setOptions(options);
    QTRY_VERIFY_WITH_TIMEOUT(!note.isVisible(), patience);
  }

  // Bold is what differs from its default, also where a row wakes up or the theme changes.
  void whatDiffersIsBoldAndNothingElse() {
    Workbench bench;
    ParameterPanel& panel = *bench.window.views().parameters;
    const auto wrong = [&panel] {
      const ReconOptions defaults;
      QStringList names;
      for (const auto* label : panel.findChildren<QLabel*>()) {
        const auto* editor = qobject_cast<const OptionEditor*>(label->buddy());
        if (!editor) continue;
        const bool differs = editor->value().toStdString() != optionValue(defaults, editor->spec().name);
        if (label->font().bold() != differs)
          names << label->text() + (differs ? QStringLiteral(" differs") : QStringLiteral(" is bold"));
      }
      return names.join(QStringLiteral(", "));
    };
    QCOMPARE(wrong(), QString());
    ReconOptions options;
    for (const auto& [name, value] : {std::pair{"method", "sense"}, {"field-map", "field.nii"}})
      setOption(options, name, value);  // wakes lambda and iterations, too
    panel.setOptions(options);
    QCOMPARE(wrong(), QString());
    applyTheme(*qApp, ScreenTheme::light);
    QCOMPARE(wrong(), QString());
    panel.setOptions({});
    QCOMPARE(wrong(), QString());
    applyTheme(*qApp, ScreenTheme::dark);
    QCOMPARE(wrong(), QString());
  }

  // A scan of slices has no volume to divide; one of a volume has, unless what is asked for takes it whole.
  void slabsAreGreyWithTheReasonWhereAScanHasNone() {
    Workbench bench;
    ParameterPanel& panel = *bench.window.views().parameters;
    const OptionEditor& slabs = *panel.editor("slabs");
    const auto reason = [&] {
      return slabs.focusProxy()->property("idle").toBool() ? slabs.toolTip().section(QLatin1Char('.'), 0, 0)
                                                           : QString();
    };
    QCOMPARE(reason(), QString());  // there is no scan
    SimulateOptions flat, deep;
    flat.trajectory.matrix = {32, 32, 1};
    deep.trajectory.pattern = Pattern::goldenRadial3d;
    deep.trajectory.matrix = {16, 16, 16};
    deep.trajectory.samplesPerShot = 16;
    deep.trajectory.shots = 50;
    bench.session.setScan({simulate(flat, {}), {}, {}, {}});
    QVERIFY2(reason().contains(QStringLiteral("two dimensions")), qPrintable(reason()));
    bench.session.setScan({simulate(deep, {}), {}, {}, {}});
    QCOMPARE(reason(), QString());
    ReconOptions whole;
    setOption(whole, "method", "pcsense");
    panel.setOptions(whole);
    QVERIFY2(reason().contains(QStringLiteral("pcSENSE")), qPrintable(reason()));
    panel.setOptions({});
    QCOMPARE(reason(), QString());
  }

  void openGroupsStayOpen() {
    for (int start = 0; start < 2; ++start) {
      Backends backends;
      Session session{backends.all()};
      MainWindow window{session, backends.badges(), true};
      window.show();
      ParameterPanel& panel = *window.views().parameters;
      QCOMPARE(panel.editor("bins")->isVisible(), start == 1);
      if (start == 0) panel.findChild<QToolButton*>(QStringLiteral("group-Plan"))->click();
    }
  }

  void thePlanIsATabBesideAndTheHeightIsTheirs() {
    Workbench bench;
    bench.window.resize(1600, 1000);
    QTest::qWait(600);  // longer than a layout takes to settle
    QDockWidget& parameters = *bench.window.dock(QStringLiteral("parameters"));
    QVERIFY(
        bench.window.tabifiedDockWidgets(&parameters).contains(bench.window.dock(QStringLiteral("plan"))));
    QVERIFY2(parameters.height() > bench.window.centralWidget()->height(),
             qPrintable(QString::number(parameters.height())));
  }
};

SPOKELAB_WINDOW_TEST(TestParameterList)

}  // namespace test_parameter_list

#include "test_parameter_list.moc"
