// A taper of the edge of k-space is a window over the samples: rings beside an edge fade, and
// methods that iterate leave it out.
#include <QtTest>

#include <cmath>
#include <numbers>

#include "engine/recon/run/reconstruction.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/engine/recon/measures.h"
#include "tests/engine/recon/reconstruct.h"
#include "tests/test_main.h"

namespace test_edge_taper {

using namespace spokelab;
using spokelab::test::relativeDifference;
using spokelab::test::run;

namespace {

constexpr int n = 64;
constexpr double taper = 0.4;

std::shared_ptr<Scan> radialScan() {
  SimulateOptions options;
  options.trajectory.matrix = {n, n, 1};
  return std::make_shared<Scan>(*simulate(options, {}));
}

ReconOptions gridding(const char* edgeTaper) {
  ReconOptions options;
  options.effort = TuneEffort::estimate;
  options.nufft.threads = 1;
  options.density = DensityMethod::analytic;
  setAccuracy(options, 1e-5);
  setOption(options, "edge-taper", edgeTaper);
  return options;
}

// Tukey's window, by its textbook formula over the radius from 0 to 1.
double window(double radius) {
  if (radius <= 1 - taper) return 1;
  if (radius >= 1) return 0;
  return 0.5 * (1 + std::cos(std::numbers::pi * (radius - (1 - taper)) / taper));
}

std::shared_ptr<Scan> windowed(const Scan& scan) {
  auto copy = std::make_shared<Scan>(scan);
  const Trajectory& t = scan.trajectory(0);
  for (std::size_t i = 0; i < copy->samples[0].size(); ++i) {
    const std::size_t j = i % std::size_t(t.samples());
    copy->samples[0][i] *= float(window(std::hypot(t.points[2 * j], t.points[2 * j + 1]) / (n / 2.0)));
  }
  return copy;
}

// Sum of the steps from pixel to pixel beside the head, where only rings are.
double ringing(const Image& image) {
  double sum = 0;
  for (int y = 24; y < 40; ++y)
    for (int x = 2; x < 7; ++x) {
      const auto at = std::size_t(y * n + x);
      sum += std::abs(image.data[at + 1] - image.data[at]);
    }
  return sum;
}

}  // namespace

class TestEdgeTaper : public QObject {
  Q_OBJECT

  std::shared_ptr<Scan> scan_ = radialScan();

 private slots:
  void itIsAWindowOverTheSamples() {
    const auto tapered = run(*scan_, gridding("0.4"));
    const auto plain = run(*windowed(*scan_), gridding("0"));
    QVERIFY(relativeDifference(tapered.image->data, plain.image->data) < 1e-6);
    QVERIFY(relativeDifference(tapered.image->data, run(*scan_, gridding("0")).image->data) > 1e-3);
    QVERIFY2(tapered.density.find("tapered over 0.4 of the radius") != std::string::npos,
             tapered.density.c_str());
  }

  void ringsFade() {
    QVERIFY(ringing(*run(*scan_, gridding("0.4")).image) < 0.7 * ringing(*run(*scan_, gridding("0")).image));
  }

  void methodsThatIterateLeaveItOut() {
    ReconOptions options = gridding("0.4");
    QCOMPARE(whyIdle(options, "edge-taper"), std::string());
    setOption(options, "method", "sense");
    setOption(options, "iterations", "2");
    QCOMPARE(whyIdle(options, "edge-taper"), std::string("Only gridding uses it"));
    const auto asked = run(*scan_, options);
    setOption(options, "edge-taper", "0");
    QVERIFY(asked.image->data == run(*scan_, options).image->data);
  }
};

SPOKELAB_TEST(TestEdgeTaper)

}  // namespace test_edge_taper

#include "test_edge_taper.moc"
