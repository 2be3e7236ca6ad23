// Baselines: real timings survive the disk, verdicts follow the repeats, and a change in the
// machine, in the answer or in the plans is said.
#include <QTemporaryDir>
#include <QtTest>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/core/error.h"
#include "engine/nufft/tune/sweep/sweep.h"
#include "engine/profile/baseline/baseline.h"
#include "engine/profile/baseline/baseline_compare.h"
#include "engine/profile/baseline/baseline_json.h"
#include "engine/profile/baseline/baseline_measure.h"
#include "engine/recon/explore/sweep_paths.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/run/scan_problem.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/test_main.h"

namespace test_baseline {

using namespace spokelab;

namespace {

std::shared_ptr<const Scan> scan(double peakHz = 0) {
  SimulateOptions options;
  if (peakHz > 0) options.offResonance = {FieldShape::head, peakHz};
  options.trajectory.matrix = {24, 24, 1};
  options.coils = 1;
  return simulate(options, {});
}

std::vector<Candidate> plans(Backend& backend, const Scan& scan, const ReconOptions& options) {
  const ScanProblem problem = scanProblem(scan, options);
  SweepRequest request;
  request.base = tuneRequest(problem, options);
  request.base.trials = 1;
  request.alphas = {1.5, 2};
  request.widths = {4, 6};
  NufftBackend* const backends[] = {&backend};
  return sweep(backends, request, {}).candidates;
}

// Repeats whose order statistics are evenly spread about `middle`.
std::vector<double> repeats(double middle, int count = 12) {
  std::vector<double> list;
  for (int i = 0; i < count; ++i) list.push_back(middle * (1 + 0.002 * (i - count / 2) + 1e-7 * middle));
  return list;
}

Baseline invented(const std::vector<double>& middles) {
  Baseline b;
  b.name = "invented";
  b.fingerprint = "f";
  b.origin = {{"commit", "a"}, {"time", "t"}, {"clock", "2000 MHz"}};
  b.control = repeats(1);
  for (std::size_t i = 0; i < middles.size(); ++i) {
    PlanMeasurement c;
    c.name = "case " + std::to_string(i);
    c.plan.backend = "cpu";
    c.plan.options.accuracy = 1e-3;
    c.plan.measuredError = 9e-4;
    c.seconds = repeats(middles[i]);
    c.setUpSeconds = repeats(1);
    b.cases.push_back(c);
  }
  return b;
}

const BaselineRow& row(const BaselineComparison& comparison, const std::string& name,
                       const std::string& quantity = "execution") {
  for (const BaselineRow& r : comparison.rows)
    if (r.name == name && r.quantity == quantity) return r;
  throw Error("no row", name, "");
}

}  // namespace

class TestBaseline : public QObject {
  Q_OBJECT
  std::unique_ptr<Backend> cpu_ = makeCpuBackend();

 private Q_SLOTS:
  void aRunIsMeasuredKeptAndReadBack() {
    const auto s = scan();
    ReconOptions options;
    options.nufft.accuracy = 1e-2;
    options.nufft.threads = 1;
    const BaselineSettings settings{5, 2};
    const Baseline b = measureBaseline("first", *s, {}, options, Direction::adjoint,
                                       plans(*cpu_, *s, options), {cpu_.get()}, settings, "the command", {});
    QCOMPARE(b.cases.size(), std::size_t{4});
    QCOMPARE(b.control.size(), std::size_t{5});
    QCOMPARE(b.cases[0].plan.options.alpha, 1.5);
    QCOMPARE(b.cases[3].plan.options.alpha, 2.0);
    for (const PlanMeasurement& c : b.cases) {
      QCOMPARE(c.seconds.size(), std::size_t{5});
      for (const double t : c.seconds) QVERIFY(t > 0 && t < 10);
      for (const double t : c.setUpSeconds) QVERIFY(t > 0 && t < 10);
      QVERIFY(c.plan.measuredError && *c.plan.measuredError > 0);
      QVERIFY(c.answerHolds());
    }
    for (const char* key : {"version", "commit", "cpu", "time", "load", "clock", "governor", "device cpu"})
      QVERIFY2(!b.origin.at(key).empty(), key);
    const QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("b.json").toStdString();
    writeBaseline(b, file);
    const Baseline read = readBaseline(file);
    QVERIFY(toJson(read) == toJson(b));
    QCOMPARE(plansIn(file).size(), std::size_t{4});
    // The same plans again, case by case; the answer is checked anew.
    const Baseline again = measureAgain(read, *s, {cpu_.get()}, settings, "", {});
    QCOMPARE(again.cases.size(), std::size_t{4});
    const BaselineComparison comparison = compareBaselines(read, again);
    for (std::size_t i = 0; i < 4; ++i) {
      QCOMPARE(again.cases[i].name, b.cases[i].name);
      QCOMPARE(row(comparison, b.cases[i].name).repeatsAfter, 5);
    }
    QVERIFY(comparison.wrong.empty());
  }

