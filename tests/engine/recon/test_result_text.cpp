// A result's name says what it was made with, and two results tell what differs between them.
#include <algorithm>

#include <QtTest>

#include "engine/recon/run/result_text.h"
#include "tests/test_main.h"

namespace test_result_text {

using namespace spokelab;

namespace {

Reconstruction gridding(double alpha, double width) {
  Reconstruction result;
  result.plan.backend = "cpu";
  result.plan.options.alpha = alpha;
  result.plan.options.width = width;
  result.plan.grid = {80, 80, 1};
  result.plan.error.relativeL2 = 7e-4;
  result.density = "of the file";
  result.seconds = 1.5;
  return result;
}

Reconstruction sense(int iterations) {
  Reconstruction result = gridding(1.25, 4);
  result.options.iterative.method = ReconMethod::sense;
  result.options.iterative.solver.iterations = iterations;
  result.options.iterative.solver.lambda = 0;
  return result;
}

QString title(const Reconstruction& result) {
  return QString::fromStdString(resultTitle(result));
}

const ResultDifference* row(const std::vector<ResultDifference>& rows, const std::string& what) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const auto& r) { return r.what == what; });
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace

class TestResultText : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void griddingIsNamedByItsPlan() {
    Reconstruction result = gridding(1.25, 4);
    QCOMPARE(title(result), QStringLiteral("gridding α 1.25 W 4"));
    result.options.combination = Combination::adaptive;
    result.options.virtualCoils = 4;
    QCOMPARE(title(result), QStringLiteral("gridding α 1.25 W 4, adaptive, 4 virtual coils"));
    result = gridding(1.25, 4);
    result.options.exact = true;
    QCOMPARE(title(result), QStringLiteral("exact sum"));
    result = gridding(2, 6);
    result.plan.backend = "cuda";
    result.options.precision = Precision::double64;
    QCOMPARE(title(result), QStringLiteral("gridding α 2 W 6, double, GPU"));
  }

  void iterationsAreNamedByWhatTheyMinimise() {
    Reconstruction result = sense(200);
    QCOMPARE(title(result), QStringLiteral("SENSE, 200 iterations"));
    result.options.iterative.solver.lambda = 0.05;
    QCOMPARE(title(result), QStringLiteral("SENSE λ 0.05, 200 iterations"));
    result.options.iterative.solver.regularization = Regularization::totalVariation;
    QCOMPARE(title(result), QStringLiteral("SENSE TV λ 0.05, 200 iterations"));
    result.options.iterative.transform = TransformKind::gdft;
    QCOMPARE(title(result), QStringLiteral("SENSE gdft TV λ 0.05, 200 iterations"));
  }

  void methodsWithARegularizationSayItThemselves() {
    Reconstruction result = sense(20);
    result.options.iterative.solver.lambda = 0.01;
    result.options.iterative.solver.regularization = Regularization::totalVariation;
    result.options.iterative.method = ReconMethod::wavelet;
    QCOMPARE(title(result), QStringLiteral("wavelets λ 0.01, 20 iterations"));
    result.options.iterative.method = ReconMethod::grasp;
    QCOMPARE(title(result), QStringLiteral("GRASP λ 0.01, 20 iterations"));
  }

  void iterationsAreThoseThatWereDone() {
    Reconstruction result = sense(200);
    IterationRecord record;
    record.residuals = {1, 0.5, 0.1};
    result.iterations = {record};
    result.cancelled = true;
    QCOMPARE(title(result), QStringLiteral("SENSE, 3 iterations, cancelled"));
  }

  void anImageOfAFileHasItsName() {
    Reconstruction result;
    result.origin = ResultOrigin::file;
    result.plan.description = "reference.nii.gz";
    QCOMPARE(title(result), QStringLiteral("reference.nii.gz"));
  }

  void whatDiffersIsListedAndNothingElse() {
    const Reconstruction left = gridding(1.25, 4);
    Reconstruction right = gridding(1.5, 4);
    right.options.combination = Combination::adaptive;
    right.seconds = 3;
    const auto rows = resultDifferences(left, right);
    const ResultDifference* alpha = row(rows, "Oversampling ratio α");
    QVERIFY(alpha);
    QCOMPARE(*alpha, (ResultDifference{"Oversampling ratio α", "1.25", "1.5"}));
    QCOMPARE(*row(rows, "Coil combination"), (ResultDifference{"Coil combination", "rss", "adaptive"}));
    QCOMPARE(*row(rows, "Time"), (ResultDifference{"Time", "1.5 s", "3 s"}));
    QVERIFY(!row(rows, "Kernel width W") && !row(rows, "Method") && !row(rows, "Density weights"));
    QCOMPARE(rows.size(), std::size_t(3));
    QVERIFY(resultDifferences(left, left).empty());
  }

  // Options that a file's image carries are defaults, not facts about it.
  void anImageOfAFileDiffersInWhatItIs() {
    Reconstruction file;
    file.origin = ResultOrigin::file;
    file.plan.description = "reference.nii.gz";
    const auto rows = resultDifferences(gridding(1.25, 4), file);
    QCOMPARE(*row(rows, "Made as"), (ResultDifference{"Made as", "gridding α 1.25 W 4", "reference.nii.gz"}));
    QVERIFY(!row(rows, "Oversampling ratio α"));
  }
};

SPOKELAB_TEST(TestResultText)

}  // namespace test_result_text

#include "test_result_text.moc"
