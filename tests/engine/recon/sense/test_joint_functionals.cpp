// Frames found together with blocks of low rank, joint wavelets, low rank and sparse parts: the objective that is told
// is that of the definition over exact sums, it falls, and the dual proves that none is smaller.
#include <QtTest>
#include <cmath>
#include <numbers>

#include "engine/core/error.h"
#include "engine/recon/functional/wavelets.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/recon/sense/solve_sense.h"
#include "tests/engine/recon/functional/proximal_checks.h"
#include "tests/engine/recon/measures.h"
#include "tests/engine/recon/sense/exact_frames.h"
#include "tests/test_main.h"

namespace test_joint_functionals {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr int block = 10;  // pixels; two along each axis
constexpr double lambda = 0.02;

// The singular values of a square of pixels over frames, by Jacobi's rotations of its columns
// (Hestenes 1958).
std::vector<double> singularValues(const Buffer<cdouble>& x, int side, int bx, int by) {
  std::vector<std::vector<cdouble>> columns(frameCount);
  for (int t = 0; t < frameCount; ++t)
    for (int i = 0; i < side * side; ++i)
      columns[std::size_t(t)].push_back(
          x[std::size_t(t * E::pixels + (by * side + i / side) * E::side + bx * side + i % side)]);
  for (int sweep = 0; sweep < 30; ++sweep)
    for (std::size_t p = 0; p < columns.size(); ++p)
      for (std::size_t q = p + 1; q < columns.size(); ++q) {
        double a = 0, b = 0;
        cdouble g = 0;
        for (std::size_t i = 0; i < columns[p].size(); ++i) {
          a += std::norm(columns[p][i]);
          b += std::norm(columns[q][i]);
          g += std::conj(columns[p][i]) * columns[q][i];
        }
        if (!(std::abs(g) > 1e-15 * std::sqrt(a * b))) continue;
        const cdouble turn = g / std::abs(g);
        const double z = (b - a) / (2 * std::abs(g));
        const double t = (z < 0 ? -1 : 1) / (std::abs(z) + std::sqrt(1 + z * z)),
                     c = 1 / std::sqrt(1 + t * t);
        for (std::size_t i = 0; i < columns[p].size(); ++i) {
          const cdouble u = columns[p][i], v = std::conj(turn) * columns[q][i];
          columns[p][i] = c * (u - t * v);
          columns[q][i] = c * (t * u + v);
        }
      }
  std::vector<double> lengths;
  for (const auto& column : columns) {
    double square = 0;
    for (const cdouble& v : column) square += std::norm(v);
    lengths.push_back(std::sqrt(square));
  }
  return lengths;
}

template <class Call>
void eachBlock(const Buffer<cdouble>& x, const Call& call) {
  for (const int by : {0, 1})
    for (const int bx : {0, 1})
      for (const double s : singularValues(x, block, bx, by)) call(s);
}

double largestGridded(const E& e) {
  double scale = 0;
  for (int t = 0; t < frameCount; ++t) scale = std::max(scale, gridded(e, samplesOf(t)));
  return scale;
}

double misfitOfFrames(const E& e, const Buffer<cdouble>& x) {
  double value = 0;
  for (int t = 0; t < frameCount; ++t) value += misfit(e, samplesOf(t), x.data() + t * E::pixels);
  return value;
}

}  // namespace

class TestJointFunctionals : public QObject {
  Q_OBJECT

  const E experiment_;
  const Frames frames_{experiment_};

  SenseSolution solve(const IterationOptions& options) const {
    return makeCpuBackend()->jointRun(frames_.problems)->run(options, {}, false, {});
  }
  static IterationOptions optionsOf(Regularization kind, int iterations) {
    IterationOptions options{iterations, lambda, 1e-8, kind};
    options.randomShifts = false;
    options.block = block;
    options.blockPlaces = BlockPlaces::fixed;
    return options;
  }
  // Told and true objective agree, and no image has one that is smaller by more than `gap`.
  template <class Value, class DualNorm>
  void verifySolution(const SenseSolution& s, double gap, const Value& value,
                      const DualNorm& dualNorm) const {
    const Buffer<cdouble> x = bufferOf(s.doubleImage);
    QCOMPARE(x.size(), std::size_t(frameCount * E::pixels));
    const double scale = largestGridded(experiment_), weight = lambda * scale;
    const double objective = misfitOfFrames(experiment_, x) + weight * value(x);
    QVERIFY(std::abs(s.objectives.back() * scale * scale - objective) < 1e-5 * objective);
    QVERIFY(s.objectives.back() < s.objectives.front());
    const double above = dualityGap(experiment_, x.data(), weight, objective, dualNorm) / objective;
    QVERIFY2(above < gap && above > -1e-6, qPrintable(QString::number(above)));
  }

