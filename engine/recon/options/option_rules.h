// The options by intent: written once for the parameter panel and the command line's help.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/options/option_table.h"

namespace spokelab {

struct OptionGroup {
  std::string title;
  std::vector<OptionSpec> options;
};

inline constexpr std::string_view essentialsGroup = "Essentials";

// Options that most reconstructions need, then the rest by the table's groups, each option once.
const std::vector<OptionGroup>& optionGroups();

}  // namespace spokelab
