// The loops of coil maps do what their header says, with each instruction set of this machine, in
// both precisions.
#include <QtTest>

#include <algorithm>
#include <cmath>

#include "engine/core/hermitian.h"
#include "engine/core/simd/cpu_features.h"
#include "engine/recon/coils/adaptive_combination.h"
#include "engine/recon/coils/kernels/coil_loops.h"
#include "engine/scan/simulate/random_numbers.h"
#include "tests/test_main.h"

namespace test_coil_loops {

using namespace spokelab;

namespace {

template <class Real>
std::vector<const CoilLoops<Real>*> allLoops() {
  constexpr bool single = sizeof(Real) == sizeof(float);
  std::vector<const CoilLoops<Real>*> loops;
  if constexpr (single)
    loops = {&coilLoopsFloatPortable};
  else
    loops = {&coilLoopsDoublePortable};
#ifdef SPOKELAB_X86_64
  const InstructionSet best = bestInstructionSet();
  if constexpr (single) {
    if (best >= InstructionSet::avx2) loops.push_back(&coilLoopsFloatAvx2);
    if (best >= InstructionSet::avx512) loops.push_back(&coilLoopsFloatAvx512);
  } else {
    if (best >= InstructionSet::avx2) loops.push_back(&coilLoopsDoubleAvx2);
    if (best >= InstructionSet::avx512) loops.push_back(&coilLoopsDoubleAvx512);
  }
#endif
  return loops;
}

template <class Real>
Buffer<Real> randomNumbers(std::size_t count, std::uint64_t seed) {
  Buffer<Real> numbers;
  for (std::size_t i = 0; i < count; ++i) numbers.push_back(Real(complexNormal(seed, i).real()));
  return numbers;
}

// Covariances of some vectors in each pixel of a tile, and the same of one pixel, dense.
template <class Real>
struct Tile {
  static constexpr int vectors = 3;
  int coils;
  std::vector<Buffer<Real>> values;
  Buffer<Real> matrices;

