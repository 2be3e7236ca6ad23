// What ends iterations, what a watcher may do, and what is decided before they begin: stopping
// rules, going back, keeping the best, the path through a field, maps that are wrong or incomplete.
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <numbers>

#include "engine/core/error.h"
#include "engine/recon/explore/field_bench.h"
#include "engine/recon/explore/scan_maps.h"
#include "engine/recon/options/iteration_watcher.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/formats/images/write_image.h"
#include "engine/scan/simulate/kernels/off_resonance.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/engine/recon/measures.h"
#include "tests/engine/recon/reconstruct.h"
#include "tests/test_main.h"

namespace test_iteration_control {

using namespace spokelab;
using spokelab::test::reasonOf;
using spokelab::test::relativeDifference;
using spokelab::test::run;
using spokelab::test::senseOptions;

namespace {

constexpr int n = 32;

// A spiral scan in a field of up to `peakHz`, long enough for some radians of phase.
std::shared_ptr<const Scan> spiral(double peakHz, int coils = 3) {
  SimulateOptions options;
  options.trajectory.pattern = Pattern::spiral2d;
  options.trajectory.matrix = {n, n, 1};
  options.trajectory.shots = 4;
  options.trajectory.dwellSeconds = 4e-5;
  options.coils = coils;
  options.offResonance = {FieldShape::head, peakHz};
  return simulate(options, {});
}

bool mentions(const std::vector<std::string>& notes, const std::string& text) {
  return std::any_of(notes.begin(), notes.end(),
                     [&](const std::string& note) { return note.find(text) != std::string::npos; });
}

}  // namespace

class TestIterationControl : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir folder_;

  std::string fieldFile(double peakHz, const Index3& matrix, const char* name) {
    const std::string file = folder_.filePath(QString::fromUtf8(name)).toStdString();
    WriteOptions how;
    how.part = ComplexPart::real;
    Image map = fieldImage({FieldShape::head, peakHz}, matrix);
    map.geometry = spiral(0)->geometry;  // it lies where the scan does
    map.geometry.matrix = matrix;
    writeImage(map, file, how, {});
    return file;
  }

 private slots:
  void aSmallChangeAndATimeLimitEndTheIterations() {
    const auto scan = spiral(0);
    ReconOptions options = senseOptions();
    options.iterative.solver.iterations = 200;
    options.iterative.solver.minChange = 1e-3;
    const auto settled = run(*scan, options);
    QVERIFY(settled.iterations.front().residuals.size() < 150);
    QVERIFY(settled.iterations.front().ending.find("hardly changed") != std::string::npos);
    options.iterative.solver.regularization = Regularization::totalVariation;
    options.iterative.solver.minChange = 0.05;
    QVERIFY(run(*scan, options).iterations.front().residuals.size() < 200);
    options = senseOptions();
    options.iterative.solver.maxSeconds = 1e-9;
    const auto late = run(*scan, options);
    QCOMPARE(late.iterations.front().residuals.size(), std::size_t(1));
    QVERIFY(late.iterations.front().ending.find("time") != std::string::npos);
    options = senseOptions();
    options.iterative.solver.tolerance = 0.3;
    const auto met = run(*scan, options);
    QVERIFY(met.iterations.front().converged);
    QVERIFY(met.iterations.front().residuals.back() <= 0.3);
  }

  // From the image of iteration 2, three steps lead where they led before.
  void aWatcherGoesBackToAnEarlierImage() {
    const auto scan = spiral(0);
    ReconOptions options = senseOptions();
    std::shared_ptr<const std::vector<cfloat>> second;
    std::vector<double> residuals;
    options.iterative.solver.iterations = 9;
    options.iterative.watcher = [&](const IterationState& state) {
      IterationCommand command;
      residuals.push_back(state.residual);
      if (state.iteration == 2) second = std::make_shared<const std::vector<cfloat>>(state.image());
      if (state.iteration == 6) command.image = second;
      return command;
    };
    run(*scan, options);
    QCOMPARE(residuals.size(), std::size_t(9));
    // after the restart the residual begins again near that of iteration 2, above that of iteration
    // 6
    QVERIFY(residuals[6] > residuals[5]);
    QVERIFY(residuals[6] <= residuals[1] * 1.05);
  }

