// A phantom of value 1 is reconstructed as 1; frames, slices, coils and cancels come out as they
// were asked for.
#include <QtTest>
#include <cmath>

#include "engine/core/error.h"
#include "engine/core/memory/machine_memory.h"
#include "engine/nufft/plan/design.h"
#include "engine/recon/job/job_plan.h"
#include "engine/recon/reconstruct.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/run/run_job.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/simulate/built_in_scans.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/engine/recon/measures.h"
#include "tests/test_main.h"

namespace test_phantom_reconstruction {

using namespace spokelab;

namespace {

std::shared_ptr<const Scan> radialScan(int coils = 1, int frames = 1, Index3 matrix = {64, 64, 1}) {
  SimulateOptions options;
  options.trajectory.pattern = Pattern::radial2d;
  options.trajectory.matrix = matrix;
  options.coils = coils;
  options.frames = frames;
  return simulate(options, {});
}

ReconOptions fixedPlan() {
  ReconOptions options;
  options.nufft.alpha = 2;
  options.nufft.width = 5;
  return options;
}

// Magnitudes of an image against the truth at pixels inside the object whose neighbours within two
// pixels have the same true value: away from edges, where the finite resolution shows.
struct FlatComparison {
  std::int64_t pixels = 0;
  double slope = 0;  // least squares: image = slope * truth
  double error = 0;  // ||image - truth|| / ||truth||
};

FlatComparison compareWhereFlat(const Image& image, const Image& truth) {
  const Index3 n = truth.size;
  const auto value = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    return std::abs(truth.data[std::size_t((z * n[1] + y) * n[0] + x)]);
  };
  const std::int64_t margin = 2, depth = n[2] > 1 ? margin : 0;
  FlatComparison result;
  double product = 0, square = 0, difference = 0;
  for (std::int64_t z = depth; z < n[2] - depth; ++z)
    for (std::int64_t y = margin; y < n[1] - margin; ++y)
      for (std::int64_t x = margin; x < n[0] - margin; ++x) {
        const float here = value(x, y, z);
        bool flat = here > 0;
        for (std::int64_t dz = -depth; flat && dz <= depth; ++dz)
          for (std::int64_t dy = -margin; flat && dy <= margin; ++dy)
            for (std::int64_t dx = -margin; flat && dx <= margin; ++dx)
              flat = std::abs(value(x + dx, y + dy, z + dz) - here) < 1e-6F;
        if (!flat) continue;
        const double seen = std::abs(image.data[std::size_t((z * n[1] + y) * n[0] + x)]);
        ++result.pixels;
        product += seen * here;
        square += double(here) * here;
        difference += (seen - here) * (seen - here);
      }
  result.slope = product / square;
  result.error = std::sqrt(difference / square);
  return result;
}

// Correlation of the magnitudes, the truth moved by `shift` pixels along each axis.
double correlation(const Image& image, const Image& truth, std::int64_t shift) {
  const Index3 n = truth.size;
  double a = 0, b = 0, aa = 0, bb = 0, ab = 0, count = 0;
  for (std::int64_t z = 0; z + shift < n[2]; ++z)
    for (std::int64_t y = 0; y + shift < n[1]; ++y)
      for (std::int64_t x = 0; x + shift < n[0]; ++x) {
        const double p =
            std::abs(image.data[std::size_t(((z + shift) * n[1] + y + shift) * n[0] + x + shift)]);
        const double q = std::abs(truth.data[std::size_t((z * n[1] + y) * n[0] + x)]);
        a += p;
        b += q;
        aa += p * p;
        bb += q * q;
        ab += p * q;
        ++count;
      }
  return (ab - a * b / count) / std::sqrt((aa - a * a / count) * (bb - b * b / count));
}

}  // namespace

class TestPhantomReconstruction : public QObject {
  Q_OBJECT
  std::unique_ptr<Backend> cpu_ = makeCpuBackend();

