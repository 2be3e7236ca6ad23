// A whole session of work writes nothing on standard error: no warning of Qt, VTK or another
// library, from the first start to the end of the second one. The program runs as a user runs it,
// in a separate process.
#include <QDockWidget>
#include <QMenu>
#include <QProcess>

#include <cstdio>

#include "app/gui/start/window_program.h"
#include "tests/app/gui/window/dialogs.h"
#include "widgets/image/compare/compare_view.h"
#include "widgets/image/image_panel.h"
#include "widgets/image/slice/slice_view.h"
#include "widgets/profile/charts/chart_panel.h"
#include "widgets/profile/explorer_view.h"

using namespace spokelab;

namespace {

constexpr const char* folderVariable = "SPOKELAB_TEST_QUIET_FOLDER";  // of the process that is watched
constexpr int childPatience = 4 * patience;                           // ms
constexpr int shortWait = 60, settleMs = 600, sweepMs = 1500;         // ms

// The actions of a user, in the order of the functions.
class User {
 public:
  explicit User(MainWindow& window) : window_(window) {}

  void firstStart() {
    step("first page");
    trigger("action-simulate");
    closeDialogs();
    window_.open(file("no such file.h5"));
    wait(settleMs);
    step("a scan is opened");
    window_.open(file("small.h5"));
    until([&] { return window_.views().history->model()->rowCount() == 1; });
    iterate();
    sweep();
    views();
    comparison();
    docks();
    files();
    step("all dialogs");
    forEachDialog(window_, [](const QAction&, QDialog&) {});
    step("an end");
    closeDialogs();
    window_.close();
  }

  void secondStart() {
    step("second start");
    wait(settleMs);
    window_.open(file("session.spokelab"));
    until([&] { return window_.views().image->image() != nullptr; });
    closeDialogs();
    window_.close();
  }

 private:
  static void step(const char* what) {
    std::puts(what);
    std::fflush(stdout);
  }
  static QString file(const char* name) {
    return qEnvironmentVariable(folderVariable) + QLatin1Char('/') + QString::fromUtf8(name);
  }
  void wait(int ms) { QTest::qWait(ms); }
  template <class Done>
  void until(Done done) {
    if (!QTest::qWaitFor([&] { return done() && !window_.session().jobs().busy(); }, patience)) {
      step("it takes too long");
      std::_Exit(3);
    }
    wait(settleMs);
  }
  void trigger(const char* name) {
    auto* action = window_.findChild<QAction*>(QString::fromUtf8(name));
    if (!action) {
      std::printf("there is no %s\n", name);
      std::_Exit(3);
    }
    action->trigger();
    wait(shortWait);
  }
  void closeDialogs() {
    for (auto* dialog : window_.findChildren<QDialog*>())
      if (dialog->isVisible()) dialog->reject();
    wait(shortWait);
  }

  void iterate() {
    step("iterations");
    ReconOptions options;
    options.nufft.accuracy = 1e-2;
    setOption(options, "method", "sense");
    setOption(options, "regularization", "tv");
    setOption(options, "iterations", "4");
    window_.views().parameters->setOptions(options);
    trigger("action-reconstruct");
    until([&] { return window_.views().history->model()->rowCount() == 2; });
    window_.features().iterations->loadMaps();
    until([] { return true; });
    setOption(options, "method", "gridding");
    window_.views().parameters->setOptions(options);
  }

  void sweep() {
    step("a sweep");
    trigger("action-sweep");
    wait(sweepMs);
    window_.session().jobs().cancelAll();
    until([] { return true; });
    for (int quantity = 0; quantity < 4; ++quantity) {
      for (auto* box : {"explorerShow", "explorerRows"})
        window_.findChild<QComboBox*>(QString::fromLatin1(box))->setCurrentIndex(quantity);
      wait(shortWait);
    }
    for (auto* chart : window_.findChildren<Chart*>()) {
      const QPoint centre = chart->rect().center();
      QTest::mouseMove(chart, centre);
      QContextMenuEvent menu(QContextMenuEvent::Mouse, centre, chart->mapToGlobal(centre));
      QCoreApplication::sendEvent(chart, &menu);
      for (auto* open : chart->findChildren<QMenu*>()) {
        for (QAction* action : open->actions())
          if (action->objectName().startsWith(QStringLiteral("copy-"))) action->trigger();
        open->close();
      }
      for (const auto key : {Qt::Key_Plus, Qt::Key_Right, Qt::Key_0}) QTest::keyClick(chart, key);
    }
  }

  void views() {
    step("views");
    SliceView& slice = *window_.views().image->sliceView(Plane::axial);
    slice.setFocus();
    for (const auto key :
         {Qt::Key_O, Qt::Key_L, Qt::Key_B, Qt::Key_P, Qt::Key_R, Qt::Key_I, Qt::Key_C, Qt::Key_M,
          Qt::Key_Plus, Qt::Key_PageUp, Qt::Key_Left, Qt::Key_0, Qt::Key_Space, Qt::Key_Space})
      QTest::keyClick(&slice, key);
    for (const auto mode : {VolumeMode::opacity, VolumeMode::surface, VolumeMode::maximum}) {
      VolumeStyle style;
      style.mode = mode;
      window_.views().image->setVolumeStyle(style);
      wait(settleMs);
    }
  }

