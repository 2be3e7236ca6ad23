#include "engine/profile/suite/suite_run.h"

#include <array>
#include <nlohmann/json.hpp>

#include "engine/core/atomic_file.h"
#include "engine/core/document.h"
#include "engine/core/documents/document_numbers.h"
#include "engine/core/error.h"
#include "engine/core/stage_timer.h"
#include "engine/core/text.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/profile/results/provenance.h"
#include "engine/profile/results/record_file.h"
#include "engine/profile/results/results.h"
#include "engine/profile/results/shard_json.h"
#include "engine/profile/study/study_results.h"
#include "engine/profile/suite/suite_claims.h"
#include "engine/profile/suite/suite_json.h"
#include "engine/profile/suite/suite_table.h"
#include "engine/recon/explore/sweep_paths.h"
#include "engine/recon/run/scan_problem.h"
#include "engine/recon/sense/backend.h"
#include "engine/scan/read/read_scan.h"

namespace spokelab {
namespace {

using nlohmann::json;

constexpr int maxAttempts = 2;
constexpr double readShare = 0.1;  // of a scan's progress

// "007-alpha-stack-of-stars-62-R-4-0.01": a file's name on any system.
std::string fileNameOf(std::size_t index, const std::string& name) {
  constexpr std::size_t digits = 3;
  std::string text = rightAligned(std::to_string(index + 1), digits, '0') + '-';
  for (const char c : name)
    text += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ? c : '-';
  return text;
}

// Writes a file from which the folder's next run continues. It replaces a damaged one.
void keep(const std::filesystem::path& file, const std::string& text) {
  writeFileAtomically(file, text, {}, OutputKind::state, FileReaders::everyone);
}

// The file's content; null if it is missing or damaged, and the case is then run.
json readJson(const std::filesystem::path& file) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(file, failed)) return {};
  try {
    return parseDocument(readDocument(file), "", "");
  } catch (const Error&) {
    return {};
  }
}

// The same requests, whatever version wrote them.
bool isSame(const json& a, const json& b) {
  const auto part = [](const json& j, const char* key) { return j.value(key, json()); };
  return isRecord(a, "suite") && part(a, "name") == part(b, "name") && part(a, "cases") == part(b, "cases");
}

class SuiteRun {
 public:
  SuiteRun(const std::filesystem::path& folder, const std::vector<Backend*>& backends,
           const std::string& commandLine, const Shard& shard)
      : folder_(folder), backends_(backends), shard_(shard), origin_(provenance(commandLine)) {
    json devices = json::array();
    for (const Backend* backend : backends)
      if (backend->kind() != BackendKind::cpu) devices.push_back(backend->badge());
    if (!devices.empty()) origin_["machine"]["devices"] = devices;
  }

  void claim(const Suite& suite) {
    std::error_code failed;
    std::filesystem::create_directories(folder_ / "cases", failed);
    if (failed)
      throw Error("Cannot run the suite in " + folder_.string(), failed.message(),
                  "Choose a folder that you may write to");
    const json request = suiteToJson(suite), inFolder = readJson(folder_ / "suite.json");
    if (!inFolder.is_null() && !isSame(inFolder, request))
      throw Error("Cannot run the suite " + suite.name + " in " + folder_.string(),
                  "the folder holds results of another suite, or of this one before it was changed",
                  "Choose a new folder");
    if (inFolder.is_null()) keep(folder_ / "suite.json", recordText(request));
  }

  SuiteRow run(std::size_t index, const SuiteCase& c, bool again, const Progress& progress) {
    SuiteRow row;
    row.name = c.name();
    const std::filesystem::path place = folder_ / "cases" / fileNameOf(index, row.name);
    const std::filesystem::path file = place.string() + ".json", mark = place.string() + ".started";
    json document = again ? json() : readJson(file);
    std::error_code ignored;
    if (document.is_object() && document.value("case", json()) == suiteCaseToJson(c)) {
      row.state = SuiteState::kept;
      std::filesystem::remove(mark, ignored);  // it was finished, and then the program ended
    } else {
      const json begun = readJson(mark);
      const int attempts = again || !begun.is_object() ? 0 : countOr(begun, "attempts", 0);
      document = recordHead("suite case");
      document.update({{"case", suiteCaseToJson(c)}, {"name", row.name}, {"provenance", origin_}});
      document["provenance"]["time"] = timeNow();
      if (attempts >= maxAttempts) {
        row.state = SuiteState::crashed;
        row.why = "the program ended " + std::to_string(attempts) + " times while it ran";
        addTo(row, index, document, {});
        return row;  // nothing is written: --again tries it anew
      }
      keep(mark, json{{"attempts", attempts + 1}}.dump() + '\n');
      try {
        const double start = now();
        compute(c, document, progress);
        const double end = now();
        document["seconds"] = end - start;
        tellSpan(row.name, SpanKind::job, start, end);
      } catch (const Cancelled&) {
        std::filesystem::remove(mark, ignored);  // on purpose: no crash
        throw;
      } catch (const Error& e) {
        document["failed"] = {{"what", e.summary()}, {"why", e.reason()}, {"remedy", e.remedy()}};
      } catch (const std::bad_alloc&) {
        document["failed"] = {
            {"what", "Out of memory"}, {"why", "there is not enough memory for it"}, {"remedy", ""}};
      }
      keep(file, recordText(document));
      std::filesystem::remove(mark, ignored);
    }
    addTo(row, index, document, document.value("csv", std::string()));
    return row;
  }

