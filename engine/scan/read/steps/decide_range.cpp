#include "engine/scan/read/steps/decide_range.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/core/error.h"
#include "engine/core/text.h"

namespace spokelab {
namespace {

const char* const asStored = "signed";
const char* const periodic = "periodic";
const char* const centred = "centred";

constexpr double rounding = 1e-5;  // of coordinates that were stored as float

// One pixel's cycle or 2 pi along each axis; else the matrix, or the even number that holds k.
Vec3 periodOf(const std::vector<ColumnRange>& columns, const EncodingSpace& space) {
  double reach = 0;
  for (const ColumnRange& c : columns) reach = std::max(reach, c.high);
  for (const double period : {1.0, 2 * std::numbers::pi})
    if (reach <= period * (1 + rounding)) return {period, period, period};
  Vec3 periods{1, 1, 1};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::int64_t matrix = space.recon.matrix[i];
    periods[i] = matrix > 1 && columns[i].high <= double(matrix) * (1 + rounding)
                     ? double(matrix)
                     : 2 * std::ceil(std::max(1.0, columns[i].high) / 2);
  }
  return periods;
}

// True where both halves of every axis hold samples alike.
bool coversBothHalves(const RawTrajectory& raw, const std::vector<ColumnRange>& columns, const Vec3& period) {
  constexpr double minShare = 0.2;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].low < 0 || !(columns[c].high > 0)) return false;
    std::int64_t upper = 0;
    for (std::int64_t j = 0; j < raw.samples(); ++j) upper += raw.at(j, int(c)) > period[c] / 2;
    const double share = double(upper) / double(raw.samples());
    if (share < minShare || share > 1 - minShare) return false;
  }
  return true;
}

double moved(double k, double period, bool wraps) {
  if (!wraps) return k - period / 2;
  return k > period / 2 ? k - period : k;
}

// Mean square distance of the samples from the centre, in periods.
double spreadOf(const RawTrajectory& raw, int dims, const Vec3& period, bool wraps) {
  double sum = 0;
  for (std::int64_t j = 0; j < raw.samples(); ++j)
    for (int c = 0; c < dims; ++c) {
      const double p = period[std::size_t(c)];
      sum += std::pow(moved(raw.at(j, c), p, wraps) / p, 2);
    }
  return sum / double(raw.samples());
}

}  // namespace

void decideRange(RawTrajectory& raw, int dims, const EncodingSpace& space, Decisions& d) {
  const bool asked = !d.override("k-range").empty();
  std::vector<ColumnRange> columns;
  for (int c = 0; c < dims; ++c) columns.push_back(rangeOf(raw, c));
  const Vec3 period = periodOf(columns, space);
  const bool startsAtZero = raw.samples() > 0 && coversBothHalves(raw, columns, period);
  if (!startsAtZero && !asked) return;
  // Samples crowd at the centre of k-space and leave its corners empty.
  const double wrapped = spreadOf(raw, dims, period, true), shifted = spreadOf(raw, dims, period, false);
  constexpr double clearlyLess = 0.9;
  const bool settled = std::min(wrapped, shifted) < clearlyLess * std::max(wrapped, shifted);
  const bool middle = settled && shifted < wrapped;
  std::string evidence = "all coordinates lie in 0 ... " + numberText(period[0]) + ", in both halves alike; ";
  evidence += !settled ? "the samples do not tell whether the upper half is negative or the centre is "
                         "in the middle"
              : middle ? "the samples crowd in the middle"
                       : "the samples crowd at the ends, where a transform's period closes";
  if (!startsAtZero) evidence = "the coordinates do not cover both halves of 0 ... " + numberText(period[0]);
  const std::string choice = d.decide("k-range",
                                      !startsAtZero ? asStored
                                      : middle      ? centred
                                                    : periodic,
                                      evidence, {asStored, periodic, centred}, startsAtZero && !settled);
  if (choice == asStored) return;
  for (std::int64_t j = 0; j < raw.samples(); ++j)
    for (int c = 0; c < dims; ++c) {
      double& k = raw.values[std::size_t(j * raw.columns + c)];
      k = moved(k, period[std::size_t(c)], choice == periodic);
    }
}

}  // namespace spokelab
