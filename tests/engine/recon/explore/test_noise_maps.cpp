// Noise maps by pseudo-replicas, beside the noise that linear algebra gives: of gridding, of a
// fully sampled scan, and of SENSE with every second line.
#include <QtTest>
#include <cmath>

#include "engine/recon/explore/noise_maps.h"
#include "engine/recon/run/run_job.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/engine/recon/reconstruct.h"
#include "tests/test_main.h"

namespace test_noise_maps {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr int side = 24;
constexpr double sigma = 3;

// Cartesian lines, of one coil.
std::shared_ptr<Scan> cartesian() {
  SimulateOptions options;
  options.trajectory.pattern = Pattern::jittered;
  options.trajectory.matrix = {side, side, 1};
  options.trajectory.jitter = 0;
  return std::make_shared<Scan>(*simulate(options, {}));
}

NoiseMaps mapsOf(const Scan& scan, const ReconOptions& options, int replicas, double ofSample = sigma,
                 double maxBytes = 1e9) {
  return noiseMaps(scan, options, {replicas, ofSample, 5, maxBytes},
                   [](const Scan& s, const ReconOptions& o, const Progress&) { return run(s, o); }, {});
}

ReconOptions griddingOptions() {
  ReconOptions options;
  options.nufft.alpha = 2;
  options.nufft.width = 6;
  return options;
}

double rootMeanSquare(const Image& map) {
  double sum = 0;
  for (const cfloat& v : map.data) sum += std::norm(v);
  return std::sqrt(sum / double(map.data.size()));
}

}  // namespace

class TestNoiseMaps : public QObject {
  Q_OBJECT

 private slots:
  void aFullySampledScanHasTheNoiseOfItsSamplesAndG1() {
    const auto scan = cartesian();
    const NoiseMaps maps = mapsOf(*scan, griddingOptions(), 60);
    const double expected = sigma / side;  // sigma / sqrt(N)
    QVERIFY(std::abs(rootMeanSquare(*maps.noise) / expected - 1) < 0.02);
    QVERIFY(std::abs(rootMeanSquare(*maps.gFactor) - 1) < 0.02);
    const std::size_t middle = side * (side / 2) + side / 2;
    QVERIFY(std::abs(maps.snr->data[middle].real() * maps.noise->data[middle].real() /
                         std::abs(maps.image->data[middle]) -
                     1) < 1e-5);
    QVERIFY(std::abs(maps.relativeError - 1 / std::sqrt(118.0)) < 1e-12);
  }

  void griddingHasTheNoiseOfItsWeights() {
    SimulateOptions options;
    options.trajectory.pattern = Pattern::radial2d;
    options.trajectory.matrix = {side, side, 1};
    options.trajectory.samplesPerShot = 2 * side;
    const auto scan = simulate(options, {});
    double squares = 0;
    for (const double w : scan->trajectories.front().weights) squares += w * w;
    QVERIFY(squares > 0);
    const NoiseMaps maps = mapsOf(*scan, griddingOptions(), 60);
    const double expected = sigma * std::sqrt(squares) / (side * side);
    QVERIFY2(std::abs(rootMeanSquare(*maps.noise) / expected - 1) < 0.03,
             qPrintable(QString("%1 %2").arg(rootMeanSquare(*maps.noise)).arg(expected)));
    const double g = std::sqrt(squares * double(scan->trajectories.front().samples())) / (side * side);
    QVERIFY(std::abs(rootMeanSquare(*maps.gFactor) / g - 1) < 0.03);
  }

  void noiseLinesTellTheNoise() {
    SimulateOptions options;
    options.trajectory.pattern = Pattern::jittered;
    options.trajectory.matrix = {side, side, 1};
    options.trajectory.jitter = 0;
    options.noise = 0.1;
    const auto scan = simulate(options, {});
    double power = 0;
    for (const cfloat& v : scan->noise) power += std::norm(v) / double(scan->noise.size());
    const NoiseMaps maps = mapsOf(*scan, griddingOptions(), 60, 0);
    QVERIFY(std::abs(rootMeanSquare(*maps.noise) / (std::sqrt(power / 2) / side) - 1) < 0.02);
  }

