// engine/recon/functional/low_rank_blocks.h on the device: arrays in device memory, work on the
// space's stream.
#pragma once

#include "cuda/recon/operators/device_space.h"
#include "engine/recon/functional/low_rank_blocks.h"

namespace spokelab::gpu {

// True if the Gram matrix of a block, and its eigenvectors, fit into shared memory: at most 32
// frames, or at most 32 pixels in a block.
bool fitsDevice(const DeviceSpace& space, const LowRankBlocks& blocks);

// roots: [block count]; their squares are the nuclear norms of the new blocks.
void lowRankBlocks(const DeviceSpace& space, const LowRankBlocks& blocks, cfloat* values, cfloat* roots);

}  // namespace spokelab::gpu
