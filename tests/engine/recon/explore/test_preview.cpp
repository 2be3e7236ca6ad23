// A preview looks like the scan's own image: the same field of view, the same intensities, few
// pixels.
#include <QtTest>

#include <cmath>

#include "engine/core/error.h"
#include "engine/recon/explore/preview.h"
#include "engine/recon/reconstruct.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/test_main.h"

namespace test_preview {

using namespace spokelab;

namespace {

std::shared_ptr<const Scan> simulated(const Index3& matrix, int coils) {
  SimulateOptions options;
  options.trajectory.matrix = matrix;
  if (matrix[2] > 1) options.trajectory.pattern = Pattern::radial3d;
  options.coils = coils;
  return simulate(options, {});
}

Reconstruction gridded(Backend& backend, const Scan& scan, ReconOptions options) {
  return reconstruct({&backend}, scan, options, nullptr, {});
}

// Mean magnitude in a box about the centre, given as a share of the field of view.
double meanInside(const Image& image, double share) {
  double sum = 0;
  std::int64_t count = 0;
  const Index3 n = image.size;
  const auto inside = [&](std::int64_t i, std::int64_t size) {
    return size == 1 || std::abs(double(i - size / 2)) <= share * double(size) / 2;
  };
  for (std::int64_t z = 0; z < n[2]; ++z)
    for (std::int64_t y = 0; y < n[1]; ++y)
      for (std::int64_t x = 0; x < n[0]; ++x)
        if (inside(x, n[0]) && inside(y, n[1]) && inside(z, n[2])) {
          sum += std::abs(image.data[std::size_t((z * n[1] + y) * n[0] + x)]);
          ++count;
        }
  return sum / double(count);
}

}  // namespace

class TestPreview : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void itIsSmallAndHasTheSameFieldAndBrightness_data() {
    QTest::addColumn<int>("planes");
    QTest::addColumn<int>("coils");
    QTest::newRow("flat") << 1 << 2;
    QTest::newRow("flat, many coils") << 1 << 9;
    QTest::newRow("solid") << 64 << 2;
  }

  void itIsSmallAndHasTheSameFieldAndBrightness() {
    QFETCH(int, planes);
    QFETCH(int, coils);
    const auto cpu = makeCpuBackend();
    const auto scan = simulated({64, 64, planes}, coils);
    PreviewLimits limits;
    limits.volumePixels = 24 * 24 * 24;
    limits.slicePixels = 32 * 32;
    ReconOptions options;
    options.nufft.threads = 1;
    options.nufft.accuracy = 1e-2;
    const auto small = previewScan(*scan, 0, options, *cpu, limits, {});
    validate(*small);
    QCOMPARE(small->geometry.fov, scan->geometry.fov);
    const std::int64_t most = planes == 1 ? limits.slicePixels : limits.volumePixels;
    QVERIFY(product(small->geometry.matrix) <= most);
    const Reconstruction preview = gridded(*cpu, *small, previewOptions(options, *small, limits));
    const Reconstruction whole = gridded(*cpu, *scan, options);
    QVERIFY(preview.image && whole.image);
    const double ratio = meanInside(*preview.image, 0.5) / meanInside(*whole.image, 0.5);
    QVERIFY2(std::abs(ratio - 1) < 0.1, qPrintable(QString::number(ratio)));
    // The phantom, not something flat: the rim is brighter than the middle, the corners are dark.
    const double outside = std::abs(preview.image->data.front());
    QVERIFY(outside < 0.5 * meanInside(*preview.image, 0.5));
  }

  void aSmallScanIsLeftAsItIs() {
    const auto cpu = makeCpuBackend();
    const auto scan = simulated({32, 32, 1}, 2);
    const auto small = previewScan(*scan, 0, {}, *cpu, {}, {});
    QCOMPARE(small->geometry.matrix, scan->geometry.matrix);
    QCOMPARE(small->trajectories.front().samples(), scan->trajectory(0).samples());
    QCOMPARE(small->data(0, 0, 1)[17], scan->data(0, 0, 1)[17]);
  }

  void tooManySamplesLoseShotsButNoBrightness() {
    const auto cpu = makeCpuBackend();
    const auto scan = simulated({64, 64, 1}, 2);
    PreviewLimits limits;
    limits.samples = scan->trajectory(0).samples() / 2;
    ReconOptions options;
    options.nufft.accuracy = 1e-2;
    const auto small = previewScan(*scan, 0, options, *cpu, limits, {});
    QVERIFY(small->trajectories.front().shots() < scan->trajectory(0).shots());
    const Reconstruction preview = gridded(*cpu, *small, previewOptions(options, *small, limits));
    const Reconstruction whole = gridded(*cpu, *scan, options);
    const double ratio = meanInside(*preview.image, 0.5) / meanInside(*whole.image, 0.5);
    QVERIFY2(std::abs(ratio - 1) < 0.15, qPrintable(QString::number(ratio)));
  }

  void aPairHoldsTheAccuracyThatIsSaid() {
    const auto cpu = makeCpuBackend();
    const auto scan = simulated({48, 48, 1}, 1);
    for (const double alpha : {1.2, 1.5, 2.0})
      for (const double width : {2.5, 4.0, 6.0}) {
        ReconOptions options;
        options.nufft.alpha = alpha;
        options.nufft.width = width;
        options.nufft.accuracy = 1e-6;
        options.nufft.accuracy = heldAccuracy(*scan, options);
        QVERIFY(options.nufft.accuracy > 1e-6);
        const Reconstruction result =
            gridded(*cpu, *scan, options);  // throws where the pair does not hold it
        QVERIFY(result.plan.error.bound <= options.nufft.accuracy);
      }
    ReconOptions open;
    QCOMPARE(heldAccuracy(*scan, open), open.nufft.accuracy);
    open.nufft.alpha = 2;
    open.nufft.width = 8;
    QCOMPARE(heldAccuracy(*scan, open), open.nufft.accuracy);
  }

  void aCancelEndsIt() {
    const auto cpu = makeCpuBackend();
    const auto scan = simulated({32, 32, 1}, 2);
    std::stop_source stop;
    stop.request_stop();
    QVERIFY_THROWS_EXCEPTION(Cancelled, previewScan(*scan, 0, {}, *cpu, {}, Progress(stop.get_token())));
  }
};

SPOKELAB_CORE_TEST(TestPreview)

}  // namespace test_preview

#include "test_preview.moc"
