#include "engine/recon/backend.h"

#include <cstring>

#include "engine/core/error.h"

namespace spokelab {

void Backend::requireOnDevice(const void* /*array*/, const char* what) const {
  throw Error("Cannot use arrays in the memory of a GPU",
              "the " + std::string(what) + " are given to the backend " + name() + ", which has no GPU",
              "Use the backend cuda, or arrays in host memory");
}

void Backend::copy(const void* from, void* to, std::size_t bytes) {
  if (bytes > 0) std::memcpy(to, from, bytes);
}

Backend* backendNamed(const std::vector<Backend*>& backends, const std::string& name) {
  for (Backend* backend : backends)
    if (backend->name() == name) return backend;
  return nullptr;
}

std::vector<Backend*> backendsFor(const std::vector<Backend*>& backends, const std::string& asked) {
  if (backends.empty())
    throw Error("Cannot reconstruct", "there is no backend to run on", "Install the program again");
  if (asked == "auto") return backends;
  if (Backend* backend = backendNamed(backends, asked)) return {backend};
  std::string known;
  for (const Backend* backend : backends) known += (known.empty() ? "" : ", ") + backend->name();
  throw Error("Cannot use the backend " + asked, "it is not available here", "Use auto or one of: " + known);
}

}  // namespace spokelab
