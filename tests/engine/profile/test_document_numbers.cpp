// null, texts, negative and vast numbers in the place of each number of each document that we read:
// an error in words, or a value that holds finite numbers alone.
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <fstream>
#include <set>

#include <nlohmann/json.hpp>

#include "engine/core/documents/document_numbers.h"
#include "engine/core/error.h"
#include "engine/nufft/tune/repeats.h"
#include "engine/nufft/tune/tune_reason.h"
#include "engine/nufft/tune/wisdom_entry.h"
#include "engine/profile/baseline/baseline_compare.h"
#include "engine/profile/baseline/baseline_json.h"
#include "engine/profile/results/results.h"
#include "engine/profile/study/study_results.h"
#include "engine/profile/suite/suite.h"
#include "engine/profile/suite/suite_json.h"
#include "engine/recon/job/job_history.h"
#include "engine/scan/formats/images/sidecar.h"
#include "engine/scan/read/description/scan_description.h"
#include "tests/campaign.h"
#include "tests/engine/profile/session/session_samples.h"
#include "tests/test_main.h"

namespace test_document_numbers {

using namespace spokelab;
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

// Keys whose null means something: a prediction that is infinite, executions without an end, a
// residual that is not a number, a place that a chart leaves out.
const std::set<std::string> nullable = {"relativeL2",
                                        "aliasing",
                                        "worstPixel",
                                        "worstPosition",
                                        "polynomial",
                                        "bound",
                                        "rounding",
                                        "plan",
                                        "points",
                                        "execution",
                                        "transfer",
                                        "executions",
                                        "residuals",
                                        "objectives",
                                        "x",
                                        "y",
                                        "predictedSeconds",
                                        "predictedNormalError",
                                        "measuredError"};

// Reads a document and returns it as JSON again; throws Error.
using Reader = std::function<json(const json&)>;

std::vector<std::string> numbersOf(const json& document) {
  std::vector<std::string> places;
  const json flat = document.flatten();
  for (const auto& [place, value] : flat.items())
    if (value.is_number()) places.push_back(place);
  return places;
}

// The key of the first null without a meaning; empty: none.
std::string nullIn(const json& result, const std::string& key = {}) {
  if (result.is_null()) return nullable.contains(key) ? std::string() : '/' + key;
  if (!result.is_structured()) return {};
  for (const auto& [name, value] : result.items())
    if (std::string found = nullIn(value, result.is_object() ? name : key); !found.empty()) return found;
  return {};
}

Candidate sampleCandidate(double seconds) {
  Candidate c;
  c.backend = "cpu";
  c.options.alpha = 1.5;
  c.options.width = 4;
  c.grid = {96, 96, 1};
  c.timings.total = c.seconds = seconds;
  c.timings[Stage::fft] = seconds / 2;
  c.repeats = 3;
  c.runs = {seconds, 1.1 * seconds, 0.9 * seconds};
  c.predictedSeconds = seconds;
  c.predicted.relativeL2 = c.predicted.bound = 4e-4;
  c.measuredError = 5e-4;
  c.memory = 1000;
  return c;
}

TuneResult sampleTuning() {
  TuneResult result;
  result.candidates = {sampleCandidate(1e-3), sampleCandidate(2e-3)};
  result.best = 0;
  result.reason = "fastest";
  result.seconds = 1;
  result.load.processors = 2;
  result.load.atStart = result.load.atEnd = result.load.others = 0.5;
  return result;
}

}  // namespace

