// A shared library, loaded at first use and kept: jobs without it have no start-up cost.
#pragma once

#include <dlfcn.h>

#include <string>

namespace spokelab {

class SharedLibrary {
 public:
  explicit SharedLibrary(const std::string& name) : handle_(dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL)) {
    if (!handle_) missing_ = reason();
  }
  // Functions by their declared types; null where the library lacks one.
  template <class Function>
  void find(Function*& function, const char* name) {
    findOptional(function, name);
    if (!function && missing_.empty()) missing_ = reason();
  }
  // The same for functions that only some versions have.
  template <class Function>
  void findOptional(Function*& function, const char* name) {
    function = handle_ ? reinterpret_cast<Function*>(dlsym(handle_, name)) : nullptr;
  }
  // True if it was loaded and all functions were found, but for the optional ones.
  bool complete() const { return missing_.empty(); }
  // The missing library or function, in the loader's words, or empty.
  const std::string& missing() const { return missing_; }

 private:
  static std::string reason() {
    const char* const text = dlerror();
    return text ? text : "it cannot be loaded";
  }

  void* handle_;
  std::string missing_;
};

}  // namespace spokelab
