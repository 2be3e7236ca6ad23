// Rows of the table of options: where a reconstruction runs.
#pragma once

#include "engine/core/option_table.h"

namespace spokelab {

struct ReconOptions;

void addMachineOptions(OptionTable<ReconOptions>& table);

}  // namespace spokelab
