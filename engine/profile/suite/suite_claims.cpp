#include "engine/profile/suite/suite_claims.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/profile/results/provenance.h"
#include "engine/profile/study/study_page.h"
#include "engine/profile/study/study_results.h"

namespace spokelab {

using nlohmann::json;

namespace {

// Values of `more` that the list does not have.
template <class T>
void join(std::vector<T>& list, const std::vector<T>& more) {
  for (const T& value : more)
    if (std::ranges::find(list, value) == list.end()) list.push_back(value);
}

}  // namespace

std::vector<StudyResult> studiesOfCases(const json& cases) {
  std::vector<StudyResult> results;
  for (const json& finished : cases) {
    if (!finished.contains("study")) continue;
    StudyResult result;
    try {
      result = studyFromJson(finished.at("study"));
    } catch (const json::exception&) {  // a damaged case: its study says so by having fewer rows
      continue;
    } catch (const Error&) {
      continue;
    }
    const auto same = std::ranges::find_if(
        results, [&](const StudyResult& s) { return s.request.study == result.request.study; });
    if (same == results.end()) {
      results.push_back(std::move(result));
      continue;
    }
    StudyRequest& asked = same->request;
    join(asked.sizes, result.request.sizes);
    join(asked.accelerations, result.request.accelerations);
    join(asked.accuracies, result.request.accuracies);
    join(asked.patterns, result.request.patterns);
    for (StudyRow& row : result.rows) same->rows.push_back(std::move(row));
  }
  return results;
}

std::vector<ClaimResult> claimsOfStudies(const std::vector<StudyResult>& results) {
  std::vector<ClaimResult> claims;
  for (const StudyResult& study : results)
    for (ClaimResult& result : checkClaims(study)) claims.push_back(std::move(result));
  return claims;
}

std::vector<ClaimResult> claimsOfCases(const json& cases) {
  return claimsOfStudies(studiesOfCases(cases));
}

json claimsToJson(const std::vector<ClaimResult>& results) {
  json list = json::array();
  for (const ClaimResult& r : results)
    list.push_back({{"study", r.study},
                    {"place", r.place},
                    {"claim", r.sentence},
                    {"verdict", claimVerdictName(r.verdict)},
                    {"evidence", r.evidence}});
  return list;
}

std::vector<ClaimResult> writeSuitePages(const std::filesystem::path& folder, const std::string& suite,
                                         const json& cases, const json& provenance) {
  const std::vector<StudyResult> results = studiesOfCases(cases);
  if (results.empty()) return {};
  std::vector<std::string> machines;  // the folder may hold cases of others than this one
  for (const json& finished : cases)
    if (finished.contains("study")) join(machines, {machineText(finished.value("provenance", provenance))});
  const std::string machine = joined(machines, "; ");
  json origin = provenance;
  origin["machine"] = {{"cpu", machine}};
  writeFileAtomically(folder / suitePageFile, studyPage(results, "Suite " + suite, origin));
  std::vector<ClaimResult> claims = claimsOfStudies(results);
  if (claims.empty()) return {};
  writeFileAtomically(folder / verdictsFile, verdictPage(claims, machine));
  return claims;
}

}  // namespace spokelab
