#include "engine/profile/suite/suite_json.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "engine/core/documents/document_numbers.h"
#include "engine/core/error.h"

namespace spokelab {
namespace {

using nlohmann::json;

void refuseUnknown(const json& j, const std::vector<std::string>& known) {
  for (const auto& [key, value] : j.items())
    if (std::find(known.begin(), known.end(), key) == known.end())
      throw Error("This is not a case of a suite", "\"" + key + "\" is not known",
                  "Use the names that the guide's page on suites lists");
}

}  // namespace

json suiteCaseToJson(const SuiteCase& c) {
  if (!c.study.study.empty()) {
    json j{{"study", c.study.study},
           {"sizes", c.study.sizes},
           {"accelerations", c.study.accelerations},
           {"accuracies", c.study.accuracies},
           {"patterns", c.study.patterns},
           {"threads", c.study.threads},
           {"trials", c.study.trials}};
    if (!c.study.ranks.empty()) j["ranks"] = c.study.ranks;
    if (c.study.crowdedSums) j["crowdedSums"] = crowdedSumsName(*c.study.crowdedSums);
    if (!c.study.alphas.empty()) j["alphas"] = c.study.alphas;  // folders of earlier versions have none
    return j;
  }
  return {
      {"scan", c.scan}, {"set", c.set}, {"options", c.options}, {"alphas", c.alphas}, {"widths", c.widths}};
}

SuiteCase suiteCaseFromJson(const json& j) {
  const auto list = [&]<class T>(const char* key, std::vector<T>& values) {
    if (!j.contains(key)) return;
    if constexpr (std::is_same_v<T, int>)
      values = countsAt<int>(j, key);
    else if constexpr (std::is_same_v<T, double>)
      values = numbersAt(j, key, notNegative);
    else
      values = j.at(key).get<std::vector<T>>();
  };
  SuiteCase c;
  if (j.contains("study")) {
    refuseUnknown(j, {"study", "sizes", "accelerations", "accuracies", "patterns", "alphas", "crowdedSums",
                      "ranks", "threads", "trials"});
    c.study.study = j.at("study").get<std::string>();
    list("sizes", c.study.sizes);
    list("accelerations", c.study.accelerations);
    list("accuracies", c.study.accuracies);
    list("patterns", c.study.patterns);
    list("alphas", c.study.alphas);
    list("ranks", c.study.ranks);
    if (j.contains("crowdedSums"))
      c.study.crowdedSums = crowdedSumsFromName(j.at("crowdedSums").get<std::string>());
    list("threads", c.study.threads);
    c.study.trials = countOr(j, "trials", 0);
    return c;
  }
  refuseUnknown(j, {"scan", "set", "options", "direction", "alphas", "widths", "trials"});
  c.scan = j.at("scan").get<std::string>();
  c.set = j.value("set", c.set);
  c.options = j.value("options", c.options);
  if (j.contains("direction")) c.options["direction"] = j.at("direction").get<std::string>();
  if (const int trials = countOr(j, "trials", 0); trials > 0) c.options["trials"] = std::to_string(trials);
  list("alphas", c.alphas);
  list("widths", c.widths);
  return c;
}

json suiteToJson(const Suite& suite) {
  json cases = json::array();
  for (const SuiteCase& c : suite.cases) cases.push_back(suiteCaseToJson(c));
  return {{"format", "spokelab-suite"},
          {"formatVersion", suiteFormatVersion},
          {"name", suite.name},
          {"cases", cases}};
}

json suiteResults(const Suite& suite, const json& cases) {
  return {{"format", "spokelab-suite-results"},
          {"formatVersion", suiteFormatVersion},
          {"suite", suiteToJson(suite)},
          {"cases", cases}};
}

json suiteJob(const Suite& suite) {
  json job = suiteToJson(suite);
  job["command"] = "suite";
  for (json& c : job["cases"])
    if (c.contains("scan"))
      c["scan"] = std::filesystem::path(c["scan"].get<std::string>()).filename().string();
  return job;
}

}  // namespace spokelab
