#include "tests/structure/tree_limits.h"

#include <map>
#include <regex>
#include <set>

namespace spokelab::structure {
namespace {

std::string folderOf(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

std::string nameOf(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

int allowed(const std::string& path, int usual) {
  for (const Allowance& allowance : allowances())
    if (path == allowance.path) return allowance.most;
  return usual;
}

int maxLinesOf(const std::string& path) {
  const std::string name = nameOf(path);
  return name == "main_window.h" || name == "main_window.cpp" ? maxLinesOfMainWindow
                                                              : allowed(path, maxLinesOfFile);
}

// Classes whose members the source defines: lines that begin with "Type Class::member(", or
// "Class::Class(".
std::set<std::string> classesDefinedIn(const Source& source) {
  static const std::regex pattern(
      R"(^(?:[A-Za-z_][\w:<>,&*\s]*?[\s&*])?([A-Z]\w*)(?:<[\w, ]+>)?::~?\w+\(.*)");
  std::set<std::string> classes;
  for (const std::string& line : source.lines) {
    std::smatch match;
    if (line.find("::") == std::string::npos || line.ends_with(';') ||
        !std::regex_match(line, match, pattern))
      continue;
    classes.insert(match[1]);
  }
  return classes;
}

}  // namespace

const std::vector<Allowance>& allowances() {
  static const std::vector<Allowance> list = {
      {"widgets/image/image_panel.cpp",
       "one class: its state for sessions reads and sets all of its parts, and would need each of them again",
       490},
      {"widgets/recon/jobs/iteration_view.cpp",
       "one class: the images of the iterations share the curve's marks and the buttons' states", 450},
  };
  return list;
}

std::vector<std::string> checkCalls(const std::vector<Source>& sources) {
  static const std::regex parses(R"(.*\bjson::(parse|accept)\(.*)");
  // A plan and a backend say what they can do (engine/nufft/nufft.h).
  static const std::regex asksTheType(R"(.*\bdynamic_cast<.*)");
  static const std::regex needsNewerGpu(R"(.*\b(__reduce_\w+_sync|__CUDA_ARCH__)\b.*)");
  // What a job reconstructs, and how much of it at a time, is planJob's to read; others ask its plan.
  static const std::regex readsOfJob(
      R"(\b(options|asked|wanted|part)_?\.(frames|slices|coils|leaveOutCoils|virtualCoils|coilsAtOnce|slabs)\b(?!\s*=[^=]|\.clear))");
  static const std::regex readsByLocale(R"(.*\b(strto[df]|strtold|sto[df]|stold|atof|sscanf)\(.*)");
  std::vector<std::string> messages;
  for (const Source& source : sources) {
    const bool asksPlanJob = source.path.starts_with("engine/recon/") &&
                             !source.path.starts_with("engine/recon/job/") &&
                             !source.path.starts_with("engine/recon/options/");
    for (std::size_t i = 0; i < source.lines.size(); ++i) {
      const std::string place = source.path + ":" + std::to_string(i + 1);
      if (source.path != "engine/core/document.cpp" && std::regex_match(source.lines[i], parses))
        messages.push_back(place + ": parses JSON without the limits of engine/core/document.h");
      if (std::regex_match(source.lines[i], readsByLocale))
        messages.push_back(place + ": reads a number by the locale; engine/core/text.h does not");
      if (asksPlanJob && std::regex_search(source.lines[i].substr(0, source.lines[i].find("//")), readsOfJob))
        messages.push_back(place + ": reads an option that planJob reads (engine/recon/job); ask the plan");
      if ((source.path.starts_with("engine/") || source.path.starts_with("cuda/")) &&
          std::regex_match(source.lines[i], asksTheType))
        messages.push_back(place + ": asks for a type; ask the interface what it can do");
      if (!source.path.starts_with("cuda/device/") && std::regex_match(source.lines[i], needsNewerGpu))
        messages.push_back(
            place + ": only newer GPUs have it; cuda/device/instructions.cuh has equals for older ones");
    }
  }
  return messages;
}

std::vector<std::string> checkLimits(const std::vector<Source>& sources) {
  static const std::regex outside(R"(//.*(papers/|design\.md|design section|section \d of the design).*)",
                                  std::regex::icase);
  static const std::regex inside("resources/developer/papers\\.md");
  std::vector<std::string> messages;
  std::map<std::string, int> files;                         // by folder
  std::map<std::string, std::set<std::string>> classFiles;  // by top folder and class
  for (const Source& source : sources) {
    ++files[folderOf(source.path)];
    const int lines = int(source.lines.size()), most = maxLinesOf(source.path);
    if (lines > most)
      messages.push_back(source.path + " has " + std::to_string(lines) + " lines, " + std::to_string(most) +
                         " at most");
    if (!source.path.ends_with(".h"))
      for (const std::string& name : classesDefinedIn(source))
        classFiles[source.path.substr(0, source.path.find('/')) + ": class " + name].insert(source.path);
    for (std::size_t i = 0; i < source.lines.size(); ++i)
      if (source.lines[i].find("//") != std::string::npos &&
          std::regex_match(source.lines[i].substr(source.lines[i].find("//")), outside) &&
          !std::regex_search(source.lines[i], inside))
        messages.push_back(source.path + ":" + std::to_string(i + 1) +
                           ": names a document that is not in the repository");
  }
  for (const auto& [folder, count] : files)
    if (const int most = allowed(folder, maxFilesOfFolder); count > most)
      messages.push_back(folder + " has " + std::to_string(count) + " files, " + std::to_string(most) +
                         " at most");
  for (const auto& [name, paths] : classFiles) {
    if (int(paths.size()) <= maxSourcesOfClass) continue;
    std::string text = name + " is defined in " + std::to_string(paths.size()) + " files:";
    for (const std::string& path : paths) text += " " + nameOf(path);
    messages.push_back(text);
  }
  return messages;
}

}  // namespace spokelab::structure
