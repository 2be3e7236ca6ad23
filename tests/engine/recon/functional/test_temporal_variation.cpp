// The proximal map of the total variation along time is what its definition says: against brute
// force on few frames, firmly non-expansive, and with the limits of small and large thresholds.
#include <QtTest>

#include "engine/recon/functional/temporal_variation.h"
#include "tests/engine/recon/functional/proximal_checks.h"
#include "tests/test_main.h"

namespace test_temporal_variation {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr int manySteps = 4000;

double jumps(const Buffer<cdouble>& x, std::int64_t pixels) {
  double sum = 0;
  for (std::size_t i = std::size_t(pixels); i < x.size(); ++i)
    sum += std::abs(x[i] - x[i - std::size_t(pixels)]);
  return sum;
}

}  // namespace

class TestTemporalVariation : public QObject {
  Q_OBJECT

 private slots:
  // Of two frames the mean stays, and the difference is shrunk by twice the threshold.
  void twoFramesFollowTheFormula() {
    constexpr std::int64_t pixels = 37;
    const double threshold = 0.4;
    HostSpace<double> space(2);
    const Buffer<cdouble> v = randomValues(2 * pixels, 1);
    Buffer<cdouble> x = v;
    const double told = TemporalVariation(space, 2, pixels, manySteps).prox(threshold, x.data());
    for (std::size_t i = 0; i < std::size_t(pixels); ++i) {
      const cdouble mean = (v[i] + v[i + pixels]) / 2.0, jump = v[i + pixels] - v[i];
      const double length = std::abs(jump), left = std::max(0.0, length - 2 * threshold);
      QVERIFY(std::abs(x[i] - (mean - jump / length * left / 2.0)) < 1e-3 * threshold);
      QVERIFY(std::abs(x[i + pixels] - (mean + jump / length * left / 2.0)) < 1e-3 * threshold);
    }
    QVERIFY(std::abs(told - jumps(x, pixels)) < 1e-9 * told);
  }

  // Three frames of one real pixel: all images on a fine lattice.
  void threeFramesAgreeWithBruteForce() {
    const double threshold = 0.3, lattice = 0.02;
    HostSpace<double> space(1);
    for (unsigned seed = 0; seed < 6; ++seed) {
      Buffer<cdouble> v = randomValues(3, seed);
      for (cdouble& value : v) value = value.real();
      Buffer<cdouble> x = v;
      TemporalVariation(space, 3, 1, manySteps).prox(threshold, x.data());
      const auto value = [&](double a, double b, double c) {
        const double p = a - v[0].real(), q = b - v[1].real(), r = c - v[2].real();
        return (p * p + q * q + r * r) / 2 + threshold * (std::abs(b - a) + std::abs(c - b));
      };
      const auto [low, high] = std::minmax({v[0].real(), v[1].real(), v[2].real()});
      double least = 1e9;
      for (double a = low; a <= high; a += lattice)
        for (double b = low; b <= high; b += lattice)
          for (double c = low; c <= high; c += lattice) least = std::min(least, value(a, b, c));
      const double reached = value(x[0].real(), x[1].real(), x[2].real());
      QVERIFY(reached <= least + 1e-4);
      QVERIFY(least <= reached + 3 * lattice);
    }
  }

  void theProximalMapMinimisesItsDefinition() {
    constexpr std::int64_t frames = 9, pixels = 19;
    const double threshold = 0.6;
    HostSpace<double> space(2);
    const Buffer<cdouble> v = randomValues(frames * pixels, 3);
    Buffer<cdouble> x = v;
    TemporalVariation(space, frames, pixels, manySteps).prox(threshold, x.data());
    verifyMinimum(x, 1e-5, [&](const Buffer<cdouble>& other) {
      const double d = distance(other, v);
      return d * d / 2 + threshold * jumps(other, pixels);
    });
  }

  void theProximalMapIsFirmlyNonExpansive() {
    constexpr std::int64_t frames = 7, pixels = 33;
    HostSpace<double> space(2);
    verifyFirmlyNonExpansive(frames * pixels, 1e-3, [&](cdouble* values) {
      TemporalVariation(space, frames, pixels, manySteps).prox(0.5, values);
    });
  }

  void aThresholdBeyondAllJumpsLeavesTheMean() {
    constexpr std::int64_t frames = 5, pixels = 18;
    HostSpace<double> space(2);
    const Buffer<cdouble> v = randomValues(frames * pixels, 4);
    Buffer<cdouble> x = v;
    const double told = TemporalVariation(space, frames, pixels, manySteps).prox(100, x.data());
    for (std::size_t i = 0; i < std::size_t(pixels); ++i) {
      cdouble mean = 0;
      for (std::size_t t = 0; t < std::size_t(frames); ++t) mean += v[t * pixels + i] / double(frames);
      for (std::size_t t = 0; t < std::size_t(frames); ++t) QVERIFY(std::abs(x[t * pixels + i] - mean) < 0.1);
    }
    QVERIFY(told < 0.02 * jumps(v, pixels));
  }

  // Echo after echo: no jump counts from the last time of one to the first of the next.
  void trainsHaveTheMapsThatTheyHaveAlone() {
    constexpr std::int64_t pixels = 21;
    const std::vector<std::int64_t> lengths{3, 1, 4};
    HostSpace<double> space(2);
    Buffer<cdouble> together = randomValues(8 * pixels, 6), alone = together;
    const double told =
        TemporalVariation(space, FrameTrains(lengths), pixels, manySteps).prox(0.5, together.data());
    double sum = 0;
    std::int64_t first = 0;
    for (const std::int64_t length : lengths) {
      if (length > 1)
        sum += TemporalVariation(space, length, pixels, manySteps).prox(0.5, alone.data() + first * pixels);
      first += length;
    }
    QVERIFY(distance(together, alone) < 1e-12);
    QVERIFY(std::abs(told - sum) < 1e-12 * sum);
  }

  // Few steps are enough where the dual of the last map is close.
  void theKeptDualGoesOn() {
    constexpr std::int64_t frames = 20, pixels = 50;
    const double threshold = 1;
    HostSpace<float> space(2);
    const Buffer<cdouble> v = randomValues(frames * pixels, 5);
    const auto single = [&] {
      Buffer<cfloat> values(v.size());
      std::copy(v.begin(), v.end(), values.begin());
      return values;
    };
    const auto distanceOf = [](const Buffer<cfloat>& a, const Buffer<cfloat>& b) {
      double sum = 0;
      for (std::size_t i = 0; i < a.size(); ++i) sum += std::norm(cdouble(a[i]) - cdouble(b[i]));
      return std::sqrt(sum);
    };
    Buffer<cfloat> exact = single(), once = single(), again;
    TemporalVariation(space, frames, pixels, manySteps).prox(threshold, exact.data());
    TemporalVariation<HostSpace<float>> few(space, frames, pixels, 8);
    few.prox(threshold, once.data());
    for (int i = 0; i < 12; ++i) {
      again = single();
      few.prox(threshold, again.data());
    }
    QVERIFY(distanceOf(again, exact) < 0.2 * distanceOf(once, exact));
  }
};

SPOKELAB_TEST(TestTemporalVariation)

}  // namespace test_temporal_variation

#include "test_temporal_variation.moc"
