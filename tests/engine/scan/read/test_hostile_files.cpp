// Files that are no scan, or lie: a clear Error each, nothing on stderr, no crash.
#include <QtTest>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <limits>

#include "engine/core/atomic_file.h"
#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/scan/formats/acquisitions/write_scan.h"
#include "engine/scan/read/read_scan.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/engine/scan/variant_file.h"
#include "tests/test_main.h"

namespace test_hostile_files {

using namespace spokelab;
using namespace spokelab::test;

namespace {

std::shared_ptr<const Scan> smallScan() {
  SimulateOptions o;
  o.trajectory.matrix = {32, 32, 1};
  o.trajectory.shots = 10;
  o.coils = 2;
  return simulate(o, Progress());
}

// What a function writes to stderr, the HDF5 library's way.
std::string stderrOf(const std::function<void()>& action, const std::string& file) {
  fflush(stderr);
  const int saved = dup(2), to = open(file.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
  dup2(to, 2);
  action();
  fflush(stderr);
  dup2(saved, 2);
  close(to);
  close(saved);
  return readDocument(file);
}

}  // namespace

class TestHostileFiles : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir folder_;
  std::filesystem::path path(const std::string& name) const {
    return (folder_.path() + "/" + QString::fromStdString(name)).toStdString();
  }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }

  // Reads; the Error's reason must contain `part`, remedy and summary must be there, stderr must
  // stay empty.
  void expect(const std::filesystem::path& file, const std::string& part, const ReadOptions& options = {}) {
    std::string reason = "(no error)", summary, remedy;
    const std::string noise = stderrOf(
        [&] {
          try {
            readScan(file, options, Progress());
          } catch (const Error& e) {
            reason = e.reason();
            summary = e.summary();
            remedy = e.remedy();
          }
        },
        path("stderr").string());
    QVERIFY2(reason.find(part) != std::string::npos, (reason + " <> " + part).c_str());
    QVERIFY(!summary.empty());
    QCOMPARE(noise, std::string());
  }
  void expectVariant(const std::function<void(std::vector<TestAcquisition>&)>& change,
                     const std::string& part, const ReadOptions& options = {}) {
    const auto scan = smallScan();
    auto all = acquisitionsOf(*scan);
    change(all);
    writeVariant(path("scan.h5"), headerText(spaceOf(*scan), spaceOf(*scan)), all);
    expect(path("scan.h5"), part, options);
  }
  void expectHeader(const std::string& xml, const std::string& part) {
    writeVariant(path("scan.h5"), xml, acquisitionsOf(*smallScan()));
    expect(path("scan.h5"), part);
  }

  // Bad readouts are left out unless somebody wants them refused (test_bad_readouts.cpp).
  static ReadOptions refusing() {
    ReadOptions options;
    options.overrides["bad-readouts"] = "refuse";
    return options;
  }

 private slots:
  void noScanAtAll() {
    expect(path("missing.h5"), "no such file");
    expect(folder_.path().toStdString(), "folder");
    write("empty.h5", "");
    expect(path("empty.h5"), "empty");
    write("text.h5", "this is no scan");
    expect(path("text.h5"), "neither an HDF5");
    write("short.h5", "\x89HDF\r\n\x1a\n");
    expect(path("short.h5"), "");
    QCOMPARE(mkfifo(path("pipe.h5").c_str(), 0600), 0);
    expect(path("pipe.h5"), "regular");
    expect("/dev/zero", "regular");
  }

  void noPermission() {
    if (geteuid() == 0) QSKIP("permissions: root may read everything");
    write("secret.h5", "content");
    QCOMPARE(chmod(path("secret.h5").c_str(), 0), 0);
    expect(path("secret.h5"), "ermission");
  }

  void truncated() {
    const auto scan = smallScan();
    writeVariant(path("scan.h5"), headerText(spaceOf(*scan), spaceOf(*scan)), acquisitionsOf(*scan));
    const std::string sound = readDocument(path("scan.h5"));
    for (const double part : {0.1, 0.5, 0.9, 0.999}) {
      write("cut.h5", sound.substr(0, std::size_t(part * double(sound.size()))));
      expect(path("cut.h5"), "truncated");
      expect(path("cut.h5"), "of its " + std::to_string(sound.size()) + " bytes");
    }
  }

