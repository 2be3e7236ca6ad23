// Numbers of 8 bytes stay what they are from the files to the image, and into the files of it.
#include <QtTest>

#include <cmath>
#include <numbers>
#include <random>

#include <nlohmann/json.hpp>

#include "engine/recon/reconstruct.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/check/compare_images.h"
#include "engine/scan/formats/images/read_image.h"
#include "engine/scan/formats/images/write_image.h"
#include "engine/scan/read/read_scan.h"
#include "tests/engine/recon/measures.h"
#include "tests/engine/scan/array_folder.h"
#include "tests/test_main.h"

namespace test_double_precision {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr int nx = 20, ny = 14, shots = 12, perShot = 31, coils = 2;
constexpr std::int64_t samples = std::int64_t(shots) * perShot;

class TestDoublePrecision : public QObject, private ArrayFolder {
  Q_OBJECT

 private:
  std::vector<double> points_;    // [sample, dim], cycles/FOV
  std::vector<cdouble> samples_;  // [coil, sample]
  std::shared_ptr<const Scan> scan_;

  // N^-2 sum_j y_j e^{+2 pi i n . k_j}, over the shots before `end`.
  std::vector<cdouble> sums(int coil, int end) const {
    std::vector<cdouble> image(std::size_t(nx * ny));
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        std::complex<long double> sum = 0;
        for (int j = 0; j < end * perShot; ++j) {
          const long double turn = (long double)(points_[std::size_t(2 * j)]) / nx * (x - nx / 2) +
                                   (long double)(points_[std::size_t(2 * j + 1)]) / ny * (y - ny / 2);
          const cdouble v = samples_[std::size_t(coil * samples + j)];
          sum += std::complex<long double>(v) * std::polar(1.0L, 2 * std::numbers::pi_v<long double> * turn);
        }
        image[std::size_t(y * nx + x)] = cdouble(sum / (long double)(nx * ny));
      }
    return image;
  }
  Reconstruction run(const std::vector<std::pair<std::string, std::string>>& options) const {
    ReconOptions asked;
    for (const auto& [name, value] : options) setOption(asked, name, value);
    const auto cpu = makeCpuBackend();
    return reconstruct({cpu.get()}, *scan_, asked, nullptr, {});
  }

 private slots:
  void initTestCase() {
    renew();
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> uniform(-0.5, 0.5);
    for (std::int64_t j = 0; j < samples; ++j) {
      points_.push_back(nx * uniform(random));
      points_.push_back(ny * uniform(random));
    }
    for (std::int64_t i = 0; i < coils * samples; ++i)
      samples_.emplace_back(uniform(random), uniform(random));
    write("k.npy", npyHeader("<f8", {shots, perShot, 2}) + bytesOf(points_));
    write("y.npy", npyHeader("<c16", {coils, shots, perShot}) + bytesOf(samples_));
    const nlohmann::json j = {{"spokelab-scan", 1},
                              {"samples", {{"file", "y.npy"}, {"axes", {"coil", "shot", "sample"}}}},
                              {"trajectory", {{"file", "k.npy"}, {"unit", "cycles/FOV"}}},
                              {"matrix", {nx, ny}},
                              {"fov_mm", {200, 140, 5}}};
    write("scan.json", j.dump());
    scan_ = readScan(path("scan.json"), {}, {});
  }

