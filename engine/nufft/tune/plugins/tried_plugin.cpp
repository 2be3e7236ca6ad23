#include "engine/nufft/tune/plugins/tried_plugin.h"

#include <algorithm>
#include <random>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/nufft/plugin/plugin_probe.h"
#include "engine/nufft/tune/candidate_json.h"

#include <nlohmann/json.hpp>

namespace spokelab {
namespace {

// Size of the trial that plan() makes if no trial has succeeded in these dimensions and precision.
constexpr std::int64_t maxTrialSide = 16;
constexpr std::size_t trialPoints = 128;
constexpr unsigned smallTrialSeed = 5;
// Not timed if the trial took this multiple of a candidate's limit, and longer than a moment.
constexpr double hopelessRatio = 10, momentSeconds = 0.3;

std::string keyOf(const TuneRequest& request, double alpha) {
  const NufftProblem& p = request.problem;
  constexpr std::size_t maxHashed = 1 << 14;
  std::uint64_t hash = 0;
  const std::size_t stride = request.points.size() / maxHashed + 1;
  for (std::size_t j = 0; j < request.points.size(); j += stride)
    hash = hash * 31 + std::hash<double>{}(request.points[j]);
  return nlohmann::json{p.dims,
                        p.size,
                        int(p.precision),
                        p.sign,
                        std::min<std::int64_t>(p.batch, 2),
                        transformAccuracy(pluginOptions(request)),
                        alpha,
                        int(request.workload.direction),
                        request.points.size(),
                        hash}
      .dump();
}

bool fixesOurs(const NufftOptions& o) {
  return o.width != 0 || o.axisAlpha != NufftOptions{}.axisAlpha || o.kernel != KernelType::automatic ||
         o.spread != Method::automatic || o.interpolate != Method::automatic ||
         o.precomputation != Precomputation::automatic || o.scheduler.kind != Scheduler::automatic ||
         o.crowdedSums != CrowdedSums::automatic || o.fftEffort != FftEffort::automatic ||
         isToeplitz(o.normal);
}

}  // namespace

std::shared_ptr<const PluginCode> TriedPlugin::code() {
  if (!code_) {
    if (hashOfFile(info_.file) != info_.contents)
      throw Error("Cannot use the plug-in " + info_.title(), "its file has changed since it was found",
                  "Start the program again");
    code_ = std::make_shared<const PluginCode>(info_.code);
    code_->describe(info_.file);
  }
  return code_;
}

// Holds the lock during the trial: other threads wait for its outcome. A cancel leaves no outcome.
PluginTrial TriedPlugin::tryOut(const TuneRequest& request, double alpha, const Progress& progress) {
  const std::lock_guard lock(mutex_);
  const std::string summary = "Cannot use the plug-in " + info_.title();
  if (!info_.supports(request.problem))
    throw Error(summary, "it does not serve this number of dimensions in this precision",
                "Choose another backend");
  const std::string key = keyOf(request, alpha);
  auto known = outcomes_.find(key);
  if (known == outcomes_.end()) {
    Outcome outcome;
    try {
      outcome.trial = tryPlugin(info_, request, alpha, pluginSeconds(), progress);
      code();  // loaded now, so that a plan's time does not include it
      trusted_.insert({request.problem.dims, request.problem.precision});
      const std::tuple asked{request.problem.dims, request.problem.precision,
                             transformAccuracy(pluginOptions(request))};
      // The tightest accuracy that a trial needed to meet the requested one.
      double& needed = neededAccuracy_.emplace(asked, outcome.trial.accuracy).first->second;
      needed = std::min(needed, outcome.trial.accuracy);
    } catch (const Error& e) {
      outcome.refused = e.reason();
    }
    known = outcomes_.insert({key, outcome}).first;
  }
  if (!known->second.refused.empty()) throw Error(summary, known->second.refused, "Choose another backend");
  return known->second.trial;
}

void TriedPlugin::requireTrust(const NufftProblem& problem, const NufftOptions& options) {
  {
    const std::lock_guard lock(mutex_);
    if (trusted_.contains({problem.dims, problem.precision})) return;
  }
  TuneRequest request;
  request.problem = problem;
  for (std::int64_t& n : request.problem.size) n = std::min(n, maxTrialSide);
  std::mt19937 random(smallTrialSeed);
  std::uniform_real_distribution<double> place(-0.5, 0.5);
  std::vector<double> points(trialPoints * std::size_t(problem.dims));
  for (double& k : points) k = place(random);
  request.points = points;
  request.options.accuracy = transformAccuracy(options);
  request.options.threads = options.threads;
  tryOut(request, info_.offers(options.alpha) ? options.alpha : 0, {});
}

template <class Real>
std::unique_ptr<Nufft<Real>> TriedPlugin::plan(const NufftProblem& problem, const NufftOptions& options) {
  requireTrust(problem, options);
  std::shared_ptr<const PluginCode> code;
  NufftOptions asked = options;
  {
    const std::lock_guard lock(mutex_);
    code = this->code();
    asked.accuracy = transformAccuracy(options);
    const auto needed = neededAccuracy_.find({problem.dims, problem.precision, asked.accuracy});
    if (needed != neededAccuracy_.end()) asked.accuracy = needed->second;
  }
  return makePluginNufft<Real>(code, info_, problem, asked);
}
template std::unique_ptr<Nufft<float>> TriedPlugin::plan(const NufftProblem&, const NufftOptions&);
template std::unique_ptr<Nufft<double>> TriedPlugin::plan(const NufftProblem&, const NufftOptions&);

void admitPlugin(NufftBackend& backend, const TuneRequest& request, double abandonAbove, Candidate& candidate,
                 const Progress& progress) {
  if (!backend.plugin()) return;
  TriedPlugin& plugin = *backend.plugin();
  const double alpha = plugin.info().offers(candidate.options.alpha) ? candidate.options.alpha : 0;
  const PluginTrial trial = plugin.tryOut(request, alpha, progress);
  candidate.options.accuracy = trial.accuracy / transformShare(candidate.options.normal);
  if (request.workload.direction != Direction::normal) candidate.measuredError = trial.measuredError;
  if (abandonAbove > 0 && trial.executionSeconds > std::max(momentSeconds, hopelessRatio * abandonAbove))
    throw Error("Cannot time the plug-in " + plugin.info().title(),
                "it took " + secondsText(trial.executionSeconds) +
                    " in its trial, many times as long as the fastest plan",
                "Choose another backend");
}

std::vector<Candidate> pluginCandidates(std::span<NufftBackend* const> backends, const TuneRequest& request) {
  std::vector<Candidate> candidates;
  if (request.options.reproducible) return candidates;
  for (NufftBackend* backend : backends) {
    const TriedPlugin* const plugin = backend->plugin();
    if (!plugin || fixesOurs(request.options) || !plugin->info().supports(request.problem)) continue;
    std::vector<double> alphas = plugin->info().alphas;
    if (alphas.empty()) alphas = {0};
    for (const double alpha : alphas) {
      if (request.options.alpha != 0 && alpha != request.options.alpha) continue;
      Candidate c;
      c.backend = backend->name();
      c.options = pluginOptions(request);
      c.options.alpha = alpha;
      c.predicted.relativeL2 = c.predicted.bound = transformAccuracy(c.options);
      candidates.push_back(std::move(c));
    }
  }
  return candidates;
}

}  // namespace spokelab
