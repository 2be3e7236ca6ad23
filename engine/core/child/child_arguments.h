// Packs the arguments of a child process into bytes: plain values, texts and lists. Take them in
// the order in which they were put; take() throws Error where bytes are missing.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "engine/core/error.h"

namespace spokelab {

class ChildArguments {
 public:
  ChildArguments() = default;
  explicit ChildArguments(std::vector<char> bytes) : bytes_(std::move(bytes)) {}
  const std::vector<char>& bytes() const { return bytes_; }

  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>);
    append(&value, sizeof value);
  }
  void put(const std::string& text) { putAll(text.data(), text.size()); }
  template <class T, class A>
  void put(const std::vector<T, A>& list) {
    putAll(list.data(), list.size());
  }

  template <class T>
  void take(T& value) {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>);
    extract(&value, sizeof value);
  }
  void take(std::string& text) { takeAll(text); }
  template <class T, class A>
  void take(std::vector<T, A>& list) {
    takeAll(list);
  }

 private:
  template <class T>
  void putAll(const T* values, std::uint64_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    put(count);
    append(values, count * sizeof(T));
  }
  template <class List>
  void takeAll(List& list) {
    std::uint64_t count = 0;
    take(count);
    if (count > (bytes_.size() - next_) / sizeof(list[0])) missing();
    list.resize(count);
    extract(list.data(), count * sizeof(list[0]));
  }
  void append(const void* data, std::size_t bytes) {
    const char* from = static_cast<const char*>(data);
    if (bytes > 0) bytes_.insert(bytes_.end(), from, from + bytes);
  }
  void extract(void* data, std::size_t bytes) {
    if (bytes > bytes_.size() - next_) missing();
    if (bytes > 0) std::memcpy(data, bytes_.data() + next_, bytes);
    next_ += bytes;
  }
  [[noreturn]] static void missing() {
    throw Error("A process of the program was not told what to do", "its arguments are incomplete",
                "Report this as an error of the program");
  }

  std::vector<char> bytes_;
  std::size_t next_ = 0;
};

}  // namespace spokelab
