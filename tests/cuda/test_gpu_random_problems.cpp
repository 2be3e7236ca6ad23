// The accuracy contract over random problems: dimension, size, precision, sign, images, points,
// accuracy, alpha, kernel and its evaluation are drawn, and every method that the device offers for
// them is held to the error asked for, against exact sums, both directions.
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>

#include "tests/campaign.h"
#include "tests/cuda/gpu_test.h"
#include "tests/engine/nufft/contract.h"
#include "tests/test_main.h"

namespace test_gpu_random_problems {

using namespace spokelab;
using namespace spokelab::gputest;
using namespace spokelab::test;

namespace {

constexpr int problems = 120;

bool onGpu(Precomputation how) {
  return how == Precomputation::automatic || how == Precomputation::polynomial ||
         how == Precomputation::linear;
}

// Grids of 16 cells a side and more as a rule: tensor columns need them.
ContractCase randomCase(std::mt19937& random) {
  ContractCase c;
  NufftProblem& p = c.problem;
  p.dims = int(between(random, 1, 3));
  const std::int64_t largest = p.dims == 1 ? 3000 : p.dims == 2 ? 60 : 18;
  for (int d = 0; d < p.dims; ++d) p.size[std::size_t(d)] = between(random, p.dims == 1 ? 1 : 8, largest);
  p.precision = between(random, 0, 1) ? Precision::single : Precision::double64;
  p.sign = between(random, 0, 1) ? 1 : -1;
  p.batch = between(random, 0, 1) ? 1 : between(random, 2, 9);
  c.options = randomOptions(random, p.precision);
  if (!onGpu(c.options.precomputation)) c.options.precomputation = Precomputation::automatic;
  c.options.reproducible = between(random, 0, 4) == 0;
  const PointPattern patterns[] = {PointPattern::random, PointPattern::random, PointPattern::clustered,
                                   PointPattern::edges};
  const auto count = std::int64_t(std::exp(uniform(random, 0, std::log(400.0))));
  c.points = makePoints(p.dims, count, patterns[between(random, 0, 3)], unsigned(random()));
  return c;
}

ContractResult runOnGpu(const ContractCase& c, std::mt19937& random) {
  return c.problem.precision == Precision::single
             ? runContract(*backend()->plan<float>(c.problem, c.options), c, random)
             : runContract(*backend()->plan<double>(c.problem, c.options), c, random);
}

// Empty, or why no plan serves the case, whatever its methods.
std::string refusal(const ContractCase& c) {
  try {
    c.problem.precision == Precision::single ? void(backend()->plan<float>(c.problem, c.options))
                                             : void(backend()->plan<double>(c.problem, c.options));
    return {};
  } catch (const Error& e) {
    return e.what();
  }
}

struct Seen {
  int cases = 0;
  double closest = 0;  // error over what was asked for
};
using SeenMethods = std::map<Method, Seen>;

// Empty, or how a method broke the contract.
std::string broken(ContractCase c, Method method, SeenMethods& seen, std::mt19937& random) {
  (c.adjoint ? c.options.spread : c.options.interpolate) = method;
  const std::string name(methodName(method));
  try {
    const ContractResult r = runOnGpu(c, random);
    const double ratio = r.error / c.options.accuracy;
    Seen& s = seen[method];
    ++s.cases;
    s.closest = std::max(s.closest, ratio);
    if (ratio <= 1) return {};
    return name + ", " + c.text() + ": " + std::to_string(ratio) + " of the error asked for, predicted " +
           std::to_string(r.predicted / c.options.accuracy);
  } catch (const Error& e) {  // it was offered
    return name + ", " + c.text() + ": " + e.what();
  }
}

}  // namespace

class TestGpuRandomProblems : public QObject {
  Q_OBJECT
 private slots:
  void everyMethodOfferedHoldsItsContract() {
    NEEDS_GPU();
    std::mt19937 random(campaignSeed(2718));
    SeenMethods spread, interpolated;
    int run = 0, refused = 0;
    while (run < problems * campaignFactor()) {
      ContractCase c = randomCase(random);
      if (const std::string why = refusal(c); !why.empty()) {
        QVERIFY2(mayBeRefused(c.options, why), why.c_str());
        ++refused;
        continue;
      }
      const std::vector<Method> spreads = backend()->allSpreadMethods(c.problem, c.options),
                                interpolates = backend()->allInterpolateMethods(c.problem, c.options);
      QVERIFY2(!spreads.empty() && !interpolates.empty(), c.text().c_str());
      for (const bool adjoint : {true, false}) {
        c.adjoint = adjoint;
        c.draws = drawsFor(c);
        for (const Method method : adjoint ? spreads : interpolates) {
          const std::string how = broken(c, method, adjoint ? spread : interpolated, random);
          QVERIFY2(how.empty(), how.c_str());
        }
      }
      ++run;
    }
    int cases = 0;
    for (const auto* seen : {&spread, &interpolated})
      for (const auto& [method, s] : *seen) {
        qInfo("%s %s: %d cases, at most %.2f of the error asked for",
              seen == &spread ? "spread" : "interpolate", std::string(methodName(method)).c_str(), s.cases,
              s.closest);
        cases += s.cases;
      }
    qInfo("%d problems, %d requests refused", run, refused);
    countCases("random problems of GPU methods against exact sums", cases);
    QVERIFY(refused < run / 3);
    // Methods of every device.
    for (const Method method :
         {Method::pointDriven, Method::pointSorted, Method::subproblem, Method::sector, Method::outputDriven,
          Method::fixedPoint, Method::cell, Method::tensor, Method::sparse})
      QVERIFY2(spread[method].cases > 0, std::string(methodName(method)).c_str());
    for (const Method method : {Method::pointDriven, Method::pointSorted, Method::subproblem, Method::sector,
                                Method::cell, Method::tensor, Method::sparse})
      QVERIFY2(interpolated[method].cases > 0, std::string(methodName(method)).c_str());
  }
};

SPOKELAB_CORE_TEST(TestGpuRandomProblems)

}  // namespace test_gpu_random_problems

#include "test_gpu_random_problems.moc"
