// forward: samples of an image at the accuracy asked for, from file to file, and back by
// reconstruct.
#include <QtTest>

#include <cmath>
#include <numbers>
#include <random>

#include <nlohmann/json.hpp>

#include "engine/scan/formats/arrays/array_file.h"
#include "engine/scan/formats/images/write_image.h"
#include "engine/scan/read/read_scan.h"
#include "tests/app/cli/run_cli.h"
#include "tests/engine/recon/measures.h"
#include "tests/test_main.h"

namespace test_forward {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr int nx = 18, ny = 16, shots = 9, perShot = 25, coils = 2;
constexpr std::int64_t samples = std::int64_t(shots) * perShot;

class TestForward : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir folder_;
  Image image_, maps_;
  std::vector<double> points_;  // cycles/pixel
  CliResult run(const QStringList& arguments) { return runCli(folder_.path(), arguments); }
  Buffer<cdouble> read(const char* name) const {
    return ArrayFile(folder_.filePath(name).toStdString()).readAll<cdouble>({}, "");
  }
  void write(const char* name, const QByteArray& bytes) const {
    QFile file(folder_.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
  }

  // sum_n C_c(n) f_n e^{-2 pi i n . k_j}
  std::vector<cdouble> sums(bool mapped) const {
    std::vector<cdouble> values;
    for (int c = 0; c < (mapped ? coils : 1); ++c)
      for (std::int64_t j = 0; j < samples; ++j) {
        std::complex<long double> sum = 0;
        for (int y = 0; y < ny; ++y)
          for (int x = 0; x < nx; ++x) {
            const long double turn = (long double)(points_[std::size_t(2 * j)]) * (x - nx / 2) +
                                     (long double)(points_[std::size_t(2 * j + 1)]) * (y - ny / 2);
            const auto i = std::size_t(y * nx + x);
            std::complex<long double> v(image_.doubleData[i]);
            if (mapped) v *= std::complex<long double>(maps_.doubleData[std::size_t(c * nx * ny) + i]);
            sum += v * std::polar(1.0L, -2 * std::numbers::pi_v<long double> * turn);
          }
        values.emplace_back(sum);
      }
    return values;
  }

 private slots:
  void initTestCase() {
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> uniform(-0.5, 0.5);
    image_.size = maps_.size = {nx, ny, 1};
    maps_.frames = coils;
    for (int i = 0; i < nx * ny; ++i) image_.doubleData.emplace_back(uniform(random), uniform(random));
    for (int i = 0; i < coils * nx * ny; ++i) maps_.doubleData.emplace_back(uniform(random), uniform(random));
    for (Image* image : {&image_, &maps_}) {
      image->data.resize(image->doubleData.size());
      image->settle();
    }
    for (std::int64_t i = 0; i < 2 * samples; ++i) points_.push_back(uniform(random));
    writeImage(image_, folder_.filePath("f.npy").toStdString(), {}, {});
    writeImage(maps_, folder_.filePath("maps.nii.gz").toStdString(), {}, {});
    const std::string header = npyHeaderText("<f8", {shots, perShot, 2});
    write("k.npy", QByteArray(header.data(), qsizetype(header.size())) +
                       QByteArray(reinterpret_cast<const char*>(points_.data()),
                                  qsizetype(points_.size() * sizeof(double))));
  }

  void samplesMeetTheAccuracyAskedFor_data() {
    QTest::addColumn<QStringList>("how");
    QTest::addColumn<bool>("mapped");
    const QStringList plan{"--precision", "double", "--accuracy", "1e-12", "--effort", "estimate"};
    QTest::newRow("plan") << plan << false;
    QTest::newRow("plan with maps") << plan << true;
    QTest::newRow("exact") << QStringList{"--exact"} << false;
    QTest::newRow("exact with maps") << QStringList{"--exact"} << true;
  }
  void samplesMeetTheAccuracyAskedFor() {
    QFETCH(QStringList, how);
    QFETCH(bool, mapped);
    QStringList arguments{"forward", "f.npy", "--trajectory", "k.npy", "--set", "k-unit=cycles/pixel",
                          "-o",      "y.npy"};
    if (mapped)
      arguments << "--coil-maps"
                << "maps.nii.gz";
    const CliResult r = run(arguments + how);
    QVERIFY2(r.code == 0, r.err.constData());
    const ArrayFile file(folder_.filePath("y.npy").toStdString());
    QCOMPARE(file.header().shape, (std::vector<std::int64_t>{mapped ? coils : 1, shots, perShot}));
    QVERIFY(file.header().type == ElementType::complex128);
    const double error = relativeDifference(read("y.npy"), sums(mapped));
    QVERIFY2(error < 1e-12, QByteArray::number(error));
  }

  // <A f, y> = <f, A^H y>, both sides through files: adjoint = N^2 x the unweighted image.
  void reconstructIsTheAdjoint() {
    const QStringList how{"--precision", "double", "--accuracy", "1e-12", "--effort", "estimate"};
    const CliResult forward = run(QStringList{"forward", "f.npy", "--trajectory", "k.npy", "--set",
                                              "k-unit=cycles/pixel", "-o", "y.npy"} +
                                  how);
    QVERIFY2(forward.code == 0, forward.err.constData());
    write("scan.json", QByteArray::fromStdString(nlohmann::json{
                           {"spokelab-scan", 1},
                           {"samples", {{"file", "y.npy"}, {"axes", {"coil", "shot", "sample"}}}},
                           {"trajectory", {{"file", "k.npy"}, {"unit", "cycles/pixel"}}},
                           {"matrix", {nx, ny}},
                           {"fov_mm", {180, 160, 5}}}.dump()));
    for (const QStringList& road : {how, QStringList{"--exact"}}) {
      const CliResult r =
          run(QStringList{"reconstruct", "scan.json", "-o", "g.npy", "--density", "none"} + road);
      QVERIFY2(r.code == 0, r.err.constData());
      const Buffer<cdouble> y = read("y.npy"), g = read("g.npy");
      cdouble left = 0, right = 0;
      for (const cdouble& v : y) left += std::norm(v);
      for (std::size_t i = 0; i < g.size(); ++i)
        right += std::conj(image_.doubleData[i]) * g[i] * double(nx * ny);
      QVERIFY2(std::abs(left - right) < 1e-12 * std::abs(left),
               QByteArray::number(std::abs(left - right) / std::abs(left)));
    }
  }

  void aFormatThatCannotHoldItSaysSo() {
    const QStringList forward{"forward", "f.npy", "--trajectory", "k.npy", "--set", "k-unit=cycles/pixel",
                              "--exact", "-o"};
    const CliResult cfl = run(forward + QStringList{"y.cfl"});
    QVERIFY2(cfl.code == 0 && cfl.out.contains("single precision"), cfl.out + cfl.err);
    const Buffer<cdouble> rounded = read("y.cfl");
    QVERIFY(relativeDifference(rounded, sums(false)) < 1e-6);
    const CliResult mrd = run(forward + QStringList{"y.h5"});
    QVERIFY2(mrd.code == 0 && mrd.out.contains("single precision"), mrd.out + mrd.err);
    QCOMPARE(readScan(folder_.filePath("y.h5").toStdString(), {}, {})->trajectory(0).samples(), samples);
    const CliResult npy = run(forward + QStringList{"y.npy"});
    QVERIFY(npy.code == 0 && !npy.out.contains("single precision"));
    const CliResult picture = run({"reconstruct", "demo", "--precision", "double", "--effort", "estimate",
                                   "--frames", "0", "-o", "demo.png"});
    QVERIFY2(picture.code == 0 && picture.out.contains("8 bits"), picture.out + picture.err);
  }

  void whatDoesNotFitIsRefused() {
    const CliResult maps =
        run({"forward", "f.npy", "--trajectory", "k.npy", "--coil-maps", "k.npy", "-o", "y.npy"});
    QVERIFY(maps.code != 0 && maps.err.contains("coil maps"));
    const CliResult points = run({"forward", "f.npy", "--trajectory", "f.npy", "-o", "y.npy"});
    QVERIFY(points.code != 0 && points.err.contains("last axis"));
    const CliResult unit =
        run({"forward", "f.npy", "--trajectory", "k.npy", "--set", "k-unit=1/m", "-o", "y.npy"});
    QVERIFY(unit.code != 0 && unit.err.contains("cycles/pixel"));
    const CliResult name = run({"forward", "f.npy", "--trajectory", "k.npy", "-o", "y.txt"});
    QVERIFY(name.code != 0 && name.err.contains(".npy"));
  }
};

}  // namespace

SPOKELAB_TEST(TestForward)

}  // namespace test_forward

#include "test_forward.moc"
