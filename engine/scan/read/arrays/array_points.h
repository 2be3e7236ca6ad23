// The points of a scan of plain arrays: coordinates, density weights and times of each acquisition.
#pragma once

#include "engine/scan/read/arrays/array_layout.h"
#include "engine/scan/read/steps/assemble_scan.h"

namespace spokelab {

// Columns named kx, ky, kz come first, in that order; the other columns keep their names.
std::vector<ColumnSource> columnOrder(const std::vector<ColumnSource>& columns, const Decisions& d);

// The columns of each acquisition, k first: frames, slices, partitions and shots that are read.
// Acquisitions with coordinates that are not finite are marked (RawTrajectory::bad). Throws Error,
// Cancelled.
RawTrajectory arrayTrajectory(const ArrayLayout& layout, const std::vector<ColumnSource>& order, Decisions& d,
                              const Progress& progress);

// Weights and times that the description names, as columns of the trajectory or in files of their
// own, become further columns of in.raw. They hold along the axes that they lack.
void addNamedColumns(const ArrayLayout& layout, Interpretation& in, Decisions& d, const Progress& progress);

}  // namespace spokelab
