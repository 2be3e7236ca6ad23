#include "app/cli/text.h"

#include "engine/core/text.h"
#include "engine/nufft/plugin/plugin_info.h"
#include "engine/nufft/tune/candidates.h"

namespace spokelab::cli {

// The convolution that replaces the grid; empty for the gridded normal operator.
std::string variantText(const NufftOptions& options) {
  std::string text;
  if (options.scheduler.kind == Scheduler::graph) text += ", task graph";
  if (options.scheduler.kind == Scheduler::graph && options.scheduler.partitions > 0)
    text += " (" + std::to_string(options.scheduler.partitions) + " partitions a dimension)";
  if (!isToeplitz(options.normal)) return text;
  text += ", normal " + std::string(normalMethodName(options.normal));
  if (options.normal == NormalMethod::toeplitz && options.toeplitzAlpha > 0)
    text += " (alpha_T " + numberText(options.toeplitzAlpha, 3) + ')';
  return text;
}

std::string planText(const Candidate& c) {
  if (isExact(c.path.transform) || isPlugin(c.backend)) return describe(c);
  return c.backend + ' ' + methodsText(c.options) + ", " + std::string(kernelName(c.options.kernel)) +
         ", alpha " + numberText(c.options.alpha, 3) + ", W " + numberText(c.options.width, 3) + ", grid " +
         sizeText(c.grid, dimensions(c.grid), " x ") + variantText(c.options) +
         (pathText(c.path).empty() ? std::string() : ", " + pathText(c.path));
}

std::string row(const std::string& name, const std::string& value) {
  constexpr std::size_t column = 19;
  const std::string text = "  " + name;
  return (text.size() < column ? leftAligned(text, column) : text + ' ') + value;
}

}  // namespace spokelab::cli
