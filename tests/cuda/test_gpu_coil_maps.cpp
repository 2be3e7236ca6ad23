// Coil maps that the device makes and keeps are the host's, for every number of coils that a warp
// holds, in one and two sets, by ESPIRiT and by Walsh's method; a SENSE reconstruction with them is
// the CPU's.
#include <QtTest>

#include "engine/recon/coils/coil_maps.h"
#include "engine/recon/coils/espirit_maps.h"
#include "engine/recon/coils/walsh_maps.h"
#include "engine/recon/options/options.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/run/run_job.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/cuda/gpu_test.h"
#include "tests/engine/recon/coils/plain_espirit.h"
#include "tests/test_main.h"

namespace test_gpu_coil_maps {

using namespace spokelab;
using namespace spokelab::gputest;
using spokelab::test::discImages;

class TestGpuCoilMaps : public QObject {
  Q_OBJECT

 private slots:
  void mapsAreTheHosts_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<int>("coils");
    QTest::addColumn<int>("sets");
    QTest::addColumn<int>("calibration");
    for (const int coils : {2, 4, 5, 8, 13, 16, 27, 32})
      for (const int sets : {1, 2})
        QTest::addRow("2-D, %d coils, %d sets", coils, sets) << 2 << coils << sets << 24;
    QTest::newRow("3-D, 3 coils") << 3 << 3 << 1 << 12;
    QTest::newRow("3-D, 8 coils, two sets") << 3 << 8 << 2 << 12;
    // Eigenvectors on the device, too.
    QTest::newRow("3-D, more blocks than columns") << 3 << 8 << 1 << 16;
    QTest::newRow("2-D, more blocks than columns") << 2 << 8 << 1 << 36;
    QTest::newRow("2-D, fewer blocks than columns") << 2 << 27 << 2 << 36;
  }

  void mapsAreTheHosts() {
    NEEDS_GPU();
    QFETCH(int, dims);
    QFETCH(int, coils);
    QFETCH(int, sets);
    QFETCH(int, calibration);
    CentreImages centre = discImages(dims, coils, 2 * calibration, 0.02, calibration);
    const Index3 matrix = dims == 3 ? Index3{40, 35, 32} : Index3{101, 90, 1};
    if (coils > 4)  // a coil that is switched off
      std::fill_n(centre.images.begin() + product(centre.size), product(centre.size), cfloat(0));
    CoilMapOptions options;
    options.calibration = calibration;
    options.sets = sets;
    const EspiritPixels pixels = espiritPixels(centre, coils, matrix, dims, options, nullptr, {});
    const std::vector<cfloat> host = espiritMaps(pixels, {});
    const auto device = backend()->espiritMaps(pixels, {});
    QVERIFY(device);
    QCOMPARE(device->count(), std::int64_t(host.size()));
    std::vector<cfloat> maps(host.size());
    device->download(maps.data());
    const auto count = std::size_t(product(matrix));
    int compared = 0, apart = 0, far = 0;
    for (int s = 0; s < sets; ++s)
      for (std::size_t i = 0; i < count; ++i) {
        double difference = 0, here = 0, there = 0;
        for (int c = 0; c < coils; ++c) {
          const std::size_t at = (std::size_t(s) * std::size_t(coils) + std::size_t(c)) * count + i;
          difference += std::norm(cdouble(host[at]) - cdouble(maps[at]));
          here += std::norm(maps[at]);
          there += std::norm(host[at]);
        }
        if ((here > 0) != (there > 0)) {
          ++apart;
          continue;
        }
        if (here == 0) continue;
        ++compared;
        QVERIFY2(std::abs(here - 1) < 1e-3, qPrintable(QString::number(here)));
        if (difference > 1e-4) ++far;
      }
    QVERIFY(compared > int(count) / 20);
    // Where the eigenvalue is the crop's to rounding, or two eigenvalues are alike.
    QVERIFY2(apart <= 1 + compared / 500,
             qPrintable(QString("%1 of %2 kept by one alone").arg(apart).arg(compared)));
    QVERIFY2(far <= compared / 50, qPrintable(QString("%1 of %2 differ").arg(far).arg(compared)));
    if (coils > 4)
      for (std::size_t i = 0; i < count; ++i) QCOMPARE(maps[count + i], cfloat(0));
  }

