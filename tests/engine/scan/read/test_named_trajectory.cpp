// Trajectories by name: the names' angles, and samples that tell which variant they were measured
// with.
#include <QtTest>

#include <numbers>
#include <random>

#include "engine/core/error.h"
#include "engine/scan/read/named/find_trajectory.h"
#include "engine/scan/read/read_scan.h"
#include "tests/engine/scan/array_folder.h"
#include "tests/engine/scan/hdf5_file.h"
#include "tests/engine/scan/read/blobs.h"
#include "tests/engine/scan/variant_file.h"
#include "tests/test_main.h"

namespace test_named_trajectory {

using namespace spokelab;
using namespace spokelab::test;

namespace {

using std::numbers::pi;

TrajectoryName named(const std::string& text) {
  return parseTrajectoryName(text, "Cannot read a test");
}

CentreSamples samplesOf(const TrajectoryName& name, const NamedShape& shape, std::size_t coils, double snr) {
  return blobSamples(namedPoints(name, shape, "Cannot read a test"), shape,
                     trajectoryFamily(name.family, "").dims, coils, snr);
}

const Decision& decisionOn(const std::vector<Decision>& made, const std::string& topic) {
  for (const Decision& d : made)
    if (d.topic == topic) return d;
  static const Decision none;
  return none;
}

}  // namespace

class TestNamedTrajectory : public QObject, private ArrayFolder {
  Q_OBJECT

 private:
  // The samples' variant is found, and clearly.
  void expectFound(const std::string& truth, const NamedShape& shape, const std::string& asked) {
    Decisions d({}, "Cannot read a test");
    const CentreSamples samples = samplesOf(named(truth), shape, 2, 30);
    const TrajectoryName found = findTrajectory(named(asked), shape, samples, d, Progress());
    QCOMPARE(found.variantText(), named(truth).variantText());
    const Decision& variant = decisionOn(d.made, "trajectory-variant");
    QVERIFY2(!variant.question, (truth + ": " + variant.evidence).c_str());
    QVERIFY(!variant.alternatives.empty());
  }

 private slots:
  void init() { renew(); }

  void namesAreUnderstood() {
    const TrajectoryName name = named("radial:tiny-golden=7,shift=0.5,centre-out");
    QCOMPARE(name.variantText(), std::string("tiny-golden=7"));
    QCOMPARE(name.get("shift", 0), 0.5);
    QCOMPARE(name.get("centre-out", 0), 1.0);
    QCOMPARE(named(name.text()).text(), name.text());
    QVERIFY(isTrajectoryName("koosh") && isTrajectoryName("spiral:golden,turns=12"));
    QVERIFY(!isTrajectoryName("traj.npy") && !isTrajectoryName("radial.npy") && !isTrajectoryName(""));
    QVERIFY_EXCEPTION_THROWN(named("cones"), Error);
    QVERIFY_EXCEPTION_THROWN(named("radial:silver"), Error);
    QVERIFY_EXCEPTION_THROWN(named("radial:tiny-golden"), Error);
    QVERIFY_EXCEPTION_THROWN(named("radial:golden=3"), Error);
    QVERIFY_EXCEPTION_THROWN(named("radial:golden,shift=x"), Error);
  }

  void anglesAreTheFields() {
    const auto degrees = [](const std::string& name, std::int64_t shots) {
      const Vec3 u = namedDirections(named(name), shots, "")[1];
      return std::atan2(u[1], u[0]) * 180 / pi;
    };
    QVERIFY(std::abs(degrees("radial:golden", 10) - 111.246118) < 1e-5);
    QVERIFY(std::abs(degrees("radial:tiny-golden=7", 10) - 23.628142) < 1e-5);
    QVERIFY(std::abs(degrees("radial:golden-360", 10) - 137.507764) < 1e-5);
    QVERIFY(std::abs(degrees("radial:uniform", 10) - 18) < 1e-9);
    QVERIFY(std::abs(degrees("radial:step=30,direction=-1", 10) + 30) < 1e-9);
    for (const TrajectoryVariant& v : trajectoryFamily("koosh", "").variants)
      for (const Vec3& u : namedDirections(named("koosh:" + v.name), 50, ""))
        QVERIFY(std::abs(u[0] * u[0] + u[1] * u[1] + u[2] * u[2] - 1) < 1e-12);
  }

  void readoutsReachWhatTheHeaderSays() {
    NamedShape shape{3, 8, 8, 0, 10e-6};
    const std::vector<double> across = namedRadii(named("radial:golden"), shape, "");
    QCOMPARE(across.front(), -4.0);
    QCOMPARE(across[4], 0.0);
    const std::vector<double> out = namedRadii(named("koosh:halton,ramp=20,delay=-5"), shape, "");
    // Half a sample early, ramp of two samples: t^2 / 4 below, t - 1 above, half a cycle a sample.
    QVERIFY(std::abs(out[0] - 0.5 * 0.0625) < 1e-12);
    QVERIFY(std::abs(out[3] - 0.5 * 2.5) < 1e-12);
    shape.dwell = 0;
    QVERIFY_EXCEPTION_THROWN(namedRadii(named("koosh:halton,ramp=20"), shape, ""), Error);
    QVERIFY_EXCEPTION_THROWN(namedPoints(named("stack-of-stars:golden,partitions=2"), shape, ""), Error);
    const std::vector<double> stack =
        namedPoints(named("stack-of-stars:golden,partitions=3"), shape, "Cannot read a test");
    QCOMPARE(stack[2], -1.0);
    QCOMPARE(stack[3 * 8 + 2], 0.0);
    QCOMPARE(namedPoints(named("spiral:uniform,turns=2"), shape, "").size(), std::size_t(2 * 3 * 8));
  }