  void comparison() {
    step("a comparison");
    window_.features().compare->setComparing(true);
    until([&] { return window_.views().comparison->difference() != nullptr; });
    for (const auto key : {Qt::Key_W, Qt::Key_F, Qt::Key_S, Qt::Key_G}) {
      QTest::keyClick(window_.views().comparison, key);
      wait(shortWait);
    }
    window_.features().compare->setComparing(false);
  }

  void docks() {
    step("docks, layouts and themes");
    for (auto* dock : window_.findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly)) {
      dock->show();
      dock->raise();
      wait(shortWait);
      dock->setFloating(true);
      wait(shortWait);
      dock->setFloating(false);
    }
    for (const char* layout : {"layout-reconstruct", "layout-profile", "layout-compare", "layout-default"})
      trigger(layout);
    for (const char* theme : {"theme-light", "theme-high-contrast", "theme-dark"}) {
      trigger(theme);
      wait(settleMs);
    }
    trigger("maps-dusk");
    window_.showFullScreen();
    wait(settleMs);
    window_.showNormal();
    window_.resize(window_.minimumSizeHint());
    wait(settleMs);
    window_.resize(1280, 720);
    wait(settleMs);
  }

  void files() {
    step("files");
    const HistoryEntry& newest = *window_.views().history->model()->newest();
    window_.features().results->saveImage(newest, file("image.nii.gz").toStdString());
    window_.features().report->write(newest, file("report").toStdString());
    window_.features().timeline->saveTrace(file("trace.json"));
    window_.features().workspace->saveTo(file("session.spokelab"));
    until(
        [&] { return QFile::exists(file("session.spokelab")) && QFile::exists(file("report/report.html")); });
    window_.open(file("image.nii.gz"));
    until([&] { return window_.views().history->model()->rowCount() > 2; });
    window_.features().undo->undoAction()->trigger();
    window_.features().undo->redoAction()->trigger();
    QContextMenuEvent menu(QContextMenuEvent::Mouse, {20, 20},
                           window_.views().history->mapToGlobal(QPoint(20, 20)));
    QCoreApplication::sendEvent(window_.views().history, &menu);
    wait(shortWait);
    if (QWidget* popup = QApplication::activePopupWidget()) popup->close();
  }

  MainWindow& window_;
};

// Runs once the program's event loop does.
void work() {
  QTimer::singleShot(settleMs, qApp, [] {
    for (QWidget* widget : QApplication::topLevelWidgets())
      if (auto* window = qobject_cast<MainWindow*>(widget)) {
        User user(*window);
        return QFile::exists(qEnvironmentVariable(folderVariable) + QStringLiteral("/session.spokelab"))
                   ? user.secondStart()
                   : user.firstStart();
      }
  });
}

}  // namespace

class TestQuietSession : public QObject {
  Q_OBJECT

  const QTemporaryDir folder_;

  // lastStep: the program prints it before it ends.
  void runProgram(const char* lastStep) {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    const QString home = folder_.filePath(QStringLiteral("home"));
    QVERIFY(QDir().mkpath(home));
    environment.insert(QStringLiteral("HOME"), home);
    for (const char* variable : {"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"})
      environment.remove(QString::fromLatin1(variable));
    environment.insert(QString::fromLatin1(folderVariable), folder_.path());
    QProcess program;
    program.setProcessEnvironment(environment);
    program.start(QCoreApplication::applicationFilePath(), {QStringLiteral("quiet_session")});
    QVERIFY(program.waitForFinished(childPatience));
    const QByteArray steps = program.readAllStandardOutput(), said = program.readAllStandardError();
    QVERIFY2(said.isEmpty(), said + "\nin the session:\n" + steps);
    QVERIFY2(program.exitStatus() == QProcess::NormalExit && program.exitCode() == 0, steps);
    QVERIFY2(steps.trimmed().endsWith(lastStep), steps);
  }

 private Q_SLOTS:
  void initTestCase() { smallScan(folder_); }
  void aSessionWritesNothingOnStandardError() {
    runProgram("an end");
    QVERIFY(QFile::exists(folder_.filePath(QStringLiteral("session.spokelab"))));
  }
  void norDoesTheNextStart() { runProgram("second start"); }
};

static int runQuietSession(int argc, char** argv) {
  if (!qEnvironmentVariableIsSet(folderVariable))
    return test::runTestIn<TestQuietSession, QCoreApplication>(argc, argv);
  qputenv("SPOKELAB_CUDA_MODULE", "none");
  qAddPreRoutine(&work);
  return runWindow(argc, argv);
}

SPOKELAB_TEST_RUN(&runQuietSession)
#include "test_quiet_session.moc"
