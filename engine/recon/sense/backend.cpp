#include "engine/recon/sense/backend.h"

#include <cstring>
#include <map>
#include <mutex>

#include "engine/core/error.h"
#include "engine/core/number_list.h"
#include "engine/recon/sense/unknowns/nlinv.h"

namespace spokelab {

void Backend::requireOnDevice(const void* /*array*/, const char* what) const {
  throw Error("Cannot use arrays in the memory of a GPU",
              "the " + std::string(what) + " are given to the backend " + name() + ", which has no GPU",
              "Use the backend cuda, or arrays in host memory");
}

std::unique_ptr<SenseRun> Backend::findMapsRun(const SenseProblem& problem, NlinvFrame* last) {
  return nlinvRun(*this, problem, nullptr, last);
}

void Backend::copy(const void* from, void* to, std::size_t bytes) {
  if (bytes > 0) std::memcpy(to, from, bytes);
}

Backend* backendNamed(std::span<Backend* const> backends, const std::string& name) {
  for (Backend* backend : backends)
    if (backend->name() == name) return backend;
  return nullptr;
}

namespace {

struct UnusableBackends {
  std::mutex one;
  std::map<std::string, std::string> reasons;  // by name
};

UnusableBackends& unusableBackends() {
  static UnusableBackends backends;
  return backends;
}

std::string whyUnusable(const std::string& name) {
  UnusableBackends& all = unusableBackends();
  const std::lock_guard lock(all.one);
  const auto found = all.reasons.find(name);
  return found == all.reasons.end() ? "it is not available here" : found->second;
}

Backend* namedBackend(const std::vector<Backend*>& backends, const std::string& name) {
  if (Backend* backend = backendNamed(backends, name)) return backend;
  std::string known;
  for (const Backend* backend : backends) known += (known.empty() ? "" : ", ") + backend->name();
  throw Error("Cannot use the backend " + name, whyUnusable(name), "Use auto or one of: " + known);
}

}  // namespace

void noteUnusableBackend(const std::string& name, const std::string& why) {
  UnusableBackends& all = unusableBackends();
  const std::lock_guard lock(all.one);
  all.reasons[name] = why;
}

std::vector<Backend*> devicesOf(Backend& backend, const std::string& devices) {
  if (devices == firstDevice) return {&backend};
  const int count = backend.deviceCount();
  if (count == 0) return {&backend};
  std::vector<Backend*> chosen;
  for (const int d : numberList(devices, count, "Cannot use devices = " + devices, "this machine"))
    chosen.push_back(&backend.device(d));
  return chosen;
}

std::vector<Backend*> backendsFor(const std::vector<Backend*>& backends, const std::string& asked,
                                  const std::string& devices) {
  if (backends.empty())
    throw Error("Cannot reconstruct", "there is no backend to run on", "Install the program again");
  std::vector<Backend*> chosen = backends;
  if (asked != "auto") chosen = {namedBackend(backends, asked)};
  if (devices == firstDevice) return chosen;
  bool found = asked != "auto" || devices == "all";
  for (Backend*& backend : chosen) {
    found = found || backend->deviceCount() > 0;
    backend = devicesOf(*backend, devices).front();
  }
  if (!found)
    throw Error("Cannot use devices = " + devices, "no GPU can be used on this machine",
                "Leave the option out");
  return chosen;
}

std::vector<std::string> namesOfDevices(const std::vector<Backend*>& devices) {
  std::vector<std::string> names;
  for (const Backend* device : devices)
    names.push_back("GPU " + std::to_string(device->deviceNumber()) + " (" + device->badge() + ')');
  return names;
}

}  // namespace spokelab
