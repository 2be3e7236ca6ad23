// Studies: the cases of a request, each tuned, refused where they cannot be, and written out whole.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/core/error.h"
#include "engine/core/simd/cpu_features.h"
#include "engine/profile/study/study.h"
#include "engine/profile/study/study_points.h"
#include "engine/profile/study/study_results.h"
#include "engine/profile/study/study_text.h"
#include "engine/recon/sense/backend_cpu.h"
#include "tests/test_main.h"

namespace test_study {

using namespace spokelab;

namespace {

StudyRequest small(const std::string& study) {
  StudyRequest request;
  request.study = study;
  request.sizes = {16};
  request.accelerations = {1};
  request.accuracies = {1e-2};
  request.trials = 1;
  return request;
}

StudyInfo infoOf(const std::string& name) {
  for (const StudyInfo& info : studies())
    if (info.name == name) return info;
  return {};
}

StudyResult runOnCpu(const StudyRequest& request) {
  const auto backend = makeCpuBackend();
  NufftBackend* const backends[] = {backend.get()};
  return runStudy(backends, usedPart(request), Progress());
}

// A study states exactly the methods and operations of its rows.
void holdsItsList(const StudyInfo& info, const StudyResult& result) {
  std::set<std::string> methods, operations;
  for (const StudyRow& row : result.rows) {
    std::string longest;
    for (const std::string& method : info.methods)
      if (row.variant.starts_with(method) && method.size() > longest.size()) longest = method;
    QVERIFY2(!longest.empty(), (info.name + " does not state " + row.variant).c_str());
    methods.insert(longest);
    if (!row.direction.empty()) operations.insert(row.direction);
  }
  for (const std::string& method : info.methods)
    QVERIFY2(methods.contains(method), (info.name + " has no row of " + method).c_str());
  QVERIFY2(operations == std::set<std::string>(info.operations.begin(), info.operations.end()),
           info.name.c_str());
}

}  // namespace

class TestStudy : public QObject {
  Q_OBJECT

 private slots:
  // With one trial every time was taken once; with more, points alone are set once.
  void whatWasTimedOnceSaysSo() {
    for (const int trials : {1, 3}) {
      StudyRequest request = small("threads");
      request.patterns = {"random"};
      request.threads = {1, 2};
      request.trials = trials;
      int executions = 0;
      for (const StudyRow& row : runOnCpu(request).rows) {
        if (!row.refused.empty()) continue;
        ++executions;
        QCOMPARE(row.timedOnce, trials == 1);
        QCOMPARE(row.yHigh > 0, trials > 1);
      }
      QVERIFY(executions > 0);
      request.study = "preprocessing";
      for (const StudyRow& row : runOnCpu(request).rows)
        QCOMPARE(row.timedOnce, trials == 1 || row.series != "one iteration");
    }
    // A row that is not a time says nothing of the kind.
    for (const StudyRow& row : runOnCpu(small("aliasing")).rows) QVERIFY(!row.timedOnce);
  }

  void everyStudyRuns_data() {
    QTest::addColumn<QString>("name");
    for (const StudyInfo& info : studies())
      QTest::newRow(info.name.c_str()) << QString::fromStdString(info.name);
  }
  void everyStudyRuns() {
    QFETCH(QString, name);
    StudyRequest request = small(name.toStdString());
    request.patterns = {"random"};
    request.threads = {1, 2};
    const bool fits = name == QStringLiteral("entry-slopes");  // three cases at least
    if (fits) request.sizes = {10, 12, 16};
    const StudyResult result = runOnCpu(request);
    QVERIFY(!result.rows.empty() && !result.cancelled);
    QVERIFY(!result.axes.x.empty() && !result.axes.y.empty() && !result.source.empty());
    int ran = 0;
    for (const StudyRow& row : result.rows) {
      if (!row.refused.empty()) {
        QVERIFY(row.panel.empty());
        continue;
      }
      ++ran;
      QVERIFY(!row.panel.empty() && !row.series.empty());
      QVERIFY2(std::isfinite(row.x) && std::isfinite(row.y), qPrintable(name));
      QVERIFY2(row.y >= 0 || fits, qPrintable(name));  // a slope of noise may fall
      if (!result.axes.categories.empty())
        QVERIFY(row.x >= 0 && std::size_t(row.x) < result.axes.categories.size());
    }
    QVERIFY(ran > 0);
    holdsItsList(infoOf(name.toStdString()), result);
  }

