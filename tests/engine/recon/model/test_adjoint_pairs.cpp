// Every linear part of models and functionals has its adjoint: <A x, y> = <x, A^H y>. Normal
// operators of temporal bases are the products that they stand for. (test_rewriting has the rules
// of models; phases of shots and two sets of maps are in test_iterative and test_soft_sense.)
#include <QtTest>

#include <cmath>
#include <functional>

#include "engine/nufft/fft/lines_fft.h"
#include "engine/recon/functional/image_differences.h"
#include "engine/recon/functional/wavelets.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/recon/sense/dual/coil_samples.h"
#include "engine/recon/sense/sense_plan.h"
#include "engine/recon/sense/unknowns/frame_basis.h"
#include "engine/scan/simulate/random_numbers.h"
#include "tests/test_main.h"

namespace test_adjoint_pairs {

using namespace spokelab;

namespace {

using Space = HostSpace<double>;
using Vector = Buffer<cdouble>;
using Map = std::function<Vector(const Vector&)>;

Vector random(std::int64_t count, std::uint64_t seed) {
  Vector v;
  for (std::int64_t i = 0; i < count; ++i) v.push_back(complexNormal(seed, std::uint64_t(i)));
  return v;
}
Vector zeros(std::int64_t count) {
  return Vector(std::size_t(count), cdouble(0));
}

cdouble inner(const Vector& a, const Vector& b) {
  cdouble sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::conj(a[i]) * b[i];
  return sum;
}

// Largest distance between the two sides, relative, of some draws.
double adjointError(std::int64_t in, std::int64_t out, const Map& forward, const Map& adjoint) {
  double worst = 0;
  for (std::uint64_t seed = 1; seed < 5; ++seed) {
    const Vector x = random(in, 2 * seed), y = random(out, 2 * seed + 1);
    const Vector ax = forward(x), back = adjoint(y);
    const cdouble left = inner(ax, y), right = inner(x, back);
    const double size = std::sqrt(inner(ax, ax).real() * inner(y, y).real());
    worst = std::max(worst, size > 0 ? std::abs(left - right) / size : 1);
  }
  return worst;
}

constexpr std::int64_t side = 10, pixels = side * side, coils = 3;

// Random points, weights and maps.
SenseProblem smallProblem(std::int64_t batch) {
  constexpr std::int64_t samples = 70;
  SenseProblem p;
  p.matrix = {side, side, 1};
  for (std::uint64_t j = 0; j < samples; ++j) {
    const cdouble place = complexNormal(3, j);
    p.points.own().push_back(side * std::remainder(place.real(), 1.0));
    p.points.own().push_back(side * std::remainder(place.imag(), 1.0));
    p.weights.own().push_back(1 + 0.5 * std::cos(double(j)));
  }
  p.shotOffsets = {0, samples};
  p.coils.assign(coils, static_cast<const cdouble*>(nullptr));
  p.precision = Precision::double64;
  p.transform = TransformKind::nufft;
  p.batch = batch;
  p.nufft.accuracy = 1e-9;
  p.nufft.normal = NormalMethod::gridded;
  p.nufft.threads = 1;
  for (std::int64_t i = 0; i < coils * pixels; ++i)
    p.maps.push_back(cfloat(complexNormal(5, std::uint64_t(i))));
  return p;
}

// T_g of group g, Hermitian: the product of a random matrix with its adjoint.
class DenseNormal {
 public:
  explicit DenseNormal(std::int64_t each) : each_(each) {}

  void apply(std::int64_t group, const cdouble* in, cdouble* out) const {
    const Vector m = random(each_ * each_, 100 + std::uint64_t(group));
    Vector middle = zeros(each_);
    for (std::int64_t r = 0; r < each_; ++r)
      for (std::int64_t c = 0; c < each_; ++c)
        middle[std::size_t(r)] += m[std::size_t(r * each_ + c)] * in[c];
    std::fill_n(out, each_, cdouble(0));
    for (std::int64_t r = 0; r < each_; ++r)
      for (std::int64_t c = 0; c < each_; ++c)
        out[c] += std::conj(m[std::size_t(r * each_ + c)]) * middle[std::size_t(r)];
  }

 private:
  std::int64_t each_;
};

double apart(const Vector& a, const Vector& b) {
  double difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference += std::norm(a[i] - b[i]);
  return std::sqrt(difference / inner(b, b).real());
}

// Seven frames in three groups, of which the first has more frames than there are coefficients.
struct BasisCase {
  static constexpr std::int64_t each = 5, count = 3;
  const std::vector<std::int64_t> groups{0, 1, 0, 2, 0, 0, 1};
  std::vector<SenseProblem> frames;

