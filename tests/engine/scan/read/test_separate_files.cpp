// Samples in one file, their trajectory, weights and noise in others, of every format: the scan is
// the one that a single file holds, or the files are refused.
#include <QtTest>

#include "engine/scan/read/missing_trajectory.h"
#include "engine/scan/read/read_scan.h"
#include "tests/engine/scan/array_folder.h"
#include "tests/engine/scan/hdf5_file.h"
#include "tests/engine/scan/stream_file.h"
#include "tests/test_main.h"

namespace test_separate_files {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr int matrix = 24, shots = 9, coils = 3;

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
    scan_ = smallRadial(matrix, shots, coils);
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
    writeNpy("ksp.npy", {coils, shots, samples_}, samplesOf(*scan_));
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

  // Phases with points of their own: the second has the first's with the other sign.
  void axesOfAnArrayAreCounters() {
    const auto writeFrames = [&](const std::string& name, int repetitions, int phases) {
      std::vector<TestAcquisition> all;
      for (int r = 0; r < repetitions; ++r)
        for (int p = 0; p < phases; ++p)
          for (TestAcquisition acquisition : acquisitionsOf(*scan_)) {
            acquisition.head.trajectory_dimensions = 0;
            acquisition.trajectory.clear();
            acquisition.head.idx.repetition = std::uint16_t(r);
            acquisition.head.idx.phase = std::uint16_t(p);
            all.push_back(acquisition);
          }
      writeVariant(path(name), headerText(spaceOf(*scan_), spaceOf(*scan_)), all);
    };
    const auto pointOf = [&](int phase, std::size_t i) { return (phase ? -1 : 1) * floats()[i]; };
    const auto isRight = [&](const Scan& scan, int frame, int phase) {
      for (std::size_t i = 0; i < floats().size(); ++i)
        if (std::abs(scan.trajectory(frame).points[i] - double(pointOf(phase, i))) > 1e-4) return false;
      return true;
    };
    // [shot, sample, phase, column] and [column, sample, phase, shot].
    std::vector<float> inside, before;
    for (std::size_t point = 0; point < floats().size() / 2; ++point)
      for (int phase = 0; phase < 2; ++phase)
        for (std::size_t c = 0; c < 2; ++c) inside.push_back(pointOf(phase, 2 * point + c));
    for (std::size_t c = 0; c < 2; ++c)
      for (std::size_t i = 0; i < std::size_t(samples_); ++i)
        for (int phase = 0; phase < 2; ++phase)
          for (std::size_t s = 0; s < std::size_t(shots); ++s)
            before.push_back(pointOf(phase, 2 * (s * std::size_t(samples_) + i) + c));
    write("inside.npy", npyHeader("<f4", {shots, samples_, 2, 2}) + bytesOf(inside));
    write("before.npy", npyHeader("<f4", {2, samples_, 2, shots}) + bytesOf(before));
    writeFrames("phases.h5", 1, 2);
    for (const char* name : {"inside.npy", "before.npy"}) {
      const auto scan = read("phases.h5", name);
      QCOMPARE(scan->frames, 2);
      for (int f = 0; f < 2; ++f) QVERIFY(isRight(*scan, f, f));
      QVERIFY(!decisionOn(*scan, "trajectory-axes")->question || std::string(name) == "inside.npy");
    }
    // The phases' axis may be the repetitions' as well: it is asked, and answered.
    writeFrames("frames.h5", 2, 2);
    const auto asked = read("frames.h5", "before.npy");
    QVERIFY(decisionOn(*asked, "trajectory-axes")->question);
    const std::string phases = "column,sample,phase,shot";
    const auto& offered = decisionOn(*asked, "trajectory-axes")->alternatives;
    QVERIFY(std::find(offered.begin(), offered.end(), phases) != offered.end());
    const auto scan = read("frames.h5", "before.npy", {{"trajectory-axes", phases}});
    QCOMPARE(scan->frames, 4);
    for (int f = 0; f < 4; ++f) QVERIFY(isRight(*scan, f, f % 2));
    const std::string wrong = reasonOf([&] {
      read("frames.h5", "before.npy", {{"trajectory-axes", "shot,sample,column"}});
    });
    QVERIFY2(wrong.find("does not fit the sizes") != std::string::npos, wrong.c_str());
    // Two columns before, or four behind, of which the fourth is neither a weight nor a time.
    write("four.npy", npyHeader("<f4", {2, shots, samples_, 4}) +
                          bytesOf(std::vector<float>(std::size_t(8 * shots * samples_), -1)));
    QVERIFY(reasonOf([&] { read("bare.h5", "four.npy"); }).find("its acquisitions are") != std::string::npos);
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

  // [sample, shot, 2] and weights [sample, shot]: the sizes tell.
  void anArrayBySamplesIsTurned() {
    std::vector<float> points(floats().size()), weights, bySamples(std::size_t(shots * samples_));
    for (std::int64_t i = 0; i < samples_; ++i)
      for (std::int64_t s = 0; s < shots; ++s) {
        const auto from = std::size_t((s * samples_ + i) * 2), to = std::size_t((i * shots + s) * 2);
        points[to] = floats()[from];
        points[to + 1] = floats()[from + 1];
        bySamples[to / 2] = 1 + float(i % 5) + 0.1F * float(s);
      }
    for (std::int64_t s = 0; s < shots; ++s)
      for (std::int64_t i = 0; i < samples_; ++i) weights.push_back(1 + float(i % 5) + 0.1F * float(s));
    write("turned.npy", npyHeader("<f4", {samples_, shots, 2}) + bytesOf(points));
    write("dcf.npy", npyHeader("<f4", {samples_, shots}) + bytesOf(bySamples));
    writeNpy("ksp.npy", {coils, shots, samples_}, samplesOf(*scan_));
    for (const char* name : {"bare.h5", "ksp.npy"}) {
      const bool array = std::string(name) == "ksp.npy";
      const auto scan = read(name, array ? "traj.npy" : "turned.npy", {{"matrix", "24x24"}}, "dcf.npy");
      compareToWhole(*scan);
      const auto& w = scan->trajectory(0).weights;
      QCOMPARE(w.size(), weights.size());
      for (std::size_t i = 1; i < w.size(); ++i)
        QVERIFY(std::abs(w[i] / w[0] - double(weights[i] / weights[0])) < 1e-5);
    }
    const std::string wrong = "wrong.npy";  // shots of another length, and as many points
    write(wrong, npyHeader("<f4", {shots * 2 / 3, samples_ * 3 / 2, 2}) + bytesOf(points));
    if (shots * 2 % 3 == 0 && samples_ * 3 % 2 == 0)
      QVERIFY(reasonOf([&] { read("bare.h5", wrong); }).find("its acquisitions are 9 shots") !=
              std::string::npos);
  }

  // Each slice has shots of its own, and slices were acquired in turns.
  void slicesInTurnsAreAsked() {
    std::vector<TestAcquisition> all;
    std::vector<float> points;
    const std::vector<TestAcquisition> one = acquisitionsOf(*scan_);
    for (TestAcquisition a : one)
      for (int slice = 0; slice < 2; ++slice) {
        a.head.trajectory_dimensions = 0;
        a.trajectory.clear();
        a.head.idx.slice = std::uint16_t(slice);
        a.head.position[2] = 8.0f * float(slice);
        all.push_back(a);
      }
    for (int slice = 0; slice < 2; ++slice)
      for (const float k : floats()) points.push_back(slice ? -k : k);
    writeVariant(path("turns.h5"), headerText(spaceOf(*scan_), spaceOf(*scan_)), all);
    write("both.npy", npyHeader("<f4", {2, shots, samples_, 2}) + bytesOf(points));
    const auto scan = read("turns.h5", "both.npy");
    QCOMPARE(decisionOn(*scan, "trajectory-axes")->choice, std::string("slice,shot,sample,column"));
    QCOMPARE(scan->frames, 2);  // the slices' points differ
    for (int f = 0; f < 2; ++f)
      for (std::size_t i = 0; i < floats().size(); ++i)
        QVERIFY(std::abs(scan->trajectory(f).points[i] - (f ? -1 : 1) * double(floats()[i])) < 1e-4);
    write("list.npy", npyHeader("<f4", {2 * shots * samples_, 2}) + bytesOf(points));
    QVERIFY(decisionOn(*read("turns.h5", "list.npy"), "trajectory-order")->question);
  }

  void arraysTakeATrajectoryOfAnotherFolder() {
    writeNpy("ksp.npy", {coils, shots, samples_}, samplesOf(*scan_));
    compareToWhole(*read("ksp.npy", "traj.npy", {{"matrix", "24x24"}}));
    compareToWhole(*read("ksp.npy", "whole.h5", {{"matrix", "24x24"}}));
    {
      Hdf5File file(path("data.h5"));
      file.write("ksp", {coils, shots, samples_}, samplesOf(*scan_), true);
    }
    compareToWhole(*read("data.h5:ksp", "traj.npy", {{"matrix", "24x24"}}));
  }

  // Sizes alone do not tell coils from slices.
  void axesOfALoneArrayAreAsked() {
    writeNpy("ksp.npy", {coils, shots, samples_}, samplesOf(*scan_));
    const auto asked = read("ksp.npy", "traj.npy", {{"matrix", "24x24"}});
    const Decision* const axes = decisionOn(*asked, "array-axes");
    QVERIFY(axes && axes->question);
    QCOMPARE(axes->choice, std::string("coil,shot,sample"));
    const auto slices =
        read("ksp.npy", "traj.npy", {{"matrix", "24x24"}, {"array-axes", "slice,shot,sample"}});
    QCOMPARE(slices->slices, coils);
    QVERIFY(!decisionOn(*slices, "array-axes")->question);
  }

  void aLoneArrayMayHoldPairsOfRealNumbers() {
    std::vector<float> pairs;
    for (const cfloat& v : samplesOf(*scan_)) pairs.insert(pairs.end(), {v.real(), v.imag()});
    write("ksp.npy", npyHeader("<f4", {coils, shots, samples_, 2}) + bytesOf(pairs));
    compareToWhole(*read("ksp.npy", "traj.npy", {{"matrix", "24x24"}}));
    compareToWhole(*read("ksp.npy", "whole.h5", {{"matrix", "24x24"}}));
  }

  // Each of three times has shots of its own.
  void framesOfALoneArrayKeepTheirTrajectories() {
    std::vector<cfloat> values;
    std::vector<float> points;
    for (int t = 0; t < 3; ++t) {
      const std::vector<cfloat> frame = samplesOf(*scan_);
      values.insert(values.end(), frame.begin(), frame.end());
      for (const float k : floats()) points.push_back(k * (1 - 0.1f * float(t)));
    }
    writeNpy("ksp.npy", {3, coils, shots, samples_}, values);
    write("points.npy", npyHeader("<f4", {3, shots, samples_, 2}) + bytesOf(points));
    const auto scan = read("ksp.npy", "points.npy", {{"matrix", "24x24"}});
    QCOMPARE(scan->frames, 3);
    QCOMPARE(scan->coils, coils);
    QVERIFY(decisionOn(*scan, "array-axes")->question);
    for (int t = 0; t < 3; ++t)
      QVERIFY(std::abs(scan->trajectory(t).points[7] - (1 - 0.1 * t) * scan->trajectory(0).points[7]) < 1e-4);
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
    writeNpy("ksp.npy", {coils, shots, samples_}, samplesOf(*scan_));
    write("other.json",
          R"({"spokelab-scan": 1, "samples": {"file": "ksp.npy", "axes": ["coil", "shot", "sample"]},
        "trajectory": {"file": "whole.h5"}, "matrix": [24, 24]})");
    compareToWhole(*read("other.json", ""));
  }
};

SPOKELAB_CORE_TEST(TestSeparateFiles)

}  // namespace test_separate_files

#include "test_separate_files.moc"
