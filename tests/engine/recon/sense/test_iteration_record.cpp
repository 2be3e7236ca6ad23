// What a result tells about its iterations: where the time went, with which plan, what a person
// changed while they ran, and that waiting for a person is no time of computing.
#include <QtTest>
#include <nlohmann/json.hpp>
#include <thread>

#include "engine/profile/results/results.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/engine/recon/reconstruct.h"
#include "tests/test_main.h"

namespace test_iteration_record {

using namespace spokelab;
using spokelab::test::run;
using spokelab::test::senseOptions;

namespace {

std::shared_ptr<const Scan> spiral(double peakHz) {
  SimulateOptions options;
  options.trajectory.pattern = Pattern::spiral2d;
  options.trajectory.matrix = {64, 64, 1};
  options.trajectory.shots = 8;
  options.trajectory.dwellSeconds = 2e-5;
  options.coils = 3;
  options.offResonance = {FieldShape::head, peakHz};
  return simulate(options, {});
}

bool mentions(const std::vector<std::string>& notes, const std::string& text) {
  return std::find(notes.begin(), notes.end(), text) != notes.end();
}

}  // namespace

class TestIterationRecord : public QObject {
  Q_OBJECT

 private slots:
  // Iterations are accounted for, say what plan they used, and predict what that predicts.
  void iterationsTellTheirStagesAndTheirPlan() {
    const auto scan = spiral(100);
    ReconOptions options = senseOptions();
    PlanInfo watched;
    options.iterative.watcher = [&](const IterationState& state) {
      watched = *state.plan;
      return IterationCommand{};
    };
    for (const TransformKind kind : {TransformKind::nufft, TransformKind::toeplitz}) {
      options.iterative.transform = kind;
      // A busy machine may interrupt between two stages, for longer than the stages take.
      constexpr int maxTries = 5;
      auto result = run(*scan, options);
      for (int i = 1; i < maxTries && result.timings.accounted() <= 0.1 * result.timings.total; ++i)
        result = run(*scan, options);
      const StageTimings& t = result.timings;
      QVERIFY(t.total > 0 && t.total <= result.seconds);
      QVERIFY2(t.accounted() > 0.1 * t.total && t.accounted() <= 1.001 * t.total,
               QByteArray::number(t.accounted() / t.total));
      QVERIFY(t[Stage::fft] > 0);
      QCOMPARE(t[Stage::spread] > 0, kind == TransformKind::nufft);
      QVERIFY(result.plan.error.relativeL2 > 0 && result.plan.error.rounding > 0);
      QCOMPARE(result.plan.options.alpha, 2.0);
      QVERIFY(product(result.plan.grid) > 1);
      QCOMPARE(watched.grid, result.plan.grid);
      QCOMPARE(watched.description, result.plan.description);
      QCOMPARE(watched.backend, std::string("cpu"));
    }
    options.iterative.transform = TransformKind::segmented;
    const auto segmented = run(*scan, options);
    QVERIFY(segmented.timings[Stage::fft] > 0);
    QCOMPARE(segmented.plan.error.relativeL2, 0.0);  // measured, not predicted
    QCOMPARE(predictedErrorText(segmented.plan), std::string("not predicted"));
    options.iterative.transform = TransformKind::gdft;
    const auto exact = run(*scan, options);
    QCOMPARE(product(exact.plan.grid), std::int64_t(1));
    QCOMPARE(exact.plan.backend, std::string("cpu"));
    QVERIFY(exact.timings.total > 0);
  }

  void aChangedLambdaIsToldWithItsIterationAndAPauseIsNoComputing() {
    const auto scan = spiral(0);
    ReconOptions options = senseOptions();
    setOption(options, "frames", "0");
    constexpr double pause = 0.5;
    options.iterative.watcher = [&](const IterationState& state) {
      IterationCommand command;
      if (state.iteration == 3) {
        std::this_thread::sleep_for(std::chrono::duration<double>(pause));
        command.pausedSeconds = pause;
        command.lambda = 0.25;
      }
      return command;
    };
    const double start = now();
    const auto result = run(*scan, options);
    const double took = now() - start;
    QCOMPARE(result.options.iterative.solver.lambda, 0.25);
    const IterationRecord& record = result.iterations.front();
    QCOMPARE(record.lambdaChanges.size(), std::size_t(1));
    QCOMPARE(record.lambdaChanges.front().iteration, 3);
    QCOMPARE(record.lambdaChanges.front().before, 1e-3);
    const std::string told = "lambda 0.001 -> 0.25 after iteration 3 of frame 0, slice 0";
    QVERIFY(mentions(result.notes, told) && mentions(result.image->provenance, told));
    QCOMPARE(result.pausedSeconds, pause);
    QVERIFY2(result.seconds < took - 0.9 * pause, QByteArray::number(result.seconds));
    QVERIFY(record.seconds.back() < took - 0.9 * pause);
    QVERIFY(result.timings.total < took - 0.9 * pause);
  }

  void theRecordComesBackFromItsDocument() {
    Reconstruction result;
    result.pausedSeconds = 1.5;
    result.iterations.push_back({});
    result.iterations.front().lambdaChanges = {{3, 1e-3, 0.25}, {5, 0.25, 0}};
    result.iterations.front().objectives = {2.5, 1.25};
    std::vector<std::string> unknown;
    const Reconstruction back = reconstructionFromJson(toJson(result), unknown);
    QCOMPARE(back.pausedSeconds, 1.5);
    QCOMPARE(back.iterations.front().lambdaChanges.size(), std::size_t(2));
    QCOMPARE(back.iterations.front().lambdaChanges[1].iteration, 5);
    QCOMPARE(back.iterations.front().lambdaChanges[0].after, 0.25);
    QCOMPARE(back.iterations.front().objectives, result.iterations.front().objectives);
  }
};

SPOKELAB_TEST(TestIterationRecord)

}  // namespace test_iteration_record

#include "test_iteration_record.moc"
