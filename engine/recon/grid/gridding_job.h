// A gridding job: the frames and slices to reconstruct, the image they are written to, and each
// frame's points and weights.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/core/progress.h"
#include "engine/nufft/nufft.h"
#include "engine/nufft/plan/slab_nufft.h"
#include "engine/recon/job_account.h"
#include "engine/recon/options/options.h"
#include "engine/recon/prepare/coil_mixer.h"
#include "engine/recon/prepare/job_image.h"
#include "engine/scan/scan.h"

namespace spokelab {

struct GriddingJob {
  const Scan& scan;
  const ReconOptions& options;
  NufftBackend& backend;
  std::vector<int> frames, slices;
  bool separateCoils = false;
  std::shared_ptr<const CoilMixer> mixer{};  // has copies of samples in the backend's memory; null: none
  std::shared_ptr<CoilMixer> sender{};       // the same, where it sends samples ahead; null: it does not
  SlabShare slabShare{};                     // of this rank, where ranks divide the slabs
  JobImage image{};
  int complete = 0;  // frames of the image that are done
  JobAccount account{};
  // As in Reconstruction.
  std::vector<double> frameSeconds{};
  std::vector<std::string> notes{};
};

// place: of its image (job_image.h). Throws Error: frames or slices that are not there, memory.
GriddingJob makeGriddingJob(const Scan& scan, const ReconOptions& options, NufftBackend& backend,
                            const ImagePlace& place);

// Points of one frame in cycles per pixel, its weights with the N^{-d} of gridding folded in.
struct FrameSetup {
  Buffer<double> points, weights;
  std::string origin;
};
FrameSetup setupFrame(GriddingJob& job, int frame, const Progress& progress);
// The setups of several frames, made side by side if their weights need no transforms.
std::vector<FrameSetup> setupFrames(GriddingJob& job, std::span<const int> frames, const Progress& progress);

}  // namespace spokelab
