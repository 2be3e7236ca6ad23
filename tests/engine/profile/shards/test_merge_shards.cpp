// Studies and suites in shares: merged they equal the unsharded run, row by row; what is not of one
// job is refused, and what is missing is named.
#include <QTemporaryDir>
#include <QtTest>

#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/profile/results/provenance.h"
#include "engine/profile/results/shard_json.h"
#include "engine/profile/shards/merge_shards.h"
#include "engine/profile/study/study_results.h"
#include "engine/profile/suite/suite_run.h"
#include "engine/recon/sense/backend_cpu.h"
#include "tests/test_main.h"

namespace test_merge_shards {

using namespace spokelab;
using nlohmann::json;

namespace {

constexpr int shards = 4;

// A row without what a clock says, or what the fastest plan of the moment was.
json settled(json row) {
  for (const char* key : {"shard", "candidate", "seconds", "transferSeconds", "setUpSeconds", "speedUp",
                          "yQuartiles", "x", "y"})
    row.erase(key);
  return row;
}

}  // namespace

class TestMergeShards : public QObject {
  Q_OBJECT
  std::unique_ptr<Backend> cpu_ = makeCpuBackend();
  std::vector<NufftBackend*> backends_{cpu_.get()};

  static StudyRequest small(const std::string& study) {
    StudyRequest request;
    request.study = study;
    request.sizes = {8, 10};
    request.accelerations = {4, 16};
    request.accuracies = {1e-2};
    request.patterns = {study == "spreading-2d" ? "clustered" : "radial3d", "random"};
    request.threads = {1};
    request.trials = 1;
    return usedPart(request);
  }
  ShardDocument share(const StudyRequest& request, const Shard& shard) {
    const StudyResult result = runStudy(backends_, request, {}, {}, shard);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < result.cases; ++i) names.push_back("case " + std::to_string(i + 1));
    const json job = {{"command", "study"}, {"study", request.study}};
    json document = {{"provenance", provenance("the command --shard " + shardText(shard))},
                     {"study", toJson(result)},
                     {"shard", shardToJson({shard, job, names, result.places,
                                            "the command --shard " + shardText(shard)})}};
    return {shardText(shard), json::parse(document.dump())};
  }
  std::vector<ShardDocument> shares(const std::string& study) {
    std::vector<ShardDocument> documents;
    for (int index = shards; index >= 1; --index) documents.push_back(share(small(study), {index, shards}));
    return documents;
  }
  static QString reasonOf(const std::vector<ShardDocument>& documents) {
    try {
      mergeShards(documents);
    } catch (const Error& e) {
      return QString::fromStdString(e.reason());
    }
    return "merged";
  }

