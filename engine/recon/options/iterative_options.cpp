#include "engine/recon/options/iterative_options.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "engine/core/text.h"
#include "engine/recon/options/options.h"
#include "engine/recon/options/recipe_table.h"

namespace spokelab {
namespace {

// "60 with wavelet, tgv; 150 with grasp; 10 with the others"
std::string ownValuesText(std::string_view option) {
  std::vector<std::pair<std::string_view, std::vector<std::string>>> methods;  // of a value
  for (const Recipe& recipe : recipeTable())
    for (const RecipeDefault& set : recipe.defaults) {
      if (set.option != option || recipe.name.empty()) continue;
      auto row = std::find_if(methods.begin(), methods.end(),
                              [&set](const auto& known) { return known.first == set.value; });
      if (row == methods.end()) row = methods.insert(row, {set.value, {}});
      row->second.emplace_back(recipe.name);
    }
  std::string text;
  for (const auto& [value, names] : methods) text += std::string(value) + " with " + joined(names) + "; ";
  for (const RecipeDefault& set : commonDefaults())
    if (set.option == option) text += std::string(set.value) + " with the others";
  return text;
}

}  // namespace

std::string_view dataWeightsName(DataWeights w) {
  return w == DataWeights::density ? "density" : "none";
}
std::string_view fieldUnitName(FieldUnit u) {
  return u == FieldUnit::hertz ? "Hz" : "rad/s";
}

std::vector<std::string> methodNames() {
  std::vector<std::string> names;
  for (const Recipe& recipe : recipeTable())
    if (!recipe.name.empty()) names.emplace_back(recipe.name);
  return names;
}

std::string methodsHelp() {
  std::string help;
  for (const Recipe& recipe : recipeTable())
    if (!recipe.name.empty())
      help += (help.empty() ? "" : "; ") + std::string(recipe.name) + ": " + std::string(recipe.help);
  return help;
}

std::string iterationsHelp() {
  return "Most iterations; auto: " + ownValuesText("iterations");
}

std::string lambdaHelp() {
  return "Weight of the regularization, scaled so that it carries over between scans; 0: none; auto: " +
         ownValuesText("lambda");
}

std::string lambdaText(const ReconOptions& options) {
  const double lambda = options.iterative.solver.lambda;
  return lambda < 0 ? std::string(automaticOption) : exactNumberText(lambda);
}
void setLambdaText(ReconOptions& options, const std::string& value) {
  options.iterative.solver.lambda = value == automaticOption ? methodsLambda : optionNumber(value);
}

std::string methodOf(const ReconOptions& options) {
  return std::string(reconMethodName(options.iterative.method));
}

void setMethod(ReconOptions& options, const std::string& name) {
  for (const Recipe& recipe : recipeTable())
    if (recipe.name == name) options.iterative.method = recipe.method;
}

FieldImages fieldImages(const std::string& fieldMap) {
  FieldImages images;
  std::error_code missing;
  if (fieldMap.find(',') == std::string::npos || std::filesystem::exists(fieldMap, missing)) return images;
  const std::string magnitude = "magnitude=";
  for (std::size_t begin = 0; begin <= fieldMap.size();) {
    const std::size_t end = std::min(fieldMap.find(',', begin), fieldMap.size());
    const std::string name = fieldMap.substr(begin, end - begin);
    if (name.starts_with(magnitude))
      images.magnitude = name.substr(magnitude.size());
    else if (!name.empty())
      images.echoes.push_back(name);
    begin = end + 1;
  }
  return images;
}

bool isFoundField(const std::string& fieldMap) {
  return fieldMap == fieldOfEchoes || !fieldImages(fieldMap).empty();
}

std::string_view reconMethodName(ReconMethod method) {
  return recipeOf(method).name;
}

}  // namespace spokelab
