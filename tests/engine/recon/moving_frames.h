// Scans whose frames have points of their own, for tests of gridding them together.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "engine/recon/reconstruct.h"
#include "engine/recon/run/run_job.h"
#include "engine/scan/simulate/simulate.h"

namespace spokelab::test {

// Each frame has its own golden-angle spokes, frame f one or two fewer than frame 0, and its own
// brightness; each slice half that of the one before.
inline std::shared_ptr<const Scan> movingFrames(int frames, int coils, int slices = 1) {
  std::shared_ptr<Scan> all;
  for (int f = 0; f < frames; ++f) {
    SimulateOptions options;
    options.trajectory.pattern = Pattern::goldenRadial2d;
    options.trajectory.matrix = {32, 32, 1};
    options.trajectory.shots = 30 - f % 3;
    options.coils = coils;
    const auto one = simulate(options, {});
    if (!all) {
      all = std::make_shared<Scan>(*one);
      all->trajectories.clear();
      all->samples.clear();
    }
    Trajectory turned = one->trajectories.front();
    for (std::size_t i = 0; f % 2 == 1 && i < turned.points.size(); i += 2)
      std::swap(turned.points[i], turned.points[i + 1]);
    all->trajectories.push_back(std::move(turned));
    all->samples.push_back(one->samples.front());
    for (cfloat& y : all->samples.back()) y *= float(f + 1);
    Buffer<cfloat> slice = all->samples.back();
    for (int s = 1; s < slices; ++s) {
      for (cfloat& y : slice) y *= 0.5F;
      all->samples.back().insert(all->samples.back().end(), slice.begin(), slice.end());
    }
  }
  all->frames = frames;
  all->slices = slices;
  return all;
}

inline ReconOptions frameOptions(int threads) {
  ReconOptions options;
  options.nufft.accuracy = 1e-4;
  options.nufft.alpha = 2;
  options.nufft.width = 6;
  options.nufft.threads = threads;
  return options;
}

// The largest relative difference of a frame from that of a job for this frame alone.
inline double differenceFromSingleJobs(Backend& backend, const Scan& scan, ReconOptions options,
                                       const Image& image) {
  double worst = 0;
  for (int f = 0; f < image.frames; ++f) {
    options.frames = std::to_string(f);
    const Reconstruction one = runJob(backend, scan, options, nullptr, nullptr, {});
    double difference = 0, scale = 0;
    for (std::int64_t i = 0; i < image.volume(); ++i) {
      difference += std::norm(image.frame(f)[i] - one.image->data[std::size_t(i)]);
      scale += std::norm(one.image->data[std::size_t(i)]);
    }
    worst = std::max(worst, std::sqrt(difference / scale));
  }
  return worst;
}

inline bool framesWereTogether(const Reconstruction& result) {
  return std::any_of(result.notes.begin(), result.notes.end(),
                     [](const std::string& note) { return note.find("set together") != std::string::npos; });
}

}  // namespace spokelab::test
