// The parts of a study, as the lists of the papers' studies (gnufftw_studies.h ...) give them.
// Internal to the engine.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/profile/study/study_run.h"

namespace spokelab {

// Leave info.uses empty: studies() fills it from `uses`.
struct StudyDefinition {
  StudyInfo info;
  StudyAxes axes;
  std::function<void(StudyRun&)> run;
  StudyRequest paper;  // what it used
  StudyUses uses = {};
  int maxSize = 1024;  // N
};

inline StudyRequest paperRequest(std::vector<int> sizes, std::vector<double> accelerations,
                                 std::vector<double> accuracies, std::vector<std::string> patterns,
                                 std::vector<double> alphas = {2}) {
  StudyRequest request;
  request.sizes = std::move(sizes);
  request.accelerations = std::move(accelerations);
  request.accuracies = std::move(accuracies);
  request.patterns = std::move(patterns);
  request.alphas = std::move(alphas);
  return request;
}

// The words for what was executed (StudyRow::direction).
inline constexpr const char *forwardText = "forward", *adjointText = "adjoint",
                            *bothText = "forward + adjoint";

}  // namespace spokelab
