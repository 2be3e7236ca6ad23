#include "engine/nufft/plugin/plugin_info.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/nufft/plugin/spokelab_plugin.h"
#include "engine/nufft/problem/backend_kind.h"

namespace spokelab {
namespace {

constexpr std::size_t maxNameLength = 32, maxTextLength = 200, maxAlphas = 8;
constexpr double maxPluginAlpha = 4;
constexpr std::uint32_t allDims = 7, allPrecisions = SPOKELAB_PLUGIN_SINGLE | SPOKELAB_PLUGIN_DOUBLE,
                        allMemories = SPOKELAB_PLUGIN_HOST | SPOKELAB_PLUGIN_CUDA;

bool isLine(const std::string& text) {
  return text.size() <= maxTextLength &&
         std::none_of(text.begin(), text.end(), [](unsigned char c) { return std::iscntrl(c); });
}

}  // namespace

bool isPluginName(const std::string& name) {
  const auto inName = [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_' || c == '.'; };
  return !name.empty() && name.size() <= maxNameLength &&
         std::isalpha(static_cast<unsigned char>(name.front())) &&
         std::all_of(name.begin(), name.end(), inName) && name != "auto" && isPlugin(name);
}

bool isPlugin(std::string_view backend) {
  return !backend.empty() && kindOf(backend) == BackendKind::plugin;
}

bool PluginInfo::supports(const NufftProblem& problem) const {
  const std::uint32_t precision =
      problem.precision == Precision::single ? SPOKELAB_PLUGIN_SINGLE : SPOKELAB_PLUGIN_DOUBLE;
  return (dims >> (problem.dims - 1) & 1U) && (precisions & precision);
}

bool PluginInfo::offers(double alpha) const {
  return std::find(alphas.begin(), alphas.end(), alpha) != alphas.end();
}

bool PluginInfo::takesHost() const {
  return memories & SPOKELAB_PLUGIN_HOST;
}

bool PluginInfo::takesGpu() const {
  return memories & SPOKELAB_PLUGIN_CUDA;
}

std::string PluginInfo::fingerprint() const {
  return "plug-in " + version + ", file " + hashText(contents) + (onGpu ? ", in GPU memory" : "");
}

void checkPluginInfo(const PluginInfo& info) {
  const auto refuse = [&](const std::string& why) {
    throw Error("Cannot use the plug-in " + info.file.string(), why, "Correct its description");
  };
  if (!isPluginName(info.name))
    refuse("its name is not a letter, then letters, digits, '-', '_' and '.', at most " +
           std::to_string(maxNameLength) + " in all, and not auto, cpu or cuda");
  if (info.version.empty()) refuse("it names no version");
  if (info.license.empty()) refuse("it names no licence");
  if (!isLine(info.version) || !isLine(info.license) || !isLine(info.summary))
    refuse("a text of its description is not one short line");
  if (info.dims == 0 || (info.dims & ~allDims)) refuse("it says for no dimensions that it serves them");
  if (info.precisions == 0 || (info.precisions & ~allPrecisions))
    refuse("it says for no precision that it serves it");
  if (info.memories == 0 || (info.memories & ~allMemories))
    refuse("it says for no known memory that it takes arrays there");
  if (info.alphas.size() > maxAlphas) refuse("it names too many oversampling ratios");
  for (const double alpha : info.alphas)
    if (!(alpha >= 1 && alpha <= maxPluginAlpha)) refuse("it names an oversampling ratio out of range");
}

std::uint64_t hashOfFile(const std::filesystem::path& file) {
  constexpr std::uint64_t offset = 14695981039346656037U, prime = 1099511628211U;  // FNV-1a
  std::ifstream in(file, std::ios::binary);
  std::uint64_t hash = offset;
  std::array<char, 1 << 16> block{};
  while (in) {
    in.read(block.data(), block.size());
    for (std::streamsize i = 0; i < in.gcount(); ++i)
      hash = (hash ^ static_cast<unsigned char>(block[std::size_t(i)])) * prime;
  }
  if (!in.eof())
    throw Error("Cannot read the plug-in " + file.string(), "its file cannot be read",
                "Check its permissions, or install the plug-in again");
  return hash;
}

}  // namespace spokelab
