// Claims of the papers: verdicts by rank, by number, and where nothing can be said.
#include <QtTest>

#include <algorithm>

#include "engine/profile/study/claims/claim_votes.h"
#include "engine/profile/study/claims/claims.h"
#include "engine/recon/sense/backend_cpu.h"
#include "tests/test_main.h"

namespace test_claims {

using namespace spokelab;

namespace {

StudyRow timed(const std::string& variant, double acceleration, std::vector<double> runs,
               NormalMethod normal = NormalMethod::automatic) {
  StudyRow row;
  row.c = {"random", 32, acceleration, 1e-2, 32 * 32 * 32};
  row.variant = row.series = variant;
  row.direction = "forward + adjoint";
  row.candidate.runs = std::move(runs);
  row.candidate.repeats = int(row.candidate.runs.size());
  row.candidate.timings.total = row.candidate.runs.empty() ? 0 : row.candidate.runs.front();
  row.candidate.options.normal = normal;
  return row;
}

const std::vector<double> fast{1, 1.01, 1.02, 1.03, 1.04, 1.05, 1.06, 1.07},
    slow{2, 2.1, 2.2, 2.3, 2.4, 2.5, 2.6, 2.7};

ClaimResult resultOf(const std::string& sentence, const std::vector<StudyRow>& rows) {
  for (const Claim& claim : claims())
    if (claim.sentence.starts_with(sentence)) return claim.check(rows);
  qFatal("there is no such claim");
  return {};
}

}  // namespace

class TestClaims : public QObject {
  Q_OBJECT

 private slots:
  void verdictsFollowTheRanks() {
    const auto rows = [](const std::vector<double>& toeplitz, const std::vector<double>& other) {
      return std::vector{timed("cpu toeplitz", 1, toeplitz, NormalMethod::toeplitz),
                         timed("cpu blocked", 1, other)};
    };
    const std::string sentence = "Toeplitz is the fastest at R = 1";
    QCOMPARE(resultOf(sentence, rows(fast, slow)).verdict, ClaimVerdict::holds);
    QCOMPARE(resultOf(sentence, rows(slow, fast)).verdict, ClaimVerdict::fails);
    QCOMPARE(resultOf(sentence, rows(fast, fast)).verdict, ClaimVerdict::unclear);
    QCOMPARE(resultOf(sentence, rows({1}, {2})).verdict, ClaimVerdict::unclear);  // one repeat says nothing
    QVERIFY(resultOf(sentence, rows(fast, slow)).evidence.find("times differ by 2") != std::string::npos);
    // R = 16 is another claim.
    QCOMPARE(resultOf("Toeplitz loses at R = 16", rows(fast, slow)).verdict, ClaimVerdict::unclear);
  }

  // NFFT3 and polynomials of one width are one case, though their errors differ.
  void librariesAreComparedByWidth() {
    const auto rows = [](const std::vector<double>& ours, const std::vector<double>& theirs) {
      std::vector pair{timed("polynomial", 1, ours), timed("nfft3", 1, theirs)};
      pair[1].c.accuracy = 1e-5;
      for (StudyRow& row : pair) row.candidate.options.width = 6;
      return pair;
    };
    const std::string sentence = "NFFT3 is slower than polynomials";
    QCOMPARE(resultOf(sentence, rows(fast, slow)).verdict, ClaimVerdict::holds);
    QCOMPARE(resultOf(sentence, rows(slow, fast)).verdict, ClaimVerdict::fails);
    std::vector<StudyRow> apart = rows(fast, slow);
    apart[1].candidate.options.width = 8;
    QCOMPARE(resultOf(sentence, apart).verdict, ClaimVerdict::unclear);
  }

  // Errors: means of ratios below m = 8, forward and adjoint, beside the printed ones.
  void ratiosOfErrorsAreMeans() {
    std::vector<StudyRow> rows;
    for (const char* direction : {"forward", "adjoint"})
      for (const double m : {3.0, 4.0, 8.0})
        for (const char* variant :
             {"window of 2m points", "window of 2m + 2 points", "finufft", "kernel of 2m cells"}) {
          StudyRow& row = rows.emplace_back();
          row.variant = variant;
          row.direction = direction;
          row.x = m;
          const bool isCut = row.variant == "window of 2m points", isPeer = row.variant == "finufft";
          row.y = isCut ? (m == 3 ? 1.5 : m == 4 ? 1.7 : 100) : isPeer ? 0.5 : 1;
        }
    const ClaimResult gain = resultOf("Two more points of the window gain", rows);
    QVERIFY2(gain.evidence.starts_with("forward 1.6 (1.77), adjoint 1.6 (1.11)"), gain.evidence.c_str());
    QCOMPARE(gain.verdict, ClaimVerdict::holds);
    QCOMPARE(resultOf("FINUFFT errs more", rows).verdict, ClaimVerdict::fails);
    rows.front().y = 100;
    QVERIFY(resultOf("Two more points of the window gain", rows).verdict != ClaimVerdict::holds);
  }

