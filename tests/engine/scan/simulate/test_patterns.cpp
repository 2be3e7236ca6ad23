// Every pattern covers the k-space that it is for, its weights add up to it, and its parameters do
// what they say.
#include <QtTest>

#include <cmath>
#include <numbers>

#include "engine/core/error.h"
#include "engine/scan/simulate/simulate_options.h"
#include "tests/engine/scan/simulate/pattern_options.h"
#include "tests/test_main.h"

namespace test_patterns {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr double pi = std::numbers::pi;

double distance(const double* a, const double* b, int dims) {
  double sum = 0;
  for (int d = 0; d < dims; ++d) sum += (a[d] - b[d]) * (a[d] - b[d]);
  return std::sqrt(sum);
}

}  // namespace

class TestPatterns : public QObject {
  Q_OBJECT

 private slots:
  void weightsAddUp() {
    const auto relative = [](const TrajectoryOptions& o, double expected) {
      return std::abs(weightSum(generateTrajectory(o)) / expected - 1);
    };
    QVERIFY(relative(options(Pattern::spiral2d, {64, 48, 1}), pi / 4 * 64 * 48) < 0.02);
    QVERIFY(relative(options(Pattern::stackOfSpirals, {64, 64, 10}, 4), pi / 4 * 64 * 64 * 10) < 0.02);
    QVERIFY(relative(options(Pattern::cones, {32, 32, 32}), pi / 6 * 32 * 32 * 32) < 0.05);
    QVERIFY(relative(options(Pattern::cones, {48, 48, 24}, 4), pi / 6 * 48 * 48 * 24) < 0.05);
    QVERIFY(relative(options(Pattern::jittered, {16, 12, 8}), 16 * 12 * 8) < 1e-12);
    QVERIFY(relative(options(Pattern::jittered, {16, 12, 1}, 3), 16 * 12) < 1e-12);
    for (Pattern pattern : {Pattern::random, Pattern::gaussian, Pattern::clustered})
      QVERIFY(generateTrajectory(options(pattern, {16, 16, 1})).weights.empty());
  }

  void fullySampledPatternsLeaveNoHole_data() {
    QTest::addColumn<int>("pattern");
    for (Pattern p : {Pattern::radial2d, Pattern::spiral2d, Pattern::stackOfStars, Pattern::stackOfSpirals,
                      Pattern::cones, Pattern::radial3d})
      QTest::newRow(patternName(p).c_str()) << int(p);
  }
  // No place of the disc (cylinder, ball) is further than a cell's diagonal from a sample.
  void fullySampledPatternsLeaveNoHole() {
    QFETCH(int, pattern);
    TrajectoryOptions o = options(Pattern(pattern), {16, 16, 0});
    const Trajectory t = generateTrajectory(o);
    const bool ball = o.pattern == Pattern::cones || o.pattern == Pattern::radial3d;
    double worst = 0;
    for (int z = -7; z <= 7; ++z)
      for (int y = -7; y <= 7; ++y)
        for (int x = -7; x <= 7; ++x) {
          const double k[3] = {x + 0.3, y - 0.2, double(z)};
          if (std::hypot(k[0], k[1], ball ? k[2] : 0) > 7) continue;
          if (t.dims == 2 && z != 0) continue;
          double nearest = HUGE_VAL;
          for (std::int64_t j = 0; j < t.samples(); ++j)
            nearest = std::min(nearest, distance(k, t.points.data() + j * t.dims, t.dims));
          worst = std::max(worst, nearest);
        }
    QVERIFY2(worst < std::sqrt(double(t.dims)) / 2 * 1.05, qPrintable(QString::number(worst)));
  }

  void conesHaveTheAccelerationAskedFor() {
    const double full = double(generateTrajectory(options(Pattern::cones, {64, 64, 64})).shots());
    for (double r : {4.0, 16.0}) {
      const double shots = double(generateTrajectory(options(Pattern::cones, {64, 64, 64}, r)).shots());
      QVERIFY2(std::abs(full / shots / r - 1) < 0.25, qPrintable(QString::number(full / shots)));
    }
  }

