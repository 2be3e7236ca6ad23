// HDF5 files of public layouts open unasked, as the scan that was written; others say what they
// hold.
#include <QtTest>

#include <cmath>
#include <numbers>

#include "engine/recon/reconstruct.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/check/compare_images.h"
#include "engine/scan/formats/images/read_image.h"
#include "engine/scan/read/description/propose_description.h"
#include "engine/scan/read/read_scan.h"
#include "tests/engine/scan/array_folder.h"
#include "tests/engine/scan/hdf5_file.h"
#include "tests/engine/scan/variant_file.h"
#include "tests/test_main.h"

namespace test_hdf5_layouts {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr int matrix = 24, shots = 11, coils = 2;

std::string choiceOn(const Scan& scan, const std::string& topic) {
  for (const Decision& d : scan.decisions)
    if (d.topic == topic) return d.choice;
  return "";
}

}  // namespace

class TestHdf5Layouts : public QObject, private ArrayFolder {
  Q_OBJECT

 private:
  std::shared_ptr<const Scan> scan_;
  std::int64_t samples_ = 0;

  std::shared_ptr<const Scan> read(const std::string& name) {
    return readScan(path(name), ReadOptions(), Progress());
  }
  // [shot, sample, coil], the coil fastest.
  std::vector<cfloat> byShots() const {
    std::vector<cfloat> k;
    for (std::int64_t i = 0; i < shots * samples_; ++i)
      for (int c = 0; c < coils; ++c) k.push_back(scan_->data(0, 0, c)[i]);
    return k;
  }
  void compareToWritten(const Scan& scan) {
    QCOMPARE(scan.coils, coils);
    QCOMPARE(scan.trajectory(0).shots(), std::int64_t(shots));
    QVERIFY((scan.geometry.matrix == Index3{matrix, matrix, 1}));
    const auto &a = scan.trajectory(0).points, &b = scan_->trajectory(0).points;
    QCOMPARE(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) QVERIFY(std::abs(a[i] - b[i]) < 1e-5);
    QVERIFY(scan.samples == scan_->samples);
  }
  double errorOf(const std::filesystem::path& file) {
    const std::filesystem::path data = qgetenv("SPOKELAB_DATA").toStdString();
    const auto scan = readScan(file, ReadOptions(), Progress());
    const auto cpu = makeCpuBackend();
    const Reconstruction done = reconstruct({cpu.get()}, *scan, ReconOptions(), nullptr, Progress());
    return nrmse(*done.image, readImage(data / "cases/truth64.npy", Progress()));
  }

 private slots:
  void init() {
    renew();
    scan_ = smallRadial(matrix, shots, coils);
    samples_ = scan_->trajectory(0).samples() / shots;
  }

  void rieslingOpensUnasked() {
    for (const bool old : {false, true}) {
      std::vector<float> k;
      for (const double v : scan_->trajectory(0).points) k.push_back(float(old ? v / matrix : v));
      {
        Hdf5File file(path("riesling.h5"));
        file.write(old ? "noncartesian" : "data", {1, 1, shots, samples_, coils}, byShots(), true);
        file.write("trajectory", {shots, samples_, 2}, k);
        if (!old) file.setAttribute("trajectory", "matrix", {matrix, matrix, 1});
        file.writeRecord("info", {{"matrix", {matrix, matrix, 1}},
                                  {"voxel_size", {10, 10, 5}},
                                  {"origin", {-120, -120, 7}},
                                  {"direction", {1, 0, 0, 0, 1, 0, 0, 0, 1}}});
      }
      const auto scan = read("riesling.h5");
      compareToWritten(*scan);
      QCOMPARE(choiceOn(*scan, "layout"), std::string("RIESLING"));
      QVERIFY((scan->geometry.fov == Vec3{240, 240, 5}));
      // The origin is the first voxel's centre: the middle voxel lies at 0.
      QVERIFY(std::abs(scan->geometry.slicePositions[0][0]) < 1e-3);
      QVERIFY(std::abs(scan->geometry.slicePositions[0][2] - 7) < 1e-3);
    }
  }

  void rrsgOpensUnasked() {
    std::vector<cfloat> k;
    std::vector<float> t;
    const auto& points = scan_->trajectory(0).points;
    for (int column = 0; column < 3; ++column)
      for (std::int64_t i = 0; i < samples_; ++i)
        for (int s = 0; s < shots; ++s)
          t.push_back(column < 2 ? float(points[std::size_t((s * samples_ + i) * 2 + column)]) : 0.0f);
    for (std::int64_t i = 0; i < samples_; ++i)
      for (int s = 0; s < shots; ++s)
        for (int c = 0; c < coils; ++c) k.push_back(scan_->data(0, 0, c)[s * samples_ + i]);
    {
      Hdf5File file(path("rrsg.h5"));
      file.write("rawdata", {1, samples_, shots, coils}, k);
      file.write("trajectory", {3, samples_, shots}, t);
    }
    const auto scan = read("rrsg.h5");
    compareToWritten(*scan);
    QCOMPARE(choiceOn(*scan, "layout"), std::string("RRSG challenge"));
  }

