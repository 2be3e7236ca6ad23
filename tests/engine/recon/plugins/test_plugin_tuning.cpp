// The tuner takes a plug-in where it is the fastest that meets the accuracy, goes on without one that
// is refused, and remembers none that has changed or is gone.
#include <QtTest>

#include <algorithm>

#include "engine/nufft/tune/candidates.h"
#include "engine/nufft/tune/sweep/candidate_path.h"
#include "engine/nufft/tune/sweep/sweep.h"
#include "engine/nufft/tune/wisdom.h"
#include "engine/recon/explore/sweep_policy.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/recon/sense/backend_plugin.h"
#include "tests/engine/nufft/plugin/plugin_files.h"
#include "tests/test_main.h"

namespace test_plugin_tuning {

using namespace spokelab;
using namespace spokelab::test;

namespace {

const std::vector<double> fewPoints = {-0.31, 0.07, 0.42};

// So little, and used once, that sums take less time than making the plan of a grid.
TuneRequest tinyRequest() {
  TuneRequest r;
  r.problem.dims = 1;
  r.problem.size = {4, 1, 1};
  r.problem.precision = Precision::double64;
  r.points = fewPoints;
  r.options.accuracy = 1e-6;
  r.options.threads = 1;
  r.workload.executions = 1;
  return r;
}

struct Machines {
  explicit Machines(const std::vector<std::string>& plugins) {
    for (const std::string& name : plugins) add(probed(name));
  }
  void add(const PluginInfo& info) {
    plugins.push_back(makePluginBackend(info));
    all.push_back(plugins.back().get());
  }
  std::unique_ptr<Backend> cpu = makeCpuBackend();
  std::vector<std::unique_ptr<Backend>> plugins;
  std::vector<NufftBackend*> all{cpu.get()};
};

const Candidate& bestOf(const TuneResult& result) {
  return result.candidates.at(std::size_t(result.best));
}

std::vector<Candidate> ofBackend(const TuneResult& result, const std::string& name) {
  std::vector<Candidate> found;
  for (const Candidate& c : result.candidates)
    if (c.backend == name) found.push_back(c);
  return found;
}

class TestPluginTuning : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { qputenv("SPOKELAB_PLUGIN_SECONDS", "2"); }

  void theFastestIsTaken_data() {
    QTest::addColumn<int>("direction");
    for (const Direction d : {Direction::forward, Direction::adjoint, Direction::both, Direction::normal})
      QTest::newRow(std::string(directionName(d)).c_str()) << int(d);
  }

  void theFastestIsTaken() {
    QFETCH(int, direction);
    Machines machines({"exact-sum"});
    TuneRequest request = tinyRequest();
    request.workload.direction = Direction(direction);
    request.measureError = true;
    const TuneResult result = tune(machines.all, request, nullptr, {});
    const Candidate& best = bestOf(result);
    QCOMPARE(best.backend, std::string("exact-sum"));
    QVERIFY(best.measuredError && *best.measuredError < 1e-12);
    QCOMPARE(describe(best), std::string("plug-in exact-sum"));
    QVERIFY(std::any_of(result.candidates.begin(), result.candidates.end(),
                        [](const Candidate& c) { return c.backend == "cpu" && c.timed(); }));
    QVERIFY(best.planSeconds > 0 && best.setPointsSeconds > 0 && best.timings.total > 0);
    // What was chosen can be planned.
    const auto plan = machines.all[1]->plan<double>(request.problem, best.options);
    QVERIFY(plan->info().description.starts_with("plug-in exact-sum 1.0 (exact-sum.so)"));
  }

  void oursGoOnBesideBadOnes() {
    Machines machines({"aborts", "loops", "noise", "says-no", "leaves", "zero-batch"});
    TuneRequest request = tinyRequest();
    request.problem.batch = 2;
    std::vector<std::string> seen;
    const TuneResult result =
        tune(machines.all, request, nullptr, {}, [&](const Candidate& c) { seen.push_back(c.backend); });
    QCOMPARE(bestOf(result).backend, std::string("cpu"));
    for (const auto& plugin : machines.plugins) {
      const std::vector<Candidate> refused = ofBackend(result, plugin->name());
      QCOMPARE(refused.size(), std::size_t(1));
      QVERIFY2(!refused.front().timed() && !refused.front().refused.empty(), plugin->name().c_str());
      QVERIFY(std::find(seen.begin(), seen.end(), plugin->name()) != seen.end());
    }
  }

