// Samples in one file, their trajectory, weights and noise in others, of every format: the scan is
// the one that a single file holds, or the files are refused.
#include <QtTest>

#include "engine/scan/read/missing_trajectory.h"
#include "engine/scan/read/read_scan.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/engine/scan/array_folder.h"
#include "tests/engine/scan/hdf5_file.h"
#include "tests/engine/scan/stream_file.h"
#include "tests/test_main.h"

namespace test_separate_files {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr int matrix = 24, shots = 9, coils = 3;

std::shared_ptr<const Scan> smallScan() {
  SimulateOptions o;
  o.trajectory.matrix = {matrix, matrix, 1};
  o.trajectory.shots = shots;
  o.coils = coils;
  return simulate(o, Progress());
}

const Decision* decisionOn(const Scan& scan, const std::string& topic) {
  for (const Decision& d : scan.decisions)
    if (d.topic == topic) return &d;
  return nullptr;
}

}  // namespace

class TestSeparateFiles : public QObject, private ArrayFolder {
  Q_OBJECT

 private:
  std::shared_ptr<const Scan> scan_, whole_;
  std::int64_t samples_ = 0;  // a shot

  std::shared_ptr<const Scan> read(const std::string& name, const std::string& trajectory,
                                   std::map<std::string, std::string> overrides = {},
                                   const std::string& weights = "", const std::string& noise = "") {
    ReadOptions options;
    options.overrides = std::move(overrides);
    options.separate.trajectory = trajectory.empty() ? "" : path(trajectory);
    options.separate.weights = weights.empty() ? "" : path(weights);
    options.separate.noise = noise.empty() ? "" : path(noise);
    return readScan(path(name), options, Progress());
  }
  void writeBare(const std::string& name, const Scan& scan) {
    std::vector<TestAcquisition> bare = acquisitionsOf(scan);
    for (TestAcquisition& a : bare) {
      a.head.trajectory_dimensions = 0;
      a.trajectory.clear();
    }
    writeVariant(path(name), headerText(spaceOf(scan), spaceOf(scan)), bare);
  }
  std::vector<float> floats() const {
    return {scan_->trajectory(0).points.begin(), scan_->trajectory(0).points.end()};
  }
  void compareToWhole(const Scan& scan, double most = 1e-4) {
    QCOMPARE(scan.trajectory(0).shots(), whole_->trajectory(0).shots());
    const auto &a = scan.trajectory(0).points, &b = whole_->trajectory(0).points;
    QCOMPARE(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) QVERIFY(std::abs(a[i] - b[i]) < most);
    QVERIFY(scan.samples == whole_->samples);
  }

 private slots:
  void init() {
    renew();
    scan_ = smallScan();
    samples_ = scan_->trajectory(0).samples() / shots;
    writeVariant(path("whole.h5"), headerText(spaceOf(*scan_), spaceOf(*scan_)), acquisitionsOf(*scan_));
    whole_ = readScan(path("whole.h5"), ReadOptions(), Progress());
    writeBare("bare.h5", *scan_);
    write("traj.npy", npyHeader("<f4", {shots, samples_, 2}) + bytesOf(floats()));
  }

  void withoutATrajectoryItIsAskedFor() { QVERIFY_EXCEPTION_THROWN(read("bare.h5", ""), MissingTrajectory); }

