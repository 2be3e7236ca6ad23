// A selection is what a scan with only those samples would be, for every method; it says what it
// cannot do.
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <numbers>

#include "engine/core/error.h"
#include "engine/core/number_list.h"
#include "engine/recon/explore/density_comparison.h"
#include "engine/recon/explore/point_spread.h"
#include "engine/recon/explore/preview.h"
#include "engine/recon/explore/scan_maps.h"
#include "engine/recon/prepare/sample_selection.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/run/scan_problem.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/formats/acquisitions/write_scan.h"
#include "engine/scan/read/read_scan.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/engine/recon/measures.h"
#include "tests/engine/recon/reconstruct.h"
#include "tests/test_main.h"

namespace test_sample_selection {

using namespace spokelab;
using spokelab::test::reasonOf;
using spokelab::test::relativeDifference;
using spokelab::test::run;

namespace {

constexpr int n = 32;
constexpr double rounding = 1e-6;

std::shared_ptr<Scan> simulated(Pattern pattern, int shots, int coils, int frames = 1) {
  SimulateOptions options;
  options.trajectory.pattern = pattern;
  options.trajectory.matrix = {n, n, 1};
  options.trajectory.shots = shots;
  options.trajectory.dwellSeconds = 2e-5;
  options.trajectory.startSeconds = 1e-3;
  options.coils = coils;
  options.frames = frames;
  options.noise = 0.01;
  return std::make_shared<Scan>(*simulate(options, {}));
}

// The scan that would have been measured with these samples only; `keep(shot, number in the shot,
// seconds)`.
template <class Keep>
std::shared_ptr<Scan> onlyThese(const Scan& scan, const Keep& keep) {
  auto part = std::make_shared<Scan>(scan);
  const Trajectory& t = scan.trajectory(0);
  Trajectory& left = part->trajectories.front();
  left = Trajectory();
  left.dims = t.dims;
  for (Buffer<cfloat>& values : part->samples) values.clear();
  std::vector<std::int64_t> kept;
  for (std::int64_t s = 0; s < t.shots(); ++s) {
    const std::int64_t begin = t.shotOffsets[std::size_t(s)], end = t.shotOffsets[std::size_t(s) + 1];
    for (std::int64_t j = begin; j < end; ++j) {
      if (!keep(int(s), int(j - begin), t.times[std::size_t(j)])) continue;
      kept.push_back(j);
      for (int d = 0; d < t.dims; ++d) left.points.push_back(t.points[std::size_t(j * t.dims + d)]);
      left.times.push_back(t.times[std::size_t(j)]);
    }
    if (std::int64_t(kept.size()) > left.shotOffsets.back())
      left.shotOffsets.push_back(std::int64_t(kept.size()));
  }
  for (int f = 0; f < scan.frames; ++f)
    for (int line = 0; line < scan.slices * scan.coils; ++line)
      for (const std::int64_t j : kept)
        part->samples[std::size_t(f)].push_back(scan.data(f, line / scan.coils, line % scan.coils)[j]);
  validate(*part);
  return part;
}

ReconOptions fixedPlan() {
  ReconOptions options;
  options.nufft.alpha = 2;
  options.nufft.width = 6;
  options.nufft.threads = 2;
  return options;
}

ReconOptions with(const std::string& name, const std::string& value) {
  ReconOptions options = fixedPlan();
  setOption(options, name, value);
  return options;
}

}  // namespace

class TestSampleSelection : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void listsAreReadAndWritten() {
    const auto list = [](const std::string& text) { return numberList(text, 12, "no"); };
    QCOMPARE(list("0-3,7"), (std::vector<int>{0, 1, 2, 3, 7}));
    QCOMPARE(list("0-:4"), (std::vector<int>{0, 4, 8}));
    QCOMPARE(list("2-8:3,1,9-"), (std::vector<int>{1, 2, 5, 8, 9, 10, 11}));
    QCOMPARE(list("all").size(), std::size_t(12));
    for (const char* text : {"5-2", "12", "0-12", "1:2", "0-3:0", "-3", "1,,2", "x", "3-4:"})
      QVERIFY2(reason([&] { list(text); }) != "", text);
    QCOMPARE(numberListText({0, 1, 3}), std::string("0-1,3"));
    QCOMPARE(numberListText({0, 4, 8, 9}), std::string("0-8:4,9"));
    QCOMPARE(numberListText({3, 7}), std::string("3,7"));
    // Whatever is written reads back as the same numbers.
    unsigned state = 7;
    for (int round = 0; round < 200; ++round) {
      std::vector<int> numbers;
      for (int i = 0; i < 12; ++i)
        if ((state = state * 1103515245 + 12345) >> 30) numbers.push_back(i);
      if (!numbers.empty()) QCOMPARE(list(numberListText(numbers)), numbers);
    }
  }