 private slots:
  // Radial scans, twice oversampled along the spokes so that no aliases of the field of view fold
  // in.
  void intensityIsKept_data() {
    QTest::addColumn<int>("density");
    QTest::newRow("from the file") << int(DensityMethod::file);
    QTest::newRow("analytic") << int(DensityMethod::analytic);
    QTest::newRow("Pipe-Menon") << int(DensityMethod::pipeMenon);
  }

  void intensityIsKept() {
    QFETCH(int, density);
    SimulateOptions options;
    options.trajectory.matrix = {96, 96, 1};
    options.trajectory.samplesPerShot = 192;
    const auto scan = simulate(options, {});
    ReconOptions recon = fixedPlan();
    recon.density = DensityMethod(density);
    const Reconstruction r = runJob(*cpu_, *scan, recon, nullptr, nullptr, {});
    QVERIFY(r.image);
    const Image truth = phantomImage(sheppLogan(2), {96, 96, 1});
    const FlatComparison flat = compareWhereFlat(*r.image, truth);
    QVERIFY(flat.pixels > 1000);
    QVERIFY2(std::abs(flat.slope - 1) < 0.03, QByteArray::number(flat.slope));
    QVERIFY2(flat.error < 0.1, QByteArray::number(flat.error));
  }

  void demoShowsThePhantom() {
    const auto scan = builtInScan(demoName);
    ReconOptions options;
    options.effort = TuneEffort::estimate;
    const Reconstruction r = reconstruct({cpu_.get()}, *scan, options, nullptr, {});
    QVERIFY(r.image);
    QVERIFY(r.tuning);
    QCOMPARE(r.image->frames, 1);
    QVERIFY(r.image->size == scan->geometry.matrix);
    const Image truth = phantomImage(sheppLogan(3), scan->geometry.matrix);
    // Undersampled four times, with noise: it correlates with the truth, and best where it lies.
    const double here = correlation(*r.image, truth, 0), beside = correlation(*r.image, truth, 1);
    QVERIFY2(here > 0.6, QByteArray::number(here));
    QVERIFY2(here > beside + 0.1, QByteArray::number(beside));
  }

  // Steps of one cycle/FOV along the spokes would show the head's alias as a ring, brightest at
  // 1.15 to 1.25 of half the field of view (towards the corners), 1.6 times the streaks and noise
  // inside of it.
  void demoHasNoRingAtTheEdgeOfTheField() {
    ReconOptions options = fixedPlan();
    options.density = DensityMethod::file;
    const Reconstruction r = runJob(*cpu_, *builtInScan(demoName), options, nullptr, nullptr, {});
    const std::int64_t n = r.image->size[0];
    const auto rmsBetween = [&](double from, double to) {
      double sum = 0, count = 0;
      for (std::int64_t i = 0; i < r.image->volume(); ++i) {
        const auto d = [&](std::int64_t index) { return double(index - n / 2) / (double(n) / 2); };
        const double radius = std::hypot(d(i % n), d(i / n % n), d(i / (n * n)));
        if (radius < from || radius >= to) continue;
        sum += double(std::norm(r.image->data[std::size_t(i)]));
        ++count;
      }
      return std::sqrt(sum / count);
    };
    const double ratio = rmsBetween(1.1, 1.3) / rmsBetween(0.95, 1.05);
    QVERIFY2(ratio < 1.25, QByteArray::number(ratio));
  }

  void intensityIsKeptIn3d_data() {
    QTest::addColumn<int>("density");
    QTest::newRow("from the file") << int(DensityMethod::file);
    QTest::newRow("analytic") << int(DensityMethod::analytic);
  }

