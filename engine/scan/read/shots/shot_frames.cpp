#include "engine/scan/read/shots/shot_frames.h"

#include <utility>

#include "engine/core/memory/memory_check.h"

namespace spokelab {
namespace {

template <class Complex>
Buffer<Complex> samplesOf(const Buffer<Complex>& all, std::int64_t rows, const Trajectory& t,
                          const std::vector<int>& shots) {
  Buffer<Complex> part;
  for (std::int64_t r = 0; r < rows; ++r) {
    const auto row = all.begin() + r * t.samples();
    for (const int s : shots)
      part.insert(part.end(), row + t.shotOffsets[std::size_t(s)], row + t.shotOffsets[std::size_t(s) + 1]);
  }
  return part;
}

Trajectory trajectoryOf(const Trajectory& t, const std::vector<int>& shots) {
  Trajectory part;
  part.dims = t.dims;
  for (const int s : shots) {
    const std::int64_t first = t.shotOffsets[std::size_t(s)], last = t.shotOffsets[std::size_t(s) + 1];
    part.points.insert(part.points.end(), t.points.begin() + first * t.dims,
                       t.points.begin() + last * t.dims);
    if (!t.times.empty())
      part.times.insert(part.times.end(), t.times.begin() + first, t.times.begin() + last);
    part.shotOffsets.push_back(part.shotOffsets.back() + last - first);
  }
  return part;
}

}  // namespace

void divideShots(Scan& scan, const std::vector<std::vector<int>>& frames, const std::string& what,
                 Decisions& d) {
  const std::int64_t rows = std::int64_t(scan.slices) * scan.coils;
  double kept = 0;
  for (const auto& shots : frames) kept += double(shots.size());
  const double share = kept / double(scan.trajectories.front().shots());
  const bool isDouble = scan.isDouble();
  requireMemory(share * (double(scan.samples.front().size()) * Scan::bytesPerSample(isDouble) +
                         double(scan.trajectories.front().points.size()) * sizeof(double)),
                d.problem(), what, "Use fewer shots in all frames, or read fewer frames");
  const Trajectory whole = std::move(scan.trajectories.front());
  const Buffer<cfloat> samples = std::move(scan.samples.front());
  const Buffer<cdouble> doubles = isDouble ? std::move(scan.doubleSamples.front()) : Buffer<cdouble>{};
  const std::vector<double> times =
      scan.shotTimes.empty() ? std::vector<double>{} : std::move(scan.shotTimes.front());
  scan.trajectories.clear();
  scan.samples.clear();
  scan.doubleSamples.clear();
  scan.shotTimes.clear();
  scan.frames = int(frames.size());
  for (const std::vector<int>& shots : frames) {
    scan.samples.push_back(samplesOf(samples, rows, whole, shots));
    if (isDouble) scan.doubleSamples.push_back(samplesOf(doubles, rows, whole, shots));
    if (!times.empty()) {
      scan.shotTimes.emplace_back();
      for (const int s : shots) scan.shotTimes.back().push_back(times[std::size_t(s)]);
    }
    scan.trajectories.push_back(trajectoryOf(whole, shots));
  }
  if (!whole.weights.empty())
    d.warn("The file's density weights are areas of the whole pattern; its windows and bins have none");
}

}  // namespace spokelab
