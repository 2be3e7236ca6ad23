// A row of a table of options: all that the program knows of an option, apart from its value.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spokelab {

enum class OptionType { number, integer, choice, text, flag };

// The purposes that an option serves, beside the whole job of its table.
enum class OptionUse : unsigned {
  transform = 1,  // commands that plan a transform, and exact sums: tune, sweep
  type3 = 2,      // transforms from points to points
  forecast = 4,   // a job's time is forecast only from jobs with the same value
  samples = 8,    // selects samples of a scan
  coils = 16,     // selects coils of a scan
  cpu = 32,       // acts on the CPU alone
  gpu = 64,       // acts on GPUs alone
  normal = 128,   // acts in normal operators alone
};

// When JSON of options has the key of an option.
enum class OptionKey {
  always,  // a file without it is refused
  newer,   // always written; files of earlier versions lack it
  ifSet    // where it differs from the default, so that what was written before stays the same
};

struct OptionSpec {
  std::string name;   // "alpha": --alpha on the command line, the panel's row, the key in JSON
  std::string label;  // "Oversampling ratio α"
  OptionType type = OptionType::text;
  double minimum = 0, maximum = 0;   // number, integer
  std::vector<std::string> choices;  // choice
  std::string unit;
  std::string help;        // one sentence; 0 or "auto" explained where it means automatic
  std::string group;       // "Accuracy", "Plan", "Reconstruction"
  bool automatic = false;  // number, integer: "auto" (or 0) leaves the value to the program
  std::string empty;       // text: what an empty value means, in a word
  int essential = 0;       // place among those that come before all groups, from 1; 0: in its group
  unsigned uses = 0;       // of OptionUse
  bool takesFile = false;  // text: it may name a file
  std::string key;         // in JSON of plans, and so in wisdom's key; empty: not a plan's option

  bool serves(OptionUse use) const { return (uses & unsigned(use)) != 0; }
};

// A reason for which an option does nothing beside the values of others.
template <class Options>
struct IdleRule {
  bool (*holds)(const Options&);
  std::string_view why;  // a sentence
};

inline OptionSpec optionSpec(OptionType type, std::string name, std::string label, std::string help,
                             std::string group, std::string unit = {}) {
  OptionSpec spec;
  spec.name = std::move(name);
  spec.label = std::move(label);
  spec.type = type;
  spec.help = std::move(help);
  spec.group = std::move(group);
  spec.unit = std::move(unit);
  return spec;
}

// The names of an enum's values, both ways; fromName throws Error.
template <class T>
struct OptionNames {
  std::string_view (*nameOf)(T);
  T (*fromName)(std::string_view);
};

// The text of a value, both ways; fromText throws Error.
template <class T>
struct OptionText {
  std::string (*textOf)(T);
  T (*fromText)(std::string_view);
};

}  // namespace spokelab