  // The field map that made the scan is there without being named.
  void aSimulatedScanIsCorrectedForItsField() {
    const auto scan = spiral(100);
    ReconOptions options = senseOptions();
    options.iterative.transform = TransformKind::gdft;
    const auto itself = run(*scan, options);
    options.iterative.fieldMap = fieldFile(100, {n, n, 1}, "same.nii.gz");
    const auto named = run(*scan, options);
    QVERIFY(relativeDifference(itself.image->data, named.image->data) < 1e-5);
    options.iterative.fieldMap = "none";
    QVERIFY(relativeDifference(run(*scan, options).image->data, named.image->data) > 0.02);
  }

  void theBestImageIsKeptWhereTheLastIsWorse() {
    const auto scan = spiral(0);
    ReconOptions options = senseOptions();
    options.iterative.solver.iterations = 12;
    std::vector<std::vector<cfloat>> images;
    std::vector<double> residuals;
    options.iterative.watcher = [&](const IterationState& state) {
      images.push_back(state.image());
      residuals.push_back(state.residual);
      IterationCommand command;
      if (state.iteration == 5)  // far away: what follows is worse
        command.image = std::make_shared<const std::vector<cfloat>>(std::size_t(n * n), cfloat(50, 0));
      if (state.iteration == 6) {
        command.action = IterationAction::stop;
        command.keepBest = true;
      }
      return command;
    };
    const auto kept = run(*scan, options);
    const auto best = std::min_element(residuals.begin(), residuals.end()) - residuals.begin();
    QVERIFY(best < 5);
    QVERIFY(residuals.back() > residuals[std::size_t(best)]);
    for (std::size_t i = 0; i < images.front().size(); ++i)
      QCOMPARE(kept.image->data[i], images[std::size_t(best)][i]);
    QVERIFY(kept.iterations.front().ending.find("smallest residual") != std::string::npos);
  }

  void thePathThroughAFieldIsFoundAndExplained() {
    const auto scan = spiral(100);
    ReconOptions options = senseOptions();
    options.iterative.transform = TransformKind::automatic;
    options.iterative.fieldMap = "none";
    const auto plain = run(*scan, options);  // no field map: the NUFFT's normal operators are the tuner's
    QVERIFY(!mentions(plain.notes, "transform: "));
    options.iterative.fieldMap = fieldFile(100, {n, n, 1}, "race.nii.gz");
    const auto corrected = run(*scan, options);
    QVERIFY(mentions(corrected.notes, "transform: "));
    QVERIFY(mentions(corrected.notes, "Without the field the error would be "));
    options.iterative.transform = TransformKind::gdft;
    const auto exact = run(*scan, options);
    QVERIFY2(relativeDifference(corrected.image->data, exact.image->data) < 5e-3,
             QByteArray::number(relativeDifference(corrected.image->data, exact.image->data)));
    QVERIFY(relativeDifference(plain.image->data, exact.image->data) > 0.02);
    // A field too weak to matter: the plain transform serves.
    options.iterative.transform = TransformKind::automatic;
    options.iterative.fieldMap = fieldFile(1e-4, {n, n, 1}, "weak.nii.gz");
    const auto weak = run(*scan, options);
    QVERIFY(mentions(weak.notes, "too little to matter"));
  }