  void stepsAlongShotsAreBounded() {
    for (Pattern p : {Pattern::spiral2d, Pattern::stackOfSpirals, Pattern::cones}) {
      const Trajectory t = generateTrajectory(options(p, {32, 32, 0}));
      for (std::size_t s = 0; s + 1 < t.shotOffsets.size(); ++s)
        for (std::int64_t j = t.shotOffsets[s] + 1; j < t.shotOffsets[s + 1]; ++j)
          QVERIFY(distance(t.points.data() + j * t.dims, t.points.data() + (j - 1) * t.dims, t.dims) < 1.01);
    }
  }

  void planesAreTurnedAsAsked() {
    for (Pattern p : {Pattern::stackOfStars, Pattern::stackOfSpirals}) {
      TrajectoryOptions o = options(p, {32, 32, 6});
      for (double turn : {0.0, 0.5}) {
        o.planeTurn = turn;
        const Trajectory t = generateTrajectory(o);
        const std::int64_t plane = t.samples() / 6;
        for (std::int64_t j = 0; j < plane; ++j) {
          const double *a = t.points.data() + 3 * j, *b = t.points.data() + 3 * (j + plane);
          QVERIFY(std::abs(b[0] - (std::cos(turn) * a[0] - std::sin(turn) * a[1])) < 1e-9);
          QVERIFY(std::abs(b[1] - (std::sin(turn) * a[0] + std::cos(turn) * a[1])) < 1e-9);
          QVERIFY(b[2] - a[2] == 1);
        }
      }
    }
  }

  void gaussianPointsHaveTheirWidth() {
    TrajectoryOptions o = options(Pattern::gaussian, {48, 32, 24});
    o.gaussianWidth = 0.12;
    const Trajectory t = generateTrajectory(o);
    for (std::size_t d = 0; d < 3; ++d) {
      double square = 0;
      for (std::size_t i = d; i < t.points.size(); i += 3) square += t.points[i] * t.points[i];
      const double width = std::sqrt(square / double(t.samples())) / double(o.matrix[d]);
      QVERIFY2(std::abs(width / 0.12 - 1) < 0.02, qPrintable(QString::number(width)));
    }
  }

  void clusteredPointsShareOneBox() {
    TrajectoryOptions o = options(Pattern::clustered, {32, 32, 32});
    o.clusterSize = 3;
    const Trajectory t = generateTrajectory(o);
    QCOMPARE(t.samples(), std::int64_t(32 * 32 * 32));
    for (double k : t.points) QVERIFY(k >= -16 && k <= -13);
  }

  void jitteredPointsStayNearTheirCells() {
    TrajectoryOptions o = options(Pattern::jittered, {12, 10, 4});
    o.jitter = 0;
    const Trajectory lattice = generateTrajectory(o);
    for (double k : lattice.points) QCOMPARE(k, std::round(k));
    o.jitter = 0.6;
    const Trajectory moved = generateTrajectory(o);
    double most = 0;
    for (std::size_t i = 0; i < moved.points.size(); ++i)
      most = std::max(most, std::abs(moved.points[i] - lattice.points[i]));
    QVERIFY(most <= 0.3 && most > 0.28);
  }

  void timesStartWhereTheyAreTold() {
    TrajectoryOptions o = options(Pattern::random, {20, 20, 1});
    o.startSeconds = 1e-3;
    o.dwellSeconds = 2e-6;
    o.samplesPerShot = 33;
    const Trajectory t = generateTrajectory(o);
    QCOMPARE(t.times.size(), std::size_t(400));
    for (std::size_t s = 0; s + 1 < t.shotOffsets.size(); ++s)
      for (std::int64_t j = t.shotOffsets[s]; j < t.shotOffsets[s + 1]; ++j)
        QVERIFY(std::abs(t.times[std::size_t(j)] - (1e-3 + 2e-6 * double(j - t.shotOffsets[s]))) < 1e-15);
  }