  // Counted: the same on every machine.
  void lengthsOfRowsAreOfTheWidthAndOrderedByPattern() {
    const auto cpu = makeCpuBackend();
    NufftBackend* const backends[] = {cpu.get()};
    StudyRequest request;
    request.study = "row-lengths";
    request.sizes = {16};
    StudyResult result = runStudy(backends, request, {});
    const std::string width = "Rows of Γ have", order = "Rows of Γᵀ vary most";
    QCOMPARE(resultOf(width, result.rows).verdict, ClaimVerdict::holds);
    for (StudyRow& row : result.rows) row.x += 1;
    QCOMPARE(resultOf(width, result.rows).verdict, ClaimVerdict::fails);

    // One row of each pattern has this number of entries, another one has none.
    const auto lengths = [](double radial, double stars, double cones, double random) {
      std::vector<StudyRow> rows;
      for (const auto& [pattern, most] : {std::pair("radial3d", radial), std::pair("stack-of-stars", stars),
                                          std::pair("cones", cones), std::pair("random", random)})
        for (const double x : {0.0, most}) {
          StudyRow& row = rows.emplace_back();
          row.c.pattern = pattern;
          row.direction = row.panel = "adjoint";
          row.x = x;
          row.y = 1;
        }
      return rows;
    };
    QCOMPARE(resultOf(order, lengths(9, 7, 5, 3)).verdict, ClaimVerdict::holds);
    QCOMPARE(resultOf(order, lengths(3, 5, 7, 9)).verdict, ClaimVerdict::fails);
  }

  void clustersAreComparedWithRandomPointsOfTheirSize() {
    const auto rows = [](const std::vector<double>& random, const std::vector<double>& clustered,
                         const char* variant, const char* direction) {
      std::vector pair{timed(variant, 1, random), timed(variant, 1, clustered)};
      pair[1].c.pattern = "clustered";
      for (StudyRow& row : pair) {
        row.direction = direction;
        row.panel = row.c.pattern + ", " + direction + ", accuracy 0.01, exec";
      }
      return pair;
    };
    const std::string steady = "SM spreads clusters", slower = "GM-sort spreads clusters",
                      gain = "GM-sort interpolates clusters";
    QCOMPARE(resultOf(steady, rows(fast, fast, "cuda sm", "adjoint")).verdict, ClaimVerdict::holds);
    QCOMPARE(resultOf(steady, rows(fast, slow, "cuda sm", "adjoint")).verdict, ClaimVerdict::fails);
    QCOMPARE(resultOf(slower, rows(fast, slow, "cuda gm-sort", "adjoint")).verdict, ClaimVerdict::holds);
    QCOMPARE(resultOf(slower, rows(slow, fast, "cuda gm-sort", "adjoint")).verdict, ClaimVerdict::fails);
    QCOMPARE(resultOf(gain, rows(slow, fast, "cuda gm-sort", "forward")).verdict, ClaimVerdict::holds);
    QCOMPARE(resultOf(gain, rows(slow, fast, "cuda gm-sort", "adjoint")).verdict, ClaimVerdict::unclear);
    std::vector<StudyRow> apart = rows(fast, slow, "cuda gm-sort", "adjoint");
    apart[1].c.size *= 2;
    QCOMPARE(resultOf(slower, apart).verdict, ClaimVerdict::unclear);
  }

  void publishedTimesAreOfTheirProblem() {
    StudyResult result;
    result.request.study = "against-cpus";
    for (const char* direction : {"adjoint", "forward", "forward + adjoint"}) {
      StudyRow& row = result.rows.emplace_back();
      row.c.size = 240;
      row.c.acceleration = 240.0 * 240 * 240 / (8047.0 * 512);
      row.variant = "cpu";
      row.direction = direction;
      row.panel = "N 240, R 3.355";
      row.y = 1;  // s: forward is slower than the published 0.9
    }
    const std::string sentence = "The problem takes less time than Shu et al.";
    QCOMPARE(resultOf(sentence, result.rows).verdict, ClaimVerdict::fails);
    for (StudyRow& row : result.rows) row.y = 0.5;
    QCOMPARE(resultOf(sentence, result.rows).verdict, ClaimVerdict::holds);
    QCOMPARE(printedNumbers(result).size(), std::size_t{9});
    // Repeats on both sides of the printed time decide nothing, and another R is another problem.
    for (StudyRow& row : result.rows) row.yLow = 0.4, row.yHigh = 2;
    QCOMPARE(resultOf(sentence, result.rows).verdict, ClaimVerdict::unclear);
    for (StudyRow& row : result.rows) row.yHigh = 0.6;
    QCOMPARE(resultOf(sentence, result.rows).verdict, ClaimVerdict::holds);
    std::vector<StudyRow> others = result.rows;
    for (StudyRow& row : others) row.c.acceleration = 1;
    QCOMPARE(resultOf(sentence, others).verdict, ClaimVerdict::unclear);
    for (StudyRow& row : result.rows) {
      row.c.size = 64;
      row.panel = "N 64, R 3.355";
    }
    QCOMPARE(resultOf(sentence, result.rows).verdict, ClaimVerdict::unclear);
    QVERIFY(printedNumbers(result).empty());
  }

