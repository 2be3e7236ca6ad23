// Calls functions of the C interface with one bad argument at a time: null pointers, -1 and huge
// counts, NaN and infinities in arrays. Nothing may crash, and what no call can take must not
// return SPOKELAB_OK.
#pragma once

#include <QtTest>

#include <climits>
#include <cmath>
#include <complex>
#include <limits>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "app/api/spokelab.h"

namespace spokelab::test {

enum class Bad { refused, maybe };  // whether each bad value has to be refused

// An argument as it should be, and bad ones. at(0) is the good one; at(1) ... at(bads()) are bad.
template <class T>
struct Given {  // a handle, a callback or a text, as it is
  T good;
  Bad null = Bad::refused;
  int bads() const { return std::is_pointer_v<T> ? 1 : 0; }
  T at(int i) { return i == 0 ? good : T{}; }
  bool refuses(int) const { return null == Bad::refused; }
};

template <class T>
struct Number {
  T good;
  Bad negative = Bad::refused, huge = Bad::refused;
  int bads() const { return 3; }
  T at(int i) {
    const T values[] = {good, T(-1), std::numeric_limits<T>::max(), std::numeric_limits<T>::max() / 2 + 1};
    return values[i];
  }
  bool refuses(int i) const { return (i == 1 ? negative : huge) == Bad::refused; }
};

template <class T, class Pointer = const T*>
struct Array {
  std::vector<T> good;
  Bad notFinite = Bad::refused, null = Bad::refused, negative = Bad::maybe;
  std::vector<T> bad{};
  int bads() const { return std::is_floating_point_v<T> ? 8 : 4; }
  Pointer at(int i) {
    if (i == 0) return good.data();
    if (i == 1) return nullptr;
    bad = good;
    T& place = i % 2 ? bad.back() : bad.front();
    if (i < 4)
      place = T(-1);
    else if constexpr (std::is_floating_point_v<T>)
      place = i < 6 ? std::numeric_limits<T>::quiet_NaN()
                    : T(i < 8 ? 1 : -1) * std::numeric_limits<T>::infinity();
    else
      place = std::numeric_limits<T>::max();
    return bad.data();
  }
  bool refuses(int i) const { return (i == 1 ? null : i < 4 ? negative : notFinite) == Bad::refused; }
};

template <class T>
struct Room {  // that a call writes into
  std::vector<T> values;
  int bads() const { return 1; }
  void* at(int i) { return i == 0 ? values.data() : nullptr; }
  bool refuses(int) const { return true; }
};

// The functions that were walked.
inline std::set<std::string>& walked() {
  static std::set<std::string> names;
  return names;
}

// call(arguments…): the status, after it has ended whatever was made. Returns how many calls were
// made.
template <class Call, class... Arguments>
int walk(const char* name, const Call& call, Arguments... arguments) {
  walked().insert(name);
  const int bads[] = {arguments.bads()...};
  int calls = 0;
  std::tuple<Arguments...> all(arguments...);
  const auto with = [&]<std::size_t... i>(std::index_sequence<i...>, int position, int bad) {
    ++calls;
    return call(std::get<i>(all).at(int(i) == position ? bad : 0)...);
  };
  constexpr std::index_sequence_for<Arguments...> places;
  const auto fail = [&](int position, int bad, const char* why) {
    QTest::qFail(qPrintable(QStringLiteral("%1: argument %2, bad value %3: %4 (%5)")
                                .arg(name)
                                .arg(position)
                                .arg(bad)
                                .arg(why, spokelab_error_text())),
                 __FILE__, __LINE__);
  };
  if (with(places, -1, 0) != SPOKELAB_OK) fail(-1, 0, "the good call fails");
  for (int position = 0; position < int(sizeof...(arguments)); ++position)
    for (int bad = 1; bad <= bads[position]; ++bad) {
      const bool refuses = [&]<std::size_t... i>(std::index_sequence<i...>) {
        return ((int(i) == position && std::get<i>(all).refuses(bad)) || ...);
      }
      (places);
      const spokelab_status status = with(places, position, bad);
      if (status == SPOKELAB_INTERNAL) fail(position, bad, "a defect");
      if (refuses && status == SPOKELAB_OK) fail(position, bad, "it is taken");
      if (status != SPOKELAB_OK && *spokelab_error_text() == 0) fail(position, bad, "no reason is told");
    }
  return calls;
}

}  // namespace spokelab::test