 private slots:
  void blocksOfLowRankReachTheSmallestObjective() {
    const SenseSolution s = solve(optionsOf(Regularization::locallyLowRank, 500));
    verifySolution(
        s, 1e-3,
        [](const Buffer<cdouble>& x) {
          double sum = 0;
          eachBlock(x, [&](double singular) { sum += singular; });
          return sum;
        },
        [](const Buffer<cdouble>& x) {
          double most = 0;
          eachBlock(x, [&](double singular) { most = std::max(most, singular); });
          return most;
        });
  }

  // All pixels are one block; the nuclear norm counts sqrt(pixels) times.
  void lowRankReachesTheSmallestObjective_data() {
    QTest::addColumn<int>("solver");
    QTest::newRow("fista") << int(IterationSolver::fista);
    QTest::newRow("admm") << int(IterationSolver::admm);
  }
  void lowRankReachesTheSmallestObjective() {
    QFETCH(const int, solver);
    IterationOptions options = optionsOf(Regularization::lowRank, 500);
    options.lambda = lambda / 10;
    options.solver = IterationSolver(solver);
    const SenseSolution s = solve(options);
    const double root = std::sqrt(double(E::pixels)), scale = largestGridded(experiment_);
    const auto singular = [](const Buffer<cdouble>& x) { return singularValues(x, E::side, 0, 0); };
    const Buffer<cdouble> x = bufferOf(s.doubleImage);
    double value = 0;
    for (const double one : singular(x)) value += root * one;
    const double weight = options.lambda * scale, objective = misfitOfFrames(experiment_, x) + weight * value;
    QVERIFY(std::abs(s.objectives.back() * scale * scale - objective) < 1e-5 * objective);
    const double above =
        dualityGap(experiment_, x.data(), weight, objective, [&](const Buffer<cdouble>& gradient) {
          double most = 0;
          for (const double one : singular(gradient)) most = std::max(most, one / root);
          return most;
        });
    QVERIFY2(above < 1e-3 * objective, qPrintable(QString::number(above / objective)));
  }

