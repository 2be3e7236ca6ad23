// Damaged files of the kinds beside ISMRMRD's HDF5: streams, HDF5 of other layouts, Siemens' raw data,
// pairs of real numbers, MATLAB files that Python wrote, trajectories and maps in files of their own,
// descriptions, headers, and files of other scanners: an answer or an Error, soon, and never a crash.
#include <QtTest>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <random>

#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/scan/check/map_on_grid.h"
#include "engine/scan/formats/acquisitions/waveforms/waveform_traces.h"
#include "engine/scan/formats/acquisitions/write_scan.h"
#include "engine/scan/formats/foreign/foreign_file.h"
#include "engine/scan/formats/images/read_image.h"
#include "engine/scan/formats/images/write_image.h"
#include "engine/scan/formats/xml/lenient_header.h"
#include "engine/scan/read/description/propose_description.h"
#include "engine/scan/read/description/scan_description.h"
#include "engine/scan/read/read_scan.h"
#include "engine/scan/read/separate/given_trajectory.h"
#include "tests/campaign.h"
#include "tests/engine/scan/array_folder.h"
#include "tests/engine/scan/hdf5_file.h"
#include "tests/engine/scan/stream_file.h"
#include "tests/engine/scan/twix_file.h"
#include "tests/test_main.h"
#include "tests/thread_time.h"

namespace test_mutated_kinds {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr int changed = 120, cuts = 30;
constexpr double longestSeconds = 60;
constexpr std::int64_t shots = 5;

}  // namespace

class TestMutatedKinds : public QObject, private ArrayFolder {
  Q_OBJECT

