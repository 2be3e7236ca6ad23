// Raw data of a Siemens scanner, in the layouts VB and VD: samples, flags, counters, places and the
// protocol's numbers arrive where they belong.
#include <QtTest>

#include <cmath>

#include "engine/scan/formats/file_kind.h"
#include "engine/scan/read/missing_trajectory.h"
#include "engine/scan/read/read_scan.h"
#include "tests/engine/scan/array_folder.h"
#include "tests/engine/scan/twix_file.h"
#include "tests/test_main.h"

namespace test_twix_files {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr int base = 16, lines = 12, samples = 32, coils = 3;
constexpr double fov = 240, thickness = 4;
constexpr int syncData = 5, realTimeFeedback = 1, phaseCorrection = 21, calibration = 22, reflected = 24,
              noise = 25;

const Decision* decisionOn(const Scan& scan, const std::string& topic) {
  for (const Decision& d : scan.decisions)
    if (d.topic == topic) return &d;
  return nullptr;
}

// Numbers that no other sample has.
cfloat numbered(int line, int coil, int sample) {
  // The signal falls towards outer lines, as in Cartesian scans.
  const double weight = std::exp(-0.5 * std::abs(line % 1000 - lines / 2));
  return {float(weight * (1000 + 37 * coil + sample)), float(weight * (line + 0.001 * sample))};
}

TestLine lineAt(int number) {
  TestLine line;
  line.counters[0] = std::uint16_t(number);
  line.centreLine = lines / 2;
  line.centreSample = samples / 2;
  line.stamp = std::uint32_t(1000 + 4 * number);
  line.position = {-3.5f, 20, 40};
  for (int c = 0; c < coils; ++c) {
    line.coils.emplace_back();
    for (int s = 0; s < samples; ++s) line.coils.back().push_back(numbered(number, c, s));
  }
  return line;
}

TestMeasurement measurement(const std::string& name = "gre", const std::string& more = "") {
  TestMeasurement m{twixProtocol(base, lines, fov, thickness, more), twixNested, name, {}, true};
  for (int i = 0; i < lines; ++i) m.lines.push_back(lineAt(i));
  return m;
}

}  // namespace

class TestTwixFiles : public QObject, private ArrayFolder {
  Q_OBJECT

 private:
  std::shared_ptr<const Scan> read(const std::vector<TestMeasurement>& measurements,
                                   const std::map<std::string, std::string>& overrides = {},
                                   TwixStyle style = TwixStyle::vd, const std::string& trajectory = "") {
    write("meas.dat", TwixWriter(style).file(measurements));
    ReadOptions options;
    options.overrides = overrides;
    if (!trajectory.empty()) options.separate.trajectory = path(trajectory);
    return readScan(path("meas.dat"), options, Progress());
  }

 private slots:
  void init() { renew(); }

