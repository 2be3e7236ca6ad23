// The wavelet transform is orthogonal for every size, and its proximal map is what its definition
// says: firmly non-expansive, and no better image is near.
#include <QtTest>

#include "engine/recon/functional/wavelets.h"
#include "tests/engine/recon/functional/proximal_checks.h"
#include "tests/test_main.h"

namespace test_wavelets {

using namespace spokelab;
using namespace spokelab::test;

class TestWavelets : public QObject {
  Q_OBJECT

 private slots:
  void theTransformIsOrthogonal_data() {
    QTest::addColumn<int>("x");
    QTest::addColumn<int>("y");
    QTest::addColumn<int>("z");
    QTest::addColumn<int>("dims");
    QTest::newRow("square") << 64 << 64 << 1 << 2;
    QTest::newRow("odd") << 61 << 47 << 1 << 2;
    QTest::newRow("narrow") << 9 << 70 << 1 << 2;
    QTest::newRow("too small to divide") << 5 << 7 << 1 << 2;
    QTest::newRow("volume") << 24 << 17 << 15 << 3;
    QTest::newRow("few slices") << 32 << 30 << 3 << 3;
  }
  void theTransformIsOrthogonal() {
    QFETCH(int, x);
    QFETCH(int, y);
    QFETCH(int, z);
    QFETCH(int, dims);
    const Index3 size{x, y, z};
    HostSpace<double> space(2);
    for (const auto& [shifted, family] :
         {std::pair(false, WaveletFamily::daubechies4), std::pair(true, WaveletFamily::daubechies4),
          std::pair(false, WaveletFamily::haar), std::pair(true, WaveletFamily::haar)}) {
      Wavelets<HostSpace<double>> wavelets(space, size, dims, 1, shifted, false, family);
      Buffer<cdouble> one = randomValues(product(size), 1);
      if (shifted) wavelets.prox(1e-12, one.data());  // draws a shift
      const Buffer<cdouble> a = one, b = randomValues(product(size), 2);
      Buffer<cdouble> forward = a, adjoint = b;
      wavelets.forward(forward.data());
      wavelets.adjoint(adjoint.data());
      QVERIFY(std::abs(inner(forward, b) - inner(a, adjoint)) < 1e-10 * norm(a) * norm(b));
      QVERIFY(std::abs(norm(forward) - norm(a)) < 1e-10 * norm(a));
      wavelets.adjoint(forward.data());
      QVERIFY(distance(forward, a) < 1e-10 * norm(a));
    }
  }

  // A polynomial below the fourth degree has no details, but where the axis closes on itself.
  void polynomialsOfTheThirdDegreeHaveNoDetails() {
    constexpr std::int64_t length = 64;
    HostSpace<double> space(1);
    Buffer<cdouble> line(std::size_t{length});
    for (std::int64_t i = 0; i < length; ++i) {
      const double t = double(i) / length;
      line[std::size_t(i)] = {1 + t - 3 * t * t + 2 * t * t * t, t * t};
    }
    Buffer<cdouble> room(line.size());
    waveletPass(space, {{length, 1, 1}, {length, 1, 1}, 0}, line.data(), room.data());
    for (std::int64_t k = 0; k + waveletTaps / 2 <= length / 2; ++k)
      QVERIFY(std::abs(line[std::size_t(length / 2 + k)]) < 1e-9);
    QVERIFY(std::abs(line[std::size_t(length - 1)]) > 1e-3);
  }

  // Sums and differences of pairs, over sqrt(2), down to one pixel.
  void haarWaveletsAreSteps() {
    HostSpace<double> space(1);
    Wavelets<HostSpace<double>> wavelets(space, {4, 1, 1}, 1, 1, false, false, WaveletFamily::haar);
    Buffer<cdouble> line{cdouble(1), cdouble(3), cdouble(0, 2), cdouble(6)};
    wavelets.forward(line.data());
    const Buffer<cdouble> expected{cdouble(5, 1), cdouble(-1, -1), cdouble(-std::sqrt(2.0)),
                                   cdouble(-6, 2) / std::sqrt(2.0)};
    QVERIFY2(distance(line, expected) < 1e-12, qPrintable(QString::number(distance(line, expected))));
    Buffer<cdouble> flat(64, 2.0);
    Wavelets<HostSpace<double>>(space, {8, 8, 1}, 2, 1, false, false, WaveletFamily::haar)
        .forward(flat.data());
    QVERIFY(std::abs(flat.front() - 16.0) < 1e-12);
    flat.front() = 0;
    QVERIFY(norm(flat) < 1e-12);
  }

