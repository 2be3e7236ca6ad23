// Real raw data of Siemens scanners (SPOKELAB_DATA): sums of the samples' bytes as twixtools 0.24 gives
// them, and the numbers that one reads in the protocols by eye.
#include <QtTest>

#include <cmath>

#include "engine/scan/read/missing_trajectory.h"
#include "engine/scan/read/read_scan.h"
#include "tests/test_main.h"

namespace test_real_twix {

using namespace spokelab;

namespace {

const Decision* decisionOn(const Scan& scan, const std::string& topic) {
  for (const Decision& d : scan.decisions)
    if (d.topic == topic) return &d;
  return nullptr;
}

// FNV-1a of the samples [coil, line, sample] of a frame, complex64.
std::uint64_t sumOf(const Scan& scan, int frame) {
  std::uint64_t sum = 0xcbf29ce484222325;
  const auto* bytes = reinterpret_cast<const unsigned char*>(scan.data(frame, 0, 0));
  const auto count = std::size_t(scan.coils * scan.trajectory(frame).samples()) * sizeof(cfloat);
  for (std::size_t i = 0; i < count; ++i) sum = (sum ^ bytes[i]) * 0x100000001b3;
  return sum;
}

bool near(const Vec3& a, const Vec3& b, double most) {
  return std::abs(a[0] - b[0]) < most && std::abs(a[1] - b[1]) < most && std::abs(a[2] - b[2]) < most;
}

}  // namespace

class TestRealTwix : public QObject {
  Q_OBJECT

 private:
  std::filesystem::path data_;

  std::shared_ptr<const Scan> read(const char* file, const ReadOptions& options = {}) {
    return readScan(data_ / "cases/twix" / file, options, Progress());
  }
  // Slice of both Skyra scans: position and normal of sSliceArray.asSlice[0], phase along the
  // projection of the posterior axis, read towards the right.
  static void checkPlace(const Geometry& g) {
    QVERIFY(near(g.slicePositions.front(), {-2.58969998377, 53.9224264395, -53.9994745263}, 1e-5));
    QVERIFY(near(g.sliceDirection, {6.58423005e-9, 0.0383878015, 0.9992629886}, 1e-6));
    QVERIFY(near(g.phaseDirection, {0, 0.9992629886, -0.0383878015}, 1e-6));
    QVERIFY(near(g.readDirection, {-1, 0, 0}, 1e-6));
  }

 private slots:
  void initTestCase() {
    const QByteArray folder = qgetenv("SPOKELAB_DATA");
    if (folder.isEmpty()) QSKIP("real scans: SPOKELAB_DATA is not set");
    data_ = folder.toStdString();
    if (!std::filesystem::exists(data_ / "cases/twix"))
      QSKIP("real scans: the folder cases/twix is not there");
  }

  void gradientEchoes() {
    const auto scan = read("gre.dat");
    QCOMPARE(scan->coils, 2);
    QCOMPARE(scan->trajectory(0).shots(), std::int64_t(160));
    QCOMPARE(sumOf(*scan, 0), std::uint64_t(0x15b6dfc97c109a));
    QVERIFY((scan->geometry.matrix == Index3{160, 160, 1}));
    QVERIFY((scan->geometry.fov == Vec3{200, 200, 4}));
    checkPlace(scan->geometry);
    QVERIFY(std::abs(scan->trajectory(0).times[1] - 11.6e-6) < 1e-11);
    QVERIFY(std::abs(scan->shotTimes[0].back() - (22321803 - 22321167) * 2.5e-3) < 1e-9);
    QCOMPARE(decisionOn(*scan, "coil-elements")->choice, std::string("BC2, BC"));
    QCOMPARE(decisionOn(*scan, "nucleus")->choice, std::string("1H"));
    QCOMPARE(decisionOn(*scan, "nucleus")->evidence, std::string("123.263034 MHz"));
    QCOMPARE(decisionOn(*scan, "patient-position")->choice, std::string("HFS"));
    const std::string protocol = decisionOn(*scan, "protocol")->evidence;
    for (const char* fact : {"TR 10 ms", "TE 3 ms", "flip angle 15 degrees", "Skyra", "syngo MR E11"})
      QVERIFY2(protocol.find(fact) != std::string::npos, protocol.c_str());
    QVERIFY(protocol.find("TI") == std::string::npos);
    QVERIFY(scan->warnings.empty());
  }

