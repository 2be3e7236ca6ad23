// FFTW's planner efforts: the same transforms, wisdom kept beside ours, refusals; and crowded
// points that are summed like the others.
#include <QtTest>

#include <fstream>
#include <iterator>
#include <map>
#include <numbers>

#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/nufft/fft/lines_fft.h"
#include "engine/nufft/tune/candidate_json.h"
#include "engine/nufft/tune/refinements.h"
#include "tests/engine/nufft/plan/plan_test.h"
#include "tests/test_main.h"

namespace test_fft_efforts {

using namespace spokelab;
using namespace spokelab::test;

namespace {

std::string contentOf(const QString& file) {
  std::ifstream in(file.toStdString());
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

template <class Complex>
double distance(const std::vector<Complex>& a, const std::vector<Complex>& b) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += std::norm(cdouble(a[i]) - cdouble(b[i]));
    norm += std::norm(cdouble(b[i]));
  }
  return std::sqrt(difference / norm);
}

}  // namespace

class TestFftEfforts : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { keepFftWisdomBeside({}); }

  // Forward, adjoint and a convolution do not depend on how FFTW was planned, but for rounding.
  void everyEffortTransformsAlike() {
    NufftProblem problem;
    problem.dims = 2;
    problem.size = {36, 30, 1};
    problem.precision = Precision::double64;
    const std::vector<double> points = randomPoints(2, 500, 1);
    std::vector<std::vector<cdouble>> found;
    for (const FftEffort effort :
         {FftEffort::automatic, FftEffort::estimate, FftEffort::measure, FftEffort::patient}) {
      NufftOptions options;
      options.accuracy = 1e-9;
      options.normal = NormalMethod::toeplitz;
      options.fftEffort = effort;
      const auto plan = makePlan<double>(problem, options);
      const bool measured = fftMeasuresPlans() && effort > FftEffort::estimate;
      QCOMPARE(plan->info().options.fftEffort, measured ? effort : FftEffort::estimate);
      QCOMPARE(plan->info().description.find("FFTW's plans") != std::string::npos, measured);
      plan->setPoints(points);
      const auto samples = randomData<double>(plan->points(), 2),
                 image = randomData<double>(problem.pixels(), 1);
      std::vector<cdouble> adjoint(image.size()), normal(image.size());
      plan->adjoint(samples.data(), adjoint.data());
      plan->normal(image.data(), normal.data());
      adjoint.insert(adjoint.end(), normal.begin(), normal.end());
      found.push_back(std::move(adjoint));
    }
    for (const auto& one : found) QVERIFY(distance(one, found.front()) < 1e-13);
  }

  // What FFTW measured is in a file beside the wisdom; another program's file is left alone.
  void measurementsAreKept() {
    if (!fftMeasuresPlans()) QSKIP("This build has DUCC, which measures nothing");
    const QTemporaryDir folder;
    const QString wisdom = folder.filePath("wisdom.json");
    keepFftWisdomBeside(wisdom.toStdString());
    LinesFft<float>(54, 3, 64, -1, 1, FftTarget::inPlace, FftEffort::estimate);
    QVERIFY(!QFile::exists(wisdom + ".fftwf"));
    LinesFft<float>(54, 3, 64, -1, 1, FftTarget::inPlace, FftEffort::measure);
    const std::string kept = contentOf(wisdom + ".fftwf");
    QVERIFY2(kept.find("fftw") != std::string::npos, kept.c_str());
    forgetFftWisdomBeside(wisdom.toStdString());
    QVERIFY(!QFile::exists(wisdom + ".fftwf"));
    const QString foreign = folder.filePath("other.json");
    std::ofstream((foreign + ".fftwf").toStdString()) << "somebody's notes";
    keepFftWisdomBeside(foreign.toStdString());
    LinesFft<float>(56, 3, 64, -1, 1, FftTarget::inPlace, FftEffort::measure);
    QCOMPARE(contentOf(foreign + ".fftwf"), std::string("somebody's notes"));
  }

  void reproduciblePlansAreNotMeasured() {
    NufftProblem problem;
    problem.dims = 2;
    problem.size = {16, 16, 1};
    NufftOptions options;
    options.reproducible = true;
    options.fftEffort = FftEffort::measure;
    if (fftMeasuresPlans()) QVERIFY_THROWS_EXCEPTION(Error, makePlan<float>(problem, options));
    options.fftEffort = FftEffort::estimate;
    makePlan<float>(problem, options);
  }

  void optionsAreWrittenAndRead() {
    NufftOptions options;
    const auto json = nufftOptionsToJson(options);
    QVERIFY(!json.contains("fftEffort") &&
            !json.contains("crowdedSums"));  // keys of wisdom stay as they were
    options.fftEffort = FftEffort::patient;
    options.crowdedSums = CrowdedSums::off;
    QVERIFY(nufftOptionsOfJson(nufftOptionsToJson(options)) == options);
  }

  // The planner's efforts are candidates where FFTs take long and the plan is used often.
  void effortsAreTriedWhereTheyMayPay() {
    TuneRequest request;
    request.problem.dims = 3;
    request.problem.size = {64, 64, 64};
    Candidate best;
    best.backend = "cpu";
    best.options.spread = best.options.interpolate = Method::blocked;
    best.options.fftEffort = FftEffort::estimate;
    best.timings[Stage::fft] = 0.5;
    best.timings.total = 1;
    const auto tried = [&] {
      std::vector<FftEffort> efforts;
      for (const NufftOptions& options : refinements(request, best))
        if (options.fftEffort > FftEffort::estimate) efforts.push_back(options.fftEffort);
      return efforts;
    };
    if (!fftMeasuresPlans()) {
      QVERIFY(tried().empty());
      return;
    }
    QVERIFY((tried() == std::vector{FftEffort::measure}));
    request.effort = TuneEffort::exhaustive;
    QVERIFY((tried() == std::vector{FftEffort::measure, FftEffort::patient}));
    request.effort = TuneEffort::measure;
    request.workload.executions = 1;  // a second in all
    QVERIFY(tried().empty());
    request.workload.executions = Workload::unlimited;
    best.timings[Stage::fft] = 0.1;
    QVERIFY(tried().empty());
    best.timings[Stage::fft] = 0.5;
    request.options.fftEffort = FftEffort::estimate;  // it was asked for
    QVERIFY(tried().empty());
  }

  // 2^20 equal terms at one place: in one level they lose digits, in two they do not.
  void crowdsAreSummedLikeOthersWhereAskedFor() {
    NufftProblem problem;
    problem.dims = 2;
    problem.size = {16, 16, 1};
    constexpr std::int64_t count = std::int64_t{1} << 20;
    const std::vector<double> points(std::size_t(2 * count), 0.123);
    const std::vector<cfloat> samples(std::size_t(count), cfloat(0.3F, -0.7F));
    std::map<CrowdedSums, double> errors;
    for (const CrowdedSums sums : {CrowdedSums::automatic, CrowdedSums::off}) {
      NufftOptions options;
      options.accuracy = 1e-5;
      options.crowdedSums = sums;
      options.threads = 1;
      const auto plan = makePlan<float>(problem, options);
      plan->setPoints(points);
      std::vector<cfloat> image(std::size_t(problem.pixels()));
      plan->adjoint(samples.data(), image.data());
      double difference = 0, norm = 0;
      for (int y = 0; y < 16; ++y)
        for (int x = 0; x < 16; ++x) {
          const cdouble exact = double(count) * cdouble(0.3F, -0.7F) *
                                std::polar(1.0, 2 * std::numbers::pi * 0.123 * (x - 8 + y - 8));
          difference += std::norm(cdouble(image[std::size_t(16 * y + x)]) - exact);
          norm += std::norm(exact);
        }
      errors[sums] = std::sqrt(difference / norm);
      QCOMPARE(plan->info().description.find("like the others") != std::string::npos,
               sums == CrowdedSums::off);
    }
    QVERIFY2(errors[CrowdedSums::automatic] < 1e-5,
             qPrintable(QString::number(errors[CrowdedSums::automatic])));
    QVERIFY2(errors[CrowdedSums::off] > 10 * errors[CrowdedSums::automatic],
             qPrintable(QString::number(errors[CrowdedSums::off])));
  }
};

SPOKELAB_TEST(TestFftEfforts)

}  // namespace test_fft_efforts

#include "test_fft_efforts.moc"