  void bothLayouts_data() {
    QTest::addColumn<int>("style");
    QTest::newRow("VB") << int(TwixStyle::vb);
    QTest::newRow("VD") << int(TwixStyle::vd);
  }
  void bothLayouts() {
    QFETCH(int, style);
    const auto scan = read({measurement()}, {}, TwixStyle(style));
    QCOMPARE(fileKind(path("meas.dat")), FileKind::twix);
    QCOMPARE(scan->coils, coils);
    QCOMPARE(scan->trajectory(0).shots(), std::int64_t(lines));
    for (int c = 0; c < coils; ++c)
      for (int l = 0; l < lines; ++l)
        for (int s = 0; s < samples; ++s) QCOMPARE(scan->data(0, 0, c)[l * samples + s], numbered(l, c, s));
    const Geometry& g = scan->geometry;
    QVERIFY((g.matrix == Index3{base, lines, 1}));
    QVERIFY((g.fov == Vec3{fov, fov * lines / base, thickness}));
    QVERIFY(!g.nominal);
    QVERIFY((g.slicePositions.front() == Vec3{-3.5, 20, 40}));
    // Quaternion 1: phase, read and slice along x, y, z.
    QVERIFY((g.phaseDirection == Vec3{1, 0, 0} && g.readDirection == Vec3{0, 1, 0} &&
             g.sliceDirection == Vec3{0, 0, 1}));
    // Counted from the centre, in cycles of the reconstructed field of view, k negated.
    const auto& points = scan->trajectory(0).points;
    for (int l = 0; l < lines; ++l)
      for (int s = 0; s < samples; ++s) {
        QCOMPARE(points[std::size_t(l * samples + s) * 2], -0.5 * (s - samples / 2));
        QCOMPARE(points[std::size_t(l * samples + s) * 2 + 1], double(lines / 2 - l));
      }
    QVERIFY(std::abs(scan->trajectory(0).times[1] - 5e-6) < 1e-12);
    QVERIFY(std::abs(scan->shotTimes[0][lines - 1] - 4 * (lines - 1) * 2.5e-3) < 1e-9);
    const Decision* counted = decisionOn(*scan, "missing-trajectory");
    QVERIFY(counted && counted->choice == "counters" && !counted->question);
    QVERIFY2(counted->evidence.find("centre 6 of 12") != std::string::npos, counted->evidence.c_str());
    QCOMPARE(decisionOn(*scan, "oversampling")->choice, std::string("remove"));
    QCOMPARE(decisionOn(*scan, "nucleus")->evidence, std::string("123.25 MHz"));
    QCOMPARE(decisionOn(*scan, "patient-position")->choice, std::string("HFS"));
    const Decision* protocol = decisionOn(*scan, "protocol");
    QCOMPARE(protocol->choice, std::string("gre_test"));
    for (const char* fact : {"TR 10 ms", "TE 4.2 ms", "flip angle 12.5 degrees", "syngo MR E11"})
      QVERIFY2(protocol->evidence.find(fact) != std::string::npos, protocol->evidence.c_str());
    QVERIFY(scan->warnings.empty());
  }

  // A point off the middle comes out where the positions and directions of the lines put it.
  void theImageLiesWhereTheLinesSay() {
    const std::array<double, 3> at{30, -45, 0};  // mm along read and phase from the slice's centre
    TestMeasurement m = measurement();
    for (TestLine& line : m.lines) {
      line.quaternion = {0.5f, 0.5f, 0.5f, 0.5f};  // phase along y, read along z, slice along x
      for (auto& coil : line.coils)
        for (int s = 0; s < samples; ++s) {
          const double kx = (s - samples / 2) / (2 * fov),
                       ky = (line.counters[0] - lines / 2) / (fov * lines / base);
          coil[std::size_t(s)] = cfloat(std::polar(1.0, 2 * M_PI * (kx * at[0] + ky * at[1])));
        }
    }
    const auto scan = read({m}, {{"missing-trajectory", "counters"}});
    const Geometry& g = scan->geometry;
    QVERIFY((g.phaseDirection == Vec3{0, 1, 0} && g.readDirection == Vec3{0, 0, 1} &&
             g.sliceDirection == Vec3{1, 0, 0}));
    const auto& points = scan->trajectory(0).points;
    double most = 0, nx = 0, ny = 0;
    for (int y = -lines / 2; y < lines / 2; ++y)
      for (int x = -base / 2; x < base / 2; ++x) {
        cdouble sum = 0;
        for (std::size_t j = 0; j < points.size() / 2; ++j)
          sum += cdouble(scan->data(0, 0, 0)[j]) *
                 std::polar(1.0, 2 * M_PI * (points[2 * j] * x / base + points[2 * j + 1] * y / lines));
        if (std::abs(sum) > most) most = std::abs(sum), nx = x, ny = y;
      }
    QCOMPARE(nx * g.voxel()[0], at[0]);
    QCOMPARE(ny * g.voxel()[1], at[1]);
  }

