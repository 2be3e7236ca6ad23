// The proximal map of blocks' nuclear norms is what its definition says: against the formula of
// two frames, brute force over 2 x 2 matrices, firmly non-expansive at each place of the blocks.
#include <QtTest>

#include "engine/recon/functional/local_low_rank.h"
#include "tests/engine/recon/functional/proximal_checks.h"
#include "tests/test_main.h"

namespace test_local_low_rank {

using namespace spokelab;
using namespace spokelab::test;

namespace {

using Space = HostSpace<double>;

// Of a matrix of two columns a, b: its squared singular values have the sum |a|^2 + |b|^2, and the
// product |a|^2 |b|^2 - |<a, b>|^2, so that (s1 + s2)^2 is known.
double nuclearNorm(const Buffer<cdouble>& x) {
  const std::size_t n = x.size() / 2;
  double squares = 0, a = 0, b = 0;
  cdouble product = 0;
  for (std::size_t i = 0; i < n; ++i) {
    a += std::norm(x[i]);
    b += std::norm(x[n + i]);
    product += std::conj(x[i]) * x[n + i];
  }
  squares = a + b;
  return std::sqrt(squares + 2 * std::sqrt(std::max(0.0, a * b - std::norm(product))));
}

LocalLowRank<Space> wholeBlock(Space& space, const Index3& matrix, std::int64_t frames) {
  return {space, matrix, 2, frames, 1, 64, BlockPlaces::fixed, 2};
}

}  // namespace

class TestLocalLowRank : public QObject {
  Q_OBJECT

 private slots:
  // A block whose frames are multiples of one image has one singular value.
  void rankOneFollowsTheFormula() {
    Space space(2);
    for (const auto& [matrix, frames] : {std::pair{Index3{4, 3, 1}, 5}, std::pair{Index3{2, 1, 1}, 7}}) {
      const auto pixels = std::size_t(product(matrix));
      const Buffer<cdouble> image = randomValues(std::int64_t(pixels), 1), curve = randomValues(frames, 2);
      Buffer<cdouble> v(pixels * curve.size());
      for (std::size_t i = 0; i < v.size(); ++i) v[i] = image[i % pixels] * curve[i / pixels];
      const double singular = norm(image) * norm(curve), threshold = 0.3 * singular;
      Buffer<cdouble> x = v;
      const double told = wholeBlock(space, matrix, frames).prox(threshold, x.data());
      QVERIFY(std::abs(told - 0.7 * singular) < 1e-6 * singular);
      for (std::size_t i = 0; i < v.size(); ++i) QVERIFY(std::abs(x[i] - 0.7 * v[i]) < 1e-6);
      QVERIFY(wholeBlock(space, matrix, frames).prox(2 * singular, x.data()) == 0);
      QVERIFY(norm(x) == 0);
    }
  }

  void twoFramesMinimiseTheDefinition() {
    Space space(1);
    const double threshold = 0.8;
    for (unsigned seed = 0; seed < 4; ++seed) {
      const Buffer<cdouble> v = randomValues(2 * 6, seed);
      Buffer<cdouble> x = v;
      const double told = wholeBlock(space, {3, 2, 1}, 2).prox(threshold, x.data());
      QVERIFY(std::abs(told - nuclearNorm(x)) < 1e-7);
      verifyMinimum(x, 1e-9, [&](const Buffer<cdouble>& other) {
        const double d = distance(other, v);
        return d * d / 2 + threshold * nuclearNorm(other);
      });
    }
  }

  // All real 2 x 2 matrices of a lattice.
  void twoPixelsAgreeWithBruteForce() {
    Space space(1);
    const double threshold = 0.4, lattice = 0.05;
    Buffer<cdouble> v = randomValues(4, 11);
    for (cdouble& value : v) value = value.real();
    Buffer<cdouble> x = v, other(4);
    wholeBlock(space, {2, 1, 1}, 2).prox(threshold, x.data());
    const auto value = [&](const Buffer<cdouble>& m) {
      const double d = distance(m, v);
      return d * d / 2 + threshold * nuclearNorm(m);
    };
    double least = 1e9;
    std::array<int, 4> place{};
    const int most = 10;  // lattice points on each side of v
    for (place[0] = -most; place[0] <= most; ++place[0])
      for (place[1] = -most; place[1] <= most; ++place[1])
        for (place[2] = -most; place[2] <= most; ++place[2])
          for (place[3] = -most; place[3] <= most; ++place[3]) {
            for (std::size_t i = 0; i < 4; ++i) other[i] = v[i] + lattice * place[i];
            least = std::min(least, value(other));
          }
    QVERIFY(value(x) <= least + 1e-12);
    QVERIFY(least <= value(x) + 3 * lattice);
  }

