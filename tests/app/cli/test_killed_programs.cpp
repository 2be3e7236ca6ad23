// The program itself, killed while it tunes, sweeps and runs a suite: wisdom and documents stay
// whole, and nothing that was there before is lost. Half of the kills come at any moment of a run,
// half within 2 ms of a change in its folder, which is where files are written.
#include <unistd.h>

#include <QtTest>

#include <array>
#include <filesystem>
#include <map>
#include <numeric>

#include <nlohmann/json.hpp>

#include "engine/core/document.h"
#include "engine/nufft/tune/wisdom_file.h"
#include "tests/app/cli/killed_runs.h"
#include "tests/app/cli/run_cli.h"
#include "tests/campaign.h"
#include "tests/test_main.h"

using nlohmann::json;
using spokelab::readDocument;
using spokelab::test::campaignFactor;
using spokelab::test::campaignSeed;
using spokelab::test::cliEnvironment;
using spokelab::test::countCases;
using spokelab::test::FolderWatch;
using spokelab::test::runCli;
namespace fs = std::filesystem;

namespace {

constexpr int killsInShort = 15, patience = 60'000;  // ms

json parsed(const fs::path& file) {
  return json::parse(readDocument(file), nullptr, false);
}

// True if all rows have the head's number of fields and the last one is ended.
bool isWholeTable(const std::string& text) {
  if (text.empty() || text.back() != '\n') return false;
  qsizetype columns = 0;
  for (const QByteArray& line : QByteArray::fromStdString(text).trimmed().split('\n')) {
    qsizetype fields = 1;
    bool quoted = false;
    for (const char c : line) {
      quoted = quoted != (c == '"');
      fields += c == ',' && !quoted;
    }
    if (columns == 0) columns = fields;
    if (fields != columns) return false;
  }
  return true;
}

}  // namespace

class TestKilledPrograms : public QObject, spokelab::test::KilledRuns {
  Q_OBJECT
  std::map<fs::path, std::string> finished_;  // a suite's cases and what came of them
  int runs_ = 0, whileWriting_ = 0;

  // A different accuracy for each run: its wisdom has a different key, and its documents show the
  // run that wrote them.
  QString nextAccuracy() { return QString::number(0.01 + 1e-6 * ++runs_, 'g', 10); }
  double accuracyOf(int run) const { return QString::number(0.01 + 1e-6 * run, 'g', 10).toDouble(); }

  // True: it was killed, false: it had ended by then (with code 0).
  bool killed(const QStringList& arguments, int usualMs) {
    QProcess process;
    process.setProcessEnvironment(cliEnvironment(folder_.path()));
    process.setWorkingDirectory(folder_.path());
    process.setStandardOutputFile(QProcess::nullDevice());
    const FolderWatch watch(root());
    if (!watch.watching()) qFatal("the folder cannot be watched");
    process.start(SPOKELAB_CLI, arguments);
    if (!process.waitForStarted()) qFatal("the program did not start");
    if (upTo(1) == 0) {
      ::usleep(useconds_t(upTo(usualMs * 1100)));
    } else {
      awaitChanges(watch, 3, 2 * usualMs, 2000);
    }
    process.kill();
    if (!process.waitForFinished(patience)) qFatal("the program did not end");
    const bool gone = process.exitStatus() == QProcess::CrashExit;
    const bool leftOut = arguments[0] == "suite" && process.exitCode() == 1;  // a case that was killed twice
    if (!gone && process.exitCode() != 0 && !leftOut)
      qFatal("%s", process.readAllStandardError().constData());
    return gone;
  }

  // Every file that is there by its name is whole.
  void checkFiles() {
    for (const auto& entry : fs::recursive_directory_iterator(root())) {
      const fs::path& file = entry.path();
      if (!entry.is_regular_file() || file.filename().string().starts_with('.')) continue;
      if (file.extension() == ".json") QVERIFY2(parsed(file).is_object(), file.c_str());
      if (file.extension() == ".csv" && file.stem() != "results")
        QVERIFY2(isWholeTable(readDocument(file)), file.c_str());
      QVERIFY2(file.extension() != ".aside", "a damaged wisdom file was set aside");
      if (file.extension() == ".json" && file.parent_path().filename() == "cases")
        finished_.emplace(file, readDocument(file));
    }
    for (const auto& [file, content] : finished_) QVERIFY2(readDocument(file) == content, file.c_str());
    checkWisdom();
  }

  // A document is at least as new as the last run that ended well.
  void checkAge(const char* name, int completed) const {
    if (completed == 0) return;
    const json document = parsed(at(name));
    const double accuracy = std::stod(document.at("options").at("accuracy").get<std::string>());
    QVERIFY2(accuracy >= accuracyOf(completed) * (1 - 1e-9), name);
  }

 public:
  TestKilledPrograms() : KilledRuns(campaignSeed(11)) {}

