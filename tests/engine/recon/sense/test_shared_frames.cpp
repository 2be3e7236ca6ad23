// Frames of one scan share what does not change: coil maps from their mean, and the plan, which takes the
// points of frames that have their own. Their images are those that each would have alone.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/recon/explore/scan_maps.h"
#include "engine/recon/run/run_job.h"
#include "engine/recon/run/sense/coil_map_source.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/engine/nufft/forwarding_nufft.h"
#include "tests/engine/recon/forwarding_backend.h"
#include "tests/engine/recon/measures.h"
#include "tests/engine/recon/reconstruct.h"
#include "tests/test_main.h"

namespace test_shared_frames {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr std::int64_t side = 64;  // the images that maps are estimated from are smaller

// Forwards to a plan, and counts how often its points are set.
class CountingPlan final : public ForwardingNufft {
 public:
  CountingPlan(std::unique_ptr<Nufft<float>> plan, int& count)
      : ForwardingNufft(std::move(plan)), count_(count) {}
  void setPoints(const PlanPoints& points) override {
    ++count_;
    plan_->setPoints(points);
  }

 private:
  int& count_;
};

// Forwards to the CPU, and counts plans of whole images, and their sets of points.
class CountingBackend final : public ForwardingBackend<Backend> {
 public:
  int plans = 0, pointSets = 0;

  AnyNufft makePlan(const NufftProblem& p, const NufftOptions& o) override {
    if (p.size[0] != side || p.precision == Precision::double64) return cpu_->makePlan(p, o);
    ++plans;
    return std::make_unique<CountingPlan>(cpu_->plan<float>(p, o), pointSets);
  }
};

std::shared_ptr<Scan> cine(int frames, double noise, int coils = 6) {
  SimulateOptions o;
  o.trajectory.pattern = Pattern::goldenRadial2d;
  o.trajectory.matrix = {side, side, 1};
  o.trajectory.shots = 60;
  o.coils = coils;
  o.frames = frames;
  o.noise = noise;
  auto scan = std::make_shared<Scan>(*simulate(o, {}));
  scan->noise.clear();
  return scan;
}

// The same scan with a trajectory a frame, each turned by another angle: the object turns with it.
void turnFrames(Scan& scan, double angle = 1e-3) {
  const Trajectory first = scan.trajectory(0);
  scan.trajectories.clear();
  for (int f = 0; f < scan.frames; ++f) {
    Trajectory& t = scan.trajectories.emplace_back(first);
    const double c = std::cos(angle * f), s = std::sin(angle * f);
    for (std::size_t i = 0; i < t.points.size(); i += 2) {
      const double x = t.points[i], y = t.points[i + 1];
      t.points[i] = c * x - s * y;
      t.points[i + 1] = s * x + c * y;
    }
  }
}

// Takes the last shots of frame f away, f of them.
void shortenFrames(Scan& scan) {
  for (int f = 0; f < scan.frames; ++f) {
    Trajectory& t = scan.trajectories[std::size_t(f)];
    const std::int64_t before = t.samples();
    t.shotOffsets.resize(t.shotOffsets.size() - std::size_t(f));
    t.points.resize(std::size_t(t.samples()) * 2);
    if (!t.weights.empty()) t.weights.resize(std::size_t(t.samples()));
    if (!t.times.empty()) t.times.resize(std::size_t(t.samples()));
    Buffer<cfloat>& samples = scan.samples[std::size_t(f)];
    Buffer<cfloat> kept;
    for (int c = 0; c < scan.coils; ++c)
      kept.insert(kept.end(), samples.begin() + c * before, samples.begin() + c * before + t.samples());
    samples = std::move(kept);
  }
}

NamedArray mapsOf(const Scan& scan) {
  const auto backend = makeCpuBackend();
  const std::shared_ptr<const Image> maps = scanMaps(*backend, scan, senseOptions(), {}).coils;
  NamedArray array;
  array.name = "SENSEMap";
  array.complex = true;
  array.shape = {scan.coils, side, side};
  array.values = maps->data;
  return array;
}

bool mentions(const Reconstruction& result, const std::string& words) {
  return std::any_of(result.notes.begin(), result.notes.end(),
                     [&](const std::string& note) { return note.find(words) != std::string::npos; });
}

std::vector<cfloat> frameOf(const Reconstruction& result, int frame) {
  return {result.image->frame(frame), result.image->frame(frame) + result.image->volume()};
}

}  // namespace

