// Nonlinear inversion: image and maps of exact samples agree with the samples and with the truth,
// the objective is that of the definition, and a scan of the command line comes out like SENSE.
#include <QtTest>
#include <cmath>

#include "engine/recon/sense/backend_cpu.h"
#include "engine/recon/sense/unknowns/nlinv.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/engine/recon/measures.h"
#include "tests/engine/recon/reconstruct.h"
#include "tests/engine/recon/sense/unweighted_radial.h"
#include "tests/test_main.h"

namespace test_nlinv {

using namespace spokelab;
using namespace spokelab::test;

namespace {

using E = UnweightedRadial;

SenseProblem withoutMaps(const E& e) {
  SenseProblem problem = e.problem;
  problem.maps.clear();
  problem.transform = TransformKind::gdft;
  problem.precision = Precision::double64;
  return problem;
}

// |A (image maps) - y| / |y|, by exact sums; the experiment's own maps are divided out.
double misfit(const E& e, const std::vector<cdouble>& image, const std::vector<cdouble>& maps) {
  double difference = 0, norm = 0;
  for (int c = 0; c < E::coils; ++c)
    for (int j = 0; j < E::samples; ++j) {
      const std::size_t row = std::size_t(c * E::samples + j) * E::pixels;
      const cdouble y(e.data[std::size_t(c)][std::size_t(j)]);
      cdouble value = -y;
      for (std::size_t i = 0; i < E::pixels; ++i) {
        const std::size_t at = std::size_t(c) * E::pixels + i;
        value += e.matrix[row + i] / cdouble(e.problem.maps[at]) * maps[at] * image[i];
      }
      difference += std::norm(value);
      norm += std::norm(y);
    }
  return std::sqrt(difference / norm);
}

}  // namespace

class TestNlinv : public QObject {
  Q_OBJECT

  const E experiment_;
  SenseSolution solution_;
  std::vector<cdouble> maps_;

 private slots:
  void initTestCase() {
    const SenseProblem problem = withoutMaps(experiment_);
    solution_ = nlinvRun(*makeCpuBackend(), problem, &maps_)->run({9, 0, 0}, {}, false, {});
  }

  void imageAndMapsExplainTheSamples() {
    const SenseSolution& s = solution_;
    const std::vector<cdouble>& maps = maps_;
    QCOMPARE(s.residuals.size(), std::size_t(9));
    for (std::size_t n = 1; n < s.residuals.size(); ++n) QVERIFY(s.residuals[n] < s.residuals[n - 1]);
    const double measured = misfit(experiment_, s.doubleImage, maps);
    QVERIFY2(std::abs(measured - s.residuals.back()) < 1e-3 * measured + 1e-6,
             qPrintable(QString("%1 %2").arg(measured).arg(s.residuals.back())));
    QVERIFY2(measured < 0.02, qPrintable(QString::number(measured)));
    for (int i = 0; i < E::pixels; ++i) {  // maps have length 1
      double square = 0;
      for (int c = 0; c < E::coils; ++c) square += std::norm(maps[std::size_t(c * E::pixels + i)]);
      QVERIFY(std::abs(square - 1) < 1e-9);
    }
  }

  void theImageIsTheTruthTimesTheLengthOfItsMaps() {
    const SenseSolution& s = solution_;
    const std::vector<cdouble> truth = experiment_.exactIterate(40);
    double difference = 0, norm = 0;
    for (int i = 0; i < E::pixels; ++i) {
      double square = 0;
      for (int c = 0; c < E::coils; ++c)
        square += std::norm(cdouble(experiment_.problem.maps[std::size_t(c * E::pixels + i)]));
      const double expected = std::sqrt(square) * std::abs(truth[std::size_t(i)]);
      difference += std::pow(std::abs(s.doubleImage[std::size_t(i)]) - expected, 2);
      norm += expected * expected;
    }
    const double error = std::sqrt(difference / norm);
    QVERIFY2(error < 0.1, qPrintable(QString::number(error)));
  }

