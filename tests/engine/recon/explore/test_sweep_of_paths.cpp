// A sweep's paths: the forms of a normal operator beside the gridded one, as the tuner tries them.
#include <QtTest>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "engine/nufft/toeplitz/toeplitz_lengths.h"
#include "engine/profile/results/results.h"
#include "engine/recon/explore/sweep_policy.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/run/scan_problem.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/test_main.h"

namespace test_sweep_of_paths {

using namespace spokelab;

namespace {

struct SenseSweep {
  std::unique_ptr<Backend> cpu = makeCpuBackend();
  ReconOptions options;
  ScanProblem problem;
  SweepPolicy policy;

  SenseSweep() {
    SimulateOptions simulated;
    simulated.trajectory.matrix = {24, 24, 1};
    simulated.coils = 2;
    options.iterative.method = ReconMethod::sense;
    options.nufft.threads = 1;
    problem = scanProblem(*simulate(simulated, {}), options);
    policy.alphas = {1.5, 2};
  }
  TuneResult run() {
    TuneRequest request = tuneRequest(problem, options);
    request.trials = 1;
    request.measureError = true;
    return sweepByPolicy({cpu.get()}, request, policy, {});
  }
};

std::map<std::string, int> counted(const TuneResult& result) {
  std::map<std::string, int> count;
  for (const Candidate& c : result.candidates) ++count[pathOf(c).name];
  return count;
}

}  // namespace

class TestSweepOfPaths : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aNormalOperatorIsSweptOverAllItsForms() {
    SenseSweep sweep;
    sweep.policy.wholeWidths = true;
    const TuneResult r = sweep.run();
    QCOMPARE(r.workload.direction, Direction::normal);
    auto count = counted(r);
    const auto whole =
        sweepWidths(sweep.problem.problem, sweptRequest(tuneRequest(sweep.problem, sweep.options)).options,
                    sweep.policy.alphas);
    QCOMPARE(count["nufft"], int(2 * (1 + whole.size())));
    QCOMPARE(count["toeplitz"], int(toeplitzAlphas(sweep.problem.problem, 6).size()));
    QCOMPARE(count["toeplitz-shifted"], 1);
    int eligible = 0;
    for (const Candidate& c : r.candidates) {
      QVERIFY2(c.timed() || !c.refused.empty(), pathOf(c).name.c_str());
      if (!c.timed()) continue;
      QVERIFY(c.measuredError && c.predictedNormalError > 0 && c.predictedSeconds > 0);
      const double ratio = *c.measuredError / c.predictedNormalError;
      QVERIFY2(ratio > 0.4 && ratio < 2, qPrintable(QString::number(ratio)));
      const double share = transformShare(c.options.normal);
      if (c.predicted.bound > 1.01 * share * sweep.options.nufft.accuracy) continue;
      ++eligible;
      QVERIFY(r.candidates[std::size_t(r.best)].cost() <= c.cost());
    }
    QVERIFY(eligible > 5);
  }

  void pathsCanBeLeftOutAndAreANormalOperatorsAlone() {
    SenseSweep sweep;
    sweep.policy.breadth.paths = false;
    auto count = counted(sweep.run());
    QCOMPARE(count.size(), std::size_t(1));
    QCOMPARE(count["nufft"], 2);
    sweep.policy.breadth.paths = true;
    for (const Direction direction : {Direction::forward, Direction::adjoint, Direction::both}) {
      sweep.options.tuning.direction = direction;
      count = counted(sweep.run());
      QCOMPARE(count.size(), std::size_t(1));
      QCOMPARE(count["nufft"], 2);
    }
  }

  void aFormThatIsAskedForIsSweptAlone() {
    SenseSweep sweep;
    sweep.policy.wholeWidths = true;
    sweep.policy.breadth = {true, true, true, true};
    sweep.options.iterative.transform = TransformKind::toeplitz;
    auto count = counted(sweep.run());
    QCOMPARE(count.size(), std::size_t(1));
    QCOMPARE(count["toeplitz"], int(toeplitzAlphas(sweep.problem.problem, 6).size()));
    sweep.policy.breadth = {};
    sweep.options.iterative.transform = TransformKind::nufft;
    count = counted(sweep.run());
    QCOMPARE(count.size(), std::size_t(1));
    QVERIFY(count["nufft"] > 2);
  }

  void jsonAndTableSayThePath() {
    SenseSweep sweep;
    const TuneResult r = sweep.run();
    const nlohmann::json j = toJson(r);
    std::istringstream table(toCsv(r));
    std::string line;
    std::getline(table, line);
    QVERIFY(line.find("best,path,backend") == 0);
    for (std::size_t i = 0; i < r.candidates.size(); ++i) {
      const CandidatePath path = pathOf(r.candidates[i]);
      QCOMPARE(j.at("candidates")[i].at("path").get<std::string>(), path.name);
      std::getline(table, line);
      QVERIFY2(line.find("," + path.name + ",") != std::string::npos, line.c_str());
      const Candidate read = candidateFromJson(j.at("candidates")[i]);
      QCOMPARE(pathOf(read).name, path.name);
      QCOMPARE(pathOf(read).alpha, path.alpha);
    }
  }
};

SPOKELAB_CORE_TEST(TestSweepOfPaths)

}  // namespace test_sweep_of_paths

#include "test_sweep_of_paths.moc"
