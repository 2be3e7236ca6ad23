#include "engine/recon/model/job_model.h"

#include "engine/recon/job/job_text.h"
#include "engine/recon/job/plain_nufft.h"
#include "engine/recon/options/recipe_table.h"
#include "engine/recon/options/solver_choice.h"

namespace spokelab {

RewrittenModel modelOf(const JobPlan& job, TransformKind transform, NormalMethod normal) {
  const bool convolves = transform == TransformKind::segmentedToeplitz && !job.options.exact;
  return rewriteNormal(job.recipe->model(job, transform),
                       {normal, convolves, job.coilsAtOnce, job.basisKernels});
}

RewrittenModel modelOf(const JobPlan& job) {
  const TransformKind transform = job.options.iterative.transform;
  return modelOf(job, transform, plainNufft(transform, job.options.nufft).normal);
}

std::vector<std::pair<std::string, std::string>> modelRows(const JobPlan& job, const RewrittenModel& model) {
  std::vector<std::pair<std::string, std::string>> rows{{"model", "E = " + expressionText(model.forward)}};
  if (!job.iterates) {
    rows.emplace_back("solver", std::string(job.recipe->solver) + ": Eᴴ W y");
    return rows;
  }
  rows.emplace_back("normal operator", "Eᴴ W E = " + expressionText(model.normal));
  std::string rules;
  for (const std::string_view rule : model.rules) rules += (rules.empty() ? "" : ", ") + std::string(rule);
  if (!rules.empty()) rows.emplace_back("computed as", expressionText(model.rewritten) + " (" + rules + ')');
  rows.emplace_back("functional", std::string(job.recipe->functional));
  const std::string_view words = job.options.iterative.solver.solver == IterationSolver::automatic
                                     ? std::string_view()
                                     : solverWords(solverOf(job.options));
  rows.emplace_back("solver", std::string(words.empty() ? job.recipe->solver : words));
  return rows;
}

std::vector<std::pair<std::string, std::string>> planRows(const JobPlan& job) {
  auto rows = jobRows(job);
  const auto model = modelRows(job, modelOf(job));
  rows.insert(rows.begin() + 1, model.begin(), model.end());  // after the recipe
  return rows;
}

}  // namespace spokelab