  // Pillai's rule: two coils, every second line. Pixels half a field of view apart fold.
  void senseOfEverySecondLineHasTheAnalyticG() {
    auto scan = cartesian();
    const int coils = 2;
    std::vector<double> maps(coils * side);  // along the folded axis, rss 1
    for (int y = 0; y < side; ++y) {
      const double angle = 0.3 + 0.9 * y / side;
      maps[std::size_t(y)] = std::cos(angle);
      maps[std::size_t(side + y)] = std::sin(angle);
    }
    // Lines lie along x; the axis of lines is the one that does not change within a shot.
    const Trajectory& whole = scan->trajectories.front();
    const int axis = whole.points[0] == whole.points[2] ? 0 : 1;
    Trajectory half;
    half.dims = 2;
    for (std::int64_t shot = 0; shot < whole.shots(); shot += 2) {
      for (std::int64_t j = whole.shotOffsets[std::size_t(shot)];
           j < whole.shotOffsets[std::size_t(shot) + 1]; ++j)
        for (const std::int64_t d : {0, 1}) half.points.push_back(whole.points[std::size_t(2 * j + d)]);
      half.shotOffsets.push_back(std::int64_t(half.points.size()) / 2);
    }
    scan->coils = coils;
    scan->samples = {Buffer<cfloat>(std::size_t(coils * half.samples()), cfloat(1))};
    scan->trajectories = {half};
    NamedArray array{"SENSEMap", {coils, side, side}, {}, true};
    for (int c = 0; c < coils; ++c)
      for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x)
          array.values.push_back(float(maps[std::size_t(c * side + (axis == 1 ? y : x))]));
    scan->arrays.push_back(array);
    ReconOptions options = senseOptions();
    options.iterative.solver = {30, 0, 1e-7, Regularization::tikhonov};
    options.iterative.dataWeights = DataWeights::none;
    const NoiseMaps found = mapsOf(*scan, options, 150);
    double worst = 0;
    for (int a = 0; a < side; ++a) {
      const int b = (a + side / 2) % side;
      const auto at = [&](int c, int y) { return maps[std::size_t(c * side + y)]; };
      const double aa = at(0, a) * at(0, a) + at(1, a) * at(1, a),
                   bb = at(0, b) * at(0, b) + at(1, b) * at(1, b),
                   ab = at(0, a) * at(0, b) + at(1, a) * at(1, b);
      const double g = std::sqrt(bb / (aa * bb - ab * ab) * aa);
      double square = 0;  // the mean over the line, which has one g
      for (int i = 0; i < side; ++i)
        square += std::norm(found.gFactor->data[std::size_t(axis == 1 ? a * side + i : i * side + a)]) / side;
      worst = std::max(worst, std::abs(std::sqrt(square) / g - 1));
      QVERIFY(g > 1.2);
    }
    QVERIFY2(worst < 0.06, qPrintable(QString::number(worst)));
  }

  void blocksOfReplicasAreTheSameReplicas() {
    const auto scan = cartesian();
    const NoiseMaps whole = mapsOf(*scan, griddingOptions(), 7),
                    parts = mapsOf(*scan, griddingOptions(), 7, sigma, 4e4);
    QVERIFY(std::abs(rootMeanSquare(*whole.noise) / rootMeanSquare(*parts.noise) - 1) < 1e-4);
  }

  void whatCannotBeMappedIsRefused() {
    const auto scan = cartesian();
    const auto reason = [&](const ReconOptions& options, double ofSample) {
      try {
        mapsOf(*scan, options, 3, ofSample);
      } catch (const Error& error) {
        return error.reason();
      }
      return std::string("no error");
    };
    QVERIFY(reason(griddingOptions(), 0).find("no noise lines") != std::string::npos);
    ReconOptions joint = griddingOptions();
    setOption(joint, "method", "grasp");
    QVERIFY(reason(joint, sigma).find("all frames together") != std::string::npos);
  }
};

SPOKELAB_TEST(TestNoiseMaps)

}  // namespace test_noise_maps

#include "test_noise_maps.moc"
