// The solvers behind wavelet and grasp: the objective that they tell is that of their definition
// over exact sums, and it is the smallest.
#include <QtTest>
#include <cmath>

#include "engine/recon/functional/wavelets.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/recon/sense/solve_sense.h"
#include "tests/engine/recon/functional/proximal_checks.h"
#include "tests/engine/recon/measures.h"
#include "tests/engine/recon/sense/unweighted_radial.h"
#include "tests/test_main.h"

namespace test_proximal_solvers {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr int frameCount = 3;
constexpr unsigned denseDraws = 8;  // each objective is a dense product
using E = UnweightedRadial;

// The samples that a frame takes: of every third spoke.
std::vector<int> samplesOf(int frame) {
  std::vector<int> samples;
  for (int s = frame; s < E::spokes; s += frameCount)
    for (int j = 0; j < E::length; ++j) samples.push_back(s * E::length + j);
  return samples;
}

// 1/2 |A x - y|^2 / D over such samples, by exact sums.
double misfit(const E& e, const std::vector<int>& samples, const cdouble* x) {
  double sum = 0;
  for (int c = 0; c < E::coils; ++c)
    for (const int j : samples) {
      const std::size_t row = std::size_t(c * E::samples + j);
      cdouble value = -cdouble(e.data[std::size_t(c)][std::size_t(j)]);
      for (int i = 0; i < E::pixels; ++i) value += e.matrix[row * E::pixels + std::size_t(i)] * x[i];
      sum += std::norm(value);
    }
  return sum / 2 / double(samples.size());
}

std::vector<int> allSamples() {
  std::vector<int> all(E::samples);
  for (int j = 0; j < E::samples; ++j) all[std::size_t(j)] = j;
  return all;
}

// The largest magnitude of A^H y / D.
double gridded(const E& e, const std::vector<int>& samples) {
  std::vector<cdouble> image(E::pixels);
  for (int c = 0; c < E::coils; ++c)
    for (const int j : samples)
      for (int i = 0; i < E::pixels; ++i)
        image[std::size_t(i)] +=
            std::conj(e.matrix[std::size_t(c * E::samples + j) * E::pixels + std::size_t(i)]) *
            cdouble(e.data[std::size_t(c)][std::size_t(j)]);
  double most = 0;
  for (const cdouble& v : image) most = std::max(most, std::abs(v) / double(samples.size()));
  return most;
}

SenseProblem exactProblem(const E& e) {
  SenseProblem problem = e.problem;
  problem.transform = TransformKind::gdft;
  problem.precision = Precision::double64;
  return problem;
}

// The frames of a scan with points of their own, and their samples.
struct Frames {
  std::vector<std::vector<cfloat>> samples;  // [frame and coil][sample]
  std::vector<SenseProblem> problems;

  explicit Frames(const E& e) {
    samples.reserve(std::size_t(frameCount * E::coils));
    for (int t = 0; t < frameCount; ++t) {
      SenseProblem p = exactProblem(e);
      p.coils.clear();
      p.points.own().clear();
      p.shotOffsets = {0, std::int64_t(samplesOf(t).size())};
      for (const int j : samplesOf(t))
        for (const int d : {0, 1}) p.points.own().push_back(e.problem.points[std::size_t(2 * j + d)]);
      for (std::size_t c = 0; c < E::coils; ++c) {
        samples.emplace_back();
        for (const int j : samplesOf(t)) samples.back().push_back(e.data[c][std::size_t(j)]);
        p.coils.emplace_back(static_cast<const cfloat*>(samples.back().data()));
      }
      if (t > 0) p.maps.clear();
      problems.push_back(std::move(p));
    }
  }
};

Buffer<cdouble> bufferOf(const std::vector<cdouble>& image) {
  return Buffer<cdouble>(image.begin(), image.end());
}

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

  void graspReachesTheSmallestObjectiveAndTellsIt() {
    const double lambda = 0.02;
    const Frames frames(experiment_);
    double scale = 0;
    for (int t = 0; t < frameCount; ++t) scale = std::max(scale, gridded(experiment_, samplesOf(t)));
    const auto backend = makeCpuBackend();
    const SenseSolution s = backend->jointRun(frames.problems)
                                ->run({600, lambda, 1e-7, Regularization::temporalVariation}, {}, false, {});
    const auto objective = [&](const Buffer<cdouble>& x) {
      double sum = 0;
      for (std::size_t i = E::pixels; i < x.size(); ++i) sum += std::abs(x[i] - x[i - E::pixels]);
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
