// Studies repeated: counted numbers and predictions come out the same, a changed number is found,
// and files that are no studies are refused.
#include <QtTest>

#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/profile/results/provenance.h"
#include "engine/profile/results/record_file.h"
#include "engine/profile/study/study_page.h"
#include "engine/profile/study/study_results.h"
#include "engine/profile/study/study_text.h"
#include "engine/profile/suite/study_replay.h"
#include "engine/recon/sense/backend_cpu.h"
#include "tests/test_main.h"

namespace test_study_replay {

using namespace spokelab;
using nlohmann::json;

class TestStudyReplay : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  std::unique_ptr<Backend> cpu_ = makeCpuBackend();
  NufftBackend* const backends_[1] = {cpu_.get()};

  StudyResult run(const std::string& study) {
    StudyRequest request;
    request.study = study;
    request.sizes = {12};
    request.accelerations = {1};
    request.accuracies = {1e-2};
    request.patterns = {"random"};
    request.trials = 1;
    return runStudy(backends_, usedPart(request), Progress());
  }

  std::filesystem::path write(const json& document) {
    const std::filesystem::path file = folder_.filePath("study.json").toStdString();
    std::ofstream(file) << recordText(document);
    return file;
  }
  std::filesystem::path write(const StudyResult& result) {
    return write(recordOf(studyCommand(result.request), {{"study", toJson(result)}}));
  }

  std::string differing(const ReplayComparison& comparison) {
    std::string text;
    for (const ReplayRow& row : comparison.rows)
      if (row.judged && !row.reproduced) text += row.quantity + ": " + row.then + " -> " + row.now + "\n";
    return text;
  }

 private Q_SLOTS:
  void aStudyThatCountsIsReproducedAndAChangedCountIsFound() {
    StudyResult then = run("row-deviations");
    QVERIFY(!then.rows.empty());
    const StudyReplay same = repeatStudies(readStudyRecord(write(then)), backends_, Progress());
    QVERIFY2(same.comparison.differences() == 0, differing(same.comparison).c_str());
    std::size_t judged = 0;
    for (const ReplayRow& row : same.comparison.rows) judged += row.judged;
    QCOMPARE(judged, then.rows.size());
    then.rows.front().y *= 1.01;
    const StudyReplay other = repeatStudies(readStudyRecord(write(then)), backends_, Progress());
    QCOMPARE(other.comparison.differences(), 1);
    const std::string page = studyPage(other.results, "again", provenance("c"), &other.comparison);
    QVERIFY(page.find("1 of its numbers were not reproduced") != std::string::npos);
  }

  // Times may differ; predictions of the same plans may not.
  void aStudyThatTimesIsJudgedByItsPredictions() {
    StudyResult then = run("fixed-alpha");
    const StudyResult now = then;
    for (StudyRow& row : then.rows) row.seconds *= 2;
    ReplayComparison comparison{"x", compareStudies(then, now)};
    QVERIFY2(comparison.differences() == 0, differing(comparison).c_str());
    int changed = 0;
    for (StudyRow& row : then.rows)
      if (row.candidate.predictedError() > 0 && row.refused.empty()) {
        row.candidate.predicted.relativeL2 *= 1.1;
        ++changed;
      }
    QVERIFY(changed > 0);
    comparison.rows = compareStudies(then, now);
    QCOMPARE(comparison.differences(), changed);
    then.rows.resize(1);
    QCOMPARE(ReplayComparison({"x", compareStudies(now, then)}).differences(), 0);  // missing rows are shown
  }

