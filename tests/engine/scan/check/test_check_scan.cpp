// The self-check names what is wrong with a scan, and is silent about a sound one.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/core/error.h"
#include "engine/recon/explore/doctor.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/check/check_scan.h"
#include "engine/scan/read/read_scan.h"
#include "engine/scan/read/remembered_choices.h"
#include "engine/scan/simulate/built_in_scans.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/engine/scan/variant_file.h"
#include "tests/test_main.h"

namespace test_check_scan {

using namespace spokelab;
using namespace spokelab::test;

namespace {

Scan soundScan() {
  SimulateOptions o;
  o.trajectory.pattern = Pattern::goldenRadial2d;
  o.trajectory.matrix = {64, 64, 1};
  o.coils = 3;
  o.noise = 0.02;
  return *simulate(o, Progress());
}

bool names(const std::vector<Finding>& findings, const std::string& part, FindingWeight weight) {
  for (const Finding& f : findings)
    if ((f.what + " " + f.reason).find(part) != std::string::npos && f.weight == weight && !f.reason.empty())
      return true;
  return false;
}

std::vector<Finding> after(const std::function<void(Scan&)>& change) {
  Scan scan = soundScan();
  change(scan);
  return checkScan(scan, Progress());
}

}  // namespace

class TestCheckScan : public QObject {
  Q_OBJECT

 private slots:
  void soundScansAreSound() {
    for (const Finding& f : checkScan(soundScan(), Progress()))
      QVERIFY2(f.weight == FindingWeight::note, (f.what + ": " + f.reason).c_str());
    for (const Finding& f : checkScan(*builtInScan(demoName), Progress()))
      QVERIFY2(f.weight == FindingWeight::note, (f.what + ": " + f.reason).c_str());
  }
  // Every spoke passes k = 0: without noise all have one value there, the largest.
  void simulatedScansWithoutNoiseAreNotCalledClipped() {
    for (const Pattern pattern : {Pattern::radial2d, Pattern::goldenRadial2d, Pattern::radial3d,
                                  Pattern::stackOfStars, Pattern::spiral2d})
      for (const int coils : {1, 3}) {
        SimulateOptions options;
        options.trajectory.pattern = pattern;
        options.trajectory.matrix = {24, 24, pattern == Pattern::stackOfStars ? 6 : 0};
        options.trajectory.shots = 40;
        options.coils = coils;
        options.frames = 2;
        for (const Finding& f : checkScan(*simulate(options, {}), Progress()))
          QVERIFY2(f.what.find("clipped") == std::string::npos,
                   (patternName(pattern) + ": " + f.what + ", " + f.reason).c_str());
      }
  }
  // One part of the middle of each readout is cut, and the other one is not.
  void aReceiverThatClipsOnePartIsFound() {
    SimulateOptions options;
    options.trajectory.matrix = {32, 32, 1};
    options.noise = 1e-3;
    auto scan = std::make_shared<Scan>(*simulate(options, {}));
    float most = 0;
    for (const cfloat& v : scan->samples[0]) most = std::max(most, std::abs(v.real()));
    for (cfloat& v : scan->samples[0]) v = {std::min(v.real(), most / 2), v.imag()};
    QVERIFY(names(checkScan(*scan, Progress()), "clipped", FindingWeight::suspicious));
  }
  void coils() {
    QVERIFY(names(after([](Scan& s) {
                    std::fill_n(s.samples[0].begin() + s.trajectory(0).samples(), s.trajectory(0).samples(),
                                cfloat(0));
                  }),
                  "Coil 1 holds no signal", FindingWeight::wrong));
    QVERIFY(names(after([](Scan& s) {
                    for (std::int64_t i = 0; i < s.trajectory(0).samples(); ++i)
                      s.samples[0][std::size_t(i)] *= 1e-3F;
                  }),
                  "Coil 0 is nearly silent", FindingWeight::suspicious));
    QVERIFY(names(after([](Scan& s) {
                    float most = 0;
                    for (const cfloat& v : s.samples[0]) most = std::max(most, std::abs(v.real()));
                    const auto clip = [&](float x) { return std::clamp(x, -most / 20, most / 20); };
                    for (cfloat& v : s.samples[0]) v = {clip(v.real()), clip(v.imag())};
                  }),
                  "clipped", FindingWeight::suspicious));
  }
  void readouts() {
    const auto line = [](Scan& s, std::int64_t shot, int coil) {
      return s.samples[0].begin() + coil * s.trajectory(0).samples() +
             s.trajectory(0).shotOffsets[std::size_t(shot)];
    };
    QVERIFY(names(after([&](Scan& s) {
                    for (int c = 0; c < 3; ++c) std::fill_n(line(s, 7, c), 64, cfloat(0));
                  }),
                  "1 readout holds only zeros", FindingWeight::wrong));
    QVERIFY(names(after([&](Scan& s) {
                    for (int c = 0; c < 3; ++c) std::copy_n(line(s, 3, c), 64, line(s, 9, c));
                  }),
                  "copy", FindingWeight::wrong));
    QVERIFY(names(after([&](Scan& s) {
                    for (int c = 0; c < 3; ++c)
                      for (int i = 0; i < 64; ++i)
                        *(line(s, 0, c) + i) = cfloat(float(std::sin(9.0 * i)), float(i % 3) - 1);
                  }),
                  "looks like noise", FindingWeight::suspicious));
    QVERIFY(names(after([&](Scan& s) {
                    for (std::int64_t shot = 0; shot < s.trajectory(0).shots(); ++shot)
                      for (int c = 0; c < 3; ++c)
                        std::rotate(line(s, shot, c), line(s, shot, c) + 4, line(s, shot, c) + 64);
                  }),
                  "beside k = 0", FindingWeight::suspicious));
  }
  void trajectories() {
    QVERIFY(names(after([](Scan& s) {
                    Trajectory& t = s.trajectories[0];
                    for (std::int64_t shot = 1; shot < t.shots(); ++shot)
                      std::copy_n(t.points.begin(), 128, t.points.begin() + 128 * shot);
                  }),
                  "same trajectory", FindingWeight::wrong));
    QVERIFY(names(after([](Scan& s) { s.trajectories[0].points[2 * 100] += 40; }), "jumps",
                  FindingWeight::suspicious));
    QVERIFY(names(after([](Scan& s) {
                    for (double& k : s.trajectories[0].points) k *= 1.5;
                  }),
                  "beyond the matrix", FindingWeight::suspicious));
    QVERIFY(names(after([](Scan& s) { s.trajectories[0].times.clear(); }), "times are not known",
                  FindingWeight::note));
  }
  void geometryAndReader() {
    QVERIFY(names(after([](Scan& s) { s.geometry.nominal = true; }), "position in the patient",
                  FindingWeight::suspicious));
    QVERIFY(names(after([](Scan& s) {
                    s.geometry.fov = {0.22, 0.22, 0.005};
                  }),
                  "unusual size", FindingWeight::suspicious));
    QVERIFY(names(after([](Scan& s) { s.warnings = {"flag 40"}; }), "flag 40", FindingWeight::suspicious));
    QVERIFY(names(after([](Scan& s) {
                    s.decisions = {{"k-unit", "1/m", "close", {"1/cm"}, false, true}};
                  }),
                  "leaves open: k-unit", FindingWeight::suspicious));
  }
  void checkingCanBeCancelled() {
    std::stop_source stop;
    stop.request_stop();
    bool cancelled = false;
    try {
      checkScan(soundScan(), Progress(stop.get_token()));
    } catch (const Cancelled&) {
      cancelled = true;
    }
    QVERIFY(cancelled);
  }

