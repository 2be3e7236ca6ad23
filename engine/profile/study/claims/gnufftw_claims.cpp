#include <algorithm>
#include <cmath>
#include <set>

#include "engine/core/text.h"
#include "engine/profile/study/claims/claim_votes.h"
#include "engine/profile/study/claims/paper_claims.h"
#include "engine/profile/study/study_definition.h"

namespace spokelab {
namespace {

bool convolves(const StudyRow& row) {
  return isToeplitz(row.candidate.options.normal) && row.direction == bothText;
}
bool transforms(const StudyRow& row) {
  return !convolves(row);
}

RowIs at(double acceleration, const char* direction = nullptr) {
  return [=](const StudyRow& row) {
    return row.c.acceleration == acceleration && (!direction || row.direction == direction);
  };
}

// The ratio of a line's fastest plan (alpha), or the one that was tuned (best-alpha).
ClaimResult bestAlphaFalls(const Rows& rows) {
  struct Best {
    double seconds = 0, alpha = 0;
  };
  std::map<std::string, std::map<double, Best>> lines;
  for (const StudyRow& row : rows) {
    if (!row.refused.empty() || row.c.size == 0 || !row.candidate.timed()) continue;
    StudyRow one = row;
    one.c.acceleration = 0;
    Best& best = lines[caseKey(one) + row.variant][row.c.acceleration];
    if (best.seconds == 0 || row.candidate.timings.total < best.seconds)
      best = {row.candidate.timings.total, row.candidate.options.alpha};
  }
  Votes votes;
  for (const auto& [line, byAcceleration] : lines) {
    if (byAcceleration.size() < 2) continue;
    const double dense = byAcceleration.begin()->second.alpha, sparse = byAcceleration.rbegin()->second.alpha;
    votes.add(sparse < dense   ? ClaimVerdict::holds
              : sparse > dense ? ClaimVerdict::fails
                               : ClaimVerdict::unclear);
  }
  return votes.result();
}

ClaimResult fftShareGrows(const Rows& rows) {
  Rows shares;
  for (const StudyRow& row : rows) {
    if (!row.refused.empty() || row.panel.empty() || row.series != row.variant || !row.candidate.timed())
      continue;
    shares.push_back(row);
    shares.back().y = row.candidate.timings.fft() / row.candidate.timings.total;
  }
  return fallsWithX(shares, {}, true);
}

// The upper bound of a pruned FFT, which the paper finds too small to be worth it in most cases.
ClaimResult eightGainLittle(const Rows& rows) {
  constexpr double worthwhile = 1.5;
  Votes votes;
  for (const StudyRow& row : rows)
    if (row.refused.empty() && row.variant == "8 smaller transforms") votes.add(row.speedUp < worthwhile);
  return votes.result();
}

ClaimResult widthFallsWithAlpha(const Rows& rows) {
  constexpr double narrowest = 3;  // below it kernels are hardly any
  Rows byAlpha;
  for (const StudyRow& row : rows) {
    if (row.x < narrowest) continue;
    byAlpha.push_back(row);
    byAlpha.back().series = numberText(row.x);
    byAlpha.back().x = row.candidate.options.alpha;
  }
  return fallsWithX(byAlpha);
}

ClaimResult tunedBeatsFixed(const Rows& rows) {
  const RowGroups groups = grouped(rows, {}, [](const StudyRow& row) {
    return caseKey(row) + row.variant.substr(0, row.variant.find(','));
  });
  Votes votes;
  for (const auto& [key, variants] : groups) {
    const auto tuned = std::find_if(variants.begin(), variants.end(),
                                    [](const StudyRow* row) { return row->variant.ends_with(", tuned"); });
    if (tuned == variants.end()) continue;
    for (const StudyRow* other : variants)
      if (other != *tuned) voteFaster(votes, **tuned, *other);
  }
  return votes.result();
}

// Table III: [pattern] adjoint, forward.
const struct {
  const char* pattern;
  double adjoint, forward;
} tableThree[] = {{"radial3d", 224.182, 10.950},
                  {"stack-of-stars", 40.563, 10.170},
                  {"cones", 28.523, 11.001},
                  {"random", 3.647, 10.974}};

ClaimResult deviationsAreThePrinted(const Rows& rows, bool adjoint) {
  constexpr double tolerance = 0.05;
  constexpr int size = 64;
  Votes votes;
  std::string numbers;
  for (const auto& printed : tableThree)
    for (const StudyRow& row : rows) {
      if (row.c.pattern != printed.pattern || (row.direction == adjointText) != adjoint || row.c.size != size)
        continue;
      const double expected = adjoint ? printed.adjoint : printed.forward;
      votes.add(std::abs(row.y / expected - 1) <= tolerance);
      numbers += (numbers.empty() ? "" : ", ") + row.c.pattern + ' ' + numberText(row.y) + " (" +
                 numberText(expected) + ")";
    }
  ClaimResult result = votes.result();
  if (!numbers.empty()) result.evidence = numbers;
  return result;
}

// Votes for a fall from radial to stars, cones and random.
void voteOrder(Votes& votes, const std::map<std::string, double>& ofPattern) {
  for (std::size_t i = 0; i + 1 < std::size(tableThree); ++i) {
    const auto wide = ofPattern.find(tableThree[i].pattern),
               narrow = ofPattern.find(tableThree[i + 1].pattern);
    if (wide != ofPattern.end() && narrow != ofPattern.end()) votes.add(wide->second > narrow->second);
  }
}

ClaimResult deviationsAreOrdered(const Rows& rows) {
  std::map<std::string, double> adjoint;
  for (const StudyRow& row : rows)
    if (row.direction == adjointText) adjoint[row.c.pattern] = row.y;
  Votes votes;
  voteOrder(votes, adjoint);
  return votes.result();
}

// Of a distribution: y rows have x entries.
ClaimResult lengthsAreOrdered(const Rows& rows) {
  struct Sums {
    double count = 0, entries = 0, squares = 0;
  };
  std::map<std::string, std::map<std::string, Sums>> panels;
  for (const StudyRow& row : rows) {
    if (row.direction != adjointText || row.panel.empty()) continue;
    Sums& sums = panels[row.panel][row.c.pattern];
    sums.count += row.y;
    sums.entries += row.x * row.y;
    sums.squares += row.x * row.x * row.y;
  }
  Votes votes;
  for (const auto& [panel, patterns] : panels) {
    std::map<std::string, double> variance;
    for (const auto& [pattern, sums] : patterns) {
      const double mean = sums.entries / sums.count;
      variance[pattern] = sums.squares / sums.count - mean * mean;
    }
    voteOrder(votes, variance);
  }
  return votes.result();
}

// Each axis has floor(W) or ceil(W) entries.
ClaimResult lengthsAreOfTheWidth(const Rows& rows) {
  Votes votes;
  for (const StudyRow& row : rows) {
    if (row.direction != forwardText || row.panel.empty()) continue;
    const double low = std::floor(row.candidate.options.width), high = std::ceil(row.candidate.options.width);
    bool isProduct = false;
    for (int wide = 0; wide <= 3; ++wide)
      isProduct = isProduct || row.x == std::pow(high, wide) * std::pow(low, 3 - wide);
    votes.add(isProduct);
  }
  return votes.result();
}

ClaimResult timeRisesWithEntries(const Rows& rows) {
  return fallsWithX(
      rows, [](const StudyRow& row) { return !row.series.ends_with(", fit"); }, true);
}

ClaimResult fitsAreLinear(const Rows& rows) {
  constexpr double least = 0.7;  // the smallest printed R^2 is 0.733
  Votes votes;
  for (const StudyRow& row : rows)
    if (row.panel.ends_with("R²")) votes.add(row.y >= least);
  return votes.result();
}

}  // namespace

std::vector<Claim> gnufftwClaims() {
  return {
      {"aliasing", "At one width the aliasing falls as α grows", widthFallsWithAlpha},
      {"alpha", "The share of the FFT grows with α", fftShareGrows},
      {"alpha", "The best α falls with the acceleration R", bestAlphaFalls},
      {"best-alpha", "The best α falls with the acceleration R", bestAlphaFalls},
      {"fixed-alpha", "A tuned α is faster than 1.125 and than 2", tunedBeatsFixed},
      {"implementations", "Toeplitz is the fastest at R = 1",
       [](const Rows& rows) { return fasterIn(grouped(rows, at(1, bothText)), convolves, transforms); }},
      {"implementations", "Toeplitz loses at R = 16",
       [](const Rows& rows) { return fasterIn(grouped(rows, at(16, bothText)), transforms, convolves); }},
      {"implementations", "Full precomputation is faster than none on a GPU",
       [](const Rows& rows) {
         const RowIs full = [](const StudyRow& row) {
           return row.variant == "cuda sparse" || row.variant == "cuda cusparse";
         };
         return fasterIn(grouped(rows), full, variantIs("cuda gm"));
       }},
      {"pruned-fft", "Eight smaller FFTs are less than 1.5 times as fast as the full one", eightGainLittle},
      {"row-lengths", "Rows of Γ have ⌊W⌋ or ⌈W⌉ entries along each axis", lengthsAreOfTheWidth},
      {"row-lengths", "Rows of Γᵀ vary most for radial, then stars, cones, random", lengthsAreOrdered},
      {"entries", "Interpolation time rises with M Wᵈ", timeRisesWithEntries},
      {"row-deviations", "Rows of Γᵀ scatter as printed, within 5 %",
       [](const Rows& rows) { return deviationsAreThePrinted(rows, true); }},
      {"row-deviations", "Rows of Γ scatter as printed, within 5 %",
       [](const Rows& rows) { return deviationsAreThePrinted(rows, false); }},
      {"row-deviations", "Rows of Γᵀ scatter most for radial, then stars, cones, random",
       deviationsAreOrdered},
      {"entry-slopes", "Interpolation time is linear in the non-zero entries (R² of 0.7 and more)",
       fitsAreLinear}};
}

std::vector<PrintedNumber> gnufftwNumbers() {
  // Table IV, in the order of Table III's patterns: slope in nanoseconds an entry, R^2.
  const struct {
    const char *direction, *series;
    double slope[4], rSquared[4];
  } tableFour[] = {
      {"adjoint", "no precomputation", {0.9266, 0.7814, 0.6172, 1.3061}, {0.933, 0.987, 0.989, 0.943}},
      {"forward", "no precomputation", {0.5217, 0.4473, 0.4676, 0.6350}, {0.950, 0.994, 0.986, 0.905}},
      {"adjoint", "full precomputation", {0.2420, 0.1444, 0.1929, 0.1503}, {0.790, 0.733, 0.811, 0.772}},
      {"forward", "full precomputation", {0.1499, 0.1334, 0.1299, 0.2662}, {0.735, 0.792, 0.834, 0.912}}};
  std::vector<PrintedNumber> numbers;
  for (const auto& printed : tableFour)
    for (std::size_t i = 0; i < std::size(printed.slope); ++i) {
      const std::string series = std::string(printed.series) + ", printed", panel = printed.direction;
      numbers.push_back({"entry-slopes", panel + ", slope", series, double(i), printed.slope[i]});
      numbers.push_back({"entry-slopes", panel + ", R²", series, double(i), printed.rSquared[i]});
    }
  double x = 0;
  for (const auto& printed : tableThree) {
    const std::string panel = "N 64, R 1, accuracy 0.01";
    numbers.push_back({"row-deviations", panel, "adjoint, printed", x, printed.adjoint});
    numbers.push_back({"row-deviations", panel, "forward, printed", x++, printed.forward});
  }
  return numbers;
}

}  // namespace spokelab