  // Writes all finished cases together. Returns the verdicts on the papers' claims.
  std::vector<ClaimResult> write(const Suite& suite, const std::vector<SuiteCase>& cases) const {
    json document = suiteResults(suite, finished_);
    document["provenance"] = origin_;
    std::vector<ClaimResult> claims;
    if (shard_.isAll()) {
      claims = writeSuitePages(folder_, suite.name, finished_, origin_);
      if (!claims.empty()) document["claims"] = claimsToJson(claims);
    }
    if (!shard_.isAll()) {
      std::vector<std::string> names;
      names.reserve(cases.size());
      for (const SuiteCase& c : cases) names.push_back(c.name());
      document["shard"] =
          shardToJson({shard_, suiteJob(suite), names, {}, origin_.at("commandLine").get<std::string>()});
    }
    writeFileAtomically(folder_ / shardFile("results.json", shard_), recordText(document));
    writeFileAtomically(folder_ / shardFile("results.csv", shard_), table_.text());
    return claims;
  }

 private:
  void compute(const SuiteCase& c, json& document, const Progress& progress) const {
    if (!c.study.study.empty()) {
      const std::vector<NufftBackend*> backends(backends_.begin(), backends_.end());
      const StudyResult result = runStudy(backends, c.study, progress);
      if (result.cancelled) throw Cancelled{};
      document["study"] = toJson(result);
      document["csv"] = toCsv(result);
      return;
    }
    ReadOptions reading;
    reading.overrides = c.set;
    std::vector<std::string> unknown;
    const ReconOptions options = optionsFromValues(c.options, unknown);
    if (!unknown.empty())
      throw Error("Cannot sweep " + c.scan, unknown.front(),
                  "Correct the options of this case in the suite's file");
    const auto scan = readScan(c.scan, reading, progress.part(0, readShare));
    const ScanProblem problem = scanProblem(*scan, options);
    SweepPolicy policy;
    policy.alphas = c.alphas;
    policy.widths = c.widths;
    const TuneRequest request = tuneRequest(problem, options);
    if (policy.alphas.empty()) policy.alphas = fastAlphas(problem.problem, request.options.axisAlpha);
    const TuneResult result = sweepOfScan(backendsFor(backends_, options.backend, options.devices), *scan,
                                          options, request, policy, progress.part(readShare, 1));
    document["sweep"] = toJson(result);
    document["scan"] = toJson(*scan);
    document["csv"] = toCsv(result);
  }

  void addTo(SuiteRow& row, std::size_t index, json document, const std::string& csv) {
    row.seconds = numberOr(document, "seconds", 0, notNegative);
    if (document.contains("study")) row.results = int(document["study"]["rows"].size());
    if (document.contains("sweep")) row.results = int(document["sweep"]["candidates"].size());
    if (document.contains("failed")) {
      row.state = SuiteState::failed;
      row.why = document["failed"].value("what", std::string()) + ": " +
                document["failed"].value("why", std::string());
    }
    const json origin = document.value("provenance", json::object());
    if (row.state == SuiteState::kept && origin.value("commit", json()) != origin_.at("commit"))
      row.why +=
          std::string(row.why.empty() ? "" : "; ") + "of commit " + origin.value("commit", std::string("?"));
    table_.add(row.name, csv);
    if (shard_.isAll())
      document.erase("csv");  // of a shard, a merge needs it
    else
      document["index"] = index;
    document["state"] = suiteStateName(row.state);
    finished_.push_back(std::move(document));
  }

  std::filesystem::path folder_;
  std::vector<Backend*> backends_;
  const Shard shard_;
  json origin_, finished_ = json::array();
  SuiteTable table_;
};

}  // namespace

std::string_view suiteStateName(SuiteState state) {
  constexpr std::array<std::string_view, 4> names = {"ran", "kept", "failed", "ended the program"};
  return names.at(std::size_t(state));
}

SuiteResult runSuite(const Suite& suite, const std::filesystem::path& folder,
                     const std::vector<Backend*>& backends, bool again, const std::string& commandLine,
                     const Progress& progress, const std::function<void(const SuiteRow&)>& seen,
                     const Shard& shard) {
  SuiteRun run(folder, backends, commandLine, shard);
  run.claim(suite);
  const std::vector<SuiteCase> cases = splitCases(suite);
  SuiteResult result;
  for (std::size_t i = 0; i < cases.size(); ++i) result.cases += shard.owns(i);
  try {
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (!shard.owns(i)) continue;
      const double n = double(cases.size());
      progress.report(double(i) / n, cases[i].name());
      result.rows.push_back(run.run(i, cases[i], again, progress.part(double(i) / n, double(i + 1) / n)));
      if (seen) seen(result.rows.back());
    }
  } catch (const Cancelled&) {
    result.cancelled = true;
  }
  result.claims = run.write(suite, cases);
  return result;
}

}  // namespace spokelab