class TestSharedFrames : public QObject {
  Q_OBJECT

 private slots:
  void framesOnTheSamePointsShareAPlan() {
    const auto scan = cine(4, 0.05);
    CountingBackend backend;
    const Reconstruction all = runJob(backend, *scan, senseOptions(), nullptr, nullptr, {});
    QCOMPARE(backend.plans, 1);
    QCOMPARE(backend.pointSets, 1);
    QVERIFY(mentions(all, "one set of coil maps for all frames, from the mean of 4 frames"));
    QCOMPARE(std::count_if(all.notes.begin(), all.notes.end(),
                           [](const std::string& n) { return n.find("coil maps") != std::string::npos; }),
             2);
  }

  void framesOnTheirOwnPointsCostPointsAlone() {
    const auto scan = cine(3, 0.05);
    turnFrames(*scan);
    CountingBackend backend;
    const Reconstruction all = runJob(backend, *scan, senseOptions(), nullptr, nullptr, {});
    QCOMPARE(backend.plans, 1);
    QCOMPARE(backend.pointSets, 3);
    QVERIFY(mentions(all, "mean of 3 frames"));
  }

  void framesThatRepeatTheirPointsSetThemOnce() {
    const auto scan = cine(3, 0.05);
    turnFrames(*scan, 0);
    CountingBackend backend;
    runJob(backend, *scan, senseOptions(), nullptr, nullptr, {});
    QCOMPARE(backend.plans, 1);
    QCOMPARE(backend.pointSets, 1);
  }

  // What a field adds to a transform is made for the points of one frame.
  void framesInAFieldPlanEachForItself() {
    const auto scan = cine(2, 0.05, 2);
    turnFrames(*scan);
    for (Trajectory& t : scan->trajectories) {
      t.times.resize(std::size_t(t.samples()));
      for (std::size_t j = 0; j < t.times.size(); ++j) t.times[j] = 1e-5 * double(j % 64);
    }
    NamedArray field;
    field.name = "FieldMap";
    field.shape = {side, side};
    for (std::int64_t i = 0; i < side * side; ++i) field.values.emplace_back(float(i % side), 0.0F);
    scan->arrays.push_back(field);
    CountingBackend backend;
    ReconOptions options = senseOptions();
    options.iterative.transform = TransformKind::segmented;
    const Reconstruction all = runJob(backend, *scan, options, nullptr, nullptr, {});
    QCOMPARE(backend.plans, 2);
    QVERIFY(all.image);
  }

  // With maps that are given, nothing but the work is shared.
  void imagesAreThoseOfEachFrameAlone_data() {
    QTest::addColumn<bool>("turned");
    QTest::addColumn<bool>("shortened");
    QTest::addColumn<int>("normal");
    QTest::newRow("one trajectory") << false << false << int(NormalMethod::gridded);
    for (const NormalMethod normal :
         {NormalMethod::gridded, NormalMethod::toeplitz, NormalMethod::toeplitzShifted})
      for (const bool shortened : {false, true})
        QTest::addRow("one a frame, %d, %d", int(normal), int(shortened)) << true << shortened << int(normal);
  }
  void imagesAreThoseOfEachFrameAlone() {
    QFETCH(bool, turned);
    QFETCH(bool, shortened);
    QFETCH(int, normal);
    const auto scan = cine(3, 0.1);
    for (std::size_t f = 0; f < scan->samples.size(); ++f)
      for (cfloat& v : scan->samples[f]) v *= float(f + 1);
    scan->arrays.push_back(mapsOf(*scan));
    if (turned) turnFrames(*scan, 0.1);
    if (shortened) shortenFrames(*scan);
    ReconOptions options = senseOptions();
    options.nufft.normal = NormalMethod(normal);
    const Reconstruction all = run(*scan, options);
    for (int f = 0; f < 3; ++f) {
      options.frames = std::to_string(f);
      const Reconstruction one = run(*scan, options);
      QVERIFY(frameOf(all, f) == frameOf(one, 0));
    }
  }

