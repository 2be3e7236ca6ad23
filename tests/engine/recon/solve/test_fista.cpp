// FISTA reaches the minimum of small dense problems: least squares, l1 of wavelets, jumps along
// time; it tells the objective that it has, and does what its watcher says.
#include <QtTest>

#include "engine/recon/functional/temporal_variation.h"
#include "engine/recon/functional/wavelets.h"
#include "engine/recon/solve/fista.h"
#include "tests/engine/recon/functional/proximal_checks.h"
#include "tests/engine/recon/solve/dense_problem.h"
#include "tests/test_main.h"

namespace test_fista {

using namespace spokelab;
using namespace spokelab::test;

namespace {

struct Nothing {
  double prox(double, cdouble*) { return 0; }
};

template <class Functional>
struct Run {
  Buffer<cdouble> x;
  FistaResult result;
  std::vector<double> objectives;

  Run(const Dense& problem, Functional& functional, double weight, FistaOptions options) {
    HostSpace<double> space(1);
    x.assign(std::size_t(problem.columns), 0);
    options.constant = inner(problem.y, problem.y) / 2;
    result = fista(
        space, [&](const cdouble* in, cdouble* out) { problem.normal(in, out); }, problem.b.data(), x.data(),
        problem.columns, functional, [&] { return weight; }, options,
        [&](const FistaState& state) {
          objectives.push_back(state.objective);
          return IterationAction::proceed;
        });
  }
};

}  // namespace

class TestFista : public QObject {
  Q_OBJECT

 private slots:
  void withoutARegularizerItSolvesLeastSquares() {
    const Dense problem(60, 20, 1);
    Nothing nothing;
    const Run run(problem, nothing, 0, {2000, 1e-9});
    QCOMPARE(run.result.end, FistaEnd::tolerance);
    Buffer<cdouble> back(run.x.size());
    problem.normal(run.x.data(), back.data());
    QVERIFY(distance(back, problem.b) < 1e-7 * norm(problem.b));
    QVERIFY(std::abs(run.objectives.back() - problem.misfit(run.x)) < 1e-9 * problem.misfit(run.x));
  }

  // More unknowns than equations: only the wavelets' norm decides.
  void itReachesTheMinimumOfWavelets() {
    const Index3 size{16, 14, 1};
    const double weight = 5;
    const Dense problem(100, product(size), 3);
    HostSpace<double> space(1);
    Wavelets<HostSpace<double>> wavelets(space, size, 2, 1, false);
    const Run run(problem, wavelets, weight, {3000, 1e-8});
    QCOMPARE(run.result.end, FistaEnd::tolerance);
    const auto objective = [&](const Buffer<cdouble>& x) {
      Buffer<cdouble> c = x;
      wavelets.forward(c.data());
      double sum = 0;
      for (const cdouble& v : c) sum += std::abs(v);
      return problem.misfit(x) + weight * sum;
    };
    QVERIFY(std::abs(objective(run.x) - run.objectives.back()) < 1e-6 * run.objectives.back());
    verifyMinimum(run.x, 1e-9, objective);
    verifyOptimal(problem, wavelets, weight, run.x);
  }

  void itReachesTheMinimumOfJumpsAlongTime() {
    constexpr std::int64_t frames = 8, pixels = 12;
    const double weight = 4;
    const Dense problem(60, frames * pixels, 5);
    HostSpace<double> space(1);
    TemporalVariation<HostSpace<double>> variation(space, frames, pixels);
    const Run run(problem, variation, weight, {3000, 1e-6});
    const auto objective = [&](const Buffer<cdouble>& x) {
      double sum = 0;
      for (std::size_t i = pixels; i < x.size(); ++i) sum += std::abs(x[i] - x[i - pixels]);
      return problem.misfit(x) + weight * sum;
    };
    QVERIFY(std::abs(objective(run.x) - run.objectives.back()) < 1e-6 * run.objectives.back());
    verifyMinimum(run.x, 1e-5, objective);
  }

  // A first estimate of the largest eigenvalue that is far too small: b has hardly a part of its
  // vector.
  void theStepShortensWhereTheCurvatureIsLarger() {
    Dense problem(2, 2, 1);
    problem.a = {cdouble(30), cdouble(0), cdouble(0), cdouble(1)};
    problem.y = {cdouble(1e-14), cdouble(1)};
    problem.b = problem.adjoint(problem.y);
    Nothing nothing;
    HostSpace<double> space(1);
    Buffer<cdouble> x{cdouble(5), cdouble(0)};
    const FistaResult result = fista(
        space, [&](const cdouble* in, cdouble* out) { problem.normal(in, out); }, problem.b.data(), x.data(),
        2, nothing, [] { return 0.0; }, {5000, 1e-9},
        [](const FistaState&) { return IterationAction::proceed; });
    QCOMPARE(result.end, FistaEnd::tolerance);
    QVERIFY(std::abs(x[1] - 1.0) < 1e-6);
    QVERIFY(std::abs(x[0]) < 1e-6);
  }

  void noDataGiveZeros() {
    Dense problem(4, 3, 2);
    problem.b.assign(3, 0);
    Nothing nothing;
    const Run run(problem, nothing, 1, {10});
    QCOMPARE(run.result.end, FistaEnd::tolerance);
    QVERIFY(norm(run.x) == 0);
  }

  void theWatcherStopsAndStartsAnew() {
    const Dense problem(40, 20, 8);
    Nothing nothing;
    HostSpace<double> space(1);
    Buffer<cdouble> x(20, 0);
    const auto solve = [&](const auto& each) {
      return fista(
          space, [&](const cdouble* in, cdouble* out) { problem.normal(in, out); }, problem.b.data(),
          x.data(), 20, nothing, [] { return 0.0; }, {500, 1e-8}, each);
    };
    const FistaResult stopped = solve([](const FistaState& s) {
      return s.iteration == 3 ? IterationAction::stop : IterationAction::proceed;
    });
    QCOMPARE(stopped.end, FistaEnd::watcher);
    QCOMPARE(stopped.last.iteration, 3);
    const FistaResult anew = solve([&](const FistaState& s) {
      if (s.iteration != 5) return IterationAction::proceed;
      x.assign(20, 7);  // another image
      return IterationAction::restart;
    });
    QCOMPARE(anew.end, FistaEnd::tolerance);
    Buffer<cdouble> back(20);
    problem.normal(x.data(), back.data());
    QVERIFY(distance(back, problem.b) < 1e-6 * norm(problem.b));
  }

 private:
  // b - N x is in the subgradient: weight c / |c| where a coefficient is left, at most weight long
  // elsewhere.
  static void verifyOptimal(const Dense& problem, Wavelets<HostSpace<double>>& wavelets, double weight,
                            const Buffer<cdouble>& x) {
    Buffer<cdouble> rest(x.size()), c = x;
    problem.normal(x.data(), rest.data());
    rest = minus(problem.b, rest);
    wavelets.forward(rest.data());
    wavelets.forward(c.data());
    int left = 0;
    for (std::size_t i = 0; i < c.size(); ++i) {
      QVERIFY(std::abs(rest[i]) < weight * (1 + 1e-4));
      if (std::abs(c[i]) < 1e-6) continue;
      ++left;
      QVERIFY(std::abs(rest[i] - weight * c[i] / std::abs(c[i])) < 1e-3 * weight);
    }
    QVERIFY(left > 10 && left < int(c.size()) - 10);
  }
};

SPOKELAB_TEST(TestFista)

}  // namespace test_fista

#include "test_fista.moc"
