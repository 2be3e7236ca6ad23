#include "engine/profile/suite/suite.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/profile/results/record_file.h"
#include "engine/profile/suite/suite_json.h"
#include "engine/scan/simulate/built_in_scans.h"

namespace spokelab {
namespace {

using nlohmann::json;

constexpr int quickSize = 32;

// The request with the paper's values where it has none.
StudyRequest settled(const StudyRequest& asked) {
  const StudyRequest paper = studyDefaults(asked.study);
  StudyRequest request = asked;
  if (request.sizes.empty()) request.sizes = paper.sizes;
  if (request.accelerations.empty()) request.accelerations = paper.accelerations;
  if (request.accuracies.empty()) request.accuracies = paper.accuracies;
  if (request.patterns.empty()) request.patterns = paper.patterns;
  return request;
}

// True for a study whose rows follow from all cases: one case of the suite (StudyInfo::whole).
bool isWhole(const std::string& study) {
  const auto& infos = studies();
  return std::any_of(infos.begin(), infos.end(),
                     [&](const StudyInfo& info) { return info.name == study && info.whole; });
}

// One list for each value; one empty list without values.
template <class T>
std::vector<std::vector<T>> singles(const std::vector<T>& values) {
  if (values.empty()) return {{}};
  std::vector<std::vector<T>> lists;
  for (const T& value : values) lists.push_back({value});
  return lists;
}

}  // namespace

std::string SuiteCase::name() const {
  if (study.study.empty()) return "sweep " + std::filesystem::path(scan).filename().string();
  constexpr int digits = 3;
  std::string text = study.study;
  for (const std::string& pattern : study.patterns) text += ' ' + pattern;
  for (const int size : study.sizes) text += ' ' + std::to_string(size);
  for (const double r : study.accelerations) text += " R " + numberText(r, digits);
  for (const double accuracy : study.accuracies) text += ' ' + numberText(accuracy, digits);
  return text;
}

std::vector<std::string> suiteNames() {
  return {"papers", "quick"};
}

Suite namedSuite(const std::string& name) {
  Suite suite;
  suite.name = name;
  const bool quick = name == "quick";
  if (!quick && name != "papers")
    throw Error("Unknown suite \"" + name + "\"", "the known ones are papers and quick",
                "Name one of these, or a file");
  for (const StudyInfo& info : studies()) {
    SuiteCase c;
    c.study.study = info.name;
    if (quick) c.study.sizes = {quickSize};
    suite.cases.push_back(std::move(c));
  }
  return suite;
}

Suite readSuite(const std::filesystem::path& file, const Progress& progress) {
  const std::string problem = "Cannot read the suite " + file.string(),
                    remedy = "The guide's page on suites shows what such a file holds";
  Suite suite;
  readRecord(file, "suite", problem, remedy, progress, [&](const json& j) {
    suite.name = j.value("name", file.stem().string());
    for (const json& one : j.at("cases")) {
      SuiteCase c = suiteCaseFromJson(one);
      if (!c.scan.empty() && !isBuiltIn(c.scan) && std::filesystem::path(c.scan).is_relative())
        c.scan = (std::filesystem::absolute(file).parent_path() / c.scan).lexically_normal().string();
      suite.cases.push_back(std::move(c));
    }
    if (suite.cases.empty()) throw Error(problem, "it has no cases", remedy);
    splitCases(suite);  // a study that there is not is found now
  });
  return suite;
}

Suite suiteFrom(const std::string& nameOrFile, const Progress& progress) {
  const std::vector<std::string> known = suiteNames();
  if (std::find(known.begin(), known.end(), nameOrFile) != known.end()) return namedSuite(nameOrFile);
  return readSuite(nameOrFile, progress);
}

std::vector<SuiteCase> splitCases(const Suite& suite) {
  std::vector<SuiteCase> cases;
  for (const SuiteCase& c : suite.cases) {
    if (c.study.study.empty()) {
      cases.push_back(c);
      continue;
    }
    if (isWhole(c.study.study)) {
      cases.push_back(c);
      continue;
    }
    const StudyRequest settledStudy = settled(c.study);
    for (const auto& patterns : singles(settledStudy.patterns))
      for (const auto& sizes : singles(settledStudy.sizes))
        for (const auto& accelerations : singles(settledStudy.accelerations))
          for (const auto& accuracies : singles(settledStudy.accuracies)) {
            SuiteCase single = c;
            single.study.patterns = patterns;
            single.study.sizes = sizes;
            single.study.accelerations = accelerations;
            single.study.accuracies = accuracies;
            cases.push_back(std::move(single));
          }
  }
  return cases;
}

}  // namespace spokelab
