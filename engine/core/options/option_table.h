// A table of options. A row is all that the program knows of an option: name, type, range, help,
// place, where it serves, its check, when it does nothing, and how it is read from and written as
// text. One table feeds the command line, a panel of the window, C, Python and JSON.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/core/options/option_spec.h"
#include "engine/core/text.h"

namespace spokelab {

inline constexpr std::string_view automaticOption = "auto";

// Throws Error where `value` is out of the spec's range, not of its type or none of its choices.
void checkOptionValue(const OptionSpec& spec, const std::string& value);
// The value of a number that passed the check; 0 for "auto".
double optionNumber(const std::string& value);
// "16x16x8" of three values; zeros: "auto".
std::string axesText(const std::array<std::int64_t, 3>& values);
std::string axesText(const std::array<double, 3>& values);
// Missing ones are 1; "auto": zeros. Throws Error, which says that they are no list of `what`.
std::array<std::int64_t, 3> axesFromText(const std::string& name, const std::string& text, std::int64_t most,
                                         const std::string& what);
std::array<double, 3> axesFromText(const std::string& name, const std::string& text, double most,
                                   const std::string& what);
[[noreturn]] void throwUnknownOption(const std::string& name, const std::vector<OptionSpec>& known);

template <class Options>
class OptionTable {
 public:
  using Get = std::function<std::string(const Options&)>;
  // Sets a value that has passed checkOptionValue(). May throw Error for reasons that the spec does
  // not know.
  using Set = std::function<void(Options&, const std::string&)>;
  // Throws Error with this summary for a value that is not possible. Empty values are not checked.
  using Check = void (*)(const std::string& value, const std::string& summary);

  // The rest of the row that add() has begun.
  class Row {
   public:
    Row(OptionTable& table, std::size_t row) : table_(table), row_(row) {}

    Row& serves(std::initializer_list<OptionUse> uses) {
      for (const OptionUse use : uses) spec().uses |= unsigned(use);
      return *this;
    }
    Row& essential(int place) {
      spec().essential = place;
      return *this;
    }
    Row& unit(std::string unit) {  // NOLINT(performance-unnecessary-value-param): is moved
      spec().unit = std::move(unit);
      return *this;
    }
    Row& file() {
      spec().takesFile = true;
      return *this;
    }
    // The table ignores the kind of key; rows for JSON (nufft/tune/candidate_json.cpp) use it.
    Row& key(std::string key, OptionKey) {  // NOLINT(performance-unnecessary-value-param): is moved
      spec().key = std::move(key);
      return *this;
    }
    Row& check(Check check) {
      table_.access_[row_].check = check;
      return *this;
    }
    // Reasons for which the option does nothing; the first that holds is shown.
    Row& idle(std::initializer_list<IdleRule<Options>> rules) {
      for (const IdleRule<Options>& rule : rules) add(rule.holds, rule.why);
      return *this;
    }
    // Rules of a part of the options; `of` takes the options to it.
    template <class Part, class Of>
    Row& idle(Of of, std::initializer_list<IdleRule<Part>> rules) {
      for (const IdleRule<Part>& rule : rules)
        add([of, rule](const Options& options) { return rule.holds(of(options)); }, rule.why);
      return *this;
    }

   private:
    OptionSpec& spec() { return table_.specs_[row_]; }
    void add(std::function<bool(const Options&)> holds, std::string_view why) {
      table_.access_[row_].idle.push_back({std::move(holds), std::string(why)});
    }

    OptionTable& table_;
    std::size_t row_;
  };

  Row add(OptionSpec spec, Get get, Set set) {
    specs_.push_back(std::move(spec));
    access_.push_back({std::move(get), std::move(set), nullptr, {}});
    return Row(*this, specs_.size() - 1);
  }

  Row choice(std::string name, std::string label, std::vector<std::string> choices, std::string help,
             std::string group, Get get, Set set) {
    OptionSpec spec =
        optionSpec(OptionType::choice, std::move(name), std::move(label), std::move(help), std::move(group));
    spec.choices = std::move(choices);
    return add(std::move(spec), std::move(get), std::move(set));
  }

  // In what follows `field` takes options, constant or not, and returns a reference to one of their
  // members.

