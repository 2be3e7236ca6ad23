// Shots' phases: the samples are the k-space of the object times the maps that the scan carries;
// pcSENSE undoes them, SENSE does not; the built-in scan has them.
#include <QtTest>

#include <cmath>
#include <numbers>

#include "engine/recon/run/run_job.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/simulate/built_in_scans.h"
#include "engine/scan/simulate/truth_image.h"
#include "tests/test_main.h"

namespace test_shot_phases {

using namespace spokelab;

namespace {

constexpr double twoPi = 2 * std::numbers::pi;

SimulateOptions twoShots(double phase) {
  SimulateOptions o;
  o.trajectory.pattern = Pattern::spiral2d;
  o.trajectory.matrix = {32, 32, 1};
  o.trajectory.shots = 2;
  o.shotPhase = phase;
  return o;
}

const NamedArray& named(const Scan& scan, const std::string& name) {
  for (const NamedArray& array : scan.arrays)
    if (array.name == name) return array;
  throw std::runtime_error("no array " + name);
}

// With the true coil maps: an estimate from the samples would not know the phases.
Scan withMaps(Scan scan) {
  const std::int64_t n = scan.geometry.matrix[0];
  NamedArray maps{"SENSEMap", {scan.coils, 1, n, n}, {}, true};
  for (const CoilMap& coil : modelCoils(2, scan.coils))
    for (std::int64_t y = 0; y < n; ++y)
      for (std::int64_t x = 0; x < n; ++x) {
        cdouble value = 0;
        for (std::size_t i = 0; i < coil.amplitudes.size(); ++i)
          value += coil.amplitudes[i] * std::polar(1.0, twoPi *
                                                            (coil.frequencies[i][0] * double(x - n / 2) +
                                                             coil.frequencies[i][1] * double(y - n / 2)) /
                                                            double(n));
        maps.values.push_back(cfloat(value));
      }
  scan.arrays.push_back(std::move(maps));
  return scan;
}

// ||s a - b|| / ||b|| with the least-squares scale s.
double nrmse(const Image& a, const Image& b) {
  cdouble ab = 0;
  double aa = 0, bb = 0;
  for (std::size_t i = 0; i < b.data.size(); ++i) {
    ab += std::conj(cdouble(a.data[i])) * cdouble(b.data[i]);
    aa += double(std::norm(a.data[i]));
    bb += double(std::norm(b.data[i]));
  }
  return std::sqrt(std::max(0.0, bb - std::norm(ab) / aa) / bb);
}

}  // namespace

class TestShotPhases : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // The phases are read from the maps; the sum over a grid of 512 x 512 knows nothing else of them.
  void samplesAreThoseOfTheObjectTimesItsMaps() {
    const auto scan = simulate(twoShots(3), {});
    const NamedArray& maps = named(*scan, "PhaseMaps");
    QCOMPARE(maps.shape, (std::vector<std::int64_t>{2, 1, 32, 32}));
    const Trajectory& t = scan->trajectories.front();
    constexpr int n = 32, fine = 512;
    const Image object = phantomImage(sheppLogan(2), {fine, fine, 1});
    double difference = 0, norm = 0;
    for (std::size_t shot = 0; shot < 2; ++shot) {
      const cfloat* map = maps.values.data() + shot * n * n;
      const auto at = [&](int x, int y) { return double(map[y * n + x].real()); };
      const double constant = at(n / 2, n / 2), alongX = n * (at(n / 2 + 1, n / 2) - constant),
                   alongY = n * (at(n / 2, n / 2 + 1) - constant);
      QVERIFY(std::abs(constant) > 0 && std::abs(alongX) > 0 && std::abs(alongY) > 0);
      for (std::int64_t j = t.shotOffsets[shot]; j < t.shotOffsets[shot] + 100; j += 9) {
        const double kx = t.points[std::size_t(2 * j)], ky = t.points[std::size_t(2 * j + 1)];
        cdouble sum = 0;
        for (int y = 0; y < fine; ++y)
          for (int x = 0; x < fine; ++x) {
            const cfloat value = object.data[std::size_t(y * fine + x)];
            if (value == cfloat(0)) continue;
            const double rx = double(x - fine / 2) / fine, ry = double(y - fine / 2) / fine;
            sum += cdouble(value) *
                   std::polar(1.0, constant + alongX * rx + alongY * ry - twoPi * (kx * rx + ky * ry));
          }
        sum *= double(n * n) / double(fine * fine);
        difference += std::norm(sum - cdouble(scan->data(0, 0, 0)[j]));
        norm += std::norm(sum);
      }
    }
    QVERIFY2(std::sqrt(difference / norm) < 0.01, qPrintable(QString::number(std::sqrt(difference / norm))));
  }

  void thePeakIsKept() {
    const auto scan = simulate(twoShots(2.5), {});
    for (const cfloat v : named(*scan, "PhaseMaps").values) QVERIFY(std::abs(v) <= 2.5f);
    QVERIFY(simulate(twoShots(0), {})->arrays.empty());
  }

  void pcSenseUndoesThemAndSenseDoesNot() {
    SimulateOptions o = twoShots(3);
    o.trajectory.shots = 4;
    o.coils = 6;
    const Scan scan = withMaps(*simulate(o, {}));
    o.shotPhase = 0;
    const Scan still = withMaps(*simulate(o, {}));
    const Image truth = truthImage(sheppLogan(2), {32, 32, 1}, TruthKind::ball, {});
    ReconOptions options;
    options.iterative.solver.iterations = 20;
    options.iterative.transform = TransformKind::nufft;
    options.nufft.alpha = 2;
    options.nufft.width = 6;
    const auto error = [&](const Scan& of, ReconMethod method) {
      options.iterative.method = method;
      Image image = *runJob(*makeCpuBackend(), of, options, nullptr, nullptr, {}).image;
      for (cfloat& v : image.data) v = std::abs(v);  // coil maps have a phase of their own
      Image expected = truth;
      for (cfloat& v : expected.data) v = std::abs(v);
      return nrmse(image, expected);
    };
    // pcSENSE is as good as SENSE of a head that keeps still.
    const double without = error(scan, ReconMethod::sense), with = error(scan, ReconMethod::pcSense),
                 best = error(still, ReconMethod::sense);
    QVERIFY2(with < 1.05 * best && without > 1.7 * with,
             qPrintable(QStringLiteral("%1 with, %2 without, %3 still").arg(with).arg(without).arg(best)));
  }

  void theDemoWithAFieldHasMapsAndTwoShots() {
    const auto demo = builtInScan(fieldDemoName);
    QCOMPARE(demo.get(), builtInScan(fieldDemoName).get());
    QCOMPARE(demo->name, std::string(fieldDemoName));
    QCOMPARE(demo->coils, 8);
    QCOMPARE(demo->trajectories.front().shots(), 2);
    QVERIFY(!named(*demo, "FieldMap").values.empty() && !named(*demo, "PhaseMaps").values.empty());
    QVERIFY(isBuiltIn("demo") && isBuiltIn("demo-field") && !isBuiltIn("demo.h5") && !isBuiltIn(""));
  }
};

SPOKELAB_CORE_TEST(TestShotPhases)

}  // namespace test_shot_phases

#include "test_shot_phases.moc"
