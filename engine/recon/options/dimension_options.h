// Rows of the table of options: values for each dimension of the image, as in 16x16x8.
#pragma once

#include "engine/core/option_table.h"

namespace spokelab {

struct ReconOptions;

void addAxisAlpha(OptionTable<ReconOptions>& table);
void addBins(OptionTable<ReconOptions>& table);

}  // namespace spokelab
