// The solvers behind wavelet and grasp: the objective that they tell is that of their definition
// over exact sums, and it is the smallest.
#include <QtTest>
#include <cmath>

#include "engine/recon/functional/generalized_variation.h"
#include "engine/recon/functional/wavelets.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/recon/sense/solve_sense.h"
#include "tests/engine/recon/functional/proximal_checks.h"
#include "tests/engine/recon/measures.h"
#include "tests/engine/recon/sense/exact_frames.h"
#include "tests/test_main.h"

namespace test_proximal_solvers {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr unsigned denseDraws = 8;  // each objective is a dense product

}  // namespace

class TestProximalSolvers : public QObject {
  Q_OBJECT

  const E experiment_;

 private slots:
  void waveletReachesTheSmallestObjectiveAndTellsIt() {
    const double lambda = 0.02, scale = gridded(experiment_, allSamples());
    IterationOptions options{400, lambda, 1e-7, Regularization::wavelets};
    options.randomShifts = false;
    const SenseSolution s = makeCpuBackend()->solveSense(exactProblem(experiment_), options, {}, {});
    HostSpace<double> space(1);
    Wavelets<HostSpace<double>> wavelets(space, experiment_.problem.matrix, 2, 1, false);
    const auto objective = [&](const Buffer<cdouble>& x) {
      Buffer<cdouble> c = x;
      wavelets.forward(c.data());
      double sum = 0;
      for (const cdouble& v : c) sum += std::abs(v);
      return (misfit(experiment_, allSamples(), x.data()) + lambda * scale * sum) / (scale * scale);
    };
    const Buffer<cdouble> x = bufferOf(s.doubleImage);
    QCOMPARE(s.objectives.size(), s.residuals.size());
    QVERIFY(std::abs(s.objectives.back() - objective(x)) < 1e-4 * objective(x));
    verifyMinimum(x, 1e-6, objective, denseDraws);
  }

  // The solution is where the proximal map leads from its own gradient step, by exact sums and a map
  // of many steps; what the iterations tell is its objective.
  void tgvRestsAtItsOwnProximalMap() {
    const double lambda = 0.02, scale = gridded(experiment_, allSamples());
    const IterationOptions options{300, lambda, 1e-7, Regularization::generalizedVariation};
    const SenseSolution s = makeCpuBackend()->solveSense(exactProblem(experiment_), options, {}, {});
    const Buffer<cdouble> x = bufferOf(s.doubleImage);
    Buffer<cdouble> moved = x;
    for (int row = 0; row < E::rows; ++row) {
      const cdouble* const a = experiment_.matrix.data() + std::size_t(row) * E::pixels;
      cdouble r(experiment_.data[std::size_t(row / E::samples)][std::size_t(row % E::samples)]);
      for (std::size_t i = 0; i < E::pixels; ++i) r -= a[i] * x[i];
      for (std::size_t i = 0; i < E::pixels; ++i) moved[i] += std::conj(a[i]) * r / double(E::samples);
    }
    HostSpace<double> space(1);
    GeneralizedVariation<HostSpace<double>> variation(space, experiment_.problem.matrix, 2, 1, 4000);
    const double value = variation.prox(lambda * scale, moved.data());
    QVERIFY2(distance(moved, x) < 2e-3 * norm(x), qPrintable(QString::number(distance(moved, x) / norm(x))));
    const double objective =
        (misfit(experiment_, allSamples(), x.data()) + lambda * scale * value) / (scale * scale);
    QVERIFY2(std::abs(s.objectives.back() - objective) < 0.01 * objective,
             qPrintable(QString("%1 %2").arg(s.objectives.back()).arg(objective)));
    QVERIFY(s.objectives.back() < s.objectives.front());
  }

  // Of a train of all frames, and of one echo in frames 0 and 2 beside another in frame 1.
  void graspReachesTheSmallestObjectiveAndTellsIt_data() {
    QTest::addColumn<bool>("echoes");
    QTest::newRow("times") << false;
    QTest::newRow("times of two echoes") << true;
  }
  void graspReachesTheSmallestObjectiveAndTellsIt() {
    QFETCH(const bool, echoes);
    const double lambda = 0.02;
    Frames frames(experiment_);
    if (echoes) frames.problems[1].train = 1;
    double scale = 0;
    for (int t = 0; t < frameCount; ++t) scale = std::max(scale, gridded(experiment_, samplesOf(t)));
    const auto backend = makeCpuBackend();
    const SenseSolution s = backend->jointRun(frames.problems)
                                ->run({600, lambda, 1e-7, Regularization::temporalVariation}, {}, false, {});
    const auto objective = [&](const Buffer<cdouble>& x) {
      double sum = 0;
      const std::size_t step = E::pixels * (echoes ? 2 : 1);
      for (std::size_t i = step; i < x.size(); ++i) sum += std::abs(x[i] - x[i - step]);
      double value = lambda * scale * sum;
      for (int t = 0; t < frameCount; ++t)
        value += misfit(experiment_, samplesOf(t), x.data() + t * E::pixels);
      return value / (scale * scale);
    };
    const Buffer<cdouble> x = bufferOf(s.doubleImage);
    QCOMPARE(x.size(), std::size_t(frameCount * E::pixels));
    QVERIFY(std::abs(s.objectives.back() - objective(x)) < 1e-4 * objective(x));
    verifyMinimum(x, 1e-4, objective, denseDraws);
  }

  void randomShiftsComeNearTheSameObjective() {
    IterationOptions options{80, 0.01, 0, Regularization::wavelets};
    const SenseProblem problem = exactProblem(experiment_);
    const auto backend = makeCpuBackend();
    const SenseSolution shifted = backend->solveSense(problem, options, {}, {});
    options.randomShifts = false;
    const SenseSolution fixed = backend->solveSense(problem, options, {}, {});
    QVERIFY(relativeDifference(shifted.image, fixed.image) > 1e-3);
    QVERIFY(shifted.objectives.back() < 1.2 * fixed.objectives.back());
  }

  // Frames at the same address of points have one plan.
  void framesOfTheSamePointsAgreeWithFramesThatPlanAlone() {
    std::vector<SenseProblem> shared(2, exactProblem(experiment_)), alone = shared;
    shared[1].points = SharedValues::at(shared[0].points);
    QVERIFY(shared[1].points.data() == shared[0].points.data());
    const IterationOptions options{10, 0.01, 0, Regularization::temporalVariation};
    const auto backend = makeCpuBackend();
    const SenseSolution a = backend->jointRun(shared)->run(options, {}, false, {});
    const SenseSolution b = backend->jointRun(alone)->run(options, {}, false, {});
    QVERIFY(relativeDifference(a.image, b.image) < 1e-6);
  }

  void oneFrameHasNoJumps() {
    bool refused = false;
    try {
      makeCpuBackend()->solveSense(exactProblem(experiment_), {5, 0.1, 0, Regularization::temporalVariation},
                                   {}, {});
    } catch (const Error&) {
      refused = true;
    }
    QVERIFY(refused);
  }
};

SPOKELAB_TEST(TestProximalSolvers)

}  // namespace test_proximal_solvers

#include "test_proximal_solvers.moc"
