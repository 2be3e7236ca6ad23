#include "engine/recon/explore/pixel/pixel_answer.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "engine/core/error.h"
#include "engine/core/number_list.h"
#include "engine/core/text.h"
#include "engine/recon/job/job_plan.h"

namespace spokelab {
namespace {

constexpr std::string_view spreadAt = ", point spread function at ";

}  // namespace

std::string spreadName(const std::string& scan, const std::string& pixel) {
  return scan + std::string(spreadAt) + pixel;
}

std::string pixelOfName(const std::string& image) {
  const std::size_t at = image.rfind(spreadAt);
  return at == std::string::npos ? std::string() : image.substr(at + spreadAt.size());
}

std::vector<std::pair<std::string, std::string>> describe(const PixelAnswer& a, int dims) {
  constexpr int digits = 3;
  const auto list = [dims](const Vec3& v, int decimals) {
    std::string text;
    for (std::size_t d = 0; d < std::size_t(dims); ++d)
      text += (d > 0 ? ", " : "") + fixedText(v[d], decimals);
    return text;
  };
  const auto ofValue = [&](double size) {
    return numberText(size, digits) +
           (a.value > 0 ? " (" + percentText(size / a.value, 2) + " of the value)" : std::string());
  };
  std::vector<std::pair<std::string, std::string>> rows;
  rows.emplace_back("value", numberText(a.value, digits) + (a.coilSize > 0 ? ", gridded with the coil maps"
                                                                           : ", gridded, by exact sums"));
  if (a.coilSize > 0)
    rows.emplace_back("coil maps", numberText(a.coilSize, digits) + ", root sum of squares");
  if (a.fieldHz != 0) rows.emplace_back("field", numberText(a.fieldHz, digits) + " Hz");
  if (a.decay != 0) rows.emplace_back("R2*", numberText(a.decay, digits) + " 1/s");
  std::string spread = percentText(a.stays, 1) + " of a lone point's size remains, FWHM ";
  for (std::size_t d = 0; d < std::size_t(dims); ++d)
    spread += (d > 0 ? " x " : "") + (a.fwhm[d] > 0 ? fixedText(a.fwhm[d], 2) : std::string("wide"));
  rows.emplace_back("point spread",
                    spread + (a.isReconstructed ? " pixels, reconstructed" : " pixels, gridded"));
  if (a.largestAt != Vec3{0, 0, 0})
    rows.emplace_back("", "its largest value is " + list(a.largestAt, 0) + " pixels away");
  constexpr double decibelsPerDecade = 20, least = 1e-12;
  rows.emplace_back("side lobe", fixedText(decibelsPerDecade * std::log10(std::max(a.sideLobe, least)), 1) +
                                     " dB, " + list(a.sideLobeAt, 0) + " pixels away");
  if (a.transformError > 0)
    rows.emplace_back("predicted error", ofValue(a.transformError) + ", of a plan with alpha " +
                                             numberText(a.alpha, digits) + ", W " +
                                             numberText(a.width, digits));
  if (a.noise > 0) rows.emplace_back("noise", ofValue(a.noise) + ", by the scan's noise lines");
  for (const std::string& note : a.notes) rows.emplace_back("note", note);
  return rows;
}

// Finds a gap in the sorted parts: ordinary shots' parts follow each other closely.
std::vector<int> outstandingShots(const PixelAnswer& answer) {
  constexpr double gap = 2, timesMedian = 3, mostShare = 0.25;
  std::vector<std::pair<double, int>> perWeight;
  for (const ShotInfluence& shot : answer.shots)
    if (shot.weight > 0) perWeight.emplace_back(shot.change / shot.weight, shot.shot);
  std::sort(perWeight.rbegin(), perWeight.rend());
  std::vector<int> shots;
  if (perWeight.empty()) return shots;
  const double least = timesMedian * perWeight[perWeight.size() / 2].first;
  std::size_t count = 0;
  for (std::size_t i = 0; double(i + 1) <= mostShare * double(perWeight.size()); ++i)
    if (perWeight[i].first > least && perWeight[i].first > gap * perWeight[i + 1].first) count = i + 1;
  for (std::size_t i = 0; i < count; ++i) shots.push_back(perWeight[i].second);
  return shots;
}

std::string shotsWithout(const Scan& scan, const ReconOptions& options, const std::vector<int>& leftOut) {
  const int frame = planJob(scan, options).frames.front();
  const auto shotCount = int(scan.trajectory(frame).shots());
  std::vector<int> left;
  for (const int shot : selection(options.shots, shotCount, "shots"))
    if (std::find(leftOut.begin(), leftOut.end(), shot) == leftOut.end()) left.push_back(shot);
  if (left.empty())
    throw Error("Cannot leave out these shots", "no shot would be left", "Leave out fewer shots");
  return numberListText(left);
}

}  // namespace spokelab