  Tile(const CoilLoops<Real>& loops, int n)
      : coils(n), matrices(std::size_t(2 * coilPairs(n) * pixelTile), Real(0)) {
    for (int i = 0; i < vectors; ++i) {
      values.push_back(randomNumbers<Real>(std::size_t(2 * n * pixelTile), std::uint64_t(i + 20)));
      if (i > 0)
        for (Real& v : values.back()) v *= Real(0.4);
      loops.addOuter(n, values.back().data(), matrices.data());
    }
  }
  cdouble value(int i, int coil, int pixel) const {
    const Real* v = values[std::size_t(i)].data() + 2 * coil * pixelTile + pixel;
    return {double(v[0]), double(v[pixelTile])};
  }
  std::vector<cdouble> dense(int pixel) const {
    std::vector<cdouble> m(std::size_t(coils * coils), 0.0);
    for (int i = 0; i < vectors; ++i)
      for (int a = 0; a < coils; ++a)
        for (int b = 0; b < coils; ++b)
          m[std::size_t(a * coils + b)] += value(i, a, pixel) * std::conj(value(i, b, pixel));
    return m;
  }
};

template <class Real>
void checkOuterAndLeading() {
  const double tolerance = sizeof(Real) == sizeof(float) ? 2e-4 : 1e-8;
  for (const CoilLoops<Real>* loops : allLoops<Real>())
    for (const int coils : {2, 5, 32}) {
      const Tile<Real> tile(*loops, coils);
      Buffer<Real> v = randomNumbers<Real>(std::size_t(2 * coils * pixelTile), 7), work(v.size());
      std::vector<Real> values(pixelTile);
      loops->leading(coils, {2000, 1e-10}, tile.matrices.data(), v.data(), values.data(), work.data());
      for (int pixel = 0; pixel < pixelTile; ++pixel) {
        const std::vector<cdouble> dense = tile.dense(pixel);
        for (int a = 0, pair = 0; a < coils; ++a)
          for (int b = 0; b <= a; ++b, ++pair) {
            const Real* m = tile.matrices.data() + 2 * pair * pixelTile + pixel;
            QVERIFY(std::abs(cdouble(double(m[0]), double(m[pixelTile])) -
                             dense[std::size_t(a * coils + b)]) < 1e-5);
          }
        const HermitianEigen eigen = hermitianEigen(dense, coils);
        QVERIFY(std::abs(double(values[std::size_t(pixel)]) / eigen.values[0] - 1) < tolerance);
        cdouble along = 0;
        double square = 0;
        for (int c = 0; c < coils; ++c) {
          const Real* p = v.data() + 2 * c * pixelTile + pixel;
          const cdouble part{double(p[0]), double(p[pixelTile])};
          along += std::conj(eigen.vectors[std::size_t(c)]) * part;
          square += std::norm(part);
        }
        QVERIFY(std::abs(square - 1) < 1e-5);
        QVERIFY2(1 - std::abs(along) < tolerance, QByteArray::number(1 - std::abs(along)));
      }
    }
}

template <class Real>
void checkSums() {
  for (const CoilLoops<Real>* loops : allLoops<Real>()) {
    // evaluate: 7 elements (a group, and three alone), 5 terms
    constexpr int pairs = 7, terms = 5;
    const auto re = randomNumbers<Real>(pairs * terms, 1), im = randomNumbers<Real>(pairs * terms, 2),
               phases = randomNumbers<Real>(terms * 2 * pixelTile, 3);
    Buffer<Real> out(pairs * 2 * pixelTile, Real(9));
    loops->evaluate(pairs, terms, re.data(), im.data(), phases.data(), out.data());
    for (int p = 0; p < pairs; ++p)
      for (int i = 0; i < pixelTile; ++i) {
        cdouble sum = 0;
        for (int t = 0; t < terms; ++t)
          sum += cdouble(double(re[std::size_t(p * terms + t)]), double(im[std::size_t(p * terms + t)])) *
                 cdouble(double(phases[std::size_t(2 * t * pixelTile + i)]),
                         double(phases[std::size_t((2 * t + 1) * pixelTile + i)]));
        const Real* m = out.data() + 2 * p * pixelTile + i;
        QVERIFY(std::abs(cdouble(double(m[0]), double(m[pixelTile])) - sum) < 1e-5);
      }
    // boxSum: the middle of three tiles
    constexpr int row = 3 * pixelTile;
    const auto line = randomNumbers<Real>(2 * row, 4);
    for (const int half : {0, 3, pixelTile}) {
      Buffer<Real> sums(2 * pixelTile, Real(9));
      loops->boxSum(2, row, pixelTile, half, line.data(), sums.data());
      for (int p = 0; p < 2; ++p)
        for (int i = 0; i < pixelTile; ++i) {
          double sum = 0;
          const int last = std::min(pixelTile + i + half, row - 1);
          for (int x = pixelTile + i - half; x <= last; ++x) sum += double(line[std::size_t(p * row + x)]);
          if (pixelTile + i + half < row)
            QVERIFY(std::abs(double(sums[std::size_t(p * pixelTile + i)]) - sum) < 1e-5);
        }
    }
    // panelProduct adds to what is there.
    constexpr int rows = 19;
    const auto a = randomNumbers<Real>(rows * 2 * panelWidth, 5),
               b = randomNumbers<Real>(rows * 2 * panelWidth, 6);
    Buffer<Real> c(2 * panelWidth * panelWidth, Real(1));
    loops->panelProduct(rows, a.data(), b.data(), c.data());
    for (int i = 0; i < panelWidth; ++i)
      for (int j = 0; j < panelWidth; ++j) {
        cdouble sum(1, 1);
        for (int r = 0; r < rows; ++r) {
          const Real *x = a.data() + 2 * r * panelWidth + i, *y = b.data() + 2 * r * panelWidth + j;
          sum += std::conj(cdouble(double(x[0]), double(x[panelWidth]))) *
                 cdouble(double(y[0]), double(y[panelWidth]));
        }
        const Real* m = c.data() + 2 * i * panelWidth + j;
        QVERIFY(std::abs(cdouble(double(m[0]), double(m[panelWidth])) - sum) < 1e-4);
      }
  }
}

// The matched filter of one pixel by plain sums, for a block cut at the edges.
cdouble plainCombination(const Buffer<cdouble>& images, int coils, const Index3& size, std::int64_t half,
                         const Index3& at) {
  const auto n = std::size_t(coils);
  const auto pixels = std::size_t(product(size));
  const auto covariance = [&](const Index3& low, const Index3& high) {
    std::vector<cdouble> r(n * n, 0.0);
    for (std::int64_t z = low[2]; z <= high[2]; ++z)
      for (std::int64_t y = low[1]; y <= high[1]; ++y)
        for (std::int64_t x = low[0]; x <= high[0]; ++x) {
          const auto p = std::size_t((z * size[1] + y) * size[0] + x);
          for (std::size_t a = 0; a < n; ++a)
            for (std::size_t b = 0; b < n; ++b)
              r[a * n + b] += images[a * pixels + p] * std::conj(images[b * pixels + p]);
        }
    return hermitianEigen(r, coils).vectors;
  };
  Index3 low, high, last;
  for (std::size_t d = 0; d < 3; ++d) {
    low[d] = std::max<std::int64_t>(0, at[d] - half);
    high[d] = std::min(size[d] - 1, at[d] + half);
    last[d] = size[d] - 1;
  }
  const std::vector<cdouble> whole = covariance({0, 0, 0}, last), v = covariance(low, high);
  cdouble seen = 0, sum = 0, turn = 0;
  for (std::size_t c = 0; c < n; ++c) turn += whole[c];
  for (std::size_t c = 0; c < n; ++c) {
    seen += std::conj(whole[c] * std::conj(turn) / std::abs(turn)) * v[c];
    sum += std::conj(v[c]) * images[c * pixels + std::size_t((at[2] * size[1] + at[1]) * size[0] + at[0])];
  }
  return sum * seen / std::abs(seen);
}

}  // namespace

class TestCoilLoops : public QObject {
  Q_OBJECT