  void intensityIsKeptIn3d() {
    QFETCH(int, density);
    SimulateOptions options;
    options.trajectory.pattern = Pattern::goldenRadial3d;
    options.trajectory.matrix = {48, 48, 48};
    options.trajectory.samplesPerShot = 96;
    const auto scan = simulate(options, {});
    ReconOptions recon = fixedPlan();
    recon.density = DensityMethod(density);
    const Reconstruction r = runJob(*cpu_, *scan, recon, nullptr, nullptr, {});
    QVERIFY(r.image);
    const FlatComparison flat = compareWhereFlat(*r.image, phantomImage(sheppLogan(3), {48, 48, 48}));
    QVERIFY(flat.pixels > 500);
    QVERIFY2(std::abs(flat.slope - 1) < 0.05, QByteArray::number(flat.slope));
    QVERIFY2(flat.error < 0.2, QByteArray::number(flat.error));
  }

  void aPixelAtTheCentreOfTheFieldStaysThere() {
    // k-space of a point at the centre is constant: n = 0 is pixel floor(N/2) for odd and even
    // sizes.
    for (Index3 matrix : {Index3{32, 32, 1}, Index3{33, 33, 1}, Index3{32, 21, 1}}) {
      const auto original = radialScan(1, 1, matrix);
      Scan scan = *original;
      for (cfloat& y : scan.samples[0]) y = 1;
      const Reconstruction r = runJob(*cpu_, scan, fixedPlan(), nullptr, nullptr, {});
      std::size_t largest = 0;
      for (std::size_t i = 0; i < r.image->data.size(); ++i)
        if (std::abs(r.image->data[i]) > std::abs(r.image->data[largest])) largest = i;
      QCOMPARE(std::int64_t(largest), matrix[1] / 2 * matrix[0] + matrix[0] / 2);
    }
  }

  void coilsCombineByRootSumOfSquares() {
    const auto scan = radialScan(5);
    ReconOptions options = fixedPlan();
    const Reconstruction combined = runJob(*cpu_, *scan, options, nullptr, nullptr, {});
    options.combination = Combination::none;
    const Reconstruction separate = runJob(*cpu_, *scan, options, nullptr, nullptr, {});
    QCOMPARE(separate.image->frames, 5);
    QCOMPARE(combined.image->frames, 1);
    for (std::int64_t i = 0; i < combined.image->volume(); ++i) {
      double square = 0;
      for (int c = 0; c < 5; ++c) square += std::norm(separate.image->frame(c)[i]);
      QVERIFY(std::abs(combined.image->data[std::size_t(i)] - cfloat(float(std::sqrt(square)))) < 1e-5F);
    }
  }

  void boundedMemoryGivesTheSameImage() {
    // A limit so low that each coil is transformed alone.
    const auto scan = radialScan(5);
    ReconOptions options = fixedPlan();
    const Reconstruction together = runJob(*cpu_, *scan, options, nullptr, nullptr, {});
    QCOMPARE(planJob(*scan, options).coilsAtOnce, std::int64_t(5));
    Scan two = *scan;
    const auto coil = std::int64_t(sizeof(cfloat)) *
                      (scan->geometry.matrix[0] * scan->geometry.matrix[1] + scan->trajectory(0).samples());
    options.nufft.memoryLimit = 2 * 3 * coil;
    QCOMPARE(planJob(two, options).coilsAtOnce, std::int64_t(3));  // 3 + 2
    setOption(options, "coils-at-once", "2");
    QCOMPARE(planJob(*scan, options).coilsAtOnce, std::int64_t(2));  // 2 + 2 + 1
    options.nufft.memoryLimit = coil;
    QCOMPARE(planJob(*scan, options).coilsAtOnce, std::int64_t(1));  // the limit counts
    setOption(options, "coils-at-once", "400");
    options.nufft.memoryLimit = 0;
    QCOMPARE(planJob(*scan, options).coilsAtOnce, std::int64_t(5));
    const Reconstruction apart = runJob(*cpu_, two, options, nullptr, nullptr, {});
    QVERIFY(test::relativeDifference(apart.image->data, together.image->data) < 1e-6);
  }

