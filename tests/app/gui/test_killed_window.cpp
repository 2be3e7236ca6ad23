// The window itself, killed at random moments while it autosaves, saves, tunes and sweeps: its
// sessions and its wisdom stay readable, what it told as saved is there, and what changed 10 s
// before the kill is not lost. In a campaign a fifth of the kills come at the program's own pace.
#include <unistd.h>

#include <QProcess>

#include <cmath>
#include <cstdio>

#include "app/gui/document/workspace.h"
#include "engine/core/error.h"
#include "engine/core/stage_timer.h"
#include "engine/profile/session/saved_session.h"
#include "tests/app/cli/killed_runs.h"
#include "tests/app/gui/workbench.h"
#include "tests/campaign.h"
#include "widgets/image/image_panel.h"

using namespace spokelab;
namespace fs = std::filesystem;

namespace {

constexpr const char* childFolder = "SPOKELAB_KILLED_CHILD";
constexpr const char* childPace = "SPOKELAB_KILLED_PACE";
constexpr int killsInShort = 5, quickPace = 200;  // ms
constexpr int mostLost = 10'000;                  // ms, at the program's own pace

double clockMs() {
  return 1e3 * now();
}

void tell(const char* what, int mark) {
  std::printf("%s %d %.1f\n", what, mark, clockMs());
  std::fflush(stdout);
}

// The process that is killed: the window, and a user who never rests. Each change has a mark, which
// the window keeps as the level of its grey window; it is told once it is made, or once it is
// saved.
int busyWindow(int argc, char** argv) {
  const QString folder = qEnvironmentVariable(childFolder);
  QStandardPaths::setTestModeEnabled(true);
  VolumeView::prepareApplication();
  QApplication application(argc, argv);
  applyTheme(application);
  Backends backends;
  Session session(backends.all(), fs::path(folder.toStdString()) / "wisdom.json");
  MainWindow window(session, backends.badges(), false);
  window.show();
  window.features().workspace->keepIn(fs::path(folder.toStdString()) / "autosave",
                                      qEnvironmentVariableIntValue(childPace));
  ReconOptions options;
  options.nufft.threads = 1;
  options.nufft.accuracy = 1e-2;
  window.views().parameters->setOptions(options);
  int mark = 0, saving = 0, results = 0;
  const QString file = folder + QStringLiteral("/study.spokelab");
  QObject::connect(window.features().workspace, &Workspace::saved, &window, [&] {
    tell("saved", saving);
    saving = 0;
  });
  QObject::connect(&session, &Session::failed, &window, [](const Failure& failure) {
    std::fprintf(stderr, "%s: %s\n", qPrintable(failure.summary), qPrintable(failure.reason));
    std::_Exit(1);
  });
  QObject::connect(&session, &Session::resultReady, &window,
                   [&](const HistoryEntry&) { tell("result", ++results); });
  QTimer step;
  QObject::connect(&step, &QTimer::timeout, &window, [&] {
    if (results == 0) return;
    window.views().image->setWindow({double(++mark), 1});
    tell("mark", mark);
    constexpr int saveEvery = 5, reconstructEvery = 11, sweepEvery = 29;
    if (mark % saveEvery == 0 && saving == 0) {
      saving = mark;
      window.features().workspace->saveTo(file);
    }
    if (mark % reconstructEvery == 0) {
      options.nufft.accuracy = 1e-2 + 1e-6 * (clockMs() - 1e3 * std::floor(clockMs() / 1e3));
      window.views().parameters->setOptions(options);
      window.features().reconstruct->run();
    }
    if (mark % sweepEvery == 0) window.features().explorer->sweep();
  });
  constexpr int stepMs = 30;
  step.start(stepMs);
  window.open(folder + QStringLiteral("/small.h5"));
  return QApplication::exec();
}

// Messages of the process before the kill.
struct Told {
  int marks = 0, results = 0, saved = 0;
  std::vector<std::pair<double, int>> changes;  // when, mark

  explicit Told(const QByteArray& output) {
    for (const QByteArray& line : output.split('\n')) {
      const QList<QByteArray> words = line.split(' ');
      if (words.size() != 3) continue;
      const int number = words[1].toInt();
      if (words[0] == "saved") saved = number;
      if (words[0] == "result") results = number;
      if (words[0] != "mark") continue;
      marks = number;
      changes.emplace_back(words[2].toDouble(), number);
    }
  }
  int markAt(double time) const {
    int mark = 0;
    for (const auto& [when, number] : changes)
      if (when <= time) mark = number;
    return mark;
  }
  double timeOf(int mark) const {
    for (const auto& [when, number] : changes)
      if (number == mark) return when;
    return 0;
  }
};

int markOf(const LoadedSession& loaded) {
  return int(std::lround(
      QString::fromStdString(loaded.session.view.at("image/windows")).split(' ').value(0).toDouble()));
}

}  // namespace

