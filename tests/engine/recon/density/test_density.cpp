// Density weights are k-space areas: analytic ones add up to what the spokes cover, Pipe-Menon
// finds them again.
#include <QtTest>

#include <cmath>
#include <numbers>
#include <span>

#include "engine/core/error.h"
#include "engine/recon/density/density.h"
#include "engine/recon/density/radial_weights.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/simulate/trajectories.h"
#include "tests/engine/recon/measures.h"
#include "tests/test_main.h"

namespace test_density {

using namespace spokelab;

namespace {

constexpr double pi = std::numbers::pi;

// Spokes of samples at radii first, first + 1, ... along the given angles.
Trajectory spokes(const std::vector<double>& angles, int first, int samples) {
  Trajectory t;
  for (double angle : angles) {
    for (int i = 0; i < samples; ++i) {
      t.points.push_back((first + i) * std::cos(angle));
      t.points.push_back((first + i) * std::sin(angle));
    }
    t.shotOffsets.push_back(t.shotOffsets.back() + samples);
  }
  return t;
}

Trajectory generated(Pattern pattern, Index3 matrix, double acceleration = 1) {
  TrajectoryOptions options;
  options.pattern = pattern;
  options.matrix = matrix;
  options.acceleration = acceleration;
  Trajectory t = generateTrajectory(options);
  t.weights.clear();
  return t;
}

}  // namespace

class TestDensity : public QObject {
  Q_OBJECT
  std::unique_ptr<Backend> cpu_ = makeCpuBackend();

 private slots:
  void diametersCoverTheDisc() {
    // Radii -8 ... 8: cells reach 8.5.
    std::vector<double> angles;
    for (int s = 0; s < 20; ++s) angles.push_back(pi * s / 20);
    const Trajectory t = spokes(angles, -8, 17);
    Buffer<double> w;
    QVERIFY(radialWeights(t, w));
    QVERIFY(std::abs(test::sum(w) - pi * 8.5 * 8.5) < 1e-9);
    // Ram-Lak: r dr dtheta, and the centre's disc of radius 1/2 shared by the spokes.
    QVERIFY(std::abs(w[8 + 3] - 3 * pi / 20) < 1e-12);
    QVERIFY(std::abs(w[8] - pi / 4 / 20) < 1e-12);
  }

  void unequalAnglesGetTheirShare() {
    std::vector<double> angles;
    for (int s = 0; s < 25; ++s) angles.push_back(s * pi * 0.6180339887498949);
    const Trajectory t = spokes(angles, -8, 17);
    Buffer<double> w;
    QVERIFY(radialWeights(t, w));
    QVERIFY(std::abs(test::sum(w) - pi * 8.5 * 8.5) < 1e-9);
    double least = 1e9, most = 0;
    for (std::size_t s = 0; s < 25; ++s) {
      least = std::min(least, w[s * 17]);
      most = std::max(most, w[s * 17]);
    }
    QVERIFY(most / least > 1.3);  // the golden angle's gaps differ
  }

  void repeatedSpokesShareOneSector() {
    const Trajectory once = spokes({0, pi / 3, 2 * pi / 3}, -8, 17);
    const Trajectory twice = spokes({0, pi / 3, 2 * pi / 3, 0, 0}, -8, 17);
    Buffer<double> w1, w2;
    QVERIFY(radialWeights(once, w1));
    QVERIFY(radialWeights(twice, w2));
    QVERIFY(std::abs(w2[3] - w1[3] / 3) < 1e-12);
    QVERIFY(std::abs(w2[17 + 3] - w1[17 + 3]) < 1e-12);
    QVERIFY(std::abs(test::sum(w1) - test::sum(w2)) < 1e-9);
  }

  void spokesFromTheCentreCoverTheDisc() {
    std::vector<double> angles;
    for (int s = 0; s < 31; ++s) angles.push_back(2 * pi * s / 31 + 0.1);
    const Trajectory t = spokes(angles, 0, 9);
    Buffer<double> w;
    QVERIFY(radialWeights(t, w));
    QVERIFY(std::abs(test::sum(w) - pi * 8.5 * 8.5) < 1e-9);
  }

