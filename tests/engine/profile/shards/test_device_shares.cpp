// Studies and suites shared by several devices give what one device gives, case by case; who may
// share is checked before anything runs.
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <set>

#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/core/measure/trace.h"
#include "engine/profile/results/shard_json.h"
#include "engine/profile/shards/device_shares.h"
#include "engine/profile/study/study_results.h"
#include "engine/recon/sense/backend_cpu.h"
#include "tests/engine/recon/ranks/numbered_device.h"
#include "tests/test_main.h"

namespace test_device_shares {

using namespace spokelab;
using namespace spokelab::test;
using nlohmann::json;

namespace {

StudyRequest smallStudy() {
  StudyRequest request;
  request.study = "errors";
  request.sizes = {8};
  request.accelerations = {4};
  request.accuracies = {1e-2, 1e-3};
  request.trials = 1;
  return request;
}

// The part that does not depend on the clock or the device.
std::vector<std::string> settled(const json& rows) {
  std::vector<std::string> texts;
  for (json row : rows) {
    for (const char* key :
         {"shard", "candidate", "seconds", "transferSeconds", "setUpSeconds", "speedUp", "yQuartiles", "y"})
      row.erase(key);
    texts.push_back(row.dump());
  }
  return texts;
}

json documentOf(const DeviceShare& share, const StudyResult& result) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < result.cases; ++i) names.push_back(std::to_string(i));
  const json job = {{"command", "study"}};
  return {{"study", toJson(result)},
          {"shard", shardToJson({share.shard, job, names, result.places, "the command"})}};
}

std::string reasonOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

class TestDeviceShares : public QObject {
  Q_OBJECT

  std::vector<std::unique_ptr<NumberedDevice>> devices_;
  std::unique_ptr<Backend> cpu_ = makeCpuBackend();

  std::vector<Backend*> gpu() { return {devices_.front().get()}; }

 private Q_SLOTS:
  void initTestCase() {
    for (int d = 0; d < 3; ++d) devices_.push_back(std::make_unique<NumberedDevice>(d, devices_));
  }

  void eachDeviceHasAShare() {
    const auto shares = deviceShares(gpu(), "auto", "0,2", {});
    QCOMPARE(shares.size(), std::size_t(2));
    QVERIFY((shares[1].shard == Shard{2, 2}));
    QCOMPARE(shares[1].backends, std::vector<Backend*>{devices_[2].get()});
    const auto one = deviceShares({cpu_.get()}, "auto", "all", {3, 4});
    QCOMPARE(one.size(), std::size_t(1));
    QVERIFY((one[0].shard == Shard{3, 4}));
    QCOMPARE(deviceShares(gpu(), "auto", "1", {})[0].backends, std::vector<Backend*>{devices_[1].get()});
  }

  void whatCannotShareIsRefused() {
    class Plugin final : public OtherProcessor {
      std::string name() const override { return "plugin"; }
    } plugin;
    const std::vector<Backend*> both = {devices_.front().get(), &plugin};
    const std::string beside = reasonOf([&] { deviceShares(both, "auto", "all", {}); });
    QVERIFY2(beside.find("beside each other") != std::string::npos, beside.c_str());
    QCOMPARE(deviceShares(both, "plugin", "0", {}).size(), std::size_t(1));
    const std::string again = reasonOf([&] { deviceShares(gpu(), "auto", "all", {2, 3}); });
    QVERIFY2(again.find("a share already") != std::string::npos, again.c_str());
  }

  void aStudyHasTheRowsOfOneDevice() {
    const StudyRequest request = smallStudy();
    const std::vector<NufftBackend*> first = {devices_.front().get()};
    const json alone = toJson(runStudy(first, request, {}));
    const MergedShards merged = runDeviceShares(
        deviceShares(gpu(), "auto", "all", {}), "the command", {},
        [&](const DeviceShare& share, const Progress& own) {
          const std::vector<NufftBackend*> backends(share.backends.begin(), share.backends.end());
          return documentOf(share, runStudy(backends, request, own, {}, share.shard));
        });
    QVERIFY(merged.missing.empty());
    QVERIFY(!alone.at("rows").empty());
    QCOMPARE(settled(merged.document.at("study").at("rows")), settled(alone.at("rows")));
    const json& shards = merged.document.at("shards");
    QCOMPARE(shards.size(), std::size_t(3));
    QVERIFY(shards[2].at("provenance").at("device").get<std::string>().starts_with("GPU 2 ("));
  }

