// Makes the exact field-corrected transform (Gdft, GdftR2: gdft_problem.h) on the CPU.
#pragma once

#include <memory>

#include "engine/recon/field/gdft/gdft_problem.h"
#include "engine/recon/operators/sample_transform.h"

namespace spokelab {

// threads <= 0: all. Throws Error where the problem's arrays do not fit together.
template <class Real>
std::unique_ptr<SampleTransform<Real>> makeCpuGdft(const GdftProblem& problem, int threads = 0);

}  // namespace spokelab
