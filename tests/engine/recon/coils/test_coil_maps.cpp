// Coil maps: ESPIRiT's and Walsh's are those of the plain sums in double precision, at every pixel;
// interpolation between coarse pixels stays within a stated angle.
#include <QtTest>

#include <cmath>
#include <numbers>

#include "engine/core/error.h"
#include "engine/core/hermitian.h"
#include "engine/nufft/exact/nudft.h"
#include "engine/recon/coils/calibration_operator.h"
#include "engine/recon/coils/coil_maps.h"
#include "engine/recon/coils/eigenspace.h"
#include "engine/recon/options/options.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/simulate/phantom.h"
#include "engine/scan/simulate/phantom_models.h"
#include "engine/scan/simulate/random_numbers.h"
#include "tests/engine/recon/coils/plain_espirit.h"
#include "tests/test_main.h"

namespace test_coil_maps {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr double pi = std::numbers::pi;

// sin of the angle between the maps at pixel `i` and a unit vector.
double angleTo(const std::vector<cfloat>& maps, std::int64_t pixels, std::int64_t i, const Values& v) {
  cdouble along = 0;
  double square = 0;
  for (std::size_t c = 0; c < v.size(); ++c) {
    const cdouble m(maps[c * std::size_t(pixels) + std::size_t(i)]);
    along += std::conj(v[c]) * m;
    square += std::norm(m);
  }
  return std::sqrt(std::max(0.0, 1 - std::norm(along) / square));
}

// Walsh's vector at a pixel, by plain sums; `half` pixels to either side.
Values plainWalsh(const CentreImages& centre, int coils, const Index3& at, const Index3& half, double& gap) {
  const auto n = std::size_t(coils);
  Values r(n * n, 0.0);
  Index3 low, high;
  for (std::size_t d = 0; d < 3; ++d) {
    low[d] = std::max<std::int64_t>(0, at[d] - half[d]);
    high[d] = std::min(centre.size[d] - 1, at[d] + half[d]);
  }
  const Index3& s = centre.size;
  for (std::int64_t z = low[2]; z <= high[2]; ++z)
    for (std::int64_t y = low[1]; y <= high[1]; ++y)
      for (std::int64_t x = low[0]; x <= high[0]; ++x) {
        const std::int64_t p = (z * s[1] + y) * s[0] + x;
        for (std::size_t a = 0; a < n; ++a)
          for (std::size_t b = 0; b < n; ++b)
            r[a * n + b] += cdouble(centre.images[a * std::size_t(product(s)) + std::size_t(p)]) *
                            std::conj(cdouble(centre.images[b * std::size_t(product(s)) + std::size_t(p)]));
      }
  const HermitianEigen eigen = hermitianEigen(r, coils);
  gap = eigen.values[0] > 0 ? eigen.values[1] / eigen.values[0] : 1;
  return {eigen.vectors.begin(), eigen.vectors.begin() + coils};
}

}  // namespace

class TestCoilMaps : public QObject {
  Q_OBJECT