  // A point source gives samples whose image is that point.
  void fastMriIsACartesianGrid() {
    constexpr int slices = 2, readout = 32, phase = 16, x = 3, y = -2;
    std::vector<cfloat> k;
    for (int slice = 0; slice < slices; ++slice)
      for (int c = 0; c < coils; ++c)
        for (int i = 0; i < readout; ++i)
          for (int j = 0; j < phase; ++j) {
            // The readout is oversampled twice: 32 samples over 2 x 16 pixels.
            const double turns = double(i - readout / 2) * x / readout + double(j - phase / 2) * y / phase;
            k.push_back(cfloat(std::polar(1.0 + c + slice, -2 * std::numbers::pi * turns)));
          }
    {
      Hdf5File file(path("fastmri.h5"));
      file.write("kspace", {slices, coils, readout, phase}, k, true);
      file.writeText("ismrmrd_header",
                     headerText({readout, phase, 1, 320, 160, 5}, {16, 16, 1, 160, 160, 5}));
    }
    const auto scan = read("fastmri.h5");
    QCOMPARE(choiceOn(*scan, "layout"), std::string("fastMRI"));
    QCOMPARE(scan->slices, slices);
    QCOMPARE(scan->coils, coils);
    QVERIFY((scan->geometry.matrix == Index3{16, 16, 1}));
    const auto& t = scan->trajectory(0);
    QCOMPARE(t.shots(), std::int64_t(phase));
    for (std::size_t j = 0; j < std::size_t(t.samples()); ++j) {
      const double turns = t.points[2 * j] * x / 16 + t.points[2 * j + 1] * y / 16;
      const auto expected = cfloat(std::polar(3.0, -2 * std::numbers::pi * turns));
      QVERIFY(std::abs(scan->data(0, 1, 1)[j] - expected) < 1e-4f);
    }
  }

  void maskedFastMriIsRefused() {
    Hdf5File(path("masked.h5")).write("kspace", {1, 1, 8, 8}, std::vector<cfloat>(64, 1.0f));
    {
      Hdf5File file(path("masked.h5"));
      file.write("kspace", {1, 1, 8, 8}, std::vector<cfloat>(64, 1.0f));
      file.write("mask", {8}, std::vector<float>(8, 1.0f));
      file.writeText("ismrmrd_header", headerText({8, 8, 1, 80, 80, 5}, {8, 8, 1, 80, 80, 5}));
    }
    const std::string reason = reasonOf([&] { read("masked.h5"); });
    QVERIFY2(reason.find("masked") != std::string::npos, reason.c_str());
  }

  void theBreastSetIsAGoldenAngleStack() {
    constexpr int spokes = 5, samples = 16, partitions = 6;
    std::vector<float> parts(std::size_t(2 * spokes * samples * coils * partitions));
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i] = float(i % 251);
    Hdf5File(path("breast.h5")).write("kspace", {2, spokes, samples, coils, partitions}, parts);
    const auto scan = read("breast.h5");
    QCOMPARE(choiceOn(*scan, "layout"), std::string("fastMRI breast"));
    QCOMPARE(scan->dims(), 3);
    QCOMPARE(scan->coils, coils);
    QVERIFY((scan->geometry.matrix == Index3{8, 8, 192}));
    const auto& t = scan->trajectory(0);
    QCOMPARE(t.shots(), std::int64_t(spokes * partitions));
    const double golden = std::numbers::pi / std::numbers::phi;
    for (int s = 0; s < spokes; ++s)
      for (int p = 0; p < partitions; ++p)
        for (int n = 0; n < samples; ++n) {
          const std::size_t at = std::size_t((s * partitions + p) * samples + n);
          QVERIFY(std::abs(t.points[3 * at] - (n - 8) / 2.0 * std::cos(golden * s)) < 1e-9);
          QVERIFY(std::abs(t.points[3 * at + 2] - (p - 3)) < 1e-9);
          for (int c = 0; c < coils; ++c) {
            const std::size_t real = std::size_t(((s * samples + n) * coils + c) * partitions + p);
            QVERIFY(scan->data(0, 0, c)[at] == cfloat(parts[real], parts[real + parts.size() / 2]));
          }
        }
  }

  void anyOtherLayoutCanBeDescribed() {
    {
      Hdf5File file(path("mine.h5"));
      file.makeGroup("scan");
      file.write("scan/ksp", {coils, shots, samples_}, samplesOf(*scan_));
      file.write("scan/traj", {shots, samples_, 2}, scan_->trajectory(0).points);
    }
    try {
      read("mine.h5");
      QFAIL("a layout that nobody knows was read");
    } catch (const Error& e) {
      QVERIFY2(e.reason().find("scan/ksp 2 x 11") != std::string::npos, e.what());
      QVERIFY2(e.remedy().find("mine.h5:DATASET") != std::string::npos, e.what());
    }
    ScanDescription d = proposeScanDescription(path("mine.h5:scan/ksp")).description;
    QCOMPARE(d.samples.file.string(), std::string("mine.h5:scan/ksp"));
    QCOMPARE(d.trajectory.front().file.string(), std::string("mine.h5:scan/traj"));
    d.matrix = {matrix, matrix};
    write("mine.json", scanDescriptionText(d));
    compareToWritten(*read("mine.json"));
  }

  void realFilesGiveTheirImage() {
    const QByteArray folder = qgetenv("SPOKELAB_DATA");
    if (folder.isEmpty()) QSKIP("real scans: SPOKELAB_DATA is not set");
    const std::filesystem::path cases = std::filesystem::path(folder.toStdString()) / "cases";
    if (!std::filesystem::exists(cases)) QSKIP("real scans: the folder cases is not there");
    for (const char* file : {"hdf5/i5_riesling.h5", "hdf5/i6_rrsg.h5"}) {
      const double error = errorOf(cases / file);
      QVERIFY2(error < 0.068, (std::string(file) + ": " + std::to_string(error)).c_str());
    }
  }
};

SPOKELAB_CORE_TEST(TestHdf5Layouts)

}  // namespace test_hdf5_layouts

#include "test_hdf5_layouts.moc"