  void ismrmrdTakesATrajectoryOfAnyFormat() {
    compareToWhole(*read("bare.h5", "traj.npy"));
    compareToWhole(*read("bare.h5", "whole.h5"));  // another ISMRMRD file
    write("whole.mrd", streamOf(headerText(spaceOf(*scan_), spaceOf(*scan_)), acquisitionsOf(*scan_)));
    compareToWhole(*read("bare.h5", "whole.mrd"));
    {
      Hdf5File file(path("arrays.h5"));
      file.makeGroup("k");
      file.write("k/traj", {shots, samples_, 2}, floats());
    }
    compareToWhole(*read("bare.h5", "arrays.h5:k/traj"));
    compareToWhole(*read("bare.h5", "arrays.h5"));  // its only array that can be one
    std::vector<cfloat> k;
    for (std::size_t i = 0; i < floats().size(); i += 2) k.emplace_back(floats()[i], floats()[i + 1]);
    writeNpy("complex.npy", {shots, samples_}, k);
    compareToWhole(*read("bare.h5", "complex.npy"));
    write("list.npy", npyHeader("<f4", {shots * samples_, 2}) + bytesOf(floats()));
    compareToWhole(*read("bare.h5", "list.npy"));
    std::vector<cfloat> bart;  // [3, samples, shots], real numbers
    for (std::size_t i = 0; i < floats().size(); i += 2)
      for (const float v : {floats()[i], floats()[i + 1], 0.0f}) bart.emplace_back(v, 0.0f);
    write("bart.hdr", "# Dimensions\n3 " + std::to_string(samples_) + " " + std::to_string(shots) + "\n");
    write("bart.cfl", bytesOf(bart));
    compareToWhole(*read("bare.h5", "bart.cfl"));
  }

  void sparklingGivesSamplesAndUnit() {
    std::vector<double> perMetre;
    const double fov = scan_->geometry.fov[0];
    for (const double k : scan_->trajectory(0).points) perMetre.push_back(k / fov * 1e3);
    write("traj.bin", sparklingOf(perMetre, shots, int(samples_), 2, fov, matrix));
    const auto scan = read("bare.h5", "traj.bin");
    compareToWhole(*scan, 2e-3);
    QCOMPARE(decisionOn(*scan, "k-unit")->choice, std::string("1/m"));
    std::vector<cfloat> k = {scan_->data(0, 0, 0), scan_->data(0, 0, 0) + coils * shots * samples_};
    writeNpy("ksp.npy", {coils, shots, samples_}, k);
    compareToWhole(*read("ksp.npy", "traj.bin"), 2e-3);
  }

  void theMatchIsShown() {
    const auto scan = read("bare.h5", "traj.npy");
    const Decision* const d = decisionOn(*scan, "trajectory");
    QVERIFY(d);
    QCOMPARE(d->choice, std::string("traj.npy"));
    QVERIFY2(d->evidence.find("9 shots x " + std::to_string(samples_)) != std::string::npos,
             d->evidence.c_str());
  }

  void everySliceHasTheShots() {
    std::vector<TestAcquisition> all;
    for (int slice = 0; slice < 3; ++slice)
      for (TestAcquisition a : acquisitionsOf(*scan_)) {
        a.head.trajectory_dimensions = 0;
        a.trajectory.clear();
        a.head.idx.slice = std::uint16_t(slice);
        a.head.position[2] = 8.0f * float(slice);
        all.push_back(a);
      }
    writeVariant(path("slices.h5"), headerText(spaceOf(*scan_), spaceOf(*scan_)), all);
    const auto scan = read("slices.h5", "traj.npy");
    QCOMPARE(scan->slices, 3);
    QCOMPARE(scan->trajectory(0).shots(), std::int64_t(shots));
    for (int slice = 0; slice < 3; ++slice)
      QVERIFY(std::equal(scan->data(0, slice, 0), scan->data(0, slice, 0) + coils * shots * samples_,
                         whole_->data(0, 0, 0)));
  }

  void anotherOrderOfShotsIsAsked() {
    std::vector<TestAcquisition> bare = acquisitionsOf(*scan_);
    for (TestAcquisition& a : bare) {
      a.head.trajectory_dimensions = 0;
      a.trajectory.clear();
    }
    std::rotate(bare.begin(), bare.begin() + 4, bare.end());
    writeVariant(path("turned.h5"), headerText(spaceOf(*scan_), spaceOf(*scan_)), bare);
    const auto asked = read("turned.h5", "traj.npy");
    QVERIFY(decisionOn(*asked, "trajectory-order")->question);
    const auto scan = read("turned.h5", "traj.npy", {{"trajectory-order", "kspace_encode_step_1"}});
    // The shots are those of the whole scan, beginning with the fifth.
    const auto &t = scan->trajectory(0).points, &w = whole_->trajectory(0).points;
    for (std::size_t i = 0; i < t.size(); ++i)
      QVERIFY(std::abs(t[i] - w[(i + std::size_t(4 * samples_ * 2)) % w.size()]) < 1e-4);
  }

