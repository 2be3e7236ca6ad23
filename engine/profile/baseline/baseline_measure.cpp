#include "engine/profile/baseline/baseline_measure.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "engine/core/error.h"
#include "engine/core/stage_timer.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"
#include "engine/nufft/tune/candidates.h"
#include "engine/nufft/tune/sweep/candidate_path.h"
#include "engine/nufft/tune/timing.h"
#include "engine/profile/results/provenance.h"
#include "engine/profile/results/results.h"
#include "engine/recon/run/scan_problem.h"
#include "engine/recon/run/tune_scan.h"
#include "engine/recon/sense/backend.h"
#include "engine/recon/sense/paths/path_timing.h"

namespace spokelab {
namespace {

constexpr int minRounds = 4;
constexpr unsigned orderSeed = 11;
// Share of the progress bar that is left for what follows the last round.
constexpr double finishShare = 1e-3;

// Work that is the same in every version: memory copied and multiplied on all threads. Seconds.
class Control {
 public:
  Control() : from_(count, 1.0f), to_(count, 0.0f) {}
  double time() {
    const double start = now();
    parallelFor(std::int64_t(count), 0, grain, [this](std::int64_t begin, std::int64_t end) {
      for (int pass = 0; pass < passes; ++pass)
        for (std::int64_t i = begin; i < end; ++i) {
          const float v = from_[std::size_t(i)];
          to_[std::size_t(i)] = v * 0.5f + to_[std::size_t(i)] * 0.25f;
        }
    });
    return now() - start;
  }