  void theBenchPutsEachCorrectionBesideTheExactOne() {
    const auto scan = spiral(100);
    ReconOptions options = senseOptions();
    options.iterative.fieldMap = fieldFile(100, {n, n, 1}, "bench.nii.gz");
    std::vector<std::string> seen;
    const auto cpu = makeCpuBackend();
    const FieldBenchResult bench = benchFieldCorrection(
        *cpu, *scan, options, nullptr, {}, [&](const FieldBenchRow& row) { seen.push_back(row.name); });
    QCOMPARE(bench.rows.size(), std::size_t(6));
    QCOMPARE(seen.size(), bench.rows.size());
    QCOMPARE(bench.rows.front().name, std::string("exact"));
    QVERIFY(bench.rows.front().transformError < 1e-5);
    for (const FieldBenchRow& row : bench.rows) {
      if (!row.refused.empty()) continue;
      QVERIFY2(row.normalSeconds > 0 && row.image && row.difference, row.name.c_str());
      const bool segments = row.name.find("segmented") == 0 || row.name == "convolutions";
      QCOMPARE(row.segments > 0, segments);
      if (segments) QVERIFY2(row.transformError < 1e-3 && row.imageError < 5e-3, row.name.c_str());
    }
    QVERIFY(bench.rows.back().transformError > 0.05);
    QVERIFY(bench.rows.back().imageError > 0.02);
    options.iterative.fieldMap = "none";
    QVERIFY_EXCEPTION_THROWN(benchFieldCorrection(*cpu, *scan, options, nullptr, {}), Error);
  }

  void fieldMapsThatCannotBeAreRefusedWithAReason() {
    const auto scan = spiral(100);
    ReconOptions options = senseOptions();
    options.iterative.transform = TransformKind::gdft;
    options.iterative.fieldMap = fieldFile(100, {n, n + 2, 1}, "size.npy");  // without a place
    QFile::remove(QString::fromStdString(options.iterative.fieldMap + ".json"));
    QVERIFY(reasonOf(*scan, options).find("32 x 32") != std::string::npos);
    Image broken = fieldImage({FieldShape::head, 100}, {n, n, 1});
    broken.data[7] = std::nanf("");
    const std::string file = folder_.filePath(QStringLiteral("nan.npy")).toStdString();
    writeImage(broken, file, {}, {});
    options.iterative.fieldMap = file;
    QVERIFY(reasonOf(*scan, options).find("not a finite number") != std::string::npos);
    // rad/s values declared as Hz, large: beyond any scanner
    options.iterative.fieldMap = fieldFile(1000, {n, n, 1}, "unit.nii.gz");
    options.iterative.fieldUnit = FieldUnit::hertz;
    QVERIFY(reasonOf(*scan, options).find("read as Hz") != std::string::npos);
    options = senseOptions();
    options.iterative.transform = TransformKind::segmented;
    options.iterative.fieldMap = "none";
    QVERIFY(reasonOf(*scan, options).find("no field map") != std::string::npos);
    Scan timeless = *scan;
    for (Trajectory& t : timeless.trajectories) t.times.clear();
    options.iterative.transform = TransformKind::gdft;
    options.iterative.fieldMap = fieldFile(100, {n, n, 1}, "timeless.nii.gz");
    QVERIFY(reasonOf(timeless, options).find("no readout times") != std::string::npos);
  }

  void aMissingPhaseMapIsRefused() {
    auto scan = std::make_shared<Scan>(*spiral(0));
    ReconOptions options = senseOptions();
    options.iterative.method = ReconMethod::pcSense;
    QVERIFY(reasonOf(*scan, options).find("no phase maps") != std::string::npos);
    NamedArray maps;
    maps.name = "PhaseMaps";
    maps.shape = {3, n, n};  // of four shots
    maps.values.assign(3 * n * n, cfloat(0));
    scan->arrays.push_back(maps);
    QVERIFY(reasonOf(*scan, options).find("4 maps of 32 x 32") != std::string::npos);
    scan->arrays.back().shape = {4, n, n};
    scan->arrays.back().values.assign(4 * n * n, cfloat(0));
    QVERIFY2(reasonOf(*scan, options) == "no error", reasonOf(*scan, options).c_str());
    options.shots = "0,4";
    QVERIFY(reasonOf(*scan, options) != "no error");
  }

