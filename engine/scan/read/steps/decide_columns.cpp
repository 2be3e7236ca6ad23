// Looks at ranges, steps and symmetries of a column's numbers, and at the header's matrix. Each
// test ends in a Choice: a value of the decision third-dimension or fourth-dimension, the evidence
// in words, and whether the reader should ask, as the evidence allows another value.
#include "engine/scan/read/steps/decide_columns.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "engine/core/error.h"
#include "engine/core/text.h"

namespace spokelab {
namespace {

// A third column with a smaller share of the extent of kx and ky is not a third dimension.
constexpr double maxFlatExtent = 1e-3;

// Ignores rounding by the program that made the trajectory.
bool same(double a, double b) {
  return float(a) == float(b);
}

struct Column : ColumnRange {
  bool constant() const { return same(low, high); }
  bool zero() const { return low == 0 && high == 0; }
  double extent() const { return std::max(std::abs(low), std::abs(high)); }
  std::string range() const { return numberText(low) + " ... " + numberText(high); }
};

Column columnOf(const RawTrajectory& raw, int column) {
  return {rangeOf(raw, column)};
}

// Constant in each readout, as kz of a stack is; weights and times change along a readout.
bool constantInShots(const RawTrajectory& raw, int column) {
  for (std::size_t s = 0; s + 1 < raw.offsets.size(); ++s)
    for (std::int64_t j = raw.offsets[s] + 1; j < raw.offsets[s + 1]; ++j)
      if (!same(raw.at(j, column), raw.at(raw.offsets[s], column))) return false;
  return true;
}

// Mean step along the readouts if all steps are positive and equal, else 0.
double uniformStep(const RawTrajectory& raw, int column) {
  constexpr double tolerance = 0.02;
  constexpr double rounding = 4 * std::numeric_limits<float>::epsilon();
  double step = 0;
  for (std::size_t s = 0; s + 1 < raw.offsets.size(); ++s) {
    const std::int64_t first = raw.offsets[s], last = raw.offsets[s + 1] - 1;
    if (last <= first) continue;
    const double mean = (raw.at(last, column) - raw.at(first, column)) / double(last - first);
    if (!(mean > 0)) return 0;
    if (step == 0) step = mean;
    const double allowed = tolerance * step + rounding * std::abs(raw.at(last, column));
    if (std::abs(mean - step) > allowed) return 0;
    for (std::int64_t j = first + 1; j <= last; ++j)
      if (std::abs(raw.at(j, column) - raw.at(j - 1, column) - step) > allowed) return 0;
  }
  return step;
}

struct Choice {
  std::string choice, evidence;  // "kz"; "it takes both signs (-1 ... 1), matrix 8 along z"
  bool question = false;         // true: uncertain, the user is asked
};

// Alike in all readouts, as density weights are; kz of a volume is not. One shot tells nothing.
bool alikeInShots(const RawTrajectory& raw, int column, double extent) {
  constexpr double tolerance = 0.02;
  const auto length = [&](std::size_t s) { return raw.offsets[s + 1] - raw.offsets[s]; };
  for (std::size_t s = 1; s + 1 < raw.offsets.size(); ++s)
    for (std::int64_t j = 0; j < std::min(length(0), length(s)); ++j)
      if (std::abs(raw.at(raw.offsets[s] + j, column) - raw.at(j, column)) > tolerance * extent) return false;
  return raw.offsets.size() > 2;
}

// True if it is a function of the distance from k = 0 in plane, as density weights mostly are.
bool followsRadius(const RawTrajectory& raw, int column, double inPlane) {
  constexpr std::size_t rings = 64;
  constexpr double maxShare = 0.05;
  if (!(inPlane > 0)) return false;
  std::vector<double> counts(rings + 1, 0), sums(rings + 1, 0);
  double squares = 0, sum = 0;
  for (std::int64_t j = 0; j < raw.samples(); ++j) {
    const double radius = std::hypot(raw.at(j, 0), raw.at(j, 1)), value = raw.at(j, column);
    const auto ring = std::min(rings, std::size_t(radius / inPlane * double(rings)));
    ++counts[ring];
    sums[ring] += value;
    squares += value * value;
    sum += value;
  }
  double squaresOfMeans = 0;
  for (std::size_t i = 0; i <= rings; ++i)
    if (counts[i] > 0) squaresOfMeans += sums[i] * sums[i] / counts[i];
  return squares - squaresOfMeans < maxShare * (squares - sum * sum / double(raw.samples()));
}

// inPlane: largest |kx| or |ky|. statedPlanar: the header states a matrix of two sizes.
Choice thirdColumn(const RawTrajectory& raw, std::int64_t matrixZ, double inPlane, bool statedPlanar) {
  const Column c = columnOf(raw, 2);
  const std::string z = "matrix " + std::to_string(matrixZ) + " along z";
  if (c.zero()) return {"ignore", "it is 0 throughout: a 2-D scan"};
  if (matrixZ <= 1 && c.extent() < maxFlatExtent * inPlane)
    return {"ignore",
            "it is nearly 0 (" + c.range() + ", kx and ky reach " + numberText(inPlane) + "), " + z};
  if (c.constant()) return {"ignore", "it is " + numberText(c.low) + " throughout"};
  if (c.low < 0) return {"kz", "it takes both signs (" + c.range() + "), " + z};
  if (matrixZ > 1 && constantInShots(raw, 2))
    return {"kz", "it is constant within each shot (" + c.range() + "), " + z};
  if (matrixZ <= 1 && (statedPlanar || alikeInShots(raw, 2, c.extent()) || followsRadius(raw, 2, inPlane)))
    return {"density-weight", "it is never negative (" + c.range() + "), " + z};
  if (matrixZ <= 1) {
    constexpr double alike = 0.1;
    const bool reachesAsFar = std::abs(c.extent() - inPlane) < alike * inPlane;
    return {reachesAsFar ? "kz" : "density-weight",
            "it is never negative (" + c.range() + ", kx and ky reach " + numberText(inPlane) +
                ") and differs from shot to shot, as kz does, and weights may; " + z,
            true};
  }
  return {"kz", "the image is 3-D (" + z + "), though it is never negative (" + c.range() + ")"};
}

// dwellSeconds: of the header; 0: not given.
Choice fourthColumn(const RawTrajectory& raw, double dwellSeconds) {
  constexpr double maxDwellSeconds = 1e-3, dwellTolerance = 0.1;
  const Column c = columnOf(raw, 3);
  if (c.zero()) return {"ignore", "it is 0 throughout"};
  if (c.constant()) return {"ignore", "it is " + numberText(c.low) + " throughout"};
  if (c.low < 0)
    return {"ignore", "it takes negative values (" + c.range() + "): neither a weight nor a time"};
  const double step = uniformStep(raw, 3);
  if (step > 0) {
    const std::string rise = "it rises by " + numberText(step) + " from sample to sample";
    if (dwellSeconds > 0 && std::abs(step - dwellSeconds) < dwellTolerance * dwellSeconds)
      return {"seconds", rise + ", the dwell time"};
    if (dwellSeconds <= 0 && step < maxDwellSeconds)
      return {"seconds", rise + ", a plausible dwell time (the header gives none)"};
    return {"density-weight", rise + ", which is not the dwell time of " + numberText(dwellSeconds) + " s"};
  }
  return {"density-weight",
          "it is never negative (" + c.range() + ") and does not rise evenly, as time would"};
}

// Partitions counted by kspace_encode_step_2 where the trajectory has no kz: their number, or 1.
std::int64_t distinctPartitions(const Selection& s, const std::vector<AcquisitionHead>& heads) {
  std::set<int> seen;
  for (const std::int64_t i : s.imaging) seen.insert(heads[std::size_t(i)].idx.kspace_encode_step_2);
  return std::int64_t(seen.size());
}

// True if the first shots of all partitions have the same points: a stack.
bool partitionsRepeatPoints(const RawTrajectory& raw, const Selection& s,
                            const std::vector<AcquisitionHead>& heads) {
  std::set<int> seen;
  const auto at = [&](std::size_t p) { return raw.values.begin() + raw.offsets[p] * raw.columns; };
  for (std::size_t p = 0; p < s.imaging.size(); ++p)
    if (seen.insert(heads[std::size_t(s.imaging[p])].idx.kspace_encode_step_2).second &&
        !std::equal(at(0), at(1), at(p), at(p + 1)))
      return false;
  return true;
}

}  // namespace

Columns decideColumns(const RawTrajectory& raw, const Selection& s, const std::vector<AcquisitionHead>& heads,
                      const EncodingSpace& space, Decisions& d) {
  Columns columns;
  const std::int64_t matrixZ = std::max(space.encoded.matrix[2], space.recon.matrix[2]);
  const double inPlane = std::max(columnOf(raw, 0).extent(), columnOf(raw, 1).extent());
  const std::int64_t partitions = distinctPartitions(s, heads);

  Choice third{"ignore", "the trajectory has two dimensions"};
  std::vector<std::string> others;
  if (raw.columns >= 3) {
    third = thirdColumn(raw, matrixZ, inPlane, space.recon.statedAxes == 2);
    others = {"kz", "density-weight", "ignore"};
  }
  if (third.choice == "ignore" && partitions > 1 && matrixZ > 1) {
    third = {"partition", "the trajectory has no kz; kspace_encode_step_2 counts " +
                              std::to_string(partitions) + " partitions, matrix " + std::to_string(matrixZ) +
                              " along z"};
    others.push_back("ignore");
  }
  const bool planar = third.choice == "ignore" && partitions > 1 && matrixZ <= 1;
  if (planar) {
    const bool stack = partitionsRepeatPoints(raw, s, heads);
    third = {
        stack ? "partition" : "ignore",
        "the header describes a slice; kspace_encode_step_2 counts " + std::to_string(partitions) +
            (stack ? " partitions with the same points in plane" : " groups of shots with different points"),
        true};
    others = {"ignore", "partition"};
  }
  if (raw.columns >= 3 || planar || third.choice != "ignore" || !d.override("third-dimension").empty()) {
    const std::string choice =
        d.decide("third-dimension", third.choice, third.evidence, others, third.question);
    if (raw.columns < 3 && (choice == "kz" || choice == "density-weight"))
      throw Error(d.problem(), "its trajectory has no third dimension that could be " + choice,
                  "Use partition or ignore");
    if (choice == "kz" && space.recon.statedAxes == 2 && d.override("third-dimension").empty())
      throw Error(d.problem(),
                  "its description gives the matrix " + sizeText(space.recon.matrix, 2) +
                      ", and its third coordinate runs " + columnOf(raw, 2).range() +
                      ": an image of two dimensions has no place for it",
                  "Give three sizes, or set the decision third-dimension");
    if (choice == "kz") columns.dims = 3;
    if (choice == "density-weight") columns.weight = 2;
    if (choice == "partition") {
      columns.dims = 3;
      const std::int64_t centre = space.partitionCentre, planes = std::max(matrixZ, partitions);
      columns.partition = int(centre > 0 && centre < planes ? centre : planes / 2);
      columns.partitionNegated = (heads[std::size_t(s.imaging.front())].flags & countedNegatedFlag) != 0;
    }
  }
  if (raw.columns >= 4) {
    double dwell = 0;
    for (const std::int64_t i : s.imaging)
      dwell = std::max(dwell, double(heads[std::size_t(i)].sample_time_us));
    constexpr double microsecond = 1e-6;
    const Choice fourth = fourthColumn(raw, dwell * microsecond);
    const std::string choice =
        d.decide("fourth-dimension", fourth.choice, fourth.evidence, {"seconds", "density-weight", "ignore"});
    if (choice == "seconds") columns.time = 3;
    if (choice == "density-weight") columns.weight = 3;
  } else if (!d.override("fourth-dimension").empty()) {
    throw Error(d.problem(), "its trajectory has no fourth dimension", "Leave fourth-dimension out");
  }
  return columns;
}

}  // namespace spokelab
