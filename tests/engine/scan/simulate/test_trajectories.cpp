// Generated trajectories have the counts of the design, stay inside the band, and their weights add
// up to the k-space that they cover.
#include <QtTest>

#include <cmath>
#include <numbers>
#include <numeric>
#include <set>

#include "engine/core/error.h"
#include "engine/scan/simulate/built_in_scans.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/engine/scan/simulate/pattern_options.h"
#include "tests/test_main.h"

namespace test_trajectories {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr double pi = std::numbers::pi;

}  // namespace

class TestTrajectories : public QObject {
  Q_OBJECT

 private slots:
  void countsFollowTheAcceleration() {
    const auto count = [](const TrajectoryOptions& o) {
      const Trajectory t = generateTrajectory(o);
      return std::pair<std::int64_t, std::int64_t>(t.shots(), t.samples());
    };
    using P = std::pair<std::int64_t, std::int64_t>;
    QCOMPARE(count(options(Pattern::radial2d, {128, 128, 1})), P(202, 202 * 128));
    QCOMPARE(count(options(Pattern::goldenRadial2d, {128, 128, 1}, 4)), P(51, 51 * 128));
    QCOMPARE(count(options(Pattern::radial3d, {32, 32, 32}, 2)), P(805, 805 * 32));
    QCOMPARE(count(options(Pattern::goldenRadial3d, {32, 32, 32})), P(1609, 1609 * 32));
    QCOMPARE(count(options(Pattern::stackOfStars, {32, 32, 16})), P(51 * 16, 51 * 16 * 32));
    QCOMPARE(count(options(Pattern::random, {20, 20, 20}, 3)).second, std::int64_t(2667));
    QCOMPARE(count(options(Pattern::random, {20, 20, 1})).second, std::int64_t(400));
  }

  void pointsStayInTheBand_data() {
    QTest::addColumn<int>("pattern");
    for (const auto& [name, pattern] : patternNames()) QTest::newRow(name.c_str()) << int(pattern);
  }
  void pointsStayInTheBand() {
    QFETCH(int, pattern);
    for (const Index3& matrix : {Index3{32, 32, 32}, Index3{30, 26, 17}}) {
      TrajectoryOptions o = options(Pattern(pattern), matrix);
      const bool flat = o.pattern == Pattern::radial2d || o.pattern == Pattern::goldenRadial2d ||
                        o.pattern == Pattern::spiral2d;
      if (flat) o.matrix[2] = 1;
      const Trajectory t = generateTrajectory(o);
      QCOMPARE(t.dims, flat ? 2 : 3);
      QCOMPARE(t.points.size(), std::size_t(t.samples() * t.dims));
      QCOMPARE(t.times.size(), std::size_t(t.samples()));
      Vec3 reach{0, 0, 0};
      for (std::size_t i = 0; i < t.points.size(); ++i)
        reach[i % std::size_t(t.dims)] = std::max(reach[i % std::size_t(t.dims)], std::abs(t.points[i]));
      for (std::size_t d = 0; d < std::size_t(t.dims); ++d) {
        QVERIFY(reach[d] <= double(matrix[d]) / 2 + 1e-9);
        const double least = o.pattern == Pattern::gaussian ? 2 * o.gaussianWidth : 0.45;
        QVERIFY2(reach[d] > 2 * least * std::floor(double(matrix[d]) / 2),
                 qPrintable(QString::number(reach[d])));
      }
    }
  }

  void weightsAddUpToTheCoveredKspace() {
    const auto relative = [](const TrajectoryOptions& o, double expected) {
      return std::abs(weightSum(generateTrajectory(o)) / expected - 1);
    };
    const double disc = pi * 64 * 64;
    QVERIFY(relative(options(Pattern::radial2d, {128, 128, 1}), disc) < 1e-3);
    QVERIFY(relative(options(Pattern::goldenRadial2d, {128, 128, 1}, 3), disc) < 1e-3);
    QVERIFY(relative(options(Pattern::radial3d, {32, 32, 32}), 4 * pi / 3 * 4096) < 5e-3);
    QVERIFY(relative(options(Pattern::goldenRadial3d, {32, 32, 32}, 5), 4 * pi / 3 * 4096) < 5e-3);
    QVERIFY(relative(options(Pattern::stackOfStars, {64, 64, 20}), 20 * pi * 1024) < 2e-3);
    QVERIFY(relative(options(Pattern::radial2d, {128, 64, 1}), pi * 64 * 32) < 1e-3);
  }

