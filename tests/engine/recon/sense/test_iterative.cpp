// Iterative SENSE and pcSENSE on closed-form and exact-sum data: operators, solver, maps, refusals,
// cancel.
#include <QtTest>
#include <cmath>
#include <numbers>
#include <random>
#include <stop_token>

#include "engine/core/error.h"
#include "engine/recon/field/gdft/gdft_direct.h"
#include "engine/recon/operators/sense_operator.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/run/run_job.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/recon/sense/sense_groups.h"
#include "engine/recon/sense/sense_solver.h"
#include "engine/recon/sense/solve_sense.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/engine/recon/measures.h"
#include "tests/test_main.h"

namespace test_iterative {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr double pi = std::numbers::pi;

// A smooth object on n x n pixels, its coils, and data by exact sums: random points, `shots` shots
// of `length`.
struct Experiment {
  SenseProblem problem;
  std::vector<cfloat> truth;
  std::vector<std::vector<cfloat>> data;  // [coil][sample]
};

Experiment makeExperiment(int n, int coils, int shots, int length, bool field, bool phases) {
  Experiment e;
  SenseProblem& p = e.problem;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> u(-0.5, 0.5);
  p.dims = 2;
  p.matrix = {n, n, 1};
  const std::int64_t pixels = n * n, samples = std::int64_t(shots) * length;
  for (std::int64_t j = 0; j < samples * 2; ++j) p.points.own().push_back(u(random) * n);
  for (std::int64_t j = 0; j < samples; ++j) p.times.push_back(0.03 * double(j % length) / length);
  for (int s = 0; s <= shots; ++s) p.shotOffsets.push_back(std::int64_t(s) * length);
  e.truth.resize(std::size_t(pixels));
  p.maps.resize(std::size_t(coils * pixels));
  if (field) p.field.resize(std::size_t(pixels));
  if (phases) p.phases.assign(std::size_t(shots), std::vector<double>(std::size_t(pixels)));
  for (std::int64_t i = 0; i < pixels; ++i) {
    const double x = double(i % n) / n - 0.5, y = double(i / n) / n - 0.5, r = std::hypot(x, y);
    e.truth[std::size_t(i)] =
        r < 0.4 ? cfloat(float(1 + 0.5 * std::cos(9 * x) * std::sin(7 * y)), float(x)) : cfloat(0);
    double square = 0;
    for (int c = 0; c < coils; ++c) {
      const double a = 2 * pi * c / coils, d = std::hypot(x - 0.5 * std::cos(a), y - 0.5 * std::sin(a));
      p.maps[std::size_t(c * pixels + i)] = cfloat(std::polar(std::exp(-3 * d * d), 3 * x * std::cos(a)));
      square += std::norm(p.maps[std::size_t(c * pixels + i)]);
    }
    for (int c = 0; c < coils; ++c) p.maps[std::size_t(c * pixels + i)] /= float(std::sqrt(square));
    if (field) p.field[std::size_t(i)] = 2 * pi * 60 * std::exp(-20 * r * r) - 100 * x;
    for (std::size_t s = 0; s < p.phases.size(); ++s)
      p.phases[s][std::size_t(i)] = double(s) * (1 + 4 * x - 3 * y);
  }
  e.data.assign(std::size_t(coils), std::vector<cfloat>(std::size_t(samples)));
  p.transform = TransformKind::gdft;
  for (const ShotGroup& group : shotGroups(p)) {
    const GdftProblem exact = gdftProblem(p, group);
    for (int c = 0; c < coils; ++c) {
      std::vector<cdouble> image(static_cast<std::size_t>(pixels));
      for (std::size_t i = 0; i < image.size(); ++i) {
        image[i] = cdouble(e.truth[i]) * cdouble(p.maps[std::size_t(c * pixels) + i]);
        if (phases) image[i] *= std::polar(1.0, p.phases[std::size_t(group.phase)][i]);
      }
      const auto samplesOfGroup = gdftDirect(exact, image);
      for (std::size_t j = 0; j < samplesOfGroup.size(); ++j)
        e.data[std::size_t(c)][std::size_t(group.samples[j])] = cfloat(samplesOfGroup[j]);
    }
  }
  for (const auto& coil : e.data) p.coils.push_back(coil.data());
  return e;
}

SenseSolution solve(const Experiment& e, TransformKind kind, IterationOptions options = {30, 0, 0, {}},
                    const IterationWatcher& watcher = {}, const Progress& progress = {}) {
  const auto cpu = makeCpuBackend();
  SenseProblem problem = e.problem;
  problem.transform = kind;
  problem.nufft.alpha = 2;
  problem.nufft.accuracy = 1e-4;
  return cpu->solveSense(problem, options, watcher, progress);
}

}  // namespace