  void theLastMeasurementIsReadAndOthersOffered() {
    TestMeasurement first = measurement("AdjCoilSens");
    first.lines.resize(lines - 1);
    const auto scan = read({first, measurement("radial"), measurement("gre")});
    const Decision* d = decisionOn(*scan, "measurement");
    QCOMPARE(d->choice, std::string("3"));
    QVERIFY((d->alternatives == std::vector<std::string>{"1", "2"}));
    QVERIFY2(d->evidence.find("1 AdjCoilSens (") != std::string::npos, d->evidence.c_str());
    QCOMPARE(scan->trajectory(0).shots(), std::int64_t(lines));
    const auto other = read({first, measurement("gre")}, {{"measurement", "1"}});
    QCOMPARE(other->trajectory(0).shots(), std::int64_t(lines - 1));
    const std::string reason = reasonOf([&] { read({first, measurement("gre")}, {{"measurement", "3"}}); });
    QVERIFY2(reason.find("no measurement 3") != std::string::npos, reason.c_str());
  }

  void flagsSayWhatIsNoImage() {
    TestMeasurement m = measurement();
    TestLine other = lineAt(3);
    const auto add = [&](std::uint64_t flags) {
      other.flags = flags;
      m.lines.insert(m.lines.begin(), other);
    };
    add(twixBit(calibration));
    add(twixBit(calibration));
    add(twixBit(realTimeFeedback));
    add(twixBit(realTimeFeedback) | twixBit(phaseCorrection) | twixBit(reflected));
    add(twixBit(noise));
    const auto scan = read({m});
    QCOMPARE(scan->trajectory(0).shots(), std::int64_t(lines));
    QCOMPARE(scan->noise.size(), std::size_t(coils * samples));
    QCOMPARE(scan->noise[samples + 1], numbered(3, 1, 1));
    const Decision* left = decisionOn(*scan, "acquisitions");
    for (const char* kind : {"2 calibration", "1 navigation", "1 phase correction", "1 noise"})
      QVERIFY2(left->evidence.find(kind) != std::string::npos, left->evidence.c_str());
    QCOMPARE(read({m}, {{"calibration", "include"}})->trajectory(0).shots(), std::int64_t(lines + 2));
  }

  void countersBecomeNamedAxes_data() {
    QTest::addColumn<int>("counter");
    QTest::addColumn<int>("meaning");
    QTest::newRow("echo") << 4 << int(FrameMeaning::echo);
    QTest::newRow("phase") << 5 << int(FrameMeaning::phase);
    QTest::newRow("repetition") << 6 << int(FrameMeaning::time);
    QTest::newRow("set") << 7 << int(FrameMeaning::set);
  }
  void countersBecomeNamedAxes() {
    QFETCH(int, counter);
    QFETCH(int, meaning);
    TestMeasurement m = measurement("gre", "lContrasts = 2\nalTE[1] = 9100\n");
    for (int i = 0; i < lines; ++i) {
      TestLine line = lineAt(i);
      line.counters[std::size_t(counter)] = 1;
      m.lines.push_back(line);
    }
    const auto scan = read({m});
    QCOMPARE(scan->frames, 2);
    QCOMPARE(scan->frameAxes.axes.size(), std::size_t(1));
    QCOMPARE(int(scan->frameAxes.axes[0].meaning), meaning);
    if (FrameMeaning(meaning) != FrameMeaning::echo) return;
    QVERIFY(std::abs(*scan->frameAxes.value(1, FrameMeaning::echo) - 9.1e-3) < 1e-9);
  }

  void averagesAndSegmentsMakeNoFrames() {
    TestMeasurement m = measurement();
    for (int i = 0; i < lines; ++i) {
      TestLine line = lineAt(i);
      line.counters[1] = 1;  // average
      line.counters[8] = std::uint16_t(i % 2);
      m.lines.push_back(line);
    }
    const auto scan = read({m});
    QCOMPARE(scan->frames, 1);
    QCOMPARE(scan->trajectory(0).shots(), std::int64_t(2 * lines));
  }

