// The options by intent, and which of them do nothing beside the others: written once for the
// parameter panel, the command line's help and the notes of results.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/option_table.h"

namespace spokelab {

struct ReconOptions;

struct OptionGroup {
  std::string title;
  std::vector<OptionSpec> options;
};

inline constexpr std::string_view essentialsGroup = "Essentials";

// The options that most reconstructions need, then the rest by the table's groups, each option
// once.
const std::vector<OptionGroup>& optionGroups();

// Why an option does nothing beside the others: a sentence; empty where it acts.
std::string whyIdle(const ReconOptions& options, std::string_view name);

// An option whose value names a file (beside words that it may take).
bool takesFile(std::string_view name);

}  // namespace spokelab
