#include "tests/structure/include_arrows.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <regex>
#include <set>

namespace spokelab::structure {
namespace {

namespace fs = std::filesystem;

// Outside libraries, by what an include of theirs looks like.
struct Library {
  const char* name;
  std::regex pattern;
};

const std::vector<Library>& libraries() {
  static const std::vector<Library> all = {
      {"Qt", std::regex("^(Q[A-Z]\\w*|Qt\\w+/.*|q\\w+\\.h|qcustomplot\\.h)$")},
      {"VTK", std::regex("^vtk\\w*(\\.h)?$")},
      {"CUDA",
       std::regex("^(cuda(/.*|\\w*\\.(h|hpp))|cu(fft|sparse|blas|rand|solver|pti|dnn)\\w*\\.h|curand\\w*\\.h|"
                  "driver_types\\.h|vector_types\\.h|vector_functions\\.h|device_launch_parameters\\.h|"
                  "cooperative_groups.*|thrust/.*|cub/.*|nvtx3/.*|nv\\w+\\.h|nccl\\.h|mma\\.h)$")},
      {"MPI", std::regex("^mpi\\w*\\.h$")},
      {"FFTW", std::regex("^fftw3\\.h$")},
      {"xsimd", std::regex("^xsimd/.*$")},
      {"a file format", std::regex("^(hdf5\\w*\\.h|H5\\w+\\.h|ismrmrd/.*|nifti/.*|nifti\\w*\\.h|png\\.h)$")},
      {"file streams", std::regex("^(fstream|cstdio|QFile|QSaveFile|QTemporaryFile)$")},
  };
  return all;
}

// A rule holds for the files whose path starts with `folder`; the longest match decides.
struct Rule {
  std::string folder;
  std::set<std::string> ours;       // the folders of ours it may include
  std::set<std::string> forbidden;  // libraries it may not include
};

const std::vector<Rule>& rules() {
  const std::set<std::string> pure = {"Qt", "VTK", "CUDA", "MPI"};
  static const std::vector<Rule> all = {
      {"engine/core/", {"engine/core/"}, pure},
      {"engine/scan/", {"engine/scan/", "engine/core/"}, pure},
      {"engine/nufft/", {"engine/nufft/", "engine/core/"}, pure},
      {"engine/recon/", {"engine/recon/", "engine/nufft/", "engine/scan/", "engine/core/"}, pure},
      {"engine/profile/", {"engine/"}, pure},
      {"engine/", {}, pure},
      {"cuda/", {"cuda/", "engine/"}, {"Qt", "VTK", "MPI"}},
      {"cuda/backend.h", {"engine/"}, pure},               // the module's public header
      {"app/mpi/ranks_module.h", {"engine/core/"}, pure},  // the modules' public header
      {"app/mpi/", {"app/mpi/", "engine/core/"}, {"Qt", "VTK", "CUDA"}},
      {"widgets/",
       {"widgets/", "engine/"},
       {"CUDA", "MPI", "FFTW", "xsimd", "a file format", "file streams"}},
      {"app/cli/", {"app/cli/", "cuda/backend.h", "app/mpi/ranks_module.h", "engine/"}, pure},
      {"app/plugins/cufinufft/", {"engine/nufft/plugin/"}, {"Qt", "VTK", "MPI"}},
      {"app/", {"app/", "widgets/", "cuda/backend.h", "engine/"}, {"CUDA", "MPI"}},
  };
  return all;
}

const Rule* ruleFor(const std::string& file) {
  const Rule* best = nullptr;
  for (const Rule& rule : rules())
    if (file.starts_with(rule.folder) && (!best || rule.folder.size() > best->folder.size())) best = &rule;
  return best;
}

bool isOurs(const std::string& include) {
  for (const char* top : {"engine/", "cuda/", "widgets/", "app/", "tests/"})
    if (include.starts_with(top)) return true;
  return false;
}

// Why `file` may not include `include`, if it may not.
std::optional<std::string> objection(const fs::path& root, const std::string& file, const Rule& rule,
                                     const std::string& include, bool quoted) {
  // <cuda/…> is ours or the toolkit's: only what exists in the tree is ours.
  if (isOurs(include) && fs::exists(root / include)) {
    const bool allowed = std::any_of(rule.ours.begin(), rule.ours.end(),
                                     [&](const std::string& folder) { return include.starts_with(folder); });
    if (!allowed) return rule.folder + " may not include " + include.substr(0, include.rfind('/') + 1);
    if (!quoted) return "our own headers are included in quotes";
    return std::nullopt;
  }
  if (quoted && !include.ends_with(".moc")) {
    const fs::path beside = (root / file).parent_path() / include;
    if (fs::exists(beside)) return "write the path from the top of the repository";
    if (isOurs(include)) return "there is no such file";
  }
  for (const Library& library : libraries())
    if (rule.forbidden.contains(library.name) && std::regex_match(include, library.pattern))
      return rule.folder + " may not include " + library.name;
  return std::nullopt;
}

// Names that .gitignore leaves out at the top level ("/name" or "/name/").
std::set<std::string> ignoredNames(const fs::path& root) {
  std::set<std::string> names;
  std::ifstream file(root / ".gitignore");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with('/')) continue;
    line.erase(0, 1);
    if (line.ends_with('/')) line.pop_back();
    names.insert(line);
  }
  return names;
}

}  // namespace

std::vector<std::string> checkIncludes(const fs::path& root, const std::vector<Source>& sources) {
  std::vector<std::string> violations;
  for (const Source& source : sources) {
    const Rule* rule = ruleFor(source.path);
    for (const Include& include : source.includes)
      if (const auto why = objection(root, source.path, *rule, include.path, include.quoted))
        violations.push_back(source.path + ":" + std::to_string(include.line) + ": includes " + include.path +
                             ": " + *why);
  }
  return violations;
}

std::vector<std::string> checkTopLevel(const fs::path& root) {
  // pyproject.toml: a Python source package holds the files below it, and needs the engine.
  static const std::set<std::string> wanted = {"pyproject.toml",
                                               "CMakeLists.txt",
                                               "CMakePresets.json",
                                               "LICENSE",
                                               "README.md",
                                               "CHANGELOG.md",
                                               "app",
                                               "engine",
                                               "cuda",
                                               "widgets",
                                               "resources",
                                               "tests",
                                               "packaging"};
  static const std::set<std::string> allowed = {"CITATION.cff", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md",
                                                "SECURITY.md"};
  const std::set<std::string> ignored = ignoredNames(root);
  std::vector<std::string> problems;
  for (const auto& entry : fs::directory_iterator(root)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with('.') || wanted.contains(name) || allowed.contains(name) || ignored.contains(name))
      continue;
    problems.push_back(name + " does not belong at the top level");
  }
  for (const std::string& name : wanted)
    if (!fs::exists(root / name)) problems.push_back(name + " is missing");
  std::sort(problems.begin(), problems.end());
  return problems;
}

}  // namespace spokelab::structure