class TestIterative : public QObject {
  Q_OBJECT

 private slots:
  void theImageGoesWhereTheProblemSays() {
    Experiment e = makeExperiment(20, 3, 4, 200, false, false);
    const SenseSolution inside = solve(e, TransformKind::nufft, {8, 0, 0, {}});
    QVERIFY(inside.transformSeconds > 0 && inside.transformSeconds < inside.iterationSeconds);
    std::vector<cfloat> image(400, cfloat(7));
    e.problem.hostImage = image.data();
    const SenseSolution outside = solve(e, TransformKind::nufft, {8, 0, 0, {}});
    QVERIFY(outside.image.empty());
    QVERIFY(relativeDifference(image, inside.image) < 1e-6);
  }

  // <A m, s> = <m, A^H s> for pcSENSE over exact transforms: two groups, three coils.
  void pcSenseOperatorAndItsAdjointAgree() {
    const Experiment e = makeExperiment(16, 3, 2, 60, true, true);
    const auto cpu = makeCpuBackend();
    HostSpace<double> space;
    std::vector<SenseOperator<HostSpace<double>>::Group> groups;
    for (const ShotGroup& shot : shotGroups(e.problem)) {
      auto& group = groups.emplace_back();
      group.transform = cpu->gdft<double>(gdftProblem(e.problem, shot));
      group.phased = true;
      group.phase = space.make(256);
      for (std::size_t i = 0; i < 256; ++i)
        group.phase[i] = std::polar(1.0, e.problem.phases[std::size_t(shot.phase)][i]);
    }
    const std::vector<cdouble> maps(e.problem.maps.begin(), e.problem.maps.end());
    SenseOperator<HostSpace<double>> sense(space, std::move(groups), maps.data(), 1, 3, 256);
    std::mt19937 random(1);
    std::normal_distribution<double> g;
    auto m = space.make(256), back = space.make(256);
    for (auto& v : m) v = {g(random), g(random)};
    cdouble forwardSide = 0;
    bool add = false;
    for (std::int64_t group = 0; group < 2; ++group)
      for (std::int64_t c = 0; c < 3; ++c) {
        auto samples = space.make(60), random60 = space.make(60);
        for (auto& v : random60) v = {g(random), g(random)};
        sense.forward(group, c, m.data(), samples.data(), {});
        for (std::size_t j = 0; j < 60; ++j) forwardSide += std::conj(random60[j]) * samples[j];
        sense.addAdjoint(group, c, random60.data(), back.data(), false, add, {});
        add = true;
      }
    cdouble adjointSide = 0;
    for (std::size_t i = 0; i < 256; ++i) adjointSide += std::conj(back[i]) * m[i];
    QVERIFY(std::abs(forwardSide - adjointSide) < 1e-12 * std::abs(forwardSide));
  }

  void senseFindsTheObject() {
    const Experiment e = makeExperiment(24, 4, 4, 300, false, false);
    for (const TransformKind kind : {TransformKind::nufft, TransformKind::gdft}) {
      const SenseSolution s = solve(e, kind, {60, 0, 1e-6, {}});
      QVERIFY2(relativeDifference(s.image, e.truth) < 1e-2,
               QByteArray::number(relativeDifference(s.image, e.truth)));
      QVERIFY(s.residuals.back() < 1e-3 * s.residuals.front());
    }
  }