 private slots:
  void espiritIsThatOfPlainSums_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<int>("coils");
    QTest::addColumn<int>("calibration");
    QTest::addColumn<double>("crop");
    QTest::newRow("2-D, more blocks than columns") << 2 << 3 << 24 << 0.7;
    QTest::newRow("2-D, fewer blocks than columns") << 2 << 9 << 24 << 0.7;
    QTest::newRow("2-D, subspace iteration") << 2 << 9 << 36 << 0.7;
    QTest::newRow("3-D") << 3 << 3 << 16 << 0.95;
  }

  void espiritIsThatOfPlainSums() {
    QFETCH(int, dims);
    QFETCH(int, coils);
    QFETCH(int, calibration);
    QFETCH(double, crop);
    const std::int64_t n = dims == 3 ? 32 : 2 * calibration;
    const CentreImages centre = discImages(dims, coils, n, 0.02, calibration);
    const Index3 matrix = dims == 3 ? Index3{40, 35, 32} : Index3{101, 90, 1};
    CoilMapOptions options;
    options.calibration = calibration;
    options.crop = crop;
    const std::vector<cfloat> maps = estimateCoilMaps(centre, coils, matrix, dims, options, {});
    QCOMPARE(maps.size(), std::size_t(product(matrix) * coils));

    Index3 size{1, 1, 1}, width{1, 1, 1};
    for (std::size_t d = 0; d < std::size_t(dims); ++d) {
      size[d] = calibration * 3 / 4;
      width[d] = dims == 3 ? 4 : 6;
    }
    const CalibrationData data = calibrationData(centre.images.data(), coils, centre.size, size, {});
    const PlainEspirit plain(data, width);
    const PixelOperator op = pixelOperator(data, width, 1e-3, {});
    QVERIFY2(std::abs(op.rank - plain.rank()) <= 1,
             qPrintable(QString("%1 %2").arg(op.rank).arg(plain.rank())));
    int compared = 0, cropped = 0;
    const std::int64_t step = product(matrix) / 500;
    for (std::int64_t i = 0; i < product(matrix); i += step) {
      const Index3 at{i % matrix[0], i / matrix[0] % matrix[1], i / matrix[0] / matrix[1]};
      Vec3 place{};
      for (std::size_t d = 0; d < 3; ++d) place[d] = double(at[d] - matrix[d] / 2) / double(matrix[d]);
      double eigenvalue = 0, second = 0;
      const Values v = plain.at(place, eigenvalue, second);
      const bool kept = isKept(maps, product(matrix), i, coils);
      constexpr double margin = 0.005;
      if (std::abs(eigenvalue - options.crop) > margin) QCOMPARE(kept, eigenvalue > options.crop);
      if (!kept) ++cropped;
      if (!kept || second > 0.9 * eigenvalue) continue;
      const double angle = angleTo(maps, product(matrix), i, v);
      QVERIFY2(angle < 3e-3, qPrintable(QString("pixel %1: %2").arg(i).arg(angle)));
      ++compared;
    }
    QVERIFY2(compared > 100 && cropped > 50, qPrintable(QString("%1 %2").arg(compared).arg(cropped)));
  }

  // Pure noise fills the whole space: its strongest half is kept, in bounded time.
  void noiseKeepsHalfOfTheSpace() {
    constexpr int coils = 8;
    CalibrationData data;
    data.coils = coils;
    data.size = {12, 12, 12};
    for (std::uint64_t i = 0; i < std::uint64_t(coils) * 12 * 12 * 12; ++i)
      data.values.push_back(cfloat(complexNormal(5, i)));
    const PixelOperator op = pixelOperator(data, {4, 4, 4}, 1e-3, {});
    QCOMPARE(op.rank, largeEigenspaceLimit(coils * 4 * 4 * 4));
    std::stop_source stop;
    stop.request_stop();
    QVERIFY_EXCEPTION_THROWN(pixelOperator(data, {4, 4, 4}, 1e-3, Progress(stop.get_token())), Cancelled);
  }

  void cropSaysWhereMapsAreZero() {
    const int coils = 4;
    const CentreImages centre = discImages(2, coils, 48, 0.01, 24);
    const Index3 matrix{64, 64, 1};
    int last = 64 * 64 + 1;
    for (const double crop : {0.0, 0.7, 0.95}) {
      CoilMapOptions options;
      options.crop = crop;
      const std::vector<cfloat> maps = estimateCoilMaps(centre, coils, matrix, 2, options, {});
      int kept = 0;
      for (std::int64_t i = 0; i < 64 * 64; ++i) {
        double square = 0;
        for (std::int64_t c = 0; c < coils; ++c) square += std::norm(maps[std::size_t(c * 64 * 64 + i)]);
        QVERIFY(square == 0 || std::abs(square - 1) < 1e-4);
        kept += square > 0;
      }
      QVERIFY2(kept < last, qPrintable(QString("crop %1 keeps %2").arg(crop).arg(kept)));
      last = kept;
      if (crop == 0) QCOMPARE(kept, 64 * 64);
    }
    QVERIFY(last > 200);
    ReconOptions options;
    setOption(options, "coil-crop", "0.9");
    QCOMPARE(options.iterative.crop, 0.9);
  }

  // On the pixels of the centre's images Walsh's vectors are those of plain sums; between them
  // linear interpolation is off by less than 0.02 (the sine of the angle) where there is an object.
  void walshIsThatOfPlainSums_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<int>("oversampled");
    QTest::newRow("2-D at the pixels") << 2 << 1;
    QTest::newRow("2-D between them") << 2 << 3;
    QTest::newRow("3-D at the pixels") << 3 << 1;
  }

  void walshIsThatOfPlainSums() {
    QFETCH(int, dims);
    QFETCH(int, oversampled);
    const int coils = 5, calibration = dims == 3 ? 8 : 16;
    const std::int64_t n = 4 * calibration;
    const CentreImages centre = discImages(dims, coils, n, 0.01, calibration),
                       fine = discImages(dims, coils, n * oversampled, 0, calibration);
    CoilMapOptions options;
    options.method = CoilMapMethod::walsh;
    options.calibration = calibration;
    const CentreImages& given = oversampled == 1 ? centre : discImages(dims, coils, n, 0, calibration);
    const std::vector<cfloat> maps = estimateCoilMaps(given, coils, fine.size, dims, options, {});
    const std::int64_t half = std::max<std::int64_t>(1, fine.size[0] / (2 * calibration));
    double worst = 0;
    int compared = 0;
    for (std::int64_t i = 0; i < product(fine.size); i += 7) {
      const Index3 at{i % fine.size[0], i / fine.size[0] % fine.size[1], i / fine.size[0] / fine.size[1]};
      double radius = 0, gap = 0;
      for (std::size_t d = 0; d < std::size_t(dims); ++d)
        radius += std::pow((double(at[d]) / double(fine.size[d]) - 0.5) / 0.3, 2);
      if (radius > 1) continue;
      const Values v =
          plainWalsh(oversampled == 1 ? centre : fine, coils, at, {half, half, dims == 3 ? half : 0}, gap);
      QVERIFY(isKept(maps, product(fine.size), i, coils));
      worst = std::max(worst, angleTo(maps, product(fine.size), i, v));
      ++compared;
    }
    QVERIFY(compared > 100);
    QVERIFY2(worst < (oversampled == 1 ? 1e-4 : 0.02), QByteArray::number(worst));
  }

  void centreImagesAreTheWindowedSum() {
    constexpr int coils = 6, calibration = 12;
    std::vector<double> points, density;
    std::vector<std::vector<cfloat>> samples(coils);
    for (std::uint64_t j = 0; j < 700; ++j) {
      const cdouble k = 5.0 * complexNormal(3, j);
      points.insert(points.end(), {k.real(), k.imag()});
      density.push_back(1 + 0.5 * std::abs(complexNormal(4, j)));
      for (std::uint64_t c = 0; c < coils; ++c) samples[c].push_back(cfloat(complexNormal(10 + c, j)));
    }
    std::vector<const cfloat*> pointers;
    for (const auto& s : samples) pointers.push_back(s.data());
    const auto cpu = makeCpuBackend();
    const CentreImages centre =
        centreImages(*cpu, {2, {100, 21, 1}, points, pointers}, density, calibration, 2, NufftOptions{}, {});
    QCOMPARE(centre.size, (Index3{24, 21, 1}));
    NufftProblem problem;
    problem.dims = 2;
    problem.size = centre.size;
    std::vector<double> scaled(points);
    for (std::size_t i = 0; i < scaled.size(); ++i) scaled[i] /= double(centre.size[i % 2]);
    for (std::size_t c = 0; c < coils; ++c) {
      Values weighted;
      for (std::size_t j = 0; j < density.size(); ++j) {
        const double radius = std::hypot(points[2 * j], points[2 * j + 1]) / (calibration / 2.0);
        const double window = radius < 1 ? 0.5 + 0.5 * std::cos(pi * radius) : 0;
        weighted.push_back(cdouble(samples[c][j]) * density[j] * window / double(product(centre.size)));
      }
      const std::vector<cdouble> exact = nudftAdjoint(problem, scaled, weighted);
      double difference = 0, norm = 0;
      for (std::size_t i = 0; i < exact.size(); ++i) {
        difference += std::norm(cdouble(centre.images[c * exact.size() + i]) - exact[i]);
        norm += std::norm(exact[i]);
      }
      QVERIFY2(std::sqrt(difference / norm) < 2e-3, QByteArray::number(std::sqrt(difference / norm)));
    }
  }

  void largeEigenspacesAreThoseOfTheWholeMatrix() {
    // A matrix with eigenvalues 2^-i: those above 1e-3 of the largest are ten.
    constexpr std::int64_t n = 300, tall = 320;
    PanelMatrix random(tall, n), gram(n, n);
    for (std::int64_t r = 0; r < tall; ++r)
      for (std::int64_t c = 0; c < n; ++c)
        random.set(r, c, cfloat(complexNormal(std::uint64_t(r), std::uint64_t(c))));
    addGram(random, gram, {});
    Values dense;
    for (std::int64_t r = 0; r < n; ++r)
      for (std::int64_t c = 0; c < n; ++c) dense.emplace_back(gram.at(r, c));
    const Values basis = hermitianEigen(dense, int(n)).vectors;
    constexpr std::int64_t rank = 40;
    PanelMatrix scaled(rank, n), decaying(n, n);
    for (std::int64_t v = 0; v < rank; ++v)
      for (std::int64_t i = 0; i < n; ++i)
        scaled.set(v, i, cfloat(std::pow(2.0, -double(v) / 2) * basis[std::size_t(v * n + i)]));
    addGram(scaled, decaying, {});
    const Eigenspace space = leadingEigenspace(decaying, 1e-3, {});
    QCOMPARE(space.vectors.columns(), std::int64_t(10));
    for (std::int64_t v = 0; v < 10; ++v) {
      QVERIFY(std::abs(space.values[std::size_t(v)] * std::pow(2.0, double(v)) - 1) < 1e-3);
      cdouble along = 0;
      for (std::int64_t i = 0; i < n; ++i)
        along += basis[std::size_t(v * n + i)] * cdouble(space.vectors.at(i, v));
      QVERIFY2(std::abs(std::abs(along) - 1) < 1e-3, QByteArray::number(std::abs(along)));
    }
  }

  void whatHoldsNoSignalIsRefused() {
    CentreImages centre;
    centre.size = {16, 16, 1};
    centre.images.assign(2 * 256, cfloat(0));
    QVERIFY_EXCEPTION_THROWN(estimateCoilMaps(centre, 2, {32, 32, 1}, 2, {}, {}), Error);
  }

  void mapsThatDoNotFitAreRefused() {
    for (const CoilMapMethod method : {CoilMapMethod::espirit, CoilMapMethod::walsh}) {
      CoilMapOptions options;
      options.method = method;
      const CentreImages centre = discImages(2, 3, 48, 0.01, 24);
      QVERIFY_EXCEPTION_THROWN(estimateCoilMaps(centre, 3, {1 << 22, 1 << 22, 1}, 2, options, {}), Error);
    }
  }

  void estimationCanBeCancelled() {
    const CentreImages centre = discImages(2, 4, 48, 0.01, 24);
    for (const CoilMapMethod method : {CoilMapMethod::espirit, CoilMapMethod::walsh}) {
      CoilMapOptions options;
      options.method = method;
      std::stop_source stop;
      // Asked to stop as the estimate itself begins.
      const Progress progress(stop.get_token(), [&](double, const std::string&) { stop.request_stop(); });
      bool cancelled = false;
      try {
        estimateCoilMaps(centre, 4, {128, 128, 1}, 2, options, progress);
      } catch (const Cancelled&) {
        cancelled = true;
      }
      QVERIFY(cancelled);
    }
  }
};

SPOKELAB_TEST(TestCoilMaps)

}  // namespace test_coil_maps

#include "test_coil_maps.moc"
