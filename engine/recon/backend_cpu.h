// The CPU as a backend: the engine's own plans, and the roads of gridding.h and iterate_scan.h.
#pragma once

#include <memory>

#include "engine/recon/backend.h"

namespace spokelab {

std::unique_ptr<Backend> makeCpuBackend();

}  // namespace spokelab
