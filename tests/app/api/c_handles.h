// Handles of the C interface that end with their scope.
#pragma once

#include <QtTest>

#include <initializer_list>
#include <utility>

#include "app/api/spokelab.h"

namespace spokelab::test {

inline QString errorText() {
  return QString::fromUtf8(spokelab_error_text());
}

struct Context {
  spokelab_context* handle = nullptr;
  explicit Context(const char* wisdom = nullptr) {
    if (spokelab_context_create(wisdom, &handle) != SPOKELAB_OK) qFatal("%s", spokelab_error_text());
  }
  ~Context() { spokelab_context_destroy(handle); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
};

struct Options {
  spokelab_options* handle = nullptr;
  Options(std::initializer_list<std::pair<const char*, const char*>> values) {
    spokelab_options_create(&handle);
    for (const auto& [name, value] : values)
      if (spokelab_options_set(handle, name, value) != SPOKELAB_OK) qFatal("%s", spokelab_error_text());
  }
  ~Options() { spokelab_options_destroy(handle); }
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;
};

}  // namespace spokelab::test
