// Shared by the tests of the reader's decisions: sound scans, changes of their acquisitions, and
// files made of both.
#pragma once

#include <QTemporaryDir>

#include <cmath>
#include <functional>
#include <map>

#include "engine/scan/read/read_scan.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/engine/scan/variant_file.h"

namespace spokelab::test {

inline std::shared_ptr<const Scan> radialScan(std::int64_t n = 64, int coils = 2, int frames = 1) {
  SimulateOptions o;
  o.trajectory.pattern = Pattern::goldenRadial2d;
  o.trajectory.matrix = {n, n, 1};
  o.trajectory.shots = 20;
  o.coils = coils;
  o.frames = frames;
  o.noise = 0.01;
  o.fov = {240, 240, 5};
  return simulate(o, Progress());
}

inline std::shared_ptr<const Scan> volumeScan() {
  SimulateOptions o;
  o.trajectory.pattern = Pattern::stackOfStars;
  o.trajectory.matrix = {16, 16, 8};
  o.fov = {240, 240, 120};
  return simulate(o, Progress());
}

inline const Decision* decisionOn(const Scan& scan, const std::string& topic) {
  for (const Decision& d : scan.decisions)
    if (d.topic == topic) return &d;
  return nullptr;
}

inline std::string choiceOn(const Scan& scan, const std::string& topic) {
  const Decision* d = decisionOn(scan, topic);
  return d ? d->choice : "";
}

inline double largestDifference(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return HUGE_VAL;
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

inline void scale(std::vector<TestAcquisition>& all, double factor) {
  for (TestAcquisition& a : all)
    for (float& k : a.trajectory) k = float(k * factor);
}

// Adds a column to the trajectory: value(shot, sample).
inline void addColumn(std::vector<TestAcquisition>& all, const std::function<double(int, int)>& value) {
  for (std::size_t s = 0; s < all.size(); ++s) {
    TestAcquisition& a = all[s];
    std::vector<float> wider;
    const std::size_t columns = a.head.trajectory_dimensions;
    for (std::size_t i = 0; i < a.head.number_of_samples; ++i) {
      wider.insert(wider.end(), a.trajectory.begin() + std::ptrdiff_t(i * columns),
                   a.trajectory.begin() + std::ptrdiff_t((i + 1) * columns));
      wider.push_back(float(value(int(s), int(i))));
    }
    a.trajectory = std::move(wider);
    ++a.head.trajectory_dimensions;
  }
}

inline void setFlag(TestAcquisition& a, int flag) {
  a.head.flags |= std::uint64_t(1) << (flag - 1);
}

inline constexpr int noiseFlag = 19, calibrationFlag = 20, calibrationAndImagingFlag = 21, reversedFlag = 22,
                     unknownFlag = 40;

// Writes acquisitions to a file and reads it.
class VariantReader {
 protected:
  QTemporaryDir folder_;

  std::shared_ptr<const Scan> read(const std::string& xml, const std::vector<TestAcquisition>& all,
                                   const std::map<std::string, std::string>& overrides = {},
                                   const std::string& group = "dataset") {
    const std::filesystem::path file = folder_.filePath("scan.h5").toStdString();
    writeVariant(file, xml, all, group);
    ReadOptions options;
    options.overrides = overrides;
    return readScan(file, options, Progress());
  }
  std::shared_ptr<const Scan> read(const Scan& scan, const std::vector<TestAcquisition>& all,
                                   const std::map<std::string, std::string>& overrides = {}) {
    return read(headerText(spaceOf(scan), spaceOf(scan)), all, overrides);
  }
};

}  // namespace spokelab::test
