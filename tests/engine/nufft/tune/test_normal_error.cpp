// The predicted error of normal operators beside the measured one: all pixels of random images,
// compared with exact sums, over random problems.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "engine/nufft/exact/nudft.h"
#include "engine/nufft/tune/candidates.h"
#include "engine/nufft/tune/timing.h"
#include "tests/engine/nufft/contract.h"
#include "tests/engine/nufft/tune/normal_error_cases.h"
#include "tests/engine/nufft/tune/tune_test.h"
#include "tests/test_main.h"

namespace test_normal_error {

using namespace spokelab;
using namespace spokelab::test;

namespace {

std::vector<cdouble> weighted(const NormalErrorCase& c, std::vector<cdouble> samples) {
  for (std::size_t j = 0; j < c.weights.size(); ++j) samples[j] *= c.weights[j];
  return samples;
}

// References for a plan's normal operator: A^H W A of random images, and |A^H W A|_F^2 / pixels, to
// which its error is relative, from some columns.
struct ExactNormal {
  static constexpr int draws = 12, columns = 8;
  std::vector<std::vector<cdouble>> images, results;
  double power = 0;

  ExactNormal(const NormalErrorCase& c, std::mt19937& random) {
    const NufftProblem& p = c.request.problem;
    for (int i = 0; i < draws; ++i) {
      images.push_back(normalData(random, p.pixels()));
      if (p.precision == Precision::single)
        for (cdouble& v : images.back()) v = cdouble(cfloat(v));
      results.push_back(nudftAdjoint(p, c.points, weighted(c, nudftForward(p, c.points, images.back()))));
    }
    const cdouble one(1);
    for (int i = 0; i < columns; ++i) {
      const std::int64_t pixel = std::uniform_int_distribution<std::int64_t>(0, p.pixels() - 1)(random);
      const std::vector<cdouble> samples =
          nudftForwardOf(p, c.points, std::span(&pixel, 1), std::span(&one, 1));
      power += squareNorm(nudftAdjoint(p, c.points, weighted(c, samples))) / columns;
    }
  }
};

template <class Real>
double errorOf(const NormalErrorCase& c, const NufftOptions& options, const ExactNormal& exact) {
  const auto plan = cpuPlan<Real>(c.request.problem, options);
  plan->setPoints(c.points);
  plan->setWeights(c.weights);
  double error = 0, given = 0;
  for (std::size_t i = 0; i < exact.images.size(); ++i) {
    std::vector<std::complex<Real>> image(exact.images[i].begin(), exact.images[i].end());
    plan->normal(image.data(), image.data());
    for (std::size_t n = 0; n < image.size(); ++n)
      error += std::norm(cdouble(image[n]) - exact.results[i][n]);
    given += squareNorm(exact.images[i]);
  }
  return std::sqrt(error / (given * exact.power));
}

}  // namespace

class TestNormalError : public QObject {
  Q_OBJECT

 private:
  // Measured over predicted errors of all forms over random problems. SPOKELAB_CASES,
  // SPOKELAB_SEED: number and seed of the problems; SPOKELAB_SHOW: a line each.
  static std::vector<double> ratiosOf(int problems, bool coherent, std::string& worst,
                                      std::int64_t samples = 0) {
    constexpr unsigned seed = 20;
    const int given = qEnvironmentVariableIntValue("SPOKELAB_CASES");
    NormalErrorCases cases(seed + unsigned(qEnvironmentVariableIntValue("SPOKELAB_SEED")));
    std::mt19937 random(seed);
    CountingCpuBackend cpu;
    std::vector<double> ratios;
    double farthest = 1;
    for (int done = 0; done < (given > 0 ? given : problems);) {
      NormalErrorCase c = cases.next(samples);
      if (c.isCoherent() != coherent) continue;
      ++done;
      const ExactNormal exact(c, random);
      for (const NormalMethod normal :
           {NormalMethod::gridded, NormalMethod::toeplitz, NormalMethod::toeplitzShifted}) {
        c.request.options.normal = normal;
        Candidate tried;
        tried.backend = "cpu";
        tried.options = c.request.options;
        timeCandidate(cpu, c.ask(), tried, {});
        const double measured = c.request.problem.precision == Precision::single
                                    ? errorOf<float>(c, tried.options, exact)
                                    : errorOf<double>(c, tried.options, exact);
        ratios.push_back(measured / tried.predictedNormalError);
        const std::string line = std::string(normalMethodName(normal)) + " " + c.text() + tried.refused +
                                 ": measured " + numberText(measured, 3) + ", predicted " +
                                 numberText(tried.predictedNormalError, 3) + ", ratio " +
                                 numberText(ratios.back(), 3);
        if (qEnvironmentVariableIsSet("SPOKELAB_SHOW")) std::printf("%s\n", line.c_str());
        const double away = std::max(ratios.back(), 1 / ratios.back());
        if (away > farthest) worst = line;
        farthest = std::max(farthest, away);
      }
    }
    return ratios;
  }
  static std::ptrdiff_t within(const std::vector<double>& ratios, double factor) {
    return std::count_if(ratios.begin(), ratios.end(),
                         [&](double r) { return r < factor && r > 1 / factor; });
  }

 private slots:
  void theErrorOfANormalOperatorIsPredicted() {
    std::string worst;
    const std::vector<double> ratios = ratiosOf(50, false, worst);
    QVERIFY2(within(ratios, 1.3) == std::ptrdiff_t(ratios.size()), worst.c_str());
  }

  // The result of a few samples at one place depends on the order of the counted aliases, and on
  // this place.
  void whereAliasesAddInPhaseAsWell() {
    std::string worst;
    const std::vector<double> ratios = ratiosOf(20, true, worst);
    QVERIFY2(within(ratios, 1.45) == std::ptrdiff_t(ratios.size()), worst.c_str());
    QVERIFY2(within(ratios, 1.3) > std::ptrdiff_t(ratios.size() * 9 / 10),
             std::to_string(within(ratios, 1.3)).c_str());
  }

  // More than 16,384 samples are sampled.
  void ofManySamplesSomeAreLookedAt() {
    constexpr std::int64_t samples = 20'000;
    std::string worst;
    const std::vector<double> ratios = ratiosOf(6, false, worst, samples);
    QVERIFY2(within(ratios, 1.3) == std::ptrdiff_t(ratios.size()), worst.c_str());
  }

  // Errors of all plans that a search timed; first of the plan that it chose. The limit leaves time for all,
  // also on a busy machine.
  void aSearchPredictsErrorsLast() {
    NormalErrorCase c = NormalErrorCases(1).next();
    CountingCpuBackend cpu;
    NufftBackend* const backends[] = {&cpu};
    c.request.trials = 0;
    c.request.options.alpha = 0;
    c.request.maxSearchSeconds = 120;
    std::vector<Candidate> predicted;
    const TuneResult result = tune(backends, c.ask(), nullptr, {}, [&](const Candidate& seen) {
      if (seen.predictedNormalError > 0) predicted.push_back(seen);
    });
    QVERIFY(result.best >= 0 && !predicted.empty());
    QCOMPARE(predicted.front().cost(), result.candidates[std::size_t(result.best)].cost());
    for (const Candidate& tried : result.candidates)
      QVERIFY2(!tried.timed() || tried.predictedNormalError > 0, describe(tried).c_str());
  }
};

SPOKELAB_TEST(TestNormalError)

}  // namespace test_normal_error

#include "test_normal_error.moc"
