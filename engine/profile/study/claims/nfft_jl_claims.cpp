#include <algorithm>
#include <cmath>

#include "engine/core/text.h"
#include "engine/profile/study/claims/claim_votes.h"
#include "engine/profile/study/claims/paper_claims.h"
#include "engine/profile/study/study_definition.h"

namespace spokelab {
namespace {

constexpr double saturationHalfWidth = 8;

bool isBelowSaturation(const StudyRow& row) {
  return row.x < saturationHalfWidth;
}

ClaimResult errorsAreAlike(const Rows& rows) {
  constexpr double factor = 3;
  std::map<std::pair<std::string, double>, std::pair<double, double>> extremes;
  for (const StudyRow& row : rows) {
    if (!row.refused.empty() || !isBelowSaturation(row)) continue;
    const auto [place, isNew] = extremes.try_emplace({row.panel, row.x}, row.y, row.y);
    place->second.first = std::min(place->second.first, row.y);
    place->second.second = std::max(place->second.second, row.y);
  }
  Votes votes;
  for (const auto& [place, range] : extremes) votes.add(range.second <= factor * range.first);
  return votes.result();
}

ClaimResult errorsSaturate(const Rows& rows) {
  constexpr double rounding = 1e-12;
  Votes votes;
  for (const StudyRow& row : rows)
    if (row.refused.empty() && row.x >= saturationHalfWidth) votes.add(row.y < rounding);
  return votes.result();
}

// The width of a plan is part of its case here.
std::string widthKey(const StudyRow& row) {
  return caseKey(row) + " W " + std::to_string(std::lround(row.candidate.options.width));
}

ClaimResult tensorIsFaster(const Rows& rows) {
  const auto groups = grouped(
      rows, [](const StudyRow& row) { return row.dims < 3 && !row.direction.empty(); }, widthKey);
  return fasterIn(groups, variantIs("tensor"), variantIs("polynomial"));
}

// Votes for "an inner block size is fastest": neither the smallest nor one for the grid.
ClaimResult blocksHaveAnOptimum(const Rows& rows) {
  std::map<std::string, std::vector<std::pair<double, double>>> lines;
  for (const StudyRow& row : rows)
    if (row.refused.empty() && row.variant.starts_with("blocks"))
      lines[row.panel + row.series].push_back({row.x, row.y});
  Votes votes;
  for (auto& [line, places] : lines) {
    if (places.size() < 3) continue;
    std::sort(places.begin(), places.end());
    const auto best = std::min_element(places.begin(), places.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    votes.add(best != places.begin() && best + 1 != places.end());
  }
  return votes.result();
}

constexpr const char *shortWindow = "window of 2m points", *longWindow = "window of 2m + 2 points",
                     *ownKernel = "kernel of 2m cells";

// Errors of a variant in one direction, by half width.
std::map<double, double> errorsOf(const Rows& rows, const std::string& variant,
                                  const std::string& direction) {
  std::map<double, double> errors;
  for (const StudyRow& row : rows)
    if (row.refused.empty() && row.variant == variant && row.direction == direction) errors[row.x] = row.y;
  return errors;
}

// The mean of the ratios of two variants' errors below saturation, as the paper prints them.
double meanErrorRatio(const Rows& rows, const std::string& larger, const std::string& smaller,
                      const std::string& direction) {
  const auto above = errorsOf(rows, larger, direction), below = errorsOf(rows, smaller, direction);
  double sum = 0;
  int count = 0;
  for (const auto& [m, error] : above) {
    const auto other = below.find(m);
    if (m >= saturationHalfWidth || other == below.end()) continue;
    sum += error / other->second;
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

// "forward 1.8 (1.77), adjoint 1.1 (1.11)"; a vote a direction.
ClaimResult ratiosAre(const Rows& rows, const std::string& larger, const std::string& smaller, double forward,
                      double adjoint, const std::function<bool(double ratio, double printed)>& holds) {
  Votes votes;
  std::string evidence;
  for (const auto& [direction, printed] :
       {std::pair<std::string, double>{forwardText, forward}, {adjointText, adjoint}}) {
    const double ratio = meanErrorRatio(rows, larger, smaller, direction);
    if (ratio == 0) continue;
    votes.add(holds(ratio, printed));
    evidence += (evidence.empty() ? "" : ", ") + direction + ' ' + numberText(ratio, 3) + " (" +
                numberText(printed, 3) + ")";
  }
  ClaimResult result = votes.result();
  if (!evidence.empty()) result.evidence = evidence;
  return result;
}

ClaimResult twoMorePointsGainLittle(const Rows& rows) {
  constexpr double factor = 1.5;
  return ratiosAre(rows, shortWindow, longWindow, 1.767, 1.106, [](double ratio, double printed) {
    return ratio < factor * printed && ratio > printed / factor;
  });
}

ClaimResult finufftErrsMore(const Rows& rows) {
  return ratiosAre(rows, "finufft", ownKernel, 2.722, 2.242, [](double ratio, double) { return ratio > 1; });
}

ClaimResult widerGainsMore(const Rows& rows) {
  Votes votes;
  for (const char* direction : {forwardText, adjointText}) {
    const auto cut = errorsOf(rows, shortWindow, direction), longer = errorsOf(rows, longWindow, direction);
    for (const auto& [m, error] : longer) {
      const auto wider = cut.find(m + 1);
      if (m + 1 < saturationHalfWidth && wider != cut.end()) votes.add(wider->second < error);
    }
  }
  return votes.result();
}

// Plans of one width: a library is asked for another error than ours.
ClaimResult nfft3IsSlower(const Rows& rows) {
  const auto groups = grouped(
      rows, [](const StudyRow& row) { return !row.direction.empty(); },
      [](const StudyRow& row) {
        return std::to_string(row.dims) + row.direction +
               std::to_string(std::lround(row.candidate.options.width));
      });
  return fasterIn(groups, variantIs("polynomial"), variantIs("nfft3"));
}

}  // namespace

std::vector<Claim> nfftJlClaims() {
  return {{"window-error", "The error falls exponentially with m",
           [](const Rows& rows) { return fallsWithX(rows, isBelowSaturation); }},
          {"window-error", "All precomputations err alike, up to a factor of 3", errorsAreAlike},
          {"window-error", "From m = 8 on rounding is all", errorsSaturate},
          {"library-errors", "Two more points of the window gain as printed, within a factor of 1.5",
           twoMorePointsGainLittle},
          {"library-errors", "A larger m gains more than two more points", widerGainsMore},
          {"library-errors", "FINUFFT errs more than Kaiser–Bessel", finufftErrsMore},
          {"single-thread", "NFFT3 is slower than polynomials", nfft3IsSlower},
          {"single-thread", "Tensor is faster than polynomials in 1-D and 2-D", tensorIsFaster},
          {"blocks", "The best block is neither the smallest nor the whole grid", blocksHaveAnOptimum},
          {"threads", "Time falls with threads", [](const Rows& rows) {
             return fallsWithX(rows, [](const StudyRow& row) { return row.panel.ends_with("time"); });
           }}};
}

}  // namespace spokelab
