#include <algorithm>
#include <cmath>
#include <iterator>

#include "engine/core/text.h"
#include "engine/profile/study/claims/claim_votes.h"
#include "engine/profile/study/claims/paper_claims.h"
#include "engine/profile/study/multicore/interleaved_runs.h"
#include "engine/profile/study/study_definition.h"

namespace spokelab {
namespace {

ClaimResult valuesExceed(const Rows& rows, const RowIs& taken, double bound, bool below = false) {
  Votes votes;
  std::string range;
  double least = 0, most = 0;
  int count = 0;
  for (const StudyRow& row : rows) {
    if (!row.refused.empty() || !taken(row)) continue;
    voteBelow(votes, row, bound, !below);
    least = count == 0 ? row.y : std::min(least, row.y);
    most = count++ == 0 ? row.y : std::max(most, row.y);
  }
  ClaimResult result = votes.result();
  if (count > 0) result.evidence += "; " + numberText(least, 3) + " to " + numberText(most, 3);
  return result;
}

// Votes at the largest number of threads of each case.
ClaimResult fasterOnAllThreads(const Rows& rows, const char* faster, const char* slower) {
  double maxThreads = 0;
  for (const StudyRow& row : rows) maxThreads = std::max(maxThreads, row.x);
  const RowIs onAll = [maxThreads](const StudyRow& row) { return row.x == maxThreads; };
  const auto isSeries = [](const char* name) {
    return [name](const StudyRow& row) { return row.series == name; };
  };
  if (maxThreads < 2) return Votes().result();
  return fasterIn(grouped(rows, onAll), isSeries(faster), isSeries(slower));
}

// The published problem alone: size N with S readouts of K samples.
ClaimResult takesLessThan(const Rows& rows, int size, double samples, double adjoint, double forward) {
  constexpr double maxDifference = 0.01;  // relative, of R
  const double acceleration = std::pow(double(size), 3) / samples;
  Votes votes;
  std::string numbers;
  for (const StudyRow& row : rows) {
    if (!row.refused.empty() || row.c.size != size || row.direction == bothText ||
        std::abs(row.c.acceleration / acceleration - 1) > maxDifference)
      continue;
    const double printed = row.direction == adjointText ? adjoint : forward;
    voteBelow(votes, row, printed);
    numbers += (numbers.empty() ? "" : ", ") + row.variant + ' ' + row.direction + ' ' +
               numberText(row.y, 3) + " s (" + numberText(printed) + ")";
  }
  ClaimResult result = votes.result();
  if (!numbers.empty()) result.evidence = numbers;
  return result;
}

// Tables IV and V: seconds of adjoint, forward, both.
const struct {
  const char *study, *machine;
  int size;
  double readouts, samples, seconds[3];
} published[] = {{"against-cpus", "12 cores", 240, 8047, 512, {0.28, 0.26, 0.54}},
                 {"against-cpus", "16 cores", 240, 8047, 512, {0.18, 0.17, 0.34}},
                 {"against-cpus", "Shu et al.", 240, 8047, 512, {1.40, 0.90, 2.30}},
                 {"against-gpu", "12 cores", 344, 9000, 344, {0.93, 0.87, 1.79}},
                 {"against-gpu", "16 cores", 344, 9000, 344, {0.58, 0.54, 1.11}},
                 {"against-gpu", "Nam et al.", 344, 9000, 344, {0.94, 0.66, 1.60}}};

bool isConvolutionStage(const StudyRow& row) {
  return row.series == "spread" || row.series == "interpolate";
}

}  // namespace

std::vector<Claim> multicoreClaims() {
  constexpr double half = 50, sequential = 91;  // percent; Table II: 71.2 of 78.0 s
  return {
      {"sequential-stages", "The convolution takes more than half of the sequential time",
       [](const Rows& rows) { return valuesExceed(rows, isConvolutionStage, half); }},
      {"parallel-stages", "The convolution takes less than the 91 % of sequential code",
       [](const Rows& rows) { return valuesExceed(rows, isConvolutionStage, sequential, true); }},
      {"against-cpus", "The problem takes less time than Shu et al. on 12 cores (1.40 and 0.90 s)",
       [](const Rows& rows) { return takesLessThan(rows, 240, 8047.0 * 512, 1.40, 0.90); }},
      {"against-gpu", "The problem takes less time than Nam et al. on a GTX 480 (0.94 and 0.66 s)",
       [](const Rows& rows) { return takesLessThan(rows, 344, 9000.0 * 344, 0.94, 0.66); }},
      {"convolution-parts", "The share of kernel values falls with the width",
       [](const Rows& rows) { return fallsWithX(rows, variantIs("part 1")); }},
      {"gains", "All parts together are faster than plain code",
       [](const Rows& rows) { return valuesExceed(rows, variantIs("+ private"), 1); }},
      {"scaling", "Speed grows with threads", [](const Rows& rows) { return fallsWithX(rows, {}, true); }},
      {"partitions", "Variable partitions are faster than fixed ones",
       [](const Rows& rows) { return fasterOnAllThreads(rows, "variable", "fixed"); }},
      {"privatisation", "Private copies and the queue are faster than neither",
       [](const Rows& rows) { return fasterOnAllThreads(rows, "private copies and queue", "neither"); }},
      {"vectors", "Vectors are faster than scalar code",
       [](const Rows& rows) { return valuesExceed(rows, variantIs("vectors"), 1); }},
      {"preprocessing", "Pre-processing takes less than an iteration",
       [](const Rows& rows) { return valuesExceed(rows, variantIs("ratio"), 1, true); }},
      {"overall", "The measures that help are faster than plain sequential code",
       [](const Rows& rows) {
         return valuesExceed(
             rows, [](const StudyRow& row) { return row.series == "speed-up" && row.c.size > 0; }, 1);
       }},
      {"rates", "The rate falls with the width", [](const Rows& rows) { return fallsWithX(rows); }}};
}

std::vector<PrintedNumber> multicoreNumbers() {
  std::vector<PrintedNumber> numbers;
  for (const auto& one : published) {
    StudyCase c;
    c.size = one.size;
    c.acceleration = std::pow(double(one.size), 3) / (one.readouts * one.samples);
    for (std::size_t i = 0; i < std::size(one.seconds); ++i)
      numbers.push_back(
          {one.study, interleavedText(c), std::string(one.machine) + ", printed", double(i), one.seconds[i]});
  }
  // Table III: million samples a second for radii 2, 4, 6, 8, on 40 cores; W here is their 2W.
  StudyCase c;
  c.size = 256;
  c.acceleration = 4.0 / 3;
  const struct {
    const char* pattern;
    double adjoint[4], forward[4];
  } tableThree[] = {
      {"radial3d", {145.1, 48.2, 14.1, 6.6}, {190.7, 60.5, 18.3, 10.2}},
      {"gaussian", {169.3, 54.2, 14.7, 6.8}, {194.0, 60.9, 19.3, 10.3}},
      {"stack-of-spirals", {222.6, 58.1, 14.7, 7.2}, {236.7, 64.8, 19.6, 9.4}},
  };
  for (const auto& one : tableThree)
    for (std::size_t i = 0; i < std::size(one.adjoint); ++i)
      for (const auto& [direction, rate] :
           {std::pair{adjointText, one.adjoint[i]}, std::pair{forwardText, one.forward[i]}})
        numbers.push_back({"rates", std::string(direction) + ", " + interleavedText(c),
                           std::string(one.pattern) + ", printed", 4.0 * double(i + 1), rate, true});
  // Table II: convolution, FFT, NUFFT.
  const struct {
    const char *series, *unit;
    double values[3];
  } tableTwo[] = {{"baseline", "seconds", {71.2, 5.9, 78.0}},
                  {"optimised", "seconds", {0.5, 0.2, 0.9}},
                  {"speed-up", "speed-up", {147.5, 28.3, 92.8}}};
  for (const auto& one : tableTwo)
    for (std::size_t i = 0; i < std::size(one.values); ++i)
      numbers.push_back({"overall", std::string("mean of 15 data sets, ") + one.unit,
                         std::string(one.series) + ", printed", double(i), one.values[i]});
  return numbers;
}

}  // namespace spokelab
