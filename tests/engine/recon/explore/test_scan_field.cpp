// The field from the echoes of a scan: against the field that the scan was simulated with, and the
// image beside the one with the true map.
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/core/error.h"
#include "engine/recon/explore/scan_field.h"
#include "engine/recon/reconstruct.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/formats/images/write_image.h"
#include "engine/scan/simulate/random_numbers.h"
#include "engine/scan/simulate/simulate.h"
#include "engine/scan/simulate/truth_image.h"
#include "tests/test_main.h"

namespace test_scan_field {

using namespace spokelab;

namespace {

constexpr double twoPi = 2 * std::numbers::pi;

// A head in a field of -300 to 300 Hz along x.
SimulateOptions headScan(std::vector<double> echoTimes) {
  SimulateOptions o;
  o.trajectory.pattern = Pattern::spiral2d;
  o.trajectory.matrix = {40, 40, 1};
  o.trajectory.shots = 8;
  o.trajectory.dwellSeconds = 4e-6;
  o.coils = 2;
  o.offResonance = {FieldShape::linear, 300};
  o.echoTimes = std::move(echoTimes);
  return o;
}

std::vector<bool> objectOf(const Scan& scan) {
  const Image truth =
      truthImage(makePhantom(PhantomKind::head, 2), scan.geometry.matrix, TruthKind::points, {});
  std::vector<bool> inside;
  for (const cfloat& v : truth.data) inside.push_back(std::abs(v) > 0.05F);
  return inside;
}

// Hz, root mean square over the object.
double errorOf(const Image& found, const Image& truth, const std::vector<bool>& object) {
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < object.size(); ++i)
    if (object[i]) {
      const double d = double(found.data[i].real() - truth.data[i].real()) / twoPi;
      sum += d * d;
      ++count;
    }
  return std::sqrt(sum / count);
}

// Relative, over the object.
double difference(const Image& a, const Image& b, const std::vector<bool>& object) {
  double sum = 0, norm = 0;
  for (std::size_t i = 0; i < object.size(); ++i)
    if (object[i]) {
      sum += std::norm(cdouble(a.data[i] - b.data[i]));
      norm += std::norm(cdouble(b.data[i]));
    }
  return std::sqrt(sum / norm);
}

// Noise such that images of full sampling have this ratio of the object's median to the standard
// deviation of real and imaginary part.
std::shared_ptr<const Scan> withNoise(const Scan& clean, double snr) {
  auto scan = std::make_shared<Scan>(clean);
  const Image truth =
      truthImage(makePhantom(PhantomKind::head, 2), scan->geometry.matrix, TruthKind::points, {});
  std::vector<double> values;
  for (const cfloat& v : truth.data)
    if (std::abs(v) > 0.05F) values.push_back(std::abs(v));
  std::nth_element(values.begin(), values.begin() + std::ptrdiff_t(values.size() / 2), values.end());
  double weights = 0;
  for (const double w : scan->trajectories[0].weights) weights += w * w;
  const double sigma =
      values[values.size() / 2] / snr / std::sqrt(weights) * double(product(scan->geometry.matrix));
  std::uint64_t key = 1;
  for (auto& samples : scan->samples) {
    for (std::size_t i = 0; i < samples.size(); ++i) samples[i] += cfloat(sigma * complexNormal(key, i));
    ++key;
  }
  return scan;
}

ReconOptions senseOptions() {
  ReconOptions options;
  setOption(options, "method", "sense");
  setOption(options, "backend", "cpu");
  setOption(options, "effort", "estimate");
  return options;
}

}  // namespace

class TestScanField : public QObject {
  Q_OBJECT

 private slots:
  void theFieldOfASimulatedScanIsFoundToTwoHertz_data() {
    QTest::addColumn<std::vector<double>>("times");
    QTest::newRow("two echoes") << std::vector<double>{2e-3, 6e-3};
    QTest::newRow("three, unevenly") << std::vector<double>{1.5e-3, 3.2e-3, 6.5e-3};
  }
  void theFieldOfASimulatedScanIsFoundToTwoHertz() {
    QFETCH(std::vector<double>, times);
    SimulateOptions o = headScan(times);
    o.offResonance.decay = 40;
    const auto scan = withNoise(*simulate(o, {}), 20);
    const auto backend = makeCpuBackend();
    const ScanField found = fieldFromEchoes(*backend, *scan, senseOptions(), {});
    const Image truth = fieldImage(o.offResonance, scan->geometry.matrix);
    const double error = errorOf(*found.field, truth, objectOf(*scan));
    QVERIFY2(error < 2, qPrintable(QString::number(error)));
  }

