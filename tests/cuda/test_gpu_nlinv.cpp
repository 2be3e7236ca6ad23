// Nonlinear inversion on the device is the CPU's: one frame, and frames that follow each other with
// other points.
#include <QtTest>
#include <cmath>

#include "engine/recon/sense/backend_cpu.h"
#include "engine/recon/sense/unknowns/nlinv.h"
#include "tests/cuda/sense_experiment.h"
#include "tests/engine/recon/measures.h"
#include "tests/test_main.h"

namespace test_gpu_nlinv {

using namespace spokelab;
using namespace spokelab::gputest;
using namespace spokelab::gputest::sense;

class TestGpuNlinv : public QObject {
  Q_OBJECT
 private slots:
  void imagesAreThoseOfTheCpu_data() {
    QTest::addColumn<int>("transform");
    QTest::newRow("nufft") << int(TransformKind::nufft);
    QTest::newRow("toeplitz") << int(TransformKind::toeplitz);
  }
  void imagesAreThoseOfTheCpu() {
    NEEDS_GPU();
    QFETCH(int, transform);
    Experiment e = makeExperiment(TransformKind(transform), false);
    e.problem.maps.clear();
    NlinvFrame onDevice, onHost;
    IterationOptions options{3, 0, 0};
    options.framePrior = 0.8;
    const auto host = makeCpuBackend();
    const auto device = backend()->findMapsRun(e.problem, &onDevice);
    for (int f = 0; f < 3; ++f) {
      if (f == 1) {
        for (double& k : e.problem.points.own()) k *= 0.9;
        if (!device->takePoints()) break;  // a Toeplitz form is made for its points
      }
      const SenseSolution found = device->run(options, {}, false, {});
      const SenseSolution expected = host->findMapsRun(e.problem, &onHost)->run(options, {}, false, {});
      const double difference = spokelab::test::relativeDifference(found.image, expected.image);
      QVERIFY2(difference < 5e-3, qPrintable(QStringLiteral("frame %1: %2").arg(f).arg(difference)));
      QVERIFY(std::abs(found.residuals.back() - expected.residuals.back()) < 1e-3);
    }
  }
};

SPOKELAB_TEST(TestGpuNlinv)

}  // namespace test_gpu_nlinv

#include "test_gpu_nlinv.moc"
