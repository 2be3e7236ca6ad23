// Gdft and GdftR2 on the GPU. Points, field and gradients stay on the device for the life of the
// transform; images and samples may be host or device memory (Execution::devicePointers), on any
// stream.
#pragma once

#include <memory>

#include "engine/recon/field/gdft/gdft.h"

namespace spokelab::gpu {

// Real = double uses the plain reference kernel. Throws Error (sizes, a method that the problem
// does not allow, memory).
template <class Real>
std::unique_ptr<SampleTransform<Real>> makeCudaGdft(const GdftProblem& problem);

}  // namespace spokelab::gpu
