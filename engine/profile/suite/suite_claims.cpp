#include "engine/profile/suite/suite_claims.h"

#include <map>

#include <nlohmann/json.hpp>

#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "engine/profile/study/study_results.h"

namespace spokelab {

using nlohmann::json;

std::vector<ClaimResult> claimsOfCases(const json& cases) {
  std::vector<std::string> order;
  std::map<std::string, StudyResult> studies;
  for (const json& one : cases) {
    if (!one.contains("study")) continue;
    StudyResult result;
    try {
      result = studyFromJson(one.at("study"));
    } catch (const json::exception&) {  // a damaged case: its study says so by having fewer rows
      continue;
    } catch (const Error&) {
      continue;
    }
    const std::string name = result.request.study;
    const auto [whole, isNew] = studies.try_emplace(name);
    if (isNew) {
      order.push_back(name);
      whole->second = std::move(result);
    } else {
      for (StudyRow& row : result.rows) whole->second.rows.push_back(std::move(row));
    }
  }
  std::vector<ClaimResult> results;
  for (const std::string& name : order)
    for (ClaimResult& result : checkClaims(studies[name])) results.push_back(std::move(result));
  return results;
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

void writeVerdicts(const std::filesystem::path& folder, const std::vector<ClaimResult>& results,
                   const json& provenance) {
  if (results.empty()) return;
  const json machine = provenance.value("machine", json::object());
  std::string text = machine.value("cpu", std::string("this machine"));
  if (machine.contains("threads")) text += ", " + machine.at("threads").dump() + " threads";
  if (machine.contains("plans"))
    for (const json& plan : machine.at("plans"))
      if (plan.is_string() && !plan.get<std::string>().starts_with("cpu"))
        text += ", " + plan.get<std::string>();
  writeFileAtomically(folder / verdictsFile, verdictPage(results, text));
}

}  // namespace spokelab
