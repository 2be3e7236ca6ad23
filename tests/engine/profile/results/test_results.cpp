// Results as JSON and CSV: they can be read back, and name their origin.
#include <QtTest>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/core/version.h"
#include "engine/nufft/tune/repeats.h"
#include "engine/profile/results/provenance.h"
#include "engine/profile/results/results.h"
#include "tests/test_main.h"

namespace test_results {

using namespace spokelab;
using nlohmann::json;

namespace {

Candidate timedCandidate() {
  Candidate c;
  c.backend = "cpu";
  c.options.accuracy = 1e-3;
  c.options.alpha = 1.4375;
  c.options.width = 5.203125;
  c.options.kernel = KernelType::prolate;
  c.options.spread = c.options.interpolate = Method::blocked;
  c.options.normal = NormalMethod::gridded;
  c.options.bins = {16, 8, 4};
  c.options.threads = 2;
  c.options.memoryLimit = 1LL << 40;
  c.grid = {92, 96, 1};
  c.predicted = {.relativeL2 = 6.1e-4,
                 .aliasing = 6e-4,
                 .worstPixel = 2e-3,
                 .worstPosition = 7e-4,
                 .polynomial = 1e-5,
                 .bound = 7.1e-4,
                 .rounding = 1.0 / 3e6};
  c.predictedSeconds = 0.1;
  c.timings.total = 1.0 / 3;
  c.timings[Stage::spread] = 0.2;
  c.timings[Stage::fft] = 0.1;
  c.spread = 0.03;
  c.repeats = 5;
  c.runs = {1.0 / 3, 0.4, 0.3, 0.35, 0.32};
  c.setPointsSeconds = 0.01;
  c.measuredError = 5.9e-4;
  c.memory = 1 << 20;
  return c;
}

TuneResult someResult() {
  TuneResult r;
  r.candidates = {timedCandidate(), Candidate{}};
  r.candidates[1].backend = "cuda";
  r.candidates[1].refused = "it needs 3 GiB, there are \"2\"";
  r.best = 0;
  r.reason = "Fastest of 1";
  r.seconds = 0.5;
  return r;
}

// Cells of one line, with quotes undone.
std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> out(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') {
      if (quoted && i + 1 < line.size() && line[i + 1] == '"')
        out.back() += line[i++];
      else
        quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      out.emplace_back();
    } else {
      out.back() += line[i];
    }
  }
  return out;
}

}  // namespace

class TestResults : public QObject {
  Q_OBJECT
 private slots:
  void candidatesRoundTripThroughJson();
  void brokenCandidatesAreRefused();
  void csvHoldsWhatJsonHolds();
  void resultsKeepEveryCandidate();
  void repeatsAndLoadReadBackAndMayBeMissing();
  void howASearchEndedReadsBackAndMayBeMissing();
  void scansAreDescribed();
  void reconstructionsAreDescribed();
  void theAccountOfAJobRoundTrips();
  void provenanceNamesMachineAndCommand();
};

void TestResults::candidatesRoundTripThroughJson() {
  const Candidate c = timedCandidate();
  const Candidate d = candidateFromJson(json::parse(toJson(c).dump()));
  QCOMPARE(d.backend, c.backend);
  QCOMPARE(d.options, c.options);
  QCOMPARE(d.grid, c.grid);
  QCOMPARE(d.timings.total, c.timings.total);
  QCOMPARE(d.timings.seconds, c.timings.seconds);
  QCOMPARE(d.predicted.rounding, c.predicted.rounding);
  QCOMPARE(d.predicted.bound, c.predicted.bound);
  QCOMPARE(d.spread, c.spread);
  QCOMPARE(d.repeats, c.repeats);
  QVERIFY(d.runs == c.runs);
  QCOMPARE(d.setPointsSeconds, c.setPointsSeconds);
  QCOMPARE(*d.measuredError, *c.measuredError);
  QCOMPARE(d.memory, c.memory);
  QCOMPARE(toJson(d).dump(), toJson(c).dump());
  Candidate refused;
  refused.refused = "no device";
  const Candidate again = candidateFromJson(toJson(refused));
  QCOMPARE(again.refused, refused.refused);
  QVERIFY(!again.measuredError && !again.timed());
}

