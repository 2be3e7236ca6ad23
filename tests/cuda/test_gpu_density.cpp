// Pipe and Menon's weights that the device iterates are the host's: in every number of dimensions,
// with samples beyond the band left out.
#include <QtTest>

#include <cmath>

#include "engine/recon/density/pipe_menon.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/cuda/gpu_test.h"
#include "tests/test_main.h"

namespace test_gpu_density {

using namespace spokelab;
using namespace spokelab::gputest;

class TestGpuDensity : public QObject {
  Q_OBJECT

 private slots:
  void weightsAreTheHosts_data() {
    QTest::addColumn<int>("pattern");
    QTest::addColumn<int>("depth");
    QTest::addColumn<bool>("masked");
    QTest::newRow("spiral") << int(spokelab::Pattern::spiral2d) << 1 << false;
    QTest::newRow("spiral, some left out") << int(spokelab::Pattern::spiral2d) << 1 << true;
    QTest::newRow("random, 2-D") << int(spokelab::Pattern::random) << 1 << false;
    QTest::newRow("radial, 3-D") << int(spokelab::Pattern::radial3d) << 24 << false;
    QTest::newRow("random, 3-D, odd, some left out") << int(spokelab::Pattern::random) << 19 << true;
  }

  void weightsAreTheHosts() {
    NEEDS_GPU();
    QFETCH(int, pattern);
    QFETCH(int, depth);
    QFETCH(bool, masked);
    SimulateOptions simulation;
    simulation.trajectory.pattern = spokelab::Pattern(pattern);
    simulation.trajectory.matrix = {depth > 1 ? 24 : 64, depth > 1 ? 22 : 64, depth};
    const auto scan = simulate(simulation, {});
    const Trajectory& t = scan->trajectory(0);
    std::vector<char> mask;
    if (masked)
      for (std::int64_t j = 0; j < t.samples(); ++j) mask.push_back(j % 7 != 0);
    const auto cpu = makeCpuBackend();
    const Index3& matrix = scan->geometry.matrix;
    const Buffer<double> host = pipeMenonWeights(t, matrix, 12, {}, mask, *cpu, {}),
                         device = pipeMenonWeights(t, matrix, 12, {}, mask, *backend(), {});
    const std::vector<double> somePoints(std::size_t(t.dims) * 9, 0.125);
    NufftProblem doubled;
    doubled.dims = t.dims;
    for (std::size_t d = 0; d < std::size_t(t.dims); ++d) doubled.size[d] = 2 * matrix[d];
    QCOMPARE(backend()->pipeMenon({doubled, {}, somePoints, matrix, 1, 1}, {}).size(), std::size_t(9));
    QCOMPARE(device.size(), host.size());
    double difference = 0, whole = 0;
    for (std::size_t j = 0; j < host.size(); ++j) {
      QVERIFY(std::isfinite(device[j]) && (mask.empty() || mask[j] || device[j] == 0));
      difference += std::pow(device[j] - host[j], 2);
      whole += host[j] * host[j];
    }
    QVERIFY2(whole > 0 && std::sqrt(difference / whole) < 5e-3,
             qPrintable(QString::number(std::sqrt(difference / whole))));
  }

  void aCancelEndsIt() {
    NEEDS_GPU();
    SimulateOptions simulation;
    simulation.trajectory.pattern = spokelab::Pattern::spiral2d;
    simulation.trajectory.matrix = {64, 64, 1};
    const auto scan = simulate(simulation, {});
    std::stop_source stop;
    int reports = 0;
    const Progress progress(stop.get_token(), [&](double, const std::string&) {
      if (++reports == 3) stop.request_stop();
    });
    QVERIFY_EXCEPTION_THROWN(
        pipeMenonWeights(scan->trajectory(0), scan->geometry.matrix, 1000, {}, {}, *backend(), progress),
        Cancelled);
    QVERIFY(reports < 6);
  }
};

SPOKELAB_TEST(TestGpuDensity)

}  // namespace test_gpu_density

#include "test_gpu_density.moc"