  void shotsMayDifferInLength() {
    std::vector<double> angles;
    for (int s = 0; s < 12; ++s) angles.push_back(pi * s / 12);
    Trajectory t = spokes(angles, -8, 17);
    // The last spoke loses its outer 4 samples on one side.
    t.points.resize(t.points.size() - 8);
    t.shotOffsets.back() -= 4;
    Buffer<double> w;
    QVERIFY(radialWeights(t, w));
    const double missing = pi / 12 / 2 * (8.5 * 8.5 - 4.5 * 4.5);
    QVERIFY(std::abs(test::sum(w) - (pi * 8.5 * 8.5 - missing)) < 1e-9);
  }

  void diametersIn3dCoverTheBall() {
    const Trajectory t = generated(Pattern::goldenRadial3d, {16, 16, 16});
    Buffer<double> w;
    QVERIFY(radialWeights(t, w, {16, 16, 16}));
    // Radii -8 ... 7: half the rays reach 8.5, half 7.5.
    const double volume = 2 * pi / 3 * (std::pow(8.5, 3) + std::pow(7.5, 3));
    QVERIFY(std::abs(test::sum(w) - volume) < 0.005 * volume);
  }

  void stackOfStarsCoversTheCylinder() {
    const Trajectory t = generated(Pattern::stackOfStars, {16, 16, 8});
    Buffer<double> w;
    QVERIFY(radialWeights(t, w, {16, 16, 8}));
    const double volume = pi / 2 * (8.5 * 8.5 + 7.5 * 7.5) * 8;
    QVERIFY(std::abs(test::sum(w) - volume) < 0.01 * volume);
  }

  void anisotropicMatricesAreRadialToo() {
    const Trajectory t = generated(Pattern::radial2d, {32, 16, 1});
    Buffer<double> w;
    QVERIFY(radialWeights(t, w, {32, 16, 1}));
    const double area = pi * 16 * 8;
    QVERIFY(std::abs(test::sum(w) - area) < 0.01 * area);
  }

  void generatorsAgree() {
    TrajectoryOptions options;
    for (Pattern pattern :
         {Pattern::radial2d, Pattern::goldenRadial2d, Pattern::radial3d, Pattern::stackOfStars}) {
      options.pattern = pattern;
      options.matrix = {32, 32, pattern == Pattern::radial3d || pattern == Pattern::stackOfStars ? 16 : 1};
      if (pattern == Pattern::radial3d) options.matrix[2] = 32;
      const Trajectory t = generateTrajectory(options);
      Buffer<double> w;
      QVERIFY(radialWeights(t, w, options.matrix));
      const double difference = test::relativeDifference(w, t.weights);
      QVERIFY2(difference < 0.03, QByteArray::number(difference));
    }
  }

  void othersAreNotRadial() {
    Buffer<double> w;
    QVERIFY(!radialWeights(generated(Pattern::spiral2d, {64, 64, 1}), w));
    QVERIFY(!radialWeights(generated(Pattern::random, {32, 32, 1}), w));
    QVERIFY(!radialWeights(generated(Pattern::random, {16, 16, 16}), w));
    // Spokes in one plane of 3-D do not cover the ball.
    Trajectory flat = generated(Pattern::radial2d, {32, 32, 1});
    Trajectory t = flat;
    t.dims = 3;
    t.points.clear();
    for (std::size_t i = 0; i + 1 < flat.points.size(); i += 2) {
      t.points.insert(t.points.end(), {flat.points[i], flat.points[i + 1], 0.0});
    }
    QVERIFY(!radialWeights(t, w));
    QVERIFY(w.empty());
  }

