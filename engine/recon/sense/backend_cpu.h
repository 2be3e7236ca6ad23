// The CPU as a backend: the engine's own plans.
#pragma once

#include <memory>

#include "engine/recon/sense/backend.h"

namespace spokelab {

std::unique_ptr<Backend> makeCpuBackend();

}  // namespace spokelab