  void aPassTurnsItsBox() {
    constexpr std::int64_t length = 22, turn = 5;
    HostSpace<double> space(1);
    const Buffer<cdouble> line = randomValues(length, 3);
    Buffer<cdouble> turned(line.size()), given = line, room(line.size());
    for (std::int64_t i = 0; i < length; ++i) turned[std::size_t(i)] = line[std::size_t((i + turn) % length)];
    const WaveletPass plain{{length, 1, 1}, {length, 1, 1}, 0};
    WaveletPass shifted = plain;
    shifted.shift = turn;
    waveletPass(space, plain, turned.data(), room.data());
    waveletPass(space, shifted, given.data(), room.data());
    QVERIFY(distance(turned, given) < 1e-12);
  }

  void theProximalMapIsFirmlyNonExpansive() {
    const Index3 size{20, 23, 1};
    HostSpace<double> space(2);
    Wavelets<HostSpace<double>> wavelets(space, size, 2, 1, false);
    verifyFirmlyNonExpansive(product(size), 1e-9, [&](cdouble* values) { wavelets.prox(0.7, values); });
  }

  void theProximalMapMinimisesItsDefinition() {
    const Index3 size{16, 15, 1};
    const double threshold = 0.5;
    HostSpace<double> space(2);
    Wavelets<HostSpace<double>> wavelets(space, size, 2, 1, false);
    const Buffer<cdouble> v = randomValues(product(size), 5);
    Buffer<cdouble> x = v;
    const double told = wavelets.prox(threshold, x.data());
    const auto value = [&](const Buffer<cdouble>& image) {
      Buffer<cdouble> c = image;
      wavelets.forward(c.data());
      double sum = 0;
      for (const cdouble& q : c) sum += std::abs(q);
      return sum;
    };
    QVERIFY(std::abs(told - value(x)) < 1e-8 * told);
    verifyMinimum(x, 1e-9, [&](const Buffer<cdouble>& image) {
      const double d = distance(image, v);
      return d * d / 2 + threshold * value(image);
    });
  }

  void setsAreTransformedEachByItself() {
    const Index3 size{16, 16, 1};
    HostSpace<float> space(2);
    const Buffer<cdouble> v = randomValues(2 * product(size), 6);
    Buffer<cfloat> both(v.size());
    std::copy(v.begin(), v.end(), both.begin());
    Buffer<cfloat> second(both.begin() + product(size), both.end());
    const double two = Wavelets<HostSpace<float>>(space, size, 2, 2, false).prox(0.3, both.data());
    const double one = Wavelets<HostSpace<float>>(space, size, 2, 1, false).prox(0.3, second.data());
    QVERIFY(one < two);
    QVERIFY(std::equal(second.begin(), second.end(), both.begin() + product(size)));
  }

  void jointImagesMinimiseTheirDefinition() {
    const Index3 size{16, 14, 1};
    const double threshold = 0.9;
    const std::int64_t pixels = product(size);
    HostSpace<double> space(2);
    Wavelets<HostSpace<double>> joint(space, size, 2, 3, false, true), alone(space, size, 2, 1, false);
    const Buffer<cdouble> v = randomValues(3 * pixels, 9);
    Buffer<cdouble> x = v;
    const double told = joint.prox(threshold, x.data());
    const auto value = [&](Buffer<cdouble> images) {
      for (int s = 0; s < 3; ++s) alone.forward(images.data() + s * pixels);
      double sum = 0;
      for (std::size_t i = 0; i < std::size_t(pixels); ++i)
        sum += std::sqrt(std::norm(images[i]) + std::norm(images[i + std::size_t(pixels)]) +
                         std::norm(images[i + 2 * std::size_t(pixels)]));
      return sum;
    };
    QVERIFY(std::abs(told - value(x)) < 1e-8 * told);
    verifyMinimum(x, 1e-9, [&](const Buffer<cdouble>& images) {
      const double d = distance(images, v);
      return d * d / 2 + threshold * value(images);
    });
    verifyFirmlyNonExpansive(3 * pixels, 1e-9, [&](cdouble* values) { joint.prox(threshold, values); });
  }

  void randomShiftsCanBeRepeatedAndDiffer() {
    const Index3 size{32, 32, 1};
    HostSpace<double> space(2);
    const Buffer<cdouble> v = randomValues(product(size), 7);
    Wavelets<HostSpace<double>> first(space, size, 2, 1, true), second(space, size, 2, 1, true);
    Buffer<cdouble> a = v, b = v;
    first.prox(0.3, a.data());
    second.prox(0.3, b.data());
    QVERIFY(distance(a, b) == 0);
    // Shifts that differ by whole blocks of the coarsest level change nothing.
    double farthest = 0;
    for (int draw = 0; draw < 8; ++draw) {
      Buffer<cdouble> c = v;
      second.prox(0.3, c.data());
      farthest = std::max(farthest, distance(a, c));
    }
    QVERIFY(farthest > 1e-2 * norm(a));
  }
};

SPOKELAB_TEST(TestWavelets)

}  // namespace test_wavelets

#include "test_wavelets.moc"
