// A plug-in that runs in this process only after a child process has run it without harm.
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

  // Runs the trial of a request once. Throws Error with the reason where the plug-in is refused.
  PluginTrial tryOut(const TuneRequest& request, double alpha, const Progress& progress);

  // Makes a plan in this process, with the plug-in's accuracy that trials have found sufficient.
  // Tries a small problem first if no trial has succeeded in these dimensions and this precision.
  // Throws Error.
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
  // The accuracy to ask the plug-in for, by dimensions, precision and the accuracy to be met.
  std::map<std::tuple<int, Precision, double>, double> neededAccuracy_;
};

// Tries a plug-in's candidate on the request before it is timed, and fills in its accuracy and
// error; our own backends pass. abandonAbove: as in TimingPolicy. Throws Error where the plug-in is
// refused.
void admitPlugin(NufftBackend& backend, const TuneRequest& request, double abandonAbove, Candidate& candidate,
                 const Progress& progress);

// The candidates of plug-ins, one for each of their oversampling ratios. Empty if the request is
// reproducible, or fixes an option that only our plans have.
std::vector<Candidate> pluginCandidates(std::span<NufftBackend* const> backends, const TuneRequest& request);

}  // namespace spokelab
