// The predicted error of ways through a field beside the measured one: the normal operator of random images against the
// exact sums (Gdft) at all pixels, over random problems.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

#include "engine/core/text.h"
#include "engine/nufft/tune/candidates.h"
#include "engine/recon/field/gdft/gdft.h"
#include "engine/recon/field/phase_error.h"
#include "engine/recon/sense/paths/path_timing.h"
#include "tests/engine/recon/sense/field_case.h"
#include "tests/test_main.h"

namespace test_path_error {

using namespace spokelab;
using namespace spokelab::test;

namespace {

using Image = std::vector<cdouble>;

Image normalOf(SampleTransform<double>& transform, Image image) {
  transform.normal(image.data(), image.data(), 1);
  return image;
}

double squareNorm(const Image& image) {
  double sum = 0;
  for (const cdouble& v : image) sum += std::norm(v);
  return sum;
}

// N u of random images by exact sums, and |N|_F^2 / pixels from some columns.
struct ExactNormal {
  static constexpr int draws = 16, columns = 8;
  std::vector<Image> images, results;
  double power = 0;

  ExactNormal(const GdftProblem& problem, std::mt19937& random) {
    const auto exact = makeCpuGdft<double>(problem);
    std::normal_distribution<float> normal;  // values that single precision holds
    for (int i = 0; i < draws; ++i) {
      Image u(std::size_t(problem.pixels()));
      for (cdouble& v : u) v = {normal(random), normal(random)};
      images.push_back(u);
      results.push_back(normalOf(*exact, u));
    }
    const cdouble one(1);
    for (int i = 0; i < columns; ++i) {
      const std::int64_t pixel = std::uniform_int_distribution<std::int64_t>(0, problem.pixels() - 1)(random);
      Image samples(std::size_t(problem.samples())), column(std::size_t(problem.pixels()));
      makeCpuGdft<double>(somePixels(problem, std::span(&pixel, 1)))->forward(&one, samples.data(), 1);
      exact->adjoint(samples.data(), column.data(), 1);
      power += squareNorm(column) / columns;
    }
  }

  // Of a transform in single precision.
  double errorOf(SampleTransform<float>& transform) const {
    double error = 0, given = 0;
    for (std::size_t d = 0; d < images.size(); ++d) {
      std::vector<cfloat> image(images[d].begin(), images[d].end());
      transform.normal(image.data(), image.data(), 1);
      for (std::size_t n = 0; n < image.size(); ++n) error += std::norm(cdouble(image[n]) - results[d][n]);
      given += squareNorm(images[d]);
    }
    return std::sqrt(error / (given * power));
  }
};

struct Way {
  TransformKind kind;
  NormalMethod form;
  SegmentInterpolator interpolator;
};
constexpr Way ways[] = {
    {TransformKind::segmented, NormalMethod::gridded, SegmentInterpolator::svd},
    {TransformKind::segmented, NormalMethod::gridded, SegmentInterpolator::minMax},
    {TransformKind::segmentedToeplitz, NormalMethod::toeplitz, SegmentInterpolator::svd},
    {TransformKind::segmentedToeplitz, NormalMethod::toeplitzShifted, SegmentInterpolator::svd}};

// The way as the search proposes it, its errors predicted.
Candidate candidateOf(TransformBackend& cpu, const FieldCase& c, const GdftProblem& exact, const Way& way) {
  const SenseProblem& problem = c.request.problem;
  const double accuracy = problem.nufft.accuracy;
  const bool sums = way.kind == TransformKind::segmentedToeplitz;
  const Segmentation s = segment(exact.field, exact.times, way.interpolator, 0, accuracy / 2, {}),
                     differences =
                         sums ? segmentDifferences(exact.field, exact.times, 0, accuracy / 2, {}) : s;
  TuneRequest inner = segmentRequest(problem, c.request.nufft, s.segments);
  const auto plan = cpu.plan<float>(inner.problem, inner.options);
  Candidate candidate;
  candidate.backend = "cpu";
  candidate.path = {way.kind, way.interpolator, int(s.segments), sums ? int(differences.segments) : 0};
  candidate.options = plan->info().options;
  candidate.options.accuracy = accuracy;
  candidate.options.normal = way.form;
  candidate.predicted = plan->info().error;
  candidate.predictedNormalError = predictPhaseError(exact, {}, differences, sums, 1);
  return candidate;
}

}  // namespace

class TestPathError : public QObject {
  Q_OBJECT

 private slots:
  void theErrorOfAWayThroughAFieldIsPredicted() {
    // SPOKELAB_CASES, SPOKELAB_SEED: so many problems, others; SPOKELAB_SHOW: a line each.
    const int given = qEnvironmentVariableIntValue("SPOKELAB_CASES");
    const int problems = given > 0 ? given : 50;
    constexpr double maxRatio = 1.3, maxRatioOfAny = 1.4, maxShareOutside = 0.02;
    std::mt19937 random(31 + unsigned(qEnvironmentVariableIntValue("SPOKELAB_SEED")));
    std::uniform_real_distribution<double> phase(3, 30), exponent(-3.5, -1.5), alpha(1.3, 2);
    const auto cpu = makeCpuBackend();
    std::string outside;
    int seen = 0, outsideCount = 0;
    double worst = 1;
    for (int i = 0; i < problems; ++i) {
      FieldCase c = fieldCase(random, phase(random), std::pow(10, exponent(random)), {14, 26});
      c.request.problem.nufft.alpha = c.request.nufft.options.alpha = alpha(random);
      c.request.problem.nufft.threads = c.request.nufft.options.threads = 1;
      c.ask();
      const GdftProblem exactProblem = firstExact(c.request.problem);
      const ExactNormal exact(exactProblem, random);
      const PathRequest request = makePathRequest(c.request.problem, exactProblem, c.request.nufft, {});
      for (std::size_t w = std::size_t(i) % 2; w < std::size(ways); w += 2) {
        const Way& way = ways[w];
        Candidate tried = candidateOf(*cpu, c, exactProblem, way);
        TimingPolicy policy;
        policy.trials = 1;
        cpu->timePath(request, tried, policy, {});
        HostSpace<float> space(1);
        std::vector<std::string> notes;
        const auto transform = makeGroupTransform<HostSpace<float>>(space, *cpu, problemOf(request, tried),
                                                                    way.kind, request.group, notes, {});
        transform->setWeights({});
        const double measured = exact.errorOf(*transform), ratio = measured / tried.predictedError();
        const std::string line = describe(tried) + " " + std::string(normalMethodName(way.form)) +
                                 ", accuracy " + numberText(tried.options.accuracy, 2) + tried.refused +
                                 ": measured " + numberText(measured, 3) + ", predicted " +
                                 numberText(tried.predictedError(), 3) + ", ratio " + numberText(ratio, 3);
        if (qEnvironmentVariableIsSet("SPOKELAB_SHOW")) std::printf("%s\n", line.c_str());
        ++seen;
        const double away = std::max(ratio, 1 / ratio);
        worst = std::max(worst, away);
        if (away < maxRatio) continue;
        ++outsideCount;
        outside += "\n" + line;
      }
    }
    // What few pixels at the ends of the field's range contribute scatters.
    QVERIFY2(outsideCount <= maxShareOutside * seen, outside.c_str());
    QVERIFY2(worst < maxRatioOfAny, outside.c_str());
  }
};

SPOKELAB_TEST(TestPathError)

}  // namespace test_path_error

#include "test_path_error.moc"
