// Suites: what is finished is kept and not run again, whatever ended the program; failures are
// named; files that are not suites are refused.
#include <QTemporaryDir>
#include <QtTest>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/core/atomic_file.h"
#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/profile/suite/suite.h"
#include "engine/profile/suite/suite_json.h"
#include "engine/profile/suite/suite_run.h"
#include "engine/recon/sense/backend_cpu.h"
#include "tests/test_main.h"

namespace test_suite {

using namespace spokelab;
using nlohmann::json;

namespace {

constexpr int cases = 4;  // of smallSuite, split

Suite smallSuite() {
  Suite suite;
  suite.name = "small";
  SuiteCase study;
  study.study.study = "best-alpha";
  study.study.sizes = {8, 10};
  study.study.accelerations = {4};
  study.study.accuracies = {1e-2};
  study.study.patterns = {"radial3d"};
  study.study.trials = 1;
  SuiteCase demo;
  demo.scan = "demo";
  demo.alphas = {2};
  demo.widths = {4};
  demo.options = {{"threads", "1"}, {"trials", "1"}};
  SuiteCase missing;
  missing.scan = "/nowhere/scan.h5";
  suite.cases = {study, demo, missing};
  return suite;
}

}  // namespace

class TestSuite : public QObject {
  Q_OBJECT
  std::unique_ptr<Backend> cpu_ = makeCpuBackend();

  SuiteResult run(const Suite& suite, const QTemporaryDir& folder, bool again = false,
                  const Progress& progress = {}) {
    return runSuite(suite, folder.path().toStdString(), {cpu_.get()}, again, "the command", progress);
  }
  static std::vector<std::filesystem::path> files(const QTemporaryDir& folder, const std::string& ending) {
    std::vector<std::filesystem::path> list;
    for (const auto& entry : std::filesystem::directory_iterator(folder.filePath("cases").toStdString()))
      if (entry.path().extension() == ending) list.push_back(entry.path());
    std::sort(list.begin(), list.end());
    return list;
  }

 private Q_SLOTS:
  void casesAreRunOnceAndKept() {
    const QTemporaryDir folder;
    const SuiteResult first = run(smallSuite(), folder);
    QCOMPARE(first.cases, std::size_t{cases});
    QCOMPARE(first.rows.size(), std::size_t{cases});
    QVERIFY(first.rows[0].state == SuiteState::ran && first.rows[0].results > 0 && first.rows[0].seconds > 0);
    QVERIFY(first.rows[2].state == SuiteState::ran && first.rows[2].results == 1);
    QVERIFY(first.rows[3].state == SuiteState::failed && !first.rows[3].why.empty());
    QCOMPARE(files(folder, ".json").size(), std::size_t{cases});
    QVERIFY(files(folder, ".started").empty());
    const json results = json::parse(readDocument(folder.filePath("results.json").toStdString()));
    QCOMPARE(results["cases"].size(), std::size_t{cases});
    QVERIFY(results["cases"][0]["study"]["rows"].size() > 0);
    // The claim about best-alpha is judged over all of its cases: there is one acceleration alone.
    QCOMPARE(first.claims.size(), std::size_t{1});
    QVERIFY(first.claims[0].study == "best-alpha" && first.claims[0].verdict == ClaimVerdict::unclear);
    QCOMPARE(results["claims"][0]["verdict"].get<std::string>(), std::string("cannot tell"));
    const std::string report = readDocument(folder.filePath("report.html").toStdString());
    QVERIFY(report.find("<svg") != std::string::npos && report.find("Suite small") != std::string::npos);
    QVERIFY(report.find("N = 8, 10") != std::string::npos);
    QVERIFY(report.find("the command") != std::string::npos && report.find("[[") == std::string::npos);
    const std::string page = readDocument(folder.filePath("verdicts.md").toStdString());
    QVERIFY2(page.find("The best α falls with the acceleration R | cannot tell") != std::string::npos,
             page.c_str());
    const std::string csv = readDocument(folder.filePath("results.csv").toStdString());
    QVERIFY(csv.rfind("case,pattern,", 0) == 0);
    QVERIFY(csv.find("\n\"sweep demo\",") != std::string::npos);
    const auto written = std::filesystem::last_write_time(files(folder, ".json")[0]);
    const SuiteResult second = run(smallSuite(), folder);
    for (int i = 0; i < 3; ++i) QVERIFY(second.rows[std::size_t(i)].state == SuiteState::kept);
    QVERIFY(second.rows[3].state == SuiteState::failed);
    QCOMPARE(second.rows[0].results, first.rows[0].results);
    QVERIFY(std::filesystem::last_write_time(files(folder, ".json")[0]) == written);
    QCOMPARE(readDocument(folder.filePath("results.csv").toStdString()), csv);
    QVERIFY(run(smallSuite(), folder, true).rows[0].state == SuiteState::ran);
  }

