// Where a field acts, a plug-in serves as the transform of time segments: a candidate with measured times and errors
// like any other, refused by name where it is wrong, and what was chosen reconstructs.
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>

#include "engine/nufft/tune/candidates.h"
#include "engine/nufft/tune/wisdom.h"
#include "engine/recon/explore/sweep_paths.h"
#include "engine/recon/reconstruct.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/recon/sense/backend_plugin.h"
#include "engine/recon/sense/paths/path_search.h"
#include "engine/scan/formats/images/write_image.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/engine/nufft/plugin/plugin_files.h"
#include "tests/engine/recon/measures.h"
#include "tests/test_main.h"

namespace test_plugin_paths {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr double accuracy = 1e-5, seconds = 0.01;

// So little, and used once, that sums take less time than making the plan of a grid.
struct Case {
  PathSearchRequest request;
  std::vector<double> points;  // cycles per pixel

  Case() {
    SenseProblem& p = request.problem;
    p.matrix = {6, 5, 1};
    p.precision = Precision::double64;
    constexpr int samples = 24;
    for (int j = 0; j < samples; ++j) {
      const double part = double(j) / samples, angle = 9 * part;
      p.points.own().insert(p.points.own().end(), {3 * part * std::cos(angle), 2.5 * part * std::sin(angle)});
      p.times.push_back(seconds * part);
    }
    p.shotOffsets = {0, samples};
    for (std::int64_t i = 0; i < product(p.matrix); ++i) p.field.push_back(40 * double(i % 6));
    p.transform = TransformKind::segmented;
    p.nufft.accuracy = accuracy;
    p.nufft.threads = 1;
    for (std::size_t i = 0; i < p.points.size(); ++i) points.push_back(p.points[i] / double(p.matrix[i % 2]));
    TuneRequest& nufft = request.nufft;
    nufft.problem.size = p.matrix;
    nufft.problem.precision = Precision::double64;
    nufft.options = p.nufft;
    nufft.workload = {Direction::normal, 1, 1, true};
    nufft.mustTime = true;
    nufft.points = points;
  }
};

struct Machines {
  explicit Machines(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      plugins.push_back(makePluginBackend(probed(name)));
      all.push_back(plugins.back().get());
      backends.push_back(plugins.back().get());
    }
  }
  std::unique_ptr<Backend> cpu = makeCpuBackend();
  std::vector<std::unique_ptr<Backend>> plugins;
  std::vector<TransformBackend*> all{cpu.get()};
  std::vector<Backend*> backends{cpu.get()};
};

std::vector<Candidate> ofBackend(const TuneResult& result, const std::string& name) {
  std::vector<Candidate> found;
  for (const Candidate& c : result.candidates)
    if (c.backend == name) found.push_back(c);
  return found;
}