  // Samples a second: the panel names this machine's threads, too.
  void printedRatesAreDrawnBesideAnyNumberOfThreads() {
    StudyResult result;
    result.request.study = "rates";
    StudyRow& row = result.rows.emplace_back();
    row.panel = "adjoint, N 256, R 1.333, 2 threads";
    const std::vector<PrintedNumber> numbers = printedNumbers(result);
    QCOMPARE(numbers.size(), std::size_t{12});
    QVERIFY(std::all_of(numbers.begin(), numbers.end(),
                        [&](const PrintedNumber& number) { return number.panel == row.panel; }));
    QCOMPARE(numbers.front().series, std::string("radial3d, printed"));
    QVERIFY(numbers.front().x == 4 && numbers.front().y == 145.1);
    row.panel = "adjoint, N 128, R 1.333, 2 threads";
    QVERIFY(printedNumbers(result).empty());
  }

  void printedWeakScalingIsDrawn() {
    StudyResult result;
    result.request.study = "weak-scaling";
    result.rows.emplace_back().panel = "type 1, N 81, time";
    QCOMPARE(printedNumbers(result).size(), std::size_t{6});
    result.rows.back().panel = "type 1, N 81, efficiency";
    QVERIFY(printedNumbers(result).empty());
  }

  void timesRiseWithEntries() {
    const std::string sentence = "Interpolation time rises with M Wᵈ";
    std::vector<StudyRow> rows;
    for (const double entries : {1e6, 2e6, 3e6, 4e6, 5e6}) {
      StudyRow& row = rows.emplace_back();
      row.panel = row.series = "cpu blocked";
      row.x = entries;
      row.y = entries * 1e-6;
    }
    QCOMPARE(resultOf(sentence, rows).verdict, ClaimVerdict::holds);
    for (StudyRow& row : rows) row.y = 1 / row.y;
    QCOMPARE(resultOf(sentence, rows).verdict, ClaimVerdict::fails);
    for (StudyRow& row : rows) row.series += ", fit";  // fitted lines do not count
    QCOMPARE(resultOf(sentence, rows).verdict, ClaimVerdict::unclear);
  }

  void theConvolutionsShareIsBelowSequentialCodes() {
    const std::string sentence = "The convolution takes less than the 91 %";
    std::vector<StudyRow> rows(3);
    for (StudyRow& row : rows) row.series = "spread", row.y = 60;
    rows[1].series = "interpolate";
    rows[2].series = "fft";
    rows[2].y = 99;  // not the convolution
    QCOMPARE(resultOf(sentence, rows).verdict, ClaimVerdict::holds);
    rows[0].y = rows[1].y = 95;
    QCOMPARE(resultOf(sentence, rows).verdict, ClaimVerdict::fails);
    QCOMPARE(resultOf(sentence, {}).verdict, ClaimVerdict::unclear);
  }

  void everyStudyHasAClaim() {
    for (const StudyInfo& info : studies())
      QVERIFY2(std::any_of(claims().begin(), claims().end(),
                           [&info](const Claim& claim) { return claim.study == info.name; }),
               info.name.c_str());
  }

  void manyCasesAreOneVerdict() {
    Votes votes;
    for (int i = 0; i < 9; ++i) votes.add(true);
    votes.add(false);
    QCOMPARE(votes.result().verdict, ClaimVerdict::holds);
    for (int i = 0; i < 11; ++i) votes.add(ClaimVerdict::unclear);
    QCOMPARE(votes.result().verdict, ClaimVerdict::unclear);  // most cases are open
    Votes half;
    half.add(true);
    half.add(false);
    QCOMPARE(half.result().verdict, ClaimVerdict::fails);
    QCOMPARE(Votes().result().verdict, ClaimVerdict::unclear);
  }

  // Table III is counted, not timed: its verdicts are the same on every machine.
  void tableThreeOfRandomPointsHolds() {
    const auto cpu = makeCpuBackend();
    NufftBackend* const backends[] = {cpu.get()};
    StudyRequest request;
    request.study = "row-deviations";
    request.patterns = {"random"};
    StudyResult result = runStudy(backends, request, {});
    QCOMPARE(printedNumbers(result).size(), std::size_t{8});
    int holding = 0;
    for (const ClaimResult& claim : checkClaims(result)) {
      QVERIFY(claim.study == request.study && !claim.evidence.empty());
      holding += claim.verdict == ClaimVerdict::holds;
    }
    QCOMPARE(holding, 2);
    // At another ratio the numbers are others.
    request.alphas = {2};
    for (const ClaimResult& claim : checkClaims(runStudy(backends, request, {})))
      QVERIFY(claim.verdict != ClaimVerdict::holds);
    const std::string page = verdictPage(checkClaims(result), "a machine");
    QVERIFY(page.find("holds 2, does not hold 0, cannot tell 1") != std::string::npos);
    QVERIFY(page.find("| `study row-deviations` |") != std::string::npos);
  }
};

SPOKELAB_TEST(TestClaims)

}  // namespace test_claims

#include "test_claims.moc"
