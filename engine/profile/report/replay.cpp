#include "engine/profile/report/replay.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/nufft/tune/candidate_json.h"
#include "engine/nufft/tune/sweep/candidate_path.h"
#include "engine/nufft/tune/timing.h"
#include "engine/profile/results/provenance.h"
#include "engine/profile/results/reading_json.h"
#include "engine/profile/results/record_file.h"
#include "engine/recon/explore/sweep_paths.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/run/run_job.h"
#include "engine/recon/run/scan_problem.h"
#include "engine/recon/run/tune_scan.h"
#include "engine/recon/sense/backend.h"
#include "engine/scan/formats/images/read_image.h"
#include "engine/scan/simulate/simulate_options.h"

namespace spokelab {
namespace {

using nlohmann::json;

// Relative l2 of the image: the accuracy asked for, within these bounds.
constexpr double minImageTolerance = 1e-6, maxImageTolerance = 1e-4;
// Rounding grows from iteration to iteration.
constexpr double maxIteratedImageDifference = 1e-3;
constexpr double reconstructionShare = 0.4;  // of the progress bar

ReconOptions optionsOf(const json& values) {
  ReconOptions options;
  for (const auto& [name, value] : values.items()) setOption(options, name, value.get<std::string>());
  return options;
}

// A report's plan on a backend here, without what belongs to an implementation.
Candidate planFor(const Backend& backend, Candidate plan, const ReconOptions& options) {
  plan.options.threads = options.nufft.threads;
  plan.options.reproducible = options.nufft.reproducible;
  if (plan.backend == backend.name()) return plan;
  plan.backend = backend.name();
  plan.options.spread = plan.options.interpolate = Method::automatic;
  plan.options.bins = {0, 0, 0};
  plan.options.maxSubproblem = 0;
  return plan;
}

// "alpha 1.5, W 4"; "toeplitz, alpha_T 2.11".
std::string placeOf(const Candidate& c) {
  const CandidatePath path = pathOf(c);
  if (path.isGrid()) return "alpha " + numberText(c.options.alpha) + ", W " + numberText(c.options.width);
  return path.name + (path.alpha > 0 ? ", alpha_T " + numberText(path.alpha) : std::string());
}

Backend& backendLike(const std::vector<Backend*>& backends, const std::string& name) {
  Backend* backend = backendNamed(backends, name);
  return backend ? *backend : *backends.front();
}

void compareImage(const Replay& replay, const Image& now, std::vector<ReplayRow>& rows,
                  const Progress& progress) {
  const std::filesystem::path file = replay.file.parent_path() / "image.nii.gz";
  std::error_code failed;
  if (!std::filesystem::exists(file, failed)) {
    rows.push_back(shownRow("image", "image.nii.gz is not beside the report", "not compared"));
    return;
  }
  const Image then = readImage(file, progress);
  double difference = INFINITY, norm = 0;
  if (then.data.size() == now.data.size()) {
    difference = 0;
    for (std::size_t i = 0; i < now.data.size(); ++i) {
      difference += std::norm(cdouble(now.data[i]) - cdouble(then.data[i]));
      norm += std::norm(cdouble(then.data[i]));
    }
    difference = norm > 0 ? std::sqrt(difference / norm) : std::sqrt(difference);
  }
  const bool iterated = replay.options.iterative.method != ReconMethod::gridding;
  const double tolerance =
      iterated ? maxIteratedImageDifference
               : std::clamp(replay.options.nufft.accuracy, minImageTolerance, maxImageTolerance);
  rows.push_back(
      {"image: difference, relative l2", "0", scientificText(difference, 2), true, difference <= tolerance});
}

}  // namespace

Replay readReplay(const std::filesystem::path& reportJson, const Progress& progress) {
  Replay replay;
  replay.file = reportJson;
  readRecord(reportJson, "report", "Cannot repeat " + reportJson.string(),
             "Name the report.json that `report` wrote", progress, [&](const json& j) {
               const json &scan = j.at("scan"), &reconstruction = j.at("reconstruction"),
                          &plan = reconstruction.at("plan"), &sweep = j.at("sweep");
               replay.scan = scan.at("path").get<std::string>();
               if (replay.scan.empty()) replay.scan = scan.at("name").get<std::string>();
               replay.fingerprint = scan.at("fingerprint").get<std::string>();
               readFields(j.at("reading"), replay.reading);
               if (j.contains("simulation"))
                 replay.simulation = j.at("simulation").get<std::map<std::string, std::string>>();
               replay.options = optionsOf(reconstruction.at("options"));
               replay.plan.backend = plan.at("backend").get<std::string>();
               if (!replay.plan.backend.empty()) replay.plan.options = nufftOptionsOfJson(plan.at("options"));
               if (sweep.contains("workload"))
                 replay.workload = workloadOfJson(sweep.at("workload"));
               else  // reports of earlier versions
                 replay.workload.direction = directionFromName(sweep.at("direction").get<std::string>());
               for (const json& candidate : sweep.at("candidates"))
                 replay.sweep.push_back(candidateOfJson(candidate));
               replay.origin = originRows(j.at("provenance"));
             });
  return replay;
}

std::shared_ptr<const Scan> scanOf(const Replay& replay, const std::string& file, const Progress& progress) {
  if (!replay.simulation.empty() && file == replay.scan)
    return simulate(simulateOptions(replay.simulation), progress);
  return readScan(file, replay.reading, progress);
}

Report repeat(const Replay& replay, const std::shared_ptr<const Scan>& scan,
              const std::vector<Backend*>& backends, const Progress& progress) {
  Report report;
  report.scan = scan;
  report.reading = replay.reading;
  report.simulation = replay.simulation;
  report.sweep.workload = replay.workload;
  ReplayComparison comparison;
  comparison.of = replay.file.string();
  std::vector<ReplayRow>& rows = comparison.rows;

  rows = replay.origin;
  rows.push_back({"scan", replay.fingerprint, scan->fingerprint, true,
                  replay.fingerprint.empty() || replay.fingerprint == scan->fingerprint});

  ReconOptions options = replay.options;
  const std::string& asked = replay.plan.backend;
  Backend& backend = backendLike(backends, asked.empty() ? options.backend : asked);
  if (!asked.empty()) rows.push_back(shownRow("backend", asked, backend.name()));
  if (options.backend != "auto") options.backend = backend.name();
  const Candidate plan = planFor(backend, replay.plan, options);
  auto result =
      std::make_shared<Reconstruction>(runJob(backend, *scan, options, asked.empty() ? nullptr : &plan,
                                              nullptr, progress.part(0, reconstructionShare)));
  if (result->cancelled || !result->image) throw Cancelled{};
  compareImage(replay, *result->image, rows, progress);

  const ScanProblem problem = scanProblem(*scan, options);
  TuneRequest request = tuneRequest(problem, options);
  request.workload = replay.workload;
  const Progress sweeping = progress.part(reconstructionShare, 1);
  const auto search = pathSearchRequest(*scan, planJob(*scan, options), request, sweeping);
  for (std::size_t i = 0; i < replay.sweep.size(); ++i) {
    const Candidate& then = replay.sweep[i];
    if (!then.timed()) continue;
    Backend& machine = backendLike(backends, then.backend);
    Candidate now = planFor(machine, then, options);
    const std::string at = " at " + placeOf(then);
    sweeping.report(double(i) / double(replay.sweep.size()), "repeating" + at);
    request.measureError = then.measuredError.has_value();
    now.measuredError.reset();
    now.timings = {};
    if (search && isThroughField(then))
      timePathAgain(machine, *search, now, progress);
    else
      timeCandidate(machine, request, now, progress);
    const bool sameBackend = now.backend == then.backend;
    if (!now.refused.empty()) {
      rows.push_back({"plan" + at, "ran", "refused: " + now.refused, true, false});
    } else {
      rows.push_back(judgedRow("predicted error" + at, then.predictedError(), now.predictedError(),
                               maxPredictionDifference * then.predictedError()));
      rows.back().judged = sameBackend;
      if (then.measuredError) {
        rows.push_back(judgedRow("measured error" + at, *then.measuredError, *now.measuredError,
                                 maxMeasurementDifference * *then.measuredError + then.predicted.rounding));
        rows.back().judged = sameBackend;
      }
      rows.push_back(shownRow("time" + at, millisecondsText(then.cost()), millisecondsText(now.cost())));
    }
    report.sweep.candidates.push_back(std::move(now));
  }
  TuneResult& sweep = report.sweep;
  for (std::size_t i = 0; i < sweep.candidates.size(); ++i) {
    const Candidate& c = sweep.candidates[i];
    if (!c.timed() || c.predicted.bound > options.nufft.accuracy) continue;
    if (sweep.best < 0 || c.cost() < sweep.candidates[std::size_t(sweep.best)].cost()) sweep.best = int(i);
  }
  sweep.reason = "The candidates of " + comparison.of + ", timed again";
  report.result = std::move(result);
  report.replay = std::move(comparison);
  return report;
}

}  // namespace spokelab
