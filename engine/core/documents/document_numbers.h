// Numbers of documents (document.h), checked where they are read: finite, whole where they count,
// and within bounds. JSON cannot express infinity and not-a-number; null in the place of a number
// is refused.
//
// All throw nlohmann::json::exception, as the library does where a key is missing: its text names
// the key and what is written there.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace spokelab {

// The range that a number must lie in.
struct NumberBounds {
  double low = std::numeric_limits<double>::lowest();
  double high = std::numeric_limits<double>::max();
};
inline constexpr NumberBounds anyNumber{};
inline constexpr NumberBounds notNegative{0};
inline constexpr NumberBounds aboveZero{std::numeric_limits<double>::min()};

// name: the key that the error's text names.
double checkedNumber(const nlohmann::json& value, const std::string& name, NumberBounds bounds = anyNumber);
std::int64_t checkedCount(const nlohmann::json& value, const std::string& name, std::int64_t low,
                          std::int64_t high);

double numberAt(const nlohmann::json& object, const char* key, NumberBounds bounds = anyNumber);
double numberOr(const nlohmann::json& object, const char* key, double otherwise,
                NumberBounds bounds = anyNumber);
// size: the number of values that the list has to have; 0: any.
std::vector<double> numbersAt(const nlohmann::json& object, const char* key, NumberBounds bounds = anyNumber,
                              std::size_t size = 0);

template <class Int>
Int countAt(const nlohmann::json& object, const char* key, Int low = 0,
            Int high = std::numeric_limits<Int>::max()) {
  return Int(checkedCount(object.at(key), key, std::int64_t(low), std::int64_t(high)));
}
template <class Int>
Int countOr(const nlohmann::json& object, const char* key, Int otherwise, Int low = 0,
            Int high = std::numeric_limits<Int>::max()) {
  return object.contains(key) ? countAt<Int>(object, key, low, high) : otherwise;
}
template <class Int>
std::vector<Int> countsAt(const nlohmann::json& object, const char* key, Int low = 0,
                          Int high = std::numeric_limits<Int>::max()) {
  std::vector<Int> counts;
  for (const nlohmann::json& value : object.at(key))
    counts.push_back(Int(checkedCount(value, key, std::int64_t(low), std::int64_t(high))));
  return counts;
}
// Three counts of at least `low`: a size along x, y and z.
std::array<std::int64_t, 3> sizeAt(const nlohmann::json& object, const char* key, std::int64_t low);

}  // namespace spokelab
