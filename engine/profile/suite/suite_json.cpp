#include "engine/profile/suite/suite_json.h"

#include <nlohmann/json.hpp>

#include "engine/core/documents/fields.h"
#include "engine/core/error.h"
#include "engine/profile/results/record_file.h"

namespace spokelab {
using nlohmann::json;

// A part of a request: what is missing is the paper's, or the default.
template <class F, Either<SuiteCase> C>
static void fields(F& f, C& c) {
  auto& study = c.study;
  if (study.study.empty()) {
    f("scan", c.scan);
    f.when(true, "set", c.set);
    f.when(true, "options", c.options);
    f.when(true, "alphas", c.alphas, notNegative);
    f.when(true, "widths", c.widths, notNegative);
    return;
  }
  f("study", study.study);
  f.when(true, "sizes", study.sizes);
  f.when(true, "accelerations", study.accelerations, notNegative);
  f.when(true, "accuracies", study.accuracies, notNegative);
  f.when(true, "patterns", study.patterns);
  f.when(true, "threads", study.threads);
  f.when(true, "trials", study.trials);
  f.when(!study.ranks.empty(), "ranks", study.ranks);
  f.when(study.crowdedSums.has_value(), "crowdedSums", study.crowdedSums,
         Named{crowdedSumsName, crowdedSumsFromName});
  f.when(!study.alphas.empty(), "alphas", study.alphas, notNegative);  // earlier folders have none
}

json suiteCaseToJson(const SuiteCase& c) {
  return asJson(c);
}

SuiteCase suiteCaseFromJson(const json& j) {
  SuiteCase c;
  if (j.contains("study")) c.study.study = j.at("study").get<std::string>();
  FieldReader reader(j);
  fields(reader, c);
  if (c.study.study.empty()) {
    std::string direction;
    int trials = 0;
    reader.when(true, "direction", direction);
    reader.when(true, "trials", trials);
    if (!direction.empty()) c.options["direction"] = direction;
    if (trials > 0) c.options["trials"] = std::to_string(trials);
  }
  if (const std::string key = reader.unknown(); !key.empty())
    throw Error("This is not a case of a suite", "\"" + key + "\" is not known",
                "Use the names that the guide's page on suites lists");
  return c;
}

json suiteToJson(const Suite& suite) {
  json cases = json::array();
  for (const SuiteCase& c : suite.cases) cases.push_back(suiteCaseToJson(c));
  json record = recordHead("suite");
  record.update({{"name", suite.name}, {"cases", cases}});
  return record;
}

json suiteResults(const Suite& suite, const json& cases) {
  json record = recordHead("suite results");
  record.update({{"suite", suiteToJson(suite)}, {"cases", cases}});
  return record;
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
