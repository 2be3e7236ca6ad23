#include "engine/profile/study/study.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"
#include "engine/profile/study/cufinufft/cufinufft_studies.h"
#include "engine/profile/study/gnufftw/gnufftw_studies.h"
#include "engine/profile/study/multicore/multicore_studies.h"
#include "engine/profile/study/nfft_jl/nfft_jl_studies.h"
#include "engine/profile/study/study_definition.h"
#include "engine/profile/study/study_points.h"

namespace spokelab {
namespace {

constexpr int minSize = 8, maxThreads = 1024;

const std::vector<StudyDefinition>& definitions() {
  static const std::vector<StudyDefinition> list = [] {
    std::vector<StudyDefinition> all;
    for (const auto& paper : {nfftJlStudies(), multicoreStudies(), gnufftwStudies(), cufinufftStudies()})
      all.insert(all.end(), paper.begin(), paper.end());
    return all;
  }();
  return list;
}

const StudyDefinition& definitionOf(const std::string& name) {
  std::string known;
  for (const StudyDefinition& d : definitions()) {
    if (d.info.name == name) return d;
    known += (known.empty() ? "" : ", ") + d.info.name;
  }
  throw Error("Unknown study \"" + name + "\"", "the studies are " + known, "Name one of these");
}

std::vector<int> threadCounts() {
  std::vector<int> counts;
  for (int t = 1; t < hardwareThreads(); t *= 2) counts.push_back(t);
  counts.push_back(hardwareThreads());
  return counts;
}

template <class T>
void fillIn(std::vector<T>& values, const std::vector<T>& paper) {
  if (values.empty()) values = paper;
}

// Throws Error for a part of the request that the study does not use.
void refuseUnused(const StudyRequest& request, const StudyDefinition& definition) {
  const StudyUses& uses = definition.uses;
  const struct {
    const char* name;
    bool isUsed, isAsked;
  } parts[] = {{"accelerations", uses.accelerations, !request.accelerations.empty()},
               {"accuracies", uses.accuracies, !request.accuracies.empty()},
               {"patterns", uses.patterns, !request.patterns.empty()},
               {"alpha", uses.alphas, !request.alphas.empty()},
               {"threads", uses.threads, !request.threads.empty()},
               {"ranks", uses.ranks, !request.ranks.empty()},
               {"devices", uses.ranks, !request.devices.empty()},
               {"crowded-sums", uses.crowdedSums, request.crowdedSums.has_value()},
               {"trials", uses.trials, request.trials > 0}};
  std::string used = "sizes";
  for (const auto& part : parts)
    if (part.isUsed) used += std::string(", ") + part.name;
  const std::string what = "Cannot run the study \"" + request.study + "\" with ";
  for (const auto& part : parts)
    if (part.isAsked && !part.isUsed)
      throw Error(what + part.name, "it uses " + used + " alone", "Leave " + std::string(part.name) + " out");
  if (request.alphas.size() > 1 && !uses.severalAlphas)
    throw Error(what + countText(std::int64_t(request.alphas.size()), "oversampling ratio"),
                "it does not compare ratios", "Name one, or run the study once for each");
}

StudyRequest settled(const StudyRequest& asked, const StudyDefinition& definition) {
  refuseUnused(asked, definition);
  StudyRequest request = asked;
  fillIn(request.sizes, definition.paper.sizes);
  fillIn(request.accelerations, definition.paper.accelerations);
  fillIn(request.accuracies, definition.paper.accuracies);
  fillIn(request.alphas, definition.paper.alphas);
  if (!request.crowdedSums) request.crowdedSums = definition.paper.crowdedSums;
  fillIn(request.threads, definition.paper.threads);
  if (definition.uses.threads) fillIn(request.threads, threadCounts());
  if (request.patterns.empty()) {
    const auto known = studyPatterns();
    for (const std::string& pattern : definition.paper.patterns)
      if (std::find(known.begin(), known.end(), pattern) != known.end()) request.patterns.push_back(pattern);
  }
  for (const int size : request.sizes)
    if (size < minSize || size > definition.maxSize)
      throw Error("Cannot run the study with size " + std::to_string(size),
                  "sizes go from " + std::to_string(minSize) + " to " + std::to_string(definition.maxSize),
                  "Choose sizes in this range");
  for (const double r : request.accelerations)
    if (!(r >= 1.0 / 16 && r <= 1024))
      throw Error("Cannot run the study with acceleration " + numberText(r),
                  "accelerations go from 1/16 to 1024", "Choose accelerations in this range");
  for (const double alpha : request.alphas)
    if (!(alpha > 1 && alpha <= maxAlpha))
      throw Error("Cannot run the study with the oversampling ratio " + numberText(alpha),
                  "ratios are more than 1, up to " + numberText(maxAlpha), "Choose ratios in this range");
  for (const int ranks : request.ranks)
    if (ranks < 1 || ranks > maxThreads)
      throw Error("Cannot run the study on " + std::to_string(ranks) + " ranks",
                  "ranks go from 1 to " + std::to_string(maxThreads), "Choose numbers in this range");
  for (const int threads : request.threads)
    if (threads < 1 || threads > maxThreads)
      throw Error("Cannot run the study on " + std::to_string(threads) + " threads",
                  "threads go from 1 to " + std::to_string(maxThreads), "Choose numbers in this range");
  return request;
}

}  // namespace

const std::vector<StudyInfo>& studies() {
  static const std::vector<StudyInfo> infos = [] {
    std::vector<StudyInfo> list;
    for (const StudyDefinition& d : definitions()) {
      list.push_back(d.info);
      list.back().uses = d.uses;
    }
    return list;
  }();
  return infos;
}

StudyRequest usedPart(StudyRequest request) {
  const StudyUses& uses = definitionOf(request.study).uses;
  if (!uses.accelerations) request.accelerations.clear();
  if (!uses.accuracies) request.accuracies.clear();
  if (!uses.patterns) request.patterns.clear();
  if (!uses.alphas) request.alphas.clear();
  if (!uses.threads) request.threads.clear();
  if (!uses.ranks) request.ranks.clear();
  if (!uses.crowdedSums) request.crowdedSums.reset();
  if (!uses.trials) request.trials = 0;
  return request;
}

StudyRequest studyDefaults(const std::string& name) {
  StudyRequest request;
  request.study = name;
  return settled(request, definitionOf(name));
}

StudyResult runStudy(std::span<NufftBackend* const> backends, const StudyRequest& asked,
                     const Progress& progress, const StudySeen& seen, const Shard& shard, Ranks* ranks) {
  const StudyDefinition& definition = definitionOf(asked.study);
  StudyResult result;
  result.request = settled(asked, definition);
  result.title = definition.info.title;
  result.source = definition.info.source;
  result.axes = definition.axes;
  const bool whole = definition.info.whole;
  const LoadWatch watch;
  StudyRun run(backends, result, whole ? Shard{} : shard, progress, seen, ranks);
  try {
    if (!whole || shard.index == 1) definition.run(run);
  } catch (const Cancelled&) {
    result.cancelled = true;
  }
  result.load = watch.load();
  if (whole) {
    result.cases = 1;
    result.places.assign(result.rows.size(), 1);
  }
  return result;
}

}  // namespace spokelab
