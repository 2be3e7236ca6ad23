// Scans that can be divided over ranks, each part with signals of its own.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/recon/options/options.h"
#include "engine/recon/ranks/rank_reconstruction.h"
#include "engine/scan/simulate/simulate.h"

namespace spokelab::test {

struct Shape {
  int frames = 1, slices = 1, coils = 1;
  bool volume = false;
};

// Slices and frames with signals of their own, noise, and noise lines.
inline std::shared_ptr<const Scan> scanOf(const Shape& shape) {
  SimulateOptions o;
  o.trajectory.pattern = shape.volume ? Pattern::radial3d : Pattern::goldenRadial2d;
  o.trajectory.matrix = shape.volume ? Index3{16, 16, 16} : Index3{48, 48, 1};
  if (!shape.volume) o.trajectory.shots = 40;
  o.coils = shape.coils;
  o.frames = shape.frames;
  o.noise = 0.002;
  auto scan = std::make_shared<Scan>(*simulate(o, {}));
  scan->slices = shape.slices;
  scan->geometry.slicePositions.assign(std::size_t(shape.slices), Vec3{0, 0, 0});
  for (int s = 0; s < shape.slices; ++s) scan->geometry.slicePositions[std::size_t(s)][2] = 5.0 * s;
  for (Buffer<cfloat>& samples : scan->samples) {
    const std::size_t one = samples.size();
    Buffer<cfloat> all(one * std::size_t(shape.slices));
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i] = samples[i % one] * cfloat(1, 0.1F * float(i / one)) + cfloat(1e-3F * float(i % 7), 0);
    samples = all;
  }
  return scan;
}

// The frames and slices that lists name, as a reader gives them.
inline std::shared_ptr<const Scan> partOf(const Scan& scan, const std::string& frameText,
                                          const std::string& sliceText) {
  const std::vector<int> frames = selection(frameText, scan.frames, "frames"),
                         slices = selection(sliceText, scan.slices, "slices");
  auto part = std::make_shared<Scan>(scan);
  part->frames = int(frames.size());
  part->slices = int(slices.size());
  part->samples.clear();
  part->geometry.slicePositions.clear();
  for (const int s : slices)
    part->geometry.slicePositions.push_back(scan.geometry.slicePositions[std::size_t(s)]);
  if (scan.trajectories.size() > 1) part->trajectories.clear();
  for (const int f : frames) {
    if (scan.trajectories.size() > 1) part->trajectories.push_back(scan.trajectories[std::size_t(f)]);
    Buffer<cfloat>& samples = part->samples.emplace_back();
    const std::int64_t count = scan.trajectory(f).samples() * scan.coils;
    for (const int s : slices) samples.insert(samples.end(), scan.data(f, s, 0), scan.data(f, s, 0) + count);
  }
  part->decisions.push_back(
      {"read-frames",
       frameText,
       "set by the user; by itself: all (there are " + std::to_string(scan.frames) + ")",
       {},
       true,
       false,
       scan.frames});
  return part;
}

inline RankReader readerOf(const std::shared_ptr<const Scan>& scan) {
  return {[scan](const std::string& frames, const std::string& slices, const Progress&) {
            return partOf(*scan, frames, slices);
          },
          true};
}

}  // namespace spokelab::test
