// Alternating directions and primal-dual steps reach FISTA's minimum on a dense problem, with and
// without a preconditioner; LSMR solves weighted and damped least squares. All of them end for the
// same reasons.
#include <QtTest>

#include "engine/recon/functional/wavelets.h"
#include "engine/recon/solve/admm.h"
#include "engine/recon/solve/lsmr.h"
#include "engine/recon/solve/primal_dual.h"
#include "tests/engine/recon/solve/dense_problem.h"
#include "tests/test_main.h"

namespace test_other_solvers {

using namespace spokelab;
using namespace spokelab::test;

namespace {

// The samples of a dense problem, with weights.
class DenseSamples {
 public:
  DenseSamples(const Dense& problem, std::vector<double> weights)
      : problem_(problem), weights_(std::move(weights)) {}
  std::int64_t count() const { return problem_.rows; }
  const cdouble* y() const { return problem_.y.data(); }
  std::vector<double>& p() { return p_; }
  void forward(const cdouble* x, cdouble* samples) const {
    const Buffer<cdouble> s = problem_.forward(x);
    std::copy(s.begin(), s.end(), samples);
  }
  void weigh(cdouble* samples) const {
    for (std::size_t i = 0; i < weights_.size(); ++i) samples[i] *= weights_[i];
  }
  void adjoint(const cdouble* samples, cdouble* x) const {
    Buffer<cdouble> s(samples, samples + problem_.rows);
    weigh(s.data());
    const Buffer<cdouble> back = problem_.adjoint(s);
    std::copy(back.begin(), back.end(), x);
  }
  // E^H W E x + lambda x - E^H W y
  Buffer<cdouble> gradient(const Buffer<cdouble>& x, double lambda) const {
    const Buffer<cdouble> off = minus(problem_.forward(x.data()), problem_.y);
    Buffer<cdouble> g(x.size());
    adjoint(off.data(), g.data());
    for (std::size_t i = 0; i < g.size(); ++i) g[i] += lambda * x[i];
    return g;
  }

 private:
  const Dense& problem_;
  std::vector<double> weights_, p_;
};

std::vector<double> ones(std::int64_t count) {
  return std::vector<double>(std::size_t(count), 1.0);
}

// Rows of very different lengths, as k-space's centre and edge are.
Dense unevenProblem(std::int64_t rows, std::int64_t columns) {
  Dense problem(rows, columns, 3);
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < columns; ++c)
      problem.a[std::size_t(r * columns + c)] *= r % 10 == 0 ? 4.0 : 0.5;
  problem.b = problem.adjoint(problem.y);
  return problem;
}

const auto proceed = [](const auto&...) { return IterationAction::proceed; };

}  // namespace

class TestOtherSolvers : public QObject {
  Q_OBJECT

  static constexpr std::int64_t rows_ = 100;
  const Index3 size_{16, 14, 1};
  const double weight_ = 5;
  const Dense problem_ = unevenProblem(rows_, product(size_));

  template <class Solve>
  Buffer<cdouble> solved(const Solve& solve) const {
    HostSpace<double> space(1);
    Wavelets<HostSpace<double>> wavelets(space, size_, 2, 1, false);
    Buffer<cdouble> x(std::size_t(product(size_)), 0);
    const FistaOptions options{6000, 1e-8, 0, inner(problem_.y, problem_.y) / 2};
    const FistaResult result = solve(space, wavelets, x.data(), options);
    if (result.end != FistaEnd::tolerance) return {};
    if (std::abs(objective(x) - result.last.objective) > 1e-6 * objective(x)) return {};
    return x;
  }
  double objective(const Buffer<cdouble>& x) const {
    HostSpace<double> space(1);
    Wavelets<HostSpace<double>> wavelets(space, size_, 2, 1, false);
    Buffer<cdouble> c = x;
    wavelets.forward(c.data());
    double sum = 0;
    for (const cdouble& v : c) sum += std::abs(v);
    return problem_.misfit(x) + weight_ * sum;
  }
  Buffer<cdouble> byFista() const {
    return solved([&](auto& space, auto& wavelets, cdouble* x, const FistaOptions& options) {
      return fista(
          space, [&](const cdouble* in, cdouble* out) { problem_.normal(in, out); }, problem_.b.data(), x,
          problem_.columns, wavelets, [&] { return weight_; }, options, proceed);
    });
  }
  Buffer<cdouble> byAdmm() const {
    return solved([&](auto& space, auto& wavelets, cdouble* x, const FistaOptions& options) {
      return admm(
          space, [&](const cdouble* in, cdouble* out) { problem_.normal(in, out); }, problem_.b.data(), x,
          problem_.columns, wavelets, [&] { return weight_; }, options, proceed);
    });
  }
  Buffer<cdouble> byPrimalDual(const std::vector<double>& p) const {
    return solved([&](auto& space, auto& wavelets, cdouble* x, const FistaOptions& options) {
      DenseSamples samples(problem_, ones(rows_));
      samples.p() = p;
      return primalDual(
          space, samples, x, problem_.columns, wavelets, [&] { return weight_; }, options, proceed);
    });
  }

