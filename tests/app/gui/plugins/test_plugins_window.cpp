// Plug-ins in the window: named in the tool bar, swept beside our plans, used where they are chosen;
// ones that crash or hang are refused, and the window lives on.
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QToolButton>

#include "tests/app/gui/workbench.h"
#include "widgets/profile/charts/chart_panel.h"
#include "widgets/profile/charts/plan_map.h"
#include "widgets/profile/explorer_view.h"
#include "widgets/recon/parameters/option_editor.h"

using namespace spokelab;

namespace {

const QString built = QStringLiteral(SPOKELAB_BINARY_DIR "/tests/plugins/");

// Plug-ins of these names, each in a separate folder.
void usePlugins(const QStringList& names) {
  QStringList folders;
  for (const QString& name : names) folders << built + name;
  qputenv("SPOKELAB_PLUGINS", folders.join(QLatin1Char(':')).toLocal8Bit());
  qputenv("SPOKELAB_PLUGIN_SECONDS", "2");
}

QString tinyScan(const QTemporaryDir& folder) {
  SimulateOptions options;
  options.trajectory.matrix = {12, 12, 1};
  options.coils = 2;
  const QString file = folder.filePath(QStringLiteral("tiny.h5"));
  writeScan(*simulate(options, {}), file.toStdString(), {});
  return file;
}

// Opens it, and waits for its reconstruction.
void openTiny(Workbench& bench, const QTemporaryDir& folder) {
  ReconOptions options;
  options.nufft.threads = 1;
  bench.window.views().parameters->setOptions(options);
  bench.window.open(tinyScan(folder));
  QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 1, patience);
  QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
}

class TestPluginsWindow : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void cleanup() {
    qputenv("SPOKELAB_PLUGINS", "none");
    qunsetenv("SPOKELAB_PLUGIN_SECONDS");
  }

  void withoutPluginsThereIsNoBadge() {
    Workbench bench;
    QVERIFY(!bench.window.findChild<QLabel*>(QStringLiteral("plugins")));
  }

  void theToolBarNamesThem() {
    usePlugins({"exact-sum", "noise", "other-abi", "crashes-early"});
    Workbench bench;
    auto* badge = bench.window.findChild<QLabel*>(QStringLiteral("plugins"));
    QVERIFY(badge);
    QCOMPARE(badge->text(), QStringLiteral("2 plug-ins, 2 refused"));
    QVERIFY2(badge->toolTip().contains(QStringLiteral("exact-sum: Plug-in exact-sum 1.0, MIT, ")),
             qPrintable(badge->toolTip()));
    QVERIFY(badge->toolTip().contains(QStringLiteral("it crashed in the step 'describe'")));
    QVERIFY(badge->toolTip().contains(QStringLiteral("version 99 of the plug-in interface")));
  }

  void aSweepShowsThemAndTheWindowLives() {
    const QTemporaryDir folder;
    usePlugins({"exact-sum", "aborts", "loops", "noise"});
    Workbench bench;
    openTiny(bench, folder);
    bench.window.dock(QStringLiteral("explorer-dock"))->raise();
    ExplorerView& view = *bench.window.views().explorer;
    QTest::mouseClick(view.findChild<QToolButton*>(QStringLiteral("explorerSweep")), Qt::LeftButton, {},
                      QPoint(8, 8));
    QVERIFY(bench.session.jobs().busy(JobKind::sweep));
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
    QTRY_VERIFY_WITH_TIMEOUT(view.map()->data().best >= 0, patience);
    // The charts hand on what they show once they have drawn it.
    const auto& charts = *bench.window.views().charts;
    QTRY_COMPARE_WITH_TIMEOUT(view.map()->data().candidates.size(), charts.data().candidates.size(),
                              patience);
    const ProfileData& data = view.map()->data();
    QMap<QString, const Candidate*> plugins;
    for (const Candidate& c : data.candidates)
      if (c.backend != "cpu") plugins[QString::fromStdString(c.backend)] = &c;
    QCOMPARE(plugins.size(), 4);
    QVERIFY(plugins["exact-sum"]->timed() && plugins["exact-sum"]->refused.empty());
    QVERIFY(plugins["exact-sum"]->measuredError.value_or(1) < 1e-5);
    for (const char* name : {"aborts", "loops", "noise"}) QVERIFY2(!plugins[name]->refused.empty(), name);
    QVERIFY(planParts(data, PlanRows::implementation).contains(QStringLiteral("exact-sum")));
    keepPicture(bench.window, "plugins-window");
  }

  void theListOfBackendsHasIt() {
    const QTemporaryDir folder;
    usePlugins({"exact-sum", "aborts"});
    Workbench bench;
    openTiny(bench, folder);
    OptionEditor* backend = bench.window.views().parameters->editor("backend");
    QVERIFY(backend->findChild<QComboBox*>()->findData(QStringLiteral("exact-sum")) > 0);
    ReconOptions options = bench.window.views().parameters->options();
    options.backend = "exact-sum";
    bench.window.views().parameters->setOptions(options);
    QCOMPARE(backend->value(), QStringLiteral("exact-sum"));
    bench.window.findChild<QAction*>(QStringLiteral("action-reconstruct"))->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(bench.results().rowCount() == 2 && !bench.session.jobs().busy(), patience);
    QCOMPARE(bench.results().entries().front().result->plan.backend, std::string("exact-sum"));
    // One that crashes costs a message.
    options.backend = "aborts";
    bench.window.views().parameters->setOptions(options);
    bench.window.findChild<QAction*>(QStringLiteral("action-reconstruct"))->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
    QCOMPARE(bench.results().rowCount(), 2);
    options.backend = "cpu";
    bench.window.views().parameters->setOptions(options);
    bench.window.findChild<QAction*>(QStringLiteral("action-reconstruct"))->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(bench.results().rowCount() == 3 && !bench.session.jobs().busy(), patience);
  }
};

}  // namespace

SPOKELAB_GUI_TEST(TestPluginsWindow)
#include "test_plugins_window.moc"