  void filesAreReadAsTheyAre() {
    QCOMPARE(scan_->trajectory(0).points, points_);
    QVERIFY(scan_->isDouble());
    for (int c = 0; c < coils; ++c)
      QVERIFY(std::equal(samples_.begin() + c * samples, samples_.begin() + (c + 1) * samples,
                         scan_->data<cdouble>(0, 0, c)));
    QCOMPARE(scan_->data(0, 0, 1)[3], cfloat(samples_[std::size_t(samples + 3)]));
  }
  void imagesMeetTheAccuracyAskedFor_data() {
    QTest::addColumn<bool>("exact");
    QTest::newRow("plan") << false;
    QTest::newRow("exact sums") << true;
  }
  void imagesMeetTheAccuracyAskedFor() {
    QFETCH(bool, exact);
    const std::vector<std::pair<std::string, std::string>> how =
        exact ? std::vector<std::pair<std::string, std::string>>{{"exact", "true"}, {"density", "none"}}
              : std::vector<std::pair<std::string, std::string>>{{"precision", "double"},
                                                                 {"accuracy", "1e-12"},
                                                                 {"effort", "estimate"},
                                                                 {"density", "none"}};
    const auto with = [&](std::vector<std::pair<std::string, std::string>> more) {
      more.insert(more.end(), how.begin(), how.end());
      return run(more);
    };
    const auto apart = with({{"combine", "none"}});
    QVERIFY(apart.image && apart.image->isDouble());
    std::vector<cdouble> both = sums(0, shots);
    const std::vector<cdouble> second = sums(1, shots);
    both.insert(both.end(), second.begin(), second.end());
    QVERIFY2(relativeDifference(apart.image->doubleData, both) < 1e-12,
             QByteArray::number(relativeDifference(apart.image->doubleData, both)));
    QCOMPARE(apart.image->data[5], cfloat(apart.image->doubleData[5]));

    std::vector<cdouble> squares(std::size_t(nx * ny));
    const auto someShots = with({{"shots", "0-6"}});
    const std::vector<cdouble> a = sums(0, 7), b = sums(1, 7);
    for (std::size_t i = 0; i < squares.size(); ++i)
      squares[i] = std::sqrt(std::norm(a[i]) + std::norm(b[i]));
    QVERIFY2(relativeDifference(someShots.image->doubleData, squares) < 1e-12,
             QByteArray::number(relativeDifference(someShots.image->doubleData, squares)));

    const auto oneCoil = with({{"coils", "1"}});
    QVERIFY2(relativeDifference(oneCoil.image->doubleData, second) < 1e-12,
             QByteArray::number(relativeDifference(oneCoil.image->doubleData, second)));
  }
  void iterationsEndInDouble() {
    std::vector<std::pair<std::string, std::string>> options{
        {"method", "sense"}, {"coil-maps", "walsh"}, {"iterations", "3"}, {"accuracy", "1e-5"}};
    const auto single = run(options);
    QVERIFY(single.image && !single.image->isDouble());
    options.emplace_back("precision", "double");
    const auto wide = run(options);
    QVERIFY(wide.image->isDouble());
    bool more = false;
    for (const cdouble& v : wide.image->doubleData) more = more || v != cdouble(cfloat(v));
    QVERIFY(more);
    QVERIFY(nrmse(*wide.image, *single.image) < 1e-3);
  }
  void singlePrecisionStaysSingle() {
    const auto result = run({{"effort", "estimate"}});
    QVERIFY(!result.image->isDouble());
  }
  void filesOfImagesKeepThem() {
    const auto result = run({{"exact", "true"}, {"coils", "0"}});
    for (const char* name : {"x.npy", "x.nii", "x.nii.gz", "x.h5"}) {
      writeImage(*result.image, path(name), {}, {});
      const Image back = readImage(path(name), {});
      QVERIFY2(back.doubleData == result.image->doubleData && back.data == result.image->data, name);
      WriteOptions magnitude;
      magnitude.part = ComplexPart::magnitude;
      writeImage(*result.image, path(name), magnitude, {});
      const Image sizes = readImage(path(name), {});
      QVERIFY(sizes.isDouble());
      QCOMPARE(sizes.value(7), cdouble(std::abs(result.image->doubleData[7])));
      QCOMPARE(nrmse(*result.image, back), 0.0);
    }
  }
};

}  // namespace

SPOKELAB_TEST(TestDoublePrecision)

}  // namespace test_double_precision

#include "test_double_precision.moc"