 private slots:
  // More unknowns than equations, so that only the wavelets' norm decides.
  void allReachTheSameMinimum() {
    const Buffer<cdouble> x = byFista();
    QVERIFY(!x.empty());
    std::vector<double> p;  // one over the square of a row's length
    for (std::int64_t r = 0; r < rows_; ++r) p.push_back(r % 10 == 0 ? 1 / 16.0 : 4.0);
    const std::pair<const char*, Buffer<cdouble>> others[] = {
        {"admm", byAdmm()}, {"pdhg", byPrimalDual({})}, {"pdhg with p", byPrimalDual(p)}};
    for (const auto& [name, other] : others) {
      QVERIFY2(other.size() == x.size(), name);
      QVERIFY2(distance(other, x) < 1e-4 * norm(x), name);
      QVERIFY2(std::abs(objective(other) / objective(x) - 1) < 1e-6, name);
    }
    verifyMinimum(x, 1e-9, [&](const Buffer<cdouble>& image) { return objective(image); });
  }

  void lsmrSolvesWeightedLeastSquares_data() {
    QTest::addColumn<double>("lambda");
    QTest::addColumn<bool>("fromElsewhere");
    QTest::newRow("no damping") << 0.0 << false;
    QTest::newRow("damping") << 3.0 << false;
    QTest::newRow("another start") << 3.0 << true;
  }
  void lsmrSolvesWeightedLeastSquares() {
    QFETCH(const double, lambda);
    QFETCH(const bool, fromElsewhere);
    const Dense problem(60, 20, 1);
    std::vector<double> weights;
    for (int i = 0; i < 60; ++i) weights.push_back(0.2 + 0.05 * i);
    DenseSamples samples(problem, weights);
    HostSpace<double> space(1);
    Buffer<cdouble> x(20, 0);
    if (fromElsewhere) x = randomValues(20, 9);
    std::vector<double> told, found;
    const double target = norm(samples.gradient(Buffer<cdouble>(20, 0), lambda));
    const auto result = lsmr(
        space, samples, x.data(), 20, [&] { return lambda; }, {200, 1e-10},
        [&](int, double residual) {
          told.push_back(residual);
          found.push_back(norm(samples.gradient(x, lambda)) / target);
          return IterationAction::proceed;
        });
    QCOMPARE(result.end, ConjugateGradientEnd::tolerance);
    QVERIFY(result.iterations < 60);
    QVERIFY(found.back() < 1e-9);
    for (std::size_t i = 0; i < told.size(); ++i) {
      QVERIFY(std::abs(told[i] - found[i]) < 1e-8 + 1e-6 * found[i]);
      QVERIFY(i == 0 || told[i] <= told[i - 1] * (1 + 1e-12));  // monotone
    }
  }

  // The square of a condition of 3 10^4 is beyond single precision.
  void lsmrGoesFurtherThanTheNormalEquationsInSinglePrecision() {
    constexpr std::int64_t count = 40;
    Dense problem(count, count, 5);
    for (cdouble& v : problem.a) v = 0;
    for (std::int64_t i = 0; i < count; ++i)
      problem.a[std::size_t(i * count + i)] = std::pow(3e4, -double(i) / double(count - 1));
    const Buffer<cdouble> truth = randomValues(count, 6);
    problem.y = problem.forward(truth.data());
    struct Single {
      const Dense& problem;
      Buffer<cfloat> data;
      std::int64_t count() const { return problem.rows; }
      const cfloat* y() const { return data.data(); }
      void weigh(cfloat*) const {}
      void forward(const cfloat* x, cfloat* s) const {
        for (std::int64_t i = 0; i < problem.rows; ++i)
          s[i] = cfloat(problem.a[std::size_t(i * problem.rows + i)]) * x[i];
      }
      void adjoint(const cfloat* s, cfloat* x) const { forward(s, x); }
    } samples{problem, Buffer<cfloat>(problem.y.begin(), problem.y.end())};
    HostSpace<float> space(1);
    const auto misfitOf = [&](const Buffer<cfloat>& x) {
      Buffer<cdouble> wide(x.begin(), x.end());
      return distance(problem.forward(wide.data()), problem.y) / norm(problem.y);
    };
    Buffer<cfloat> x(std::size_t{count}, 0), byNormal = x, right = x, room = x;
    lsmr(
        space, samples, x.data(), count, [] { return 0.0; }, {400}, proceed);
    samples.adjoint(samples.y(), right.data());
    conjugateGradient(
        space,
        [&](const cfloat* in, cfloat* out) {
          samples.forward(in, room.data());
          samples.adjoint(room.data(), out);
        },
        right.data(), byNormal.data(), count, {400}, proceed);
    QVERIFY2(misfitOf(x) < 0.5 * misfitOf(byNormal),
             qPrintable(QString("%1, %2").arg(misfitOf(x)).arg(misfitOf(byNormal))));
  }

