// Gdft and GdftR2: their sums, their sign, their adjoints, their gradients, and what they refuse.
#include <QtTest>
#include <cmath>
#include <numbers>
#include <random>
#include <stop_token>

#include "engine/core/error.h"
#include "engine/recon/field/field_gradient.h"
#include "engine/recon/field/gdft/gdft.h"
#include "engine/recon/field/gdft/gdft_direct.h"
#include "tests/test_main.h"

using namespace spokelab;

namespace {

constexpr double pi = std::numbers::pi;

enum class Kind { plain, sinc, sincWithField, decay };

struct Setting {
  int dims = 2;
  Index3 matrix{1, 1, 1};
  bool givenCoordinates = false;
  double largestPhase = 0;  // of field times time, radians
  Kind kind = Kind::plain;
};

GdftProblem randomProblem(const Setting& setting, std::int64_t samples, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> u(-1, 1);
  GdftProblem p;
  p.dims = setting.dims;
  p.matrix = setting.matrix;
  const std::int64_t pixels = product(setting.matrix);
  for (std::int64_t j = 0; j < samples; ++j)
    for (int d = 0; d < p.dims; ++d) p.points.push_back(u(random) * double(p.matrix[std::size_t(d)]) / 2);
  if (setting.givenCoordinates)
    for (std::int64_t i = 0; i < pixels * p.dims; ++i) p.coordinates.push_back(u(random) / 2);
  constexpr double longest = 0.05;  // s
  for (std::int64_t j = 0; j < samples; ++j) p.times.push_back(longest * (0.5 + 0.5 * u(random)));
  if (setting.largestPhase > 0)
    for (std::int64_t i = 0; i < pixels; ++i) p.field.push_back(setting.largestPhase / longest * u(random));
  if (setting.kind == Kind::decay)
    for (std::int64_t i = 0; i < pixels; ++i) p.decay.push_back(40 * (1 + u(random)));
  p.intravoxel = setting.kind == Kind::sinc || setting.kind == Kind::sincWithField;
  if (setting.kind == Kind::sincWithField)
    for (std::int64_t i = 0; i < pixels * p.dims; ++i) p.gradient.push_back(60 * u(random));  // to 3 cycles
  return p;
}

std::vector<cdouble> normalData(std::int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> g;
  std::vector<cdouble> data(static_cast<std::size_t>(count));
  for (cdouble& v : data) v = {g(random), g(random)};
  return data;
}

template <class Real>
std::vector<std::complex<Real>> converted(const std::vector<cdouble>& in) {
  return {in.begin(), in.end()};
}

template <class A, class B>
double relativeDifference(const std::vector<A>& a, const std::vector<B>& b) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += std::norm(cdouble(a[i]) - cdouble(b[i]));
    norm += std::norm(cdouble(b[i]));
  }
  return std::sqrt(difference / norm);
}

template <class A, class B>
cdouble inner(const std::vector<A>& a, const std::vector<B>& b) {
  cdouble sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::conj(cdouble(a[i])) * cdouble(b[i]);
  return sum;
}

template <class Real>
double forwardError(const GdftProblem& p, const std::vector<cdouble>& image) {
  const auto transform = makeCpuGdft<Real>(p);
  std::vector<std::complex<Real>> samples(std::size_t(p.samples()));
  transform->forward(converted<Real>(image).data(), samples.data(), 1);
  return relativeDifference(samples, gdftDirect(p, image));
}

template <class Real>
double adjointError(const GdftProblem& p) {
  const auto transform = makeCpuGdft<Real>(p);
  const auto x = converted<Real>(normalData(p.pixels(), 5));
  const auto y = converted<Real>(normalData(p.samples(), 6));
  std::vector<std::complex<Real>> ax(y.size()), aty(x.size());
  transform->forward(x.data(), ax.data(), 1);
  transform->adjoint(y.data(), aty.data(), 1);
  double norm = 0;
  for (const auto& v : ax) norm += std::norm(cdouble(v));
  double other = 0;
  for (const auto& v : y) other += std::norm(cdouble(v));
  return std::abs(inner(y, ax) - inner(aty, x)) / std::sqrt(norm * other);
}

void settings() {
  QTest::addColumn<int>("dims");
  QTest::addColumn<int>("nx");
  QTest::addColumn<int>("ny");
  QTest::addColumn<int>("nz");
  QTest::addColumn<bool>("given");
  QTest::addColumn<double>("phase");
  QTest::addColumn<int>("kind");
  const auto row = [](const char* name, int dims, int nx, int ny, int nz, bool given, double phase,
                      Kind kind) {
    QTest::newRow(name) << dims << nx << ny << nz << given << phase << int(kind);
  };
  row("2-D grid, small field", 2, 37, 24, 1, false, 30, Kind::plain);
  row("2-D grid, thousands of radians", 2, 40, 31, 1, false, 4000, Kind::plain);
  row("3-D grid, no field", 3, 17, 12, 6, false, 0, Kind::plain);
  row("1-D grid, longer than one partial sum", 1, 1100, 1, 1, false, 100, Kind::plain);
  row("3-D given coordinates, thousands of radians", 3, 10, 11, 9, true, 3000, Kind::plain);
  row("2-D grid, sinc without field", 2, 33, 20, 1, false, 0, Kind::sinc);
  row("3-D grid, sinc with field and gradients", 3, 12, 10, 8, false, 2000, Kind::sincWithField);
  row("2-D given coordinates, sinc with gradients", 2, 30, 20, 1, true, 300, Kind::sincWithField);
  row("2-D grid, decay", 2, 30, 21, 1, false, 500, Kind::decay);
}

