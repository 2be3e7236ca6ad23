#include "engine/scan/check/check_scan.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/core/text.h"
#include "engine/scan/check/check_places.h"
#include "engine/scan/check/check_samples.h"

namespace spokelab {
namespace {

void checkReader(const Scan& scan, std::vector<Finding>& findings) {
  for (const Decision& d : scan.decisions) {
    if (!d.question) continue;
    std::string others;
    for (const std::string& a : d.alternatives) others += (others.empty() ? "" : ", ") + a;
    findings.push_back({FindingWeight::suspicious, "The file leaves open: " + d.topic,
                        d.choice + " was taken: " + d.evidence,
                        "If the picture looks wrong, try --set " + d.topic + "=... with one of: " + others});
  }
  for (const std::string& warning : scan.warnings)
    findings.push_back({FindingWeight::suspicious, "The reader warns", warning, ""});
}

void checkGeometry(const Scan& scan, std::vector<Finding>& findings) {
  const Geometry& g = scan.geometry;
  if (g.nominal)
    findings.push_back({FindingWeight::suspicious, "The position in the patient is not known",
                        "field of view or directions are missing in the file and were assumed",
                        "Write field of view, position and directions into the file"});
  const Vec3 voxel = g.voxel();
  constexpr double minVoxelMm = 0.05, maxVoxelMm = 50;
  for (int d = 0; d < scan.dims(); ++d)
    if (voxel[std::size_t(d)] < minVoxelMm || voxel[std::size_t(d)] > maxVoxelMm)
      findings.push_back({FindingWeight::suspicious, "The pixels have an unusual size",
                          numberText(voxel[std::size_t(d)]) + " mm along axis " + std::to_string(d),
                          "Check the unit of the field of view (mm)"});
}

void checkCoverage(const Scan& scan, std::vector<Finding>& findings) {
  const Trajectory& t = scan.trajectories.front();
  constexpr double minCoverage = 0.85, maxCoverage = 1.02;
  for (int c = 0; c < t.dims; ++c) {
    double most = 0;
    for (std::int64_t j = 0; j < t.samples(); ++j)
      most = std::max(most, std::abs(t.points[std::size_t(j * t.dims + c)]));
    const double edge = double(scan.geometry.matrix[std::size_t(c)]) / 2;
    const std::string reason = "along k" + std::string(1, "xyz"[c]) + " it reaches " + numberText(most) +
                               " of " + numberText(edge) + " cycles/FOV";
    if (most > maxCoverage * edge)
      findings.push_back({FindingWeight::suspicious, "The trajectory reaches beyond the matrix", reason,
                          "Use a larger matrix, or check the unit of k"});
    else if (most < minCoverage * edge)
      findings.push_back({FindingWeight::note, "The trajectory does not fill the matrix", reason,
                          "The image is smoother than its pixels suggest"});
  }
  const double pixels = double(product(scan.geometry.matrix));
  const double samples = double(t.samples()) * scan.coils;
  if (samples < pixels)
    findings.push_back({FindingWeight::note, "There are fewer samples than pixels",
                        numberText(samples) + " samples of all coils for " + numberText(pixels) + " pixels",
                        "Expect streaks from plain gridding"});
}

void checkTrajectory(const Scan& scan, std::vector<Finding>& findings) {
  const Trajectory& t = scan.trajectories.front();
  std::vector<double> steps;
  double longest = 0;
  std::int64_t at = 0;
  for (std::size_t s = 0; s + 1 < t.shotOffsets.size(); ++s)
    for (std::int64_t j = t.shotOffsets[s] + 1; j < t.shotOffsets[s + 1]; ++j) {
      double square = 0;
      for (int c = 0; c < t.dims; ++c)
        square +=
            std::pow(t.points[std::size_t(j * t.dims + c)] - t.points[std::size_t((j - 1) * t.dims + c)], 2);
      steps.push_back(std::sqrt(square));
      if (steps.back() > longest) {
        longest = steps.back();
        at = std::int64_t(s);
      }
    }
  if (!steps.empty()) {
    const auto middle = steps.begin() + std::ptrdiff_t(steps.size() / 2);
    std::nth_element(steps.begin(), middle, steps.end());
    constexpr double jumpRatio = 20;     // to the median step
    constexpr double maxSmoothStep = 2;  // cycles/FOV: random patterns step farther
    if (*middle > 0 && *middle < maxSmoothStep && longest > jumpRatio * *middle && longest > maxSmoothStep)
      findings.push_back({FindingWeight::suspicious, "The trajectory jumps",
                          "a step of " + numberText(longest) + " cycles/FOV in shot " + std::to_string(at) +
                              ", the median step is " + numberText(*middle),
                          "Check that shape: order of samples and shots, wrapped coordinates"});
  }
  // shots that all run the same way
  bool same = t.shots() > 1;
  const std::int64_t first = t.shotOffsets[1];
  for (std::size_t s = 1; same && s + 1 < t.shotOffsets.size(); ++s)
    same = t.shotOffsets[s + 1] - t.shotOffsets[s] == first &&
           std::equal(t.points.begin(), t.points.begin() + first * t.dims,
                      t.points.begin() + t.shotOffsets[s] * t.dims);
  if (same)
    findings.push_back({FindingWeight::wrong, "All shots have the same trajectory",
                        countText(t.shots(), "shot", "shots") + " on the same points",
                        "The rotation of the shots is missing, or they are frames (decision frames)"});
}

void checkTiming(const Scan& scan, std::vector<Finding>& findings) {
  const Trajectory& t = scan.trajectories.front();
  if (t.times.empty()) {
    findings.push_back({FindingWeight::note, "The sample times are not known", "the file gives no dwell time",
                        "Field correction needs them: write sample_time_us, or a column of times"});
    return;
  }
  const double longest = *std::max_element(t.times.begin(), t.times.end());
  constexpr double maxReadoutSeconds = 1;
  if (longest > maxReadoutSeconds)
    findings.push_back({FindingWeight::suspicious, "The readouts last unusually long",
                        numberText(longest) + " s", "Check the unit of the sample times"});
}

void checkNoise(const Scan& scan, std::vector<Finding>& findings) {
  if (scan.noise.empty()) {
    if (scan.coils > 1)
      findings.push_back({FindingWeight::note, "There are no noise readouts",
                          "the coils cannot be prewhitened from the file", ""});
    return;
  }
  const std::int64_t n = std::int64_t(scan.noise.size()) / scan.coils;
  double low = HUGE_VAL, high = 0;
  for (int coil = 0; coil < scan.coils; ++coil) {
    double power = 0;
    for (std::int64_t j = 0; j < n; ++j) power += std::norm(cdouble(scan.noise[std::size_t(coil * n + j)]));
    power = std::sqrt(power / double(n));
    low = std::min(low, power);
    high = std::max(high, power);
  }
  constexpr double maxNoiseRatio = 30;
  if (low == 0 || high > maxNoiseRatio * low)
    findings.push_back({FindingWeight::suspicious, "The noise differs widely between coils",
                        "rms from " + numberText(low) + " to " + numberText(high),
                        "Prewhiten, and check the weak coils"});
}

}  // namespace

std::vector<Finding> checkScan(const Scan& scan, const Progress& progress) {
  std::vector<Finding> findings;
  checkReader(scan, findings);
  checkGeometry(scan, findings);
  checkPlaces(scan, findings);
  checkCoverage(scan, findings);
  checkTrajectory(scan, findings);
  checkTiming(scan, findings);
  checkNoise(scan, findings);
  checkReadouts(scan, findings, progress.part(0, 0.6));
  checkCoils(scan, findings, progress.part(0.6, 1));
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.weight < b.weight; });
  return findings;
}

std::string weightName(FindingWeight weight) {
  switch (weight) {
    case FindingWeight::wrong:
      return "wrong";
    case FindingWeight::suspicious:
      return "suspicious";
    default:
      return "note";
  }
}

}  // namespace spokelab
