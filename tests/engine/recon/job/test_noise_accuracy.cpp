// accuracy = auto: the noise that the plan tells is the noise of the image, whatever the pattern
// and the number of coils, and the accuracy is a tenth of it.
#include <QtTest>
#include <cmath>

#include "engine/recon/job/job_plan.h"
#include "engine/recon/job/noise_accuracy.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/engine/recon/reconstruct.h"
#include "tests/test_main.h"

namespace test_noise_accuracy {

using namespace spokelab;
using namespace spokelab::test;

namespace {

SimulateOptions scanOf(Pattern pattern, int coils, double noise) {
  SimulateOptions options;
  options.trajectory.pattern = pattern;
  options.trajectory.matrix = {48, 48, 1};
  options.trajectory.samplesPerShot = pattern == Pattern::spiral2d ? 0 : 96;
  options.coils = coils;
  options.noise = noise;
  return options;
}

// |noise| / |signal| of the combined image: the difference of the noisy and the clean one.
double measuredNoise(const SimulateOptions& noisy) {
  SimulateOptions clean = noisy;
  clean.noise = 0;
  ReconOptions options;
  options.nufft.alpha = 2;
  options.nufft.width = 6;
  options.prewhitening = Prewhitening::off;
  options.combination = noisy.coils > 1 ? Combination::rootSumSquares : Combination::none;
  const Reconstruction a = run(*simulate(noisy, {}), options), b = run(*simulate(clean, {}), options);
  double difference = 0, signal = 0, magnitude = 0, largest = 0, bright = 0;
  for (const cfloat& v : b.image->data) largest = std::max(largest, double(std::abs(v)));
  for (std::size_t i = 0; i < a.image->data.size(); ++i) {
    difference += std::norm(a.image->data[i] - b.image->data[i]);
    if (std::abs(b.image->data[i]) > 0.1 * largest) {
      magnitude += std::pow(std::abs(a.image->data[i]) - std::abs(b.image->data[i]), 2);
      ++bright;
    }
    signal += std::norm(b.image->data[i]);
  }
  // The root of a sum of squares keeps the noise that is in phase with the signal: half.
  magnitude *= 2 * double(a.image->data.size()) / bright;
  return std::sqrt((noisy.coils > 1 ? magnitude : difference) / signal);
}

}  // namespace

class TestNoiseAccuracy : public QObject {
  Q_OBJECT

 private slots:
  void theNoiseIsThatOfTheImage_data() {
    QTest::addColumn<int>("pattern");
    QTest::addColumn<int>("coils");
    QTest::newRow("radial, one coil") << int(Pattern::radial2d) << 1;
    QTest::newRow("radial, four coils") << int(Pattern::radial2d) << 4;
    QTest::newRow("spiral, one coil") << int(Pattern::spiral2d) << 1;
    QTest::newRow("Cartesian, one coil") << int(Pattern::jittered) << 1;
  }
  void theNoiseIsThatOfTheImage() {
    QFETCH(const int, pattern);
    QFETCH(const int, coils);
    SimulateOptions simulation = scanOf(Pattern(pattern), coils, 0.05);
    if (Pattern(pattern) == Pattern::jittered) {
      simulation.trajectory.samplesPerShot = 0;
      simulation.trajectory.jitter = 0;
    }
    const auto scan = simulate(simulation, {});
    std::vector<int> all(static_cast<std::size_t>(coils));
    for (int c = 0; c < coils; ++c) all[std::size_t(c)] = c;
    const NoiseAccuracy found = accuracyByNoise(*scan, 0, all, 1e-3);
    const double measured = measuredNoise(simulation);
    QVERIFY2(found.noise > 0.75 * measured && found.noise < 1.35 * measured,
             qPrintable(QString("%1, measured %2").arg(found.noise).arg(measured)));
    QVERIFY(found.accuracy <= 0.1 * found.noise && found.accuracy > 0.05 * found.noise);
  }

  void thePlanTakesAndTellsIt() {
    const auto scan = simulate(scanOf(Pattern::radial2d, 2, 0.05), {});
    ReconOptions options;
    setOption(options, "accuracy", "auto");
    QCOMPARE(optionValue(options, "accuracy"), std::string("auto"));
    const JobPlan plan = planJob(*scan, options);
    QVERIFY(!plan.options.accuracyByNoise);
    QVERIFY(plan.options.nufft.accuracy > 1e-3);
    QCOMPARE(plan.notes.size(), std::size_t(1));
    QVERIFY(plan.notes.front().find("% of the image") != std::string::npos);
    setOption(options, "accuracy", "1e-4");
    QVERIFY(!options.accuracyByNoise);
    QCOMPARE(planJob(*scan, options).options.nufft.accuracy, 1e-4);
    QVERIFY(planJob(*scan, options).notes.empty());
  }

  void aScanWithoutNoiseLinesKeepsTheUsualAccuracy() {
    ReconOptions options;
    setOption(options, "accuracy", "1e-5");
    setOption(options, "accuracy", "auto");
    const JobPlan plan = planJob(*simulate(scanOf(Pattern::radial2d, 1, 0), {}), options);
    QCOMPARE(plan.options.nufft.accuracy, NufftOptions{}.accuracy);
    QVERIFY(plan.notes.front().find("no noise lines") != std::string::npos);
  }
};

SPOKELAB_TEST(TestNoiseAccuracy)

}  // namespace test_noise_accuracy

#include "test_noise_accuracy.moc"
