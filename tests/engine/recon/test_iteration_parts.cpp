// An iteration's time is told apart: transforms by their stages, exact sums, coil maps, regularizer; the
// parts add up to the iteration.
#include <QtTest>

#include <nlohmann/json.hpp>

#include "engine/profile/results/results.h"
#include "engine/recon/reconstruct.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/test_main.h"

namespace test_iteration_parts {

using namespace spokelab;

class TestIterationParts : public QObject {
  Q_OBJECT
  std::unique_ptr<Backend> cpu_ = makeCpuBackend();

  static std::shared_ptr<Scan> smallScan() {
    SimulateOptions options;
    options.trajectory.matrix = {48, 48, 1};
    options.coils = 4;
    return std::make_shared<Scan>(*simulate(options, {}));
  }

 private slots:
  void partsAreThoseOfTheMethod_data() {
    QTest::addColumn<QString>("transform");
    QTest::addColumn<bool>("exact");
    QTest::addColumn<QString>("regularization");
    QTest::newRow("gridded, without regularization") << "nufft" << false << "";
    QTest::newRow("gridded, total variation") << "nufft" << false << "tv";
    QTest::newRow("Toeplitz, Tikhonov") << "toeplitz" << false << "tikhonov";
    QTest::newRow("exact sums, roughness") << "gdft" << true << "roughness";
  }
  void partsAreThoseOfTheMethod() {
    QFETCH(const QString, transform);
    QFETCH(const bool, exact);
    QFETCH(const QString, regularization);
    ReconOptions options;
    options.nufft.accuracy = 1e-3;
    for (const auto& [name, value] : {std::pair<const char*, std::string>{"method", "sense"},
                                      {"iterations", "5"},
                                      {"transform", transform.toStdString()},
                                      {"lambda", regularization.isEmpty() ? "0" : "0.01"}})
      setOption(options, name, value);
    if (!regularization.isEmpty()) setOption(options, "regularization", regularization.toStdString());
    const Reconstruction result = reconstruct({cpu_.get()}, *smallScan(), options, nullptr, {});
    QCOMPARE(result.iterations.size(), std::size_t(1));
    const IterationRecord& record = result.iterations.front();
    QCOMPARE(record.parts.size(), record.residuals.size());
    double before = 0;
    for (std::size_t i = 0; i < record.parts.size(); ++i) {
      const double seconds = record.seconds[i] - before;
      before = record.seconds[i];
      QVERIFY(std::abs(record.parts[i].total() - seconds) < 1e-3 + 0.02 * seconds);
      for (const double part : record.parts[i].seconds) QVERIFY(part >= 0);
    }
    const IterationParts mean = meanIteration(result.iterations).parts;
    QVERIFY(mean[IterationPart::maps] > 0);
    QCOMPARE(mean[IterationPart::regularizer] > 0, !regularization.isEmpty());
    QCOMPARE(mean[IterationPart::exactSums] > 0, exact);
    QCOMPARE(mean[IterationPart::interpolation] > 0, transform == QStringLiteral("nufft"));
    if (exact) QCOMPARE(mean[IterationPart::multiply] + mean[IterationPart::otherStages], 0.0);
    QCOMPARE(mean[IterationPart::fft] > 0, !exact);
    // A convolution multiplies within its FFTs, and says so.
    const bool convolves = transform == QStringLiteral("toeplitz");
    QCOMPARE(mean.multiplyInFft, convolves);
    QCOMPARE(result.timings.multiplyInFft, convolves);
    QCOMPARE(partsText(mean).find("FFT and multiply") != std::string::npos, convolves);
    // All of it comes back from a file.
    std::vector<std::string> unknown;
    const Reconstruction again = reconstructionFromJson(toJson(result), unknown);
    QCOMPARE(again.iterations.front().parts.size(), record.parts.size());
    for (std::size_t i = 0; i < record.parts.size(); ++i) {
      QVERIFY(again.iterations.front().parts[i].seconds == record.parts[i].seconds);
      QCOMPARE(again.iterations.front().parts[i].multiplyInFft, convolves);
    }
    QCOMPARE(again.timings.multiplyInFft, convolves);
    const std::string text = partsText(mean);
    QVERIFY2(text.find("maps") != std::string::npos, text.c_str());
  }

  void noIterationsHaveNoMean() {
    QCOMPARE(meanIteration({}).count, std::size_t(0));
    QCOMPARE(partsText({}), std::string());
  }
};

SPOKELAB_TEST(TestIterationParts)

}  // namespace test_iteration_parts

#include "test_iteration_parts.moc"