  explicit BasisCase(bool real) : frames(groups.size()) {
    for (std::size_t t = 0; t < frames.size(); ++t)
      for (std::size_t k = 0; k < count; ++k) {
        const cdouble v = complexNormal(9, t * count + k);
        frames[t].basis.push_back(real ? cdouble(v.real()) : v);
      }
  }

  // sum_t B_t^H T_t B_t
  Vector plainNormal(const DenseNormal& normal, const Vector& x) const {
    Vector out = zeros(count * each);
    for (std::size_t t = 0; t < frames.size(); ++t) {
      Vector frame = zeros(each), product = zeros(each);
      for (std::size_t i = 0; i < count * each; ++i) frame[i % each] += frames[t].basis[i / each] * x[i];
      normal.apply(groups[t], frame.data(), product.data());
      for (std::size_t i = 0; i < count * each; ++i)
        out[i] += std::conj(frames[t].basis[i / each]) * product[i % each];
    }
    return out;
  }
};

}  // namespace

class TestAdjointPairs : public QObject {
  Q_OBJECT

 private slots:
  void differencesHaveTheirAdjoint_data() {
    QTest::addColumn<int>("nx");
    QTest::addColumn<int>("ny");
    QTest::addColumn<int>("nz");
    QTest::addColumn<int>("sets");
    QTest::newRow("plane") << 7 << 5 << 1 << 1;
    QTest::newRow("volume") << 5 << 4 << 3 << 1;
    QTest::newRow("row") << 9 << 1 << 1 << 1;
    QTest::newRow("two sets") << 6 << 5 << 1 << 2;
  }
  void differencesHaveTheirAdjoint() {
    QFETCH(int, nx);
    QFETCH(int, ny);
    QFETCH(int, nz);
    QFETCH(int, sets);
    Space space(2);
    ImageDifferences<Space> d(space, {nx, ny, nz}, nz > 1 ? 3 : 2, sets);
    const std::int64_t n = std::int64_t(nx) * ny * nz * sets;
    const auto forward = [&](const Vector& x) {
      Vector y = zeros(d.count());
      d.apply(x.data(), y.data());
      return y;
    };
    const auto adjoint = [&](const Vector& y) {
      Vector x = zeros(n);
      d.addAdjoint(1, y.data(), x.data());
      return x;
    };
    QVERIFY(adjointError(n, d.count(), forward, adjoint) < 1e-13);
    const Vector x = random(n, 3);
    Vector normal = zeros(n);
    d.addNormal(2.5, x.data(), normal.data());
    Vector product = adjoint(forward(x));
    for (cdouble& v : product) v *= 2.5;
    QVERIFY(apart(normal, product) < 1e-13);
  }

  void wavelets_data() {
    QTest::addColumn<int>("family");
    QTest::addColumn<int>("nz");
    for (const WaveletFamily family : {WaveletFamily::daubechies4, WaveletFamily::haar})
      for (const int nz : {1, 9}) QTest::addRow("family %d, %d planes", int(family), nz) << int(family) << nz;
  }
  void wavelets() {
    QFETCH(int, family);
    QFETCH(int, nz);
    Space space(1);
    const Index3 size{17, 16, nz};
    Wavelets<Space> w(space, size, nz > 1 ? 3 : 2, 1, false, false, WaveletFamily(family));
    const auto by = [&](void (Wavelets<Space>::*apply)(cdouble*)) {
      return [&w, apply](const Vector& x) {
        Vector y = x;
        (w.*apply)(y.data());
        return y;
      };
    };
    QVERIFY(adjointError(product(size), product(size), by(&Wavelets<Space>::forward),
                         by(&Wavelets<Space>::adjoint)) < 1e-12);
  }

  void boxTransforms() {
    const Index3 size{6, 5, 4};
    const BoxFft<double> minus(size, -1), plus(size, 1);
    const auto by = [](const BoxFft<double>& fft) {
      return [&fft](const Vector& x) {
        Vector y = x;
        fft.execute(y.data());
        return y;
      };
    };
    QVERIFY(adjointError(product(size), product(size), by(minus), by(plus)) < 1e-13);
  }

  void coilMaps_data() {
    QTest::addColumn<bool>("phased");
    QTest::newRow("maps") << false;
    QTest::newRow("maps and a phase") << true;
  }
  void coilMaps() {
    QFETCH(bool, phased);
    Space space(2);
    const Vector maps = random(coils * pixels, 7), phase = random(pixels, 8);
    const cdouble* const shot = phased ? phase.data() : nullptr;
    const auto forward = [&](const Vector& x) {
      Vector y = zeros(coils * pixels);
      space.expand(x.data(), maps.data(), shot, y.data(), coils, pixels);
      return y;
    };
    const auto adjoint = [&](const Vector& y) {
      Vector x = zeros(pixels);
      space.combine(y.data(), maps.data(), shot, x.data(), coils, pixels, false);
      return x;
    };
    QVERIFY(adjointError(pixels, coils * pixels, forward, adjoint) < 1e-13);
  }

