// The sources of a tree and what they include, for the checks of this folder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace spokelab::structure {

struct Include {
  int line = 0;
  std::string path;
  bool quoted = false;
};

struct Source {
  std::string path;  // from the top of the tree, as in engine/core/array.h
  std::vector<std::string> lines;
  std::vector<Include> includes;
};

// The sources in engine, cuda, widgets and app, by path. Callers check that there are any.
std::vector<Source> readSources(const std::filesystem::path& root);

}  // namespace spokelab::structure
