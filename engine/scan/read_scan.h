// Reads a scan from disk. ISMRMRD HDF5 today; the content decides, not the file's extension.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/progress.h"
#include "engine/scan/scan.h"

namespace spokelab {

// overrides: decision topic -> choice (see Decision); unknown topics or choices throw Error.
//   k-unit             cycles/FOV | cycles/pixel | radians/pixel | 1/m
//   third-dimension    kz | density-weight | ignore
//   fourth-dimension   seconds | density-weight | ignore
//   matrix             e.g. 256x256 or 64x64x64
//   fov                mm, e.g. 240x240x5
//   oversampling       remove | keep
//   encoding           number of the encoding space
//   frames             repetition, phase, contrast, set, average ... joined by '+', or "merge"
struct ReadOptions {
  std::map<std::string, std::string> overrides;
  std::string dataset =
      "dataset";  // HDF5 group; the only group that holds data wins where this one is missing
};

struct DecisionTopic {
  std::string topic, help;
  std::vector<std::string> choices;  // empty: free form
};
const std::vector<DecisionTopic>& decisionTopics();

// file -> Scan. Reads in chunks, reports progress, can be cancelled (throws Cancelled). Throws Error.
// The name "demo" is the built-in scan (scan/demo.h).
std::shared_ptr<const Scan> readScan(const std::filesystem::path& file, const ReadOptions& options,
                                     const Progress& progress);

}  // namespace spokelab
