// Kernels: shape, transform against quadrature of the shape itself, polynomials against the kernel.
#include <QtTest>

#include <cmath>
#include <numbers>

#include "engine/core/error.h"
#include "engine/core/stage_timer.h"
#include "engine/nufft/kernel/deapodization.h"
#include "engine/nufft/kernel/kernel.h"
#include "tests/test_main.h"

namespace test_kernel {

using namespace spokelab;

namespace {

struct Shape {
  KernelType type;
  double width, alpha;
};

const std::vector<Shape> shapes = [] {
  std::vector<Shape> all;
  for (const KernelType type :
       {KernelType::kaiserBessel, KernelType::semicircle, KernelType::prolate, KernelType::gaussian})
    for (const auto& [width, alpha] : {std::pair{2.1, 2.0},
                                       {3.0, 1.5},
                                       {4.02, 1.25},
                                       {5.984375, 1.125},
                                       {6.0, 2.5},
                                       {8.73, 1.25},
                                       {13.0, 2.0},
                                       {16.0, 1.5}})
      all.push_back({type, width, alpha});
  return all;
}();

// Simpson's rule over u = (W/2) sin(theta): an independent way to the transform.
double transformBySimpson(const Kernel& kernel, double xi) {
  constexpr int steps = 4000;
  const double pi = std::numbers::pi;
  double sum = 0;
  for (int i = 0; i <= steps; ++i) {
    const double theta = pi * (double(i) / steps - 0.5);
    const double u = 0.5 * kernel.width() * std::sin(theta);
    const double factor = i == 0 || i == steps ? 1 : i % 2 ? 4 : 2;
    sum += factor * kernel(u) * std::cos(2 * pi * xi * u) * 0.5 * kernel.width() * std::cos(theta);
  }
  return sum * pi / steps / 3;
}

}  // namespace

class TestKernel : public QObject {
  Q_OBJECT
 private slots:
  void isOneAtTheCentreEvenAndZeroBeyondItsEdge();
  void fallsFromTheCentreToTheEdge();
  void transformAgreesWithQuadrature();
  void transformIsSmoothWhereKaiserBesselChangesItsFormula();
  void prolateIsItsOwnTransform();
  void polynomialStaysWithinItsTolerance();
  void polynomialSumsToTheKernelAtEveryCell();
  void deapodizationInvertsTheTransform();
  void longImagesAreInterpolatedToRounding();
  void longImagesTakeNoLongerThanClosedForms();
  void isRefusedWhereItIsNotDefined();
};

void TestKernel::isOneAtTheCentreEvenAndZeroBeyondItsEdge() {
  for (const Shape& s : shapes) {
    const Kernel k(s.type, s.width, s.alpha);
    QVERIFY(std::abs(k(0) - 1) < 1e-14);
    for (double u : {0.3, 0.77, 0.99}) QCOMPARE(k(u * s.width / 2), k(-u * s.width / 2));
    QCOMPARE(k(s.width / 2 * (1 + 1e-12)), 0.0);
    QCOMPARE(k(-s.width / 2 * (1 + 1e-12)), 0.0);
    QVERIFY(k(s.width / 2 * (1 - 1e-12)) != 0);
    QCOMPARE(k.cells(), int(std::ceil(s.width)));
  }
}

void TestKernel::fallsFromTheCentreToTheEdge() {
  for (const Shape& s : shapes) {
    const Kernel k(s.type, s.width, s.alpha);
    double last = k(0);
    for (int i = 1; i <= 50; ++i) {
      const double v = k(0.5 * s.width * i / 50.0);
      QVERIFY(v < last && v > 0);
      last = v;
    }
  }
}

void TestKernel::transformAgreesWithQuadrature() {
  for (const Shape& s : shapes) {
    const Kernel k(s.type, s.width, s.alpha);
    const double centre = transformBySimpson(k, 0);
    for (double xi : {0.0, 0.1, 0.25, 0.5, 0.5 / s.alpha, 0.9, 1.3, 2.7, 6.4}) {
      const double error = std::abs(k.transform(xi) - transformBySimpson(k, xi)) / centre;
      QVERIFY2(error < 1e-13,
               qPrintable(QString("%1 W %2 xi %3: %4").arg(int(s.type)).arg(s.width).arg(xi).arg(error)));
    }
  }
}

// The transform of Kaiser-Bessel is a series at pi W xi = beta, sinh below and sin above.
void TestKernel::transformIsSmoothWhereKaiserBesselChangesItsFormula() {
  constexpr double maxWidth = 7;  // of wider kernels the quadrature cancels to fewer digits
  for (const Shape& s : shapes) {
    if (s.type != KernelType::kaiserBessel || s.width > maxWidth) continue;
    const Kernel k(s.type, s.width, s.alpha);
    const double change = k.beta() / (std::numbers::pi * s.width);
    // (beta - z) (beta + z) is +-1e-5 to +-9e-5 here: within the series.
    for (const double square : {-9e-5, -1e-5, 0.0, 1e-5, 9e-5}) {
      const double xi = change * (1 - square / (2 * k.beta() * k.beta()));
      const double exact = transformBySimpson(k, xi);
      const double error = std::abs(k.transform(xi) / exact - 1);
      QVERIFY2(error < 1e-8, qPrintable(QString("W %1, %2: %3").arg(s.width).arg(square).arg(error)));
    }
  }
}

// psi_0's eigenproperty: transform(xi) / transform(0) = psi_0(2 xi / (2 c / (pi W))) inside the
// band.
void TestKernel::prolateIsItsOwnTransform() {
  for (const Shape& s : shapes) {
    if (s.type != KernelType::prolate) continue;
    const Kernel k(s.type, s.width, s.alpha);
    const double band = k.beta() / (std::numbers::pi * s.width);  // cycles per cell
    for (double v : {0.1, 0.4, 0.8, 0.95})
      QVERIFY(std::abs(k.transform(v * band) / k.transform(0) - k(v * s.width / 2)) < 3e-14);
  }
}

void TestKernel::polynomialStaysWithinItsTolerance() {
  for (const Shape& s : shapes) {
    const Kernel k(s.type, s.width, s.alpha);
    for (double tolerance : {1e-2, 1e-4, 1e-7, 1e-12}) {
      const bool cusp = s.type == KernelType::semicircle;  // its slope is infinite at the edge
      if (cusp && tolerance < 0.3 * k(s.width / 2)) continue;
      const KernelPolynomial p = fitKernel(k, tolerance);
      QVERIFY(p.deviation <= tolerance);
      QCOMPARE(int(p.coefficient.size()), (p.degree + 1) * p.cells);
      // at places of our own, and with coefficients that single precision can carry
      double worst = 0, largest = 0;
      for (int j = 0; j < p.cells; ++j)
        for (int i = 0; i < 1000; ++i) {
          const double f = (i + 0.5) / 1000;
          const double u = f + j - s.width / 2;
          worst = std::max(worst, std::abs(p.value(j, f) - k(u)));
        }
      for (double c : p.coefficient) largest = std::max(largest, std::abs(c));
      QVERIFY2(worst <= (cusp ? 10 : 3) * tolerance, qPrintable(QString::number(worst)));
      QVERIFY2(largest < 3, qPrintable(QString::number(largest)));
    }
  }
}

void TestKernel::polynomialSumsToTheKernelAtEveryCell() {
  const Kernel k(KernelType::kaiserBessel, 4.4, 1.6);
  const KernelPolynomial p = fitKernel(k, 1e-9);
  QCOMPARE(p.cells, 5);
  QVERIFY(std::abs(p.edge - 0.4) < 1e-12);
  for (double x : {0.0, 0.13, 0.5, 0.79, 0.999}) {
    const double first = std::ceil(x - 2.2);
    const double f = first - (x - 2.2);
    for (int j = 0; j < p.cells; ++j) QVERIFY(std::abs(p.value(j, f) - k(first + j - x)) < 2e-9);
  }
  QCOMPARE(p.value(4, 0.41), 0.0);
}

// The quadrature is good to 1e-15 of the transform at 0; so is what is interpolated of it.
void TestKernel::longImagesAreInterpolatedToRounding() {
  constexpr std::int64_t n = 100'003, step = 17;
  for (const KernelType type : {KernelType::semicircle, KernelType::prolate, KernelType::gaussian})
    for (const double alpha : {1.1, 1.5, 2.0})
      for (const double width : {3.0, 8.7, 16.0}) {
        const Kernel k(type, width, alpha);
        const auto grid = std::int64_t(alpha * double(n));
        const std::vector<double> factor = deapodization(k, n, grid);
        double worst = 0;
        for (std::int64_t i = 0; i < n; i += i + step < n || i + 1 == n ? step : n - 1 - i) {
          const double exact = k.transform(double(i - n / 2) / double(grid));
          worst = std::max(worst, std::abs(1 / factor[std::size_t(i)] - exact) / k.transform(0));
        }
        QVERIFY2(worst < 4e-15, QByteArray::number(worst) + " " + QByteArray::number(width));
      }
}

// A sum of cosines for each pixel took 130 times as long: seconds of every plan of a long line.
void TestKernel::longImagesTakeNoLongerThanClosedForms() {
  constexpr std::int64_t n = 1 << 20, grid = 3 * n / 2;
  const auto secondsOf = [](KernelType type) {
    const Kernel k(type, 14, 1.5);
    double least = HUGE_VAL;
    for (int i = 0; i < 3; ++i) {
      const double start = now();
      deapodization(k, n, grid);
      least = std::min(least, now() - start);
    }
    return least;
  };
  const double closed = secondsOf(KernelType::kaiserBessel);
  for (const KernelType type : {KernelType::semicircle, KernelType::prolate}) {
    const double ratio = secondsOf(type) / closed;
    QVERIFY2(ratio < 15, QByteArray::number(ratio));
  }
}

void TestKernel::deapodizationInvertsTheTransform() {
  const Kernel k(KernelType::kaiserBessel, 5, 1.5);
  for (std::int64_t n : {1, 7, 8}) {
    const std::vector<double> factor = deapodization(k, n, 12);
    QCOMPARE(std::int64_t(factor.size()), n);
    for (std::int64_t i = 0; i < n; ++i)
      QVERIFY(std::abs(factor[std::size_t(i)] * k.transform(double(i - n / 2) / 12) - 1) < 1e-14);
  }
}

void TestKernel::isRefusedWhereItIsNotDefined() {
  QVERIFY(!Kernel::defined(KernelType::kaiserBessel, 1.1, 2));
  QVERIFY(Kernel::defined(KernelType::kaiserBessel, 0.895 * 2 / 1.5, 2));
  QVERIFY(Kernel::defined(KernelType::semicircle, 1.1, 2));
  QVERIFY(!Kernel::defined(KernelType::prolate, std::nan(""), 2));
  QVERIFY(!Kernel::defined(KernelType::prolate, 0, 2));
  QVERIFY(!Kernel::defined(KernelType::prolate, INFINITY, 2));
  QVERIFY(!Kernel::defined(KernelType::prolate, 4, INFINITY));
  QVERIFY(!Kernel::defined(KernelType::prolate, 4, 0.5));
  QVERIFY(Kernel::defined(KernelType::prolate, 4, 0.75));
  QVERIFY_EXCEPTION_THROWN(Kernel(KernelType::kaiserBessel, 1.5, 1.1), Error);
}

SPOKELAB_TEST(TestKernel)

}  // namespace test_kernel

#include "test_kernel.moc"
