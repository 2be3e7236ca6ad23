// info of a Pulseq sequence: its facts for people and as JSON.
#pragma once

#include <filesystem>

#include <nlohmann/json.hpp>

#include "app/cli/context.h"

namespace spokelab::cli {

void describeSequence(CommandContext& context, const std::filesystem::path& file, nlohmann::json& document);

}  // namespace spokelab::cli