  void windowsAreRead() {
    const auto at = [](const std::string& text, double v) { return numberWindow(text, "no").contains(v); };
    QVERIFY(at("0.5-3", 0.5) && at("0.5-3", 3) && !at("0.5-3", 3.01) && !at("0.5-3", 0.49));
    QVERIFY(at("2-", 1e9) && !at("2-", 1));
    QVERIFY(at("-2--1", -1.5) && !at("-2--1", 0));
    for (const char* text : {"", "3", "3-1", "a-b", "1-2-3", "1-2x"})
      QVERIFY2(reason([&] { numberWindow(text, "no"); }) != "", text);
  }

  void partEqualsScanOfThoseSamplesOnly_data() {
    QTest::addColumn<QString>("method");
    QTest::addColumn<QString>("density");
    for (const char* density : {"auto", "pipe-menon", "voronoi", "none"})
      QTest::newRow((std::string("gridding ") + density).c_str()) << "gridding" << density;
    QTest::newRow("sense") << "sense"
                           << "auto";
    QTest::newRow("toeplitz") << "toeplitz"
                              << "auto";
    QTest::newRow("exact") << "exact"
                           << "auto";
  }

  void partEqualsScanOfThoseSamplesOnly() {
    QFETCH(QString, method);
    QFETCH(QString, density);
    const auto scan = simulated(Pattern::goldenRadial2d, 40, 4);
    ReconOptions options = fixedPlan();
    setOption(options, "density", density.toStdString());
    options.exact = method == "exact";
    if (method == "sense" || method == "toeplitz") {
      options.iterative.method = ReconMethod::sense;
      options.iterative.transform = method == "sense" ? TransformKind::nufft : TransformKind::toeplitz;
      options.iterative.solver = {5, 1e-3, 0, Regularization::tikhonov};
    }
    ReconOptions chosen = options;
    setOption(chosen, "shots", "0-:2,1,30-");
    setOption(chosen, "samples", "0-27");
    setOption(chosen, "readout-time", "1.1-");
    const auto part = onlyThese(*scan, [](int shot, int sample, double seconds) {
      return (shot % 2 == 0 || shot == 1 || shot >= 30) && sample <= 27 && seconds >= 1.1e-3;
    });
    QVERIFY(part->trajectory(0).samples() < scan->trajectory(0).samples() / 2);
    const Reconstruction a = run(*scan, chosen), b = run(*part, options);
    QCOMPARE(a.density, b.density);
    QVERIFY2(relativeDifference(a.image->data, b.image->data) < rounding,
             qPrintable(QString::number(relativeDifference(a.image->data, b.image->data))));
    // And it is not the image of the whole scan.
    QVERIFY(relativeDifference(run(*scan, options).image->data, b.image->data) > 1e-2);
    const auto says = [](const std::string& line, const char* what) { return line.find(what) != line.npos; };
    QVERIFY(std::any_of(a.image->provenance.begin(), a.image->provenance.end(),
                        [&](const std::string& line) { return says(line, "selection = shots 0-:2,1,30-"); }));
    QVERIFY(says(a.notes.front(), "26 of 40 shots, 598 of their 832 samples"));
  }

