#include "engine/scan/read/named/trajectory_name.h"

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/scan/formats/text_number.h"

namespace spokelab {
namespace {

std::vector<TrajectoryVariant> planarVariants() {
  return {
      {"golden", "each spoke 111.25 degrees on from the one before"},
      {"tiny-golden", "the golden angle of this number, pi / (tau + number - 1): 7 is 23.63 degrees", true},
      {"golden-360", "137.51 degrees on: golden for spokes from the centre"},
      {"uniform", "half a turn divided by the number of spokes"},
      {"uniform-360", "a whole turn divided by the number of spokes"},
      {"alternating", "as uniform, every other spoke the other way round"},
      {"step", "this number of degrees on", true}};
}

std::string listOf(const auto& items) {
  std::vector<std::string> names;
  for (const auto& item : items) names.push_back(item.name);
  return joined(names);
}

}  // namespace

const std::vector<TrajectoryFamily>& trajectoryFamilies() {
  static const std::vector<TrajectoryFamily> families = {
      {"radial", "spokes in a plane", 2, planarVariants()},
      {"koosh",
       "spokes over the sphere",
       3,
       {{"golden-means", "two golden means (Chan et al., MRM 2009)"},
        {"halton-spiral", "a spiral over the sphere in the order of a Halton sequence"},
        {"spiral", "a spiral over the sphere from pole to pole, in order"},
        {"halton", "directions from the Halton sequence of bases 2 and 3"},
        {"archimedean", "equal steps along z, the golden angle round it"},
        {"phyllotaxis", "a spiral from the pole to the equator (Piccini et al., MRM 2011)"}}},
      {"stack-of-stars", "spokes in planes along kz", 3, planarVariants()},
      {"spiral",
       "Archimedean spirals from the centre",
       2,
       {{"uniform", "a whole turn divided by the number of shots"},
        {"golden", "each shot 111.25 degrees on from the one before"},
        {"golden-360", "137.51 degrees on"},
        {"step", "this number of degrees on", true}}},
  };
  return families;
}

const std::vector<TrajectoryKey>& trajectoryKeys() {
  static const std::vector<TrajectoryKey> keys = {
      {"shift", "samples by which the centre of k-space comes later"},
      {"start", "degrees of the first shot"},
      {"centre-out", "1: shots begin at the centre; 0: they cross it"},
      {"radius", "largest |k| in cycles/FOV of the encoded space"},
      {"ramp", "microseconds in which the gradient rises while it is sampled"},
      {"delay", "microseconds by which the gradient begins late"},
      {"direction", "-1: the angles run the other way round"},
      {"running", "1: angles run on through repetitions and slices; 0: they begin anew in each"},
      {"partitions", "planes of a stack"},
      {"partitions-first", "1: all planes at one angle, then the next; 0: all angles of a plane first"},
      {"turn", "degrees from one plane to the next"},
      {"turns", "of a spiral"},
      {"density", "power of a spiral's radius: 1 is Archimedean, more is denser at the centre"},
  };
  return keys;
}

const TrajectoryFamily& trajectoryFamily(const std::string& name, const std::string& problem) {
  const auto& families = trajectoryFamilies();
  const auto found =
      std::find_if(families.begin(), families.end(), [&](const auto& f) { return f.name == name; });
  if (found == families.end())
    throw Error(problem, "there is no trajectory called \"" + name + "\"", "Use one of: " + listOf(families));
  return *found;
}

std::string TrajectoryName::variantText() const {
  return variant + (number != 0 ? "=" + numberText(number, 8) : "");
}

std::string TrajectoryName::text() const {
  std::string all = family + (variant.empty() ? "" : ":" + variantText());
  for (const auto& [key, value] : parameters) all += "," + key + "=" + numberText(value, 8);
  return all;
}

bool isTrajectoryName(const std::filesystem::path& name) {
  const std::string text = name.string();
  const std::string family = text.substr(0, text.find_first_of(":,"));
  const auto& all = trajectoryFamilies();
  std::error_code failed;
  return std::any_of(all.begin(), all.end(), [&](const auto& f) { return f.name == family; }) &&
         !std::filesystem::exists(name, failed);
}

TrajectoryName parseTrajectoryName(const std::string& text, const std::string& problem) {
  TrajectoryName name;
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(words.empty() ? ":," : ",", begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  name.family = words.front();
  const TrajectoryFamily& family = trajectoryFamily(name.family, problem);
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::size_t equals = words[i].find('=');
    const std::string key = words[i].substr(0, equals);
    const bool given = equals != std::string::npos;
    const double value = given ? textNumber(words[i].substr(equals + 1)) : 1;
    if (given && !std::isfinite(value))
      throw Error(problem, "\"" + words[i] + "\" gives no number", "Write it as in " + key + "=7");
    const auto variant = std::find_if(family.variants.begin(), family.variants.end(),
                                      [&](const auto& v) { return v.name == key; });
    if (variant != family.variants.end() && name.variant.empty()) {
      if (variant->takesNumber != given)
        throw Error(problem, key + (given ? " takes no number" : " needs a number"),
                    variant->takesNumber ? "Write it as in " + key + "=7" : "Leave the number out");
      name.variant = key;
      name.number = given ? value : 0;
      continue;
    }
    const auto& keys = trajectoryKeys();
    if (std::none_of(keys.begin(), keys.end(), [&](const auto& k) { return k.name == key; }))
      throw Error(problem, "\"" + key + "\" is no variant of " + name.family + " and no parameter",
                  "Variants: " + listOf(family.variants) + "; parameters: " + listOf(keys));
    name.parameters[key] = value;
  }
  return name;
}

}  // namespace spokelab
