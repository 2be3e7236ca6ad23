// Shared by all tables of options.
#include "engine/core/options/option_table.h"

#include <algorithm>
#include <charconv>

#include "engine/core/error.h"
#include "engine/core/number_list.h"
#include "engine/core/text.h"

namespace spokelab {
namespace {

void checkNumber(const OptionSpec& spec, const std::string& text) {
  if (spec.automatic && (text == automaticOption || text == "0")) return;
  const std::string range = "Give a number from " + exactNumberText(spec.minimum) + " to " +
                            exactNumberText(spec.maximum) + (spec.automatic ? ", or auto" : "");
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size() || !std::isfinite(value))
    throw Error("Cannot use " + spec.name + " = " + text, "it is not a number", range);
  if (spec.type == OptionType::integer && value != std::floor(value))
    throw Error("Cannot use " + spec.name + " = " + text, "it is not a whole number", range);
  if (spec.automatic && value == 0) return;
  if (value < spec.minimum || value > spec.maximum)
    throw Error("Cannot use " + spec.name + " = " + text, "it is out of range", range);
}

template <class T, class Text>
std::string textOfAxes(const std::array<T, 3>& values, Text text) {
  if (values == std::array<T, 3>{}) return std::string(automaticOption);
  return text(values[0]) + 'x' + text(values[1]) + 'x' + text(values[2]);
}

template <class T>
std::array<T, 3> axesOfText(const std::string& name, const std::string& text, T most,
                            const std::string& what) {
  if (text == automaticOption || text == "0") return {};
  auto values = threeNumbers<T>(text);
  const auto fits = [&](T value) { return value == 0 || (value >= 1 && value <= most); };
  if (!values || !std::all_of(values->begin(), values->end(), fits))
    throw Error("Cannot use " + name + " = " + text, "it is not a list of " + what, "Write them, or auto");
  std::replace(values->begin(), values->end(), T(0), T(1));
  return *values;
}

}  // namespace

std::string axesText(const std::array<std::int64_t, 3>& values) {
  return textOfAxes(values, [](std::int64_t n) { return std::to_string(n); });
}

std::string axesText(const std::array<double, 3>& values) {
  return textOfAxes(values, exactNumberText);
}

std::array<std::int64_t, 3> axesFromText(const std::string& name, const std::string& text, std::int64_t most,
                                         const std::string& what) {
  return axesOfText(name, text, most, what);
}

std::array<double, 3> axesFromText(const std::string& name, const std::string& text, double most,
                                   const std::string& what) {
  return axesOfText(name, text, most, what);
}

double optionNumber(const std::string& text) {
  double value = 0;
  if (text != automaticOption) std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

void checkOptionValue(const OptionSpec& spec, const std::string& value) {
  switch (spec.type) {
    case OptionType::number:
    case OptionType::integer:
      checkNumber(spec, value);
      break;
    case OptionType::choice:
      if (std::find(spec.choices.begin(), spec.choices.end(), value) == spec.choices.end())
        throw Error("Cannot use " + spec.name + " = " + value, "it is not one of the choices",
                    "Use one of: " + joined(spec.choices));
      break;
    case OptionType::flag:
      if (value != "true" && value != "false")
        throw Error("Cannot use " + spec.name + " = " + value, "it is neither true nor false",
                    "Use true or false");
      break;
    case OptionType::text:
      break;
  }
}

void throwUnknownOption(const std::string& name, const std::vector<OptionSpec>& known) {
  std::vector<std::string> names;
  names.reserve(known.size());
  for (const OptionSpec& spec : known) names.push_back(spec.name);
  throw Error("Cannot use the option " + name, "no option has that name",
              didYouMean(name, names) + "Use one of: " + joined(names));
}

}  // namespace spokelab
