// Real scans, with no option given, come out as the exact sums say, and as their makers' reference.
#include <ismrmrd/dataset.h>
#include <QtTest>
#include <cmath>

#include "engine/nufft/exact/nudft.h"
#include "engine/recon/density/density.h"
#include "engine/recon/reconstruct.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/read/read_scan.h"
#include "tests/engine/recon/measures.h"
#include "tests/test_main.h"

namespace test_real_scans {

using namespace spokelab;

class TestRealScans : public QObject {
  Q_OBJECT
  std::unique_ptr<Backend> cpu_ = makeCpuBackend();
  std::string data_;

  // Pixels spread over the image by a step that shares no factor with its sizes.
  static std::vector<std::int64_t> somePixels(std::int64_t pixels) {
    constexpr std::int64_t count = 1500, step = 7919;
    std::vector<std::int64_t> chosen;
    for (std::int64_t i = 0; i < count; ++i) chosen.push_back(i * step % pixels);
    return chosen;
  }

  // N^-d sum_j w_j y_j e^{+2 pi i n k_j} in double at some pixels, coils combined.
  std::vector<cdouble> exactPixels(const Scan& scan, const std::vector<std::int64_t>& pixels) {
    const Trajectory& t = scan.trajectory(0);
    const Index3& matrix = scan.geometry.matrix;
    const DensityWeights density = densityWeights(t, matrix, {}, *cpu_, {});
    NufftProblem problem;
    problem.dims = t.dims;
    double scale = 1;
    std::vector<double> points(t.points.size());
    const auto dims = std::size_t(t.dims);
    for (std::size_t d = 0; d < dims; ++d) {
      problem.size[d] = matrix[d];
      scale /= double(matrix[d]);
    }
    for (std::size_t i = 0; i < points.size(); ++i) points[i] = t.points[i] / double(matrix[i % dims]);
    std::vector<double> squares(pixels.size(), 0);
    std::vector<cdouble> result(pixels.size());
    for (int c = 0; c < scan.coils; ++c) {
      std::vector<cdouble> samples(density.values.size());
      for (std::size_t j = 0; j < samples.size(); ++j)
        samples[j] = cdouble(scan.data(0, 0, c)[j]) * density.values[j] * scale;
      const std::vector<cdouble> values = nudftAdjoint(problem, points, samples, pixels);
      for (std::size_t i = 0; i < pixels.size(); ++i) squares[i] += std::norm(values[i]);
      if (scan.coils == 1) result = values;
    }
    if (scan.coils > 1)
      for (std::size_t i = 0; i < pixels.size(); ++i) result[i] = std::sqrt(squares[i]);
    return result;
  }

 private slots:
  void initTestCase() {
    const QByteArray folder = qgetenv("SPOKELAB_DATA");
    if (folder.isEmpty()) QSKIP("real scans: SPOKELAB_DATA is not set");
    data_ = folder.toStdString();
  }

  void gridsAsTheExactSumsSay_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("density");
    QTest::newRow("cardiac") << "cardiac_radial_12ch/cardiac_radial_12ch.h5"
                             << "analytic, radial (25 spokes)";
    QTest::newRow("xenon") << "xenon_3d_radial/xenon_gas_3d_radial.h5"
                           << "analytic, radial (1000 spokes)";
    for (const char* kind : {"clean", "Susc70Mhz", "CS"})
      QTest::newRow(kind) << QString("jemris_spiral_ismrmrd/signals_spiralout_%1_slc90.h5").arg(kind)
                          << "Pipe-Menon, 20 iterations";
  }

  void gridsAsTheExactSumsSay() {
    if (data_.empty()) QSKIP("real scans: SPOKELAB_DATA is not set");
    QFETCH(QString, file);
    QFETCH(QString, density);
    const auto scan = readScan(data_ + "/" + file.toStdString(), {}, {});
    const ReconOptions options;
    const Reconstruction r = reconstruct({cpu_.get()}, *scan, options, nullptr, {});
    QVERIFY(r.image);
    QVERIFY(r.tuning);
    QCOMPARE(QString::fromStdString(r.density), density);
    QVERIFY(r.image->size == scan->geometry.matrix);
    const std::vector<std::int64_t> pixels = somePixels(r.image->volume());
    std::vector<cfloat> fast;
    for (std::int64_t p : pixels) fast.push_back(r.image->data[std::size_t(p)]);
    const double error = test::relativeDifference(fast, exactPixels(*scan, pixels));
    QVERIFY2(error <= options.nufft.accuracy, QByteArray::number(error));
  }

  // The reference lies in the file of images as image_1, magnitude, x fastest, 220 x 220. It needs
  // no flip and no transposition: among all of them, and shifts by a pixel, the plain comparison is
  // the closest.
  void jemrisLooksLikeItsReference() {
    if (data_.empty()) QSKIP("real scans: SPOKELAB_DATA is not set");
    const std::string folder = data_ + "/jemris_spiral_ismrmrd/";
    ISMRMRD::Dataset dataset((folder + "reco_spiralout_clean_slc90.h5").c_str(), "images", false);
    ISMRMRD::Image<float> reference;
    dataset.readImage("image_1", 0, reference);
    const auto scan = readScan(folder + "signals_spiralout_clean_slc90.h5", {}, {});
    const Reconstruction r = reconstruct({cpu_.get()}, *scan, {}, nullptr, {});
    QVERIFY(r.image);
    QCOMPARE(std::int64_t(reference.getNumberOfDataElements()), r.image->volume());
    std::vector<double> expected, found;
    for (std::int64_t i = 0; i < r.image->volume(); ++i) {
      expected.push_back(std::abs(double(reference.getDataPtr()[i])));
      found.push_back(std::abs(r.image->data[std::size_t(i)]));
    }
    const double error = test::nrmse(found, expected);
    QVERIFY2(error <= 0.12, QByteArray::number(error));
  }
};

SPOKELAB_TEST(TestRealScans)

}  // namespace test_real_scans

#include "test_real_scans.moc"
