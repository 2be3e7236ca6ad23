// Files that 0.1 wrote, one of each format, are read: baseline, report, suite and its case, shares
// of a sweep, study, session with a run, wisdom. files-0.1 has them as they were written.
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/nufft/tune/wisdom_entry.h"
#include "engine/profile/baseline/baseline_json.h"
#include "engine/profile/report/replay.h"
#include "engine/profile/results/record_file.h"
#include "engine/profile/results/results.h"
#include "engine/profile/session/saved_session.h"
#include "engine/profile/shards/merge_shards.h"
#include "engine/profile/study/study_results.h"
#include "engine/profile/suite/suite_run.h"
#include "engine/recon/sense/backend_cpu.h"
#include "tests/test_main.h"

namespace test_earlier_files {

using namespace spokelab;
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

fs::path file(const std::string& name) {
  return fs::path(SPOKELAB_SOURCE_DIR "/tests/engine/profile/results/files-0.1") / name;
}

// Later versions have further options: those of then have to be the same.
bool hasOptions(const json& now, const json& then) {
  return std::ranges::all_of(
      then.items(), [&](const auto& option) { return now.value(option.key(), json()) == option.value(); });
}

json content(const std::string& name) {
  return parseDocument(readDocument(file(name)), "", "");
}

}  // namespace

class TestEarlierFiles : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aBaseline() {
    const Baseline b = readBaseline(file("baseline.json"));
    QCOMPARE(b.name, std::string("baseline"));
    QCOMPARE(b.scan, std::string("demo"));
    QCOMPARE(b.executions, 1);
    QCOMPARE(b.control.size(), std::size_t{4});
    QCOMPARE(b.cases.size(), std::size_t{1});
    QCOMPARE(b.cases[0].plan.options.width, 4.0);
    QCOMPARE(b.cases[0].seconds.size(), std::size_t{4});
    QVERIFY(b.cases[0].answerHolds() && *b.cases[0].plan.measuredError > 0);
    QCOMPARE(plansIn(file("baseline.json")).size(), std::size_t{1});
    // Kept again, it is a record of today with the same content.
    const QTemporaryDir folder;
    const fs::path again = folder.filePath("again.json").toStdString();
    writeBaseline(b, again);
    const json now = parseDocument(readDocument(again), "", "");
    QVERIFY(isRecord(now, "baseline") && now.at("format") == "spokelab-results");
    const json then = content("baseline.json");
    for (const char* key : {"name", "scan", "reading", "origin", "control", "cases"})
      QCOMPARE(now.at(key).dump(), then.at(key).dump());
    QVERIFY(hasOptions(now.at("options"), then.at("options")));
    QVERIFY(toJson(readBaseline(again)) == now);
  }

  void aReport() {
    const Replay replay = readReplay(file("report.json"));
    QCOMPARE(replay.scan, std::string("scan.h5"));
    QCOMPARE(replay.plan.backend, std::string("cpu"));
    QVERIFY(!replay.sweep.empty() && replay.sweep[0].timed());
    QCOMPARE(replay.origin.size(), std::size_t{5});
    QCOMPARE(replay.options.nufft.threads, 1);
  }

  // A suite goes on in a folder that 0.1 began: its finished case is kept.
  void aSuiteAndItsFolder() {
    const Suite suite = readSuite(file("suite.json"));
    QCOMPARE(suite.name, std::string("ours"));
    QCOMPARE(suite.cases.size(), std::size_t{2});
    const QTemporaryDir folder;
    const fs::path place = folder.path().toStdString();
    fs::create_directory(place / "cases");
    fs::copy_file(file("suite.json"), place / "suite.json");
    fs::copy_file(file("case.json"), place / "cases/002-sweep-demo.json");
    const auto cpu = makeCpuBackend();
    const SuiteResult result = runSuite(suite, place, {cpu.get()}, false, "", {});
    QCOMPARE(result.rows.size(), std::size_t{2});
    QVERIFY(result.rows[0].state == SuiteState::ran && result.rows[1].state == SuiteState::kept);
    QCOMPARE(result.rows[1].results, 1);
  }

  void sharesOfASweep() {
    std::vector<ShardDocument> shares;
    for (const char* name : {"sweep.2-of-2.json", "sweep.1-of-2.json"})
      shares.push_back({name, content(name)});
    const MergedShards merged = mergeShards(shares);
    QVERIFY(merged.missing.empty());
    QCOMPARE(merged.document.at("sweep").at("candidates").size(), merged.cases);
    QCOMPARE(merged.document.at("shards").size(), std::size_t{2});
  }

  void aStudy() {
    const json study = content("study.json").at("study");
    QCOMPARE(toJson(studyFromJson(study)).dump(), study.dump());
  }

  void aSessionAndItsRun() {
    const LoadedSession loaded = loadSession(file("session.spokelab"), {});
    QCOMPARE(loaded.problems.size(), std::size_t{0});
    QVERIFY(loaded.version.starts_with("0.1.0"));
    QCOMPARE(loaded.session.results.size(), std::size_t{1});
    const Reconstruction& result = *loaded.session.results[0].result;
    QCOMPARE(result.image->size, (Index3{16, 16, 1}));
    const json written = content("session.spokelab");
    json now = toJson(result), then = written.at("results")[0].at("reconstruction");
    QVERIFY(hasOptions(now.at("options"), then.at("options")));
    now.erase("image");
    for (json* j : {&now, &then}) j->erase("options");
    QCOMPARE(now.dump(), then.dump());
    QCOMPARE(loaded.session.runs.size(), std::size_t{1});
    const TimedRun& run = loaded.session.runs[0];
    QVERIFY(run.kind == RunKind::tuning && run.timed->candidates.size() == 3);
    QCOMPARE(run.number, loaded.session.chosenRun);
  }

  void wisdom() {
    const WisdomEntries entries = readForeignWisdom(file("wisdom.json"));
    QVERIFY(!entries.empty());
    for (const auto& [key, text] : entries) QVERIFY2(wisdomCandidate(text).has_value(), key.c_str());
  }

  void aNewerVersionIsRefusedByItsNumber() {
    json b = content("baseline.json");
    const QTemporaryDir folder;
    for (const char* key : {"formatVersion", "schema"}) {
      b[key] = 99;
      const fs::path newer = folder.filePath("newer.json").toStdString();
      std::ofstream(newer) << b.dump();
      try {
        readBaseline(newer);
        QFAIL("a baseline of version 99 was read");
      } catch (const Error& error) {
        QCOMPARE(error.reason(), std::string("a newer version of the program wrote it"));
      }
      b[key] = 1;
    }
  }
};

SPOKELAB_CORE_TEST(TestEarlierFiles)

}  // namespace test_earlier_files

#include "test_earlier_files.moc"