  void tunedStudiesMeetTheirAccuracy() {
    for (const char* name : {"alpha", "best-alpha", "fixed-alpha", "implementations", "entries"}) {
      StudyRequest request = small(name);
      request.patterns = {"random"};
      for (const StudyRow& row : runOnCpu(request).rows) {
        if (!row.refused.empty()) continue;
        QVERIFY(row.seconds > 0);
        // The baseline of the speed-ups has α 2 and W 3, whatever the accuracy.
        const NufftOptions& o = row.candidate.options;
        const bool baseline = o.threads == 1 && o.alpha == 2 && o.width == 3;
        QVERIFY(baseline || row.candidate.predicted.bound <= 1.02 * row.c.accuracy);
        QCOMPARE(row.c.points, std::int64_t(16 * 16 * 16));
      }
    }
  }

  void errorsFallWithTheWidth() {
    std::map<std::string, std::vector<double>> errors;
    std::map<double, int> ran;
    for (const StudyRow& row : runOnCpu(small("window-error")).rows) {
      if (!row.refused.empty()) continue;
      errors[row.panel + row.series].push_back(row.y);
      ++ran[row.x];
      QCOMPARE(row.candidate.options.width, 2 * row.x);
      if (row.x >= 8) QVERIFY2(row.y < 1e-12, row.series.c_str());
    }
    QVERIFY(errors.size() >= 8);
    for (int m = 3; m <= 10; ++m) QVERIFY2(ran[m] >= 8, qPrintable(QString::number(m)));
    for (const auto& [line, values] : errors) {
      QVERIFY2(values.size() >= 3, line.c_str());  // a table may get too large
      QVERIFY2(values[0] < 1e-4 && values[2] < 1e-2 * values[0], line.c_str());
    }
  }

  void aliasingFallsWithWidthAndRatio() {
    std::map<double, double> last, atFour;
    for (const StudyRow& row : runOnCpu(small("aliasing")).rows) {
      const double alpha = row.candidate.options.alpha;
      if (row.x > 3) QVERIFY(row.y < last[alpha]);  // narrower kernels are hardly any
      last[alpha] = row.y;
      if (row.x == 4) atFour[alpha] = row.y;
    }
    QVERIFY(atFour.size() >= 4);
    double before = 1;
    for (const auto& [alpha, y] : atFour) {
      QVERIFY(y < before);
      before = y;
    }
  }

  // Every point has an entry for each cell that it touches, in Gamma and in its transpose alike.
  void rowsCountEveryEntry() {
    StudyRequest request = small("row-lengths");
    request.patterns = {"radial3d", "random"};
    std::map<std::string, double> entries[2], rows[2];
    double width = 0;
    for (const StudyRow& row : runOnCpu(request).rows) {
      const bool adjoint = row.direction == "adjoint";
      entries[adjoint][row.series] += row.x * row.y;
      rows[adjoint][row.series] += row.y;
      width = row.candidate.options.width;
      if (!adjoint)
        QVERIFY(row.x <= std::pow(std::ceil(width), 3) && row.x >= std::pow(std::floor(width), 3));
    }
    QCOMPARE(rows[0]["random"], 4096.0);
    QCOMPARE(rows[1]["random"], 24.0 * 24 * 24);  // cells of 16 pixels at the table's ratio of 1.5
    for (const char* pattern : {"radial3d", "random"}) QCOMPARE(entries[0][pattern], entries[1][pattern]);
    QVERIFY(std::abs(entries[0]["random"] / 4096 / std::pow(width, 3) - 1) < 0.03);
    request.study = "row-deviations";
    std::map<std::string, double> deviation;
    const StudyResult result = runOnCpu(request);
    for (const StudyRow& row : result.rows)
      deviation[row.series + " " + result.axes.categories[std::size_t(row.x)]] = row.y;
    QVERIFY(deviation["adjoint radial3d"] > 2 * deviation["adjoint random"]);
    QVERIFY(deviation["forward radial3d"] < 2 * deviation["forward random"]);
  }

