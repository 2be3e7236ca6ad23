// Damaged files of the kinds beside ISMRMRD's HDF5: streams, HDF5 of other layouts, Siemens' raw data,
// SPARKLING's trajectories, headers, and files of other scanners: an answer or an Error, soon, and never a
// crash.
#include <QtTest>

#include <chrono>
#include <fstream>
#include <functional>
#include <random>

#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/scan/formats/foreign/foreign_file.h"
#include "engine/scan/formats/xml/lenient_header.h"
#include "engine/scan/read/read_scan.h"
#include "engine/scan/read/separate/given_trajectory.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/campaign.h"
#include "tests/engine/scan/array_folder.h"
#include "tests/engine/scan/hdf5_file.h"
#include "tests/engine/scan/stream_file.h"
#include "tests/engine/scan/twix_file.h"
#include "tests/test_main.h"

namespace test_mutated_kinds {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr int changed = 120, cuts = 30;
constexpr double longestSeconds = 60;

std::shared_ptr<const Scan> smallScan() {
  SimulateOptions o;
  o.trajectory.matrix = {12, 12, 1};
  o.trajectory.shots = 5;
  o.coils = 2;
  return simulate(o, Progress());
}

}  // namespace

class TestMutatedKinds : public QObject, private ArrayFolder {
  Q_OBJECT

 private:
  using Read = std::function<void(const std::filesystem::path&)>;
  std::shared_ptr<const Scan> scan_;
  int read_ = 0, refused_ = 0;

  void check(const std::string& name, const std::string& bytes, const std::string& what, const Read& read) {
    write(name, bytes);
    const auto start = std::chrono::steady_clock::now();
    try {
      read(path(name));
      ++read_;
    } catch (const Error& e) {
      QVERIFY2(!e.summary().empty() && !e.reason().empty(), what.c_str());
      ++refused_;
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    QVERIFY2(taken.count() < longestSeconds, what.c_str());
  }
  // Bytes and bits at random places, more often in the first `front`, and cut ends.
  void mutate(const std::string& name, const std::string& sound, std::size_t front, unsigned seed,
              const char* kind, const Read& read) {
    std::mt19937 random(campaignSeed(seed));
    read_ = refused_ = 0;
    for (int i = 0; i < changed * campaignFactor(); ++i) {
      std::string bytes = sound, what = std::string(kind) + ": changed";
      for (int n = i % 5; n >= 0; --n) {
        const std::size_t at = random() % (i % 2 ? std::min(front, bytes.size()) : bytes.size());
        bytes[at] = i % 3 ? char(random()) : char(bytes[at] ^ (1 << random() % 8));
        what += " " + std::to_string(at);
      }
      check(name, bytes, what, read);
    }
    for (int i = 0; i < cuts * campaignFactor(); ++i) {
      const std::size_t length = random() % sound.size();
      check(name, sound.substr(0, length), std::string(kind) + ": cut at " + std::to_string(length), read);
    }
    qInfo("%s: %d read, %d refused", kind, read_, refused_);
    countCases(kind, read_ + refused_);
  }
  static void readWhole(const std::filesystem::path& file) {
    validate(*readScan(file, ReadOptions(), Progress()));
  }

 private slots:
  void init() {
    renew();
    scan_ = smallScan();
  }

  void streams() {
    mutate("scan.mrd", streamOf(headerText(spaceOf(*scan_), spaceOf(*scan_)), acquisitionsOf(*scan_)), 1400,
           11, "damaged streams", readWhole);
    QVERIFY(read_ > 0 && refused_ > 0);
  }

  void layouts() {
    const std::int64_t samples = scan_->trajectory(0).samples() / 5;
    std::vector<cfloat> k(std::size_t(5 * samples * 2), cfloat(1, 2));
    {
      Hdf5File file(path("sound.h5"));
      file.write("data", {1, 1, 5, samples, 2}, k, true);
      file.write("trajectory", {5, samples, 2},
                 std::vector<float>(scan_->trajectory(0).points.begin(), scan_->trajectory(0).points.end()));
      file.setAttribute("trajectory", "matrix", {12, 12, 1});
      file.writeRecord("info", {{"voxel_size", {10, 10, 5}}});
    }
    const std::string sound = readDocument(path("sound.h5"));
    readWhole(path("sound.h5"));
    mutate("layout.h5", sound, 6000, 12, "damaged HDF5 layouts", readWhole);
    QVERIFY(read_ > 0 && refused_ > 0);
  }

  void trajectories() {
    const std::int64_t samples = scan_->trajectory(0).samples() / 5;
    const std::string sound = sparklingOf(scan_->trajectory(0).points, 5, int(samples), 2, 240, 12);
    mutate("traj.bin", sound, 100, 13, "damaged SPARKLING trajectories", [](const auto& file) {
      const GivenTrajectory t = readGivenTrajectory(file, {}, Progress());
      if (t.samples() < 1) throw std::logic_error("a trajectory without points");
    });
    QVERIFY(read_ > 0 && refused_ > 0);
  }

  void headers() {
    const std::string sound = headerText(spaceOf(*scan_), spaceOf(*scan_));
    mutate("header.xml", sound, sound.size(), 14, "damaged headers", [](const auto& file) {
      try {
        lenientHeader(readDocument(file));
      } catch (const std::runtime_error& e) {
        throw Error("Cannot read the header", e.what(), "");
      }
    });
    QVERIFY(read_ > 0 && refused_ > 0);
  }

  void siemensMeasurements() {
    TestMeasurement m{twixProtocol(8, 8, 200, 4), twixNested, "gre", {}, true};
    for (int i = 0; i < 8; ++i) {
      TestLine line;
      line.counters[0] = std::uint16_t(i);
      line.centreLine = 4;
      line.coils.assign(2, std::vector<cfloat>(16, cfloat(i == 4 ? 9 : 1, 2)));
      m.lines.push_back(line);
    }
    TestLine packet;
    packet.flags = twixBit(5);
    packet.packet = std::string(200, '\3');
    m.lines.push_back(packet);
    for (const TwixStyle style : {TwixStyle::vb, TwixStyle::vd}) {
      const std::string sound = TwixWriter(style).file({m, m});
      const bool vd = style == TwixStyle::vd;
      const std::size_t header = vd ? 10240 : 0;
      write("sound.dat", sound);
      readWhole(path("sound.dat"));
      mutate("scan.dat", sound, header + 1600, vd ? 16 : 17,
             vd ? "damaged twix files (VD)" : "damaged twix files (VB)", readWhole);
      QVERIFY(read_ > 0 && refused_ > 0);
    }
  }

  void otherKinds() {
    for (const std::string& sound : {std::string("# Pulseq sequence file\n[VERSION]\n"),
                                     std::string("yardl\x01\0\0\0{\"protocol\":{}}", 23)})
      mutate("other.dat", sound, 64, 15, "damaged files of other kinds", [](const auto& file) {
        foreignFile(file);
        readWhole(file);
      });
    QCOMPARE(read_, 0);
  }
};

SPOKELAB_CORE_TEST(TestMutatedKinds)

}  // namespace test_mutated_kinds

#include "test_mutated_kinds.moc"
