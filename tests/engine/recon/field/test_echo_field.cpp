// The field from images of echoes: against the field that they were made with, with phases that wrap
// in space and in time, noise, and parts that touch nowhere.
#include <QtTest>

#include <cmath>
#include <numbers>

#include "engine/core/error.h"
#include "engine/recon/field/echo/echo_field.h"
#include "engine/recon/field/echo/unwrap_phase.h"
#include "engine/scan/simulate/random_numbers.h"
#include "tests/test_main.h"

namespace test_echo_field {

using namespace spokelab;

namespace {

constexpr double pi = std::numbers::pi;
constexpr int n = 48;

struct Case {
  EchoImages echoes;
  std::vector<double> field, decay;  // rad/s, 1/s
  std::vector<bool> object;
};

// fieldHz(x, y) in fields of view; an ellipse of magnitude 1, or two discs.
template <class Field>
Case makeCase(std::vector<double> times, double snr, bool twoDiscs, const Field& fieldHz) {
  Case c;
  c.echoes.size = {n, n, 1};
  c.echoes.times = std::move(times);
  for (std::size_t e = 0; e < c.echoes.times.size(); ++e) c.echoes.images.emplace_back(n * n);
  for (int i = 0; i < n * n; ++i) {
    const double x = double(i % n - n / 2) / n, y = double(i / n - n / 2) / n;
    const bool inside = twoDiscs ? std::hypot(std::abs(x) - 0.25, y) < 0.18
                                 : x * x / (0.36 * 0.36) + y * y / (0.46 * 0.46) < 1;
    c.object.push_back(inside);
    c.field.push_back(2 * pi * fieldHz(x, y));
    c.decay.push_back(40 * (0.75 - 0.5 * y));
    for (std::size_t e = 0; e < c.echoes.times.size(); ++e) {
      const double t = c.echoes.times[e];
      cdouble value = snr > 0 ? complexNormal(e + 1, std::uint64_t(i)) / snr : cdouble(0);
      if (inside) value += std::exp(-c.decay.back() * t) * std::polar(1.0, 0.4 + 2 * x - c.field.back() * t);
      c.echoes.images[e][std::size_t(i)] = cfloat(value);
    }
  }
  return c;
}

// Root mean square over the object.
double rms(const Case& c, const std::vector<double>& found, const std::vector<double>& truth) {
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < c.object.size(); ++i)
    if (c.object[i]) {
      sum += (found[i] - truth[i]) * (found[i] - truth[i]);
      ++count;
    }
  return std::sqrt(sum / count);
}

}  // namespace

class TestEchoField : public QObject {
  Q_OBJECT

 private slots:
  void noiseIsSmoothedAndPhasesUnwrapped_data() {
    QTest::addColumn<std::vector<double>>("times");
    QTest::addColumn<double>("hertz");
    QTest::newRow("two echoes") << std::vector<double>{2e-3, 4.3e-3} << 2.0;
    QTest::newRow("three, evenly") << std::vector<double>{2e-3, 4.3e-3, 6.6e-3} << 1.5;
    QTest::newRow("four, unevenly") << std::vector<double>{1.5e-3, 3e-3, 5.5e-3, 9e-3} << 1.0;
  }
  void noiseIsSmoothedAndPhasesUnwrapped() {
    QFETCH(std::vector<double>, times);
    QFETCH(double, hertz);
    const Case c =
        makeCase(times, 20, false, [](double x, double y) { return 1200 * (x * x + y * y) - 100 + 150 * x; });
    const EchoField found = fieldFromEchoImages(c.echoes, 8, {});
    QCOMPARE(found.regions, 1);
    const double error = rms(c, found.field, c.field) / (2 * pi);
    QVERIFY2(error < hertz, qPrintable(QString::number(error)));
    // A pixel's deviation before smoothing is that of its noise.
    const double span = times.back() - times.front();
    double deviation = 0, count = 0;
    for (std::size_t i = 0; i < c.object.size(); ++i)
      if (c.object[i]) {
        deviation += found.deviation[i] / (2 * pi);
        ++count;
      }
    const double least = std::sqrt(2.0) / (20 * 2 * pi * span);  // all signal in the outer echoes
    QVERIFY(deviation / count > 0.7 * least && deviation / count < 2 * least);
    const double decay = rms(c, found.decay, c.decay);
    QVERIFY2(decay < 6 * hertz, qPrintable(QString::number(decay)));
  }

  // Without noise what is left is the smoothing's: slopes are kept to the object's edge.
  void aSlopeIsKept() {
    const Case c = makeCase({2e-3, 4.3e-3}, 0, false, [](double x, double) { return 600 * x; });
    const EchoField found = fieldFromEchoImages(c.echoes, 8, {});
    const double error = rms(c, found.field, c.field) / (2 * pi);
    QVERIFY2(error < 0.7, qPrintable(QString::number(error)));
  }

  // 500 Hz turn the phase by more than half a turn between any two echoes.
  void unevenEchoesTellWholeTurns() {
    const Case c = makeCase({2e-3, 4e-3, 6.7e-3}, 20, false, [](double x, double) { return 500 + 40 * x; });
    const EchoField found = fieldFromEchoImages(c.echoes, 8, {});
    QVERIFY(rms(c, found.field, c.field) / (2 * pi) < 2);
  }

  void partsThatTouchNowhereAreCounted() {
    const Case c = makeCase({2e-3, 4e-3}, 40, true, [](double x, double) { return 300 * x; });
    const EchoField found = fieldFromEchoImages(c.echoes, 8, {});
    QCOMPARE(found.regions, 2);
    QVERIFY(rms(c, found.field, c.field) / (2 * pi) < 2);
  }

  void aBowlOfManyTurnsIsUnwrapped() {
    std::vector<double> truth, wrapped, quality;
    constexpr std::int64_t side = 20;
    for (std::int64_t i = 0; i < side * side * side; ++i) {
      const double x = double(i % side) - 9, y = double(i / side % side) - 9, z = double(i / side / side) - 9;
      truth.push_back(0.12 * (x * x + y * y + z * z));
      wrapped.push_back(wrappedPhase(truth.back()));
      quality.push_back(1 / (1 + x * x + y * y));
    }
    const UnwrappedPhase found = unwrapPhase(wrapped, quality, {side, side, side}, {});
    QCOMPARE(found.regions, 1);
    const double turns = found.phase[0] - truth[0];
    for (std::size_t i = 0; i < truth.size(); ++i)
      QVERIFY(std::abs(found.phase[i] - truth[i] - turns) < 1e-9);
  }

  void whatCannotBeIsRefused() {
    Case c = makeCase({2e-3, 4e-3}, 0, false, [](double, double) { return 0.0; });
    c.echoes.times = {4e-3, 4e-3};
    QVERIFY_THROWS_EXCEPTION(Error, fieldFromEchoImages(c.echoes, 8, {}));
    c.echoes.times = {4e-3};
    QVERIFY_THROWS_EXCEPTION(Error, fieldFromEchoImages(c.echoes, 8, {}));
    c.echoes.times = {2e-3, 4e-3};
    for (auto& image : c.echoes.images) image.assign(image.size(), cfloat(0));
    QVERIFY_THROWS_EXCEPTION(Error, fieldFromEchoImages(c.echoes, 8, {}));
  }
};

SPOKELAB_CORE_TEST(TestEchoField)

}  // namespace test_echo_field

#include "test_echo_field.moc"
