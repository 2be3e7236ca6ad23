// Trajectories that are known by name, for scans whose file says no more than "radial":
//   FAMILY[:VARIANT][,KEY=NUMBER]...   radial:golden   radial:tiny-golden=7,shift=0.5   koosh
// Without a variant it is found out which one fits the samples (find_trajectory.h).
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace spokelab {

struct TrajectoryName {
  std::string family;   // radial, koosh, stack-of-stars, spiral
  std::string variant;  // one of the family's, or empty
  double number = 0;    // behind the variant: 7 in tiny-golden=7
  std::map<std::string, double> parameters;

  bool has(const std::string& key) const { return parameters.contains(key); }
  double get(const std::string& key, double standard) const {
    const auto found = parameters.find(key);
    return found == parameters.end() ? standard : found->second;
  }
  std::string variantText() const;  // "tiny-golden=7"
  std::string text() const;         // the whole name
};

struct TrajectoryVariant {
  std::string name, help;
  bool takesNumber = false;
};
struct TrajectoryFamily {
  std::string name, help;
  int dims = 2;
  std::vector<TrajectoryVariant> variants;
};
const std::vector<TrajectoryFamily>& trajectoryFamilies();
// Throws Error for a family that there is not.
const TrajectoryFamily& trajectoryFamily(const std::string& name, const std::string& problem);

struct TrajectoryKey {
  std::string name, help;
};
const std::vector<TrajectoryKey>& trajectoryKeys();

// True where no file has this name and it begins with a family.
bool isTrajectoryName(const std::filesystem::path& name);
// Throws Error(problem, ...).
TrajectoryName parseTrajectoryName(const std::string& text, const std::string& problem);

}  // namespace spokelab
