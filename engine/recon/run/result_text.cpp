#include "engine/recon/run/result_text.h"

#include <algorithm>

#include "engine/core/text.h"
#include "engine/recon/options/recipe_table.h"

namespace spokelab {
namespace {

constexpr int alphaDigits = 3;

std::size_t iterationsDone(const Reconstruction& result) {
  std::size_t largestCount = 0;
  for (const IterationRecord& record : result.iterations)
    largestCount = std::max(largestCount, record.residuals.size());
  return largestCount;
}

// Title of a gridding: the grid that the samples were spread on.
std::string griddingTitle(const Reconstruction& result) {
  if (result.options.exact) return "exact sum";
  const NufftOptions& plan = result.plan.options;
  if (!(plan.alpha > 0) || !(plan.width > 0)) return "gridding";
  return "gridding α " + numberText(plan.alpha, alphaDigits) + " W " + numberText(plan.width, alphaDigits);
}

std::string iterativeTitle(const Reconstruction& result) {
  const IterativeOptions& o = result.options.iterative;
  std::string text(recipeOf(o.method).title);
  if (result.options.exact)
    text += " exact";
  else if (o.transform != TransformKind::automatic)
    text += ' ' + std::string(transformName(o.transform));
  if (o.solver.lambda > 0) {
    const bool titleNamesPrior = recipeOf(o.method).regularization.has_value();
    if (!titleNamesPrior && o.solver.regularization == Regularization::totalVariation) text += " TV";
    if (!titleNamesPrior && o.solver.regularization == Regularization::roughness) text += " roughness";
    text += " λ " + numberText(o.solver.lambda, 3);
  }
  const std::size_t done = iterationsDone(result);
  return text + ", " + countText(done > 0 ? std::int64_t(done) : o.solver.iterations, "iteration");
}

// The plan as it was settled in place of what was left to the tuner.
ReconOptions optionsUsed(const Reconstruction& result) {
  ReconOptions used = result.options;
  if (result.plan.backend.empty() || used.exact) return used;
  used.nufft = result.plan.options;
  used.backend = result.plan.backend;
  return used;
}

// A value of the table as a person writes it.
std::string valueText(const std::string& value, const OptionSpec& spec) {
  if (value.empty()) return spec.empty.empty() ? std::string(automaticOption) : spec.empty;
  if (value == automaticOption) return value;
  const std::string text = spec.type == OptionType::number ? numberText(leadingNumber(value)) : value;
  return spec.unit.empty() ? text : text + ' ' + spec.unit;
}

std::string sizeOf(const Reconstruction& result) {
  if (!result.image) return "no image";
  const std::string size = sizeText(result.image->size, 3, " x ");
  return result.image->frames > 1 ? size + ", " + countText(result.image->frames, "frame") : size;
}

}  // namespace

std::string resultTitle(const Reconstruction& result) {
  if (isImported(result)) return result.plan.description;
  const ReconOptions& o = result.options;
  const bool gridding = !recipeOf(o.iterative.method).iterates;
  std::string text = gridding ? griddingTitle(result) : iterativeTitle(result);
  if (gridding && o.combination == Combination::adaptive) text += ", adaptive";
  if (o.virtualCoils > 0) text += ", " + countText(o.virtualCoils, "virtual coil");
  if (o.precision == Precision::double64) text += ", double";
  if (kindOf(result.plan.backend) == BackendKind::gpu) text += ", GPU";
  return result.cancelled ? text + ", cancelled" : text;
}

std::vector<ResultDifference> resultDifferences(const Reconstruction& left, const Reconstruction& right) {
  std::vector<ResultDifference> rows;
  const auto add = [&rows](std::string what, std::string a, std::string b) {
    if (a != b) rows.push_back({std::move(what), std::move(a), std::move(b)});
  };
  add("Image", sizeOf(left), sizeOf(right));
  if (isImported(left) || isImported(right)) {
    add("Made as", resultTitle(left), resultTitle(right));
  } else {
    const ReconOptions a = optionsUsed(left), b = optionsUsed(right);
    for (const OptionSpec& spec : reconOptionTable()) {
      const std::string x = optionValue(a, spec.name), y = optionValue(b, spec.name);
      if (x != y) add(spec.label, valueText(x, spec), valueText(y, spec));
    }
    add("Density weights", left.density, right.density);
    add("Iterations done", std::to_string(iterationsDone(left)), std::to_string(iterationsDone(right)));
    add("Predicted error", predictedErrorText(left.plan), predictedErrorText(right.plan));
  }
  const auto seconds = [](double s) { return s > 0 ? secondsText(s) : std::string("none"); };
  add("Time", seconds(left.seconds), seconds(right.seconds));
  add("Time of transforms", seconds(left.timings.total), seconds(right.timings.total));
  add("Time of tuning", seconds(left.tuningSeconds), seconds(right.tuningSeconds));
  return rows;
}

}  // namespace spokelab
