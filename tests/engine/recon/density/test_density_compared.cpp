// Weights by different methods agree where sampling allows it; Voronoi cells are areas; point
// spread functions are the closed forms where there are some.
#include <QtTest>

#include <span>

#include <cmath>
#include <numbers>

#include "engine/core/error.h"
#include "engine/recon/density/voronoi_cells.h"
#include "engine/recon/density/voronoi_weights.h"
#include "engine/recon/explore/density_comparison.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/run/run_job.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/simulate/random_numbers.h"
#include "engine/scan/simulate/simulate.h"
#include "engine/scan/simulate/truth_image.h"
#include "tests/engine/recon/measures.h"
#include "tests/test_main.h"

namespace test_density_compared {

using namespace spokelab;

namespace {

constexpr double pi = std::numbers::pi;

TrajectoryOptions fullySampled(Pattern pattern, Index3 matrix) {
  TrajectoryOptions o;
  o.pattern = pattern;
  o.matrix = matrix;
  if (pattern != Pattern::jittered && pattern != Pattern::spiral2d && pattern != Pattern::stackOfSpirals)
    o.samplesPerShot = int(2 * matrix[0]);
  return o;
}

Buffer<double> voronoi(const Trajectory& t) {
  Buffer<double> w;
  if (!voronoiWeights(t, {}, 0, w, {})) w.clear();
  return w;
}

}  // namespace

class TestDensityCompared : public QObject {
  Q_OBJECT
  std::unique_ptr<Backend> cpu_ = makeCpuBackend();

  Buffer<double> weights(const Trajectory& t, const Index3& matrix, DensityMethod method) {
    ReconOptions options;
    options.density = method;
    return densityWeights(t, matrix, options, *cpu_, {}).values.own();
  }

 private slots:
  void aLatticeGetsOneEverywhere() {
    Trajectory t;
    for (int y = -9; y < 9; ++y)
      for (int x = -7; x < 7; ++x) t.points.insert(t.points.end(), {double(x), double(y)});
    t.shotOffsets = {0, std::int64_t(t.points.size() / 2)};
    for (double w : voronoi(t)) QVERIFY2(std::abs(w - 1) < 1e-9, QByteArray::number(w));
  }

  void cellsOfRandomPointsFillTheHull() {
    std::vector<PlanePoint> points;
    for (std::uint64_t i = 0; i < 3000; ++i)
      points.push_back({10 * uniformNumber(3, 2 * i), 4 * uniformNumber(3, 2 * i + 1)});
    const std::vector<double> areas = voronoiAreas(points, 0, {});
    double sum = 0;
    for (double a : areas) {
      QVERIFY(a > 0);
      sum += a;
    }
    const double hull = polygonArea(convexHull(points));
    QVERIFY(sum > hull && sum < 1.06 * hull);
    // Brute force: the share of random places that are nearest to a point is its area.
    std::vector<int> hits(points.size(), 0);
    const int trials = 40000;
    for (std::uint64_t i = 0; i < trials; ++i) {
      const PlanePoint p{2 + 6 * uniformNumber(4, 2 * i), 1 + 2 * uniformNumber(4, 2 * i + 1)};
      std::size_t nearest = 0;
      double least = HUGE_VAL;
      for (std::size_t j = 0; j < points.size(); ++j) {
        const double d = std::pow(p[0] - points[j][0], 2) + std::pow(p[1] - points[j][1], 2);
        if (d < least) {
          least = d;
          nearest = j;
        }
      }
      ++hits[nearest];
    }
    double chi = 0;
    int cells = 0;
    for (std::size_t j = 0; j < points.size(); ++j) {
      if (points[j][0] < 2.6 || points[j][0] > 7.4 || points[j][1] < 1.5 || points[j][1] > 2.5) continue;
      const double expected = areas[j] / 12 * trials;
      chi += std::pow(hits[j] - expected, 2) / std::max(expected, 1.0);
      ++cells;
    }
    QVERIFY(cells > 200);
    QVERIFY2(chi / cells < 1.3, QByteArray::number(chi / cells));
  }

  void duplicatesShareTheirCell() {
    const Trajectory once = generateTrajectory(fullySampled(Pattern::spiral2d, {24, 24, 1}));
    Trajectory twice = once;
    twice.points.insert(twice.points.end(), once.points.begin(), once.points.end());
    for (std::size_t i = once.points.size(); i < twice.points.size(); ++i) twice.points[i] += 1e-8;
    twice.shotOffsets.push_back(2 * once.samples());
    const auto a = voronoi(once), b = voronoi(twice);
    QVERIFY(std::abs(test::sum(a) - test::sum(b)) < 1e-3 * test::sum(a));
    double worst = 0;
    for (std::size_t j = 0; j < a.size(); ++j)
      worst = std::max(worst, std::abs(b[j] + b[a.size() + j] - a[j]));
    QVERIFY2(worst < 1e-3, QByteArray::number(worst));
  }