  void blocksAreEachByThemselves_data() {
    QTest::addColumn<int>("dims");
    QTest::newRow("plane") << 2;
    QTest::newRow("volume") << 3;
  }
  // One value of a block changes all of the block, and nothing beside it; edges have smaller blocks.
  void blocksAreEachByThemselves() {
    QFETCH(int, dims);
    Space space(2);
    const Index3 matrix{7, 6, dims == 3 ? 5 : 1};
    const std::int64_t frames = 3, sets = 2, block = 4, pixels = product(matrix);
    const auto prox = [&](Buffer<cdouble> v) {
      LocalLowRank<Space>(space, matrix, dims, frames, sets, block, BlockPlaces::fixed, 2)
          .prox(0.5, v.data());
      return v;
    };
    const Buffer<cdouble> v = randomValues(frames * sets * pixels, 3);
    Buffer<cdouble> changed = v;
    changed[std::size_t(pixels + 5)] += 1;  // frame 0, set 1, pixel (5, 0, 0)
    const Buffer<cdouble> a = prox(v), b = prox(changed);
    int moved = 0;
    for (std::int64_t i = 0; i < std::int64_t(v.size()); ++i) {
      const std::int64_t p = i % pixels, x = p % 7, y = p / 7 % 6, z = p / 42;
      const bool inside = i / pixels % sets == 1 && x >= block && y < block && z < block;
      if (!inside) QCOMPARE(a[std::size_t(i)], b[std::size_t(i)]);
      if (inside && a[std::size_t(i)] != b[std::size_t(i)]) ++moved;
    }
    QCOMPARE(moved, int(frames * 3 * block * (dims == 3 ? block : 1)));
  }

  void theMapIsFirmlyNonExpansive_data() {
    QTest::addColumn<int>("places");
    for (const BlockPlaces places : {BlockPlaces::fixed, BlockPlaces::random, BlockPlaces::overlap})
      QTest::newRow(std::string(blockPlacesName(places)).c_str()) << int(places);
  }
  void theMapIsFirmlyNonExpansive() {
    QFETCH(int, places);
    Space space(2);
    verifyFirmlyNonExpansive(4 * 9 * 8, 1e-9, [&](cdouble* values) {
      LocalLowRank<Space>(space, {9, 8, 1}, 2, 4, 1, 4, BlockPlaces(places), 2).prox(1.5, values);
    });
  }

  void placesDifferAndSinglePrecisionAgrees() {
    const Index3 matrix{16, 16, 1};
    const Buffer<cdouble> v = randomValues(4 * product(matrix), 8);
    Buffer<cfloat> single(v.size());
    std::copy(v.begin(), v.end(), single.begin());
    Space space(2);
    HostSpace<float> floats(2);
    LocalLowRank<Space> random(space, matrix, 2, 4, 1, 8, BlockPlaces::random, 2);
    Buffer<cdouble> first = v, second = v, fixed = v;
    random.prox(2, first.data());
    random.prox(2, second.data());
    QVERIFY(distance(first, second) > 1e-2 * norm(v));
    const double told =
        LocalLowRank<Space>(space, matrix, 2, 4, 1, 8, BlockPlaces::fixed, 2).prox(2, fixed.data());
    const double toldSingle =
        LocalLowRank<HostSpace<float>>(floats, matrix, 2, 4, 1, 8, BlockPlaces::fixed, 2)
            .prox(2, single.data());
    QVERIFY(std::abs(told - toldSingle) < 1e-5 * told);
    for (std::size_t i = 0; i < v.size(); ++i) QVERIFY(std::abs(fixed[i] - cdouble(single[i])) < 1e-5);
  }
};

SPOKELAB_TEST(TestLocalLowRank)

}  // namespace test_local_low_rank

#include "test_local_low_rank.moc"