  void arraysTakeATrajectoryOfAnotherFolder() {
    std::vector<cfloat> k = {scan_->data(0, 0, 0), scan_->data(0, 0, 0) + coils * shots * samples_};
    writeNpy("ksp.npy", {coils, shots, samples_}, k);
    compareToWhole(*read("ksp.npy", "traj.npy", {{"matrix", "24x24"}}));
    compareToWhole(*read("ksp.npy", "whole.h5", {{"matrix", "24x24"}}));
    {
      Hdf5File file(path("data.h5"));
      file.write("ksp", {coils, shots, samples_}, k, true);
    }
    compareToWhole(*read("data.h5:ksp", "traj.npy", {{"matrix", "24x24"}}));
  }

  void whatDoesNotFitIsRefused() {
    write("short.npy", npyHeader("<f4", {shots - 1, samples_, 2}) +
                           bytesOf(std::vector<float>(std::size_t((shots - 1) * samples_ * 2), 1.0f)));
    const std::string reason = reasonOf([&] { read("bare.h5", "short.npy"); });
    QVERIFY2(reason.find("8 shots") != std::string::npos && reason.find("9 shots") != std::string::npos,
             reason.c_str());
    write("flat.npy", npyHeader("<f4", {shots, samples_}) +
                          bytesOf(std::vector<float>(std::size_t(shots * samples_), 1.0f)));
    QVERIFY(reasonOf([&] { read("bare.h5", "flat.npy"); }).find("2 to 4 columns") != std::string::npos);
    QVERIFY(reasonOf([&] { read("bare.h5", "missing.npy"); }).find("no such file") != std::string::npos);
  }

  void weightsAndNoiseComeFromOtherFiles() {
    std::vector<float> w;
    for (std::int64_t i = 0; i < shots * samples_; ++i) w.push_back(1.0f + float(i % 7));
    write("dcf.npy", npyHeader("<f4", {shots, samples_}) + bytesOf(w));
    std::vector<cfloat> noise;
    for (int i = 0; i < coils * 50; ++i) noise.emplace_back(float(i), 1.0f);
    writeNpy("noise.npy", {coils, 50}, noise);
    for (const char* trajectory : {"traj.npy", ""}) {
      const auto scan = read(*trajectory ? "bare.h5" : "whole.h5", trajectory, {}, "dcf.npy", "noise.npy");
      compareToWhole(*scan);
      const auto& weights = scan->trajectory(0).weights;
      QCOMPARE(weights.size(), w.size());
      for (std::size_t i = 1; i < w.size(); ++i)
        QVERIFY(std::abs(weights[i] / weights[0] - double(w[i] / w[0])) < 1e-5);
      QVERIFY(std::equal(scan->noise.begin(), scan->noise.end(), noise.begin(), noise.end()));
    }
  }

  void aDescriptionNamesFilesOfAnyKind() {
    std::vector<cfloat> noise(coils * 20, cfloat(1, 2));
    writeNpy("noise.npy", {coils, 20}, noise);
    write("scan.json", R"({"spokelab-scan": 1, "samples": {"file": "bare.h5"},
        "trajectory": {"file": "traj.npy"}, "noise": {"file": "noise.npy"}})");
    const auto scan = read("scan.json", "");
    compareToWhole(*scan);
    QCOMPARE(scan->noise.size(), noise.size());
    std::vector<cfloat> k = {scan_->data(0, 0, 0), scan_->data(0, 0, 0) + coils * shots * samples_};
    writeNpy("ksp.npy", {coils, shots, samples_}, k);
    write("other.json",
          R"({"spokelab-scan": 1, "samples": {"file": "ksp.npy", "axes": ["coil", "shot", "sample"]},
        "trajectory": {"file": "whole.h5"}, "matrix": [24, 24]})");
    compareToWhole(*read("other.json", ""));
  }
};

SPOKELAB_CORE_TEST(TestSeparateFiles)

}  // namespace test_separate_files

#include "test_separate_files.moc"
