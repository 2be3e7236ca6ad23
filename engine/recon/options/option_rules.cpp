#include "engine/recon/options/option_rules.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>

#include "engine/recon/options/options.h"
#include "engine/recon/options/recipe_table.h"

namespace spokelab {
namespace {

// The order of groups after the essentials: a person's choices before the transform's.
constexpr std::array<std::string_view, 10> groupOrder{
    iterationsGroup, subspaceGroup,    "Coils",    "Field", "Shots",
    "Selection",     "Reconstruction", "Accuracy", "Plan",  "Tuning"};

std::vector<OptionGroup> grouped() {
  std::vector<OptionGroup> groups{{std::string(essentialsGroup), {}}};
  std::vector<OptionSpec>& essentials = groups.front().options;
  for (const OptionSpec& spec : reconOptionTable())
    if (spec.essential > 0) essentials.push_back(spec);
  std::sort(essentials.begin(), essentials.end(),
            [](const OptionSpec& a, const OptionSpec& b) { return a.essential < b.essential; });
  for (const std::string_view title : groupOrder) {
    OptionGroup group{std::string(title), {}};
    for (const OptionSpec& spec : reconOptionTable())
      if (spec.group == title && spec.essential == 0) group.options.push_back(spec);
    groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace

const std::vector<OptionGroup>& optionGroups() {
  static const std::vector<OptionGroup> groups = grouped();
  return groups;
}

std::vector<ChangedOption> changedOptions(const ReconOptions& options) {
  const ReconOptions defaults;
  ReconOptions own = options;
  std::set<std::string_view> ofMethod;
  for (const std::span<const RecipeDefault> sets : {recipeOf(options).defaults, commonDefaults()})
    for (const RecipeDefault& set : sets) {
      ofMethod.insert(set.option);
      setOption(own, std::string(set.option), optionValue(defaults, std::string(set.option)));
    }
  own = withRecipeDefaults(std::move(own));
  std::vector<ChangedOption> changed;
  for (const OptionSpec& spec : reconOptionTable()) {
    std::string value = optionValue(options, spec.name);
    const bool isOwn = ofMethod.contains(spec.name) && value == optionValue(own, spec.name);
    if (value != optionValue(defaults, spec.name) && !isOwn) changed.push_back({&spec, std::move(value)});
  }
  return changed;
}

std::string unusedOptions(const ReconOptions& options) {
  if (recipeOf(options.iterative.method).iterates) return {};
  const ReconOptions defaults;
  std::vector<std::string> names;
  for (const OptionSpec& spec : reconOptionTable())
    if (spec.group == iterationsGroup && !whyIdle(options, spec.name).empty() &&
        optionValue(options, spec.name) != optionValue(defaults, spec.name))
      names.push_back(spec.name);
  return joined(names);
}

}  // namespace spokelab