  void slicesLieWhereTheirLinesAre() {
    TestMeasurement m = measurement();
    for (int z = 1; z < 3; ++z)
      for (int i = 0; i < lines; ++i) {
        TestLine line = lineAt(i);
        line.counters[2] = std::uint16_t(z);
        line.position[2] = float(40 + (z == 1 ? 12 : 6));  // interleaved
        m.lines.push_back(line);
      }
    const auto scan = read({m});
    QCOMPARE(scan->slices, 3);
    for (int z = 0; z < 3; ++z) QCOMPARE(scan->geometry.slicePositions[std::size_t(z)][2], 40 + 6.0 * z);
  }

  void partitionsAreTheThirdDimension() {
    constexpr int partitions = 6;
    TestMeasurement m =
        measurement("gre",
                    "sKSpace.ucDimension = 0x4\nsKSpace.lPartitions = 6\nsKSpace.lImagesPerSlab = 4\n"
                    "sKSpace.dSliceOversamplingForDialog = 0.5\n");
    m.lines.clear();
    for (int p = 0; p < partitions; ++p)
      for (int i = 0; i < lines; ++i) {
        TestLine line = lineAt(i);
        line.counters[3] = std::uint16_t(p);
        line.centrePartition = 3;
        for (auto& coil : line.coils)
          for (cfloat& v : coil) v *= std::exp(-float(std::abs(p - 3)));
        m.lines.push_back(line);
      }
    const auto scan = read({m});
    QCOMPARE(scan->dims(), 3);
    QVERIFY((scan->geometry.matrix == Index3{base, lines, 4}));
    QCOMPARE(scan->geometry.fov[2], thickness);
    const double kz = scan->trajectory(0).points[2];  // of partition 0, over 1.5 times the slab
    QVERIFY(std::abs(kz - 3 / 1.5) < 1e-6);
  }

  // The protocol says that it measures planes, and the lines count partitions.
  void partitionsOfAPlaneAreAQuestion() {
    constexpr int partitions = 6;
    TestMeasurement m = measurement("gre", "sKSpace.ucDimension = 0x2\n");
    m.lines.clear();
    for (int p = 0; p < partitions; ++p)
      for (int i = 0; i < lines; ++i) {
        TestLine line = lineAt(i);
        line.counters[3] = std::uint16_t(p);
        line.centrePartition = 3;
        m.lines.push_back(line);
      }
    const auto scan = read({m});
    const Decision* const third = decisionOn(*scan, "third-dimension");
    QVERIFY(third && third->question);
    QCOMPARE(third->choice, std::string("partition"));
    QCOMPARE(scan->geometry.matrix[2], std::int64_t(partitions));
    QCOMPARE(scan->trajectory(0).points[2], 3.0);  // of partition 0: negated, as kx and ky are
    const auto merged = read({m}, {{"third-dimension", "ignore"}});
    QCOMPARE(merged->dims(), 2);
    QCOMPARE(merged->trajectory(0).shots(), std::int64_t(partitions * lines));
  }

  void reflectedLinesRunBackwards() {
    TestMeasurement m = measurement();
    for (std::size_t i = 1; i < m.lines.size(); i += 2) m.lines[i].flags |= twixBit(reflected);
    const auto scan = read({m});
    const auto& points = scan->trajectory(0).points;
    QCOMPARE(points[0], 0.5 * (samples / 2));
    QCOMPARE(points[std::size_t(samples) * 2], -0.5 * (samples / 2 - 1));
    QVERIFY(!decisionOn(*scan, "reversed"));
    QCOMPARE(scan->data(0, 0, 0)[samples], numbered(1, 0, 0));
  }