 private:
  static constexpr std::size_t count = std::size_t{1} << 22;  // 16 MiB each
  static constexpr std::int64_t grain = std::int64_t{1} << 16;
  static constexpr int passes = 4;
  std::vector<float> from_, to_;
};

std::string firstLine(const char* file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

std::string load() {
  const std::string text = firstLine("/proc/loadavg");
  return text.substr(0, text.find(' '));
}

std::string clock() {
  double fastest = 0;
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.rfind("cpu MHz", 0) == 0)
      fastest = std::max(fastest, leadingNumber(line.substr(line.find(':') + 1)));
  return fastest > 0 ? std::to_string(int(fastest)) + " MHz" : "unknown";
}

std::map<std::string, std::string> originOf(const std::string& commandLine,
                                            const std::vector<Backend*>& backends) {
  const nlohmann::json document = provenance(commandLine);
  const nlohmann::json& machine = document.at("machine");
  std::map<std::string, std::string> origin;
  for (const char* key : {"version", "commit", "compiler", "time", "commandLine"})
    origin[key] = document.at(key).get<std::string>();
  for (const char* key : {"host", "cpu", "architecture", "system", "kernel", "plans"})
    origin[key] = machine.at(key).get<std::string>();
  origin["threads"] = std::to_string(machine.at("threads").get<int>());
  for (const Backend* backend : backends) origin["device " + backend->name()] = backend->badge();
  const std::string governor = firstLine("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  origin["governor"] = governor.empty() ? "unknown" : governor;
  return origin;
}

void mix(std::uint64_t& hash, const void* bytes, std::size_t count) {  // FNV-1a, eight bytes at a time
  constexpr std::uint64_t prime = 1099511628211u;
  const auto* p = static_cast<const unsigned char*>(bytes);
  for (std::size_t i = 0; i < count; i += sizeof hash) {
    std::uint64_t word = 0;
    std::memcpy(&word, p + i, std::min(sizeof word, count - i));
    hash = (hash ^ word) * prime;
    hash ^= hash >> 32;
  }
}

struct Running {
  PlanMeasurement kept;
  Backend* backend;
};

std::string nameOf(const Candidate& plan, const std::vector<PlanMeasurement>& others) {
  const std::string name = describe(plan);
  int same = 1;
  for (const PlanMeasurement& other : others)
    if (other.name == name || other.name.rfind(name + " #", 0) == 0) ++same;
  return same == 1 ? name : name + " #" + std::to_string(same);
}

// Times plans of NUFFTs, and ways through the field of the scan where it has one.
class PlanTimer {
 public:
  PlanTimer(const Scan& scan, const Baseline& baseline, int executions, const Progress& progress)
      : scan_(scan), options_(baseline.options), problem_(scanProblem(scan, options_)), progress_(progress) {
    request_ = tuneRequest(problem_, options_);
    request_.workload.direction = baseline.direction;
    data_.emplace(request_);
    policy_.trials = executions;
  }

  // check: measures the error, too.
  void time(Backend& backend, Candidate& plan, bool check) {
    request_.measureError = check;
    if (!isThroughField(plan)) return timeCandidate(backend, request_, plan, *data_, policy_, progress_);
    if (!field_ && !makeField()) {
      plan.refused = "it is a way through a field, and with these options none acts";
      return;
    }
    const double predicted = plan.predictedNormalError;
    TimingPolicy policy = policy_;
    policy.timesOnly = !check;
    backend.timePath(*field_, plan, policy, progress_);
    plan.predictedNormalError = predicted;
    plan.setPointsSeconds = plan.planSeconds;  // new points take all of it
  }

 private:
  bool makeField() {
    const auto search = pathSearchRequest(scan_, planJob(scan_, options_), request_, progress_);
    if (search)
      field_ = makePathRequest(search->problem, firstExact(search->problem), search->nufft, progress_);
    return field_.has_value();
  }

  const Scan& scan_;
  const ReconOptions& options_;
  ScanProblem problem_;
  TuneRequest request_;
  std::optional<TimingData> data_;
  TimingPolicy policy_;
  std::optional<PathRequest> field_;
  const Progress& progress_;
};

void takeRounds(Baseline& baseline, const Scan& scan, std::vector<Running> running,
                const BaselineSettings& settings, const Progress& progress) {
  if (settings.rounds < minRounds || settings.executions < 1)
    throw Error("Cannot take a baseline with " + std::to_string(settings.rounds) + " rounds",
                "a test needs at least " + std::to_string(minRounds) + " and one execution in each",
                "Use the defaults, or larger numbers for --rounds and --executions");
  PlanTimer timer(scan, baseline, settings.executions, progress);
  Control control;
  std::mt19937 random(orderSeed);
  const double steps = double(running.size()) * (settings.rounds + 1);
  double done = 0;
  for (int round = 0; round <= settings.rounds; ++round) {
    std::shuffle(running.begin(), running.end(), random);
    for (Running& r : running) {
      progress.report(
          (1 - finishShare) * done++ / steps,
          (round == 0 ? std::string("warming up: ")
                      : "round " + std::to_string(round) + " of " + std::to_string(settings.rounds) + ": ") +
              describe(r.kept.plan));
      Candidate& plan = r.kept.plan;
      if (!plan.refused.empty()) continue;
      timer.time(*r.backend, plan, round == 0);
      if (round == 0 || !plan.refused.empty()) continue;
      r.kept.seconds.push_back(plan.timings.total);
      r.kept.setUpSeconds.push_back(plan.setPointsSeconds);
      r.kept.transferSeconds.push_back(plan.transferSeconds);
    }
    const double fixed = control.time();
    if (round > 0) baseline.control.push_back(fixed);
  }
  // Restores the order in which the plans were given, which the rounds may have changed.
  std::sort(running.begin(), running.end(), [](const Running& a, const Running& b) {
    return a.kept.plan.predictedSeconds < b.kept.plan.predictedSeconds;
  });
  for (Running& r : running) baseline.cases.push_back(std::move(r.kept));
}

Candidate fresh(Candidate plan, const ReconOptions& options) {
  plan.options.threads = options.nufft.threads;
  plan.options.reproducible = options.nufft.reproducible;
  plan.timings = {};
  plan.measuredError.reset();
  return plan;
}

// Without a single time there is nothing to keep, and nothing to compare with.
void requireTimes(const Baseline& baseline, const std::string& problem) {
  std::string refusal = "none of the plans can run here";
  for (const PlanMeasurement& c : baseline.cases) {
    if (!c.seconds.empty()) return;
    if (!c.plan.refused.empty())
      refusal = "no plan could be timed; of " + describe(c.plan) + ": " + c.plan.refused;
  }
  throw Error(problem, refusal, "Sweep with these options first, or name plans that can run on this machine");
}

// problem: what fails where no plan can be timed.
Baseline measure(const std::string& problem, Baseline baseline, const Scan& scan,
                 const std::vector<PlanMeasurement>& cases, const std::vector<Backend*>& backends,
                 const BaselineSettings& settings, const std::string& commandLine, const Progress& progress) {
  baseline.origin = originOf(commandLine, backends);
  const std::string before = load();
  std::vector<Running> running;
  for (const PlanMeasurement& c : cases)
    if (Backend* backend = backendNamed(backends, c.plan.backend); backend && c.plan.refused.empty()) {
      running.push_back({{c.name, fresh(c.plan, baseline.options), {}, {}, {}}, backend});
      running.back().kept.plan.predictedSeconds = double(running.size());  // its place
    }
  if (running.empty()) requireTimes(baseline, problem);
  baseline.executions = settings.executions;
  takeRounds(baseline, scan, std::move(running), settings, progress);
  baseline.origin["clock"] = clock();
  baseline.origin["load"] = before + " before, " + load() + " after";
  std::vector<PlanMeasurement> named;
  for (PlanMeasurement& c : baseline.cases) {
    c.plan.predictedSeconds = 0;
    if (c.name.empty()) c.name = nameOf(c.plan, named);
    named.push_back(std::move(c));
  }
  baseline.cases = std::move(named);
  requireTimes(baseline, problem);
  progress.report(1, "done");
  return baseline;
}

}  // namespace

std::string transformFingerprint(const Scan& scan, const ReconOptions& options) {
  const ScanProblem problem = scanProblem(scan, options);
  std::uint64_t hash = 14695981039346656037u;
  const NufftProblem& p = problem.problem;
  const std::array<std::int64_t, 6> sizes = {p.dims,    p.size[0], p.size[1],
                                             p.size[2], p.batch,   std::int64_t(p.precision)};
  mix(hash, sizes.data(), sizeof sizes);
  mix(hash, problem.points.data(), problem.points.size() * sizeof(double));
  if (const auto search =
          pathSearchRequest(scan, planJob(scan, options), tuneRequest(problem, options), {})) {
    const GdftProblem exact = firstExact(search->problem);
    mix(hash, exact.field.data(), exact.field.size() * sizeof(exact.field[0]));
    mix(hash, exact.times.data(), exact.times.size() * sizeof(exact.times[0]));
  }
  return hashText(hash);
}

Baseline measureBaseline(const std::string& name, const Scan& scan, const ReadOptions& reading,
                         const ReconOptions& options, Direction direction,
                         const std::vector<Candidate>& plans, const std::vector<Backend*>& backends,
                         const BaselineSettings& settings, const std::string& commandLine,
                         const Progress& progress) {
  Baseline baseline;
  baseline.name = name;
  baseline.scan = scan.path.empty() ? scan.name : scan.path;
  baseline.fingerprint = transformFingerprint(scan, options);
  baseline.reading = reading;
  baseline.options = options;
  baseline.direction = direction;
  std::vector<PlanMeasurement> cases;
  for (const Candidate& plan : plans) cases.push_back({"", plan, {}, {}, {}});
  return measure("Cannot take a baseline", std::move(baseline), scan, cases, backends, settings, commandLine,
                 progress);
}

Baseline measureAgain(const Baseline& before, const Scan& scan, const std::vector<Backend*>& backends,
                      const BaselineSettings& settings, const std::string& commandLine,
                      const Progress& progress) {
  Baseline again = before;
  again.scan = scan.path.empty() ? scan.name : scan.path;
  if (transformFingerprint(scan, before.options) != before.fingerprint)
    throw Error("Cannot compare with " + before.name,
                again.scan + " asks for another transform than " + before.scan + " did",
                "Name the scan that the baseline was taken on, or take a new baseline");
  again.cases.clear();
  again.control.clear();
  return measure("Cannot compare with " + before.name, std::move(again), scan, before.cases, backends,
                 settings, commandLine, progress);
}

}  // namespace spokelab