 private slots:
  void leadingVectorsAreThoseOfDenseMatrices() {
    checkOuterAndLeading<float>();
    checkOuterAndLeading<double>();
  }

  void sumsAreThoseOfTheHeader() {
    checkSums<float>();
    checkSums<double>();
  }

  void aZeroMatrixKeepsTheStart() {
    for (const CoilLoops<float>* loops : allLoops<float>()) {
      constexpr int coils = 3;
      const Buffer<float> zero(2 * coilPairs(coils) * pixelTile, 0.0F);
      const Buffer<float> start = randomNumbers<float>(2 * coils * pixelTile, 8);
      Buffer<float> v = start, work(v.size());
      std::vector<float> values(pixelTile, 5.0F);
      loops->leading(coils, {10, 1e-5}, zero.data(), v.data(), values.data(), work.data());
      QVERIFY(v == start);
      QVERIFY(std::all_of(values.begin(), values.end(), [](float x) { return x == 0; }));
    }
  }

  // A smooth object and some noise; rows that are no whole number of tiles, blocks wider than one.
  void adaptiveCombinationIsThatOfPlainSums_data() {
    QTest::addColumn<int>("block");
    QTest::addColumn<int>("depth");
    QTest::newRow("2-D, 5") << 5 << 1;
    QTest::newRow("2-D, 41") << 41 << 1;
    QTest::newRow("3-D, 3") << 3 << 4;
  }

  void adaptiveCombinationIsThatOfPlainSums() {
    QFETCH(int, block);
    QFETCH(int, depth);
    constexpr int coils = 4;
    const Index3 size{53, 9, depth};
    Buffer<cdouble> images;
    for (int c = 0; c < coils; ++c)
      for (std::int64_t i = 0; i < product(size); ++i) {
        const double x = double(i % 53) / 53, y = double(i / 53 % 9) / 9;
        images.push_back(1e-22 * (std::polar(1 + x * c, 3 * x + c * y) +
                                  0.02 * complexNormal(std::uint64_t(c), std::uint64_t(i))));
      }
    Buffer<cfloat> singles(images.begin(), images.end());
    Buffer<cdouble> out(std::size_t(product(size)));
    Buffer<cfloat> single(out.size());
    combineAdaptively(images.data(), coils, size, block, 0, out.data(), {});
    combineAdaptively(singles.data(), coils, size, block, 0, single.data(), {});
    for (std::int64_t i = 0; i < product(size); i += 3) {
      const cdouble exact =
          plainCombination(images, coils, size, block / 2, {i % 53, i / 53 % 9, i / 53 / 9});
      const auto p = std::size_t(i);
      QVERIFY2(std::abs(out[p] - exact) < 2e-4 * std::abs(exact),
               QByteArray::number(std::abs(out[p] / exact - 1.0)));
      QVERIFY(std::abs(cdouble(single[p]) - exact) < 5e-4 * std::abs(exact));
    }
  }
};

SPOKELAB_TEST(TestCoilLoops)

}  // namespace test_coil_loops

#include "test_coil_loops.moc"
