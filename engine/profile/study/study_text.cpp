#include "engine/profile/study/study_text.h"

#include <algorithm>
#include <type_traits>

#include "engine/core/text.h"

namespace spokelab {
namespace {

template <class T>
std::string listText(const std::vector<T>& values) {
  std::string text;
  for (const T& value : values) {
    text += text.empty() ? "" : ", ";
    if constexpr (std::is_same_v<T, std::string>)
      text += value;
    else
      text += numberText(double(value));
  }
  return text;
}

// "R = 1 (the paper: 1, 4, 16)".
template <class T>
std::string partText(const std::string& name, const std::vector<T>& own, const std::vector<T>& paper) {
  std::string text = name + listText(own);
  if (own != paper && !paper.empty()) text += " (the paper: " + listText(paper) + ")";
  return text;
}

// "5 repeats", "3 to 50 repeats"; empty where nothing was repeated.
std::string repeatsText(const std::vector<StudyRow>& rows) {
  int least = 0, most = 0;
  for (const StudyRow& row : rows) {
    if (row.candidate.repeats <= 0) continue;
    least = least == 0 ? row.candidate.repeats : std::min(least, row.candidate.repeats);
    most = std::max(most, row.candidate.repeats);
  }
  if (most == 0) return {};
  return (least < most ? std::to_string(least) + " to " : std::string()) + countText(most, "repeat");
}

}  // namespace

std::string studyCommand(const StudyRequest& request) {
  const StudyRequest paper = studyDefaults(request.study);
  std::string line = "spokelab study " + request.study;
  const auto add = [&line](const char* option, const auto& own, const auto& papers) {
    if (own.empty() || own == papers) return;
    std::string list;
    for (const auto& value : own) {
      list += list.empty() ? "" : ",";
      if constexpr (std::is_convertible_v<decltype(value), std::string>)
        list += value;
      else
        list += exactNumberText(double(value));
    }
    line += std::string(" --") + option + ' ' + list;
  };
  add("sizes", request.sizes, paper.sizes);
  add("accelerations", request.accelerations, paper.accelerations);
  add("accuracies", request.accuracies, paper.accuracies);
  add("patterns", request.patterns, paper.patterns);
  add("alpha", request.alphas, paper.alphas);
  add("threads", request.threads, paper.threads);
  add("ranks", request.ranks, paper.ranks);
  if (request.crowdedSums && request.crowdedSums != paper.crowdedSums)
    line += " --crowded-sums " + std::string(crowdedSumsName(*request.crowdedSums));
  if (request.trials > 0) line += " --trials " + std::to_string(request.trials);
  return line;
}

std::string thisRunText(const StudyResult& result) {
  const StudyRequest& r = result.request;
  const StudyRequest paper = studyDefaults(r.study);
  std::vector<std::string> parts{partText("N = ", r.sizes, paper.sizes)};
  if (!r.accelerations.empty())
    parts.push_back(partText("R = ", r.accelerations, paper.accelerations));
  else if (!r.patterns.empty() && paper.accelerations.empty())
    for (const StudyInfo& info : studies())
      if (info.name == r.study && info.uses.accelerations)
        parts.emplace_back("R by the size as in the paper");
  if (!r.accuracies.empty()) parts.push_back(partText("ε = ", r.accuracies, paper.accuracies));
  if (!r.alphas.empty()) parts.push_back(partText("α = ", r.alphas, paper.alphas));
  if (!r.patterns.empty()) parts.push_back(partText("patterns: ", r.patterns, paper.patterns));
  if (r.crowdedSums)
    parts.push_back(*r.crowdedSums == CrowdedSums::off ? "crowded points summed like the others"
                                                       : "crowded points summed apart");
  if (!r.ranks.empty()) parts.push_back("ranks: " + listText(r.ranks));
  if (!r.threads.empty()) parts.push_back("threads: " + listText(r.threads));
  if (const std::string repeats = repeatsText(result.rows); !repeats.empty()) parts.push_back(repeats);
  return joined(parts, "; ");
}

bool isConvolution(const StudyRow& row) {
  return isToeplitz(row.candidate.options.normal);
}

std::string planText(const StudyRow& row) {
  const NufftOptions& o = row.candidate.options;
  if (o.normal == NormalMethod::toeplitzShifted) return "shifted transforms";
  if (isConvolution(row)) return "alpha_T " + fixedText(o.toeplitzAlpha, 3);
  return "alpha " + fixedText(o.alpha, 3) + " W " + fixedText(o.width, 2, 5);
}

}  // namespace spokelab