  // `field(options)` is a reference to the number; the option's value times `scale` is what the
  // field holds.
  template <class Field>
  Row number(std::string name, std::string label, OptionType type, double minimum, double maximum,
             std::string unit, std::string help, std::string group, bool isAutomatic, Field field,
             double scale = 1) {
    OptionSpec spec = optionSpec(type, std::move(name), std::move(label), std::move(help), std::move(group));
    spec.minimum = minimum;
    spec.maximum = maximum;
    spec.unit = std::move(unit);
    spec.automatic = isAutomatic;
    return add(
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
  Row choice(std::string name, std::string label, const T (&values)[n], std::string_view (*nameOf)(T),
             std::string help, std::string group, Field field) {
    std::vector<std::string> names;
    for (const T value : values) names.emplace_back(nameOf(value));
    return choice(
        std::move(name), std::move(label), std::move(names), std::move(help), std::move(group),
        [=](const Options& o) { return std::string(nameOf(field(o))); },
        [=, all = std::to_array(values)](Options& o, const std::string& text) {
          for (const T value : all)
            if (nameOf(value) == text) field(o) = value;
        });
  }

  // The same with names both ways.
  template <class T, std::size_t n, class Field>
  Row choice(std::string name, std::string label, const T (&values)[n], OptionNames<T> names,
             std::string help, std::string group, Field field) {
    return choice(std::move(name), std::move(label), values, names.nameOf, std::move(help), std::move(group),
                  field);
  }

  // `field(options)` is a reference to three values, 1 to `most`, written as 16x16x8; zeros: auto.
  // `what`: what they are, for errors.
  template <class Number, class Field>
  Row perAxis(std::string name, std::string label, std::string unit, std::string help, std::string group,
              Number most, std::string what, Field field) {
    OptionSpec spec = optionSpec(OptionType::text, name, std::move(label), std::move(help), std::move(group),
                                 std::move(unit));
    spec.automatic = true;
    return add(
        std::move(spec), [=](const Options& o) { return axesText(field(o)); },
        [=](Options& o, const std::string& text) { field(o) = axesFromText(name, text, most, what); });
  }

  // `field(options)` is a reference to a value that is written as a text.
  template <class T, class Field>
  Row coded(std::string name, std::string label, std::string help, std::string group, std::string empty,
            OptionText<T> text, Field field) {
    OptionSpec spec =
        optionSpec(OptionType::text, std::move(name), std::move(label), std::move(help), std::move(group));
    spec.empty = std::move(empty);
    return add(
        std::move(spec), [=](const Options& o) { return text.textOf(field(o)); },
        [=](Options& o, const std::string& v) { field(o) = text.fromText(v); });
  }

  // `field(options)` is a reference to the text. `empty`: what an empty one means, in a word.
  template <class Field>
  Row text(std::string name, std::string label, std::string help, std::string group, std::string empty,
           Field field) {
    OptionSpec spec =
        optionSpec(OptionType::text, std::move(name), std::move(label), std::move(help), std::move(group));
    spec.empty = std::move(empty);
    return add(
        std::move(spec), [=](const Options& o) { return field(o); },
        [=](Options& o, const std::string& v) { field(o) = v; });
  }

  // `field(options)` is a reference to the flag.
  template <class Field>
  Row flag(std::string name, std::string label, std::string help, std::string group, Field field) {
    return add(
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
    if (access_[i].check && !value.empty()) access_[i].check(value, "Cannot use " + name + " = " + value);
    access_[i].set(options, value);
  }

  // Why the option does nothing beside the others; empty where it acts.
  std::string whyIdle(const Options& options, std::string_view name) const {
    for (std::size_t i = 0; i < specs_.size(); ++i)
      if (specs_[i].name == name)
        for (const Idle& rule : access_[i].idle)
          if (rule.holds(options)) return rule.why;
    return {};
  }

  // All rows that serve there are idle by this rule, which is asked first.
  void idleServing(OptionUse use, IdleRule<Options> rule) {
    for (std::size_t i = 0; i < specs_.size(); ++i)
      if (specs_[i].serves(use))
        access_[i].idle.insert(access_[i].idle.begin(), Idle{rule.holds, std::string(rule.why)});
  }

 private:
  struct Idle {
    std::function<bool(const Options&)> holds;
    std::string why;
  };
  struct Access {
    Get get;
    Set set;
    Check check = nullptr;
    std::vector<Idle> idle;
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