  // Cases that ran elsewhere are not told as this machine's.
  void thePageOfClaimsNamesTheMachinesOfItsCases() {
    const QTemporaryDir folder;
    run(smallSuite(), folder);
    const auto page = [&] { return readDocument(folder.filePath("verdicts.md").toStdString()); };
    QVERIFY(page().find("Another processor") == std::string::npos);
    const std::filesystem::path first = files(folder, ".json")[0];
    json document = json::parse(readDocument(first));
    document["provenance"]["machine"] = {
        {"cpu", "Another processor"}, {"threads", 7}, {"devices", {"Some GPU, driver 1"}}};
    std::ofstream(first) << document.dump();
    run(smallSuite(), folder);
    QVERIFY2(page().find("Another processor, 7 threads, Some GPU, driver 1; ") != std::string::npos,
             page().c_str());
    const std::string report = readDocument(folder.filePath("report.html").toStdString());
    QVERIFY(report.find("Another processor, 7 threads, Some GPU, driver 1; ") != std::string::npos);
    document["provenance"]["machine"] = {{"cpu", 3}, {"devices", 4}};
    std::ofstream(first) << document.dump();
    run(smallSuite(), folder);
    QVERIFY2(page().find("a machine without a name; ") != std::string::npos, page().c_str());
  }

  void aCancelKeepsWhatIsFinished() {
    const QTemporaryDir folder;
    std::stop_source stop;
    const SuiteResult cut =
        runSuite(smallSuite(), folder.path().toStdString(), {cpu_.get()}, false, "",
                 Progress(stop.get_token()), [&](const SuiteRow&) { stop.request_stop(); });
    QVERIFY(cut.cancelled);
    QCOMPARE(cut.rows.size(), std::size_t{1});
    QCOMPARE(files(folder, ".json").size(), std::size_t{1});
    QVERIFY(files(folder, ".started").empty());
    const SuiteResult rest = run(smallSuite(), folder);
    QVERIFY(rest.rows[0].state == SuiteState::kept);
    QVERIFY(rest.rows[1].state == SuiteState::ran && rest.rows[2].state == SuiteState::ran);
  }

  void aCaseThatEndsTheProgramIsTriedTwice() {
    const QTemporaryDir folder;
    run(smallSuite(), folder);
    const auto first = files(folder, ".json")[0];
    // As a crash leaves it: begun, not finished.
    std::filesystem::remove(first);
    std::filesystem::path mark = first;
    mark.replace_extension(".started");
    std::ofstream(mark) << R"({"attempts": 1})";
    QVERIFY(run(smallSuite(), folder).rows[0].state == SuiteState::ran);
    QVERIFY(!std::filesystem::exists(mark));
    std::filesystem::remove(first);
    std::ofstream(mark) << R"({"attempts": 2})";
    const SuiteRow row = run(smallSuite(), folder).rows[0];
    QVERIFY(row.state == SuiteState::crashed && !row.why.empty());
    QVERIFY(run(smallSuite(), folder, true).rows[0].state == SuiteState::ran);
  }

  void aDamagedResultIsRunAgain() {
    const QTemporaryDir folder;
    run(smallSuite(), folder);
    const auto list = files(folder, ".json");
    std::filesystem::resize_file(list[0], 40);
    const SuiteResult again = run(smallSuite(), folder);
    QVERIFY(again.rows[0].state == SuiteState::ran);
    QVERIFY(again.rows[1].state == SuiteState::kept);
  }

  void anotherSuiteDoesNotGetTheFolder() {
    const QTemporaryDir folder;
    run(smallSuite(), folder);
    Suite other = smallSuite();
    other.cases.pop_back();
    QVERIFY_EXCEPTION_THROWN(run(other, folder), Error);
  }

  void resultsOfAnotherCommitAreNamed() {
    const QTemporaryDir folder;
    run(smallSuite(), folder);
    const auto file = files(folder, ".json")[0];
    json document = json::parse(readDocument(file));
    document["provenance"]["commit"] = "0123456789ab";
    writeFileAtomically(file, document.dump());
    const SuiteRow row = run(smallSuite(), folder).rows[0];
    QVERIFY(row.state == SuiteState::kept);
    QCOMPARE(row.why, std::string("of commit 0123456789ab"));
  }

  void filesAreReadAndRefused() {
    const QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("s.json").toStdString();
    const auto written = [&](const std::string& text) {
      writeFileAtomically(file, text);
      return file;
    };
    const std::string head = R"({"format": "spokelab-suite", "formatVersion": 1, "cases": )";
    const Suite suite =
        readSuite(written(head + R"([{"study": "alpha", "sizes": [16]}, {"scan": "a.h5"}]})"));
    QCOMPARE(suite.cases.size(), std::size_t{2});
    QCOMPARE(suite.cases[1].scan, folder.filePath("a.h5").toStdString());
    QVERIFY(splitCases(suite).size() > 2);  // the study's accelerations are the paper's
    QVERIFY(suiteToJson(suite)["cases"][0] ==
            suiteCaseToJson(suiteCaseFromJson(suiteCaseToJson(suite.cases[0]))));
    for (const std::string& bad :
         {std::string("["), std::string("{}"), head + "[]}", head + R"([{"study": "none"}]})",
          head + R"([{"study": "alpha", "size": [16]}]})", head + R"([{"scan": 3}]})",
          std::string(R"({"format": "spokelab-suite", "formatVersion": 9, "cases": []})")})
      QVERIFY_EXCEPTION_THROWN(readSuite(written(bad)), Error);
    QVERIFY_EXCEPTION_THROWN(namedSuite("none"), Error);
    for (const std::string& name : suiteNames()) {
      const Suite known = suiteFrom(name);
      QCOMPARE(known.cases.size(), studies().size());
      QVERIFY(splitCases(known).size() >= known.cases.size());
    }
  }
};

SPOKELAB_CORE_TEST(TestSuite)

}  // namespace test_suite

#include "test_suite.moc"
