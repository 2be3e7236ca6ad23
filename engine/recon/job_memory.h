// The memory that a job of a scan takes at least, compared with what there is before the job takes
// it. What plans take beyond their grid is compared where they are made (CpuPlanDesign::memory).
#pragma once

#include "engine/recon/backend.h"
#include "engine/recon/options/options.h"
#include "engine/scan/scan.h"

namespace spokelab {

// Bytes: the image of all frames and slices; points and density weights in double precision; a copy
// of the samples where coils are mixed or left out; samples, images and a grid of the coils that
// are gridded at once; sums of squares, or all coils' images. SENSE: coil maps twice, five vectors of
// its iterations, images and samples of the coils that are transformed at once.
double reconstructionBytes(const Scan& scan, const ReconOptions& options);

// Throws Error where the job needs more than there is.
void requireReconstructionMemory(const Scan& scan, const ReconOptions& options);

// What the job takes, plans included: on the host, and on the device where one of the backends has
// one. 0: not known, as for plans that the tuner has yet to choose and that have no estimate.
JobMemory jobMemory(const Scan& scan, const ReconOptions& options, const std::vector<Backend*>& backends);

// The options with as few coils at a time as `room` bytes of host memory allow, where the job as
// asked for takes more; unchanged where fewer coils would not help, or options are reproducible. Notes say so.
ReconOptions fittedToMemory(const Scan& scan, ReconOptions options, double room,
                            std::vector<std::string>& notes);

// Bytes of host memory that decide whether a volume is divided. What happens to be free must not change what a
// reproducible job computes: there all of it counts.
double roomToDivide(const ReconOptions& options);

// The options with the volume in as few slabs as let its plan fit into `room` bytes on the host, into the memory
// of a device, and under the memory limit, on one of the backends; unchanged where it fits undivided, where slabs
// are given or do not help. With fewer images at a time, the plan needs room for one. A note says so.
ReconOptions dividedToFit(const Scan& scan, ReconOptions options, const std::vector<Backend*>& backends,
                          double room, std::vector<std::string>& notes);

}  // namespace spokelab