  void stagesAddUpToTheWhole() {
    StudyRequest request = small("parallel-stages");
    request.patterns = {"random", "radial3d"};
    request.threads = {2};
    std::map<std::pair<std::string, double>, double> sums;
    for (const StudyRow& row : runOnCpu(request).rows) sums[{row.panel, row.x}] += row.y;
    QCOMPARE(sums.size(), std::size_t(4));
    for (const auto& [place, sum] : sums)
      QVERIFY(std::abs(sum - 100) < 12);  // medians of stages, each its own
  }

  void gainsBeginAtOne() {
    StudyRequest request = small("gains");
    request.patterns = {"gaussian"};
    request.threads = {2};
    const StudyResult result = runOnCpu(request);
    int first = 0;
    for (const StudyRow& row : result.rows) {
      if (!row.refused.empty()) {
        QCOMPARE(row.variant, std::string("+ SMT"));
        continue;
      }
      if (row.x == 0) {
        ++first;
        QCOMPARE(row.y, 1.0);
        QCOMPARE(row.variant, std::string("base"));
        QCOMPARE(row.candidate.options.threads, 1);
      } else if (row.variant == "+ vectors") {
        QCOMPARE(row.candidate.options.scheduler.off, allSchedulerParts & ~unsigned(SchedulerPart::reorder));
        QCOMPARE(row.candidate.options.threads, 1);
      } else if (result.axes.categories[std::size_t(row.x)] == "+ private") {
        QCOMPARE(row.candidate.options.scheduler.off, 0u);
        QCOMPARE(row.candidate.options.threads, std::min(2, processorCores()));
      }
    }
    QCOMPARE(first, 2);
  }

  void fixedAlphasAreWhatTheyAreCalled() {
    StudyRequest request = small("fixed-alpha");
    request.patterns = {"random"};
    const StudyResult result = runOnCpu(request);
    bool two = false;
    for (const StudyRow& row : result.rows)
      if (row.variant.find("alpha 2") != std::string::npos && row.refused.empty()) {
        two = true;
        QCOMPARE(row.candidate.options.alpha, 2.0);
      }
    QVERIFY(two);
  }

  void alphaStudyHasARowForEachRatio() {
    StudyRequest request = small("alpha");
    request.patterns = {"random"};
    std::vector<double> alphas;
    for (const StudyRow& row : runOnCpu(request).rows) alphas.push_back(row.candidate.options.alpha);
    std::sort(alphas.begin(), alphas.end());
    alphas.erase(std::unique(alphas.begin(), alphas.end()), alphas.end());
    QVERIFY(alphas.size() > 3);
  }

  void accelerationThinsThePoints() {
    for (const std::string& pattern : studyPatterns()) {
      const double whole = double(studyPoints(pattern, 32, 1).size()),
                   quarter = double(studyPoints(pattern, 32, 4).size());
      QVERIFY2(std::abs(whole / quarter - 4) < 0.4, pattern.c_str());
      for (const double k : studyPoints(pattern, 32, 4)) QVERIFY(std::abs(k) <= 0.5 + 1e-9);
    }
  }