  // Two slices whose coils differ: one plan, each its own maps.
  void slicesShareAPlanAndKeepTheirMaps_data() {
    QTest::addColumn<bool>("turned");
    QTest::newRow("one trajectory") << false;
    QTest::newRow("one a frame") << true;
  }
  void slicesShareAPlanAndKeepTheirMaps() {
    QFETCH(bool, turned);
    const auto scan = cine(2, 0.05, 4);
    if (turned) turnFrames(*scan);
    scan->slices = 2;
    for (Buffer<cfloat>& samples : scan->samples) {
      const std::size_t count = samples.size(), coil = count / 4;
      samples.resize(2 * count);
      for (std::size_t i = 0; i < count; ++i)  // the second slice: coils in another order, and brighter
        samples[count + i] = 3.0F * samples[(i + coil) % count];
    }
    scan->geometry.slicePositions = {{0, 0, 0}, {0, 0, 5}};
    CountingBackend backend;
    ReconOptions options = senseOptions();
    const Reconstruction all = runJob(backend, *scan, options, nullptr, nullptr, {});
    QCOMPARE(backend.plans, 1);
    QCOMPARE(backend.pointSets, turned ? 2 : 1);
    options.slices = "1";
    const Reconstruction second = run(*scan, options);
    const std::int64_t pixels = side * side;
    for (int f = 0; f < 2; ++f)
      QVERIFY(
          std::equal(second.image->frame(f), second.image->frame(f) + pixels, all.image->frame(f) + pixels));
  }

  void theMeanOfFramesHasLessNoiseInItsMaps() {
    const auto clean = cine(1, 0, 4), noisy = cine(8, 0.6, 4);
    const auto backend = makeCpuBackend();
    ReconOptions options = senseOptions();
    options.iterative.crop = 0;
    const auto error = [&](const std::string& frames) {
      options.frames = frames;
      const ScanMaps found = scanMaps(*backend, *noisy, options, {});
      options.frames = "0";
      const ScanMaps truth = scanMaps(*backend, *clean, options, {});
      // 1 - |<found, truth>| in each pixel of the object's middle.
      const std::int64_t pixels = side * side;
      double sum = 0;
      int count = 0;
      for (std::int64_t y = side / 3; y < 2 * side / 3; ++y)
        for (std::int64_t x = side / 3; x < 2 * side / 3; ++x, ++count) {
          cdouble product = 0;
          for (std::int64_t c = 0; c < 4; ++c)
            product += std::conj(cdouble(found.coils->data[std::size_t(c * pixels + y * side + x)])) *
                       cdouble(truth.coils->data[std::size_t(c * pixels + y * side + x)]);
          sum += 1 - std::abs(product);
        }
      return sum / count;
    };
    const double one = error("0"), mean = error("0-7");
    QVERIFY2(mean < 0.5 * one, qPrintable(QString("%1 %2").arg(mean).arg(one)));
  }

  // As in phase-contrast measurements: the mean of opposite signs is nothing.
  void framesThatCancelEachOtherTakeOne() {
    const auto scan = cine(2, 0.02);
    for (cfloat& v : scan->samples[1]) v *= -1.2F;
    const Reconstruction all = run(*scan, senseOptions());
    QVERIFY(mentions(all, "from frame 1: the frames' mean cancels"));
    const std::vector<cfloat> first = frameOf(all, 0);
    std::vector<cfloat> second = frameOf(all, 1);
    for (cfloat& v : second) v /= -1.2F;
    QVERIFY(relativeDifference(second, first) < 0.2);
  }

  void manyFramesAreSampledEvenly() {
    std::vector<int> frames(1000);
    std::iota(frames.begin(), frames.end(), 5);
    const std::vector<int> taken = mapFrames(frames);
    QCOMPARE(taken.size(), std::size_t(64));
    QCOMPARE(taken.front(), 5);
    QVERIFY(taken.back() > 980 && std::is_sorted(taken.begin(), taken.end()));
    QCOMPARE(mapFrames({3, 1}), (std::vector<int>{3, 1}));
  }
};

SPOKELAB_TEST(TestSharedFrames)

}  // namespace test_shared_frames

#include "test_shared_frames.moc"