Setting settingOfRow() {
  QFETCH(int, dims);
  QFETCH(int, nx);
  QFETCH(int, ny);
  QFETCH(int, nz);
  QFETCH(bool, given);
  QFETCH(double, phase);
  QFETCH(int, kind);
  return {dims, {nx, ny, nz}, given, phase, Kind(kind)};
}

}  // namespace

class TestGdft : public QObject {
  Q_OBJECT

 private slots:
  void equalsThePlainDoubleSum_data() { settings(); }
  void equalsThePlainDoubleSum() {
    const GdftProblem p = randomProblem(settingOfRow(), 333, 1);
    const auto image = normalData(p.pixels(), 2);
    const double inFloat = forwardError<float>(p, image), inDouble = forwardError<double>(p, image);
    QVERIFY2(inFloat < 1e-5, QByteArray::number(inFloat));
    QVERIFY2(inDouble < 1e-11, QByteArray::number(inDouble));
  }

  void adjointIsTheConjugateTranspose_data() { settings(); }
  void adjointIsTheConjugateTranspose() {
    const GdftProblem p = randomProblem(settingOfRow(), 1400, 3);
    const double inFloat = adjointError<float>(p), inDouble = adjointError<double>(p);
    QVERIFY2(inFloat < 1e-6, QByteArray::number(inFloat));
    QVERIFY2(inDouble < 1e-12, QByteArray::number(inDouble));
  }

  // In single precision a sum of a million equal terms, added one after the other, is off by 5e-3.
  void millionEqualTermsKeepTheirDigits_data() {
    QTest::addColumn<bool>("given");
    QTest::newRow("grid") << false;
    QTest::newRow("given coordinates") << true;
  }
  void millionEqualTermsKeepTheirDigits() {
    QFETCH(bool, given);
    constexpr std::int64_t million = 1000000;
    constexpr double accuracy = 3e-6;
    const cdouble value(0.7F, -0.3F);
    GdftProblem p = randomProblem({2, {6, 5, 1}, given, 3}, 1, 7);
    std::vector<cdouble> exact;
    for (std::int64_t i = 0; i < p.pixels(); ++i) {
      std::vector<cdouble> pixel(std::size_t(p.pixels()));
      pixel[std::size_t(i)] = 1;
      exact.push_back(double(million) * value * std::conj(gdftDirect(p, pixel).front()));
    }
    const std::vector<double> point = p.points;
    p.times.resize(std::size_t(million), p.times.front());
    p.points.clear();
    for (std::int64_t j = 0; j < million; ++j) p.points.insert(p.points.end(), point.begin(), point.end());
    std::vector<cfloat> image(exact.size());
    makeCpuGdft<float>(p)->adjoint(std::vector<cfloat>(std::size_t(million), cfloat(value)).data(),
                                   image.data(), 1);
    const double adjoint = relativeDifference(image, exact);
    QVERIFY2(adjoint < accuracy, qPrintable(QString::number(adjoint)));

    GdftProblem wide;
    wide.matrix = {1000, 1000, 1};
    wide.points = {0, 0};
    if (given) wide.coordinates.resize(std::size_t(2 * million), 0.1);
    std::vector<cfloat> sample(1);
    makeCpuGdft<float>(wide)->forward(std::vector<cfloat>(std::size_t(million), cfloat(value)).data(),
                                      sample.data(), 1);
    const double forward = relativeDifference(sample, std::vector<cdouble>{double(million) * value});
    QVERIFY2(forward < accuracy, qPrintable(QString::number(forward)));
  }

  // One pixel at n = (2, -1) of an 8 x 6 image, off resonance by 100 rad/s:
  // s(k, t) = e^{-i (2 pi k.r + 100 t)}.
  void oneOffResonantPixelTurnsAsTheFormulaSays() {
    GdftProblem p;
    p.dims = 2;
    p.matrix = {8, 6, 1};
    p.points = {1, 0, 0, 1, 0, 0};
    p.times = {0, 0, 0.005};
    p.field.assign(48, 0);
    const std::size_t pixel = 2 * 8 + 6;  // y = -1 + 3, x = 2 + 4
    p.field[pixel] = 100;
    std::vector<cfloat> image(48), samples(3);
    image[pixel] = 1;
    makeCpuGdft<float>(p)->forward(image.data(), samples.data(), 1);
    const cdouble expected[] = {std::polar(1.0, -2 * pi * 2 / 8), std::polar(1.0, 2 * pi / 6),
                                std::polar(1.0, -0.5)};
    for (std::size_t j = 0; j < 3; ++j) QVERIFY(std::abs(cdouble(samples[j]) - expected[j]) < 1e-6);
  }