  void aSuitesStudiesAreRepeatedTogether() {
    const json origin = provenance("spokelab suite x -o y");
    json record = recordHead("suite results");
    record["suite"] = {{"name", "x"}, {"cases", json::array()}};
    record["cases"] = {{{"study", toJson(run("row-deviations"))}, {"provenance", origin}},
                       {{"study", toJson(run("aliasing"))}, {"provenance", origin}},
                       {{"sweep", json::object()}, {"provenance", origin}}};
    const std::filesystem::path file = write(record);
    QVERIFY(isStudyRecord(file));
    const StudyRecord read = readStudyRecord(file);
    QCOMPARE(read.results.size(), std::size_t(2));
    QCOMPARE(read.sweeps, std::size_t(1));
    const StudyReplay replay = repeatStudies(read, backends_, Progress());
    QVERIFY2(replay.comparison.differences() == 0, differing(replay.comparison).c_str());
    QCOMPARE(replay.comparison.rows.back().now, std::string("not repeated"));
  }

  // A replay of several studies can be repeated itself.
  void aReplaysStudiesAreRepeatedTogether() {
    const json studies = {toJson(run("row-deviations")), toJson(run("aliasing"))};
    const std::filesystem::path file =
        write(recordOf("spokelab study --replay x", {{"studies", studies}, {"replay", json::object()}}));
    QVERIFY(isStudyRecord(file));
    const StudyReplay replay = repeatStudies(readStudyRecord(file), backends_, Progress());
    QCOMPARE(replay.results.size(), std::size_t(2));
    QVERIFY2(replay.comparison.differences() == 0, differing(replay.comparison).c_str());
    QVERIFY_THROWS_EXCEPTION(
        Error,
        readStudyRecord(write(recordOf("c", {{"studies", json::array()}, {"replay", json::object()}}))));
  }

  void rowsOfOneSideAreTold() {
    const StudyResult whole = run("row-deviations");
    StudyResult less = whole;
    less.rows.pop_back();
    const auto missing = [](const std::vector<ReplayRow>& rows, std::string ReplayRow::*side) {
      return std::count_if(rows.begin(), rows.end(),
                           [&](const ReplayRow& row) { return row.*side == "missing" && row.judged; });
    };
    const std::vector<ReplayRow> added = compareStudies(less, whole), gone = compareStudies(whole, less);
    QCOMPARE(missing(added, &ReplayRow::then), 1);
    QCOMPARE(missing(added, &ReplayRow::now), 0);
    QCOMPARE(missing(gone, &ReplayRow::now), 1);
    QCOMPARE(missing(gone, &ReplayRow::then), 0);
  }

  void commandsNameWhatIsNotThePapers() {
    StudyRequest request = studyDefaults("alpha");
    QCOMPARE(studyCommand(request), std::string("spokelab study alpha"));
    request.sizes = {62, 94};
    request.accuracies = {0.001};
    request.trials = 5;
    QCOMPARE(studyCommand(request),
             std::string("spokelab study alpha --sizes 62,94 --accuracies 0.001 --trials 5"));
  }

  void whatIsNoStudyIsRefused_data() {
    QTest::addColumn<QString>("change");
    for (const char* change : {"no study", "a share", "a later version", "another study", "no rows"})
      QTest::newRow(change) << change;
  }
  void whatIsNoStudyIsRefused() {
    QFETCH(QString, change);
    json record = recordOf("c", {{"study", toJson(run("row-deviations"))}});
    if (change == "no study") record.erase("study");
    if (change == "a share") record["shard"] = json::object();
    if (change == "a later version") record["schema"] = 99;
    if (change == "another study") record["study"]["name"] = "of tomorrow";
    if (change == "no rows") record["study"].erase("rows");
    const std::filesystem::path file = write(record);
    QCOMPARE(isStudyRecord(file), change != "no study");
    try {
      repeatStudies(readStudyRecord(file), backends_, Progress());
      QFAIL("it was repeated");
    } catch (const Error& error) {
      QVERIFY(!error.summary().empty() && !error.reason().empty());
    }
    std::ofstream(folder_.filePath("study.json").toStdString()) << "{";
    QVERIFY(!isStudyRecord(file));
    QVERIFY_THROWS_EXCEPTION(Error, readStudyRecord(file));
  }
};

SPOKELAB_CORE_TEST(TestStudyReplay)

}  // namespace test_study_replay

#include "test_study_replay.moc"
