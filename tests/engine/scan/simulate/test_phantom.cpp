// The closed-form k-space of the phantom is the transform of the phantom's picture, with and
// without coils.
#include <QtTest>

#include <cmath>
#include <numbers>

#include "engine/scan/simulate/phantom.h"
#include "engine/scan/simulate/phantom_models.h"
#include "tests/test_main.h"

namespace test_phantom {

using namespace spokelab;

namespace {

// sum over a fine grid of the picture, midpoint rule: error O(1/n) from the edges
cdouble sampledTransform(const Phantom& phantom, int coil, const Vec3& k, std::int64_t n) {
  const Index3 size{n, n, phantom.dims == 3 ? n : 1};
  const Image image = phantomImage(phantom, size, coil);
  cdouble sum = 0;
  std::size_t i = 0;
  for (std::int64_t z = 0; z < size[2]; ++z)
    for (std::int64_t y = 0; y < size[1]; ++y)
      for (std::int64_t x = 0; x < size[0]; ++x, ++i) {
        const double phase = k[0] * double(x - n / 2) / double(n) + k[1] * double(y - n / 2) / double(n) +
                             (phantom.dims == 3 ? k[2] * double(z - n / 2) / double(n) : 0);
        sum += cdouble(image.data[i]) * std::polar(1.0, -2 * std::numbers::pi * phase);
      }
  return sum / double(product(size));
}

Phantom single(int dims) {
  Phantom p;
  p.dims = dims;
  PhantomShape e;
  e.centre = {0.1, -0.07, dims == 3 ? 0.05 : 0};
  e.semiAxes = {0.3, 0.15, 0.2};
  e.angle = 0.4;
  e.value = {0.7, 0.2};
  p.shapes = {e};
  return p;
}

const std::vector<Vec3> points = {{0, 0, 0}, {1, 0, 0}, {0, -2.3, 1}, {3.7, 1.1, -2}, {-0.01, 0.02, 0.001}};

}  // namespace

class TestPhantom : public QObject {
  Q_OBJECT

 private slots:
  void kspaceIsTheTransformOfThePicture_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<int>("coils");
    QTest::newRow("2-D") << 2 << 0;
    QTest::newRow("3-D") << 3 << 0;
    QTest::newRow("2-D, coils") << 2 << 5;
    QTest::newRow("3-D, coils") << 3 << 4;
  }
  void kspaceIsTheTransformOfThePicture() {
    QFETCH(int, dims);
    QFETCH(int, coils);
    const std::int64_t n = dims == 2 ? 500 : 64;
    const double tolerance = dims == 2 ? 6e-4 : 4e-3;  // the grid's own error
    for (Phantom phantom : {single(dims), sheppLogan(dims)}) {
      if (coils) phantom.coils = modelCoils(dims, coils);
      const int coil = coils ? coils - 1 : 0;
      const double scale = std::abs(phantomKspace(phantom, coil, points[0].data()));
      for (const Vec3& k : points) {
        const cdouble exact = phantomKspace(phantom, coil, k.data());
        const cdouble sampled = sampledTransform(phantom, coils ? coil : -1, k, n);
        QVERIFY2(
            std::abs(exact - sampled) < tolerance * std::max(1.0, scale),
            qPrintable(
                QString("%1 at k = %2 %3 %4").arg(std::abs(exact - sampled)).arg(k[0]).arg(k[1]).arg(k[2])));
      }
    }
  }

  void centreIsTheArea() {
    const double zero[3] = {0, 0, 0};
    Phantom p = single(2);
    QVERIFY(std::abs(phantomKspace(p, 0, zero) - p.shapes[0].value * (std::numbers::pi * 0.3 * 0.15)) <
            1e-15);
    p = single(3);
    QVERIFY(std::abs(phantomKspace(p, 0, zero) -
                     p.shapes[0].value * (4.0 / 3 * std::numbers::pi * 0.3 * 0.15 * 0.2)) < 1e-15);
  }

  // The formulas change form near k = 0: no step there.
  void smoothNearTheCentre() {
    for (int dims : {2, 3}) {
      Phantom p = single(dims);
      p.shapes[0].centre = {0, 0, 0};
      double previous = phantomKspace(p, 0, points[0].data()).real();
      for (double r = 1e-12; r < 1; r *= 1.3) {
        const double k[3] = {r, 0.5 * r, dims == 3 ? 0.3 * r : 0};
        const double value = phantomKspace(p, 0, k).real();
        QVERIFY(std::isfinite(value));
        QVERIFY2(value <= previous * (1 + 1e-14),
                 qPrintable(QString::number(r)));  // falls from the centre on
        QVERIFY(previous - value < 2 * r * r * 0.3 * 0.3 * 10 * previous + 1e-15);
        previous = value;
      }
    }
  }

  void coilsAddUpToOne() {
    for (int dims : {2, 3})
      for (int count : {1, 2, 4, 5, 6, 8, 32}) {
        const std::vector<CoilMap> coils = modelCoils(dims, count);
        QCOMPARE(int(coils.size()), count);
        const double tolerance = count % 2 == 0 || count == 1 ? 1e-12 : 0.25;
        for (const Vec3& r : {Vec3{0, 0, 0}, Vec3{0.4, 0.1, 0.3}, Vec3{-0.5, 0.5, -0.5}}) {
          double sum = 0;
          for (const CoilMap& coil : coils) {
            cdouble s = 0;
            for (std::size_t i = 0; i < coil.amplitudes.size(); ++i) {
              const Vec3& f = coil.frequencies[i];
              s += coil.amplitudes[i] *
                   std::polar(1.0, 2 * std::numbers::pi * (f[0] * r[0] + f[1] * r[1] + f[2] * r[2]));
            }
            sum += std::norm(s);
          }
          QVERIFY2(std::abs(std::sqrt(sum) - 1) < tolerance, qPrintable(QString("%1 coils").arg(count)));
        }
      }
  }

  void frontOfTheHeadIsUp() {
    const Image image = phantomImage(sheppLogan(2), {128, 128, 1});
    // the single ellipse in front of the centre has the value 0.3 inside, the back has two small
    // ones
    QVERIFY(std::abs(image.data[std::size_t((64 - 22) * 128 + 64)] - cfloat(0.3f)) < 1e-6f);
    QVERIFY(std::abs(image.data[std::size_t((64 + 30) * 128 + 64)] - cfloat(0.2f)) < 1e-6f);
  }
};

SPOKELAB_TEST(TestPhantom)

}  // namespace test_phantom

#include "test_phantom.moc"
