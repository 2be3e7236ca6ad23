// Iterative reconstruction on the device: the image is the CPU's, SENSE and pcSENSE over every
// transform, and between planning and the last iteration no array crosses the bus, but where a
// watcher asks for one.
#include <QtTest>
#include <cmath>
#include <cstring>

#include <set>

#include "engine/recon/run/reconstruction.h"
#include "engine/recon/run/run_job.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/recon/sense/paths/path_search.h"
#include "engine/recon/sense/sense_groups.h"
#include "tests/cuda/gpu_test.h"
#include "tests/cuda/sense_experiment.h"
#include "tests/engine/recon/measures.h"
#include "tests/engine/recon/moving_frames.h"
#include "tests/engine/recon/sense/unweighted_radial.h"
#include "tests/test_main.h"

namespace test_gpu_iterative {

using namespace spokelab;
using namespace spokelab::gputest;
using namespace spokelab::gputest::sense;
using spokelab::test::relativeDifference;
using spokelab::test::UnweightedRadial;

namespace {

// |a - b| / |b| and max |a - b| / max |b|.
std::pair<double, double> apart(const std::vector<cfloat>& a, const std::vector<cfloat>& b) {
  double difference = 0, whole = 0, most = 0, largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = std::abs(cdouble(a[i]) - cdouble(b[i]));
    difference += d * d;
    whole += std::norm(cdouble(b[i]));
    most = std::max(most, d);
    largest = std::max(largest, double(std::abs(b[i])));
  }
  return {std::sqrt(difference / whole), most / largest};
}

}  // namespace