  void rampsThatAreSampledBendTheReadout() {
    TestMeasurement m = measurement();
    m.nested =
        "<ParamLong.\"alRegridMode\"> { 2 1 } <ParamLong.\"alRegridRampupTime\"> { 50 0 } "
        "<ParamLong.\"alRegridRampdownTime\"> { 50 0 } <ParamLong.\"alRegridFlattopTime\"> { 100 0 } "
        "<ParamLong.\"alRegridDelaySamplesTime\"> { 20 } <ParamLong.\"alRegridDestSamples\"> { 32 }" +
        twixNested;
    const auto scan = read({m});
    const auto& points = scan->trajectory(0).points;
    QCOMPARE(points[std::size_t(samples / 2) * 2], 0.0);
    // 16 samples of 5 us before the middle of the gradient at 100 us is 20 us: area 20^2 / 100 = 4.
    const double middle = 25 + 50, whole = 150 - 2 * 4, first = 4;
    QVERIFY(std::abs(points[0] - 0.5 * samples * (middle - first) / whole) < 1e-6);
  }

  void samplesToCutAreCut() {
    TestMeasurement m = measurement();
    for (TestLine& line : m.lines) line.cutBefore = 2, line.cutBehind = 4;
    const auto scan = read({m});
    QCOMPARE(scan->trajectory(0).samples(), std::int64_t(lines * (samples - 6)));
    QCOMPARE(scan->data(0, 0, 0)[0], numbered(0, 0, 2));
    QCOMPARE(scan->trajectory(0).points[0], -0.5 * (2 - samples / 2));
  }

  void tracesArriveAsArrays() {
    TestMeasurement m = measurement();
    TestLine packet;
    packet.flags = twixBit(syncData);
    packet.stamp = 1000;
    const auto add = [&](std::uint32_t v) {
      packet.packet.append(reinterpret_cast<const char*>(&v), sizeof v);
    };
    add(16 + 3 * 8 + 4 * 4 + 4);
    packet.packet.append("PMUData", 7).append(45, '\0');
    for (const std::uint32_t v : {0u, 0u, 1004u, 0u, 800u})
      add(v);  // swapped, then a head: 80 ms from 1004 on
    add(0x01010000), add(200);
    for (const std::uint32_t v : {1024u, 2048u, 4096u, 0u}) add(v);
    add(0x01FF0000);
    m.lines.insert(m.lines.begin(), packet);
    const auto scan = read({m});
    QCOMPARE(scan->arrays.size(), std::size_t(1));
    const NamedArray& trace = scan->arrays.front();
    QCOMPARE(trace.name, std::string("PMU ECG1"));
    QVERIFY((trace.shape == std::vector<std::int64_t>{2, 4}));
    for (int i = 0; i < 4; ++i)
      QVERIFY(std::abs(trace.values[std::size_t(i)].real() - (0.01 + 0.02 * i)) < 1e-5);
    QVERIFY((trace.values[4] == cfloat(0.25f, 0) && trace.values[6] == cfloat(1, 0)));
  }

  void readoutsOfAnotherLengthAreAnotherEncoding() {
    TestMeasurement m = measurement();
    for (int i = 0; i < 2; ++i) {
      TestLine spectrum;
      spectrum.coils.assign(coils, std::vector<cfloat>(128, cfloat(1, 1)));
      m.lines.push_back(spectrum);
    }
    const auto scan = read({m});
    QCOMPARE(scan->trajectory(0).samples(), std::int64_t(lines * samples));
    const Decision* d = decisionOn(*scan, "encoding");
    QVERIFY(d && d->choice == "0");
    QVERIFY((d->alternatives == std::vector<std::string>{"1"}));
  }