void TestResults::brokenCandidatesAreRefused() {
  for (const char* text : {"null", "[]", "{}", R"({"backend": 5})"})
    QVERIFY_EXCEPTION_THROWN(candidateFromJson(json::parse(text)), Error);
  json j = toJson(timedCandidate());
  j["options"]["kernel"] = "triangle";
  QVERIFY_EXCEPTION_THROWN(candidateFromJson(j), Error);
  j = toJson(timedCandidate());
  j["grid"] = {1, 2};
  QVERIFY_EXCEPTION_THROWN(candidateFromJson(j), Error);
}

void TestResults::csvHoldsWhatJsonHolds() {
  std::istringstream csv(toCsv(someResult()));
  std::string line;
  std::getline(csv, line);
  const std::vector<std::string> names = cells(line);
  std::getline(csv, line);
  std::vector<std::string> row = cells(line);
  QCOMPARE(row.size(), names.size());
  auto cell = [&](const char* name) {
    const auto at = std::find(names.begin(), names.end(), name);
    return at == names.end() ? std::string("no such column") : row[std::size_t(at - names.begin())];
  };
  QCOMPARE(cell("best"), std::string("1"));
  QCOMPARE(cell("kernel"), std::string("prolate"));
  QCOMPARE(leadingNumber(cell("alpha")), 1.4375);
  QCOMPARE(leadingNumber(cell("width")), 5.203125);
  QCOMPARE(cell("grid_y"), std::string("96"));
  QCOMPARE(leadingNumber(cell("spread_s")), 0.2);
  QVERIFY(std::abs(leadingNumber(cell("unaccounted_s")) - (1.0 / 3 - 0.3)) < 1e-9);
  QCOMPARE(leadingNumber(cell("measured_error")), 5.9e-4);
  QCOMPARE(leadingNumber(cell("cost_low_quartile_s")), 0.32);
  QCOMPARE(leadingNumber(cell("cost_high_quartile_s")), 0.35);
  QVERIFY(QString::fromStdString(cell("runs_s")).split(' ').size() == 5);
  std::getline(csv, line);
  row = cells(line);
  QCOMPARE(row.size(), names.size());
  QCOMPARE(cell("refused"), std::string("it needs 3 GiB, there are \"2\""));
  QCOMPARE(cell("total_s"), std::string());  // nothing was timed: not a zero
  QVERIFY(!std::getline(csv, line));
}

void TestResults::resultsKeepEveryCandidate() {
  const json j = toJson(someResult());
  QCOMPARE(j["candidates"].size(), std::size_t(2));
  QCOMPARE(j["best"].get<int>(), 0);
  QCOMPARE(j["reason"].get<std::string>(), std::string("Fastest of 1"));
  QVERIFY(!j.contains("load"));
}

void TestResults::repeatsAndLoadReadBackAndMayBeMissing() {
  TuneResult r = someResult();
  r.load = {0.25, 3.5, 1.5, 4};
  json j = toJson(r);
  QCOMPARE(j["load"]["busy"].get<bool>(), true);
  TuneResult back = tuneResultFromJson(json::parse(j.dump()));
  QVERIFY(back.candidates[0].runs == r.candidates[0].runs);
  QCOMPARE(back.load.atStart, 0.25);
  QCOMPARE(back.load.others, 1.5);
  QCOMPARE(back.load.processors, 4);
  QVERIFY(back.load.isBusy());
  // A file of an earlier version.
  j.erase("load");
  for (json& c : j["candidates"])
    for (const char* name : {"runs", "quartiles"}) c.erase(name);
  back = tuneResultFromJson(j);
  QVERIFY(back.candidates[0].runs.empty() && back.load.others < 0);
  QCOMPARE(back.candidates[0].repeats, 5);
  const CostQuartiles q = costQuartiles(back.candidates[0]);
  QVERIFY(std::abs((q.high - q.low) / q.median - 0.03) < 0.001);
}

