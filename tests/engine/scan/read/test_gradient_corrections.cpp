// Corrections of the trajectory: delays are found in the samples, also of noisy ones, in the plane
// and in space; a measured impulse response makes the trajectory that the gradients made.
#include <QtTest>

#include "engine/core/error.h"
#include "engine/scan/read/correct/fit_delays.h"
#include "engine/scan/read/correct/girf.h"
#include "engine/scan/read/read_scan.h"
#include "tests/engine/scan/array_folder.h"
#include "tests/engine/scan/hdf5_file.h"
#include "tests/engine/scan/read/blobs.h"
#include "tests/engine/scan/variant_file.h"
#include "tests/test_main.h"

namespace test_gradient_corrections {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr double pi = std::numbers::pi;

TrajectoryName named(const std::string& text) {
  return parseTrajectoryName(text, "Cannot read a test");
}

const Decision* decisionOn(const Scan& scan, const std::string& topic) {
  for (const Decision& d : scan.decisions)
    if (d.topic == topic) return &d;
  return nullptr;
}

// A system whose output follows with a time constant, and one that rings; both as a response and as
// a differential equation.
struct System {
  bool rings = false;
  double timeConstant = 40e-6, resonance = 1200, decay = 0.8e-3, coupling = 0.03;

  cdouble response(double f) const {
    const cdouble s(0, 2 * pi * f);
    if (!rings) return 1.0 / (1.0 + s * timeConstant);
    const double w = 2 * pi * resonance;
    return 1.0 + coupling * w * s / (s * s + 2 / decay * s + w * w);
  }
};

struct Gradient {
  double frequency = 0, duration = 4e-3, ramp = 0.2e-3;
  double at(double t) const {
    if (t < 0 || t > duration) return 0;
    return std::min({1.0, t / ramp, (duration - t) / ramp}) * std::cos(2 * pi * frequency * t);
  }
};

// k every `dwell` as asked for, and as the system makes it, by small steps.
void integrate(const System& system, const Gradient& g, double dwell, std::vector<double>& asked,
               std::vector<double>& made) {
  constexpr double step = 1e-7;
  const auto each = int(std::lround(dwell / step));
  double a = 0, b = 0, y = 0, v = 0, x = 0;
  for (int i = 0; i * step < g.duration; ++i) {
    if (i % each == 0) {
      asked.push_back(a);
      made.push_back(b);
    }
    const double in = g.at((i + 0.5) * step);
    double out = 0;
    if (system.rings) {
      const double w = 2 * pi * system.resonance;
      v += step * (in - 2 / system.decay * v - w * w * x);
      x += step * v;
      out = in + system.coupling * w * v;
    } else {
      y += step * (in - y) / system.timeConstant;
      out = y;
    }
    a += step * in;
    b += step * out;
  }
}

Girf girfOf(const System& system) {
  Girf g;
  for (int i = -1000; i <= 1000; ++i) {
    const double f = 50.0 * i;
    const cdouble h = system.response(f);
    g.frequencies.push_back(f);
    g.gradient.push_back({h, h, h});
  }
  return g;
}

}  // namespace

class TestGradientCorrections : public QObject, private ArrayFolder {
  Q_OBJECT

 private:
  void expectDelays(const std::string& name, const NamedShape& shape, double snr) {
    const Vec3 truth{0.7, -0.4, 0.25};
    const int dims = trajectoryFamily(named(name).family, "").dims;
    const std::vector<double> nominal = namedPoints(named(name), shape, "Cannot read a test");
    const CentreSamples samples =
        blobSamples(delayedPoints(nominal, shape.shots, shape.samples, dims, truth), shape, dims, 2, snr);
    const DelayFit fit = fitDelays(samples, nominal, dims, DelayModel::axes, Progress());
    QVERIFY(fit.used > 0);
    for (std::size_t d = 0; d < std::size_t(dims); ++d)
      QVERIFY2(std::abs(fit.delays[d] - truth[d]) < 0.05,
               (name + ": " + std::to_string(fit.delays[d])).c_str());
    QVERIFY(fit.after < fit.before / 2);
  }

 private slots:
  void init() { renew(); }

  void pointsAreDelayed() {
    std::vector<double> line, late;
    for (int j = 0; j < 20; ++j) line.push_back(0.3 * j - 2), line.push_back(-0.1 * j);
    late = delayedPoints(line, 1, 20, 2, {0.5, -1.25, 0});
    for (int j = 0; j < 20; ++j) {
      QVERIFY(std::abs(late[std::size_t(2 * j)] - (0.3 * (j - 0.5) - 2)) < 1e-12);
      QVERIFY(std::abs(late[std::size_t(2 * j + 1)] - (-0.1 * (j + 1.25))) < 1e-12);
    }
  }

  void delaysAreFoundInThePlane() {
    expectDelays("radial:golden,centre-out=0", {34, 64, 64, 0, 0}, 0);
    expectDelays("radial:golden,centre-out=0", {34, 64, 64, 0, 0}, 20);
    expectDelays("radial:uniform,centre-out=0", {64, 128, 128, 0, 0}, 20);
  }

  void delaysAreFoundInSpace() {
    expectDelays("koosh:golden-means,centre-out=1", {400, 32, 32, 0, 0}, 20);
    expectDelays("koosh:golden-means,centre-out=0", {400, 32, 32, 0, 0}, 20);
  }

