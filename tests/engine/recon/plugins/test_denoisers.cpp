// Denoisers of the user's: the maps of our own functionals give the same images, files in C and
// Python and models are run in a child, and what goes wrong there is an Error.
#include <QtTest>

#include <QProcess>

#include <chrono>
#include <cmath>
#include <fstream>

#include "engine/recon/functional/denoiser/denoiser_process.h"
#include "engine/recon/functional/denoiser/onnx_runtime.h"
#include "engine/recon/functional/wavelets.h"
#include "engine/recon/job/job_plan.h"
#include "engine/scan/check/compare_images.h"
#include "tests/engine/nufft/plugin/plugin_files.h"
#include "tests/engine/recon/measures.h"
#include "tests/engine/recon/moving_frames.h"
#include "tests/engine/recon/plugins/onnx_file.h"
#include "tests/engine/recon/reconstruct.h"
#include "tests/test_main.h"

namespace test_denoisers {

using namespace spokelab;
using namespace spokelab::test;

namespace {

// The proximal map of wavelets as a user's denoiser.
class OwnWavelets final : public Denoiser {
 public:
  std::optional<double> denoise(const DenoiserRequest& request, cfloat* images, const Progress&) override {
    calls.push_back(request);
    HostSpace<float> space;
    Wavelets<HostSpace<float>> wavelets(space, request.size, request.dims, request.images, false, joint);
    return wavelets.prox(request.strength, images);
  }
  std::string title() const override { return "own wavelets"; }
  bool joint = false;
  std::vector<DenoiserRequest> calls;
};

ReconOptions optionsWith(const char* method, double lambda, int iterations) {
  ReconOptions options = senseOptions();
  setOption(options, "method", method);
  options.iterative.solver.iterations = iterations;
  options.iterative.solver.lambda = lambda;
  options.iterative.solver.randomShifts = false;
  options.iterative.coilMaps = "walsh";
  return options;
}

ReconOptions withFile(const std::string& file, double lambda = 0.02, int iterations = 5) {
  ReconOptions options = optionsWith("pnp", lambda, iterations);
  options.iterative.denoiser = file;
  return options;
}

}  // namespace

class TestDenoisers : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  std::shared_ptr<const Scan> scan_ = movingFrames(1, 3);

  std::string written(const char* name, const std::string& text) const {
    const std::string file = folder_.filePath(name).toStdString();
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }
  std::string pythonFile(const char* name, const std::string& body) const {
    return written(name, "name = 'mine'\nversion = '2'\nlicense = 'MIT'\n" + body);
  }
  static bool hasPython() {
    QProcess python;
    python.start("python3", {"-c", "import numpy"});
    return python.waitForFinished(60000) && python.exitCode() == 0;
  }
  // The map of 6 x 5 images by a file.
  static std::vector<cfloat> denoised(const std::string& file, double strength, std::vector<cfloat> images) {
    makeFileDenoiser(file)->denoise({std::int64_t(images.size()) / 30, 2, {6, 5, 1}, strength, 1},
                                    images.data(), {});
    return images;
  }
  static std::vector<cfloat> someImages(int images) {
    std::vector<cfloat> values;
    for (int i = 0; i < 30 * images; ++i) values.emplace_back(float(i % 7) - 3, float(i % 5) / 4);
    return values;
  }

 private slots:
  void theMapOfWaveletsGivesTheImageAndObjectiveOfTheMethodWavelet() {
    const Reconstruction expected = run(*scan_, optionsWith("wavelet", 0.01, 12));
    ReconOptions options = optionsWith("pnp", 0.01, 12);
    const auto own = std::make_shared<OwnWavelets>();
    options.iterative.ownDenoiser = SharedDenoiser(own);
    const Reconstruction found = run(*scan_, options);
    const double apart = relativeDifference(found.image->data, expected.image->data);
    QVERIFY2(apart < 1e-5, qPrintable(QString::number(apart)));
    const auto& objectives = found.iterations.front().objectives;
    QCOMPARE(objectives.size(), std::size_t(12));
    QVERIFY(std::abs(objectives.back() / expected.iterations.front().objectives.back() - 1) < 1e-4);
    QCOMPARE(own->calls.front().size, (Index3{32, 32, 1}));
    QVERIFY(own->calls.front().strength > 0);
  }

  void theMapOfAllFramesGivesTheImagesOfTheMethodJointWavelet() {
    const auto frames = movingFrames(3, 2);
    const Reconstruction expected = run(*frames, optionsWith("joint-wavelet", 0.01, 12));
    ReconOptions options = optionsWith("joint-pnp", 0.01, 12);
    const auto own = std::make_shared<OwnWavelets>();
    own->joint = true;
    options.iterative.ownDenoiser = SharedDenoiser(own);
    const Reconstruction found = run(*frames, options);
    QVERIFY(relativeDifference(found.image->data, expected.image->data) < 1e-5);
    QCOMPARE(own->calls.front().images, std::int64_t(3));
  }