  // E of all coils, W E, and E^H W; the batch of two leaves a place empty.
  void samplesOfAllCoils_data() {
    QTest::addColumn<int>("batch");
    for (const int batch : {1, 2, 3}) QTest::addRow("batches of %d", batch) << batch;
  }
  void samplesOfAllCoils() {
    QFETCH(int, batch);
    const SenseProblem problem = smallProblem(batch);
    const auto backend = makeCpuBackend();
    Space space(1);
    SensePlan<Space> plan;
    makeSensePlan(space, *backend, problem, plan, {});
    CoilSamples<Space> samples(space, *plan.op);
    const auto forward = [&](const Vector& x) {
      Vector y = zeros(samples.count());
      samples.forward(x.data(), y.data());
      samples.weigh(y.data());
      return y;
    };
    const auto adjoint = [&](const Vector& y) {
      Vector x = zeros(pixels);
      samples.adjoint(y.data(), x.data());
      return x;
    };
    const double error = adjointError(pixels, samples.count(), forward, adjoint);
    QVERIFY2(error < 1e-8, qPrintable(QString::number(error)));
  }

  void framesOfABasis() {
    Space space(1);
    const BasisCase c(false);
    FrameBasis<Space> basis(space, c.frames, BasisCase::each);
    const auto length = std::int64_t(c.frames.size()) * BasisCase::each;
    const auto forward = [&](const Vector& x) {
      Vector y = zeros(length);
      for (std::size_t i = 0; i < y.size(); ++i)
        for (std::size_t k = 0; k < BasisCase::count; ++k)
          y[i] += c.frames[i / BasisCase::each].basis[k] * x[k * BasisCase::each + i % BasisCase::each];
      return y;
    };
    const auto adjoint = [&](const Vector& y) {
      Vector x = zeros(BasisCase::count * BasisCase::each);
      for (std::size_t t = 0; t < c.frames.size(); ++t)
        basis.addAdjoint(t, y.data() + std::int64_t(t) * BasisCase::each, x.data());
      return x;
    };
    QVERIFY(adjointError(BasisCase::count * BasisCase::each, length, forward, adjoint) < 1e-13);
  }

  void normalOperatorsOfABasisAreTheirProducts() {
    Space space(1);
    const DenseNormal normal(BasisCase::each);
    const Vector x = random(BasisCase::count * BasisCase::each, 4);
    for (const bool real : {false, true}) {
      const BasisCase c(real);
      FrameBasis<Space> basis(space, c.frames, BasisCase::each);
      Vector made = zeros(std::int64_t(x.size()));
      basis.normal(
          c.groups,
          [&](std::int64_t group, const cdouble* in, cdouble* out) { normal.apply(group, in, out); },
          x.data(), made.data());
      QVERIFY(apart(made, c.plainNormal(normal, x)) < 1e-12);
      if (!real) continue;
      const auto pairs = basisPairs(BasisCase::count);
      basis.normalByKernels(
          [&](std::int64_t pair, const cdouble* in, cdouble* out) {
            const auto [i, j] = pairs[std::size_t(pair)];
            std::fill_n(out, BasisCase::each, cdouble(0));
            for (std::size_t t = 0; t < c.frames.size(); ++t) {
              Vector part = zeros(BasisCase::each);
              normal.apply(c.groups[t], in, part.data());
              const std::vector<cdouble>& phi = c.frames[t].basis;
              for (std::size_t n = 0; n < part.size(); ++n)
                out[n] += phi[std::size_t(i)] * phi[std::size_t(j)] * part[n];
            }
          },
          x.data(), made.data());
      QVERIFY(apart(made, c.plainNormal(normal, x)) < 1e-12);
    }
  }

  // The proximal map of lengths over components, by which all l1 norms shrink.
  void lengthsShrinkByTheFormula() {
    Space space(2);
    constexpr std::int64_t n = 40, components = 3;
    const Vector v = random(n * components, 6);
    Vector x = v;
    const double threshold = 1.2;
    space.shrink(threshold, x.data(), n, components);
    int zero = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      double square = 0;
      for (std::int64_t c = 0; c < components; ++c) square += std::norm(v[std::size_t(c * n + i)]);
      const double left = std::max(0.0, 1 - threshold / std::sqrt(square));
      zero += left == 0;
      for (std::int64_t c = 0; c < components; ++c)
        QVERIFY(std::abs(x[std::size_t(c * n + i)] - left * v[std::size_t(c * n + i)]) < 1e-14);
    }
    QVERIFY(zero > 0 && zero < n);
  }
};

SPOKELAB_TEST(TestAdjointPairs)

}  // namespace test_adjoint_pairs

#include "test_adjoint_pairs.moc"
