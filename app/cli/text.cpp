// Values in words, for people.
#include <cmath>
#include <cstdio>

#include "app/cli/command.h"

namespace spokelab::cli {

std::string joined(const std::vector<std::string>& words, const std::string& separator) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
  return text;
}

std::string sizeText(const Index3& size, int dims) {
  std::string text;
  for (std::size_t d = 0; d < std::size_t(dims); ++d) text += (d ? " x " : "") + std::to_string(size[d]);
  return text;
}

std::string numberText(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

std::string secondsText(double seconds) {
  constexpr double milli = 1e-3, micro = 1e-6;
  if (seconds >= 1) return numberText(seconds) + " s";
  if (seconds >= milli) return numberText(seconds / milli) + " ms";
  return numberText(seconds / micro) + " us";
}

// What a convolution does instead of the grid; nothing for the gridded normal operator.
std::string variantText(const NufftOptions& options) {
  std::string text;
  if (options.scheduler.kind == Scheduler::graph) text += ", task graph";
  if (options.scheduler.kind == Scheduler::graph && options.scheduler.partitions > 0)
    text += " (" + std::to_string(options.scheduler.partitions) + " partitions a dimension)";
  if (!isToeplitz(options.normal)) return text;
  text += ", normal " + std::string(normalMethodName(options.normal));
  if (options.normal == NormalMethod::toeplitz && options.toeplitzAlpha > 0)
    text += " (alpha_T " + numberText(options.toeplitzAlpha) + ')';
  return text;
}

std::string planText(const Candidate& c) {
  const int dims = c.grid[2] > 1 ? 3 : c.grid[1] > 1 ? 2 : 1;
  return c.backend + ' ' + std::string(methodName(c.options.spread)) + ", " +
         std::string(kernelName(c.options.kernel)) + ", alpha " + numberText(c.options.alpha) + ", W " +
         numberText(c.options.width) + ", grid " + sizeText(c.grid, dims) + variantText(c.options);
}

std::string countText(std::int64_t count, const std::string& thing) {
  return std::to_string(count) + ' ' + thing + (count == 1 ? "" : "s");
}

std::string row(const std::string& name, const std::string& value) {
  constexpr std::size_t column = 19;
  std::string text = "  " + name;
  text.append(text.size() < column ? column - text.size() : 1, ' ');
  return text + value;
}

}  // namespace spokelab::cli