  // Else the penalties of all steps would follow the weights: of samples that crowd in the middle
  // of k-space, the gridded image is far longer than the samples.
  void theSamplesAreScaledToOneLengthForAllWeights() {
    SenseProblem problem = withoutMaps(experiment_);
    for (const double power : {0.0, 1.0, -1.0}) {
      problem.weights.own().clear();
      for (int j = 0; j < E::samples; ++j) {
        const double radius =
            std::hypot(problem.points[std::size_t(2 * j)], problem.points[std::size_t(2 * j + 1)]);
        problem.weights.own().push_back(std::pow(radius + 0.5, power));
      }
      const SenseSolution s = nlinvRun(*makeCpuBackend(), problem)->run({2, 0, 0}, {}, false, {});
      const double square = 2 * s.objectives.front() / std::pow(s.residuals.front(), 2);
      QVERIFY2(std::abs(square - 1e4) < 1e-3 * 1e4, qPrintable(QString::number(square)));
    }
  }

  // The penalty of a step follows from its number, and an image does not determine the maps.
  void aLambdaOrAnImageGivenMeanwhileIsNotTaken() {
    bool steerable = false;
    const IterationWatcher watcher = [&](const IterationState& state) {
      steerable = steerable || state.steerable;
      IterationCommand command;
      command.lambda = 0.5;
      command.image = std::make_shared<const std::vector<cfloat>>(
          static_cast<std::size_t>(product(state.matrix)), cfloat(1, 2));
      return command;
    };
    const auto backend = makeCpuBackend();
    const SenseProblem problem = withoutMaps(experiment_);
    const SenseSolution watched = nlinvRun(*backend, problem)->run({3, 0, 0}, watcher, false, {}),
                        plain = nlinvRun(*backend, problem)->run({3, 0, 0}, {}, false, {});
    QVERIFY(!steerable);
    QVERIFY(watched.lambdaChanges.empty());
    QCOMPARE(watched.residuals, plain.residuals);
    QCOMPARE(watched.doubleImage, plain.doubleImage);
  }

  void theUnitsOfTheSamplesDoNotMatter() {
    const auto backend = makeCpuBackend();
    SenseProblem problem = withoutMaps(experiment_);
    const SenseSolution one = nlinvRun(*backend, problem)->run({2, 0, 0}, {}, false, {});
    std::vector<std::vector<cfloat>> larger = experiment_.data;
    problem.coils.clear();
    for (auto& coil : larger) {
      for (cfloat& v : coil) v *= 1024;
      problem.coils.push_back(static_cast<const cfloat*>(coil.data()));
    }
    const SenseSolution other = nlinvRun(*backend, problem)->run({2, 0, 0}, {}, false, {});
    double difference = 0, norm = 0;
    for (std::size_t i = 0; i < one.doubleImage.size(); ++i) {
      difference += std::norm(other.doubleImage[i] / 1024.0 - one.doubleImage[i]);
      norm += std::norm(one.doubleImage[i]);
    }
    QVERIFY(std::sqrt(difference / norm) < 1e-6);
  }

  void aScanComesOutLikeSense() {
    SimulateOptions simulation;
    simulation.trajectory.pattern = Pattern::radial2d;
    simulation.trajectory.matrix = {32, 32, 1};
    simulation.trajectory.samplesPerShot = 64;
    simulation.trajectory.shots = 25;
    simulation.coils = 4;
    const auto scan = simulate(simulation, {});
    ReconOptions options = senseOptions();
    options.iterative.coilMaps = "walsh";
    const Reconstruction sense = run(*scan, options);
    setOption(options, "method", "nlinv");
    setOption(options, "iterations", "8");
    const Reconstruction nlinv = run(*scan, options);
    QVERIFY(nlinv.image);
    QCOMPARE(nlinv.iterations.front().objectives.size(), std::size_t(8));
    double difference = 0, norm = 0;
    for (std::size_t i = 0; i < sense.image->data.size(); ++i) {
      difference += std::pow(std::abs(nlinv.image->data[i]) - std::abs(sense.image->data[i]), 2);
      norm += std::norm(sense.image->data[i]);
    }
    const double apart = std::sqrt(difference / norm);
    QVERIFY2(apart < 0.25, qPrintable(QString::number(apart)));
    simulation.coils = 1;
    QVERIFY(reasonOf(*simulate(simulation, {}), options).find("there is one coil") != std::string::npos);
  }

