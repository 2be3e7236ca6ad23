// Density weights of the C interface: of radial spokes the area is known, and gridding with the
// weights gives a point back as a point.
#include <QtTest>

#include <cmath>
#include <numbers>
#include <vector>

#include "tests/app/api/c_handles.h"
#include "tests/test_main.h"

namespace test_c_density {

using namespace spokelab::test;

namespace {

constexpr std::int64_t size = 32, spokes = 64, readout = 64, samples = spokes * readout;

// Diameters of the circle of radius size/2, and where each begins.
struct Spokes {
  std::vector<double> points;
  std::vector<std::int64_t> offsets{0};
  Spokes() {
    for (std::int64_t s = 0; s < spokes; ++s) {
      const double angle = std::numbers::pi * double(s) / double(spokes);
      for (std::int64_t j = 0; j < readout; ++j) {
        const double k = double(size) * (double(j) / double(readout) - 0.5);
        points.insert(points.end(), {k * std::cos(angle), k * std::sin(angle)});
      }
      offsets.push_back((s + 1) * readout);
    }
  }
};

class TestCDensity : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void theAreasOfSpokes_data() {
    QTest::addColumn<QByteArray>("method");
    QTest::addColumn<double>("tolerance");
    QTest::newRow("analytic") << QByteArray("analytic") << 1e-9;
    QTest::newRow("Voronoi") << QByteArray("voronoi") << 1e-2;
    QTest::newRow("Pipe-Menon") << QByteArray("pipe-menon") << 0.2;
  }
  void theAreasOfSpokes() {
    QFETCH(QByteArray, method);
    QFETCH(double, tolerance);
    const Context context;
    const Spokes all;
    const std::int64_t matrix[2] = {size, size};
    const Options options{{"density", method.constData()}};
    std::vector<double> weights(static_cast<std::size_t>(samples));
    const spokelab_status status =
        spokelab_density_weights(context.handle, 2, matrix, spokes, all.offsets.data(), all.points.data(),
                                 options.handle, nullptr, nullptr, weights.data());
    QVERIFY2(status == SPOKELAB_OK, qPrintable(errorText()));
    // Between the centre and the rim a sample has the area of its piece of a ring.
    const double step = double(size) / double(readout);
    double worst = 0;
    for (std::int64_t j = 0; j < samples; ++j) {
      const double radius = std::abs(double(j % readout) - double(readout) / 2) * step;
      if (radius < 3 || radius > 0.85 * double(size) / 2) continue;
      const double area = radius * step * std::numbers::pi / double(spokes);
      worst = std::max(worst, std::abs(weights[std::size_t(j)] / area - 1));
    }
    QVERIFY2(worst < tolerance, qPrintable(QString::number(worst)));
  }

  void refusesAndCancels() {
    const Context context;
    Spokes all;
    const std::int64_t matrix[2] = {size, size};
    std::vector<double> weights(static_cast<std::size_t>(samples), 7.0);
    const auto made = [&](int dims, std::int64_t shots, const Options& options, spokelab_progress progress) {
      return spokelab_density_weights(context.handle, dims, matrix, shots, all.offsets.data(),
                                      all.points.data(), options.handle, progress, nullptr, weights.data());
    };
    const Options pipe{{"density", "pipe-menon"}};
    QCOMPARE(made(1, spokes, pipe, nullptr), SPOKELAB_BAD_ARGUMENT);
    QCOMPARE(made(2, 0, pipe, nullptr), SPOKELAB_BAD_ARGUMENT);
    QCOMPARE(made(2, spokes, pipe, [](double, const char*, void*) { return 1; }), SPOKELAB_CANCELLED);
    const Options file{{"density", "file"}};
    QCOMPARE(made(2, spokes, file, nullptr), SPOKELAB_FAILED);
    QVERIFY2(errorText().contains("the file has none"), qPrintable(errorText()));
    const double kept = all.points[100];
    all.points[100] = std::nan("");
    QCOMPARE(made(2, spokes, pipe, nullptr), SPOKELAB_BAD_ARGUMENT);
    all.points[100] = kept;
    QCOMPARE(weights[100], 7.0);
    QCOMPARE(made(2, spokes, pipe, nullptr), SPOKELAB_OK);
    QVERIFY(weights[100] != 7.0);
  }
};

}  // namespace

SPOKELAB_TEST(TestCDensity)

}  // namespace test_c_density

#include "test_c_density.moc"