  // The decision, with its numbers before and after, of a scan that is read.
  void scansAreCorrected() {
    const NamedShape shape{34, 48, 48, 0, 0};
    const std::vector<double> nominal = namedPoints(named("radial:golden"), shape, "");
    const CentreSamples samples =
        blobSamples(delayedPoints(nominal, shape.shots, shape.samples, 2, {0.5, 0.2, 0}), shape, 2, 1, 50);
    std::vector<TestAcquisition> acquisitions;
    for (std::int64_t n = 0; n < shape.shots; ++n) {
      TestAcquisition a = acquisition(int(shape.samples), 1, 2);
      for (std::size_t j = 0; j < std::size_t(shape.samples); ++j) {
        a.samples[j] = samples.at(0, n, std::int64_t(j));
        for (std::size_t d = 0; d < 2; ++d)
          a.trajectory[2 * j + d] = float(nominal[2 * (std::size_t(n * shape.samples) + j) + d]);
      }
      acquisitions.push_back(a);
    }
    const TestSpace space{48, 48, 1, 240, 240, 5};
    writeVariant(path("scan.h5"), headerText(space, space), acquisitions);
    ReadOptions options;
    QVERIFY(!decisionOn(*readScan(path("scan.h5"), options, Progress()), "gradient-delays"));
    for (const char* method : {"axes", "per-shot", "0.5,0.2"}) {
      options.overrides["gradient-delays"] = method;
      const auto scan = readScan(path("scan.h5"), options, Progress());
      const Decision* const d = decisionOn(*scan, "gradient-delays");
      QVERIFY(d && d->overridden && d->evidence.find("before") != std::string::npos);
      const std::vector<double> truth = delayedPoints(nominal, shape.shots, shape.samples, 2, {0.5, 0.2, 0});
      double worst = 0;
      for (std::size_t i = 0; i < truth.size(); ++i)
        worst = std::max(worst, std::abs(truth[i] - scan->trajectory(0).points[i]));
      QVERIFY2(worst < 0.1,
               (std::string(method) + ": " + std::to_string(worst) + ", " + d->evidence).c_str());
    }
    options.overrides["gradient-delays"] = "often";
    QVERIFY_EXCEPTION_THROWN(readScan(path("scan.h5"), options, Progress()), Error);
  }

  void impulseResponsesMakeTheTrajectory() {
    for (const bool rings : {false, true})
      for (const double frequency : {0.0, 800.0, 2500.0})
        for (const double dwell : {2e-6, 10e-6}) {
          System system;
          system.rings = rings;
          std::vector<double> asked, made, points;
          integrate(system, Gradient{frequency}, dwell, asked, made);
          double largest = 0, worst = 0, before = 0;
          for (const double k : asked) points.push_back(k), points.push_back(-k);
          const GirfResult result = applyGirf(girfOf(system), points, 2, dwell, {1, 1, 1});
          for (std::size_t j = 0; j < asked.size(); ++j) {
            largest = std::max(largest, std::abs(asked[j]));
            before = std::max(before, std::abs(asked[j] - made[j]));
            worst = std::max({worst, std::abs(result.points[2 * j] - made[j]),
                              std::abs(result.points[2 * j + 1] + made[j])});
          }
          QVERIFY2(worst < 1e-3 * largest, std::to_string(worst / largest).c_str());
          QVERIFY(before > 1e-3 * largest);
        }
  }

  // Order 0: a constant response of c metres to the gradient is c k turns of phase.
  void theFieldsPhaseIsKnown() {
    Girf girf = girfOf(System());
    for (auto& h : girf.gradient) h = {1.0, 1.0, 1.0};
    girf.field.assign(girf.frequencies.size(), {0.01, 0.0, 0.0});
    std::vector<double> asked, made, points;
    integrate(System(), Gradient{500}, 5e-6, asked, made);
    for (const double k : asked) points.push_back(k), points.push_back(2 * k);
    const GirfResult result = applyGirf(girf, points, 2, 5e-6, {4, 4, 4});
    double largest = 0;
    for (const double k : asked) largest = std::max(largest, std::abs(k));
    for (std::size_t j = 0; j < asked.size(); ++j) {
      QVERIFY(std::abs(result.fieldTurns[j] - 0.04 * asked[j]) < 1e-3 * 0.04 * largest);
      QVERIFY(std::abs(result.points[2 * j] - asked[j]) < 1e-9 * largest);
    }
  }

  void responsesAreRead() {
    write("girf.csv", "frequency,xr,xi,yr,yi,zr,zi\n-100,1,-0.1,1,0,1,0\n0,1,0,1,0,1,0\n100,1,0.1,1,0,1,0\n");
    const Girf csv = readGirf(path("girf.csv"), Progress());
    QCOMPARE(csv.frequencies.size(), std::size_t(3));
    QVERIFY(std::abs(csv.gradientAt(50)[0] - cdouble(1, 0.05)) < 1e-12);
    QVERIFY(std::abs(csv.gradientAt(1000)[0] - cdouble(1, 0.1)) < 1e-12);
    writeNpy("girf.npy", {2, 7}, {-5, 1, 2, 3, 0.1f, 0.2f, 0.3f, 5, 1, 2, 3, 0.1f, 0.2f, 0.3f});
    const Girf npy = readGirf(path("girf.npy"), Progress());
    QVERIFY(std::abs(npy.fieldAt(0)[2] - 0.3) < 1e-6);
    write("half.csv", "0,1,0,1,0,1,0\n100,1,0.1,1,0,1,0\n");
    QVERIFY_EXCEPTION_THROWN(readGirf(path("half.csv"), Progress()), Error);
    write("bad.csv", "-1,1,0\n1,1,0\n");
    QVERIFY_EXCEPTION_THROWN(readGirf(path("bad.csv"), Progress()), Error);
    QVERIFY_EXCEPTION_THROWN(readGirf(path("missing.csv"), Progress()), Error);
  }
};

SPOKELAB_CORE_TEST(TestGradientCorrections)

}  // namespace test_gradient_corrections

#include "test_gradient_corrections.moc"
