// The tuner's default choice for eight workloads beside the best of an exhaustive search, both
// timed again in turns as whole jobs (workload_run.h), on the CPU and, with --module, on the GPU.
//
//   bench_workloads [--module FILE] [--backend cpu|cuda] [--workloads TEXT] [--limit SECONDS]
//                   [--threads N] [--minutes M] [--json FILE]
//
// Single precision, 1e-3; two rows in double precision at 1e-9 and 1e-11, at which each workload is
// planned besides. All defaults are planned before the first exhaustive search, as by a program
// that has just begun: what a cost model learns from hundreds of timings would otherwise help them.
// An exhaustive search that its limit cut is followed by one of the details of its best (a quarter
// of the limit). Its fastest three take part in the turns, the fastest of which counts.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "engine/core/error.h"
#include "engine/nufft/tune/candidate_json.h"
#include "engine/nufft/tune/candidates.h"
#include "engine/nufft/tune/wisdom.h"
#include "engine/recon/run/tune_scan.h"
#include "engine/recon/sense/backend_cpu.h"
#include "tests/bench/bench_program.h"
#include "tests/bench/gpu_module.h"
#include "tests/bench/workload_cases.h"
#include "tests/bench/workload_run.h"

using namespace spokelab;
using namespace spokelab::bench;
using nlohmann::json;

namespace {

constexpr std::size_t finalists = 3;
constexpr int fewestTurns = 5, mostTurns = 25;
constexpr double secondsInTurns = 1.5, mostSecondsInTurns = 6;
constexpr double detailsShare = 0.25;

struct Arguments : CaseArguments {
  std::string module, backend;
  double limit = 8;
};

struct Row {
  Backend* backend = nullptr;
  std::unique_ptr<WorkloadJob> job;
  bool compared = true;  // otherwise only planned
  TuneResult chosen;
  double planningSeconds = 0, wisdomSeconds = 0;