  void theFieldIsCorrectedByGdftAndBySegmentsAndNotByThePlainTransform() {
    const Experiment e = makeExperiment(24, 4, 4, 300, true, false);
    const auto exact = solve(e, TransformKind::gdft), segmented = solve(e, TransformKind::segmented),
               plain = solve(e, TransformKind::nufft);
    const double corrected = relativeDifference(exact.image, e.truth);
    QVERIFY2(corrected < 0.05, QByteArray::number(corrected));
    QVERIFY(relativeDifference(plain.image, e.truth) > 3 * corrected);
    const double apart = relativeDifference(segmented.image, exact.image);
    QVERIFY2(apart < 0.01, QByteArray::number(apart));
    QVERIFY(segmented.transform.find("segments") != std::string::npos);
  }

  void pcSenseRestoresShotsThatSenseCannotJoin() {
    Experiment e = makeExperiment(24, 4, 4, 300, true, true);
    const double withPhases = relativeDifference(solve(e, TransformKind::gdft).image, e.truth);
    QVERIFY2(withPhases < 0.05, QByteArray::number(withPhases));
    e.problem.shots = {0, 1, 3};
    const double fewer = relativeDifference(solve(e, TransformKind::gdft, {40, 0, 0, {}}).image, e.truth);
    QVERIFY2(fewer < 0.1, QByteArray::number(fewer));
    e.problem.shots.clear();
    e.problem.phases.clear();
    QVERIFY(relativeDifference(solve(e, TransformKind::gdft).image, e.truth) > 10 * withPhases);
  }

  void lambdaMeansTheSameWhateverTheWeightsAndTheScale() {
    Experiment e = makeExperiment(20, 3, 2, 400, false, false);
    const IterationOptions options{40, 0.05, 0, Regularization::tikhonov};
    const auto first = solve(e, TransformKind::nufft, options);
    e.problem.weights.own().assign(800, 7.5);
    const auto second = solve(e, TransformKind::nufft, options);
    QVERIFY(relativeDifference(second.image, first.image) < 1e-4);
  }

  void everyRegularizationIsReached_data() {
    QTest::addColumn<int>("kind");
    QTest::newRow("tikhonov") << int(Regularization::tikhonov);
    QTest::newRow("roughness") << int(Regularization::roughness);
    QTest::newRow("tv") << int(Regularization::totalVariation);
  }

  // More of it: a smaller value of the penalty itself.
  void everyRegularizationIsReached() {
    QFETCH(int, kind);
    const Experiment e = makeExperiment(20, 3, 2, 300, false, false);
    const auto penalty = [&](const std::vector<cfloat>& image) {
      double sum = 0;
      for (std::int64_t i = 0; i < 400; ++i) {
        const cfloat v = image[std::size_t(i)];
        const cfloat dx = i % 20 < 19 ? image[std::size_t(i + 1)] - v : cfloat(0);
        const cfloat dy = i / 20 < 19 ? image[std::size_t(i + 20)] - v : cfloat(0);
        const double square = std::norm(dx) + std::norm(dy);
        sum += Regularization(kind) == Regularization::tikhonov    ? std::norm(v)
               : Regularization(kind) == Regularization::roughness ? square
                                                                   : std::sqrt(square);
      }
      return sum;
    };
    double last = 1e30;
    for (const double lambda : {0.0, 0.03, 0.3}) {
      const auto s = solve(e, TransformKind::nufft, {60, lambda, 0, Regularization(kind)});
      QVERIFY(penalty(s.image) < last);
      last = penalty(s.image);
    }
  }

  void aWatcherSeesImagesChangesLambdaAndStops() {
    const Experiment e = makeExperiment(20, 3, 2, 300, false, false);
    int seen = 0;
    const auto s = solve(e, TransformKind::nufft, {30, 0, 0, {}}, [&](const IterationState& state) {
      seen = state.iteration;
      IterationCommand command;
      if (state.iteration == 3) command.lambda = 0.2;
      if (state.iteration == 4 && state.lambda != 0.2) seen = -1000;
      if (state.image().size() != 400) seen = -1000;
      if (state.iteration == 9) command.action = IterationAction::stop;
      return command;
    });
    QCOMPARE(seen, 9);
    QVERIFY(s.stopped);
    QCOMPARE(s.residuals.size(), std::size_t(9));
    const auto straight = solve(e, TransformKind::nufft, {30, 0.2, 0, {}});
    const auto none = solve(e, TransformKind::nufft, {30, 0, 0, {}});
    QVERIFY(relativeDifference(s.image, straight.image) < 0.2 * relativeDifference(s.image, none.image));
  }