 private:
  using Read = std::function<void(const std::filesystem::path&)>;
  std::shared_ptr<const Scan> scan_;
  std::int64_t samples_ = 0;  // a shot
  std::vector<float> points() const {
    return {scan_->trajectory(0).points.begin(), scan_->trajectory(0).points.end()};
  }
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
    QVERIFY2(taken.count() < longestSeconds * std::max(1.0, loadPerProcessor()), what.c_str());
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
    scan_ = smallRadial(12, int(shots), 2);
    samples_ = scan_->trajectory(0).samples() / shots;
  }

  void streams() {
    mutate("scan.mrd", streamOf(headerText(spaceOf(*scan_), spaceOf(*scan_)), acquisitionsOf(*scan_)), 1400,
           11, "damaged streams", readWhole);
    QVERIFY(read_ > 0 && refused_ > 0);
  }

  void layouts_data() {
    QTest::addColumn<QString>("layout");
    for (const char* name : {"RIESLING", "RRSG", "fastMRI", "breast"}) QTest::newRow(name) << name;
  }
  void layouts() {
    QFETCH(const QString, layout);
    constexpr std::int64_t lines = 16, partitions = 3;
    const std::vector<cfloat> k(std::size_t(shots * samples_ * 2), cfloat(1, 2));
    {
      Hdf5File file(path("sound.h5"));
      if (layout == "RIESLING") {
        file.write("data", {1, 1, shots, samples_, 2}, k, true);
        file.write("trajectory", {shots, samples_, 2}, points());
        file.setAttribute("trajectory", "matrix", {12, 12, 1});
        file.writeRecord("info", {{"voxel_size", {10, 10, 5}}});
      } else if (layout == "RRSG") {
        file.write("rawdata", {1, samples_, shots, 2}, k, true);
        file.write("trajectory", {2, samples_, shots}, points());
      } else if (layout == "fastMRI") {
        file.write("kspace", {1, 2, lines, lines}, std::vector<cfloat>(2 * lines * lines, cfloat(1, 2)),
                   true);
        file.writeText("ismrmrd_header",
                       headerText({lines, lines, 1, 160, 160, 5}, {lines, lines, 1, 160, 160, 5}));
      } else {
        file.write("kspace", {2, shots, lines, 2, partitions},
                   std::vector<float>(std::size_t(2 * shots * lines * 2 * partitions), 1.0F));
      }
    }
    readWhole(path("sound.h5"));
    mutate("layout.h5", readDocument(path("sound.h5")), 6000, 12, "damaged HDF5 layouts", readWhole);
    QVERIFY(read_ > 0 && refused_ > 0);
  }

  // Samples of whole numbers in pairs, beside a sound trajectory; and the description that names them.
  void pairs() {
    std::vector<std::int16_t> parts;
    for (const cfloat& v : samplesOf(*scan_))
      for (const float part : {v.real(), v.imag()}) parts.push_back(std::int16_t(std::lround(100 * part)));
    const std::string sound = npyHeader("<i2", {2, shots, samples_, 2}) + bytesOf(parts);
    const std::string description = R"({"spokelab-scan": 1, "matrix": [12, 12], "fov_mm": [240, 240, 5],
        "samples": {"file": "ksp.npy", "axes": ["coil", "shot", "sample", "complex"]},
        "trajectory": {"file": "traj.npy", "unit": "cycles/FOV"}, "or": [{"samples":
        ["slice", "shot", "sample", "complex"]}]})";
    write("ksp.npy", sound);
    write("traj.npy", npyHeader("<f4", {shots, samples_, 2}) + bytesOf(points()));
    write("scan.json", description);
    readWhole(path("scan.json"));
    mutate("ksp.npy", sound, 128, 16, "damaged pairs of real numbers",
           [&](const auto&) { readWhole(path("scan.json")); });
    QVERIFY(read_ > 0 && refused_ > 0);
    write("ksp.npy", sound);
    mutate("scan.json", description, description.size(), 17, "damaged descriptions", readWhole);
    QVERIFY(read_ > 0 && refused_ > 0);
  }

  void matlabFilesThatPythonWrote() {
    std::vector<cdouble> k;
    for (const cfloat& v : samplesOf(*scan_)) k.emplace_back(v);
    writeMatByPython(path("scan.mat"), {2, shots, samples_}, k, {shots, samples_, 2},
                     scan_->trajectory(0).points);
    const auto propose = [&](const std::filesystem::path& file) {
      write("scan.json", scanDescriptionText(proposeScanDescription(file).description));
      readWhole(path("scan.json"));
    };
    propose(path("scan.mat"));
    mutate("scan.mat", readDocument(path("scan.mat")), 6000, 18, "damaged MATLAB files of Python", propose);
    QVERIFY(read_ > 0 && refused_ > 0);
  }

  // The samples are sound, and the file that --trajectory names is not.
  void trajectoriesOfOtherFiles_data() {
    QTest::addColumn<QString>("kind");
    for (const char* name : {"npy", "h5", "mrd"}) QTest::newRow(name) << name;
  }
  void trajectoriesOfOtherFiles() {
    QFETCH(const QString, kind);
    writeNpy("ksp.npy", {2, shots, samples_}, samplesOf(*scan_));
    std::string name = "traj." + kind.toStdString();
    if (kind == "npy") write(name, npyHeader("<f4", {shots, samples_, 2}) + bytesOf(points()));
    if (kind == "h5") Hdf5File(path(name)).write("traj", {shots, samples_, 2}, points());
    if (kind == "mrd")
      write(name, streamOf(headerText(spaceOf(*scan_), spaceOf(*scan_)), acquisitionsOf(*scan_)));
    const auto read = [&](const std::filesystem::path& file) {
      ReadOptions options;
      options.separate.trajectory = file;
      options.overrides["matrix"] = "12x12";
      validate(*readScan(path("ksp.npy"), options, Progress()));
    };
    read(path(name));
    mutate(name, readDocument(path(name)), kind == "npy" ? 128 : 3000, 19,
           "damaged trajectories in files of their own", read);
    QVERIFY(read_ > 0 && refused_ > 0);
  }

  // Maps that the reader moves to another grid.
  void maps_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"map.nii", "map.nii.gz", "map.h5"}) QTest::newRow(name) << name;
  }
  void maps() {
    QFETCH(const QString, name);
    Image map = nominalImage({6, 5, 3}, "map");
    map.geometry.nominal = false;
    map.geometry.fov = {60, 50, 12};
    map.geometry.slicePositions = {{3, 4, 5}};
    for (std::int64_t i = 0; i < map.volume(); ++i) map.data.emplace_back(float(i % 7), float(i % 3));
    const std::string file = name.toStdString();
    writeImage(map, path(file), WriteOptions(), Progress());
    Geometry grid = map.geometry;
    grid.matrix = {8, 8, 2};
    const auto read = [&](const std::filesystem::path& damaged) {
      const Image back = readImage(damaged, Progress());
      if (back.geometry.nominal) return;
      const MapOnGrid moved = mapOnGrid(back, grid, grid.matrix, MapKind::value, "Cannot use the map", {});
      if (std::int64_t(moved.values.size()) != back.frames * product(grid.matrix))
        throw std::logic_error("a map without all of its pixels");
    };
    read(path(file));
    mutate(file, readDocument(path(file)), 400, 20, "damaged maps", read);
    QVERIFY(read_ > 0 && refused_ > 0);
  }

  void trajectories() {
    const std::string sound = sparklingOf(scan_->trajectory(0).points, int(shots), int(samples_), 2, 240, 12);
    mutate("traj.bin", sound, 100, 13, "damaged SPARKLING trajectories", [](const auto& file) {
      const GivenTrajectory t = readGivenTrajectory(file, {}, 0, Progress());
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

  void waveforms() {
    Scan scan = *scan_;
    for (const char* const name : {"PMU ECG1", "PMU PULS"}) {
      NamedArray& trace = scan.arrays.emplace_back();
      trace.name = name;
      trace.shape = {2, 40};
      for (int i = 0; i < 40; ++i) trace.values.emplace_back(float(i) * 0.0025F);
      for (int i = 0; i < 40; ++i) trace.values.emplace_back(float(100 + i % 7));
    }
    writeScan(scan, path("sound.h5"), Progress());
    const auto sound = readScan(path("sound.h5"), ReadOptions(), Progress());
    QVERIFY(std::count_if(sound->arrays.begin(), sound->arrays.end(),
                          [](const NamedArray& a) { return a.name.rfind("PMU ", 0) == 0; }) == 2);
    std::ifstream file(path("sound.h5"), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    mutate("scan.h5", bytes, bytes.size(), 18, "damaged waveforms", readWhole);
    QVERIFY(read_ > 0 && refused_ > 0);
  }

  // Heads that promise channels without samples take no memory, and equal names stay apart.
  void waveformsThatPromiseMuch() {
    WaveformTraces traces;
    ISMRMRD::ISMRMRD_WaveformHeader head{};
    head.channels = 65535;
    for (int i = 0; i < 1000; ++i) {
      head.waveform_id = std::uint16_t(i);
      QVERIFY(traces.add(head, {}));
    }
    head.channels = 1;
    head.number_of_samples = 2;
    const std::vector<std::uint32_t> first = {3, 4}, second = {5, 6};
    head.waveform_id = 0;
    QVERIFY(traces.add(head, first));
    head.waveform_id = 1;
    QVERIFY(traces.add(head, second));
    QVERIFY(!traces.add(head, std::vector<std::uint32_t>{1}));
    traces.finish("<waveformName>heart</waveformName><waveformName>heart</waveformName>", 0);
    QCOMPARE(traces.names(), (std::vector<std::string>{"PMU heart", "PMU heart 1.1"}));
    std::vector<char> out;
    QVERIFY(traces.write("PMU heart 1.1", out));
    cfloat last;
    std::memcpy(&last, out.data() + out.size() - sizeof last, sizeof last);
    QCOMPARE(last, cfloat(6));
  }

  void otherKinds() {
    for (const std::string& sound : {std::string("yardl\x01\0\0\0{\"protocol\":{}}", 23)})
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
