// The options by intent: written once for the parameter panel and the command line's help.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/options/option_table.h"

namespace spokelab {

struct ReconOptions;

struct OptionGroup {
  std::string title;
  std::vector<OptionSpec> options;
};

struct ChangedOption {
  const OptionSpec* spec;
  std::string value;
};

// Options that a command needs to repeat these: neither the table's default nor the method's own.
std::vector<ChangedOption> changedOptions(const ReconOptions& options);

inline constexpr std::string_view essentialsGroup = "Essentials";

// Options that most reconstructions need, then the rest by the table's groups, each option once.
const std::vector<OptionGroup>& optionGroups();

}  // namespace spokelab
