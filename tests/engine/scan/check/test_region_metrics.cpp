// Statistics, similarity and lines against images whose values are known.
#include <QtTest>

#include <cmath>
#include <random>

#include "engine/core/error.h"
#include "engine/scan/check/region_metrics.h"
#include "tests/test_main.h"

namespace test_region_metrics {

using namespace spokelab;

namespace {

Image imageOf(const Index3& size, int frames = 1) {
  Image image;
  image.size = size;
  image.frames = frames;
  image.data.assign(std::size_t(image.volume() * frames), cfloat(0));
  return image;
}

cfloat& at(Image& image, std::int64_t x, std::int64_t y, std::int64_t z = 0, int frame = 0) {
  return image.data[std::size_t(frame * image.volume() + (z * image.size[1] + y) * image.size[0] + x)];
}

bool near(double a, double b, double tolerance) {
  return std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b));
}

}  // namespace

class TestRegionMetrics : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aBoxOfKnownNumbers() {
    Image image = imageOf({4, 3, 2}, 2);
    // Frame 1, slice 1: magnitudes 3, 4, 5, 5 with known complex mean.
    at(image, 1, 1, 1, 1) = {3, 0};
    at(image, 2, 1, 1, 1) = {0, 4};
    at(image, 1, 2, 1, 1) = {3, 4};
    at(image, 2, 2, 1, 1) = {4, -3};
    const ImageRegion region{{1, 1, 1}, {2, 2, 1}, false, 2};
    const RegionStatistics s = regionStatistics(image, 1, region);
    QCOMPARE(s.count, 4);
    QVERIFY(near(s.mean.real(), 2.5, 1e-12) && near(s.mean.imag(), 1.25, 1e-12));
    QVERIFY(near(s.magnitudeMean, 4.25, 1e-12));
    QVERIFY(near(s.magnitudeDeviation, std::sqrt((1.5625 + 0.0625 + 2 * 0.5625) / 3), 1e-12));
    // sum |m - mean|^2 = sum |m|^2 - n |mean|^2 = 75 - 4 * 7.8125
    QVERIFY(near(s.deviation, std::sqrt(43.75 / 6), 1e-12));
    QCOMPARE(s.smallest, 3.0);
    QCOMPARE(s.largest, 5.0);
    QVERIFY(near(s.snr, s.magnitudeMean / s.magnitudeDeviation, 1e-12));
    QCOMPARE(regionStatistics(image, 0, region).magnitudeMean, 0.0);
  }

  void anEllipseHoldsWhatLiesInIt() {
    Image image = imageOf({21, 21, 1});
    for (cfloat& v : image.data) v = 1;
    const ImageRegion circle{{5, 5, 0}, {15, 15, 0}, true, 2};
    std::int64_t count = 0;
    for (std::int64_t y = 0; y < 21; ++y)
      for (std::int64_t x = 0; x < 21; ++x) {
        const double d = std::hypot(double(x - 10), double(y - 10));
        count += d <= 5.5;
        QCOMPARE(circle.contains({x, y, 0}), d <= 5.5);
      }
    QCOMPARE(regionStatistics(image, 0, circle).count, count);
    QVERIFY(!circle.contains({10, 10, 1}));
  }

  void noiseHasTheSnrThatItWasGiven() {
    Image image = imageOf({128, 128, 1});
    std::mt19937 random(3);
    std::normal_distribution<float> noise(0, 0.1F);
    for (cfloat& v : image.data) v = cfloat(6 + noise(random), 8 + noise(random));
    const RegionStatistics s = regionStatistics(image, 0, {{0, 0, 0}, {127, 127, 0}, false, 2});
    QVERIFY(near(s.deviation, 0.1, 0.02));
    QVERIFY(near(s.complexSnr, 100, 0.02));
    QVERIFY(near(s.snr, 100, 0.02));
    QVERIFY(near(std::arg(s.mean), std::atan2(8, 6), 1e-3));
  }

  void whatIsNotFiniteIsLeftOutAndNothingIsRefused() {
    Image image = imageOf({3, 1, 1});
    image.data = {{1, 0}, {NAN, 0}, {3, 0}};
    const RegionStatistics s = regionStatistics(image, 0, {{0, 0, 0}, {2, 0, 0}, false, 2});
    QCOMPARE(s.count, 2);
    QCOMPARE(s.leftOut, 1);
    QCOMPARE(s.magnitudeMean, 2.0);
    QVERIFY(std::isnan(regionStatistics(image, 0, {{0, 0, 0}, {0, 0, 0}, false, 2}).snr));
    QVERIFY_EXCEPTION_THROWN(regionStatistics(image, 0, {{1, 0, 0}, {1, 0, 0}, false, 2}), Error);
    QVERIFY_EXCEPTION_THROWN(regionStatistics(image, 0, {{7, 0, 0}, {9, 0, 0}, false, 2}), Error);
    QVERIFY_EXCEPTION_THROWN(regionStatistics(image, 1, {{0, 0, 0}, {0, 0, 0}, false, 2}), Error);
  }

  void aScaledAndTurnedImageIsTheSame() {
    Image a = imageOf({24, 20, 3});
    std::mt19937 random(5);
    std::normal_distribution<float> noise;
    for (cfloat& v : a.data) v = {noise(random), noise(random)};
    Image b = a;
    for (cfloat& v : b.data) v *= cfloat(0.6F, -1.3F);
    const RegionComparison c = compareRegion(a, b, 0, {{3, 4, 1}, {12, 15, 1}, true, 2});
    QVERIFY(std::abs(c.scale - cdouble(0.6, -1.3)) < 1e-6);
    QVERIFY(c.nrmse < 1e-6);
    QVERIFY(near(c.ssim, 1, 1e-6));
  }

  // Written out for one pixel in the middle, with the definition's sums.
  void similarityIsThatOfTheDefinition() {
    Image a = imageOf({11, 11, 1}), b = a;
    std::mt19937 random(11);
    std::uniform_real_distribution<float> value(0, 1);
    for (std::size_t i = 0; i < a.data.size(); ++i) {
      b.data[i] = value(random);
      a.data[i] = b.data[i].real() + 0.2F * value(random);
    }
    double cross = 0, power = 0, largest = 0;
    for (std::size_t i = 0; i < a.data.size(); ++i) {
      cross += double(a.data[i].real()) * b.data[i].real();
      power += double(a.data[i].real()) * a.data[i].real();
      largest = std::max(largest, double(b.data[i].real()));
    }
    const double s = cross / power;
    double sum = 0, ma = 0, mb = 0;
    std::vector<double> w(a.data.size());
    for (int y = 0; y < 11; ++y)
      for (int x = 0; x < 11; ++x) {
        const auto i = std::size_t(y * 11 + x);
        w[i] = std::exp(-((x - 5) * (x - 5) + (y - 5) * (y - 5)) / 4.5);
        sum += w[i];
        ma += w[i] * s * a.data[i].real();
        mb += w[i] * b.data[i].real();
      }
    ma /= sum;
    mb /= sum;
    double va = 0, vb = 0, ab = 0;
    for (std::size_t i = 0; i < w.size(); ++i) {
      const double x = s * a.data[i].real() - ma, y = b.data[i].real() - mb;
      va += w[i] / sum * x * x;
      vb += w[i] / sum * y * y;
      ab += w[i] / sum * x * y;
    }
    const double c1 = std::pow(0.01 * largest, 2), c2 = std::pow(0.03 * largest, 2);
    const double expected = (2 * ma * mb + c1) * (2 * ab + c2) / ((ma * ma + mb * mb + c1) * (va + vb + c2));
    const RegionComparison c = compareRegion(a, b, 0, {{5, 5, 0}, {5, 5, 0}, false, 2});
    QVERIFY(near(c.ssim, expected, 1e-6));
    QVERIFY(c.ssim > 0.3 && c.ssim < 0.999);
    const double difference = s * a.data[60].real() - b.data[60].real();
    QVERIFY(near(c.nrmse, std::abs(difference) / std::abs(b.data[60].real()), 1e-5));
    b.size[0] = 10;
    b.data.resize(110);
    QVERIFY_EXCEPTION_THROWN(compareRegion(a, b, 0, {{5, 5, 0}, {5, 5, 0}, false, 2}), Error);
  }

  void aLineThroughARampIsARamp() {
    Image image = imageOf({9, 7, 5});
    for (std::int64_t z = 0; z < 5; ++z)
      for (std::int64_t y = 0; y < 7; ++y)
        for (std::int64_t x = 0; x < 9; ++x) at(image, x, y, z) = {float(x + 10 * y), float(z)};
    const Vec3 from{1, 2, 0.5}, to{7, 5, 3.5};
    const auto line = lineProfile(image, 0, from, to, 31);
    QCOMPARE(line.size(), std::size_t(31));
    for (int i = 0; i < 31; ++i) {
      const double t = i / 30.0;
      QVERIFY(near(line[std::size_t(i)].real(), 1 + 6 * t + 10 * (2 + 3 * t), 1e-5));
      QVERIFY(near(line[std::size_t(i)].imag(), 0.5 + 3 * t, 1e-5));
    }
    const auto outside = lineProfile(image, 0, {-1, 0, 0}, {1, 0, 0}, 3);
    QVERIFY(std::isnan(outside[0].real()));
    QCOMPARE(outside[1], cfloat(0, 0));
    QCOMPARE(outside[2], cfloat(1, 0));
  }
};

SPOKELAB_TEST(TestRegionMetrics)

}  // namespace test_region_metrics

#include "test_region_metrics.moc"