  // A volume so large that the grids of two coils would take a gigabyte: four go together
  // nevertheless.
  void largeVolumesAreTransformedFourAtATime() {
    Scan scan = *radialScan(12, 1);
    scan.geometry.matrix = {200, 200, 200};
    scan.trajectories[0].dims = 3;
    ReconOptions options;
    // 64 MB each; an eighth of the machine's memory holds them, or fewer.
    constexpr std::int64_t plenty = std::int64_t{16} << 30;
    if (memoryCapacity() > plenty) QCOMPARE(planJob(scan, options).coilsAtOnce, std::int64_t(12));
    scan.geometry.matrix = {320, 320, 320};  // 262 MB each
    if (memoryCapacity() > plenty) QCOMPARE(planJob(scan, options).coilsAtOnce, std::int64_t(4));
    options.nufft.memoryLimit = 2 * std::int64_t{700'000'000};  // two
    QVERIFY(planJob(scan, options).coilsAtOnce <= 2);
    scan.coils = 10;  // 5 + 5 share more than 8 + 2, which is filled up to 8
    scan.geometry.matrix = {64, 64, 64};
    const std::int64_t coil = std::int64_t(sizeof(cfloat)) * (64 * 64 * 64 + scan.trajectory(0).samples());
    options.nufft.memoryLimit = 2 * 9 * coil;
    QCOMPARE(planJob(scan, options).coilsAtOnce, std::int64_t(5));
    scan.coils = 12;
    options.nufft.memoryLimit = 2 * 7 * coil;
    QCOMPARE(planJob(scan, options).coilsAtOnce, std::int64_t(4));
  }

  void framesAreChosen() {
    const auto original = radialScan(1, 4);
    Scan scan = *original;
    for (int f = 0; f < 4; ++f)
      for (cfloat& y : scan.samples[std::size_t(f)]) y *= float(f + 1);
    ReconOptions options = fixedPlan();
    options.frames = "1,3";
    const Reconstruction r = runJob(*cpu_, scan, options, nullptr, nullptr, {});
    QCOMPARE(r.image->frames, 2);
    const cfloat a = r.image->frame(0)[64 * 32 + 32], b = r.image->frame(1)[64 * 32 + 32];
    QVERIFY(std::abs(b / a - 2.0F) < 1e-4F);
    options.frames = "4";
    QVERIFY_EXCEPTION_THROWN(runJob(*cpu_, scan, options, nullptr, nullptr, {}), Error);
  }

  void framesMayHaveTrajectoriesOfTheirOwn() {
    const auto linear = radialScan();
    SimulateOptions golden;
    golden.trajectory.pattern = Pattern::goldenRadial2d;
    golden.trajectory.matrix = {64, 64, 1};
    const auto other = simulate(golden, {});
    Scan both = *linear;
    both.frames = 2;
    both.trajectories.push_back(other->trajectories[0]);
    both.samples.push_back(other->samples[0]);
    const Reconstruction r = runJob(*cpu_, both, fixedPlan(), nullptr, nullptr, {});
    const Reconstruction r0 = runJob(*cpu_, *linear, fixedPlan(), nullptr, nullptr, {});
    const Reconstruction r1 = runJob(*cpu_, *other, fixedPlan(), nullptr, nullptr, {});
    const std::vector<cfloat> first(r.image->frame(0), r.image->frame(0) + 64 * 64),
        second(r.image->frame(1), r.image->frame(1) + 64 * 64);
    QVERIFY(test::relativeDifference(first, r0.image->data) < 1e-6);
    QVERIFY(test::relativeDifference(second, r1.image->data) < 1e-6);
  }