  void pipeMenonFindsTheAnalyticWeights() {
    const Index3 matrix{48, 48, 1};
    const Trajectory t = generated(Pattern::radial2d, matrix);
    Buffer<double> analytic;
    QVERIFY(radialWeights(t, analytic, matrix));
    ReconOptions options;
    options.density = DensityMethod::pipeMenon;
    const DensityWeights found = densityWeights(t, matrix, options, *cpu_, {});
    QCOMPARE(found.origin, std::string("Pipe-Menon, 20 iterations"));
    // Compared inside 90 % of the radius: at the rim the kernel sees the void beyond.
    double difference = 0, norm = 0, total = 0, analyticTotal = 0;
    for (std::size_t j = 0; j < analytic.size(); ++j) {
      if (std::hypot(t.points[2 * j], t.points[2 * j + 1]) > 0.9 * 24) continue;
      difference += std::pow(found.values[j] - analytic[j], 2);
      norm += std::pow(analytic[j], 2);
      total += found.values[j];
      analyticTotal += analytic[j];
    }
    const double relative = std::sqrt(difference / norm);
    QVERIFY2(relative < 0.1, QByteArray::number(relative));
    QVERIFY2(std::abs(total / analyticTotal - 1) < 0.03, QByteArray::number(total / analyticTotal));
  }

  void pipeMenonOnACartesianGridIsOne() {
    Trajectory t;
    for (int y = -16; y < 16; ++y) {
      for (int x = -16; x < 16; ++x) {
        t.points.push_back(x);
        t.points.push_back(y);
      }
      t.shotOffsets.push_back(t.shotOffsets.back() + 32);
    }
    ReconOptions options;
    options.density = DensityMethod::pipeMenon;
    const DensityWeights found = densityWeights(t, {32, 32, 1}, options, *cpu_, {});
    for (double w : found.values) QVERIFY2(std::abs(w - 1) < 0.01, QByteArray::number(w));
  }

  void samplesBeyondTheMatrixAreLeftOut() {
    const Trajectory t = generated(Pattern::radial2d, {64, 64, 1});
    ReconOptions options;
    for (DensityMethod method : {DensityMethod::analytic, DensityMethod::pipeMenon, DensityMethod::none}) {
      options.density = method;
      const DensityWeights w = densityWeights(t, {32, 32, 1}, options, *cpu_, {});
      for (std::size_t j = 0; j < w.values.size(); ++j) {
        const double k = std::max(std::abs(t.points[2 * j]), std::abs(t.points[2 * j + 1]));
        QCOMPARE(w.values[j] == 0, k > 16.5);
      }
      QVERIFY(w.origin.find("left out") != std::string::npos);
    }
  }

  void whatCannotBeHadIsRefused() {
    ReconOptions options;
    const Trajectory spiral = generated(Pattern::spiral2d, {32, 32, 1});
    for (DensityMethod method : {DensityMethod::analytic, DensityMethod::file}) {
      options.density = method;
      bool refused = false;
      try {
        densityWeights(spiral, {32, 32, 1}, options, *cpu_, {});
      } catch (const Error& error) {
        refused = !error.remedy().empty();
      }
      QVERIFY(refused);
    }
    Trajectory negative = spiral;
    negative.weights.assign(std::size_t(spiral.samples()), 1.0);
    negative.weights[3] = -1;
    options.density = DensityMethod::automatic;
    QVERIFY_EXCEPTION_THROWN(densityWeights(negative, {32, 32, 1}, options, *cpu_, {}), Error);
  }

  void theFileComesFirst() {
    Trajectory t = generated(Pattern::radial2d, {32, 32, 1});
    t.weights.assign(std::size_t(t.samples()), 0.5);
    const DensityWeights w = densityWeights(t, {32, 32, 1}, {}, *cpu_, {});
    QCOMPARE(w.origin, std::string("from the file"));
    QVERIFY(std::equal(w.values.begin(), w.values.end(), t.weights.begin(), t.weights.end()));
  }
};

SPOKELAB_TEST(TestDensity)

}  // namespace test_density

#include "test_density.moc"