  void doublePrecisionTakesTheSameMap() {
    ReconOptions options = optionsWith("pnp", 0.01, 12);
    options.iterative.ownDenoiser = SharedDenoiser(std::make_shared<OwnWavelets>());
    const Reconstruction single = run(*scan_, options);
    options.precision = Precision::double64;
    const Reconstruction twice = run(*scan_, options);
    QVERIFY(relativeDifference(twice.image->doubleData, single.image->data) < 1e-3);
  }

  void theExampleInCShrinksPixels() {
    const std::vector<cfloat> images = someImages(2);
    std::vector<cfloat> found = images;
    const auto denoiser = makeFileDenoiser(pluginFile("few-pixels").string());
    const auto value = denoiser->denoise({2, 2, {6, 5, 1}, 0.75, 1}, found.data(), {});
    double sum = 0;
    for (std::size_t i = 0; i < images.size(); ++i) {
      const double length = std::abs(images[i]), left = std::max(0.0, length - 0.75);
      QVERIFY(std::abs(found[i] - (length > 0 ? images[i] * float(left / length) : cfloat(0))) < 1e-6F);
      sum += left;
    }
    QVERIFY(value && std::abs(*value - sum) < 1e-4 * sum);
    QCOMPARE(denoiser->title(), std::string("few-pixels 1.0 (few-pixels.so)"));
    std::vector<cfloat> other = someImages(1);  // of another size: it is planned again
    denoiser->denoise({1, 2, {5, 6, 1}, 100, 1}, other.data(), {});
    QVERIFY(std::all_of(other.begin(), other.end(), [](cfloat v) { return v == cfloat(0); }));
  }

  void aReconstructionWithTheExampleMinimizesItsObjective() {
    const Reconstruction found = run(*scan_, withFile(pluginFile("few-pixels").string(), 0.05, 40));
    const auto& objectives = found.iterations.front().objectives;
    QVERIFY(objectives.size() > 5 && objectives.back() < objectives.front());
    const Reconstruction free = run(*scan_, optionsWith("sense", 0, 40));
    const auto zeros = [](const Reconstruction& r) {
      return std::count(r.image->data.begin(), r.image->data.end(), cfloat(0));
    };
    QVERIFY(zeros(found) > zeros(free) + 100);
    QVERIFY(std::any_of(found.notes.begin(), found.notes.end(), [](const std::string& n) {
      return n == "denoiser: few-pixels 1.0 (few-pixels.so)";
    }));
  }

