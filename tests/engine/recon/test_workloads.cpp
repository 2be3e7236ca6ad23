// What a reconstruction asks of the tuner: its own workload, and the plan that won is the one used.
#include <QtTest>

#include "engine/recon/reconstruct.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/run/scan_problem.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/test_main.h"

namespace test_workloads {

using namespace spokelab;

namespace {

constexpr int n = 24, coils = 3, frames = 5, shots = 4;

std::shared_ptr<const Scan> simulated(bool moves) {
  SimulateOptions options;
  options.trajectory.pattern = Pattern::spiral2d;
  options.trajectory.matrix = {n, n, 1};
  options.trajectory.shots = shots;
  options.coils = coils;
  const auto one = simulate(options, {});
  auto scan = std::make_shared<Scan>(*one);
  scan->frames = frames;
  scan->samples.assign(frames, one->samples.front());
  if (moves) scan->trajectories.assign(frames, one->trajectories.front());
  return scan;
}

}  // namespace

class TestWorkloads : public QObject {
  Q_OBJECT
 private slots:
  void eachReconstructionStatesItsOwn() {
    const auto still = simulated(false), moving = simulated(true);
    ReconOptions options;
    options.coilsAtOnce = 1;
    const auto workload = [&](const Scan& scan) {
      return tuneRequest(scanProblem(scan, options), options).workload;
    };
    Workload w = workload(*still);
    QCOMPARE(w, (Workload{Direction::adjoint, coils * frames, 1, false}));
    w = workload(*moving);
    QCOMPARE(w, (Workload{Direction::adjoint, coils, frames, false}));
    options.frames = "0-1";
    QCOMPARE(workload(*moving).pointSets, 2.0);
    QCOMPARE(workload(*still).executions, 2.0 * coils);
    options.frames.clear();
    options.iterative.method = ReconMethod::sense;
    options.iterative.solver.iterations = 7;
    QCOMPARE(workload(*moving), (Workload{Direction::normal, 8.0 * coils, frames, true}));
    QCOMPARE(workload(*still), (Workload{Direction::normal, 8.0 * coils * frames, 1, true}));
    options.iterative.transform = TransformKind::segmented;
    options.iterative.segments = 4;
    options.iterative.fieldMap = "map.npy";  // belongs to the plan, which new points make anew
    QCOMPARE(workload(*moving), (Workload{Direction::normal, 8.0 * coils, 1, true}));
    options.iterative.fieldMap.clear();
    // The options' word counts.
    setOption(options, "direction", "forward");
    setOption(options, "reuse", "2.5");
    setOption(options, "point-sets", "30");
    QCOMPARE(workload(*moving), (Workload{Direction::forward, 2.5, 30, true}));
  }

  void pcSenseTunesForTheSamplesOfAShot() {
    const auto scan = simulated(false);
    ReconOptions options;
    const auto all = scanProblem(*scan, options).points.size();
    options.iterative.method = ReconMethod::pcSense;
    const ScanProblem problem = scanProblem(*scan, options);
    QCOMPARE(problem.points.size(), all / shots);
    QCOMPARE(problem.points.front(), scan->trajectory(0).points.front() / n);
  }

  void aTransformAskedForIsWhatIsTuned() {
    const auto scan = simulated(false);
    ReconOptions options;
    options.iterative.method = ReconMethod::sense;
    const auto normal = [&](TransformKind kind) {
      options.iterative.transform = kind;
      return tuneRequest(scanProblem(*scan, options), options).options.normal;
    };
    QCOMPARE(normal(TransformKind::automatic), NormalMethod::automatic);
    QCOMPARE(normal(TransformKind::nufft), NormalMethod::gridded);
    QCOMPARE(normal(TransformKind::toeplitz), NormalMethod::toeplitz);
    options.nufft.normal = NormalMethod::toeplitzShifted;
    QCOMPARE(normal(TransformKind::toeplitz), NormalMethod::toeplitzShifted);
  }

  void senseUsesTheNormalOperatorThatWon() {
    const auto scan = simulated(false);
    const auto cpu = makeCpuBackend();
    ReconOptions options;
    options.frames = "0";
    options.iterative.method = ReconMethod::sense;
    options.iterative.solver.iterations = 3;
    options.tuning.timeLimit = 5;  // slow machines time more than one operator, too
    std::set<NormalMethod> timed;
    const Reconstruction result = reconstruct({cpu.get()}, *scan, options, nullptr, {},
                                              [&](const Candidate& c) { timed.insert(c.options.normal); });
    QVERIFY(result.tuning && result.tuning->best >= 0);
    QCOMPARE(result.tuning->workload.direction, Direction::normal);
    QVERIFY(timed.size() >= 2);  // gridded and a convolution
    const Candidate& best = result.tuning->candidates[std::size_t(result.tuning->best)];
    QCOMPARE(result.plan.options.normal, best.options.normal);
    const std::string& transform = result.iterations.front().transform;
    QCOMPARE(transform.starts_with("Toeplitz"), isToeplitz(best.options.normal));

    // With alpha and W given, the normal operator is still open.
    options.nufft.alpha = 2;
    options.nufft.width = 5;
    const Reconstruction given = reconstruct({cpu.get()}, *scan, options, nullptr, {});
    QVERIFY(given.tuning);
    QCOMPARE(given.plan.options.alpha, 2.0);
    options.iterative.method = ReconMethod::gridding;
    QVERIFY(!reconstruct({cpu.get()}, *scan, options, nullptr, {}).tuning);
  }
};

SPOKELAB_TEST(TestWorkloads)

}  // namespace test_workloads

#include "test_workloads.moc"