  void theVariantIsFound() {
    const NamedShape plane{55, 64, 64, 0, 0};
    for (const char* truth : {"radial:golden", "radial:uniform", "radial:tiny-golden=7", "radial:golden-360",
                              "radial:uniform-360", "radial:alternating"})
      expectFound(std::string(truth) + ",centre-out=0", plane, "radial");
    const NamedShape sphere{400, 32, 32, 0, 0};
    for (const char* truth : {"koosh:golden-means", "koosh:halton-spiral", "koosh:phyllotaxis"})
      expectFound(std::string(truth) + ",centre-out=1", sphere, "koosh");
  }

  void theShiftIsFound() {
    const NamedShape plane{55, 64, 64, 0, 0};
    Decisions d({}, "Cannot read a test");
    const CentreSamples samples = samplesOf(named("radial:golden,centre-out=0,shift=1.5"), plane, 2, 30);
    const TrajectoryName found = findTrajectory(named("radial"), plane, samples, d, Progress());
    QCOMPARE(found.variant, std::string("golden"));
    QVERIFY2(std::abs(found.get("shift", 0) - 1.5) < 0.13,
             decisionOn(d.made, "trajectory-shift").evidence.c_str());
  }

  void noiseIsAQuestion() {
    const NamedShape plane{55, 64, 64, 0, 0};
    Decisions d({}, "Cannot read a test");
    CentreSamples samples = samplesOf(named("radial:golden"), plane, 1, 0);
    std::mt19937 random(3);
    std::normal_distribution<float> normal;
    for (cfloat& v : samples.coils[0]) v = {normal(random), normal(random)};
    findTrajectory(named("radial,centre-out=0"), plane, samples, d, Progress());
    QVERIFY(decisionOn(d.made, "trajectory-variant").question);
  }

  void scansTakeAName() {
    const TrajectoryName truth = named("radial:golden,centre-out=0");
    const NamedShape shape{34, 48, 48, 0, 0};
    const CentreSamples samples = samplesOf(truth, shape, 2, 300);
    std::vector<cfloat> all;
    for (const auto& coil : samples.coils) all.insert(all.end(), coil.begin(), coil.end());
    writeNpy("ksp.npy", {2, shape.shots, shape.samples}, all);
    std::vector<TestAcquisition> bare;
    for (std::int64_t n = 0; n < shape.shots; ++n) {
      TestAcquisition a = acquisition(int(shape.samples), 2, 0);
      for (std::size_t c = 0; c < 2; ++c)
        for (std::int64_t j = 0; j < shape.samples; ++j)
          a.samples[c * std::size_t(shape.samples) + std::size_t(j)] = samples.at(c, n, j);
      bare.push_back(a);
    }
    const TestSpace space{48, 48, 1, 240, 240, 5};
    writeVariant(path("bare.h5"), headerText(space, space), bare);
    const std::vector<double> points = namedPoints(truth, shape, "");
    for (const char* file : {"ksp.npy", "bare.h5"}) {
      ReadOptions options;
      options.separate.trajectory = "radial";
      const auto scan = readScan(path(file), options, Progress());
      QCOMPARE(decisionOn(scan->decisions, "trajectory-variant").choice, std::string("golden"));
      QCOMPARE(scan->trajectory(0).points.size(), points.size());
      for (std::size_t i = 0; i < points.size(); ++i)
        QVERIFY(std::abs(scan->trajectory(0).points[i] - points[i]) < 1e-4);
      options.overrides["trajectory-variant"] = "tiny-golden=7";
      const auto other = readScan(path(file), options, Progress());
      QVERIFY(decisionOn(other->decisions, "trajectory-variant").overridden);
    }
  }

  // A lung with 129Xe, whose file was given the true trajectory.
  void aRealScanTellsItsOrder() {
    const QByteArray folder = qgetenv("SPOKELAB_DATA");
    if (folder.isEmpty()) QSKIP("real scans: SPOKELAB_DATA is not set");
    const std::filesystem::path file =
        std::filesystem::path(folder.toStdString()) / "xenon_3d_radial" / "xenon_gas_3d_radial.h5";
    if (!std::filesystem::exists(file)) QSKIP("real scans: xenon_3d_radial is not there");
    const auto scan = readScan(file, ReadOptions(), Progress());
    const NamedShape shape{1000, 64, 64, 0, 10e-6};
    const std::vector<double> points =
        namedPoints(named("koosh:halton-spiral,ramp=100,delay=-5"), shape, "Cannot read a test");
    QCOMPARE(points.size(), scan->trajectory(0).points.size());
    double worst = 0;
    for (std::size_t i = 0; i < points.size(); ++i)
      worst = std::max(worst, std::abs(points[i] - scan->trajectory(0).points[i]));
    QVERIFY2(worst < 1e-3, std::to_string(worst).c_str());
    CentreSamples samples{1000, 64, {{scan->data(0, 0, 0), scan->data(0, 0, 0) + 64000}}};
    Decisions d({}, "Cannot read a test");
    const TrajectoryName found =
        findTrajectory(named("koosh,ramp=100,delay=-5"), shape, samples, d, Progress());
    QVERIFY2(found.variant == "halton-spiral", decisionOn(d.made, "trajectory-variant").evidence.c_str());
  }
};

SPOKELAB_CORE_TEST(TestNamedTrajectory)

}  // namespace test_named_trajectory

#include "test_named_trajectory.moc"