class TestDocumentNumbers : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  int cases_ = 0, refused_ = 0;

  fs::path file(const char* name) const { return folder_.filePath(name).toStdString(); }
  fs::path written(const char* name, const json& document) const {
    std::ofstream(file(name), std::ios::binary | std::ios::trunc) << document.dump();
    return file(name);
  }

  // Every number of the document in turn.
  void walk(const json& document, const Reader& read) {
    constexpr qint64 longest = 2000;  // ms
    const std::vector<json> bad = {nullptr, "12",   -1,   -1e300,        1e300,           1e18,
                                   0,       1e-300, true, json::array(), 9007199254740993};
    QVERIFY2(nullIn(read(document)).empty(), nullIn(read(document)).c_str());
    const std::vector<std::string> places = numbersOf(document);
    QVERIFY(!places.empty());
    int refused = 0;
    for (const std::string& place : places)
      for (const json& value : bad) {
        json changed = document;
        changed[json::json_pointer(place)] = value;
        const std::string what = place + " = " + value.dump();
        ++cases_;
        QElapsedTimer timer;
        timer.start();
        try {
          const std::string left = nullIn(read(changed));
          QVERIFY2(left.empty(), (what + " is read, and leaves no number at " + left).c_str());
        } catch (const Error& error) {
          ++refused;
          QVERIFY2(!error.summary().empty() && !error.reason().empty(), what.c_str());
        } catch (const json::exception& error) {  // of parts whose reader adds the file's name
          ++refused;
          QVERIFY2(*error.what() != 0, what.c_str());
        }
        QVERIFY2(timer.elapsed() < longest, what.c_str());
      }
    QVERIFY2(refused >= int(places.size()), "hardly anything is refused");
    refused_ += refused;
  }

  static json tuningRead(const json& j) {
    const TuneResult result = tuneResultFromJson(j);
    TuneRequest request;
    request.workload = result.workload;
    for (const Candidate& c : result.candidates)
      if (!c.runs.empty()) static_cast<void>(costQuartiles(c));
    if (result.best >= 0 && result.candidates[std::size_t(result.best)].timed()) {
      static_cast<void>(behindOf(result, request));
      static_cast<void>(reasonFor(result, request));
    }
    static_cast<void>(toCsv(result));
    return json::parse(toJson(result).dump());
  }

 private Q_SLOTS:
  void cleanupTestCase() {
    QVERIFY(refused_ > cases_ / 4);
    test::countCases("numbers of documents that were changed", cases_);
  }

  void tunings() { walk(toJson(sampleTuning()), tuningRead); }

  void reconstructions() {
    walk(toJson(*sampleResult(1)), [](const json& j) {
      std::vector<std::string> unknown;
      return json::parse(toJson(reconstructionFromJson(j, unknown)).dump());
    });
  }

  void wisdom() {
    walk(toJson(sampleCandidate(1e-3)), [](const json& j) {
      const std::optional<Candidate> c = wisdomCandidate(j.dump());
      if (!c) throw Error("no", "not plausible", "");
      WisdomEntries ours{{"key", toJson(sampleCandidate(2e-3)).dump()}};
      for (const WisdomRule rule : {WisdomRule::better, WisdomRule::theirs})
        mergeWisdom(ours, {{"key", j.dump()}}, rule);
      return json::parse(toJson(*c).dump());
    });
  }

  void sessions() {
    const fs::path session = file("study.spokelab");
    SessionWriter(session).save(sampleSession("demo"), {});
    std::ifstream in(session);
    json document = json::parse(in);
    walk(document, [&](const json& j) {
      const LoadedSession loaded = loadSession(written("study.spokelab", j), {}, false);
      json all = json::array();
      for (const SavedResult& r : loaded.session.results) all.push_back(toJson(*r.result));
      for (const TimedRun& r : loaded.session.runs) all.push_back(toJson(*r.timed));
      return json::parse(all.dump());
    });
  }

  void baselines() {
    Baseline b;
    b.name = "before";
    b.executions = 3;
    b.control = {1e-3, 1.1e-3, 0.9e-3, 1e-3};
    b.cases.push_back({"one", sampleCandidate(1e-3), b.control, {0, 0, 0, 0}, {0, 0, 0, 0}});
    walk(toJson(b), [&](const json& j) {
      const Baseline read = readBaseline(written("base.json", j));
      static_cast<void>(toJson(compareBaselines(b, read)).dump());
      return json::parse(toJson(read).dump());
    });
    walk(toJson(sampleTuning()), [&](const json& j) {
      json all = json::array();
      for (const Candidate& c : plansIn(written("sweep.json", j))) all.push_back(toJson(c));
      return json::parse(all.dump());
    });
  }

  void studies() {
    StudyResult study;
    study.request.study = "alpha";
    study.request.sizes = {32};
    study.request.accelerations = {2};
    study.request.accuracies = {1e-3};
    study.request.threads = {1};
    StudyRow row;
    row.c.size = 32;
    row.c.points = 1000;
    row.candidate = sampleCandidate(1e-3);
    row.seconds = row.y = row.yLow = row.yHigh = row.speedUp = 1;
    study.rows = {row};
    walk(toJson(study), [](const json& j) {
      const StudyResult read = studyFromJson(j);
      static_cast<void>(toCsv(read));
      return json::parse(toJson(read).dump());
    });
  }

  void suites() {
    const json suite = {{"format", "spokelab-suite"},
                        {"formatVersion", 1},
                        {"name", "mine"},
                        {"cases",
                         {{{"study", "alpha"}, {"sizes", {16}}, {"accelerations", {2.5}}, {"trials", 3}},
                          {{"scan", "scan.h5"}, {"alphas", {1.5, 2}}, {"widths", {4}}}}}};
    walk(suite, [&](const json& j) { return suiteToJson(readSuite(written("suite.json", j))); });
  }

  void geometriesBesideImages() {
    Image image;
    image.size = {6, 5, 2};
    image.geometry = sampleResult(1)->image->geometry;
    image.geometry.matrix = image.size;
    image.geometry.slicePositions = {{1, 2, 3}, {1, 2, 13}};
    image.data.resize(60);
    const fs::path named = file("image.npy");
    walk(json::parse(sidecarText(image, "zyx")), [&](const json& j) {
      written("image.npy.json", j);
      const std::optional<Geometry> g = geometryBeside(named, image.size, {});
      return g ? json{g->fov, g->slicePositions} : json::object();
    });
  }

  void descriptions() {
    const json description = {{"spokelab-scan", 1},
                              {"samples", {{"file", "y.npy"}, {"shape", {2, 8}}}},
                              {"trajectory", {{"file", "k.npy"}}},
                              {"matrix", {16, 16}},
                              {"fov_mm", {200.5, 200}},
                              {"dwell_us", 2.5},
                              {"positions_mm", {{0, 0, 1}}},
                              {"frame_times_s", {0, 0.5}},
                              {"samples_per_shot", 8}};
    walk(description, [&](const json& j) {
      return json::parse(scanDescriptionText(parseScanDescription(j.dump(), "/", "Cannot read it")));
    });
  }

  // Unusable jobs are left out, and the others are kept.
  void historiesOfJobs() {
    JobWork work;
    work.kind = "cpu";
    work.samples = work.pixels = work.mapPixels = 100;
    JobAccount account;
    for (double& seconds : account.seconds) seconds = 1;
    const fs::path history = file("history.jobs");
    JobHistory(history).keep(work, account);
    work.kind = "other";
    JobHistory(history).keep(work, account);
    std::ifstream in(history);
    const json document = json::parse(in);
    for (const std::string& place : numbersOf(document)) {
      if (!place.starts_with("/jobs/0/")) continue;
      for (const json& value : {json(nullptr), json("12"), json(-1), json(1e300)}) {
        json changed = document;
        changed[json::json_pointer(place)] = value;
        const JobAccount forecast = JobHistory(written("history.jobs", changed)).forecast(work);
        QVERIFY2(forecast.total > 0 && std::isfinite(forecast.total), (place + " " + value.dump()).c_str());
        ++cases_;
      }
    }
  }

  void whatIsSaidOfANumber() {
    const auto said = [](const json& value) {
      try {
        numberAt({{"spread", value}}, "spread", notNegative);
      } catch (const json::exception& e) {
        return std::string(e.what());
      }
      return std::string();
    };
    QCOMPARE(said(nullptr), std::string("\"spread\" is null, and has to be a number from 0"));
    QCOMPARE(said(-2), std::string("\"spread\" is -2, and has to be a number from 0"));
    QVERIFY(said(0).empty() && said(1e300).empty());
    QVERIFY_EXCEPTION_THROWN((countAt<int>({{"size", 4294967297}}, "size")), json::exception);
    QVERIFY_EXCEPTION_THROWN((countAt<int>({{"size", 1.5}}, "size")), json::exception);
    QCOMPARE((countAt<int>({{"size", 16.0}}, "size")), 16);
  }
};

SPOKELAB_CORE_TEST(TestDocumentNumbers)

}  // namespace test_document_numbers

#include "test_document_numbers.moc"
