#include "engine/core/documents/document_numbers.h"

#include <cmath>

#include "engine/core/text.h"

namespace spokelab {
namespace {

using nlohmann::json;

class WrongNumber : public json::exception {
 public:
  explicit WrongNumber(const std::string& text) : exception(0, text.c_str()) {}
};

[[noreturn]] void refuse(const json& value, const std::string& name, const std::string& expected) {
  constexpr std::size_t longest = 40;
  throw WrongNumber("\"" + name + "\" is " +
                    value.dump(-1, ' ', false, json::error_handler_t::replace).substr(0, longest) +
                    ", and has to be " + expected);
}

std::string boundsText(const std::string& kind, double low, double high) {
  constexpr double vast = 1e15;
  std::string text = kind;
  if (low > 0 && low < 1e-300) return text + " above 0";
  if (low > -vast) text += " from " + numberText(low);
  if (high < vast) text += " up to " + numberText(high);
  return text;
}

}  // namespace

double checkedNumber(const json& value, const std::string& name, NumberBounds bounds) {
  const double number = value.is_number() ? value.get<double>() : NAN;
  if (!std::isfinite(number) || number < bounds.low || number > bounds.high)
    refuse(value, name, boundsText("a number", bounds.low, bounds.high));
  return number;
}

std::int64_t checkedCount(const json& value, const std::string& name, std::int64_t low, std::int64_t high) {
  const auto refused = [&] { refuse(value, name, boundsText("a whole number", double(low), double(high))); };
  constexpr double maxExactInteger = 9007199254740992.0;  // beyond, doubles are not exact
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t(INT64_MAX)) refused();
  if (value.is_number_float()) {
    const double number = value.get<double>();
    if (!(std::abs(number) <= maxExactInteger) || number != std::floor(number)) refused();
  } else if (!value.is_number_integer()) {
    refused();
  }
  const auto count = value.get<std::int64_t>();
  if (count < low || count > high) refused();
  return count;
}

double numberAt(const json& object, const char* key, NumberBounds bounds) {
  return checkedNumber(object.at(key), key, bounds);
}

double numberOr(const json& object, const char* key, double otherwise, NumberBounds bounds) {
  return object.contains(key) ? numberAt(object, key, bounds) : otherwise;
}

std::vector<double> numbersAt(const json& object, const char* key, NumberBounds bounds, std::size_t size) {
  std::vector<double> numbers;
  if (size > 0 && object.at(key).size() != size)
    refuse(object.at(key), key, std::to_string(size) + " numbers");
  for (const json& value : object.at(key)) numbers.push_back(checkedNumber(value, key, bounds));
  return numbers;
}

std::array<std::int64_t, 3> sizeAt(const json& object, const char* key, std::int64_t low) {
  const std::vector<std::int64_t> size = countsAt<std::int64_t>(object, key, low);
  if (size.size() != 3) refuse(object.at(key), key, "three whole numbers");
  return {size[0], size[1], size[2]};
}

}  // namespace spokelab