  void theImageIsTheOneWithTheTrueMap() {
    const auto scan = withNoise(*simulate(headScan({1.5e-3, 3.2e-3, 6.5e-3}), {}), 20);
    const auto backend = makeCpuBackend();
    ReconOptions options = senseOptions();
    setOption(options, "frames", "0");
    setOption(options, "transform", "segmented");
    const Reconstruction truth = reconstruct({backend.get()}, *scan, options, nullptr, {});  // its own map
    setOption(options, "field-map", "echoes");
    const Reconstruction found = reconstruct({backend.get()}, *scan, options, nullptr, {});
    const double error = difference(*found.image, *truth.image, objectOf(*scan));
    QVERIFY2(error < 0.01, qPrintable(QString::number(error)));
    setOption(options, "field-map", "none");
    const Reconstruction plain = reconstruct({backend.get()}, *scan,
                                             [&] {
                                               setOption(options, "transform", "nufft");
                                               return options;
                                             }(),
                                             nullptr, {});
    QVERIFY(difference(*plain.image, *truth.image, objectOf(*scan)) > 0.05);
  }

  void whatIsMissingIsSaid() {
    SimulateOptions o = headScan({});
    o.trajectory.matrix = {16, 16, 1};
    const auto scan = simulate(o, {});
    const auto backend = makeCpuBackend();
    QVERIFY_THROWS_EXCEPTION(Error, fieldFromEchoes(*backend, *scan, senseOptions(), {}));
  }

  // Phases of Siemens' images, turned by the field between two echoes.
  void phaseImagesGiveTheirField() {
    constexpr int n = 32;
    std::vector<Image> images;
    for (const double t : {4.92e-3, 7.38e-3}) {
      Image image = nominalImage({n, n, 1}, "phase");
      for (int i = 0; i < n * n; ++i) {
        const double field = twoPi * (400.0 * (i % n - n / 2) / n);
        const double turns = -field * t / twoPi;
        image.data.push_back(cfloat(float(8192 * (turns - std::nearbyint(turns)))));
      }
      images.push_back(std::move(image));
    }
    const ScanField found = fieldFromImages(images, nullptr, {4.92e-3, 7.38e-3}, 8, {});
    for (int i = 0; i < n * n; ++i)
      QVERIFY(std::abs(found.field->data[std::size_t(i)].real() / twoPi - 400.0 * (i % n - n / 2) / n) < 2);
    QVERIFY_THROWS_EXCEPTION(Error, fieldFromImages(images, nullptr, {4.92e-3}, 8, {}));
  }

  // --field-map phase1,phase2,magnitude=m: two phase images and their magnitude correct a spiral.
  void imagesOfEchoesCorrectAnotherScan_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<bool>("tellsTimes");
    QTest::newRow("NIfTI") << "nii.gz" << false;
    QTest::newRow("DICOM, which tells its echo time") << "dcm" << true;
  }
  void imagesOfEchoesCorrectAnotherScan() {
    QFETCH(QString, kind);
    QFETCH(bool, tellsTimes);
    const SimulateOptions o = headScan({});
    const auto scan = simulate(o, {});
    const Image truth = fieldImage(o.offResonance, scan->geometry.matrix);
    const std::vector<bool> object = objectOf(*scan);
    QTemporaryDir folder;
    std::string names;
    const auto write = [&](const Image& image, const QString& name, ComplexPart part) {
      const std::string file = folder.filePath(name + "." + kind).toStdString();
      WriteOptions writing;
      writing.part = part;
      writeImage(image, file, writing, {});
      return file;
    };
    int number = 0;
    Image echo = *makeImage(*scan, 1, {0});
    for (const double t : {2e-3, 3.2e-3}) {
      echo.frameAxes = FrameAxes::grid({{FrameMeaning::echo, 1, {t}}});
      for (std::size_t i = 0; i < object.size(); ++i)
        echo.data[i] = cfloat(std::polar(object[i] ? 100.0 : 1.0, -double(truth.data[i].real()) * t));
      names += write(echo, "phase" + QString::number(++number), ComplexPart::phase) + ",";
    }
    names += "magnitude=" + write(echo, "magnitude", ComplexPart::magnitude);

    const auto backend = makeCpuBackend();
    ReconOptions options = senseOptions();
    setOption(options, "transform", "segmented");
    const Reconstruction wanted =
        reconstruct({backend.get()}, *scan, options, nullptr, {});  // the scan's map
    setOption(options, "field-map", names);
    if (!tellsTimes) {
      QVERIFY_THROWS_EXCEPTION(Error, reconstruct({backend.get()}, *scan, options, nullptr, {}));
      setOption(options, "echo-times", "2,3.2");
    }
    const Reconstruction found = reconstruct({backend.get()}, *scan, options, nullptr, {});
    const double error = difference(*found.image, *wanted.image, object);
    QVERIFY2(error < 0.02, qPrintable(QString::number(error)));
  }
};

SPOKELAB_CORE_TEST(TestScanField)

}  // namespace test_scan_field

#include "test_scan_field.moc"
