// The method coil-wavelet: images of all coils together, without maps. Without lambda each coil is
// found as if it were alone; with it noise goes, and the coils share their wavelets.
#include <QtTest>
#include <cmath>

#include "engine/recon/job/job_plan.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/engine/recon/measures.h"
#include "tests/engine/recon/reconstruct.h"
#include "tests/test_main.h"

namespace test_coil_wavelets {

using namespace spokelab;
using namespace spokelab::test;

class TestCoilWavelets : public QObject {
  Q_OBJECT

  static std::shared_ptr<const Scan> spokes(int coils, int shots, double noise) {
    SimulateOptions options;
    options.trajectory.pattern = Pattern::goldenRadial2d;
    options.trajectory.matrix = {48, 48, 1};
    options.trajectory.shots = shots;
    options.coils = coils;
    options.noise = noise;
    auto scan = std::make_shared<Scan>(*simulate(options, {}));
    scan->arrays.clear();  // its coil maps: a coil alone would be divided by its own
    return scan;
  }
  static ReconOptions optionsOf(const char* method, double lambda) {
    ReconOptions options = senseOptions();
    setOption(options, "method", method);
    options.iterative.solver.iterations = 40;
    options.iterative.solver.lambda = lambda;
    return options;
  }
  // Magnitudes.
  static std::vector<double> imageOf(const Scan& scan, const ReconOptions& options) {
    std::vector<double> image;
    const Reconstruction result = run(scan, options);
    for (const cfloat& v : result.image->data) image.push_back(std::abs(v));
    return image;
  }
  static std::vector<double> rootOfSquares(const Scan& scan, const ReconOptions& ofOneCoil) {
    std::vector<double> sum;
    for (int c = 0; c < scan.coils; ++c) {
      ReconOptions options = ofOneCoil;
      options.coils = std::to_string(c);
      const std::vector<double> one = imageOf(scan, options);
      sum.resize(one.size());
      for (std::size_t i = 0; i < one.size(); ++i) sum[i] += one[i] * one[i];
    }
    for (double& v : sum) v = std::sqrt(v);
    return sum;
  }

 private slots:
  void withoutLambdaEachCoilIsFoundAlone() {
    const auto scan = spokes(3, 90, 0);
    const std::vector<double> together = imageOf(*scan, optionsOf("coil-wavelet", 0));
    const double apart = relativeDifference(together, rootOfSquares(*scan, optionsOf("wavelet", 0)));
    QVERIFY2(apart < 1e-2, qPrintable(QString::number(apart)));
  }

  void noiseGoesAndSharedPlacesKeepMoreOfTheImage() {
    const auto scan = spokes(6, 40, 0.05);
    const std::vector<double> truth = imageOf(*spokes(6, 200, 0), optionsOf("coil-wavelet", 0));
    const auto error = [&](const std::vector<double>& image) { return nrmse(image, truth); };
    const double free = error(imageOf(*scan, optionsOf("coil-wavelet", 0)));
    const double joint = error(imageOf(*scan, optionsOf("coil-wavelet", 0.01)));
    const double alone = error(rootOfSquares(*scan, optionsOf("wavelet", 0.01)));
    const QByteArray told = QString("%1 free, %2 joint, %3 alone").arg(free).arg(joint).arg(alone).toUtf8();
    QVERIFY2(joint < 0.7 * free, told);
    QVERIFY2(joint < alone, told);
  }

  void theObjectiveFallsAndACancelKeepsTheImage() {
    const auto scan = spokes(4, 40, 0.05);
    ReconOptions options = optionsOf("coil-wavelet", 0.01);
    std::stop_source stop;
    options.iterative.watcher = [&](const IterationState& state) {
      if (state.iteration == 5) stop.request_stop();
      return IterationCommand{};
    };
    const Reconstruction result =
        runJob(*makeCpuBackend(), *scan, options, nullptr, nullptr, Progress(stop.get_token()));
    QVERIFY(result.cancelled);
    const auto& told = result.iterations.front().objectives;
    QCOMPARE(told.size(), std::size_t(5));
    QVERIFY(told.back() < told.front());
    QVERIFY(std::abs(result.image->data[std::size_t(24 * 48 + 24)]) > 0);
  }

  void oneCoilIsRefusedAndThePlanCountsAllImages() {
    try {
      planJob(*spokes(1, 40, 0), optionsOf("coil-wavelet", 0.01));
      QFAIL("no error");
    } catch (const Error& error) {
      QVERIFY(std::string(error.reason()).find("there is one coil") != std::string::npos);
    }
    const JobPlan plan = planJob(*spokes(5, 40, 0), optionsOf("coil-wavelet", 0.01));
    QCOMPARE(plan.imagesPerUnknown(), 5);
    QCOMPARE(plan.parts.coils, 1);
    QVERIFY(!plan.estimatesMaps);
  }
};

SPOKELAB_TEST(TestCoilWavelets)

}  // namespace test_coil_wavelets

#include "test_coil_wavelets.moc"
