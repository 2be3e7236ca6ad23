// The memory that a job takes at least, before it takes it. What plans take beyond their grid is
// compared where they are made (CpuPlanDesign::memory).
#pragma once

#include "engine/recon/job/job_plan.h"

namespace spokelab {

// Bytes of host memory without the transforms' plans: the image of all frames and slices; points
// and density weights in double precision; a copy of the samples where coils are mixed or left out;
// samples, images and a grid of the coils that are gridded at once; sums of squares, or all coils'
// images. SENSE: coil maps twice, five vectors of its iterations, images and samples of the coils
// that are transformed at once.
double hostBytes(const JobPlan& plan);

// Bytes of the vectors that iterations keep in a device's memory, if they are kept there.
double deviceVectorBytes(const JobPlan& plan);

// True if the iterations keep samples of all coils beside images: primal-dual steps and LSMR do.
bool keepsSamples(const JobPlan& plan);

// hostBytes() with the plans of the backends, and the device's share.
JobMemory memoryOf(const JobPlan& plan, const JobMachine& machine);

// Halves the coils at a time until the job fits into `room`, unless it is reproducible. Notes it.
void fitCoilsInto(JobPlan& plan, double room);

// Throws Error if the image, or the smallest plan of each place, exceeds the memory limit.
void requireRoomForPlan(const JobPlan& plan, const JobMachine& machine, const std::string& scanName);

// Throws Error where the job needs more memory than the machine has.
void requireMemoryFor(const JobPlan& plan, const std::string& scanName);

}  // namespace spokelab