  void aRadialMeasurementNeedsATrajectory() {
    const TestMeasurement m = measurement("radial", "sKSpace.ucTrajectory = 0x2\n");
    try {
      read({m});
      QFAIL("a radial measurement without a trajectory was read");
    } catch (const MissingTrajectory& e) {
      QVERIFY2(e.reason().find("its shots are radial") != std::string::npos, e.what());
      QVERIFY2(e.remedy().find("--trajectory FILE") != std::string::npos, e.what());
      QVERIFY(std::any_of(e.decisions.begin(), e.decisions.end(),
                          [](const Decision& d) { return d.topic == "protocol"; }));
    }
    std::vector<float> points;
    for (int l = 0; l < lines; ++l)
      for (int s = 0; s < samples; ++s) {
        const double k = (s - samples / 2) * 0.25, angle = M_PI * l / lines;
        points.insert(points.end(), {float(k * std::cos(angle)), float(k * std::sin(angle))});
      }
    write("traj.npy", npyHeader("<f4", {lines, samples, 2}) + bytesOf(points));
    const auto scan = read({m}, {{"k-unit", "cycles/FOV"}}, TwixStyle::vd, "traj.npy");
    QVERIFY(std::equal(points.begin(), points.end(), scan->trajectory(0).points.begin()));
  }

  // The protocol says Cartesian, as in every Pulseq measurement, but no line is stronger than another.
  void aSignalThatIsNotCartesianIsNotReadAsIfItWere() {
    TestMeasurement m = measurement();
    for (TestLine& line : m.lines) line.coils = m.lines[lines / 2].coils;
    QVERIFY_EXCEPTION_THROWN(read({m}), MissingTrajectory);
    QCOMPARE(read({m}, {{"missing-trajectory", "counters"}})->trajectory(0).shots(), std::int64_t(lines));
    m = measurement();
    for (TestLine& line : m.lines) line.counters[0] = 3;
    QVERIFY_EXCEPTION_THROWN(read({m}), MissingTrajectory);
  }

  // The protocol keeps the time of an inversion that is switched off.
  void inversionTimesAreTold() {
    const auto factsOf = [&](const char* inversion) {
      return decisionOn(*read({measurement("gre", std::string("alTI[0] = 900000\n") + inversion)}),
                        "protocol")
          ->evidence;
    };
    const std::string on = factsOf("sPrepPulses.ucInversion = 0x2\n");
    QVERIFY2(on.find("TI 900 ms") != std::string::npos, on.c_str());
    const std::string off = factsOf("sPrepPulses.ucInversion = 0x4\n");
    QVERIFY2(off.find("TI ") == std::string::npos, off.c_str());
  }

  void whatTheProtocolLacksIsDecided() {
    TestMeasurement m = measurement();
    m.protocol = "sKSpace.ucTrajectory = 1\n";
    const auto scan = read({m});
    QVERIFY(scan->geometry.nominal);
    QVERIFY(decisionOn(*scan, "matrix"));
    m.protocol.clear();
    QVERIFY_EXCEPTION_THROWN(read({m}), MissingTrajectory);
    const auto counted = read({m}, {{"missing-trajectory", "counters"}});
    QVERIFY(std::any_of(counted->warnings.begin(), counted->warnings.end(),
                        [](const std::string& w) { return w.find("protocol") != std::string::npos; }));
  }

  void interruptedAndDamagedFiles() {
    TestMeasurement m = measurement();
    m.ends = false;
    const auto scan = read({m});
    QCOMPARE(scan->warnings.size(), std::size_t(1));
    QVERIFY(scan->warnings.front().find("breaks off behind 12 readouts") != std::string::npos);
    const std::string sound = TwixWriter(TwixStyle::vd).file({measurement()});
    write("cut.dat", sound.substr(0, sound.size() - 4096));
    const auto cut = readScan(path("cut.dat"), ReadOptions(), Progress());
    QVERIFY(cut->trajectory(0).shots() < lines);
    QCOMPARE(cut->data(0, 0, 0)[1], numbered(0, 0, 1));
    write("head.dat", sound.substr(0, 10600));
    const std::string reason = reasonOf([&] { readScan(path("head.dat"), ReadOptions(), Progress()); });
    QVERIFY2(reason.find("claims") != std::string::npos, reason.c_str());
  }
};

SPOKELAB_CORE_TEST(TestTwixFiles)

}  // namespace test_twix_files

#include "test_twix_files.moc"