  std::string name() const {
    char text[96];
    std::snprintf(text, sizeof text, "%s, %s, %s %.0e", backend->name().c_str(), job->name.c_str(),
                  job->options.precision == Precision::single ? "float" : "double",
                  job->options.nufft.accuracy);
    return text;
  }
};

const Candidate& bestOf(const TuneResult& result) {
  if (result.best < 0) throw Error("The bench cannot run", "no plan could run", "");
  return result.candidates[std::size_t(result.best)];
}

TuneResult search(const Row& row, const TuneRequest& request, Wisdom* wisdom) {
  if (row.job->scan)
    return tuneScan({row.backend}, *row.job->scan, planJob(*row.job->scan, row.job->options), request, wisdom,
                    {});
  NufftBackend* const backends[] = {row.backend};
  return tune(backends, request, wisdom, {});
}

void planByDefault(Row& row) {
  Wisdom wisdom{{}};
  double start = now();
  row.chosen = search(row, row.job->request, &wisdom);
  row.planningSeconds = now() - start;
  start = now();
  search(row, row.job->request, &wisdom);
  row.wisdomSeconds = now() - start;
  std::printf("%-48s %s: planned in %.3f s, again in %.5f s: %s\n", row.name().c_str(),
              workloadText(row.job->request.workload).c_str(), row.planningSeconds, row.wisdomSeconds,
              describe(bestOf(row.chosen)).c_str());
  std::fflush(stdout);
}

bool isSame(const Candidate& a, const Candidate& b) {
  return a.options == b.options && a.path == b.path;
}

// The fastest of an exhaustive search, none twice.
std::vector<Candidate> exhaustive(const Row& row, double limit, double& seconds, std::size_t& count,
                                  bool& complete) {
  TuneRequest request = row.job->request;
  request.effort = TuneEffort::exhaustive;
  request.timeLimit = limit * (1 - detailsShare);
  TuneResult whole = search(row, request, nullptr);
  std::vector<Candidate> all = whole.candidates;
  seconds = whole.seconds;
  complete = whole.seconds < request.timeLimit;
  if (!complete && !row.job->scan) {
    const NufftOptions best = bestOf(whole).options;
    request.options.alpha = best.alpha;
    request.options.width = best.width;
    request.options.kernel = best.kernel;
    request.options.spread = best.spread;
    request.options.interpolate = best.interpolate;
    request.timeLimit = limit * detailsShare;
    const TuneResult details = search(row, request, nullptr);
    all.insert(all.end(), details.candidates.begin(), details.candidates.end());
    seconds += details.seconds;
  }
  count = all.size();
  std::erase_if(all, [](const Candidate& c) { return !c.timed(); });
  std::stable_sort(all.begin(), all.end(),
                   [](const Candidate& a, const Candidate& b) { return a.cost() < b.cost(); });
  std::vector<Candidate> fastest;
  for (const Candidate& c : all) {
    const auto same = [&](const Candidate& known) { return isSame(known, c); };
    if (fastest.size() < finalists && std::none_of(fastest.begin(), fastest.end(), same))
      fastest.push_back(c);
  }
  return fastest;
}

json planJson(const Candidate& c, const std::vector<JobSeconds>& runs) {
  std::vector<double> whole, plan, points, execution;
  for (const JobSeconds& run : runs) {
    whole.push_back(run.whole);
    plan.push_back(run.parts.plan);
    points.push_back(run.parts.points);
    execution.push_back(run.parts.execution);
  }
  return {{"plan", describe(c)},
          {"options", nufftOptionsToJson(c.options)},
          {"job_seconds", middle(whole)},
          {"job_spread", quartileSpread(whole)},
          {"plan_seconds", middle(plan)},
          {"set_points_seconds", middle(points)},
          {"execution_seconds", middle(execution)},
          {"tuner_seconds_an_execution", c.cost()},
          {"repeats", runs.size()}};
}

json rowJson(const Row& row) {
  return {{"case", row.name()},
          {"workload", workloadText(row.job->request.workload)},
          {"points", row.job->problem.points.size() / std::size_t(row.job->problem.problem.dims)},
          {"batch", row.job->problem.problem.batch},
          {"default_plan", describe(bestOf(row.chosen))},
          {"default_candidates", row.chosen.candidates.size()},
          {"default_timed", std::ranges::count_if(row.chosen.candidates, &Candidate::timed)},
          {"default_planning_seconds", row.planningSeconds},
          {"planning_seconds_with_wisdom", row.wisdomSeconds}};
}

json compare(const Row& row, double limit) {
  double searched = 0;
  std::size_t candidates = 0;
  bool complete = false;
  std::vector<Candidate> plans = exhaustive(row, limit, searched, candidates, complete);
  const Candidate& chosen = bestOf(row.chosen);
  plans.insert(plans.begin(), chosen);
  std::vector<std::vector<JobSeconds>> runs(plans.size());
  const double start = now();
  for (int turn = 0; turn < mostTurns; ++turn) {
    const double spent = now() - start;
    if (spent > mostSecondsInTurns || (turn >= fewestTurns && spent > secondsInTurns)) break;
    for (std::size_t i = 0; i < plans.size(); ++i)
      runs[i].push_back(runJob(*row.backend, *row.job, plans[i]));
  }
  json result = rowJson(row);
  result["default"] = planJson(chosen, runs[0]);
  json best;
  for (std::size_t i = 1; i < plans.size(); ++i) {
    json one = planJson(plans[i], runs[i]);
    if (isSame(plans[i], chosen))
      one = result["default"];  // the same plan: its difference would be the clock's
    if (best.is_null() || one["job_seconds"].get<double>() < best["job_seconds"].get<double>()) best = one;
  }
  const double ratio = result["default"]["job_seconds"].get<double>() / best["job_seconds"].get<double>();
  result["exhaustive"] = best;
  result["ratio"] = ratio;
  result["exhaustive_candidates"] = candidates;
  result["exhaustive_planning_seconds"] = searched;
  result["exhaustive_complete"] = complete;
  std::printf("%-48s default %9.3f ms | exhaustive %s %9.3f ms, %zu candidates in %.1f s%s | ratio %.3f\n",
              row.name().c_str(), result["default"]["job_seconds"].get<double>() * 1e3,
              best["plan"].get<std::string>().c_str(), best["job_seconds"].get<double>() * 1e3, candidates,
              searched, complete ? "" : ", cut", ratio);
  std::fflush(stdout);
  return result;
}

struct Accuracy {
  Precision precision;
  double value;
  const char* compared;  // the one workload that is compared; null: all are
};
constexpr Accuracy accuracies[] = {{Precision::single, 1e-3, nullptr},
                                   {Precision::double64, 1e-9, "gridding, one frame"},
                                   {Precision::double64, 1e-11, "pcSENSE"}};

// Every workload on every backend at every accuracy, planned by default.
std::vector<Row> planRows(const std::vector<std::unique_ptr<Backend>>& backends, const Arguments& arguments,
                          json& notRun) {
  std::vector<Row> rows;
  for (const WorkloadCase& c : workloadCases()) {
    if (!arguments.wants(c.name)) continue;
    const auto scan = simulate(c.scan, {});
    for (const auto& backend : backends)
      for (const Accuracy& accuracy : accuracies) {
        Row row;
        row.backend = backend.get();
        row.job = workloadJob(c, scan, *backend, accuracy.precision, accuracy.value, arguments.threads);
        row.compared = !accuracy.compared || c.name == accuracy.compared;
        try {
          planByDefault(row);
          rows.push_back(std::move(row));
        } catch (const Error& e) {
          notRun.push_back(row.name() + ": " + e.reason());
        }
      }
  }
  return rows;
}

class Report {
 public:
  Report(const Arguments& arguments, const std::vector<std::unique_ptr<Backend>>& backends)
      : file_(arguments.json) {
    report_ = machineReport();
    report_.update({{"commit", versionCommit()},
                    {"threads", arguments.threads},
                    {"limit_seconds", arguments.limit},
                    {"rows", json::array()},
                    {"planned_only", json::array()},
                    {"not_run", json::array()}});
    for (const auto& backend : backends)
      report_["backends"][backend->name()] = {{"device", backend->badge()},
                                              {"software", backend->fingerprint()}};
  }

