// One list of fields for both directions. A function says once what a value is in a document:
//
//   template <class Fields, Either<Plan> P>
//   void fields(Fields& f, P& plan) {
//     f("name", plan.name);                        // written always, has to be there
//     f("seconds", plan.seconds, notNegative);     // a number within bounds
//     f.when(!plan.why.empty(), "why", plan.why);  // written then, read where it is there
//   }
//
// asJson() writes by this list and readFields() reads by it. Readers throw what document_numbers.h
// throws. when(true, ...) is a field that files of earlier versions lack.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <set>
#include <string>
#include <type_traits>
#include <utility>

#include "engine/core/documents/document_numbers.h"

namespace spokelab {

template <class A, class T>
concept Either = std::same_as<std::remove_const_t<A>, T>;

// Whole numbers within bounds; without them from 0.
struct Whole {
  std::int64_t low = 0, high = INT64_MAX;
};
// A number that is written as null where it is infinite or not a number; null reads as `value`.
struct NullIs {
  double value;
  NumberBounds bounds = notNegative;
};
// A value by its name: to(value) -> text, from(text) -> value.
template <class To, class From>
struct Named {
  To to;
  From from;
  static constexpr bool isName = true;
};
// A value by two functions: to(value) -> JSON, from(JSON) -> value. In a list they take each
// element.
template <class To, class From>
struct Through {
  To to;
  From from;
};
template <class To, class From>
Named(To, From) -> Named<To, From>;
template <class To, class From>
Through(To, From) -> Through<To, From>;

class FieldWriter;
class FieldReader;

template <class T>
concept HasFields = requires(FieldWriter& w, const T& value) {
  fields(w, value);
};
template <class T>
concept IsCount = std::integral<T> && !std::same_as<T, bool>;
template <class T>
concept IsList = requires(T list) {
  list.push_back(list.front());
}
&&!std::same_as<T, std::string> && !std::same_as<T, nlohmann::json>;
template <class T>
concept ListOfFields = IsList<T> && HasFields<typename T::value_type>;
template <class T>
concept IsOptional = requires(T value) {
  value.emplace();
  value.has_value();
};

class FieldWriter {
 public:
  explicit FieldWriter(nlohmann::json& j) : json_(j) { json_ = nlohmann::json::object(); }

  template <class T, class How = Whole>
  void operator()(const std::string& key, const T& value, const How& how = {}) {
    json_[key] = written(value, how);
  }
  template <class T, class How = Whole>
  void when(bool isWritten, const std::string& key, const T& value, const How& how = {}) {
    if (isWritten) (*this)(key, value, how);
  }
  // An object within it, by further fields.
  template <class List>
  void object(const std::string& key, const List& list) {
    FieldWriter part(json_[key]);
    list(part);
  }
  template <class List>
  void objectWhen(bool isWritten, const std::string& key, const List& list) {
    if (isWritten) object(key, list);
  }
  // Writes a value that follows from other fields, for readers of the document; it is not read
  // back.
  template <class T>
  void told(const std::string& key, const T& value) {
    json_[key] = value;
  }

 private:
  template <class T, class How>
  static nlohmann::json written(const T& value, const How& how) {
    if constexpr (IsOptional<T>) {
      return written(*value, how);
    } else if constexpr (std::same_as<How, NullIs> && std::same_as<T, double>) {
      return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json();
    } else if constexpr (requires { how.to(value); }) {
      return how.to(value);
    } else if constexpr (ListOfFields<T> || requires { how.to(value.front()); }) {
      nlohmann::json list = nlohmann::json::array();
      for (const auto& one : value) list.push_back(written(one, how));
      return list;
    } else if constexpr (HasFields<T>) {
      nlohmann::json j;
      FieldWriter part(j);
      fields(part, value);
      return j;
    } else {
      return value;
    }
  }

  nlohmann::json& json_;
};

class FieldReader {
 public:
  explicit FieldReader(const nlohmann::json& j) : json_(j) {}