void TestResults::howASearchEndedReadsBackAndMayBeMissing() {
  TuneResult r = someResult();
  r.cutShort = true;
  r.timedEarlier = 7;
  json j = toJson(r);
  TuneResult back = tuneResultFromJson(json::parse(j.dump()));
  QVERIFY(back.cutShort);
  QCOMPARE(back.timedEarlier, 7);
  for (const char* name : {"cutShort", "timedEarlier"}) j.erase(name);
  back = tuneResultFromJson(j);
  QVERIFY(!back.cutShort && back.timedEarlier == 0);
}

void TestResults::scansAreDescribed() {
  Scan scan;
  scan.name = "demo";
  scan.coils = 3;
  Trajectory t;
  t.dims = 2;
  t.shotOffsets = {0, 2, 5};
  t.points.assign(10, 0);
  scan.trajectories.push_back(t);
  scan.decisions.push_back({"k-unit", "cycles/FOV", "max |k| = 31.5", {"cycles/pixel"}, true});
  const json j = toJson(scan);
  QCOMPARE(j["coils"].get<int>(), 3);
  QCOMPARE(j["trajectories"][0]["shots"].get<int>(), 2);
  QCOMPARE(j["trajectories"][0]["samples"].get<int>(), 5);
  QCOMPARE(j["decisions"][0]["topic"].get<std::string>(), std::string("k-unit"));
  QVERIFY(j["decisions"][0]["overridden"].get<bool>());
}

void TestResults::reconstructionsAreDescribed() {
  Reconstruction r;
  r.density = "analytic";
  r.tuning = std::make_shared<TuneResult>(someResult());
  const json j = toJson(r);
  QCOMPARE(j["density"].get<std::string>(), std::string("analytic"));
  QCOMPARE(j["tuning"]["candidates"].size(), std::size_t(2));
  QVERIFY(!j.contains("image"));
  for (const OptionSpec& spec : reconOptionTable()) QVERIFY(j["options"].contains(spec.name));
}

void TestResults::theAccountOfAJobRoundTrips() {
  JobAccount account;
  account[JobStage::read] = 1.0 / 3;
  account[JobStage::maps] = 0.1;
  account[JobStage::write] = 1e-4;
  account.total = 0.5;
  const json j = json::parse(toJson(account).dump());
  QCOMPARE(j.at("seconds").size(), std::size_t(3));
  QCOMPARE(j.at("unaccounted").get<double>(), account.unaccounted());
  const JobAccount again = jobAccountFromJson(j);
  QCOMPARE(again.total, account.total);
  QVERIFY(again.seconds == account.seconds);
  QVERIFY_EXCEPTION_THROWN(jobAccountFromJson(json::parse(R"({"total": 1})")), Error);

  Reconstruction r;
  r.account = account;
  json whole = toJson(r);
  std::vector<std::string> unknown;
  QVERIFY(reconstructionFromJson(whole, unknown).account.seconds == account.seconds);
  whole.erase("account");  // as earlier versions wrote it
  QCOMPARE(reconstructionFromJson(whole, unknown).account.total, 0.0);
}

void TestResults::provenanceNamesMachineAndCommand() {
  const json j = provenance("spokelab-cli tune demo --alpha 1.5");
  QCOMPARE(j["commandLine"].get<std::string>(), std::string("spokelab-cli tune demo --alpha 1.5"));
  QCOMPARE(j["version"].get<std::string>(), std::string(version()));
  QVERIFY(j["machine"]["threads"].get<int>() >= 1);
  QVERIFY(!j["machine"]["system"].get<std::string>().empty());
  QVERIFY(j["machine"]["memoryBytes"].get<std::int64_t>() > 0);
  QVERIFY(QDateTime::fromString(QString::fromStdString(j["time"].get<std::string>()), Qt::ISODate).isValid());
}

SPOKELAB_TEST(TestResults)

}  // namespace test_results

#include "test_results.moc"