 private Q_SLOTS:
  // Rows of single cases, means over sizes, fits over a pattern, and a study that is not divided.
  void aStudyInSharesIsTheWholeOne_data() {
    QTest::addColumn<std::string>("study");
    for (const char* study : {"aliasing", "row-deviations", "best-alpha", "entries", "fixed-alpha", "overall",
                              "entry-slopes", "errors", "spreading-2d", "window-error"})
      QTest::newRow(study) << std::string(study);
  }
  void aStudyInSharesIsTheWholeOne() {
    QFETCH(const std::string, study);
    const json whole = toJson(runStudy(backends_, small(study), {}));
    const MergedShards merged = mergeShards(shares(study));
    const json& rows = merged.document.at("study").at("rows");
    QVERIFY(merged.missing.empty() && merged.commands.empty());
    QVERIFY(rows.size() > 1);
    QCOMPARE(rows.size(), whole.at("rows").size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      QCOMPARE(settled(rows[i]).dump(), settled(whole.at("rows")[i]).dump());
    json mergedHead = merged.document.at("study"), wholeHead = whole;
    for (const char* key : {"rows", "load"}) {  // the load is another at another time
      mergedHead.erase(key);
      wholeHead.erase(key);
    }
    QCOMPARE(mergedHead.dump(), wholeHead.dump());
    QCOMPARE(merged.document.at("shards").size(), std::size_t{shards});
    QCOMPARE(merged.machines.size(), std::size_t{1});
    QCOMPARE(std::count(merged.csv.begin(), merged.csv.end(), '\n'), std::ptrdiff_t(rows.size()) + 1);
  }

  // Nothing is executed: every number is the same.
  void numbersThatNoClockTellsAreTheSame() {
    const json whole = toJson(runStudy(backends_, small("aliasing"), {}));
    json rows = mergeShards(shares("aliasing")).document.at("study").at("rows");
    for (json& row : rows) row.erase("shard");
    QCOMPARE(rows.dump(), whole.at("rows").dump());
    const StudyResult read = studyFromJson(whole);
    QCOMPARE(toJson(read).dump(), whole.dump());
  }

  void whatIsMissingIsNamed() {
    std::vector<ShardDocument> documents = shares("aliasing");  // two cases: shares 1 and 2
    std::erase_if(documents, [](const ShardDocument& d) { return d.name == "2/4" || d.name == "4/4"; });
    const MergedShards merged = mergeShards(documents);
    QCOMPARE(merged.missing, std::vector<std::string>{"case 2"});
    QCOMPARE(merged.commands, std::vector<std::string>{"the command --shard 2/4"});
  }

  void whatIsNotOfOneJobIsRefused() {
    const std::vector<ShardDocument> good = shares("aliasing");
    const auto with = [&](const std::function<void(json&)>& change) {
      std::vector<ShardDocument> documents = good;
      change(documents[2].content);  // share 2/4: the last one with rows
      return reasonOf(documents);
    };
    QCOMPARE(reasonOf(good), QString("merged"));
    QVERIFY(with([](json& j) { j["shard"]["index"] = 4; }).contains("are the same shard, 4/4"));
    QVERIFY(with([](json& j) { j["shard"]["count"] = 5; }).contains("other divisions"));
    QVERIFY(with([](json& j) {
              j["shard"]["job"]["study"] = "alpha";
            }).contains("other jobs: study is \"aliasing\" and \"alpha\""));
    QVERIFY(with([](json& j) { j["shard"]["cases"].push_back("case 9"); }).contains("their cases"));
    QVERIFY(with([](json& j) { j["provenance"]["commit"] = "fedcba987654"; }).contains("other versions"));
    QVERIFY(with([](json& j) { j["study"]["cancelled"] = true; }).contains("does not hold the cases"));
    QVERIFY(with([](json& j) { j["study"]["rows"].erase(0); }).contains("does not hold"));
    QVERIFY(with([](json& j) { j.erase("shard"); }).contains("not a share of a job"));
    QVERIFY(with([](json& j) { j["shard"].erase("job"); }).contains("damaged"));
    QVERIFY(with([](json& j) { j["study"] = 5; }).contains("damaged"));
    QVERIFY(with([](json& j) { j["shard"]["formatVersion"] = 99; }) ==
            "a newer version of the program wrote it");
    QVERIFY(reasonOf({}).contains("none is named"));
  }

  // Shares in one folder, and one that was stopped: its cases are missing.
  void aSuiteInSharesIsTheWholeOne() {
    Suite suite;
    suite.name = "small";
    SuiteCase study, demo, gone;
    study.study = small("aliasing");
    demo.scan = "demo";
    demo.alphas = {2};
    demo.widths = {4};
    demo.options = {{"threads", "1"}, {"trials", "1"}};
    gone.scan = "/nowhere/scan.h5";
    suite.cases = {study, demo, gone};
    const QTemporaryDir folder, alone;
    const auto run = [&](const QTemporaryDir& place, const Shard& shard, const Progress& progress) {
      return runSuite(suite, place.path().toStdString(), {cpu_.get()}, false,
                      "suite --shard " + shardText(shard), progress, {}, shard);
    };
    run(alone, {}, {});
    const auto document = [](const QTemporaryDir& place, const char* name) {
      return ShardDocument{name, json::parse(readDocument(place.filePath(name).toStdString()))};
    };
    const SuiteResult first = run(folder, {1, 2}, {});
    std::stop_source stopped;
    stopped.request_stop();
    QVERIFY(run(folder, {2, 2}, Progress(stopped.get_token())).cancelled);
    const auto parts = [&] {
      return std::vector<ShardDocument>{document(folder, "results.2-of-2.json"),
                                        document(folder, "results.1-of-2.json")};
    };
    const MergedShards half = mergeShards(parts());
    QCOMPARE(half.cases - half.missing.size(), first.cases);
    QCOMPARE(half.commands, std::vector<std::string>{"suite --shard 2/2"});
    run(folder, {2, 2}, {});
    const MergedShards merged = mergeShards(parts());
    QVERIFY(merged.missing.empty());
    const json whole = document(alone, "results.json").content;
    QCOMPARE(merged.document.at("cases").size(), whole.at("cases").size());
    for (std::size_t i = 0; i < whole.at("cases").size(); ++i) {
      const json &a = merged.document.at("cases")[i], &b = whole.at("cases")[i];
      for (const char* key : {"name", "case", "failed", "state"})
        QCOMPARE(a.value(key, json()).dump(), b.value(key, json()).dump());
    }
    for (const char* key : {"format", "schema", "kind", "suite"})
      QCOMPARE(merged.document.at(key).dump(), whole.at(key).dump());
    const std::string csv = readDocument(alone.filePath("results.csv").toStdString());
    QCOMPARE(std::count(merged.csv.begin(), merged.csv.end(), '\n'),
             std::count(csv.begin(), csv.end(), '\n'));
  }
};

SPOKELAB_CORE_TEST(TestMergeShards)

}  // namespace test_merge_shards

#include "test_merge_shards.moc"