  json& notRun() { return report_["not_run"]; }
  double elapsed() const { return now() - start_; }

  void planned(const Row& row) {
    planning_ = std::max(planning_, row.planningSeconds);
    withWisdom_ = std::max(withWisdom_, row.wisdomSeconds);
    if (!row.compared) report_["planned_only"].push_back(rowJson(row));
  }
  void add(const std::string& backend, const json& row) {
    const auto name = row["case"].get<std::string>();
    const double ratio = row["ratio"].get<double>();
    all_.add(name, ratio);
    ratios_[backend].add(name, ratio);
    report_["rows"].push_back(row);
    keep();
  }
  // After each row: a run that is cut off keeps what it has.
  void keep() {
    json& summary = report_["summary"];
    if (all_.count() > 0) summary["default_over_exhaustive"] = all_.json();
    for (const auto& [backend, ratios] : ratios_) summary[backend] = ratios.json();
    summary["longest_planning_seconds"] = planning_;
    summary["longest_planning_seconds_with_wisdom"] = withWisdom_;
    report_["bench_seconds"] = elapsed();
    save(file_, report_);
  }
  std::string summary() const { return report_["summary"].dump(1); }

 private:
  std::string file_;
  json report_;
  double start_ = now(), planning_ = 0, withWisdom_ = 0;
  Ratios all_;
  std::map<std::string, Ratios> ratios_;
};

void run(const Arguments& arguments) {
  std::vector<std::unique_ptr<Backend>> backends;
  if (arguments.backend != "cuda") backends.push_back(makeCpuBackend());
  if (!arguments.module.empty() && arguments.backend != "cpu")
    backends.push_back(loadCudaModule(arguments.module));
  Report report(arguments, backends);
  const std::vector<Row> rows = planRows(backends, arguments, report.notRun());
  for (const Row& row : rows) report.planned(row);
  report.keep();
  for (const Row& row : rows) {
    if (!row.compared) continue;
    if (arguments.late(report.elapsed()))
      report.notRun().push_back(row.name());
    else
      report.add(row.backend->name(), compare(row, arguments.limit));
  }
  report.keep();
  std::cout << report.summary() << "\n";
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  return benchMain(
      argc, argv, "The tuner's default for eight workloads against an exhaustive search",
      [&](CLI::App& app) {
        app.add_option("--workloads", arguments.filter, "Only workloads whose name holds this");
        app.add_option("--module", arguments.module, "The CUDA module; without it, the CPU alone");
        app.add_option("--backend", arguments.backend, "Only this one")
            ->check(CLI::IsMember({"cpu", "cuda"}));
        app.add_option("--limit", arguments.limit, "Seconds of an exhaustive search")->capture_default_str();
        app.add_option("--threads", arguments.threads, "CPU threads; 0: all")->check(CLI::NonNegativeNumber);
        app.add_option("--minutes", arguments.minutes, "After which no row is begun; 0: all are");
        addJson(app, arguments.json);
      },
      [&] {
        arguments.threads = arguments.threadCount();
        run(arguments);
      });
}
