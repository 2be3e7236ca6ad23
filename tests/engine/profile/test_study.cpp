// Studies: the cases of a request, each tuned, refused where they cannot be, and written out whole.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/profile/study.h"
#include "engine/recon/backend.h"

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

StudyResult runOnCpu(const StudyRequest& request) {
  const auto backend = makeCpuBackend();
  NufftBackend* const backends[] = {backend.get()};
  return runStudy(backends, request, Progress());
}

}  // namespace

class TestStudy : public QObject {
  Q_OBJECT

 private slots:
  void everyStudyRunsAndMeetsItsAccuracy() {
    for (const StudyInfo& info : studies()) {
      StudyRequest request = small(info.name);
      request.patterns = {"random"};
      const StudyResult result = runOnCpu(request);
      QVERIFY2(!result.rows.empty(), info.name.c_str());
      int ran = 0;
      for (const StudyRow& row : result.rows) {
        if (!row.refused.empty()) continue;
        ++ran;
        QVERIFY(row.seconds > 0);
        QVERIFY(row.candidate.predicted.bound <= 1.02 * row.c.accuracy);
        QCOMPARE(row.c.points, std::int64_t(16 * 16 * 16));
      }
      QVERIFY2(ran > 0, info.name.c_str());
    }
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

  void unknownNamesAndSizesAreRefused() {
    QVERIFY_THROWS_EXCEPTION(Error, runOnCpu(small("nothing")));
    StudyRequest request = small("alpha");
    request.sizes = {0};
    QVERIFY_THROWS_EXCEPTION(Error, runOnCpu(request));
    request = small("alpha");
    request.patterns = {"wavy"};
    QVERIFY_THROWS_EXCEPTION(Error, runOnCpu(request));
  }

  void jsonAndCsvHoldEveryRow() {
    StudyRequest request = small("spreading");
    request.patterns = {"random", "clustered"};
    const StudyResult result = runOnCpu(request);
    const nlohmann::json json = toJson(result);
    QCOMPARE(json["rows"].size(), result.rows.size());
    QCOMPARE(json["rows"][0]["pattern"].get<std::string>(), std::string("random"));
    const std::string csv = toCsv(result);
    QCOMPARE(std::size_t(std::count(csv.begin(), csv.end(), '\n')), result.rows.size() + 1);
  }
};

QTEST_APPLESS_MAIN(TestStudy)
#include "test_study.moc"