  void presetsAreTheTableOfTheirPaper() {
    const std::int64_t samples[] = {256 * 4096, 512 * 24576, 512 * 32768, 512 * 40960, 640 * 12800};
    const double rates[] = {0.5, 0.75, 1, 1.25, 0.25};
    for (Pattern p : {Pattern::radial3d, Pattern::gaussian, Pattern::stackOfSpirals}) {
      const auto presets = simulatePresets(p);
      QCOMPARE(presets.size(), std::size_t(5));
      for (std::size_t i = 0; i < presets.size(); ++i) {
        SimulateOptions o;
        o.trajectory.pattern = p;
        for (const auto& [name, value] : presets[i].values) setOption(o, name, value);
        const auto& t = o.trajectory;
        const std::int64_t planes = p == Pattern::stackOfSpirals ? t.matrix[2] : 1;
        QCOMPARE(planes * t.shots * t.samplesPerShot, samples[i]);
        QVERIFY(std::abs(double(samples[i]) / double(product(t.matrix)) - rates[i]) < 1e-9);
      }
    }
    SimulateOptions o;
    o.trajectory.pattern = Pattern::stackOfSpirals;
    const auto spirals = simulatePresets(Pattern::stackOfSpirals);
    for (const auto& [name, value] : spirals[0].values) setOption(o, name, value);
    QCOMPARE(generateTrajectory(o.trajectory).samples(), samples[0]);
    QVERIFY(simulatePresets(Pattern::spiral2d).empty());
  }

  void everyOptionReadsBack() {
    for (const OptionSpec& spec : simulateOptionTable()) {
      SimulateOptions o;
      QVERIFY(!spec.help.empty() && !spec.label.empty());
      setOption(o, spec.name, optionValue(SimulateOptions{}, spec.name));
      QCOMPARE(optionValue(o, spec.name), optionValue(SimulateOptions{}, spec.name));
      for (const std::string& choice : spec.choices) {
        setOption(o, spec.name, choice);
        QCOMPARE(optionValue(o, spec.name), choice);
      }
    }
    SimulateOptions o;
    setOption(o, "matrix", "64x32");
    QVERIFY(o.trajectory.matrix == (Index3{64, 32, 0}));
    QVERIFY(resolvedMatrix(o.trajectory) == (Index3{64, 32, 1}));
    setOption(o, "pattern", "cones");
    QVERIFY(resolvedMatrix(o.trajectory) == (Index3{64, 32, 64}));
    setOption(o, "plane-turn", "90");
    QVERIFY(std::abs(o.trajectory.planeTurn - pi / 2) < 1e-12);
    for (const char* bad : {"64x", "x", "0", "1x2x3x4", "-3", "a"})
      QVERIFY_EXCEPTION_THROWN(setOption(o, "matrix", bad), Error);
  }

  void optionsThatSayNothingAreRefused() {
    SimulateOptions o;
    requireApplicable(o);
    setOption(o, "turns", "4");
    QVERIFY_EXCEPTION_THROWN(requireApplicable(o), Error);
    setOption(o, "pattern", "spiral");
    requireApplicable(o);
    setOption(o, "field-peak", "50");
    QVERIFY_EXCEPTION_THROWN(requireApplicable(o), Error);
    setOption(o, "field", "linear");
    requireApplicable(o);
    TrajectoryOptions cones = options(Pattern::cones, {16, 16, 16});
    cones.shots = 10;
    QVERIFY_EXCEPTION_THROWN(generateTrajectory(cones), Error);
    TrajectoryOptions wide = options(Pattern::clustered, {16, 16, 1});
    wide.clusterSize = 20;
    QVERIFY_EXCEPTION_THROWN(generateTrajectory(wide), Error);
  }
};

SPOKELAB_TEST(TestPatterns)

}  // namespace test_patterns

#include "test_patterns.moc"
