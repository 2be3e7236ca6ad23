// Reconstructs a scan that is larger than its share of the memory, in blocks of frames: one block
// is read while the block before is reconstructed.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/recon/run/reconstruction.h"

namespace spokelab {

// Reads the frames that a list names ("0-3,7") as the frames 0, 1, ... of a scan.
using FrameReader = std::function<std::shared_ptr<const Scan>(const std::string& frames, const Progress&)>;
using BlockReconstruction = std::function<Reconstruction(const Scan&, const Progress&)>;

// Frames to read together, in order; `bytes`: of one frame, `room`: for all that is held at once,
// which is two blocks (one is read while the other is reconstructed) and the images of all frames,
// `imageBytes` each. One block where everything fits.
std::vector<std::vector<int>> frameBlocks(const std::vector<int>& frames, double bytes, double imageBytes,
                                          double room);

// Reconstructs block after block. The result is the same as from one job: all frames' images in
// order, the notes of all blocks, each once, times added up; `read` in its account is what the job
// waited for. `scan`: gets the scan of the first block. A cancel keeps the frames that are
// complete.
Reconstruction reconstructBlocks(const std::vector<std::vector<int>>& blocks, const FrameReader& reader,
                                 const BlockReconstruction& reconstruct, std::shared_ptr<const Scan>& scan,
                                 const Progress& progress);

}  // namespace spokelab