  void degeneratePointsAreRefused() {
    Trajectory line;
    for (int i = 0; i < 50; ++i) line.points.insert(line.points.end(), {double(i), 2.0 * i});
    line.shotOffsets = {0, 50};
    QVERIFY(voronoi(line).empty());
    Trajectory same = line;
    std::fill(same.points.begin(), same.points.end(), 1.0);
    QVERIFY(voronoi(same).empty());
    QVERIFY(voronoi(generateTrajectory(fullySampled(Pattern::radial3d, {12, 12, 12}))).empty());
    ReconOptions options;
    options.density = DensityMethod::voronoi;
    QVERIFY_EXCEPTION_THROWN(densityWeights(line, {32, 32, 1}, options, *cpu_, {}), Error);
  }

  void voronoiIsTheAnalyticWeightOfRadialScans() {
    for (Pattern p : {Pattern::radial2d, Pattern::goldenRadial2d, Pattern::stackOfStars}) {
      const Index3 matrix{48, 48, p == Pattern::stackOfStars ? 5 : 1};
      const Trajectory t = generateTrajectory(fullySampled(p, matrix));
      // Of a cylinder's reach this is 90 % of the radius in its middle plane.
      const double share = p == Pattern::stackOfStars ? 0.7 : innerShare;
      const WeightAgreement a =
          compareWeights(t, matrix, voronoi(t), weights(t, matrix, DensityMethod::analytic), share);
      QVERIFY2(a.rms < 0.002 && std::abs(a.total) < 0.002, QByteArray::number(a.rms));
    }
  }

  void spiralsOwnWeightsAreVoronoiAreas() {
    const Trajectory t = generateTrajectory(fullySampled(Pattern::spiral2d, {64, 64, 1}));
    const WeightAgreement a = compareWeights(t, {64, 64, 1}, t.weights, voronoi(t));
    QVERIFY2(a.rms < 0.1 && std::abs(a.total) < 0.02, QByteArray::number(a.rms));
  }

  void pipeMenonAgreesWithAnalytic_data() {
    QTest::addColumn<int>("pattern");
    QTest::addColumn<int>("size");
    QTest::newRow("2-D") << int(Pattern::radial2d) << 64;
    QTest::newRow("3-D") << int(Pattern::radial3d) << 48;
  }
  // "It must show" 5: within 5 % over the inner 90 % of k-space.
  void pipeMenonAgreesWithAnalytic() {
    QFETCH(int, pattern);
    QFETCH(int, size);
    const bool volume = Pattern(pattern) == Pattern::radial3d;
    const Index3 matrix{size, size, volume ? size : 1};
    const Trajectory t = generateTrajectory(fullySampled(Pattern(pattern), matrix));
    const WeightAgreement a = compareWeights(t, matrix, weights(t, matrix, DensityMethod::pipeMenon),
                                             weights(t, matrix, DensityMethod::analytic));
    qInfo("rms %.4f, sum %.4f", a.rms, a.total);
    QVERIFY2(a.rms < 0.05, QByteArray::number(a.rms));
    QVERIFY2(std::abs(a.total) < 0.05, QByteArray::number(a.total));
  }