  // The documented fallbacks: an empty coil is left out and named; where maps are zero, or say the
  // same, the image is that of least norm.
  void emptyCoilsAndSingularMapsFallBack() {
    auto scan = std::make_shared<Scan>(*spiral(0));
    std::fill(scan->samples.front().begin() + scan->trajectory(0).samples(),
              scan->samples.front().begin() + 2 * scan->trajectory(0).samples(), cfloat(0));
    const auto empty = run(*scan, senseOptions());
    QVERIFY(mentions(empty.notes, "coil 1 is empty and left out"));
    for (const cfloat& v : empty.image->data) QVERIFY(std::isfinite(std::abs(v)));

    ReconOptions options = senseOptions();
    options.iterative.solver.lambda = 0;
    options.iterative.solver.iterations = 30;
    NamedArray maps;
    maps.name = "SENSEMap";
    maps.shape = {3, n, n};
    maps.values.resize(3 * n * n);
    for (std::size_t i = 0; i < maps.values.size(); ++i)
      maps.values[i] = i % n < 4 ? cfloat(0) : cfloat(1);  // the same in all coils, nothing at the left
    scan->arrays.push_back(maps);
    const auto singular = run(*scan, options);
    for (std::size_t i = 0; i < singular.image->data.size(); ++i) {
      QVERIFY(std::isfinite(std::abs(singular.image->data[i])));
      if (i % n < 4) QCOMPARE(singular.image->data[i], cfloat(0));
    }
    std::fill(scan->arrays.back().values.begin(), scan->arrays.back().values.end(), cfloat(0));
    QVERIFY(reasonOf(*scan, options).find("all coil maps are zero") != std::string::npos);
  }

  // Compressed coils with maps from the file: the maps are mixed as the samples are.
  void mapsOfTheFileFollowTheCoilsThatWereCompressed() {
    auto scan = std::make_shared<Scan>(*spiral(0, 4));
    ReconOptions options = senseOptions();
    options.iterative.coilMaps = "walsh";
    options.prewhitening = Prewhitening::off;
    const auto cpu = makeCpuBackend();
    const ScanMaps maps = scanMaps(*cpu, *scan, options, {});
    QCOMPARE(maps.coils->frames, 4);
    NamedArray array;
    array.name = "SENSEMap";
    array.shape = {4, n, n};
    array.values = maps.coils->data;
    array.complex = true;
    scan->arrays.push_back(array);
    options.iterative.coilMaps = "";
    const auto whole = run(*scan, options);
    options.virtualCoils = 3;
    const auto compressed = run(*scan, options);
    QVERIFY(mentions(compressed.notes, "compressed to 3"));
    QVERIFY2(relativeDifference(compressed.image->data, whole.image->data) < 0.05,
             QByteArray::number(relativeDifference(compressed.image->data, whole.image->data)));
  }

  void mapsComeInTheUnitsThatTheEquationsUse() {
    const auto scan = spiral(100);
    ReconOptions options = senseOptions();
    options.iterative.fieldMap = fieldFile(100, {n, n, 1}, "units.nii.gz");
    options.iterative.timeOriginMs = 1;
    const auto cpu = makeCpuBackend();
    const ScanMaps maps = scanMaps(*cpu, *scan, options, {});
    const Image truth = fieldImage({FieldShape::head, 100}, {n, n, 1});
    for (std::size_t i = 0; i < truth.data.size(); ++i)
      QVERIFY(std::abs(maps.field->data[i].real() - truth.data[i].real() / float(2 * std::numbers::pi)) <
              1e-3F);
    QCOMPARE(maps.firstTime, scan->trajectory(0).times.front() - 1e-3);
    QVERIFY(!maps.phases);
    QCOMPARE(maps.shots, 4);
    options.iterative.turnField = true;
    QVERIFY(std::abs(scanMaps(*cpu, *scan, options, {}).field->data[500] + maps.field->data[500]) < 1e-6F);
  }
};

SPOKELAB_TEST(TestIterationControl)

}  // namespace test_iteration_control

#include "test_iteration_control.moc"
