// Reconstructions on the CPU that tests share: the result, or why there is none.
#pragma once

#include <string>

#include "engine/core/error.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/run/run_job.h"
#include "engine/recon/sense/backend_cpu.h"

namespace spokelab::test {

inline Reconstruction run(const Scan& scan, const ReconOptions& options) {
  return runJob(*makeCpuBackend(), scan, options, nullptr, nullptr, {});
}

// A few iterations of SENSE over a plan whose alpha and W are given.
inline ReconOptions senseOptions() {
  ReconOptions options;
  options.nufft.alpha = 2;
  options.nufft.width = 6;
  options.iterative.method = ReconMethod::sense;
  options.iterative.transform = TransformKind::nufft;
  options.iterative.solver = {8, 1e-3, 0, Regularization::tikhonov};
  return options;
}

// The reason of the Error that a reconstruction ends with, or "no error".
inline std::string reasonOf(const Scan& scan, const ReconOptions& options) {
  try {
    run(scan, options);
  } catch (const Error& error) {
    return error.reason();
  }
  return "no error";
}

}  // namespace spokelab::test