class TestKilledWindow : public QObject, test::KilledRuns {
  Q_OBJECT
  int readable_ = 0, saves_ = 0, temporaries_ = 0, imagesToCome_ = 0;
  double lost_ = 0;  // ms, the most

  // Kills it after some time, from its first result on; gives what it had told.
  Told killAfter(int pace, int longestMs, double& when) {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QString::fromLatin1(childFolder), folder_.path());
    environment.insert(QString::fromLatin1(childPace), QString::number(pace));
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    process.setProcessEnvironment(environment);
    process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    process.start(QCoreApplication::applicationFilePath(), {QStringLiteral("killed_window")});
    QByteArray output;
    while (!output.contains("result 1") && process.waitForReadyRead(patience))
      output += process.readAllStandardOutput();
    ::usleep(useconds_t(upTo(longestMs) * 1000));
    if (upTo(1) == 0)  // while something is written
      awaitChanges(test::FolderWatch(root()), 6, pace, 3000);
    when = clockMs();
    process.kill();
    process.waitForFinished(patience);
    output += process.readAllStandardOutput();
    if (process.exitStatus() != QProcess::CrashExit) qFatal("the window ended by itself");
    return Told(output);
  }

  void checkAutosave(const Told& told, int pace, double when) {
    const double allowed = mostLost - Workspace::autosaveMs + pace;
    const std::vector<AutosaveSlot> left = AutosaveSlot::abandoned(at("autosave"));
    if (left.empty()) {  // killed before the first one was due
      const double first = told.timeOf(1);
      QVERIFY2(first == 0 || when - first < allowed, "nothing was kept");
      return;
    }
    QCOMPARE(left.size(), std::size_t(1));
    const LoadedSession loaded =
        loadSession(left[0].file(), {});  // throws, and fails, where it is unreadable
    ++readable_;
    // Numbers come before their images; an image that is there is whole.
    for (const std::string& problem : loaded.problems)
      QVERIFY2(problem.ends_with("its image was not kept"), problem.c_str());
    imagesToCome_ += !loaded.problems.empty();
    if (told.marks == 0) return;
    const int found = markOf(loaded);
    QVERIFY2(found >= told.markAt(when - allowed),
             qPrintable(QStringLiteral("mark %1, but %2 was made %3 ms before the kill")
                            .arg(found)
                            .arg(told.markAt(when - allowed))
                            .arg(allowed)));
    if (found < told.marks) lost_ = std::max(lost_, when - told.timeOf(found + 1));
  }

  void checkSaved(const Told& told) {
    const fs::path file = at("study.spokelab");
    if (!fs::exists(file)) {
      QCOMPARE(told.saved, 0);
      return;
    }
    const LoadedSession loaded = loadSession(file, {});
    QVERIFY2(loaded.problems.empty(), loaded.problems.empty() ? "" : loaded.problems[0].c_str());
    if (told.saved > 0) {
      QVERIFY(markOf(loaded) >= told.saved);
      ++saves_;
    }
  }

 public:
  TestKilledWindow() : KilledRuns(test::campaignSeed(5)) {}

 private Q_SLOTS:
  void initTestCase() { smallScan(folder_); }

  void aKillAtAnyMomentLosesNothingThatIsOlderThan10Seconds() {
    const int wanted = killsInShort * test::campaignFactor();
    constexpr int ownPaceEvery = 5, longQuick = 1500, longOwn = 13'000, longOnce = 7000;
    for (int kill = 0; kill < wanted; ++kill) {
      fs::remove_all(at("autosave"));
      fs::remove(at("study.spokelab"));
      const bool own = test::campaignFactor() > 1 && kill % ownPaceEvery == 0;
      const int pace = own ? Workspace::autosaveMs : quickPace;
      double when = 0;
      const Told told = killAfter(pace, own ? longOwn : kill == 0 ? longOnce : longQuick, when);
      QVERIFY(told.results > 0);
      temporaries_ += temporaries();
      checkWisdom();
      checkAutosave(told, pace, when);
      checkSaved(told);
      if (QTest::currentTestFailed()) return;
    }
    qInfo(
        "%d kills: %d autosaves read again, %d of them before all images were written; %d saves that were "
        "told, all "
        "there; %d half-written temporaries; %zu entries of wisdom; at most %.0f ms of changes lost",
        wanted, readable_, imagesToCome_, saves_, temporaries_, known_.size(), lost_);
    test::countCases("kills of the window", wanted);
    QVERIFY(readable_ > 0);
    QVERIFY(saves_ > 0);
    QVERIFY(!known_.empty());
  }
};

static int runKilledWindow(int argc, char** argv) {
  qputenv("SPOKELAB_CUDA_MODULE", "none");
  if (qEnvironmentVariableIsSet(childFolder)) return busyWindow(argc, argv);
  if (test::campaignFactor() > 1) qputenv("QTEST_FUNCTION_TIMEOUT", "86400000");  // ms
  return test::runWindowTest<TestKilledWindow>(argc, argv);
}

SPOKELAB_TEST_RUN(runKilledWindow)
#include "test_killed_window.moc"
