// Both types of a plug-in's plans at the accuracies that it is asked for.
#pragma once

#include <QtTest>
#include <filesystem>
#include <random>
#include <vector>

#include "engine/nufft/tune/plugins/trial.h"
#include "tests/engine/nufft/plugin/plugin_files.h"

namespace spokelab::test {

inline constexpr double trialSeconds = 60;

// By the tuner's own alpha, and by alpha 2; tryPlugin() throws where an accuracy is not met.
inline void verifyPluginAccuracy(const PluginInfo& info, const NufftProblem& problem, double accuracy) {
  TuneRequest request;
  request.problem = problem;
  request.problem.batch = 3;
  request.options.accuracy = accuracy;
  request.options.threads = 2;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> place(-0.5, 0.5);
  std::vector<double> points(std::size_t(400 * problem.dims));
  for (double& k : points) k = place(random);
  request.points = points;
  for (const double alpha : {0.0, 2.0}) {
    const PluginTrial trial = tryPlugin(info, request, alpha, trialSeconds, {});
    QVERIFY(trial.measuredError <= accuracy && trial.accuracy >= accuracy / 10.01);
  }
}

}  // namespace spokelab::test