  // A way through the field is timed as what it is, not as the NUFFT of its options.
  void waysThroughAFieldAreTimed() {
    const auto s = scan(60);
    ReconOptions options;
    options.iterative.method = ReconMethod::sense;
    options.nufft.accuracy = 1e-2;
    options.nufft.threads = 1;
    TuneRequest request = tuneRequest(scanProblem(*s, options), options);
    request.trials = 1;
    SweepPolicy policy;
    policy.alphas = {1.5};
    const std::vector<Candidate> ways =
        sweepOfScan({cpu_.get()}, *s, options, request, policy, {}).candidates;
    const Baseline b =
        measureBaseline("field", *s, {}, options, Direction::normal, ways, {cpu_.get()}, {4, 1}, "", {});
    std::set<TransformKind> kinds;
    double exact = 0, segments = 0;
    for (const PlanMeasurement& c : b.cases) {
      if (!c.plan.refused.empty()) continue;
      kinds.insert(c.plan.path.transform);
      QCOMPARE(c.seconds.size(), std::size_t{4});
      QVERIFY2(c.answerHolds() && c.plan.measuredError, c.name.c_str());
      QVERIFY(c.setUpSeconds.front() > 0);
      const double fastest = *std::min_element(c.seconds.begin(), c.seconds.end());
      if (c.plan.path.transform == TransformKind::gdft) exact = fastest;
      if (c.plan.path.transform == TransformKind::segmented) segments = fastest;
    }
    QVERIFY(kinds.contains(TransformKind::segmented) && kinds.contains(TransformKind::segmentedToeplitz));
    QVERIFY2(exact > 2 * segments, "exact sums take as long as a NUFFT");
    // Another field is another job.
    QVERIFY(transformFingerprint(*s, options) != transformFingerprint(*scan(30), options));
    QVERIFY_THROWS_EXCEPTION(Error, measureAgain(b, *scan(), {cpu_.get()}, {4, 1}, "", {}));
  }

  void aBaselineBesideItselfHasNoDifference() {
    const Baseline b = invented({1, 2, 3});
    const BaselineComparison c = compareBaselines(b, b);
    QCOMPARE(c.count(Verdict::noDifference), 3);
    QVERIFY(c.differences.empty());
    for (const BaselineRow& r : c.rows) QVERIFY(r.test.low <= 1 && r.test.high >= 1);
    QVERIFY(c.summary().find("3 without a difference") != std::string::npos);
    QVERIFY(c.summary().find("machine") == std::string::npos);
  }

  void slowerAndFasterAreTold() {
    const BaselineComparison c = compareBaselines(invented({1, 1, 1}), invented({1.2, 0.8, 1}));
    QVERIFY(row(c, "case 0").verdict == Verdict::slower);
    QVERIFY(row(c, "case 1").verdict == Verdict::faster);
    QVERIFY(row(c, "case 2").verdict == Verdict::noDifference);
    QVERIFY(row(c, "case 0", "set-up").verdict == Verdict::noDifference);
    QVERIFY(std::abs(row(c, "case 0").test.ratio - 1.2) < 0.01);
    QVERIFY(row(c, "case 0").test.low > 1.15 && row(c, "case 0").test.high < 1.25);
  }

  void aDifferenceThatDoesNotMatterIsNone() {
    const Baseline before = invented({1}), after = invented({1.05});
    QVERIFY(row(compareBaselines(before, after, 0.02), "case 0").verdict == Verdict::slower);
    const BaselineComparison c = compareBaselines(before, after, 0.1);
    QVERIFY(row(c, "case 0").corrected < 0.05);
    QVERIFY(row(c, "case 0").verdict == Verdict::noDifference);
  }

  void manyCasesAreCorrectedFor() {  // alone significant, among forty rows not
    Baseline before = invented(std::vector<double>(20, 1.0)), after = before;
    before.cases[0].seconds = {1.00, 1.02, 1.04, 1.06, 1.08};
    after.cases[0].seconds = {1.05, 1.09, 1.10, 1.11, 1.12};
    const BaselineRow r = row(compareBaselines(before, after), "case 0");
    QVERIFY(r.test.p < 0.05 && r.corrected > 0.05);
    QVERIFY(r.verdict == Verdict::undecided);
    before.cases.resize(1);
    after.cases.resize(1);
    before.cases[0].setUpSeconds.clear();
    QVERIFY(row(compareBaselines(before, after), "case 0").verdict == Verdict::slower);
  }