  // Jumps in time and in space, by either solver: no image near has a smaller objective.
  void jumpsInTimeAndSpaceReachTheSmallestObjective() {
    std::vector<Buffer<cdouble>> images;
    const double scale = largestGridded(experiment_);
    for (const IterationSolver solver : {IterationSolver::fista, IterationSolver::admm}) {
      IterationOptions options = optionsOf(Regularization::temporalVariation, 600);
      options.spatialWeight = 0.5;
      options.solver = solver;
      const SenseSolution s = solve(options);
      const auto objective = [&](const Buffer<cdouble>& x) {
        double sum = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
          if (i >= E::pixels) sum += std::abs(x[i] - x[i - E::pixels]);
          const std::size_t at = i % E::pixels;
          double square = 0;
          if (at % E::side + 1 < E::side) square += std::norm(x[i + 1] - x[i]);
          if (at / E::side + 1 < E::side) square += std::norm(x[i + E::side] - x[i]);
          sum += 0.5 * std::sqrt(square);
        }
        return (misfitOfFrames(experiment_, x) + lambda * scale * sum) / (scale * scale);
      };
      const Buffer<cdouble> x = bufferOf(s.doubleImage);
      QVERIFY2(std::abs(s.objectives.back() / objective(x) - 1) < 2e-3,
               qPrintable(QString("%1 %2").arg(s.objectives.back()).arg(objective(x))));
      verifyMinimum(x, 2e-4, objective, 8);
      images.push_back(x);
    }
    double apart = 0, length = 0;
    for (std::size_t i = 0; i < images[0].size(); ++i) {
      apart += std::norm(images[0][i] - images[1][i]);
      length += std::norm(images[0][i]);
    }
    QVERIFY2(apart < 1e-4 * length, qPrintable(QString::number(std::sqrt(apart / length))));
  }

  void jointWaveletsReachTheSmallestObjective() {
    const SenseSolution s = solve(optionsOf(Regularization::jointWavelets, 500));
    HostSpace<double> space(1);
    Wavelets<HostSpace<double>> wavelets(space, experiment_.problem.matrix, 2, 1, false);
    const auto lengths = [&](Buffer<cdouble> x) {
      std::vector<double> all(E::pixels);
      for (int t = 0; t < frameCount; ++t) {
        wavelets.forward(x.data() + t * E::pixels);
        for (std::size_t i = 0; i < all.size(); ++i) all[i] += std::norm(x[std::size_t(t) * E::pixels + i]);
      }
      for (double& length : all) length = std::sqrt(length);
      return all;
    };
    verifySolution(
        s, 1e-3,
        [&](const Buffer<cdouble>& x) {
          double sum = 0;
          for (const double length : lengths(x)) sum += length;
          return sum;
        },
        [&](const Buffer<cdouble>& x) {
          const std::vector<double> all = lengths(x);
          return *std::max_element(all.begin(), all.end());
        });
  }

  // The told objective is of two parts, whose sum is the image: the dual bounds it from below.
  // Frame 1 may be of another echo: the frequencies of the others are then taken without it.
  void lowRankAndSparseReachTheSmallestObjective_data() {
    QTest::addColumn<bool>("echoes");
    QTest::newRow("times") << false;
    QTest::newRow("times of two echoes") << true;
  }
  void lowRankAndSparseReachTheSmallestObjective() {
    QFETCH(const bool, echoes);
    IterationOptions options = optionsOf(Regularization::lowRankSparse, 1500);
    options.lowRankWeight = 0.5;
    std::vector<SenseProblem> problems = frames_.problems;
    if (echoes) problems[1].train = 1;
    const std::vector<std::vector<int>> trains =
        echoes ? std::vector<std::vector<int>>{{0, 2}, {1}} : std::vector<std::vector<int>>{{0, 1, 2}};
    const SenseSolution s = makeCpuBackend()->jointRun(problems)->run(options, {}, false, {});
    const double scale = largestGridded(experiment_), objective = s.objectives.back() * scale * scale;
    const auto dualNorm = [&trains](const Buffer<cdouble>& g) {
      double most = 0;
      for (const double singular : singularValues(g, E::side, 0, 0))
        most = std::max(most, singular / (0.5 * std::sqrt(double(E::pixels))));
      for (const std::vector<int>& train : trains)
        for (std::size_t i = 0; i < E::pixels; ++i)
          for (std::size_t f = 0; f < train.size(); ++f) {
            const auto count = double(train.size());
            cdouble sum = 0;
            for (std::size_t t = 0; t < train.size(); ++t)
              sum += std::polar(1 / std::sqrt(count), -2 * std::numbers::pi * double(f * t) / count) *
                     g[std::size_t(train[t] * E::pixels) + i];
            most = std::max(most, std::abs(sum));
          }
      return most;
    };
    const Buffer<cdouble> x = bufferOf(s.doubleImage);
    const double above = dualityGap(experiment_, x.data(), lambda * scale, objective, dualNorm) / objective;
    QVERIFY2(above < 2e-3 && above > -1e-6, qPrintable(QString::number(above)));
    QVERIFY(misfitOfFrames(experiment_, x) < objective);
    QVERIFY(s.objectives.back() < s.objectives.front());
  }

  void placesOfBlocksComeNearTheSameObjective() {
    IterationOptions options = optionsOf(Regularization::locallyLowRank, 80);
    const SenseSolution fixed = solve(options);
    for (const BlockPlaces places : {BlockPlaces::random, BlockPlaces::overlap}) {
      options.blockPlaces = places;
      const SenseSolution other = solve(options);
      QVERIFY(relativeDifference(other.image, fixed.image) > 1e-3);
      QVERIFY(other.objectives.back() < 1.2 * fixed.objectives.back());
    }
  }

  void oneFrameIsRefused() {
    for (const Regularization kind :
         {Regularization::locallyLowRank, Regularization::jointWavelets, Regularization::lowRankSparse})
      QVERIFY_THROWS_EXCEPTION(
          Error, makeCpuBackend()->solveSense(exactProblem(experiment_), optionsOf(kind, 5), {}, {}));
  }
};

SPOKELAB_TEST(TestJointFunctionals)

}  // namespace test_joint_functionals

#include "test_joint_functionals.moc"
