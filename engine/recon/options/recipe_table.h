// The published methods that the program has, a row each: what --method, the parameter panel, the C
// and Python interfaces and reports offer, and what runs. Declared here, below everything that a
// row names; the rows are in recipe/recipe_table.cpp.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/recon/options/iterative_options.h"

namespace spokelab {

class Progress;
class RecipeRun;
struct Expression;
struct JobPlan;
struct RunContext;

// An option that a recipe sets where it is "auto" (a number of coil map sets: where it is 1).
struct RecipeDefault {
  std::string_view option, value;
};

struct Recipe {
  ReconMethod method;
  // Name for --method, title of results, and one line of help. Rows of one method differ in other
  // options; its first row has the name.
  std::string_view name{}, title{}, help{};
  std::string_view words;                         // what it is, for the job's plan
  bool (*serves)(const ReconOptions&) = nullptr;  // of the rows of its method; null: the others do not
  bool iterates = true;
  bool findsMaps = false;            // coil maps are unknowns, too
  bool coilImages = false;           // the images of all coils are one unknown, without maps
  bool joinsFrames = false;          // all frames of a slice are one unknown
  bool usesBasis = false;            // of fewer images, whose combinations they are (job/temporal_basis.h)
  bool matchesFingerprints = false;  // the coefficients with tissues (job/fingerprints.h)
  // minimize ½ |W^½ (E x - y)|² + λ R(x): E by the transform that was chosen (model/models.h); R
  // and the algorithm, in words.
  Expression (*model)(const JobPlan&, TransformKind);
  std::string_view functional, solver;
  std::optional<Regularization> regularization{};  // of the method itself; none: the options'
  std::span<const RecipeDefault> defaults{};
  // Makes what the loop over unknowns calls (run/recipe_run.h). Throws Error; Cancelled.
  std::unique_ptr<RecipeRun> (*run)(RunContext&, const Progress&);
};

std::span<const Recipe> recipeTable();
// Names of the methods that iterate: "sense, pcsense, ...".
std::string iteratingMethods();
// The row with the method's name.
const Recipe& recipeOf(ReconMethod method);
// The row that serves the options.
const Recipe& recipeOf(const ReconOptions& options);
// Defaults of methods that iterate, for options that their recipe does not set.
std::span<const RecipeDefault> commonDefaults();
// The options with their recipe's defaults.
ReconOptions withRecipeDefaults(ReconOptions options);
// The regularization and the end of iterations of the options' recipe.
IterationOptions recipeIterations(const ReconOptions& options);

}  // namespace spokelab