  void coilsToUseAndCoilsLeftOutAreOneChoice() {
    const auto scan = simulated(Pattern::radial2d, 40, 6);
    ReconOptions kept = with("coils", "0-2,4"), left = with("leave-out-coils", "3,5");
    QCOMPARE(run(*scan, kept).image->data, run(*scan, left).image->data);
    setOption(kept, "leave-out-coils", "4");
    QCOMPARE(run(*scan, kept).image->data, run(*scan, with("coils", "0-2")).image->data);
    setOption(kept, "leave-out-coils", "0-5");
    QVERIFY(reasonOf(*scan, kept).find("left out") != std::string::npos);
    QVERIFY(reasonOf(*scan, with("coils", "6")).find("has 6 (0 to 5)") != std::string::npos);
  }

  void weightsOfTheFileAreKeptWhereAskedFor() {
    const auto scan = simulated(Pattern::radial2d, 40, 1);
    QVERIFY(!scan->trajectory(0).weights.empty());
    ReconOptions options = with("shots", "0-:2");
    const Reconstruction automatic = run(*scan, options);
    QVERIFY(automatic.density.find("20 spokes") != std::string::npos);
    options.density = DensityMethod::file;
    const Reconstruction file = run(*scan, options);
    QCOMPARE(file.density, std::string("from the file"));
    // The file's areas are those of twice as many spokes: the image is half as bright.
    double whole = 0, half = 0;
    for (std::size_t i = 0; i < file.image->data.size(); ++i) {
      whole += std::abs(automatic.image->data[i]);
      half += std::abs(file.image->data[i]);
    }
    QVERIFY(std::abs(half / whole - 0.5) < 0.02);
  }

  void phaseMapsFollowTheirShots() {
    const auto scan = simulated(Pattern::spiral2d, 6, 2);
    NamedArray maps{"PhaseMaps", {6, n, n}, {}, false};
    for (int s = 0; s < 6; ++s)
      for (int i = 0; i < n * n; ++i) maps.values.push_back(cfloat(0.3F * float(s) + 0.01F * float(i % n)));
    scan->arrays.push_back(maps);
    ReconOptions options = fixedPlan();
    options.iterative.method = ReconMethod::pcSense;
    options.iterative.transform = TransformKind::nufft;
    options.iterative.solver = {5, 1e-3, 0, Regularization::tikhonov};
    ReconOptions chosen = options;
    setOption(chosen, "shots", "1,3-5");
    const auto part = onlyThese(*scan, [](int shot, int, double) { return shot == 1 || shot >= 3; });
    NamedArray& left = part->arrays.front();
    left.shape[0] = 4;
    left.values.clear();
    for (const int s : {1, 3, 4, 5})
      left.values.insert(left.values.end(), maps.values.begin() + s * n * n,
                         maps.values.begin() + (s + 1) * n * n);
    QVERIFY(relativeDifference(run(*scan, chosen).image->data, run(*part, options).image->data) < rounding);
    const auto cpu = makeCpuBackend();
    const ScanMaps shown = scanMaps(*cpu, *scan, chosen, {});
    QCOMPARE(shown.shots, 6);
    QCOMPARE(shown.phases->frames, 4);
    QCOMPARE(shown.phaseShots, (std::vector<int>{1, 3, 4, 5}));
  }