  void faultsAreToldByName_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("reason");
    QTest::newRow("aborts") << "denoiser-aborts"
                            << "it crashed in the step 'denoise' (Aborted)";
    QTest::newRow("not finite") << "denoiser-not-finite"
                                << "1 of the 1024 numbers that it returned are not finite";
    QTest::newRow("version") << "denoiser-other-abi"
                             << "it is made for version 99";
    QTest::newRow("refuses") << "denoiser-says-no"
                             << "it serves images of cats alone";
    QTest::newRow("leaves") << "denoiser-leaves"
                            << "it ended its process in the step 'denoise'";
    QTest::newRow("a transform") << "exact-sum"
                                 << "spokelab_denoiser_describe";
  }
  void faultsAreToldByName() {
    QFETCH(const QString, name);
    QFETCH(const QString, reason);
    const QString told =
        QString::fromStdString(reasonOf(*scan_, withFile(pluginFile(name.toStdString()).string())));
    QVERIFY2(told.contains(reason), qPrintable(told));
  }

  void aDenoiserThatHangsIsCancelledAndTheLastImageIsKept() {
    std::stop_source stop;
    ReconOptions options = withFile(pluginFile("denoiser-loops").string());
    std::chrono::steady_clock::time_point asked;
    options.iterative.watcher = [&](const IterationState&) {  // after the first call, which returns
      asked = std::chrono::steady_clock::now();
      stop.request_stop();
      return IterationCommand{};
    };
    const Reconstruction result =
        runJob(*makeCpuBackend(), *scan_, options, nullptr, nullptr, Progress(stop.get_token()));
    QVERIFY(result.cancelled);
    QVERIFY(std::chrono::steady_clock::now() - asked < std::chrono::seconds(5));
    QVERIFY(std::abs(result.image->data[std::size_t(16 * 32 + 16)]) > 0);
  }

  void jobsWithoutADenoiserAreRefusedBeforeTheyRun_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("reason");
    QTest::newRow("none") << ""
                          << "none is given";
    QTest::newRow("missing") << "/nowhere/d.so"
                             << "there is no such file";
    QTest::newRow("ending") << "/nowhere/d.txt"
                            << "does not end with .so, .py or .onnx";
  }
  void jobsWithoutADenoiserAreRefusedBeforeTheyRun() {
    QFETCH(const QString, file);
    QFETCH(const QString, reason);
    try {
      planJob(*scan_, withFile(file.toStdString()));
      QFAIL("no error");
    } catch (const Error& error) {
      QVERIFY2(QString::fromStdString(error.reason()).contains(reason), error.what());
      QVERIFY(!error.remedy().empty());
    }
  }

  void pythonDenoisesAndItsErrorsAreTold() {
    if (!hasPython()) QSKIP("there is no python3 with numpy");
    const std::vector<cfloat> images = someImages(2);
    const std::string half = pythonFile(
        "half.py",
        "def denoise(images, strength):\n  assert images.shape == (2, 5, 6)\n  return images * strength, 3\n");
    std::vector<cfloat> found = images;
    QCOMPARE(*makeFileDenoiser(half)->denoise({2, 2, {6, 5, 1}, 0.5, 1}, found.data(), {}), 3.0);
    for (std::size_t i = 0; i < images.size(); ++i) QCOMPARE(found[i], 0.5F * images[i]);
    const auto reason = [&](const char* name, const std::string& body) {
      try {
        denoised(pythonFile(name, body), 1, images);
      } catch (const Error& error) {
        return QString::fromStdString(error.reason());
      }
      return QString("no error");
    };
    const QString shape = reason("shape.py", "def denoise(images, strength):\n  return images[0]\n");
    QVERIFY2(shape.contains("returned the shape (5, 6) where (2, 5, 6) was asked for"), qPrintable(shape));
    const QString raised =
        reason("raises.py", "def denoise(images, strength):\n  raise ValueError('too noisy')\n");
    QVERIFY2(raised.contains("ValueError: too noisy"), qPrintable(raised));
    const QString missing = reason("missing.py", "def remove_noise(images): pass\n");
    QVERIFY2(missing.contains("it has no 'denoise'"), qPrintable(missing));
    const QString ended = reason("ends.py", "import os\ndef denoise(images, strength):\n  os._exit(1)\n");
    QVERIFY2(ended.contains("its interpreter has ended"), qPrintable(ended));
  }

  void theExampleInPythonTakesNoiseAway() {
    if (!hasPython()) QSKIP("there is no python3 with numpy");
    SimulateOptions simulation;
    simulation.trajectory.pattern = Pattern::goldenRadial2d;
    simulation.trajectory.matrix = {48, 48, 1};
    simulation.trajectory.shots = 100;
    simulation.coils = 4;
    const auto clean = simulate(simulation, {});
    simulation.noise = 0.1;
    const auto noisy = simulate(simulation, {});
    const std::string file = std::string(SPOKELAB_SOURCE_DIR) + "/app/plugins/python/example_denoiser.py";
    // By a complex scale: whitened coils have maps of another phase.
    const auto truth = run(*clean, optionsWith("sense", 0, 20)).image;
    const double plain = nrmse(*run(*noisy, optionsWith("sense", 0, 20)).image, *truth);
    const double better = nrmse(*run(*noisy, withFile(file, 0.003, 20)).image, *truth);
    QVERIFY2(better < 0.8 * plain, qPrintable(QString("%1 of %2").arg(better).arg(plain)));
  }

  void modelsWithoutTheirLibraryAreRefused() {
    const QByteArray before = qgetenv(onnxRuntimeVariable);
    qputenv(onnxRuntimeVariable, "/nowhere/libonnxruntime.so");
    const std::string file = written("scales.onnx", scalingModel(0.5F, 2));
    const std::string told = reasonOf(*scan_, withFile(file));
    if (before.isEmpty())
      qunsetenv(onnxRuntimeVariable);
    else
      qputenv(onnxRuntimeVariable, before);
    QVERIFY2(told.find("ONNX Runtime, which runs such models, is not there") == 0, told.c_str());
  }

  void modelsDenoise() {
    const std::vector<cfloat> images = someImages(2);
    for (const int channels : {1, 2}) {
      std::vector<cfloat> found;
      try {
        found = denoised(written("scales.onnx", scalingModel(0.5F, channels)), 1, images);
      } catch (const Error& error) {
        if (std::string(error.reason()).find("is not there") == std::string::npos) throw;
        QSKIP("ONNX Runtime is not installed");
      }
      for (std::size_t i = 0; i < images.size(); ++i) QCOMPARE(found[i], 0.5F * images[i]);
    }
    const std::vector<cfloat> level = denoised(written("level.onnx", levelModel()), 0.25, images);
    for (std::size_t i = 0; i < images.size(); ++i) QVERIFY(std::abs(level[i] - 0.5F * images[i]) < 1e-6F);
    try {
      denoised(written("broken.onnx", "no model"), 1, images);
      QFAIL("no error");
    } catch (const Error& error) {
      QVERIFY2(std::string(error.reason()).find("ONNX Runtime says") == 0, error.what());
    }
  }
};

SPOKELAB_TEST(TestDenoisers)

}  // namespace test_denoisers

#include "test_denoisers.moc"
