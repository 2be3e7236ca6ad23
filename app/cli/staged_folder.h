// The engine's StagedFolder, under the name that commands and reports use.
#pragma once

#include "engine/core/staged_folder.h"

namespace spokelab::cli {

using spokelab::StagedFolder;

}  // namespace spokelab::cli
