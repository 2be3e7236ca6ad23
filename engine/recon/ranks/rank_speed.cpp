#include "engine/recon/ranks/rank_speed.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "engine/core/array.h"
#include "engine/core/document.h"
#include "engine/core/measure/rank_test.h"
#include "engine/core/stage_timer.h"
#include "engine/recon/ranks/rank_messages.h"

namespace spokelab {
namespace {

using nlohmann::json;

constexpr double minRatio = 1.25;  // of speeds that count as unequal

json messageOf(const std::string& text) {
  return parseDocument(text, "The ranks do not understand each other", "Start the same program on all");
}

// Rank 0's text, on all.
json agreed(Ranks& ranks, std::string text, const Progress& progress) {
  broadcastText(ranks, text, progress);
  return messageOf(text);
}

// Seconds of one adjoint: the median of those that a tenth of a second has room for.
double measuredSeconds(NufftBackend& backend, int threads, const Progress& progress) {
  constexpr std::int64_t side = 128, points = 4 * side * side;
  constexpr double minSeconds = 0.1;
  constexpr std::size_t minRuns = 3;
  const NufftProblem problem{.dims = 2, .size = {side, side, 1}};
  NufftOptions options;
  options.alpha = 1.5;
  options.width = 5;
  options.threads = threads;
  const auto plan = backend.plan<float>(problem, options);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> place(-0.5, 0.5);
  std::vector<double> places(std::size_t(2 * points));
  for (double& k : places) k = place(random);
  plan->setPoints(places);
  const Buffer<cfloat> samples(std::size_t(points), cfloat(1, 0));
  Buffer<cfloat> image(std::size_t(problem.pixels()));
  plan->adjoint(samples.data(), image.data());
  std::vector<double> seconds;
  for (const double begun = now(); seconds.size() < minRuns || now() - begun < minSeconds;) {
    progress.checkpoint();
    const double start = now();
    plan->adjoint(samples.data(), image.data());
    seconds.push_back(now() - start);
  }
  return quantileOf(seconds, 0.5);
}

}  // namespace

std::vector<double> rankSpeeds(Ranks& ranks, NufftBackend& backend, int threads, const Progress& progress) {
  std::vector<double> speeds(std::size_t(ranks.size()), 1);
  const std::vector<std::string> kinds = gatherTexts(ranks, backend.fingerprint(), progress);
  const std::set<std::string> different(kinds.begin(), kinds.end());
  if (!agreed(ranks, different.size() > 1 ? "true" : "false", progress).get<bool>()) return speeds;
  const json own = measuredSeconds(backend, threads, progress);
  const std::vector<std::string> texts = gatherTexts(ranks, own.dump(), progress);
  std::map<std::string, std::vector<double>> ofKind;
  for (std::size_t r = 0; r < texts.size(); ++r)
    ofKind[kinds[r]].push_back(1 / messageOf(texts[r]).get<double>());
  for (std::size_t r = 0; r < texts.size(); ++r) speeds[r] = quantileOf(ofKind[kinds[r]], 0.5);
  const auto [slowest, fastest] = std::minmax_element(speeds.begin(), speeds.end());
  const double top = *fastest;
  if (top < minRatio * *slowest)
    std::fill(speeds.begin(), speeds.end(), 1);
  else
    for (double& speed : speeds) speed /= top;
  return agreed(ranks, json(speeds).dump(), progress).get<std::vector<double>>();
}

}  // namespace spokelab