  void timeOfTheScanChoosesShotsOfEachFrame() {
    const auto scan = simulated(Pattern::goldenRadial2d, 30, 1, 2);
    scan->shotTimes.resize(2);
    for (int f = 0; f < 2; ++f)
      for (int s = 0; s < 30; ++s) scan->shotTimes[std::size_t(f)].push_back(0.02 * (30 * f + s));
    QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("timed.h5").toStdString();
    writeScan(*scan, file, {});
    const auto back = readScan(file, {}, {});
    QCOMPARE(back->shotTimes.size(), std::size_t(2));
    for (int f = 0; f < 2; ++f)
      for (std::size_t s = 0; s < 30; ++s)
        QVERIFY(std::abs(back->shotTimes[std::size_t(f)][s] - scan->shotTimes[std::size_t(f)][s]) < 1e-9);

    // Shots 20 ... 29 of the first frame, 0 ... 9 of the second.
    const ReconOptions chosen = with("scan-time", "0.4-0.78");
    const Reconstruction both = run(*scan, chosen);
    QCOMPARE(both.image->frames, 2);
    for (int f = 0; f < 2; ++f) {
      ReconOptions named = with("shots", f == 0 ? "20-29" : "0-9");
      named.frames = std::to_string(f);
      const auto pixels = both.image->volume();
      const std::vector<cfloat> frame(both.image->frame(f), both.image->frame(f) + pixels);
      QVERIFY(relativeDifference(frame, run(*scan, named).image->data) < rounding);
    }
    QVERIFY(reasonOf(*scan, with("scan-time", "0-0.1")).find("of frame 1 was measured then") !=
            std::string::npos);
    ReconOptions first = with("scan-time", "0-0.1");
    setOption(first, "frames", "0");
    QCOMPARE(reasonOf(*scan, first), std::string("no error"));
  }

  void whatCannotBeSelectedIsSaid() {
    const auto scan = simulated(Pattern::radial2d, 20, 1);
    QVERIFY(reasonOf(*scan, with("shots", "20")).find("has 20 (0 to 19)") != std::string::npos);
    QVERIFY(reasonOf(*scan, with("samples", "32")).find("has 32 (0 to 31)") != std::string::npos);
    QVERIFY(reasonOf(*scan, with("readout-time", "7-8")).find("reach over 1 ... 1.62 ms") !=
            std::string::npos);
    QVERIFY(reasonOf(*scan, with("scan-time", "7-8")).find("does not say when") != std::string::npos);
    scan->trajectories.front().times.clear();
    QVERIFY(reasonOf(*scan, with("readout-time", "0-8")).find("does not say at which") != std::string::npos);
    for (const auto& [name, value] : {std::pair{"shots", "a"}, {"samples", "3-1"}, {"readout-time", "5"}})
      QVERIFY2(reason([&, name = name, value = value] { with(name, value); }) != "", name);
  }

  // Tuning, weights side by side, point spread function and preview see the same samples.
  void whatIsMadeBesideImagesTakesTheSelectionToo() {
    const auto scan = simulated(Pattern::radial2d, 40, 2);
    ReconOptions chosen = with("shots", "0-:4"), plain = fixedPlan();
    const auto part = onlyThese(*scan, [](int shot, int, double) { return shot % 4 == 0; });
    QCOMPARE(scanProblem(*scan, chosen).points, scanProblem(*part, plain).points);
    const auto cpu = makeCpuBackend();
    const ScanSpread spread = scanPointSpread(*scan, chosen, *cpu, {}),
                     direct = scanPointSpread(*part, plain, *cpu, {});
    QVERIFY(relativeDifference(spread.spread.image.data, direct.spread.image.data) < rounding);
    QVERIFY(spread.samples == "10 of 40 shots" && spread.density == direct.density);
    QCOMPARE(spread.spread.image.geometry.voxel(), scan->geometry.voxel());
    // Ten spokes leave gaps: the side lobes rise.
    QVERIFY(spread.spread.sideLobe > 1.5 * scanPointSpread(*scan, plain, *cpu, {}).spread.sideLobe);
    const auto trials = compareDensity(*scan, chosen, {DensityMethod::analytic}, *cpu, {});
    QVERIFY(relativeDifference(
                trials.front().weights.values,
                compareDensity(*part, plain, {DensityMethod::analytic}, *cpu, {}).front().weights.values) <
            rounding);
    const auto preview = previewScan(*scan, 0, chosen, *cpu, {}, {});
    QVERIFY(preview->trajectory(0).shots() <= 10);
    QVERIFY(!selectsSamples(previewOptions(chosen, *preview, {})));
  }

 private:
  template <class Do>
  static std::string reason(const Do& attempt) {
    try {
      attempt();
    } catch (const Error& error) {
      return error.reason();
    }
    return {};
  }
};

SPOKELAB_TEST(TestSampleSelection)

}  // namespace test_sample_selection

#include "test_sample_selection.moc"