  void echoPlanar() {
    const auto scan = read("epi.dat");
    QCOMPARE(scan->trajectory(0).shots(), std::int64_t(80));
    QCOMPARE(sumOf(*scan, 0), std::uint64_t(0x454caeb7919bdf0e));
    QVERIFY((scan->geometry.matrix == Index3{80, 80, 1}));
    checkPlace(scan->geometry);
    const Decision* counted = decisionOn(*scan, "missing-trajectory");
    QVERIFY2(counted->evidence.find("40 readouts run backwards") != std::string::npos,
             counted->evidence.c_str());
    QVERIFY2(counted->evidence.find("ramps, which last 160 and 160 us") != std::string::npos,
             counted->evidence.c_str());
    QVERIFY(decisionOn(*scan, "acquisitions")->evidence.find("3 phase correction") != std::string::npos);
    // 248 us before the middle is 32 us into the ramp: area 3.2 of 400, of which 393.6 are sampled; the
    // middle samples are as far apart as the flat top makes them.
    const auto& points = scan->trajectory(0).points;
    QVERIFY(std::abs(points[0] - 0.5 * 160 * (200 - 3.2) / 393.6) < 1e-5);
    QVERIFY(std::abs(points[2 * 79] - 0.5 * 160 * 3.1 / 393.6) < 1e-5);
  }

  void xenonSpokes() {
    try {
      read("demo_dixon.dat");
      QFAIL("spokes without a trajectory were read");
    } catch (const MissingTrajectory& e) {
      QVERIFY2(e.reason().find("radial") != std::string::npos, e.what());
      QVERIFY2(e.remedy().find("--trajectory") != std::string::npos, e.what());
    }
    ReadOptions options;
    options.separate.trajectory = data_ / "xenon_3d_radial/xenon_gas_3d_radial.h5";
    const auto scan = read("demo_dixon.dat", options);
    QCOMPARE(scan->frames, 2);  // gas, and what is dissolved
    QCOMPARE(scan->frameAxes.axes.at(0).meaning, FrameMeaning::echo);
    QCOMPARE(scan->trajectory(0).shots(), std::int64_t(1000));
    QCOMPARE(sumOf(*scan, 0), std::uint64_t(0xc3a8ca660d8d593a));
    QCOMPARE(sumOf(*scan, 1), std::uint64_t(0x5250e58819984f21));
    QVERIFY((scan->geometry.matrix == Index3{64, 64, 64}));
    QVERIFY((scan->geometry.fov == Vec3{400, 400, 400}));
    QCOMPARE(decisionOn(*scan, "encoding")->choice, std::string("0"));  // 1: 30 spectra
    QCOMPARE(decisionOn(*scan, "nucleus")->choice, std::string("129Xe"));
    QCOMPARE(decisionOn(*scan, "nucleus")->evidence, std::string("34.09222 MHz"));
    QCOMPARE(decisionOn(*scan, "patient-position")->choice, std::string("FFS"));
    const auto whole = readScan(data_ / "xenon_3d_radial/xenon_gas_3d_radial.h5", ReadOptions(), Progress());
    QVERIFY(whole->trajectory(0).points == scan->trajectory(0).points);
    const auto trace = std::find_if(scan->arrays.begin(), scan->arrays.end(),
                                    [](const NamedArray& a) { return a.name == "PMU ECG1"; });
    QVERIFY(trace != scan->arrays.end());
    QVERIFY((trace->shape == std::vector<std::int64_t>{2, 6195}));
    double sum = 0;
    for (std::size_t i = 6195; i < trace->values.size(); ++i) sum += double(trace->values[i].real());
    QCOMPARE(sum, 3097.5);
    QVERIFY(std::abs(double(trace->values[0].real()) - (16060979.0 - 16061015.0) * 2.5e-3) < 1e-4);
  }
};

SPOKELAB_TEST(TestRealTwix)

}  // namespace test_real_twix

#include "test_real_twix.moc"