  void withoutFieldTheVoxelSincIsASeparableFactor() {
    GdftProblem p = randomProblem({2, {16, 12, 1}, false, 0, Kind::plain}, 50, 9);
    const auto image = normalData(p.pixels(), 10);
    const auto plain = gdftDirect(p, image);
    p.intravoxel = true;
    std::vector<cdouble> samples(50);
    makeCpuGdft<double>(p)->forward(image.data(), samples.data(), 1);
    for (std::size_t j = 0; j < 50; ++j) {
      const double x = p.points[2 * j] / 16, y = p.points[2 * j + 1] / 12;
      const double factor = std::sin(pi * x) * std::sin(pi * y) / (pi * pi * x * y);
      QVERIFY(std::abs(samples[j] - plain[j] * factor) < 1e-10);
    }
  }

  // A field that rises by 2 pi 5 rad/s a voxel along y: 5 cycles/s per voxel, at the edges as well.
  void physicalGradientIsInCyclesPerVoxel() {
    const Index3 n{7, 5, 2};
    std::vector<double> field(70);
    for (std::size_t i = 0; i < 70; ++i) field[i] = 2 * pi * 5 * double(i / 7 % 5);
    const auto g = fieldGradient(field, n, 3);
    for (std::size_t i = 0; i < 70; ++i) {
      QVERIFY(std::abs(g[i]) < 1e-12);
      QVERIFY(std::abs(g[70 + i] - 5) < 1e-12);
      QVERIFY(std::abs(g[140 + i]) < 1e-12);
    }
  }

  void powerGridGradientIsUnhalvedInRadiansAndWraps() {
    const Index3 n{4, 3, 1};
    std::vector<double> field(12);
    for (std::size_t i = 0; i < 12; ++i) field[i] = double(i * i);
    const auto g = fieldGradient(field, n, 2, GradientMode::powerGrid2020);
    QCOMPARE(g[0], 1.0);              // first: one-sided
    QCOMPARE(g[4], 25.0 - 9.0);       // second row's first pixel: from the first row's last
    QCOMPARE(g[12 + 5], 64.0 - 4.0);  // y: three pixels on (N_y), not four
    const auto physical = fieldGradient(field, n, 2);
    QVERIFY(std::abs(g[5] / physical[5] - 4 * pi) < 1e-12);
  }

  void normalIsAdjointOfWeightedForward() {
    const GdftProblem p = randomProblem({2, {20, 18, 1}, false, 50, Kind::plain}, 300, 4);
    const auto transform = makeCpuGdft<double>(p);
    std::vector<double> weights(300);
    for (std::size_t j = 0; j < 300; ++j) weights[j] = 0.5 + double(j % 7);
    const auto x = normalData(p.pixels(), 8);
    std::vector<cdouble> y(300), expected(x.size()), normal(x.size());
    transform->forward(x.data(), y.data(), 1);
    for (std::size_t j = 0; j < 300; ++j) y[j] *= weights[j];
    transform->adjoint(y.data(), expected.data(), 1);
    transform->setWeights(weights);
    transform->normal(x.data(), normal.data(), 1);
    QVERIFY(relativeDifference(normal, expected) < 1e-14);
  }

  void whatCannotBeIsRefused() {
    const GdftProblem good = randomProblem({2, {8, 8, 1}, false, 50, Kind::plain}, 20, 4);
    GdftProblem bad = good;
    bad.field[3] = std::nan("");
    QVERIFY_EXCEPTION_THROWN(makeCpuGdft<float>(bad), Error);
    bad = good;
    bad.field.pop_back();
    QVERIFY_EXCEPTION_THROWN(makeCpuGdft<float>(bad), Error);
    bad = good;
    bad.times.clear();
    QVERIFY_EXCEPTION_THROWN(makeCpuGdft<float>(bad), Error);
    bad = good;
    bad.times.pop_back();
    QVERIFY_EXCEPTION_THROWN(makeCpuGdft<float>(bad), Error);
  }

  void aCancelUnwinds() {
    const GdftProblem p = randomProblem({2, {32, 32, 1}, false, 50, Kind::plain}, 100, 4);
    std::vector<cfloat> image(1024), samples(100);
    std::stop_source stop;
    stop.request_stop();
    bool cancelled = false;
    try {
      makeCpuGdft<float>(p)->forward(image.data(), samples.data(), 1, {}, Progress(stop.get_token()));
    } catch (const Cancelled&) {
      cancelled = true;
    }
    QVERIFY(cancelled);
  }
};

SPOKELAB_TEST(TestGdft)
#include "test_gdft.moc"