  void slicesKeepTheirPlace() {
    const auto original = radialScan(2);
    Scan scan = *original;
    scan.slices = 3;
    scan.geometry.slicePositions = {{0, 0, -10}, {0, 0, 0}, {0, 0, 10}};
    Buffer<cfloat> samples;
    for (int s = 0; s < 3; ++s)
      for (const cfloat& y : original->samples[0]) samples.push_back(y * float(s + 1));
    scan.samples[0] = samples;
    ReconOptions options = fixedPlan();
    const Reconstruction all = runJob(*cpu_, scan, options, nullptr, nullptr, {});
    QCOMPARE(all.image->size[2], std::int64_t(3));
    options.slices = "2";
    const Reconstruction one = runJob(*cpu_, scan, options, nullptr, nullptr, {});
    QCOMPARE(one.image->size[2], std::int64_t(1));
    QCOMPARE(one.image->geometry.slicePositions, (std::vector<Vec3>{{0, 0, 10}}));
    for (std::size_t i = 0; i < 64 * 64; ++i) QCOMPARE(one.image->data[i], all.image->data[2 * 64 * 64 + i]);
  }

  void aVolumeHasNoSlicesToChoose() {
    ReconOptions options = fixedPlan();
    options.slices = "3";
    try {
      runJob(*cpu_, *builtInScan(demoName), options, nullptr, nullptr, {});
      QFAIL("the slices of a 3-D scan were accepted");
    } catch (const Error& error) {
      QVERIFY(error.reason().find("3-D") != std::string::npos);
      QVERIFY(error.remedy().find("--slices") != std::string::npos);
    }
  }

  void stagesAddUp() {
    const auto scan = radialScan(4);
    const Reconstruction r = runJob(*cpu_, *scan, fixedPlan(), nullptr, nullptr, {});
    QVERIFY(r.timings.total > 0);
    QVERIFY(r.timings[Stage::fft] > 0);
    QVERIFY(r.timings[Stage::spread] > 0);
    QVERIFY(r.timings.accounted() <= r.timings.total * 1.001);
    QVERIFY(r.timings.total <= r.seconds);
  }

  void exactSumsAreTheReference() {
    const auto scan = radialScan(2, 1, {32, 32, 1});
    ReconOptions options = fixedPlan();
    options.precision = Precision::double64;
    options.nufft.accuracy = 1e-6;
    options.nufft.width = 9;
    const Reconstruction fast = runJob(*cpu_, *scan, options, nullptr, nullptr, {});
    options.exact = true;
    const Reconstruction exact = runJob(*cpu_, *scan, options, nullptr, nullptr, {});
    QVERIFY(!exact.tuning);
    QVERIFY(test::relativeDifference(fast.image->data, exact.image->data) < 1e-6);
  }

  void aCancelIsAResult() {
    const auto scan = radialScan(2, 6);
    std::stop_source stop;
    const Progress stopped(stop.get_token(), [&](double fraction, const std::string&) {
      if (fraction > 0.6) stop.request_stop();
    });
    const Reconstruction r = runJob(*cpu_, *scan, fixedPlan(), nullptr, nullptr, stopped);
    QVERIFY(r.cancelled);
    QVERIFY(r.image);  // the frames that were complete
    QVERIFY(r.image->frames >= 1 && r.image->frames < 6);
    QCOMPARE(std::int64_t(r.image->data.size()), r.image->volume() * r.image->frames);

    std::stop_source before;
    before.request_stop();
    const Reconstruction none = reconstruct({cpu_.get()}, *scan, {}, nullptr, Progress(before.get_token()));
    QVERIFY(none.cancelled);
    QVERIFY(!none.image);
  }

  void aBackendThatIsNotThereIsRefused() {
    const auto scan = radialScan();
    ReconOptions options;
    options.backend = "cuda";
    QVERIFY_EXCEPTION_THROWN(reconstruct({cpu_.get()}, *scan, options, nullptr, {}), Error);
  }
};

SPOKELAB_TEST(TestPhantomReconstruction)

}  // namespace test_phantom_reconstruction

#include "test_phantom_reconstruction.moc"