  // Directions of the 3-D spokes cover the sphere: the second moments are those of the uniform
  // distribution.
  void directionsCoverTheSphere() {
    for (const Pattern pattern : {Pattern::radial3d, Pattern::goldenRadial3d}) {
      const Trajectory t = generateTrajectory(options(pattern, {32, 32, 32}));
      double moment[3][3] = {};
      for (std::int64_t s = 0; s < t.shots(); ++s) {
        const double* k = t.points.data() + t.shotOffsets[std::size_t(s)] * 3;
        const double r2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
        for (int a = 0; a < 3; ++a)
          for (int b = 0; b < 3; ++b) moment[a][b] += k[a] * k[b] / r2 / double(t.shots());
      }
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) QVERIFY(std::abs(moment[a][b] - (a == b ? 1.0 / 3 : 0)) < 0.01);
    }
  }

  // Neighbouring samples of a spiral are as far apart as the field of view allows, and so are its
  // turns.
  void spiralMeetsNyquist() {
    const Trajectory t = generateTrajectory(options(Pattern::spiral2d, {128, 128, 1}));
    QCOMPARE(t.shots(), std::int64_t(16));
    for (std::int64_t j = 1; j < t.shotOffsets[1]; ++j) {
      const double* k = t.points.data() + 2 * j;
      QVERIFY(std::hypot(k[0] - k[-2], k[1] - k[-1]) < 1.001);
      QVERIFY(std::hypot(k[0], k[1]) > std::hypot(k[-2], k[-1]));
    }
    const double turn = 64.0 / 4;  // radius gained in a turn, shared by 16 interleaves
    QVERIFY(turn / 16 <= 1.0);
  }

  void randomPointsDependOnTheSeedOnly() {
    TrajectoryOptions o = options(Pattern::random, {16, 16, 16});
    const Trajectory a = generateTrajectory(o), b = generateTrajectory(o);
    QVERIFY(a.points == b.points);
    o.seed = 2;
    QVERIFY(generateTrajectory(o).points != a.points);
    const double mean = std::accumulate(a.points.begin(), a.points.end(), 0.0) / double(a.points.size());
    QVERIFY(std::abs(mean) < 0.2);
  }

  void impossibleRequestsAreRefused() {
    QVERIFY_THROWS_EXCEPTION(Error, generateTrajectory(options(Pattern::radial3d, {64, 64, 1})));
    QVERIFY_THROWS_EXCEPTION(Error, generateTrajectory(options(Pattern::radial2d, {64, 64, 64})));
    QVERIFY_THROWS_EXCEPTION(Error, generateTrajectory(options(Pattern::radial2d, {0, 64, 1})));
    QVERIFY_THROWS_EXCEPTION(Error, generateTrajectory(options(Pattern::radial2d, {64, 64, 1}, -1)));
    QVERIFY_THROWS_EXCEPTION(Error,
                             generateTrajectory(options(Pattern::radial3d, {60000, 60000, 60000}, 1e-3)));
  }

  // A cancelled demo leaves nothing behind; a full one tells how far it is.
  void demoIsTheSameEachTime() {
    std::stop_source stop;
    stop.request_stop();
    QVERIFY_THROWS_EXCEPTION(Cancelled, builtInScan(demoName, Progress(stop.get_token())));
    std::set<double> told;  // many threads take few steps
    const auto demo = builtInScan(
        demoName, Progress({}, [&](double fraction, const std::string&) { told.insert(fraction); }));
    QVERIFY2(told.size() >= 2 && *told.rbegin() >= 0.8, QByteArray::number(qsizetype(told.size())));
    QCOMPARE(builtInScan(demoName).get(), demo.get());
    QCOMPARE(demo->name, std::string("demo"));
    QCOMPARE(demo->dims(), 3);
    QVERIFY(demo->coils > 1);
    SimulateOptions o;
    o.trajectory = options(Pattern::radial2d, {32, 32, 1});
    o.coils = 3;
    o.noise = 0.1;
    const auto a = simulate(o, Progress()), b = simulate(o, Progress());
    QVERIFY(a->samples[0] == b->samples[0]);
    o.seed = 2;
    QVERIFY(simulate(o, Progress())->samples[0] != a->samples[0]);
  }

  void noiseHasTheAskedStrength() {
    SimulateOptions o;
    o.trajectory = options(Pattern::radial2d, {64, 64, 1});
    o.coils = 2;
    const auto clean = simulate(o, Progress());
    o.noise = 0.05;
    const auto noisy = simulate(o, Progress());
    double signal = 0, noise = 0;
    for (std::size_t i = 0; i < clean->samples[0].size(); ++i) {
      signal += double(std::norm(clean->samples[0][i]));
      noise += double(std::norm(noisy->samples[0][i] - clean->samples[0][i]));
    }
    QVERIFY(std::abs(std::sqrt(noise / signal / 2) - 0.05) < 0.001);
    QVERIFY(clean->noise.empty());
    QCOMPARE(noisy->noise.size() % 2, std::size_t(0));
    double power = 0;
    for (const cfloat& v : noisy->noise) power += double(std::norm(v));
    QVERIFY(
        std::abs(std::sqrt(power / double(noisy->noise.size()) / noise * double(clean->samples[0].size())) -
                 1) < 0.1);
  }

  void simulationCanBeCancelled() {
    std::stop_source stop;
    stop.request_stop();
    bool cancelled = false;
    try {
      simulate(SimulateOptions(), Progress(stop.get_token()));
    } catch (const Cancelled&) {
      cancelled = true;
    }
    QVERIFY(cancelled);
  }
};

SPOKELAB_TEST(TestTrajectories)

}  // namespace test_trajectories

#include "test_trajectories.moc"
