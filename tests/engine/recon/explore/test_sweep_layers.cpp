// Other kernels, sources of kernel values and implementations beside the plans of a sweep.
#include <QtTest>

#include <cmath>
#include <set>

#include "engine/core/error.h"
#include "engine/nufft/kernel/kernel.h"
#include "engine/nufft/tune/sweep/sweep.h"
#include "engine/recon/explore/sweep_layers.h"
#include "engine/recon/explore/sweep_policy.h"
#include "engine/recon/run/scan_problem.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/test_main.h"

namespace test_sweep_layers {

using namespace spokelab;

class TestSweepLayers : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void wordsReadBackAsTheSame() {
    for (const bool kernels : {false, true})
      for (const bool sources : {false, true})
        for (const bool methods : {false, true})
          for (const bool paths : {false, true}) {
            const SweepBreadth breadth{kernels, sources, methods, paths};
            QVERIFY(breadthFromText(breadthText(breadth)) == breadth);
          }
    QVERIFY(breadthFromText("") == breadthFromText("none"));
    QVERIFY_THROWS_EXCEPTION(Error, breadthFromText("kernels,colours"));
  }

  void aLayerDiffersInOneRespect() {
    const auto cpu = makeCpuBackend();
    const std::vector<Backend*> backends{cpu.get()};
    const ScanProblem problem = small();
    const auto layers = sweepLayers(backends, tuneRequest(problem, {}), {true, true, true});
    std::set<std::string> names;
    for (const SweepLayer& layer : layers) {
      names.insert(layer.name);
      int changes = 0;
      changes += layer.options.kernel != KernelType::automatic;
      changes += layer.options.precomputation != Precomputation::automatic;
      changes += layer.options.spread != Method::automatic;
      QCOMPARE(changes, 1);
    }
    QVERIFY(names ==
            (std::set<std::string>{"semicircle", "prolate", "linear", "tensor", "none", "cpu sparse"}));
  }

  void whatIsFixedHasNoOthersBesideIt() {
    const auto cpu = makeCpuBackend();
    const std::vector<Backend*> backends{cpu.get()};
    const ScanProblem problem = small();
    TuneRequest request = tuneRequest(problem, {});
    QVERIFY(sweepLayers(backends, request, {}).empty());
    request.options.kernel = KernelType::prolate;
    request.options.precomputation = Precomputation::linear;
    request.options.spread = request.options.interpolate = Method::blocked;
    QVERIFY(sweepLayers(backends, request, {true, true, true}).empty());
  }

  void eachLayerIsTimedAtEachPairAndKeepsItsError() {
    const auto cpu = makeCpuBackend();
    const std::vector<Backend*> backends{cpu.get()};
    const ScanProblem problem = small();
    SweepRequest request;
    request.base = tuneRequest(problem, {});
    request.base.trials = 1;
    request.base.measureError = true;
    request.base.options.threads = 1;
    request.alphas = {1.5, 2};
    request.widths = {4};
    const auto layers = sweepLayers(backends, request.base, {true, true, true});
    int seen = 0;
    const auto data = std::make_shared<TimingData>(request.base);
    const TuneResult result = timeEntries(layerEntries(layers, request, data, {}), request.base, {},
                                          [&](const Candidate&) { ++seen; });
    QCOMPARE(result.candidates.size(), 2 * layers.size());
    QCOMPARE(seen, int(2 * layers.size()));
    for (std::size_t i = 0; i < result.candidates.size(); ++i) {
      const Candidate& c = result.candidates[i];
      const SweepLayer& layer = layers[i / 2];
      QVERIFY2(c.timed(), layer.name.c_str());
      QCOMPARE(resolvedKernel(c.options.kernel), resolvedKernel(layer.options.kernel));
      if (layer.options.precomputation != Precomputation::automatic)
        QCOMPARE(c.options.precomputation, layer.options.precomputation);
      QVERIFY(c.measuredError.has_value());
      const double ratio = *c.measuredError / c.predicted.relativeL2;
      QVERIFY2(ratio > 0.3 && ratio < 2, qPrintable(QString::number(ratio)));
    }
  }

  void aCancelEndsTheSweepOfLayers() {
    const auto cpu = makeCpuBackend();
    const std::vector<Backend*> backends{cpu.get()};
    const ScanProblem problem = small();
    SweepRequest request;
    request.base = tuneRequest(problem, {});
    request.alphas = {1.25, 1.5, 2};
    request.widths = {3, 4, 5};
    const auto layers = sweepLayers(backends, request.base, {true, true, true});
    std::stop_source stop;
    const auto data = std::make_shared<TimingData>(request.base);
    const TuneResult result =
        timeEntries(layerEntries(layers, request, data, {}), request.base, Progress(stop.get_token()),
                    [&](const Candidate&) { stop.request_stop(); });
    QVERIFY(result.cancelled);
    QCOMPARE(result.candidates.size(), std::size_t(1));
  }

  void aPolicyNamesTheArgumentsThatRepeatIt() {
    SweepPolicy policy;
    QVERIFY(sweepArguments(policy).empty());
    policy.alphas = {1.25, 2};
    policy.widths = {3, 4.5};
    policy.wholeWidths = true;
    policy.breadth.kernels = true;
    QVERIFY(sweepArguments(policy) ==
            (std::vector<std::string>{"--alphas", "1.25,2", "--widths", "3,4.5", "--whole-widths", "--over",
                                      "kernels,paths"}));
    policy = {};
    policy.breadth.paths = false;
    QVERIFY(sweepArguments(policy) == (std::vector<std::string>{"--over", "none"}));
  }

  void wholeWidthsFollowTheSmallestOnes() {
    const auto cpu = makeCpuBackend();
    const ScanProblem problem = small();
    SweepPolicy policy;
    policy.alphas = {1.5, 2};
    policy.wholeWidths = true;
    const TuneRequest request = tuneRequest(problem, {});
    const TuneResult result = sweepByPolicy({cpu.get()}, request, policy, {});
    const auto whole = sweepWidths(problem.problem, request.options, policy.alphas);
    QVERIFY(!whole.empty());
    QCOMPARE(result.candidates.size(), policy.alphas.size() * (1 + whole.size()));
    QVERIFY(result.best >= 0);
  }

 private:
  static ScanProblem small() {
    SimulateOptions options;
    options.trajectory.matrix = {24, 24, 1};
    return scanProblem(*simulate(options, {}), ReconOptions{});
  }
};

SPOKELAB_CORE_TEST(TestSweepLayers)

}  // namespace test_sweep_layers

#include "test_sweep_layers.moc"