  void aloneABadOneIsTheReason() {
    Machines machines({"noise"});
    const std::vector<NufftBackend*> alone{machines.all[1]};
    try {
      tune(alone, tinyRequest(), nullptr, {});
      QFAIL("a plug-in that gives noise was taken");
    } catch (const Error& e) {
      QVERIFY2(e.reason().starts_with("plug-in noise: its error is "), e.what());
    }
  }

  void whatFixesOursLeavesItOut() {
    Machines machines({"exact-sum"});
    TuneRequest request = tinyRequest();
    request.options.width = 8;
    QVERIFY(ofBackend(tune(machines.all, request, nullptr, {}), "exact-sum").empty());
    request.options.width = 0;
    QVERIFY(!ofBackend(tune(machines.all, request, nullptr, {}), "exact-sum").empty());
    request.options.axisAlpha = {2, 0, 0};
    QVERIFY(ofBackend(tune(machines.all, request, nullptr, {}), "exact-sum").empty());
  }

  void withoutTimingItIsNotTaken() {
    Machines machines({"exact-sum"});
    TuneRequest request = tinyRequest();
    request.effort = TuneEffort::estimate;
    QCOMPARE(bestOf(tune(machines.all, request, nullptr, {})).backend, std::string("cpu"));
    const std::vector<NufftBackend*> alone{machines.all[1]};
    QCOMPARE(bestOf(tune(alone, request, nullptr, {})).backend, std::string("exact-sum"));
  }

  void wisdomKnowsItsVersion() {
    const QTemporaryDir folder;
    Wisdom wisdom(folder.filePath("wisdom.json").toStdString());
    Machines machines({"exact-sum"});
    const TuneRequest request = tinyRequest();
    QVERIFY(!tune(machines.all, request, &wisdom, {}).fromWisdom);
    const TuneResult again = tune(machines.all, request, &wisdom, {});
    QVERIFY(again.fromWisdom);
    QCOMPARE(bestOf(again).backend, std::string("exact-sum"));
    const std::vector<WisdomLine> lines = wisdom.list(Wisdom::fingerprintsOf(machines.all));
    QCOMPARE(lines.size(), std::size_t(1));
    QVERIFY(lines.front().here);
    QVERIFY(lines.front().machine.find("exact-sum: plug-in 1.0") != std::string::npos);
    QCOMPARE(lines.front().plan, std::string("plug-in exact-sum"));

    Machines gone({});
    QVERIFY(!tune(gone.all, request, &wisdom, {}).fromWisdom);
    Machines other({});
    PluginInfo info = probed("exact-sum");
    info.version = "1.1";
    other.add(info);
    QVERIFY(!tune(other.all, request, &wisdom, {}).fromWisdom);
    QVERIFY(tune(machines.all, request, &wisdom, {}).fromWisdom);
  }

  // A sweep over whole widths as well goes through our plans twice.
  void aSweepTimesItOnce() {
    Machines machines({"exact-sum"});
    const std::vector<Backend*> all{machines.cpu.get(), machines.plugins.front().get()};
    SweepPolicy policy;
    policy.alphas = {1.5, 2};
    policy.wholeWidths = true;
    const TuneResult result = sweepByPolicy(all, tinyRequest(), policy, {});
    QCOMPARE(ofBackend(result, "exact-sum").size(), std::size_t(1));
    QVERIFY(ofBackend(result, "cpu").size() > 2);
  }

  void aSweepHasItOnALineOfItsOwn() {
    Machines machines({"exact-sum", "noise"});
    SweepRequest request;
    request.base = tinyRequest();
    request.alphas = {1.5, 2};
    const TuneResult result = sweep(machines.all, request, {});
    const std::vector<Candidate> own = ofBackend(result, "exact-sum"), noise = ofBackend(result, "noise");
    QCOMPARE(own.size(), std::size_t(1));
    QVERIFY(own.front().timed());
    QCOMPARE(pathOf(own.front()).name, std::string("exact-sum"));
    QVERIFY(pathOf(own.front()).over == SweptOver::nothing);
    QVERIFY(noise.size() == 1 && noise.front().refused.starts_with("its error is"));
    QCOMPARE(bestOf(result).backend, std::string("exact-sum"));
  }
};

}  // namespace

SPOKELAB_CORE_TEST(TestPluginTuning)

}  // namespace test_plugin_tuning

#include "test_plugin_tuning.moc"
