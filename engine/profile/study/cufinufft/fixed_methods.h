// Methods of CPU and GPU at fixed alpha and width, as cufinufft's figures compare them. Inside the
// studies.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/profile/study/study_problem.h"
#include "engine/profile/study/study_run.h"

namespace spokelab {

inline constexpr double nanosecond = 1e-9;  // s: the unit of the charts

struct FixedMethod {
  const char* backend;
  Method method;
};

// GM, GM-sort and SM, then ours.
std::span<const FixedMethod> spreadingList();
std::span<const FixedMethod> interpolationList();
std::vector<std::string> fixedNames(std::span<const FixedMethod> list);

// Times each method of the direction's list on one case; a row for each, without a place in the
// chart. Methods whose backend takes no part have none (addMissingFixed).
void timeMethods(StudyRun& run, const ResamplingCase& c, const NufftOptions& options, bool adjoint,
                 bool measureError, const Progress& progress, const std::function<void(StudyRow)>& seen);
// The same of the plug-ins that take part: other people's NUFFTs, at the accuracy alone, each at
// the oversampling ratios that it names.
void timePlugins(StudyRun& run, const ResamplingCase& c, double accuracy, bool adjoint, bool measureError,
                 const Progress& progress, const std::function<void(StudyRow)>& seen);
void addMissingFixed(StudyRun& run, std::span<const FixedMethod> list);

}  // namespace spokelab