class TestGpuIterative : public QObject {
  Q_OBJECT
 private slots:
  void theImageIsThatOfTheCpuAndNoArrayCrossesTheBus_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<bool>("phases");
    QTest::addColumn<int>("regularization");
    for (const TransformKind kind :
         {TransformKind::nufft, TransformKind::toeplitz, TransformKind::gdft, TransformKind::gdftR2,
          TransformKind::segmented, TransformKind::segmentedToeplitz})
      for (const bool phases : {false, true})
        QTest::addRow("%s %s", std::string(transformName(kind)).c_str(), phases ? "pcsense" : "sense")
            << int(kind) << phases << int(Regularization::tikhonov);
    for (const Regularization r : {Regularization::roughness, Regularization::totalVariation,
                                   Regularization::wavelets, Regularization::generalizedVariation})
      QTest::addRow("gdft %s", std::string(regularizationName(r)).c_str())
          << int(TransformKind::gdft) << false << int(r);
  }

  void theImageIsThatOfTheCpuAndNoArrayCrossesTheBus() {
    NEEDS_GPU();
    QFETCH(int, kind);
    QFETCH(bool, phases);
    QFETCH(int, regularization);
    const Experiment e = makeExperiment(TransformKind(kind), phases);
    const IterationOptions options{6, 0.05, 0, Regularization(regularization)};
    const SenseSolution device = backend()->solveSense(e.problem, options, {}, {});
    const SenseSolution host = makeCpuBackend()->solveSense(e.problem, options, {}, {});
    QCOMPARE(device.arraysMoved, std::int64_t(0));
    QVERIFY(device.transformSeconds > 0 && device.transformSeconds < device.iterationSeconds);
    const auto [l2, maximum] = apart(device.image, host.image);
    QVERIFY2(l2 < 1e-4 && maximum < 1e-4, qPrintable(QString("%1 %2").arg(l2).arg(maximum)));
  }

  void waveletsOfAVolumeAreThoseOfTheCpu() {
    NEEDS_GPU();
    Experiment e = makeExperiment(TransformKind::nufft, false);
    SenseProblem& p = e.problem;
    p.dims = 3;
    const Index3 matrix = p.matrix = {21, 18, 17};
    p.times.clear();
    const auto random = makePoints(3, samples, gputest::PointPattern::random, 5);
    p.points.own().clear();
    for (std::size_t i = 0; i < random.size(); ++i)
      p.points.own().push_back(random[i] * double(matrix[i % 3]));
    p.maps = converted<float>(randomValues(coils * product(matrix), 6));
    const IterationOptions options{6, 0.02, 0, Regularization::wavelets};
    const SenseSolution device = backend()->solveSense(p, options, {}, {});
    const SenseSolution host = makeCpuBackend()->solveSense(p, options, {}, {});
    QVERIFY(relativeDifference(device.image, host.image) < 1e-3);
    QVERIFY(std::abs(device.objectives.back() / host.objectives.back() - 1) < 1e-4);
  }

  void framesFoundTogetherAreThoseOfTheCpu_data() {
    QTest::addColumn<int>("regularization");
    for (const Regularization r : {Regularization::temporalVariation, Regularization::locallyLowRank,
                                   Regularization::jointWavelets, Regularization::lowRankSparse})
      QTest::newRow(std::string(regularizationName(r)).c_str()) << int(r);
  }

  void framesFoundTogetherAreThoseOfTheCpu() {
    NEEDS_GPU();
    QFETCH(int, regularization);
    std::vector<Experiment> frames;
    for (const TransformKind kind : {TransformKind::nufft, TransformKind::toeplitz, TransformKind::gdft})
      frames.push_back(makeExperiment(kind, false));
    for (cfloat& y : frames[1].data[0]) y *= 1.5F;
    std::vector<SenseProblem> problems;
    for (Experiment& e : frames) problems.push_back(e.problem);
    const IterationOptions options{8, 0.05, 0, Regularization(regularization)};
    const SenseSolution device = backend()->jointRun(problems)->run(options, {}, false, {});
    const SenseSolution host = makeCpuBackend()->jointRun(problems)->run(options, {}, false, {});
    QVERIFY(relativeDifference(device.image, host.image) < 1e-3);
    QVERIFY(std::abs(device.objectives.back() / host.objectives.back() - 1) < 1e-4);
  }

  void iterationsAreToldApart_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("regularization");
    QTest::addColumn<double>("lambda");
    const auto row = [](TransformKind kind, Regularization regularization, double lambda) {
      QTest::addRow("%s %s %g", std::string(transformName(kind)).c_str(),
                    std::string(regularizationName(regularization)).c_str(), lambda)
          << int(kind) << int(regularization) << lambda;
    };
    for (const TransformKind kind :
         {TransformKind::nufft, TransformKind::toeplitz, TransformKind::gdft, TransformKind::segmented})
      row(kind, Regularization::tikhonov, 0.05);
    row(TransformKind::nufft, Regularization::tikhonov, 0);
    row(TransformKind::toeplitz, Regularization::totalVariation, 0.05);
  }
  // By events on the stream, as on the CPU by its clock; nobody asked for timings, and nothing is
  // traced.
  void iterationsAreToldApart() {
    NEEDS_GPU();
    QFETCH(const int, kind);
    QFETCH(const int, regularization);
    QFETCH(const double, lambda);
    const bool exact = TransformKind(kind) == TransformKind::gdft;
    const bool convolves = TransformKind(kind) == TransformKind::toeplitz;
    const Experiment e = makeExperiment(TransformKind(kind), false);
    const SenseSolution s = backend()->solveSense(
        e.problem, IterationOptions{6, lambda, 0, Regularization(regularization)}, {}, {});
    QVERIFY(!s.parts.empty());
    QCOMPARE(s.parts.size(), s.residuals.size());
    IterationParts sum;
    double before = 0;
    for (std::size_t i = 0; i < s.parts.size(); ++i) {
      const double seconds = s.seconds[i] - before;
      before = s.seconds[i];
      for (const double part : s.parts[i].seconds) QVERIFY(part >= 0);
      // The rest fills an iteration up: more than the iteration would be events that overlap.
      QVERIFY2(std::abs(s.parts[i].total() - seconds) < 1e-4 + 0.02 * seconds,
               qPrintable(QString("%1 of %2").arg(s.parts[i].total()).arg(seconds)));
      sum += s.parts[i];
    }
    QVERIFY(sum[IterationPart::maps] > 0 && sum[IterationPart::rest] > 0);
    QCOMPARE(sum[IterationPart::regularizer] > 0, lambda > 0);
    QCOMPARE(sum[IterationPart::exactSums] > 0, exact);
    QCOMPARE(sum[IterationPart::fft] > 0, !exact);
    QCOMPARE(sum[IterationPart::interpolation] > 0, !exact && !convolves);
    // A convolution multiplies in a separate pass, or says that its FFTs do.
    if (convolves) QCOMPARE(sum.multiplyInFft, !(sum[IterationPart::multiply] > 0));
    if (!convolves) QVERIFY(!sum.multiplyInFft);
    const double transforms = sum[IterationPart::interpolation] + sum[IterationPart::fft] +
                              sum[IterationPart::multiply] + sum[IterationPart::otherStages] +
                              sum[IterationPart::exactSums];
    QVERIFY(transforms <= 1.001 * s.transformSeconds);
    // The stages of all iterations, too.
    QCOMPARE(s.timings[Stage::fft] > 0, !exact);
    QCOMPARE(s.timings.multiplyInFft, sum.multiplyInFft);
    QCOMPARE(s.timings.total, s.iterationSeconds);
  }

  // Straight into the caller's array, as the solution has it without one.
  // One plan whose points are replaced, and a plan for each frame.
  void framesOnOnePlanAreThoseOfTheirOwn_data() {
    QTest::addColumn<int>("normal");
    for (const NormalMethod normal :
         {NormalMethod::gridded, NormalMethod::toeplitz, NormalMethod::toeplitzShifted})
      QTest::addRow("%d", int(normal)) << int(normal);
  }
  void framesOnOnePlanAreThoseOfTheirOwn() {
    NEEDS_GPU();
    QFETCH(int, normal);
    const auto scan = test::movingFrames(5, 4);
    ReconOptions options = test::frameOptions(1);
    options.nufft.normal = NormalMethod(normal);
    options.iterative.method = ReconMethod::sense;
    options.iterative.transform = TransformKind::nufft;
    options.iterative.coilMaps = "walsh";
    options.iterative.solver.iterations = 5;
    // All frames have the maps of the first one.
    JobShare share;
    share.mapFrames = {0};
    const Reconstruction all = runJob(*backend(), *scan, options, nullptr, nullptr, {}, share);
    QCOMPARE(all.image->frames, 5);
    for (int f = 0; f < 5; ++f) {
      share.frames = {f};
      const Reconstruction one = runJob(*backend(), *scan, options, nullptr, nullptr, {}, share);
      const std::vector<cfloat> found(all.image->frame(f), all.image->frame(f) + all.image->volume());
      const std::vector<cfloat> expected(one.image->frame(0), one.image->frame(0) + one.image->volume());
      const double difference = relativeDifference(found, expected);
      QVERIFY2(difference < 1e-4, qPrintable(QString::number(difference)));
    }
  }

  void theImageGoesWhereTheProblemSays() {
    NEEDS_GPU();
    Experiment e = makeExperiment(TransformKind::toeplitz, false);
    const IterationOptions options{6, 0.05, 0, {}};
    const SenseSolution inside = backend()->solveSense(e.problem, options, {}, {});
    std::vector<cfloat> image(std::size_t(pixels), cfloat(7));
    e.problem.hostImage = image.data();
    const SenseSolution outside = backend()->solveSense(e.problem, options, {}, {});
    QVERIFY(outside.image.empty());
    const auto [l2, maximum] = apart(image, inside.image);
    QVERIFY2(l2 < 1e-5 && maximum < 1e-5, qPrintable(QString("%1 %2").arg(l2).arg(maximum)));
  }

  // More residuals than one launch takes are kept apart.
  void manyIterationsAreTheCpus() {
    NEEDS_GPU();
    const Experiment e = makeExperiment(TransformKind::nufft, false);
    const IterationOptions options{40, 1e-4, 0, {}};
    const SenseSolution device = backend()->solveSense(e.problem, options, {}, {});
    const SenseSolution host = makeCpuBackend()->solveSense(e.problem, options, {}, {});
    const auto [l2, maximum] = apart(device.image, host.image);
    QVERIFY2(l2 < 1e-3, qPrintable(QString("%1 %2").arg(l2).arg(maximum)));
  }

  void allPathsThroughAFieldAreTimedOnTheDevice() {
    NEEDS_GPU();
    Experiment e = makeExperiment(TransformKind::segmented, false);
    e.problem.transform = TransformKind::automatic;
    e.problem.nufft.alpha = 0;
    e.problem.nufft.accuracy = 1e-3;
    PathSearchRequest request;
    request.problem = transformPart(e.problem);
    std::vector<double> points(e.problem.points.begin(), e.problem.points.end());
    for (double& k : points) k /= n;
    request.nufft.points = points;
    request.nufft.problem = nufftProblem(e.problem, 1);
    request.nufft.options = e.problem.nufft;
    request.nufft.workload = {Direction::normal, 20, 1, true};
    request.nufft.mustTime = true;
    const auto cpu = makeCpuBackend();
    const std::vector<TransformBackend*> both = {backend(), cpu.get()};
    const TuneResult result = searchPaths(both, request, nullptr, {});
    std::set<std::pair<std::string, TransformKind>> timed;
    for (const Candidate& c : result.candidates) {
      QVERIFY2(c.refused.empty(), c.refused.c_str());
      if (!c.timed()) continue;
      timed.insert({c.backend, c.path.transform});
      QVERIFY(c.measuredError && *c.measuredError < 1.5e-3);
    }
    for (const TransformKind kind :
         {TransformKind::segmented, TransformKind::segmentedToeplitz, TransformKind::gdft})
      for (const char* name : {"cuda", "cpu"}) QVERIFY2(timed.count({name, kind}), name);
  }

  void manyIterationsAreThoseOfExactArithmetic_data() {
    QTest::addColumn<int>("kind");
    for (const TransformKind kind : {TransformKind::nufft, TransformKind::toeplitz, TransformKind::gdft})
      QTest::newRow(std::string(transformName(kind)).c_str()) << int(kind);
  }
  void manyIterationsAreThoseOfExactArithmetic() {
    NEEDS_GPU();
    QFETCH(int, kind);
    constexpr int iterations = 30;
    const UnweightedRadial radial;
    SenseProblem problem = radial.problem;
    problem.transform = TransformKind(kind);
    problem.nufft.alpha = 2;
    problem.nufft.accuracy = 1e-5;
    const SenseSolution device = backend()->solveSense(problem, {iterations, 0, 0, {}}, {}, {});
    QCOMPARE(device.residuals.size(), std::size_t(iterations));
    QCOMPARE(device.arraysMoved, std::int64_t(0));
    const double difference = relativeDifference(device.image, radial.exactIterate(iterations));
    QVERIFY2(difference < 1e-3, QByteArray::number(difference));
  }

  void aWatcherThatAsksGetsOneArrayForEachImage() {
    NEEDS_GPU();
    const Experiment e = makeExperiment(TransformKind::gdft, false);
    int asked = 0;
    const SenseSolution device = backend()->solveSense(e.problem, {6, 0.05, 0, Regularization::tikhonov},
                                                       [&](const IterationState& state) {
                                                         if (state.iteration % 2 == 0) {
                                                           ++asked;
                                                           state.image();
                                                         }
                                                         return IterationCommand{};
                                                       },
                                                       {});
    QCOMPARE(asked, 3);
    QCOMPARE(device.arraysMoved, std::int64_t(asked));
  }

  void reproducibleSumsWithAFieldRepeatBitByBit_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<bool>("phases");
    for (const TransformKind kind : {TransformKind::gdft, TransformKind::gdftR2})
      for (const bool phases : {false, true})
        QTest::addRow("%s %s", std::string(transformName(kind)).c_str(), phases ? "pcsense" : "sense")
            << int(kind) << phases;
  }

  void reproducibleSumsWithAFieldRepeatBitByBit() {
    NEEDS_GPU();
    QFETCH(int, kind);
    QFETCH(bool, phases);
    Experiment e = makeExperiment(TransformKind(kind), phases);
    e.problem.nufft.reproducible = true;
    const IterationOptions options{6, 0.05, 0, Regularization::tikhonov};
    const auto first = backend()->solveSense(e.problem, options, {}, {}).image;
    QCOMPARE(std::int64_t(first.size()), pixels);
    for (int run = 1; run < 4; ++run) {
      const auto again = backend()->solveSense(e.problem, options, {}, {}).image;
      QVERIFY(std::memcmp(first.data(), again.data(), first.size() * sizeof(cfloat)) == 0);
    }
  }

  void exactTransformsAgreeAndAreAdjoint_data() {
    QTest::addColumn<bool>("intravoxel");
    QTest::newRow("Gdft") << false;
    QTest::newRow("GdftR2") << true;
  }

  void exactTransformsAgreeAndAreAdjoint() {
    NEEDS_GPU();
    QFETCH(bool, intravoxel);
    const Experiment e = makeExperiment(intravoxel ? TransformKind::gdftR2 : TransformKind::gdft, false);
    const GdftProblem problem = gdftProblem(e.problem, shotGroups(e.problem).front(), intravoxel);
    const auto device = backend()->gdft<float>(problem), host = makeCpuGdft<float>(problem);
    const auto image = converted<float>(randomValues(pixels, 1)),
               data = converted<float>(randomValues(samples, 2));
    std::vector<cfloat> deviceSamples(samples), hostSamples(samples), deviceImage(pixels), hostImage(pixels);
    device->forward(image.data(), deviceSamples.data(), 1);
    host->forward(image.data(), hostSamples.data(), 1);
    device->adjoint(data.data(), deviceImage.data(), 1);
    host->adjoint(data.data(), hostImage.data(), 1);
    for (const auto& [l2, maximum] : {apart(deviceSamples, hostSamples), apart(deviceImage, hostImage)})
      QVERIFY2(l2 < 1e-4 && maximum < 1e-4, qPrintable(QString("%1 %2").arg(l2).arg(maximum)));
    cdouble left = 0, right = 0;
    double a = 0, b = 0;
    for (std::size_t j = 0; j < data.size(); ++j) {
      left += std::conj(cdouble(data[j])) * cdouble(deviceSamples[j]);
      a += std::norm(cdouble(deviceSamples[j]));
      b += std::norm(cdouble(data[j]));
    }
    for (std::size_t i = 0; i < image.size(); ++i)
      right += std::conj(cdouble(deviceImage[i])) * cdouble(image[i]);
    QVERIFY(std::abs(left - right) < 1e-5 * std::sqrt(a * b));
  }
};

SPOKELAB_TEST(TestGpuIterative)

}  // namespace test_gpu_iterative

#include "test_gpu_iterative.moc"