  void imagesAreTheTruth_data() {
    QTest::addColumn<int>("pattern");
    QTest::addColumn<int>("size");
    QTest::addColumn<int>("density");
    QTest::addColumn<double>("bound");
    QTest::newRow("2-D analytic") << int(Pattern::radial2d) << 96 << int(DensityMethod::analytic) << 0.03;
    QTest::newRow("2-D Pipe-Menon") << int(Pattern::radial2d) << 96 << int(DensityMethod::pipeMenon) << 0.03;
    QTest::newRow("2-D Voronoi") << int(Pattern::radial2d) << 96 << int(DensityMethod::voronoi) << 0.03;
    QTest::newRow("2-D spiral, Pipe-Menon")
        << int(Pattern::spiral2d) << 96 << int(DensityMethod::pipeMenon) << 0.04;
    QTest::newRow("3-D analytic") << int(Pattern::radial3d) << 32 << int(DensityMethod::analytic) << 0.03;
  }
  // "It must show" 5: fully sampled, four times over along the readout, no noise: within 3 % of the
  // phantom as the sampled disc or ball resolves it; a spiral within 4 %.
  void imagesAreTheTruth() {
    QFETCH(int, pattern);
    QFETCH(int, size);
    QFETCH(int, density);
    QFETCH(double, bound);
    SimulateOptions o;
    o.trajectory.pattern = Pattern(pattern);
    o.trajectory.matrix = {size, size, 0};
    o.trajectory.samplesPerShot = 4 * size;
    if (Pattern(pattern) == Pattern::spiral2d) {  // arms a quarter of a cycle/FOV apart
      o.trajectory.shots = 96;
      o.trajectory.spiralTurns = 2;
    }
    const auto scan = simulate(o, {});
    ReconOptions options;
    options.nufft.alpha = 2;
    options.nufft.width = 5;
    options.density = DensityMethod(density);
    const auto r = runJob(*cpu_, *scan, options, nullptr, nullptr, {});
    const Image truth = truthImage(sheppLogan(scan->dims()), scan->geometry.matrix, TruthKind::ball, {});
    std::vector<double> found, expected;
    for (const cfloat& v : r.image->data) found.push_back(std::abs(v));
    for (const cfloat& v : truth.data) expected.push_back(std::abs(v));
    const double error = test::nrmse(found, expected);
    qInfo("NRMSE %.4f", error);
    QVERIFY2(error < bound, QByteArray::number(error));
  }

  void theLatticesPointSpreadIsOnePixel() {
    Trajectory t;
    for (int y = -16; y < 16; ++y)
      for (int x = -16; x < 16; ++x) t.points.insert(t.points.end(), {double(x), double(y)});
    t.shotOffsets = {0, 1024};
    const PointSpread p = pointSpread(t, std::vector<double>(1024, 1.0), {32, 32, 1}, {}, *cpu_, {});
    QVERIFY(std::abs(p.peak - 1) < 1e-6);
    // |sin(pi x) / (32 sin(pi x / 32))| is half its peak at x = 0.6037.
    QVERIFY2(std::abs(p.fwhm[0] - 1.207) < 0.005 && std::abs(p.fwhm[1] - 1.207) < 0.005,
             QByteArray::number(p.fwhm[0]));
    // Over twice the field of view the lattice's alias at 32 pixels is as high as the peak.
    QVERIFY(p.image.size == (Index3{64, 64, 1}));
    QVERIFY(std::abs(p.sideLobe - 1) < 1e-3);
  }

  void aDiscsPointSpreadIsTheJinc() {
    const Index3 matrix{64, 64, 1};
    const Trajectory t = generateTrajectory(fullySampled(Pattern::radial2d, matrix));
    const PointSpread p = pointSpread(t, weights(t, matrix, DensityMethod::analytic), matrix, {}, *cpu_, {});
    // 2 J1(pi x) / (pi x): half at x = 0.7048, first minimum (maximum of the modulus) beyond 1.22,
    // -17.6 dB.
    QVERIFY2(std::abs(p.fwhm[0] - 1.41) < 0.02, QByteArray::number(p.fwhm[0]));
    QVERIFY2(std::abs(p.peak - pi / 4) < 0.02, QByteArray::number(p.peak));
    const double decibel = 20 * std::log10(p.sideLobe);
    QVERIFY2(decibel < -16.5 && decibel > -21, QByteArray::number(decibel));
    QVERIFY(std::hypot(p.sideLobeAt[0], p.sideLobeAt[1]) < 3);
  }

  void methodsAreComparedSideBySide() {
    SimulateOptions o;
    o.trajectory = fullySampled(Pattern::radial2d, {32, 32, 1});
    Scan scan = *simulate(o, {});
    scan.trajectories[0].weights.clear();
    const auto trials = compareDensity(scan, {}, {}, *cpu_, {});
    QCOMPARE(trials.size(), std::size_t(4));
    QVERIFY(trials[0].method == DensityMethod::file && !trials[0].refused.empty());
    for (std::size_t i = 1; i < 4; ++i) {
      QVERIFY(trials[i].refused.empty());
      QVERIFY(trials[i].spread.fwhm[0] > 1.2 && trials[i].spread.fwhm[0] < 1.6);
      QVERIFY2(trials[i].agreement.rms < 0.06, QByteArray::number(trials[i].agreement.rms));
    }
    QCOMPARE(trials[1].agreement.rms, 0.0);
    QVERIFY_EXCEPTION_THROWN(compareDensity(scan, {}, {DensityMethod::file}, *cpu_, {}), Error);
  }
};

SPOKELAB_TEST(TestDensityCompared)

}  // namespace test_density_compared

#include "test_density_compared.moc"