  void aCancelInsideTheIterationsKeepsTheLastImage() {
    const Experiment e = makeExperiment(20, 3, 2, 300, false, false);
    std::stop_source stop;
    const auto s = solve(
        e, TransformKind::nufft, {30, 0, 0, {}},
        [&](const IterationState& state) {
          if (state.iteration == 4) stop.request_stop();
          return IterationCommand{};
        },
        Progress(stop.get_token()));
    QVERIFY(s.cancelled);
    QCOMPARE(s.residuals.size(), std::size_t(4));
    QVERIFY(relativeDifference(s.image, e.truth) < 0.5);
  }

  void whatCannotBeIsRefused() {
    const Experiment good = makeExperiment(12, 2, 2, 50, true, true);
    Experiment bad = good;
    bad.problem.phases.pop_back();
    QVERIFY_EXCEPTION_THROWN(solve(bad, TransformKind::gdft), Error);
    bad = good;
    bad.problem.field[5] = std::nan("");
    QVERIFY_EXCEPTION_THROWN(solve(bad, TransformKind::gdft), Error);
    bad = good;
    bad.problem.field.resize(100);
    QVERIFY_EXCEPTION_THROWN(solve(bad, TransformKind::segmented), Error);
    bad = good;
    for (cfloat& v : bad.problem.maps) v = 0;
    QVERIFY_EXCEPTION_THROWN(solve(bad, TransformKind::gdft), Error);
  }

  // Simulated radial scan, fewer spokes than Nyquist: both kinds of estimated maps serve; SENSE
  // beats gridding.
  void estimatedMapsServeAnUndersampledScan_data() {
    QTest::addColumn<QString>("maps");
    QTest::newRow("espirit") << "espirit";
    QTest::newRow("walsh") << "walsh";
  }

  void estimatedMapsServeAnUndersampledScan() {
    QFETCH(QString, maps);
    SimulateOptions simulated;
    simulated.trajectory.matrix = {64, 64, 1};
    simulated.trajectory.samplesPerShot = 128;
    simulated.trajectory.shots = 30;
    simulated.coils = 6;
    const auto scan = simulate(simulated, {});
    ReconOptions options;
    options.nufft.alpha = 2;
    options.nufft.width = 5;
    const auto cpu = makeCpuBackend();
    const auto gridded = runJob(*cpu, *scan, options, nullptr, nullptr, {});
    options.iterative.method = ReconMethod::sense;
    options.iterative.coilMaps = maps.toStdString();
    options.iterative.solver = {12, 1e-3, 0, Regularization::tikhonov};
    const auto sense = runJob(*cpu, *scan, options, nullptr, nullptr, {});
    QVERIFY(sense.image);
    QCOMPARE(sense.iterations.size(), std::size_t(1));
    const Image truth = phantomImage(sheppLogan(2), {64, 64, 1});
    const auto outside = [&](const Image& image) {  // rms beyond the head, over its rms inside
      double in = 0, out = 0, inside = 0, beyond = 0;
      for (std::size_t i = 0; i < 4096; ++i) {
        const double x = (double(i % 64) - 32) / 64, y = (double(i / 64) - 32) / 64;
        const double r = std::hypot(x / 0.69, y / 0.92) * 2;
        if (r > 1.15) out += std::norm(image.data[i]), ++beyond;
        if (std::abs(truth.data[i]) > 0) in += std::norm(image.data[i]), ++inside;
      }
      return std::sqrt(out / beyond / (in / inside));
    };
    QVERIFY2(outside(*sense.image) < 0.5 * outside(*gridded.image),
             qPrintable(QString("%1 %2").arg(outside(*sense.image)).arg(outside(*gridded.image))));
  }
};

SPOKELAB_TEST(TestIterative)

}  // namespace test_iterative

#include "test_iterative.moc"