  void noAcquisitions() {
    expectVariant([](auto& all) { all.clear(); }, "no acquisitions");
  }
  void onlyNoise() {
    expectVariant(
        [](auto& all) {
          for (TestAcquisition& a : all) a.head.flags = std::uint64_t(1) << 18;
        },
        "part of an image");
  }
  void noSamples() {
    expectVariant(
        [](auto& all) {
          for (TestAcquisition& a : all) a = acquisition(0, 2, 2);
        },
        "without samples");
  }
  void notFiniteTrajectory() {
    expectVariant([](auto& all) { all[3].trajectory[7] = std::numeric_limits<float>::quiet_NaN(); },
                  "1 of the 640 coordinates of its trajectory are not finite (first in acquisition 3)",
                  refusing());
  }
  void notFiniteSamples() {
    expectVariant(
        [](auto& all) {
          all[4].samples[32 + 5] = std::numeric_limits<float>::infinity();
          all[5].samples[0] = std::numeric_limits<float>::quiet_NaN();
        },
        "2 of 640 samples of frame 0 are not finite (first: slice 0, coil 0, shot 5, sample 0)", refusing());
  }
  void wrongDimensionCounts() {
    for (const int columns : {0, 1, 5, 9})
      expectVariant(
          [&](auto& all) {
            for (TestAcquisition& a : all) {
              a.head.trajectory_dimensions = std::uint16_t(columns);
              a.trajectory.assign(std::size_t(columns) * 32, 1.0f);
            }
          },
          columns == 0 ? "no trajectory" : std::to_string(columns) + " dimension");
    expectVariant(
        [](auto& all) {
          all[2].head.trajectory_dimensions = 3;
          all[2].trajectory.resize(96);
        },
        "differ in trajectory dimensions");
  }
  void arraysOfAnotherLength() {
    expectVariant([](auto& all) { all[1].samples.resize(6400); }, "longer than its acquisition headers");
    expectVariant([](auto& all) { all[1].samples.resize(65); },
                  "should hold 128 numbers of data, and holds 130");
    expectVariant([](auto& all) { all[1].samples.resize(63); },
                  "should hold 128 numbers of data, and holds 126");
    expectVariant([](auto& all) { all[1].trajectory.resize(10); },
                  "should hold 64 numbers of traj, and holds 10");
    expectVariant([](auto& all) { all[1].head.number_of_samples = 65535; }, "promise");
    expectVariant(
        [](auto& all) {
          for (TestAcquisition& a : all) a.head.active_channels = 65535;
        },
        "promise");
  }
  void trajectoryOfZeros() {
    expectVariant(
        [](auto& all) {
          for (TestAcquisition& a : all) std::fill(a.trajectory.begin(), a.trajectory.end(), 0.0f);
        },
        "0 throughout");
  }

  void lyingMatrix() {
    const TestSpace sound{32, 32, 1, 220, 220, 220};
    TestSpace lie = sound;
    lie.x = 2147483648.0;
    expectHeader(headerText(sound, lie), "2147483648");
    lie.x = -5;
    expectHeader(headerText(sound, lie), "-5");
    lie.x = lie.y = 65535;
    expectHeader(headerText(lie, lie), "does not fit its trajectory");
    lie.x = lie.y = 4096;
    expectHeader(headerText(sound, lie), "does not fit its trajectory");
    lie.x = lie.y = 1;  // no matrix at all: the trajectory tells
    writeVariant(path("scan.h5"), headerText(lie, lie), acquisitionsOf(*smallScan()));
    QVERIFY((readScan(path("scan.h5"), ReadOptions(), Progress())->geometry.matrix == Index3{32, 32, 1}));
  }
  // A volume that no machine holds, although its trajectory reaches that far.
  void volumeBeyondTheMemory() {
    const auto scan = smallScan();
    auto all = acquisitionsOf(*scan);
    for (std::size_t s = 0; s < all.size(); ++s) {
      std::vector<float> k;
      for (std::size_t i = 0; i < 32; ++i) {
        k.insert(k.end(), {all[s].trajectory[2 * i] * 2047, all[s].trajectory[2 * i + 1] * 2047});
        k.push_back(s % 2 ? 32767.0f : -32767.0f);
      }
      all[s].trajectory = k;
      all[s].head.trajectory_dimensions = 3;
    }
    const TestSpace space{65535, 65535, 65535, 220, 220, 220};
    writeVariant(path("scan.h5"), headerText(space, space), all);
    expect(path("scan.h5"), "of memory; of");
  }
  void brokenHeaders() {
    expectHeader("", "header");
    expectHeader("no xml", "header");
    expectHeader("<?xml version=\"1.0\"?><ismrmrdHeader></ismrmrdHeader>", "header");
    std::string xml = headerText({32, 32, 1, 220, 220, 5}, {32, 32, 1, 220, 220, 5});
    expectHeader(xml.substr(0, xml.size() / 2), "header");
    expectHeader(headerText({32, 32, 1, 220, 220, 5}, {32, 32, 1, 220, 220, 5}, "", 0), "encoding");
  }

  // Reading stops within 100 ms of the request.
  void cancel() {
    const std::filesystem::path file = path("large.h5");
    SimulateOptions o;
    o.trajectory.matrix = {256, 256, 1};
    o.coils = 8;
    writeScan(*simulate(o, Progress()), file, Progress());
    for (const double at : {0.0, 0.2, 0.6}) {
      std::stop_source stop;
      std::chrono::steady_clock::time_point asked;
      const Progress progress(stop.get_token(), [&](double fraction, const std::string&) {
        if (fraction >= at && !stop.stop_requested()) {
          asked = std::chrono::steady_clock::now();
          stop.request_stop();
        }
      });
      bool cancelled = false;
      try {
        readScan(file, ReadOptions(), progress);
      } catch (const Cancelled&) {
        cancelled = true;
      }
      QVERIFY(cancelled);
      const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - asked;
      QVERIFY2(waited.count() < 1, "acknowledged late");  // 0.1 s on a machine that is not busy
    }
  }

  // A full disk while a scan is written, played by a limit on the size of files.
  void fullDisk() {
    const auto scan = smallScan();
    writeFileAtomically(path("out.h5"), "earlier");
    signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    rlimit small = before;
    small.rlim_cur = 3000;
    setrlimit(RLIMIT_FSIZE, &small);
    std::string reason;
    try {
      writeScan(*scan, path("out.h5"), Progress());
    } catch (const Error& e) {
      reason = e.reason();
    }
    setrlimit(RLIMIT_FSIZE, &before);
    QVERIFY(!reason.empty());
    QCOMPARE(readDocument(path("out.h5")), std::string("earlier"));
    QCOMPARE(QDir(folder_.path()).entryList({".out*"}, QDir::Files | QDir::Hidden).size(), 0);
  }
};

SPOKELAB_TEST(TestHostileFiles)

}  // namespace test_hostile_files

#include "test_hostile_files.moc"
