// The methods wavelet and grasp of a scan: frames and slices, what they set by themselves, watchers
// and cancels, and scans that are refused before anything runs.
#include <QtTest>
#include <cmath>

#include "engine/recon/options/recipe_table.h"
#include "engine/recon/reconstruct.h"
#include "engine/recon/sense/backend_cpu.h"
#include "tests/engine/recon/measures.h"
#include "tests/engine/recon/moving_frames.h"
#include "tests/engine/recon/reconstruct.h"
#include "tests/test_main.h"

namespace test_proximal_methods {

using namespace spokelab;
using namespace spokelab::test;

class TestProximalMethods : public QObject {
  Q_OBJECT

  static ReconOptions graspOptions(const char* method = "grasp") {
    ReconOptions options = senseOptions();
    setOption(options, "method", method);
    options.iterative.solver.iterations = 12;
    options.iterative.coilMaps = "walsh";
    return options;
  }

 private slots:
  void graspOfAScanKeepsItsFramesAndLambdaLevelsThem() {
    const auto scan = movingFrames(4, 3);
    ReconOptions options = graspOptions();
    options.iterative.solver.iterations = 60;
    const auto spread = [&](double lambda) {
      options.iterative.solver.lambda = lambda;
      const Reconstruction result = run(*scan, options);
      if (!result.image || result.image->frames != 4 || result.iterations.size() != 1) return -1.0;
      if (!(result.iterations.front().objectives.back() < result.iterations.front().objectives.front()))
        return -2.0;
      const auto pixels = std::size_t(result.image->volume());
      return relativeDifference(std::span(result.image->data).subspan(3 * pixels, pixels),
                                std::span(result.image->data).first(pixels));
    };
    const double free = spread(0), level = spread(0.2);
    QVERIFY2(free > 1, qPrintable(QString::number(free)));  // the last one is four times as bright
    QVERIFY2(level >= 0 && level < 0.3 * free, qPrintable(QString::number(level)));
  }

  // A large lambda levels the times of each echo, and not one echo with the other.
  void graspComparesTheTimesOfEachEcho_data() {
    QTest::addColumn<bool>("timeFirst");
    QTest::addColumn<double>("spatialWeight");
    QTest::newRow("echo x time") << false << 0.0;
    QTest::newRow("time x echo") << true << 0.0;
    QTest::newRow("time x echo, jumps in space") << true << 0.01;
  }
  void graspComparesTheTimesOfEachEcho() {
    QFETCH(const bool, timeFirst);
    QFETCH(const double, spatialWeight);
    auto scan = std::make_shared<Scan>(*movingFrames(4, 3));
    const FrameAxis time{FrameMeaning::time, 2, {}}, echo{FrameMeaning::echo, 2, {}};
    scan->frameAxes = timeFirst ? FrameAxes::grid({time, echo}) : FrameAxes::grid({echo, time});
    ReconOptions options = graspOptions();
    options.iterative.solver.iterations = 60;
    options.iterative.solver.lambda = 1;
    options.iterative.solver.spatialWeight = spatialWeight;
    const Reconstruction result = run(*scan, options);
    const auto pixels = std::size_t(result.image->volume());
    const auto apart = [&](int a, int b) {
      return relativeDifference(std::span(result.image->frame(b), pixels),
                                std::span(result.image->frame(a), pixels));
    };
    const int laterTime = timeFirst ? 2 : 1, otherEcho = timeFirst ? 1 : 2;
    for (const int first : {0, otherEcho})
      QVERIFY2(apart(first, first + laterTime) < 0.05,
               qPrintable(QString::number(apart(first, first + laterTime))));
    QVERIFY2(apart(0, otherEcho) > 0.3, qPrintable(QString::number(apart(0, otherEcho))));
  }

  void slicesAreFoundOneAfterTheOther() {
    const auto scan = movingFrames(3, 2, 2);
    const Reconstruction both = run(*scan, graspOptions());
    QCOMPARE(both.iterations.size(), std::size_t(2));
    ReconOptions second = graspOptions();
    second.slices = "1";
    const Reconstruction one = run(*scan, second);
    const std::int64_t pixels = one.image->volume();
    for (int f = 0; f < 3; ++f)
      QVERIFY(relativeDifference(std::span(both.image->frame(f) + pixels, std::size_t(pixels)),
                                 std::span(one.image->frame(f), std::size_t(pixels))) < 1e-5);
  }