  template <class T, class How = Whole>
  void operator()(const std::string& key, T& value, const How& how = {}) {
    known_.insert(key);
    read(json_, key.c_str(), value, how);
  }
  template <class T, class How = Whole>
  void when(bool, const std::string& key, T& value, const How& how = {}) {
    known_.insert(key);
    if (json_.contains(key)) read(json_, key.c_str(), value, how);
  }
  template <class List>
  void object(const std::string& key, const List& list) {
    known_.insert(key);
    FieldReader part(json_.at(key));
    list(part);
  }
  template <class List>
  void objectWhen(bool, const std::string& key, const List& list) {
    known_.insert(key);
    if (json_.contains(key)) object(key, list);
  }
  template <class T>
  void told(const std::string&, const T&) {}
  // The first key of the object that no field has asked for; empty: none.
  std::string unknown() const {
    for (const auto& [key, value] : json_.items())
      if (!known_.contains(key)) return key;
    return {};
  }

 private:
  template <class T, class How>
  static void read(const nlohmann::json& j, const char* key, T& value, const How& how) {
    constexpr bool hasLow = std::same_as<How, Whole>;
    if constexpr (IsOptional<T>) {
      read(j, key, value.emplace(), how);
    } else if constexpr (std::same_as<How, NullIs> && IsList<T>) {
      value.clear();
      for (const nlohmann::json& one : j.at(key)) value.push_back(numberOrNull(one, key, how));
    } else if constexpr (std::same_as<How, NullIs>) {
      value = numberOrNull(j.at(key), key, how);
    } else if constexpr (std::same_as<How, NumberBounds> && IsList<T>) {
      value = numbersAt(j, key, how);
    } else if constexpr (std::same_as<How, NumberBounds> && std::same_as<T, std::array<double, 3>>) {
      const std::vector<double> numbers = numbersAt(j, key, how, value.size());
      std::copy(numbers.begin(), numbers.end(), value.begin());
    } else if constexpr (std::same_as<How, NumberBounds>) {
      value = numberAt(j, key, how);
    } else if constexpr (std::same_as<T, double>) {
      value = numberAt(j, key);
    } else if constexpr (hasLow && IsCount<T>) {
      value = countOf<T>(j.at(key), key, how);
    } else if constexpr (hasLow && std::same_as<T, std::array<std::int64_t, 3>>) {
      value = sizeAt(j, key, how.low);
    } else {
      value = valueOf<T>(j.at(key), key, how);
    }
  }

  template <class T, class How>
  static T valueOf(const nlohmann::json& j, const char* key, const How& how) {
    if constexpr (IsList<T>) {
      using Element = typename T::value_type;
      T list;
      // A list is an array: an object or a number in its place is refused by get_ref.
      for (const nlohmann::json& one : j.get_ref<const nlohmann::json::array_t&>()) {
        if constexpr (IsCount<Element>)
          list.push_back(countOf<Element>(one, key, how));
        else
          list.push_back(valueOf<Element>(one, key, how));
      }
      return list;
    } else if constexpr (requires { how.isName; }) {
      return how.from(j.get<std::string>());
    } else if constexpr (requires { how.from(j); }) {
      return how.from(j);
    } else if constexpr (HasFields<T>) {
      T value;
      FieldReader part(j);
      fields(part, value);
      return value;
    } else {
      return j.get<T>();
    }
  }

  template <class T>
  static T countOf(const nlohmann::json& j, const char* key, const Whole& how) {
    constexpr T most = std::numeric_limits<T>::max();
    const std::int64_t high = std::in_range<std::int64_t>(most) ? std::int64_t(most) : INT64_MAX;
    return T(checkedCount(j, key, how.low, std::min(how.high, high)));
  }
  static double numberOrNull(const nlohmann::json& j, const char* key, const NullIs& how) {
    return j.is_null() ? how.value : checkedNumber(j, key, how.bounds);
  }

  const nlohmann::json& json_;
  std::set<std::string> known_;
};

template <class T>
nlohmann::json asJson(const T& value) {
  nlohmann::json j;
  FieldWriter writer(j);
  fields(writer, value);
  return j;
}
// Throws json::exception.
template <class T>
void readFields(const nlohmann::json& j, T& value) {
  FieldReader reader(j);
  fields(reader, value);
}
template <class T>
T readFields(const nlohmann::json& j) {
  T value;
  readFields(j, value);
  return value;
}

}  // namespace spokelab
