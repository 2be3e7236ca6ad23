// The description of a plug-in (spokelab_plugin.h), known before it computes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/nufft/problem/problem.h"

namespace spokelab {

struct PluginInfo {
  std::string name, version, license, summary;
  std::filesystem::path file;    // as found in a folder: a shared object, or a Python file
  std::filesystem::path code;    // shared object with its functions: `file`, or our Python host
  std::uint32_t dims = 0;        // bit 0: 1-D, bit 1: 2-D, bit 2: 3-D
  std::uint32_t precisions = 0;  // as in spokelab_plugin.h
  std::uint32_t memories = 0;    // likewise
  bool onGpu = false;            // its plans get a GPU's memory: the program chose so
  std::vector<double> alphas;    // oversampling ratios for the tuner; empty: it chooses
  std::uint64_t contents = 0;    // hash of the file

  bool supports(const NufftProblem& problem) const;
  bool offers(double alpha) const;  // true if alpha is exactly one of `alphas`
  bool takesHost() const;           // true if it takes arrays in the host's memory
  bool takesGpu() const;            // the same for a GPU's
  // "finufft 2.3.1"
  std::string title() const { return name + ' ' + version; }
  // Key in wisdom: it changes with the plug-in's version and file, and with the memory it gets.
  std::string fingerprint() const;
};

// True if a backend's name is a plug-in's: all names except Spokelab's.
bool isPlugin(std::string_view backend);
// True if a plug-in may have the name (spokelab_plugin.h).
bool isPluginName(const std::string& name);

// Throws Error where a name, a version or a number is not as spokelab_plugin.h asks.
void checkPluginInfo(const PluginInfo& info);

// Hash of a file's bytes. Throws Error where it cannot be read.
std::uint64_t hashOfFile(const std::filesystem::path& file);

}  // namespace spokelab