  // One run keeps transform and unknowns from frame to frame, also where the points are others; a
  // run a frame hands its unknowns over.
  void oneRunOfFramesIsARunAFrame() {
    const auto backend = makeCpuBackend();
    SenseProblem problem = withoutMaps(experiment_);
    problem.transform = TransformKind::nufft;
    problem.nufft.accuracy = 1e-6;
    std::vector<double> turned;  // by 20 degrees
    const SharedValues given = problem.points;
    for (std::size_t j = 0; j + 1 < given.size(); j += 2) {
      const double c = std::cos(0.349), s = std::sin(0.349);
      turned.push_back(c * given[j] - s * given[j + 1]);
      turned.push_back(s * given[j] + c * given[j + 1]);
    }
    IterationOptions options{4, 0, 0};
    options.framePrior = 0.8;
    NlinvFrame frame;
    std::vector<SenseSolution> apart, together;
    SenseProblem changing = problem;
    const auto run = nlinvRun(*backend, changing);
    for (int f = 0; f < 3; ++f) {
      SenseProblem own = problem;
      if (f == 1) own.points.assign(turned.begin(), turned.end());
      apart.push_back(nlinvRun(*backend, own, nullptr, &frame)->run(options, {}, false, {}));
      changing.points = own.points;
      if (f > 0) QVERIFY(run->takePoints());
      together.push_back(run->run(options, {}, false, {}));
      const double difference = relativeDifference(together.back().doubleImage, apart.back().doubleImage);
      QVERIFY2(difference < 1e-6, qPrintable(QString("frame %1: %2").arg(f).arg(difference)));
    }
    // The prior acts: the third frame has the first one's points and another image.
    QVERIFY(relativeDifference(together[2].doubleImage, together[0].doubleImage) > 1e-3);
  }

  // In real time few spokes a frame suffice where the last frame is the prior.
  void theLastFrameHelpsTheNext() {
    SimulateOptions simulated;
    simulated.trajectory.pattern = Pattern::goldenRadial2d;
    simulated.trajectory.matrix = {32, 32, 1};
    simulated.trajectory.samplesPerShot = 64;
    simulated.trajectory.shots = 11;
    simulated.coils = 4;
    constexpr int frames = 6;  // of a still object, whose spokes go on
    for (int f = 1; f <= frames; ++f) simulated.echoTimes.push_back(1e-6 * f);
    simulated.decayShapes = true;
    const auto few = simulate(simulated, {});
    simulated.trajectory.shots = 80;
    const auto many = simulate(simulated, {});
    ReconOptions options = senseOptions();
    options.iterative.method = ReconMethod::nlinv;
    options.iterative.solver = {8, 0, 0, Regularization::tikhonov};
    const auto lastOf = [&](const Scan& scan, double prior) {
      options.iterative.solver.framePrior = prior;
      const Reconstruction r = run(scan, options);
      std::vector<double> values;
      for (std::int64_t i = 0; i < r.image->volume(); ++i)
        values.push_back(std::abs(r.image->frame(frames - 1)[i]));
      return values;
    };
    const std::vector<double> truth = lastOf(*many, 0);
    const double alone = nrmse(lastOf(*few, 0), truth), following = nrmse(lastOf(*few, 0.9), truth);
    QVERIFY2(following < 0.9 * alone, qPrintable(QString("%1 %2").arg(following).arg(alone)));
  }
};

SPOKELAB_TEST(TestNlinv)

}  // namespace test_nlinv

#include "test_nlinv.moc"
