// A plug-in that computes in this process only what a child process has come through first.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "engine/nufft/plugin/plugin_nufft.h"
#include "engine/nufft/tune/plugins/trial.h"

namespace spokelab {

class TriedPlugin {
 public:
  explicit TriedPlugin(PluginInfo info) : info_(std::move(info)) {}
  const PluginInfo& info() const { return info_; }

  // The trial of a request, made once. Throws Error with the reason where the plug-in is refused.
  PluginTrial tryOut(const TuneRequest& request, double alpha, const Progress& progress);

  // Makes a plan in this process, which asks the plug-in for what trials have shown to be needed for the accuracy. Where no trial has succeeded yet in this many dimensions and this
  // precision, a small problem is tried first. Throws Error.
  template <class Real>
  std::unique_ptr<Nufft<Real>> plan(const NufftProblem& problem, const NufftOptions& options);

 private:
  std::shared_ptr<const PluginCode> code();
  void requireTrust(const NufftProblem& problem, const NufftOptions& options);

  struct Outcome {
    PluginTrial trial;
    std::string refused;
  };
  PluginInfo info_;
  std::mutex mutex_;
  std::shared_ptr<const PluginCode> code_;  // null: not loaded yet
  std::map<std::string, Outcome> outcomes_;
  std::set<std::pair<int, Precision>> trusted_;
  // By dimensions, precision and accuracy.
  std::map<std::tuple<int, Precision, double>, double> neededAccuracy_;
};

// A backend that is a plug-in.
class PluginOwner {
 public:
  virtual ~PluginOwner() = default;
  virtual TriedPlugin& plugin() = 0;
};

// Before a candidate is timed: nothing for ours; a plug-in's is tried on the request, and its accuracy
// and error filled in. abandonAbove: as in TimingPolicy. Throws Error where it is refused.
void admitPlugin(NufftBackend& backend, const TuneRequest& request, double abandonAbove, Candidate& candidate,
                 const Progress& progress);

// The candidates of the plug-ins among the backends: one for each oversampling ratio that a plug-in
// names. None where the request fixes what only plans of ours have, or has to be reproducible.
std::vector<Candidate> pluginCandidates(std::span<NufftBackend* const> backends, const TuneRequest& request);

}  // namespace spokelab
