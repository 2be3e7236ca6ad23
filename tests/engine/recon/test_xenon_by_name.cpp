// A lung with 129Xe, straight from the scanner (SPOKELAB_DATA), under a trajectory that is named or
// found: its gas image is the image of the file that holds the true trajectory.
#include <QtTest>

#include <cmath>

#include "engine/recon/reconstruct.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/read/read_scan.h"
#include "tests/test_main.h"

namespace test_xenon_by_name {

using namespace spokelab;

namespace {

// Pearson's correlation of the magnitudes of the first frame.
double correlation(const Image& a, const Image& b) {
  const auto count = std::size_t(a.volume());
  double sumA = 0, sumB = 0, squareA = 0, squareB = 0, product = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = std::abs(a.data[i]), y = std::abs(b.data[i]);
    sumA += x, sumB += y, squareA += x * x, squareB += y * y, product += x * y;
  }
  const auto n = double(count);
  return (n * product - sumA * sumB) / std::sqrt((n * squareA - sumA * sumA) * (n * squareB - sumB * sumB));
}

}  // namespace

class TestXenonByName : public QObject {
  Q_OBJECT
  std::unique_ptr<Backend> cpu_ = makeCpuBackend();
  std::filesystem::path data_;
  std::shared_ptr<const Image> truth_;

  std::shared_ptr<const Image> imageOf(const std::filesystem::path& file, const ReadOptions& read) {
    ReconOptions options;
    options.nufft.alpha = 2;  // nothing is tuned
    options.nufft.width = 6;
    return reconstruct({cpu_.get()}, *readScan(data_ / file, read, Progress()), options, nullptr, {}).image;
  }

 private slots:
  void initTestCase() {
    const QByteArray folder = qgetenv("SPOKELAB_DATA");
    if (folder.isEmpty()) QSKIP("real scans: SPOKELAB_DATA is not set");
    data_ = folder.toStdString();
    if (!std::filesystem::exists(data_ / "cases/twix/demo_dixon.dat"))
      QSKIP("real scans: the file cases/twix/demo_dixon.dat is not there");
    truth_ = imageOf("xenon_3d_radial/xenon_gas_3d_radial.h5", {});
    QVERIFY(truth_);
  }

  void theGasIsTheSame_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("delays");
    QTest::addColumn<double>("least");
    QTest::newRow("named") << "koosh:halton-spiral,ramp=100,delay=-5"
                           << "none" << 0.999;
    QTest::newRow("order and delay found") << "koosh,ramp=100"
                                           << "common" << 0.97;
  }

  void theGasIsTheSame() {
    QFETCH(QString, name);
    QFETCH(QString, delays);
    QFETCH(double, least);
    ReadOptions read;
    read.separate.trajectory = name.toStdString();
    read.overrides["gradient-delays"] = delays.toStdString();
    const auto image = imageOf("cases/twix/demo_dixon.dat", read);
    QVERIFY(image && image->volume() == truth_->volume());
    const double found = correlation(*image, *truth_);
    QVERIFY2(found >= least, qPrintable(QString::number(found)));
  }

  // Without the correction the image is another one: the bound above tells them apart.
  void withoutTheDelayItIsNot() {
    ReadOptions read;
    read.separate.trajectory = "koosh:halton-spiral,ramp=100";
    const auto image = imageOf("cases/twix/demo_dixon.dat", read);
    QVERIFY(image);
    const double found = correlation(*image, *truth_);
    QVERIFY2(found < 0.97, qPrintable(QString::number(found)));
  }
};

SPOKELAB_CORE_TEST(TestXenonByName)

}  // namespace test_xenon_by_name

#include "test_xenon_by_name.moc"
