// The exact field-corrected transform on the CPU.
#pragma once

#include <memory>

#include "engine/recon/field/gdft/gdft_problem.h"
#include "engine/recon/operators/sample_transform.h"

namespace spokelab {

// The CPU's: threads <= 0 means all.
template <class Real>
std::unique_ptr<SampleTransform<Real>> makeCpuGdft(const GdftProblem& problem, int threads = 0);

}  // namespace spokelab