  // --- choices that are remembered
  void choicesFollowTheFile() {
    QTemporaryDir folder;
    const auto path = [&](const char* name) {
      return std::filesystem::path(folder.filePath(name).toStdString());
    };
    const Scan scan = soundScan();
    writeVariant(path("a.h5"), headerText(spaceOf(scan), spaceOf(scan)), acquisitionsOf(scan));
    ReadOptions options;
    options.choices = path("deep/choices.json");
    const auto first = readScan(path("a.h5"), options, Progress());
    QCOMPARE(first->fingerprint.size(), std::size_t(16));
    const RememberedChoices remembered(options.choices);
    QVERIFY(remembered.find(first->fingerprint).empty());
    remembered.keep(first->fingerprint, "a.h5", {{"axes", "yx"}});
    std::filesystem::copy_file(path("a.h5"), path("b.h5"));  // a copy under another name
    const auto second = readScan(path("b.h5"), options, Progress());
    const auto decision = [](const Scan& s) {
      return *std::find_if(s.decisions.begin(), s.decisions.end(),
                           [](const Decision& d) { return d.topic == "axes"; });
    };
    QCOMPARE(decision(*second).choice, std::string("yx"));
    QVERIFY(decision(*second).evidence.find("remembered") == 0);
    QCOMPARE(second->trajectory(0).points[0], first->trajectory(0).points[1]);
    options.overrides["axes"] = "-xy";  // what is said now wins
    QCOMPARE(decision(*readScan(path("b.h5"), options, Progress())).choice, std::string("-xy"));
    // it is written into results
    bool told = false;
    for (const std::string& line : provenanceOf(*second))
      told = told || line.find("axes = yx (as told)") == 0;
    QVERIFY(told);
    remembered.keep(first->fingerprint, "a.h5", {});
    QVERIFY(remembered.find(first->fingerprint).empty());
    // another scan has another fingerprint
    Scan other = soundScan();
    other.samples[0][77] += 1.0F;
    writeVariant(path("c.h5"), headerText(spaceOf(other), spaceOf(other)), acquisitionsOf(other));
    QVERIFY(fileFingerprint(path("c.h5")) != first->fingerprint);
  }
  void readingsAreListed() {
    QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("a.h5").toStdString();
    const Scan scan = soundScan();
    auto all = acquisitionsOf(scan);
    for (TestAcquisition& a : all) a.head.position[0] = 30;
    writeVariant(file, headerText(spaceOf(scan), spaceOf(scan)), all);
    const auto backend = makeCpuBackend();
    const auto readings = otherReadings(file, ReadOptions(), *backend, DoctorOptions(), Progress());
    QVERIFY(readings.front().topic.empty() && readings.front().image);
    int withPictures = 0;
    std::set<std::string> topics;
    for (const Reading& r : readings) {
      QVERIFY(!r.evidence.empty());
      QVERIFY(bool(r.image) != !r.failed.empty());
      withPictures += bool(r.image);
      topics.insert(r.topic);
    }
    QVERIFY(topics.contains("axes") && topics.contains("k-unit") && topics.contains("fov-shift"));
    QVERIFY(withPictures >= 8);
    QVERIFY_THROWS_EXCEPTION(Error,
                             otherReadings("demo", ReadOptions(), *backend, DoctorOptions(), Progress()));
  }
};

SPOKELAB_TEST(TestCheckScan)

}  // namespace test_check_scan

#include "test_check_scan.moc"
