// The lines for phase correction that a measurement has beside its image lines (correct_ghost.h).
#pragma once

#include "engine/scan/formats/acquisitions/acquisition_reader.h"
#include "engine/scan/read/correct/correct_ghost.h"
#include "engine/scan/read/steps/group_frames.h"

namespace spokelab {

// Reads the lines of the first frame's slices that have the image's number of channels. Empty if no
// line of the image is flagged as reversed. `scan`: as the file's lines were stored. Throws Error,
// Cancelled.
EpiNavigators readNavigators(AcquisitionSource& file, const Selection& selection, const Groups& groups,
                             const Scan& scan, const Progress& progress);

}  // namespace spokelab