  // The first device's spans are on the caller's track, the spans of each other one on a track with
  // its name.
  void aTraceTellsTheSharesApart() {
    TraceRecorder recorder;
    {
      const SpanScope traced(&recorder);
      runDeviceShares(deviceShares(gpu(), "auto", "0,2", {}), "the command", {},
                      [&](const DeviceShare& share, const Progress& own) {
                        const std::vector<NufftBackend*> backends(share.backends.begin(),
                                                                  share.backends.end());
                        const StudyResult result = runStudy(backends, smallStudy(), own, {}, share.shard);
                        return documentOf(share, result);
                      });
      QCOMPARE(activeTrace(), &recorder);
      QCOMPARE(ownTrack(), 0);
    }
    const Trace trace = recorder.take();
    QCOMPARE(trace.names.at(rankTrack + 1), std::string("job on GPU 2"));
    QVERIFY(trace.names.at(deviceTrack).starts_with("GPU 0: "));
    QVERIFY(trace.names.at(deviceTrack + 2).starts_with("GPU 2: "));
    std::set<int> tracks;  // of the transforms that were timed
    for (const TraceSpan& span : trace.spans)
      if (span.kind == SpanKind::transform) tracks.insert(span.track);
    QCOMPARE(tracks, (std::set<int>{0, rankTrack + 1}));
  }

  void aFailureNamesItsDevice() {
    const std::string said = reasonOf([&] {
      runDeviceShares(deviceShares(gpu(), "auto", "all", {}), "", {},
                      [](const DeviceShare& share, const Progress&) {
                        if (share.shard.index == 2) throw Error("It failed", "it is lost", "");
                        return json::object();
                      });
    });
    QVERIFY2(said.find("GPU 1 (") != std::string::npos && said.find("it is lost") != std::string::npos,
             said.c_str());
  }

  void aSuitesFolderIsThatOfOneRun() {
    Suite suite;
    suite.name = "small";
    SuiteCase all;
    all.study = smallStudy();
    suite.cases = {all};
    const std::size_t count = splitCases(suite).size();
    QVERIFY(count > 1);
    const QTemporaryDir one, several;
    const std::filesystem::path there = several.path().toStdString(), here = one.path().toStdString();
    runSuite(suite, here, gpu(), false, "the command", {});
    const SuiteResult shared =
        runSuiteOnDevices(deviceShares(gpu(), "auto", "0-1", {}), suite, there, false, "the command", {});
    QCOMPARE(shared.rows.size(), count);
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(there))
      files.push_back(entry.path().filename().string());
    std::sort(files.begin(), files.end());
    QCOMPARE(files, (std::vector<std::string>{"cases", "report.html", "results.csv", "results.json",
                                              "suite.json", "verdicts.md"}));
    const auto read = [](const std::filesystem::path& file) {
      return parseDocument(readDocument(file), "", "");
    };
    const json a = read(there / "results.json"), b = read(here / "results.json");
    QCOMPARE(a.at("cases").size(), b.at("cases").size());
    for (std::size_t i = 0; i < count; ++i) {
      QCOMPARE(a["cases"][i].at("name"), b["cases"][i].at("name"));
      QCOMPARE(shared.rows[i].name, b["cases"][i].at("name").get<std::string>());
    }
    // Finished cases are kept.
    const SuiteResult kept =
        runSuiteOnDevices(deviceShares(gpu(), "auto", "all", {}), suite, there, false, "the command", {});
    QVERIFY(std::all_of(kept.rows.begin(), kept.rows.end(),
                        [](const SuiteRow& row) { return row.state == SuiteState::kept; }));
  }
};

SPOKELAB_TEST(TestDeviceShares)

}  // namespace test_device_shares

#include "test_device_shares.moc"