  void theMethodsHaveARegularizationAndEnoughIterations() {
    ReconOptions options;
    constexpr int usual = 10;
    options.iterative.method = ReconMethod::sense;
    QCOMPARE(recipeIterations(options).iterations, usual);
    QCOMPARE(recipeIterations(options).regularization, Regularization::tikhonov);
    for (const Recipe& recipe : recipeTable()) {
      if (!recipe.regularization || recipe.name.empty()) continue;
      const ReconMethod method = recipe.method;
      options.iterative.method = method;
      QVERIFY(recipeIterations(options).iterations > 50);
      QVERIFY(recipeIterations(options).regularization >= Regularization::totalVariation);
      options.iterative.solver.iterations = 7;
      QCOMPARE(recipeIterations(options).iterations, 7);
      options.iterative.solver.iterations = usual;
      QCOMPARE(recipeIterations(options).iterations, usual);
      options.iterative.solver.iterations = 0;
    }
  }

  void aWatcherSeesTheMiddleFrameChangesLambdaAndStops() {
    const auto scan = movingFrames(4, 3);
    for (const char* method : {"grasp", "wavelet", "l+s", "tgv"}) {
      ReconOptions options = graspOptions(method);
      options.frames = recipeOf(options).joinsFrames ? "" : "2";
      int told = 0;
      options.iterative.watcher = [&](const IterationState& state) {
        ++told;
        IterationCommand command;
        if (state.frame != 2 || std::int64_t(state.image().size()) != product(state.matrix))
          command.action = IterationAction::stop;
        if (state.iteration == 2) command.lambda = 0.05;
        if (state.iteration == 5) command.action = IterationAction::stop;
        return command;
      };
      const Reconstruction result = run(*scan, options);
      QCOMPARE(told, 5);
      QCOMPARE(result.iterations.front().ending, std::string("stopped"));
      QCOMPARE(result.iterations.front().lambdaChanges.size(), std::size_t(1));
      QCOMPARE(result.options.iterative.solver.lambda, 0.05);
    }
  }

  void aCancelKeepsTheLastImages() {
    const auto scan = movingFrames(3, 2);
    for (const char* method : {"grasp", "wavelet", "l+s", "tgv"}) {
      std::stop_source stop;
      ReconOptions options = graspOptions(method);
      options.iterative.watcher = [&](const IterationState& state) {
        if (state.iteration == 3) stop.request_stop();
        return IterationCommand{};
      };
      const Reconstruction result =
          runJob(*makeCpuBackend(), *scan, options, nullptr, nullptr, Progress(stop.get_token()));
      QVERIFY(result.cancelled);
      QVERIFY(result.image);
      QCOMPARE(result.iterations.front().ending, std::string("cancelled"));
      QVERIFY(std::abs(result.image->data[std::size_t(result.image->volume() / 2 + 16)]) > 0);
    }
  }

  void scansThatDoNotFitAreRefusedBeforeAnythingRuns() {
    const auto scan = movingFrames(3, 2);
    ReconOptions options = graspOptions();
    options.frames = "1";
    for (const char* method : {"llr", "l+s", "joint-wavelet", "grasp"}) {
      setOption(options, "method", method);
      QVERIFY2(reasonOf(*scan, options).find("there is one") != std::string::npos, method);
    }
    const auto backend = makeCpuBackend();
    try {
      reconstruct({backend.get()}, *scan, options, nullptr, {});
      QFAIL("one frame was taken");
    } catch (const Error& error) {
      QVERIFY(error.reason().find("there is one") != std::string::npos);
    }
    auto echoes = std::make_shared<Scan>(*movingFrames(4, 2));
    echoes->frameAxes = FrameAxes::grid({{FrameMeaning::echo, 2, {}}, {FrameMeaning::time, 2, {}}});
    options.frames = "0,3";
    QVERIFY(reasonOf(*echoes, options).find("no two differ in time alone") != std::string::npos);
    setOption(options, "method", "l+s");
    QVERIFY(reasonOf(*echoes, options).find("no two differ in time alone") != std::string::npos);
    setOption(options, "method", "grasp");
    options.frames = "0-2";
    QCOMPARE(planJob(*echoes, options, JobMachine{}).framesPerUnknown, 3);
    options.frames.clear();
    setOption(options, "method", "xd-grasp");
    QVERIFY(reasonOf(*scan, options).find("not bins of breathing") != std::string::npos);
    auto binned = std::make_shared<Scan>(*scan);
    binned->frameAxes = FrameAxes::grid({{FrameMeaning::phase, 3, {}}});
    QCOMPARE(planJob(*binned, options, JobMachine{}).framesPerUnknown, 3);
    SimulateOptions small;
    small.trajectory.pattern = Pattern::goldenRadial2d;
    small.trajectory.matrix = {12, 12, 1};
    small.trajectory.shots = 10;
    QVERIFY(reasonOf(*simulate(small, {}), graspOptions("wavelet")).find("too small") != std::string::npos);
  }
};

SPOKELAB_TEST(TestProximalMethods)

}  // namespace test_proximal_methods

#include "test_proximal_methods.moc"
