// A table of options: names, types, ranges, defaults and help, and how each is read from and
// written as text.
// One table feeds the command line, a panel of the window, and JSON.
#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/core/text.h"

namespace spokelab {

enum class OptionType { number, integer, choice, text, flag };

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

inline constexpr std::string_view automaticOption = "auto";

// Throws Error where `value` is out of the spec's range, not of its type or none of its choices.
void checkOptionValue(const OptionSpec& spec, const std::string& value);
// The value of a number that passed the check; 0 for "auto".
double optionNumber(const std::string& value);
[[noreturn]] void throwUnknownOption(const std::string& name, const std::vector<OptionSpec>& known);

template <class Options>
class OptionTable {
 public:
  using Get = std::function<std::string(const Options&)>;
  // Is given only what has passed checkOptionValue(); may throw Error for what that cannot know.
  using Set = std::function<void(Options&, const std::string&)>;

  void add(OptionSpec spec, Get get, Set set) {
    specs_.push_back(std::move(spec));
    access_.push_back({std::move(get), std::move(set)});
  }

  void choice(std::string name, std::string label, std::vector<std::string> choices, std::string help,
              std::string group, Get get, Set set) {
    OptionSpec spec =
        optionSpec(OptionType::choice, std::move(name), std::move(label), std::move(help), std::move(group));
    spec.choices = std::move(choices);
    add(std::move(spec), std::move(get), std::move(set));
  }

  // In what follows `field` takes options, constant or not, and returns a reference to one of their
  // members.

  // `field(options)` is a reference to the number; the option's value times `scale` is what the
  // field holds.
  template <class Field>
  void number(std::string name, std::string label, OptionType type, double minimum, double maximum,
              std::string unit, std::string help, std::string group, bool isAutomatic, Field field,
              double scale = 1) {
    OptionSpec spec = optionSpec(type, std::move(name), std::move(label), std::move(help), std::move(group));
    spec.minimum = minimum;
    spec.maximum = maximum;
    spec.unit = std::move(unit);
    spec.automatic = isAutomatic;
    add(
        std::move(spec),
        [=](const Options& options) {
          const double value = double(field(options)) / scale;
          return isAutomatic && value <= 0 ? std::string(automaticOption) : exactNumberText(value);
        },
        [=](Options& options, const std::string& text) {
          const double value = optionNumber(text) * scale;
          auto& target = field(options);
          using Target = std::remove_reference_t<decltype(target)>;
          if constexpr (std::is_integral_v<Target>)
            target = Target(std::llround(value));
          else
            target = value;
        });
  }

  // `field(options)` is a reference to one of `values`, whose names are what the user chooses
  // among.
  template <class T, std::size_t n, class Field>
  void choice(std::string name, std::string label, const T (&values)[n], std::string_view (*nameOf)(T),
              std::string help, std::string group, Field field) {
    std::vector<std::string> names;
    for (const T value : values) names.emplace_back(nameOf(value));
    choice(
        std::move(name), std::move(label), std::move(names), std::move(help), std::move(group),
        [=](const Options& o) { return std::string(nameOf(field(o))); },
        [=, all = std::to_array(values)](Options& o, const std::string& text) {
          for (const T value : all)
            if (nameOf(value) == text) field(o) = value;
        });
  }

  // `field(options)` is a reference to the text. `empty`: what an empty one means, in a word.
  template <class Field>
  void text(std::string name, std::string label, std::string help, std::string group, std::string empty,
            Field field) {
    OptionSpec spec =
        optionSpec(OptionType::text, std::move(name), std::move(label), std::move(help), std::move(group));
    spec.empty = std::move(empty);
    add(
        std::move(spec), [=](const Options& o) { return field(o); },
        [=](Options& o, const std::string& v) { field(o) = v; });
  }

  // `field(options)` is a reference to the flag.
  template <class Field>
  void flag(std::string name, std::string label, std::string help, std::string group, Field field) {
    add(
        optionSpec(OptionType::flag, std::move(name), std::move(label), std::move(help), std::move(group)),
        [=](const Options& o) { return std::string(field(o) ? "true" : "false"); },
        [=](Options& o, const std::string& v) { field(o) = v == "true"; });
  }

  const std::vector<OptionSpec>& specs() const { return specs_; }

  std::string value(const Options& options, const std::string& name) const {
    return access_[find(name)].get(options);
  }

  void set(Options& options, const std::string& name, const std::string& value) const {
    const std::size_t i = find(name);
    checkOptionValue(specs_[i], value);
    access_[i].set(options, value);
  }

 private:
  struct Access {
    Get get;
    Set set;
  };

  std::size_t find(const std::string& name) const {
    for (std::size_t i = 0; i < specs_.size(); ++i)
      if (specs_[i].name == name) return i;
    throwUnknownOption(name, specs_);
  }

  std::vector<OptionSpec> specs_;
  std::vector<Access> access_;
};

}  // namespace spokelab
