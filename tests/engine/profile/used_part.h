// Requests of studies for tests that run many with one request.
#pragma once

#include "engine/profile/study/study.h"

namespace spokelab::test {

// Without the parts that the study does not use, which it would refuse.
inline StudyRequest usedPart(StudyRequest request) {
  StudyUses uses;
  for (const StudyInfo& info : studies())
    if (info.name == request.study) uses = info.uses;
  if (!uses.accelerations) request.accelerations.clear();
  if (!uses.accuracies) request.accuracies.clear();
  if (!uses.patterns) request.patterns.clear();
  if (!uses.alphas) request.alphas.clear();
  if (!uses.threads) request.threads.clear();
  if (!uses.crowdedSums) request.crowdedSums.reset();
  if (!uses.ranks) request.ranks.clear();
  if (!uses.trials) request.trials = 0;
  return request;
}

}  // namespace spokelab::test