class TestPluginPaths : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { qputenv("SPOKELAB_PLUGIN_SECONDS", "2"); }

  void aPluginServesTimeSegments() {
    Machines machines({"exact-sum", "noise"});
    const Case c;
    std::vector<std::string> seen;
    const TuneResult result = searchPaths(machines.all, c.request, nullptr, {},
                                          [&](const Candidate& one) { seen.push_back(one.backend); });
    const std::vector<Candidate> own = ofBackend(result, "exact-sum"), noise = ofBackend(result, "noise");
    QCOMPARE(own.size(), std::size_t(1));
    const Candidate& served = own.front();
    QVERIFY2(served.refused.empty(), served.refused.c_str());
    QVERIFY(served.timed() && served.path.transform == TransformKind::segmented && served.path.segments > 1);
    QVERIFY(served.measuredError && *served.measuredError <= 1.5 * accuracy);
    QVERIFY2(describe(served).ends_with("segments (svd), plug-in exact-sum"), describe(served).c_str());
    QVERIFY(std::find(seen.begin(), seen.end(), "exact-sum") != seen.end());
    QVERIFY(noise.size() == 1 && noise.front().refused.starts_with("its error is"));
    const std::vector<Candidate> ours = ofBackend(result, "cpu");
    QVERIFY(std::any_of(ours.begin(), ours.end(), [](const Candidate& o) { return o.timed(); }));
    const Candidate& best = result.candidates.at(std::size_t(result.best));
    for (const Candidate& other : result.candidates)
      if (other.timed() && other.refused.empty()) QVERIFY(best.cost() <= other.cost());
  }

  // It is asked for as much more as its trial has shown it to need.
  void aCarelessOneServesToo() {
    Machines machines({"careless"});
    const TuneResult result = searchPaths(machines.all, Case().request, nullptr, {});
    const std::vector<Candidate> own = ofBackend(result, "careless");
    QCOMPARE(own.size(), std::size_t(1));
    QVERIFY2(own.front().refused.empty(), own.front().refused.c_str());
    QVERIFY(own.front().timed() && *own.front().measuredError <= 1.5 * accuracy);
    QCOMPARE(own.front().options.accuracy, accuracy);
  }

  void sweepsHoldThemBesideOurs() {
    Machines machines({"exact-sum", "careless", "noise"});
    Case c;
    c.request.nufft.trials = 1;
    const TuneResult result = sweepPaths(machines.all, c.request, {1.5, 2}, {});
    for (const char* const name : {"exact-sum", "careless"}) {
      const std::vector<Candidate> own = ofBackend(result, name);
      QCOMPARE(own.size(), std::size_t(1));
      QVERIFY2(own.front().refused.empty(), own.front().refused.c_str());
      QVERIFY(own.front().timed() && own.front().path.transform == TransformKind::segmented);
      QVERIFY(own.front().measuredError && *own.front().measuredError <= 1.5 * accuracy);
    }
    const std::vector<Candidate> noise = ofBackend(result, "noise");
    QVERIFY(noise.size() == 1 && !noise.front().timed() && noise.front().refused.starts_with("its error is"));
    QVERIFY(ofBackend(result, "cpu").size() >= 2);
    // Alone: our exact sums stay as what it is compared with.
    std::vector<TransformBackend*> alone{machines.plugins.front().get()};
    const TuneResult own = sweepPaths(alone, c.request, {1.5, 2}, {});
    QCOMPARE(own.candidates.size(), std::size_t(1));
    c.request.problem.transform = TransformKind::gdft;
    QCOMPARE(sweepPaths(alone, c.request, {1.5, 2}, {}).candidates.size(), std::size_t(1));
  }

  void noneIsTakenWithoutTimingOrForWhatHoldsNoNufft() {
    Machines machines({"exact-sum"});
    Case c;
    c.request.nufft.effort = TuneEffort::estimate;
    QVERIFY(ofBackend(searchPaths(machines.all, c.request, nullptr, {}), "exact-sum").empty());
    c.request.nufft.effort = TuneEffort::measure;
    for (const TransformKind kind : {TransformKind::gdft, TransformKind::segmentedToeplitz}) {
      c.request.problem.transform = kind;
      QVERIFY(ofBackend(searchPaths(machines.all, c.request, nullptr, {}), "exact-sum").empty());
    }
    c.request.problem.transform = TransformKind::segmented;
    c.request.nufft.options.width = 8;  // which fixes ours
    QVERIFY(ofBackend(searchPaths(machines.all, c.request, nullptr, {}), "exact-sum").empty());
  }

  void itIsRememberedAsLongAsItIsThere() {
    const QTemporaryDir folder;
    Wisdom wisdom(folder.filePath("wisdom.json").toStdString());
    Machines machines({"exact-sum"}), without({});
    const Case c;
    const TuneResult first = searchPaths(machines.all, c.request, &wisdom, {});
    const TuneResult again = searchPaths(machines.all, c.request, &wisdom, {});
    QVERIFY(again.fromWisdom);
    QCOMPARE(again.candidates.front().backend, first.candidates.at(std::size_t(first.best)).backend);
    QVERIFY(!searchPaths(without.all, c.request, &wisdom, {}).fromWisdom);
  }

  void whatWasChosenReconstructs() {
    const QTemporaryDir folder;
    constexpr int n = 12;
    SimulateOptions how;
    how.trajectory.pattern = Pattern::spiral2d;
    how.trajectory.matrix = {n, n, 1};
    how.trajectory.shots = 4;
    how.trajectory.dwellSeconds = 1e-4;
    how.coils = 2;
    how.offResonance = {FieldShape::head, 100};
    const auto scan = simulate(how, {});
    const std::string field = folder.filePath("field.nii.gz").toStdString();
    WriteOptions real;
    real.part = ComplexPart::real;
    writeImage(fieldImage(how.offResonance, {n, n, 1}), field, real, {});
    ReconOptions options;
    options.iterative.method = ReconMethod::sense;
    options.iterative.solver = {4, 1e-3, 0, Regularization::tikhonov};
    options.iterative.fieldMap = field;
    options.nufft.accuracy = 1e-4;
    options.iterative.transform = TransformKind::gdft;
    Machines machines({"exact-sum"});
    const Reconstruction exact = reconstruct({machines.cpu.get()}, *scan, options, nullptr, {});
    options.iterative.transform = TransformKind::segmented;
    const std::vector<Backend*> alone{machines.backends.back()};
    for (const std::vector<Backend*>& backends : {alone, machines.backends}) {
      const Reconstruction found = reconstruct(backends, *scan, options, nullptr, {});
      QVERIFY(relativeDifference(found.image->data, exact.image->data) < 2e-3);
      if (backends == alone) QCOMPARE(found.plan.backend, std::string("exact-sum"));
    }
  }
};

}  // namespace

SPOKELAB_CORE_TEST(TestPluginPaths)

}  // namespace test_plugin_paths

#include "test_plugin_paths.moc"