  // Table I of multicore-nufft: N, samples K of a readout, readouts S.
  void interleavedSetsAreThePapers() {
    const struct { int n, k, s; } sets[] = {{128, 256, 4096}, {256, 512, 24576}, {320, 640, 12800}};
    for (const auto& set : sets) {
      const double r = interleavedAcceleration(set.n);
      QCOMPARE(double(set.k) * set.s, std::pow(set.n, 3) / r);
      if (set.n != 128) continue;  // the smallest is tested for all
      for (const char* pattern : {"radial3d", "stack-of-spirals", "gaussian"}) {
        const auto points = interleavedPoints(pattern, set.n, r);
        QCOMPARE(points.size(), std::size_t(3) * std::size_t(set.k) * std::size_t(set.s));
        for (const double k : points) QVERIFY(std::abs(k) <= 0.5 + 1e-9);
      }
    }
    // The first readout is a straight line through the centre.
    const auto line = interleavedPoints("radial3d", 16, 2);
    const auto at = [&](std::size_t i, std::size_t d) { return line[3 * i + d]; };
    for (std::size_t d = 0; d < 3; ++d)
      QVERIFY(std::abs(at(31, d) - at(0, d) - 31 * (at(1, d) - at(0, d))) < 1e-12);
    // A spiral: its radius grows from the centre to the edge of a plane, its samples are a
    // cycle/FOV apart.
    const auto spiral = interleavedPoints("stack-of-spirals", 32, 2);
    const std::size_t samples = 32 * 32 / 2;
    double before = -1;
    for (std::size_t i = 0; i < samples; ++i) {
      const double radius = std::hypot(spiral[3 * i], spiral[3 * i + 1]);
      QVERIFY(radius > before);
      before = radius;
      QCOMPARE(spiral[3 * i + 2], -0.5);
    }
    QVERIFY(before > 0.49);
    const std::size_t end = 3 * (samples - 1);
    const double step = 32 * std::hypot(spiral[end] - spiral[end - 3], spiral[end + 1] - spiral[end - 2]);
    QVERIFY2(step > 0.8 && step < 1.2, qPrintable(QString::number(step)));
  }

  void accelerationsFollowFromTheSize() {
    QVERIFY(studyDefaults("partitions").accelerations.empty());  // by size
    StudyRequest request = small("partitions");
    request.accelerations.clear();
    request.threads = {1};
    for (const StudyRow& row : runOnCpu(request).rows)
      QCOMPARE(row.c.points, std::int64_t(16 * 16 * 16 * 3 / 4));
  }

  // Table III is printed without an oversampling ratio. Random points have N^3 rows of {3, 4}^3
  // entries and columns of M W^3 / G on average, which gives W and then the ratio.
  void rowsOfRandomPointsScatterAsPrinted() {
    StudyRequest request = small("row-deviations");
    request.sizes = {64};
    request.patterns = {"random"};
    for (const StudyRow& row : runOnCpu(request).rows) {
      QCOMPARE(row.candidate.options.alpha, 1.5);
      QVERIFY2(std::abs(row.candidate.options.width - 3.555) < 0.01,
               qPrintable(QString::number(row.candidate.options.width)));
      const double printed = row.direction == "adjoint" ? 3.647 : 10.974;
      QVERIFY2(std::abs(row.y / printed - 1) < 0.01, qPrintable(QString::number(row.y)));
    }
    // The width that the paper's text names for the same ratio and accuracy gives another table.
    constexpr double named = 3.139;
    const double part = named - std::floor(named), mean = named, square = mean * mean + part * (1 - part);
    QVERIFY(std::sqrt(std::pow(square, 3) - std::pow(mean, 6)) < 6);
    request.alphas = {2};
    for (const StudyRow& row : runOnCpu(request).rows) QVERIFY(row.y < (row.direction == "adjoint" ? 3 : 9));
  }

  void whatAStudyDoesNotUseIsRefused() {
    const auto backend = makeCpuBackend();
    NufftBackend* const backends[] = {backend.get()};
    const auto refused = [&](const char* study, const std::function<void(StudyRequest&)>& ask) {
      StudyRequest request;
      request.study = study;
      request.sizes = {8};
      ask(request);
      QVERIFY_THROWS_EXCEPTION(Error, runStudy(backends, request, Progress()));
    };
    refused("window-error", [](StudyRequest& r) { r.patterns = {"random"}; });
    refused("window-error", [](StudyRequest& r) { r.threads = {1}; });
    refused("aliasing", [](StudyRequest& r) { r.trials = 2; });
    refused("sequential-stages", [](StudyRequest& r) { r.threads = {2}; });
    refused("errors", [](StudyRequest& r) { r.patterns = {"clustered"}; });
    refused("row-lengths", [](StudyRequest& r) { r.alphas = {1.5, 2}; });
    refused("row-lengths", [](StudyRequest& r) { r.alphas = {1}; });
    refused("interpolation", [](StudyRequest& r) { r.crowdedSums = CrowdedSums::off; });
  }