  // A ratio of 2.6 with an interval to infinity is not "no difference".
  void tooFewRepeatsAreNoVerdict() {
    Baseline before = invented({1}), after = before;
    before.cases[0].seconds = {1, 1.1};
    after.cases[0].seconds = {2.6, 2.8};
    const BaselineComparison c = compareBaselines(before, after);
    QVERIFY(!std::isfinite(row(c, "case 0").test.high));
    QVERIFY(row(c, "case 0").verdict == Verdict::undecided);
  }

  void waysThatCannotBeTimedAreRefused() {
    ReconOptions gridding;
    Candidate way;
    way.backend = "cpu";
    way.path.transform = TransformKind::gdft;
    try {
      measureBaseline("field", *scan(), {}, gridding, Direction::normal, {way}, {cpu_.get()}, {4, 1}, "", {});
      QFAIL("a baseline without a time was made");
    } catch (const Error& error) {
      QVERIFY2(error.reason().find("no plan could be timed") != std::string::npos, error.what());
    }
  }

  void aSlowerMachineIsSaid() {
    const Baseline before = invented({1, 1, 1});
    Baseline after = invented({1.3, 3, 1});
    after.control = repeats(1.3);
    after.origin["commit"] = "b";
    after.origin["clock"] = "1500 MHz";
    const BaselineComparison c = compareBaselines(before, after);
    QVERIFY(c.control.verdict == Verdict::slower);
    QVERIFY(row(c, "case 0").verdict == Verdict::undecided);  // no slower than the machine
    QVERIFY(row(c, "case 1").verdict == Verdict::slower);     // more than the machine
    QVERIFY(row(c, "case 2").verdict == Verdict::undecided);  // as before, on a slower machine
    QCOMPARE(c.count(Verdict::undecided), 2);
    QVERIFY(c.summary().find("2 that cannot be told") != std::string::npos);
    QVERIFY(c.summary().find("machine itself was slower") != std::string::npos);
    QCOMPARE(c.differences, (std::vector<std::string>{"clock: 2000 MHz -> 1500 MHz", "commit: a -> b"}));
  }

  void aWrongAnswerAndARefusalAreNamed() {
    const Baseline before = invented({1, 1, 1});
    Baseline after = before;
    after.cases[0].plan.measuredError = 2e-3;
    after.cases[1].seconds.clear();
    after.cases[1].plan.refused = "too large";
    after.cases.pop_back();
    const BaselineComparison c = compareBaselines(before, after);
    QCOMPARE(c.wrong, std::vector<std::string>{"case 0"});
    QVERIFY(row(c, "case 1").verdict == Verdict::notCompared);
    QVERIFY(row(c, "case 1").note.find("too large") != std::string::npos);
    QVERIFY(row(c, "case 2").verdict == Verdict::notCompared);
    QVERIFY(c.summary().find("not as accurate") != std::string::npos);
  }

  void transfersAreApart() {
    Baseline before = invented({1}), after = before;
    before.cases[0].transferSeconds = repeats(1);
    after.cases[0].transferSeconds = repeats(2);
    const BaselineComparison c = compareBaselines(before, after);
    QVERIFY(row(c, "case 0", "transfers").verdict == Verdict::slower);
    QVERIFY(row(c, "case 0").verdict == Verdict::noDifference);
  }

  void othersAreRefused() {
    const Baseline before = invented({1});
    Baseline after = before;
    after.fingerprint = "g";
    QVERIFY_EXCEPTION_THROWN(compareBaselines(before, after), Error);
    after = before;
    after.direction = Direction::forward;
    QVERIFY_EXCEPTION_THROWN(compareBaselines(before, after), Error);
    const QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("b.json").toStdString();
    const auto written = [&](const std::string& text) {
      std::ofstream(file, std::ios::binary) << text;
      return file;
    };
    QVERIFY_EXCEPTION_THROWN(readBaseline(written("{")), Error);
    QVERIFY_EXCEPTION_THROWN(readBaseline(written("{\"format\": \"other\"}")), Error);
    QVERIFY_EXCEPTION_THROWN(readBaseline(written(R"({"format": "spokelab-baseline", "formatVersion": 99})")),
                             Error);
    QVERIFY_EXCEPTION_THROWN(readBaseline(written(R"({"format": "spokelab-baseline", "formatVersion": 1})")),
                             Error);
    QVERIFY_EXCEPTION_THROWN(plansIn(written("{}")), Error);
  }
};

SPOKELAB_CORE_TEST(TestBaseline)

}  // namespace test_baseline

#include "test_baseline.moc"