 private Q_SLOTS:
  void initTestCase() {
    QCOMPARE(runCli(folder_.path(), {"simulate", "-o", "small.h5", "--matrix", "24", "--coils", "2"}).code,
             0);
    QFile suite(folder_.filePath("suite.json"));
    QVERIFY(suite.open(QIODevice::WriteOnly));
    suite.write(R"({"format": "spokelab-suite", "formatVersion": 1, "name": "ours", "cases": [
      {"study": "best-alpha", "sizes": [8, 10, 12, 14], "accelerations": [1], "accuracies": [0.01],
       "patterns": ["radial3d"], "trials": 1},
      {"scan": "small.h5", "alphas": [1.5, 2], "widths": [3, 4], "trials": 1}]})");
  }

  void aKillAtAnyMomentLeavesWholeFilesAndLosesNothing() {
    const int wanted = killsInShort * campaignFactor();
    enum Case { tune, sweep, suite, cases };
    std::array<int, cases> usual{}, kills{}, late{}, completed{};
    std::array<QStringList, cases> arguments;
    int suites = 1, most = 0;
    for (int turn = 0; std::accumulate(kills.begin(), kills.end(), 0) < wanted; ++turn) {
      const Case which = Case(turn % cases);
      const QString accuracy = nextAccuracy(), results = QStringLiteral("results-%1").arg(suites);
      arguments[tune] = {"tune", "small.h5", "--accuracy", accuracy, "--json", "tune.json"};
      arguments[sweep] = {"sweep",      "small.h5",   "--accuracy", accuracy,   "--alphas",
                          "1.25,1.5,2", "--widths",   "3,4,5",      "--trials", "1",
                          "--json",     "sweep.json", "--csv",      "sweep.csv"};
      arguments[suite] = {"suite", "suite.json", "-o", results, "--backend", "cpu"};
      const auto keys = known_.size();
      if (usual[which] == 0) {  // how long it takes when it is left alone
        QElapsedTimer clock;
        clock.start();
        const auto r = runCli(folder_.path(), arguments[which]);
        QVERIFY2(r.code == 0, r.err.constData());
        usual[which] = int(clock.elapsed()) + 1;
        completed[which] = runs_;
        suites += which == suite;
      } else if (killed(arguments[which], usual[which])) {
        ++kills[which];
        whileWriting_ += temporaries() > most;
      } else {
        ++late[which];
        completed[which] = runs_;
        suites += which == suite;  // it is finished: another folder
      }
      most = std::max(most, temporaries());
      checkFiles();
      if (which == tune && completed[tune] == runs_) QVERIFY(known_.size() > keys);
      checkAge("tune.json", completed[tune]);
      checkAge("sweep.json", completed[sweep]);
      if (QTest::currentTestFailed()) return;
      if (completed[sweep] > 0) QVERIFY(isWholeTable(readDocument(at("sweep.csv"))));
    }
    qInfo(
        "kills while tuning %d, sweeping %d, in suites %d; ended before the kill: %d; %d kills left a "
        "half-written "
        "temporary; %zu entries of wisdom",
        kills[tune], kills[sweep], kills[suite], late[tune] + late[sweep] + late[suite], whileWriting_,
        known_.size());
    countCases("kills of the command line", wanted);
    // The next run removes half-done files of killed writers.
    QCOMPARE(runCli(folder_.path(), {"tune", "small.h5", "--accuracy", "0.02", "--json", "tune.json"}).code,
             0);
    for (const auto& entry : fs::directory_iterator(root()))
      QVERIFY2(!entry.path().filename().string().starts_with(".wisdom"), entry.path().c_str());
  }

  // A long sweep, killed: all but the last seconds of what it had measured is there, beside the
  // files it was to write.
  void aKilledSweepLeavesWhatItHadMeasured() {
    const auto rows = [&] {
      const fs::path file = at("long.partial.csv");
      return fs::exists(file) ? int(QByteArray::fromStdString(readDocument(file)).count('\n')) - 1 : 0;
    };
    QProcess process;
    process.setProcessEnvironment(cliEnvironment(folder_.path()));
    process.setWorkingDirectory(folder_.path());
    process.setStandardOutputFile(QProcess::nullDevice());
    process.start(SPOKELAB_CLI,
                  {"sweep", "small.h5", "--alphas", "1.25,1.5,1.75,2", "--widths", "3,4,5,6,7,8", "--trials",
                   "20000", "--threads", "1", "--csv", "long.csv", "--json", "long.json"});
    // The table is written first: a kill between the two would leave the document of the round
    // before.
    QTRY_VERIFY_WITH_TIMEOUT(rows() > 0 && fs::exists(at("long.partial.json")), patience);
    process.kill();
    QVERIFY(process.waitForFinished(patience));
    QCOMPARE(process.exitStatus(), QProcess::CrashExit);
    QVERIFY(!fs::exists(at("long.csv")) && !fs::exists(at("long.json")));
    QVERIFY(isWholeTable(readDocument(at("long.partial.csv"))));
    const json kept = parsed(at("long.partial.json"));
    QCOMPARE(int(kept.at("sweep").at("candidates").size()), rows());
    // The next one that ends well takes them away.
    QCOMPARE(runCli(folder_.path(), {"sweep", "small.h5", "--alphas", "2", "--widths", "4", "--trials", "1",
                                     "--csv", "long.csv", "--json", "long.json"})
                 .code,
             0);
    QVERIFY(fs::exists(at("long.csv")) && !fs::exists(at("long.partial.csv")) &&
            !fs::exists(at("long.partial.json")));
  }

  // Two programs share the wisdom: a kill of one neither blocks the other nor takes its entry away.
  void aKillOfOneLeavesTheOtherAtWork() {
    const int kills = 3 * campaignFactor();
    for (int kill = 0; kill < kills; ++kill) {
      const auto before = spokelab::readWisdomFile(at("wisdom.json")).entries.size();
      QProcess other;
      other.setProcessEnvironment(cliEnvironment(folder_.path()));
      other.setWorkingDirectory(folder_.path());
      other.start(SPOKELAB_CLI, {"tune", "small.h5", "--accuracy", nextAccuracy()});
      QVERIFY(other.waitForStarted());
      killed({"tune", "small.h5", "--accuracy", nextAccuracy()}, 150);
      QVERIFY(other.waitForFinished(patience));
      QCOMPARE(other.exitCode(), 0);
      checkFiles();
      QVERIFY(spokelab::readWisdomFile(at("wisdom.json")).entries.size() > before);
    }
  }
};

SPOKELAB_CORE_TEST(TestKilledPrograms)
#include "test_killed_programs.moc"