  void walshMapsAreTheHosts_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<int>("coils");
    for (const int coils : {2, 4, 5, 8, 13, 16, 27, 32}) QTest::addRow("2-D, %d coils", coils) << 2 << coils;
    QTest::newRow("3-D, 3 coils") << 3 << 3;
    QTest::newRow("3-D, 8 coils") << 3 << 8;
    QTest::newRow("3-D, 20 coils") << 3 << 20;
  }

  void walshMapsAreTheHosts() {
    NEEDS_GPU();
    QFETCH(int, dims);
    QFETCH(int, coils);
    const int calibration = dims == 3 ? 12 : 24;
    CentreImages centre = discImages(dims, coils, 4 * calibration, 0.02, calibration);
    const Index3 matrix = dims == 3 ? Index3{40, 35, 32} : Index3{101, 90, 1};
    if (coils > 4)  // a coil that is switched off
      std::fill_n(centre.images.begin() + product(centre.size), product(centre.size), cfloat(0));
    CoilMapOptions options;
    options.method = CoilMapMethod::walsh;
    options.calibration = calibration;
    const WalshPixels pixels = walshPixels(centre, coils, matrix, options);
    const std::vector<cfloat> host = walshMaps(pixels, {});
    const auto device = backend()->walshMaps(pixels, {});
    QVERIFY(device);
    QCOMPARE(device->count(), std::int64_t(host.size()));
    std::vector<cfloat> maps(host.size());
    device->download(maps.data());
    const auto count = std::size_t(product(matrix));
    int compared = 0, apart = 0, far = 0;
    for (std::size_t i = 0; i < count; ++i) {
      double difference = 0, here = 0, there = 0;
      for (std::size_t c = 0; c < std::size_t(coils); ++c) {
        difference += std::norm(cdouble(host[c * count + i]) - cdouble(maps[c * count + i]));
        here += std::norm(maps[c * count + i]);
        there += std::norm(host[c * count + i]);
      }
      if ((here > 0) != (there > 0)) ++apart;
      if (here == 0 || there == 0) continue;
      ++compared;
      if (difference > 1e-4) ++far;
    }
    QVERIFY(compared > int(count) / 20);
    QVERIFY2(apart <= 1 + compared / 500,
             qPrintable(QString("%1 of %2 kept by one alone").arg(apart).arg(compared)));
    // Where two eigenvalues are alike.
    QVERIFY2(far <= compared / 50, qPrintable(QString("%1 of %2 differ").arg(far).arg(compared)));
    if (coils > 4)
      for (std::size_t i = 0; i < count; ++i) QCOMPARE(maps[count + i], cfloat(0));
  }

  void moreCoilsThanAWarpHoldsAreLeftToTheHost() {
    NEEDS_GPU();
    const int coils = 33;
    const CentreImages centre = discImages(2, coils, 48, 0.02, 24);
    const EspiritPixels pixels = espiritPixels(centre, coils, {32, 32, 1}, 2, {}, nullptr, {});
    QVERIFY(!backend()->espiritMaps(pixels, {}));
    QVERIFY(!backend()->walshMaps(walshPixels(centre, coils, {32, 32, 1}, {}), {}));
  }

  void senseIsTheCpus_data() {
    QTest::addColumn<int>("sets");
    QTest::addColumn<int>("coils");
    QTest::addColumn<bool>("walsh");
    QTest::newRow("SENSE") << 1 << 6 << false;
    QTest::newRow("soft SENSE") << 2 << 6 << false;
    QTest::newRow("maps of the host") << 1 << 34 << false;
    QTest::newRow("Walsh's maps") << 1 << 6 << true;
  }

  void senseIsTheCpus() {
    NEEDS_GPU();
    QFETCH(int, sets);
    QFETCH(int, coils);
    QFETCH(bool, walsh);
    SimulateOptions simulation;
    simulation.trajectory.matrix = {64, 64, 1};
    simulation.coils = coils;
    const auto scan = simulate(simulation, {});
    ReconOptions options;
    options.iterative.method = ReconMethod::sense;
    options.iterative.mapSets = sets;
    if (walsh) options.iterative.coilMaps = "walsh";
    options.iterative.solver.iterations = 8;
    const auto cpu = makeCpuBackend();
    const Reconstruction a = runJob(*cpu, *scan, options, nullptr, nullptr, {});
    const Reconstruction b = runJob(*backend(), *scan, options, nullptr, nullptr, {});
    double difference = 0, energy = 0;
    for (std::size_t i = 0; i < a.image->data.size(); ++i) {
      difference += std::norm(cdouble(a.image->data[i]) - cdouble(b.image->data[i]));
      energy += std::norm(a.image->data[i]);
    }
    QVERIFY2(std::sqrt(difference / energy) < 5e-3,
             qPrintable(QString::number(std::sqrt(difference / energy))));
  }
};

SPOKELAB_TEST(TestGpuCoilMaps)

}  // namespace test_gpu_coil_maps

#include "test_gpu_coil_maps.moc"