  void noDataGiveZeros() {
    Dense problem(6, 4, 2);
    problem.y.assign(6, 0);
    problem.b.assign(4, 0);
    HostSpace<double> space(1);
    DenseSamples samples(problem, ones(6));
    Wavelets<HostSpace<double>> wavelets(space, {4, 1, 1}, 1, 1, false);
    const auto apply = [&](const cdouble* in, cdouble* out) { problem.normal(in, out); };
    const auto one = [] { return 1.0; };
    Buffer<cdouble> a = randomValues(4, 1), b = a, c = a;
    QCOMPARE(admm(space, apply, problem.b.data(), a.data(), 4, wavelets, one, {9}, proceed).end,
             FistaEnd::tolerance);
    QCOMPARE(primalDual(space, samples, b.data(), 4, wavelets, one, {9}, proceed).end, FistaEnd::tolerance);
    QCOMPARE(lsmr(space, samples, c.data(), 4, one, {9}, proceed).end, ConjugateGradientEnd::tolerance);
    QVERIFY(norm(a) == 0 && norm(b) == 0 && norm(c) == 0);
  }

  // A watcher stops, or goes on from another image and lambda.
  void watchersStopAndStartAnew() {
    HostSpace<double> space(1);
    DenseSamples samples(problem_, ones(rows_));
    const Buffer<cdouble> usual = byFista();
    const auto apply = [&](const cdouble* in, cdouble* out) { problem_.normal(in, out); };
    const auto solve = [&](bool alternating, cdouble* x, int iterations, const auto& each) {
      Wavelets<HostSpace<double>> wavelets(space, size_, 2, 1, false);
      const auto weight = [&] { return weight_; };
      const FistaOptions options{iterations, 1e-8};
      return alternating
                 ? admm(space, apply, problem_.b.data(), x, problem_.columns, wavelets, weight, options, each)
                 : primalDual(space, samples, x, problem_.columns, wavelets, weight, options, each);
    };
    for (const bool alternating : {true, false}) {
      Buffer<cdouble> x(usual.size(), 0);
      const FistaResult stopped = solve(alternating, x.data(), 50, [](const FistaState& s) {
        return s.iteration == 3 ? IterationAction::stop : IterationAction::proceed;
      });
      QCOMPARE(stopped.end, FistaEnd::watcher);
      QCOMPARE(stopped.last.iteration, 3);
      const FistaResult anew = solve(alternating, x.data(), 9000, [&](const FistaState& s) {
        if (s.iteration != 5) return IterationAction::proceed;
        x.assign(x.size(), 2);
        return IterationAction::restart;
      });
      QCOMPARE(anew.end, FistaEnd::tolerance);
      QVERIFY(distance(x, usual) < 1e-3 * norm(usual));
    }
    const Dense least(60, 20, 1);
    DenseSamples measured(least, ones(60));
    Buffer<cdouble> x(20, 0);
    double lambda = 0;
    const auto result = lsmr(
        space, measured, x.data(), 20, [&] { return lambda; }, {200, 1e-9},
        [&](int iteration, double) {
          if (iteration != 4) return IterationAction::proceed;
          lambda = 7;
          return IterationAction::restart;
        });
    QCOMPARE(result.end, ConjugateGradientEnd::tolerance);
    QVERIFY(norm(measured.gradient(x, 7)) < 1e-6);
  }

  void theyEndWhereTheImageSettles() {
    HostSpace<double> space(1);
    DenseSamples samples(problem_, ones(rows_));
    Wavelets<HostSpace<double>> wavelets(space, size_, 2, 1, false);
    const auto apply = [&](const cdouble* in, cdouble* out) { problem_.normal(in, out); };
    const auto weight = [&] { return weight_; };
    Buffer<cdouble> x(std::size_t(product(size_)), 0), y = x, z = x;
    const FistaOptions options{4000, 0, 1e-3};
    QCOMPARE(
        admm(space, apply, problem_.b.data(), x.data(), problem_.columns, wavelets, weight, options, proceed)
            .end,
        FistaEnd::settled);
    QCOMPARE(primalDual(space, samples, y.data(), problem_.columns, wavelets, weight, options, proceed).end,
             FistaEnd::settled);
    QCOMPARE(lsmr(
                 space, samples, z.data(), problem_.columns, [] { return 1.0; },
                 {.iterations = 4000, .minChange = 1e-3}, proceed)
                 .end,
             ConjugateGradientEnd::settled);
  }
};

SPOKELAB_TEST(TestOtherSolvers)

}  // namespace test_other_solvers

#include "test_other_solvers.moc"