  // Every study runs at another ratio than its paper's, and says so.
  void ratiosAreTheOnesAskedFor() {
    for (const char* name : {"single-thread", "rates", "spreading", "pruned-fft", "entries", "best-alpha"}) {
      StudyRequest request = small(name);
      request.patterns = {"random"};
      request.threads = {1};
      request.alphas = {1.5};
      const StudyResult result = runOnCpu(request);
      int seen = 0;
      for (const StudyRow& row : result.rows) {
        if (!row.refused.empty() || row.candidate.options.alpha == 0) continue;
        ++seen;
        QVERIFY2(row.candidate.options.alpha == 1.5, name);
      }
      QVERIFY2(seen > 0, name);
      QVERIFY2(thisRunText(result).find("α = 1.5") != std::string::npos, thisRunText(result).c_str());
    }
  }

  void aStudySaysItsOwnSizesAndRepeats() {
    StudyRequest request = small("implementations");
    request.patterns = {"radial3d"};
    request.trials = 3;
    const StudyResult result = runOnCpu(request);
    const std::string text = thisRunText(result);
    for (const char* part : {"N = 16 (the paper: 62, 94, 126, 158, 190, 222, 254)",
                             "R = 1 (the paper: 1, 4, 16)", "patterns: radial3d (the paper: ", "3 repeats"})
      QVERIFY2(text.find(part) != std::string::npos, text.c_str());
    QVERIFY(result.load.processors > 0);
    // A convolution's own ratio, not that of the transforms that made it.
    const std::string csv = toCsv(result);
    const std::string head = csv.substr(0, csv.find('\n'));
    for (const char* column : {"toeplitzAlpha", "repeats", "yLow", "yHigh", "otherProcessors"})
      QVERIFY2(head.find(column) != std::string::npos, column);
    bool padded = false;
    for (const StudyRow& row : result.rows) {
      if (!row.refused.empty() || row.candidate.options.normal != NormalMethod::toeplitz) continue;
      padded = true;
      QVERIFY(row.candidate.options.toeplitzAlpha >= 2);
      QVERIFY2(planText(row).starts_with("alpha_T 2"), planText(row).c_str());
    }
    QVERIFY(padded);
  }

  void unknownNamesAndSizesAreRefused() {
    QVERIFY_THROWS_EXCEPTION(Error, runOnCpu(small("nothing")));
    StudyRequest request = small("alpha");
    request.sizes = {0};
    QVERIFY_THROWS_EXCEPTION(Error, runOnCpu(request));
    request = small("alpha");
    request.patterns = {"wavy"};
    QVERIFY_THROWS_EXCEPTION(Error, runOnCpu(request));
    request = small("threads");
    request.threads = {0};
    QVERIFY_THROWS_EXCEPTION(Error, runOnCpu(request));
  }

  void jsonAndCsvHoldEveryRow() {
    StudyRequest request = small("spreading");
    request.patterns = {"random", "clustered"};
    const StudyResult result = runOnCpu(request);
    const nlohmann::json json = toJson(result);
    QCOMPARE(json["rows"].size(), result.rows.size());
    QCOMPARE(json["rows"].back()["pattern"].get<std::string>(), std::string("clustered"));
    const std::string csv = toCsv(result);
    QCOMPARE(std::size_t(std::count(csv.begin(), csv.end(), '\n')), result.rows.size() + 1);
  }
};

SPOKELAB_TEST(TestStudy)

}  // namespace test_study

#include "test_study.moc"
