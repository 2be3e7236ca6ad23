// Small files of other people's kinds (SPOKELAB_DATA, its folder cases) give their right picture: echoes
// beside coils, pairs of real numbers, MATLAB files of other programs, bad readouts.
#include <QtTest>

#include <QTemporaryDir>

#include <fstream>

#include "engine/core/error.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/run/run_job.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/check/compare_images.h"
#include "engine/scan/formats/images/read_image.h"
#include "engine/scan/read/description/propose_description.h"
#include "engine/scan/read/description/scan_description.h"
#include "engine/scan/read/read_scan.h"
#include "tests/test_main.h"

namespace test_array_cases {

using namespace spokelab;

namespace {

namespace fs = std::filesystem;

// The first frame, coils as the root of the sum of squares.
Image pictureOf(const Scan& scan) {
  static const std::unique_ptr<Backend> backend = makeCpuBackend();
  ReconOptions options;
  options.prewhitening = Prewhitening::off;
  options.frames = "0";
  options.nufft.accuracy = 1e-3;
  options.nufft.alpha = 2;
  options.nufft.width = 5;
  return *runJob(*backend, scan, options, nullptr, nullptr, Progress()).image;
}

const Decision* decisionOn(const Scan& scan, const std::string& topic) {
  for (const Decision& d : scan.decisions)
    if (d.topic == topic) return &d;
  return nullptr;
}

class TestArrayCases : public QObject {
  Q_OBJECT

  fs::path cases_;
  QTemporaryDir folder_;

  // Copies a folder or file and opens what is proposed for it, with the matrix of the truth.
  std::shared_ptr<const Scan> proposed(const std::string& from, const std::string& name) {
    const fs::path to =
        folder_.filePath(QString::fromStdString(fs::path(from).filename().string())).toStdString();
    const bool isFile = fs::is_regular_file(cases_ / from);
    fs::create_directories(to);
    fs::copy(cases_ / from, isFile ? to / name : to,
             fs::copy_options::recursive | fs::copy_options::overwrite_existing);
    ScanDescription d = proposeScanDescription(to / name).description;
    d.matrix = {64, 64};
    std::ofstream(to / "scan.json") << scanDescriptionText(d);
    return readScan(to / "scan.json", {}, Progress());
  }
  // Gridding of 100 spokes is this far from the truth; of 60 spokes, and with the file's own weights, farther.
  void compareWithTruth(const Scan& scan, double mostOfGridding = 0.068) {
    const Image truth = readImage(cases_ / "truth64.npy", Progress());
    const double error = nrmse(pictureOf(scan), truth);
    QVERIFY2(error < mostOfGridding, std::to_string(error).c_str());
  }

 private slots:
  void initTestCase() {
    const QByteArray folder = qgetenv("SPOKELAB_DATA");
    if (folder.isEmpty()) QSKIP("cases of other people: SPOKELAB_DATA is not set");
    cases_ = fs::path(folder.toStdString()) / "cases";
    if (!fs::exists(cases_)) QSKIP("cases of other people: SPOKELAB_DATA has no folder cases");
  }
  void echoesBesideCoils() {
    const auto scan = proposed("arrays/echoes_by_coils", "ksp.npy");
    QCOMPARE(scan->frames, 5);
    QCOMPARE(scan->slices, 1);
    QCOMPARE(scan->coils, 4);
    QVERIFY(decisionOn(*scan, "array-axes")->question);
    QCOMPARE(scan->frameAxes.text(1), std::string("echo 2 of 5"));
    compareWithTruth(*scan, 0.085);
  }
  void complexNumbersAsPairs() {
    const auto scan = proposed("arrays/complex_as_pairs", "kdata.npy");
    QCOMPARE(scan->coils, 4);
    QCOMPARE(scan->trajectory(0).shots(), std::int64_t(100));
    compareWithTruth(*scan);
  }
  void pointsInRowsWithVolumeElements() {
    const auto scan = proposed("mat/i43_monalisa.mat", "i43_monalisa.mat");
    QVERIFY(!scan->trajectory(0).weights.empty());
    const Decision &unit = *decisionOn(*scan, "k-unit"), &fov = *decisionOn(*scan, "fov");
    QCOMPARE(unit.choice, std::string("1/mm"));
    QCOMPARE(fov.choice, std::string("240x240x1"));
    QVERIFY(unit.question && fov.question);
    compareWithTruth(*scan, 0.105);
  }
  void matlabFileThatPythonWrote() {
    compareWithTruth(*proposed("mat/i46_v73_by_python.mat", "i46_v73_by_python.mat"));
  }
  void oneBadSample() {
    const auto scan = readScan(cases_ / "ismrmrd/i21_nan.h5", {}, Progress());
    QCOMPARE(decisionOn(*scan, "bad-readouts")->choice, std::string("leave-out"));
    const auto& numbers = scan->trajectory(0).shotNumbers;
    QVERIFY(!numbers.empty() && std::find(numbers.begin(), numbers.end(), 37) == numbers.end());
    QCOMPARE(scan->trajectory(0).wholeShots, scan->trajectory(0).shots() + 1);
    compareWithTruth(*scan);
    ReadOptions refusing;
    refusing.overrides["bad-readouts"] = "refuse";
    QVERIFY_THROWS_EXCEPTION(Error, readScan(cases_ / "ismrmrd/i21_nan.h5", refusing, Progress()));
    refusing.selection.shots = "0-36,38-99";
    compareWithTruth(*readScan(cases_ / "ismrmrd/i21_nan.h5", refusing, Progress()));
  }
  void linesWithoutATrajectory() {
    const auto scan = readScan(cases_ / "ismrmrd/i27_some_without_traj.h5", {}, Progress());
    QCOMPARE(scan->trajectory(0).shots(), std::int64_t(100));
    QVERIFY(!scan->warnings.empty());
    compareWithTruth(*scan);
  }
};

}  // namespace

SPOKELAB_TEST(TestArrayCases)

}  // namespace test_array_cases

#include "test_array_cases.moc"
