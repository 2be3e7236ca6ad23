// The C interface (spokelab.h): the memory of arrays, contexts, backends and options; and the
// conversions of handles.h.
#include <mutex>

#include "app/api/call.h"
#include "app/api/handles.h"
#include "engine/core/child/child_launcher.h"
#include "engine/scan/formats/acquisitions/raw_data.h"

using namespace spokelab;
using namespace spokelab::api;

namespace spokelab::api {

Precision precisionOf(spokelab_precision precision) {
  require(precision == SPOKELAB_SINGLE || precision == SPOKELAB_DOUBLE,
          "precision is neither SPOKELAB_SINGLE nor SPOKELAB_DOUBLE");
  return precision == SPOKELAB_DOUBLE ? Precision::double64 : Precision::single;
}

std::vector<double> copied(const double* values, std::int64_t count) {
  return values ? std::vector<double>(values, values + count) : std::vector<double>{};
}

Index3 sizeOf(int dims, const int64_t* size) {
  require(dims >= 1 && dims <= 3, "dims is not 1, 2 or 3");
  require(size, "size is NULL");
  Index3 n{1, 1, 1};
  for (int d = 0; d < dims; ++d) {
    require(size[d] > 0, "a size is not positive");
    n[std::size_t(d)] = size[d];
  }
  return n;
}

Backend& backendOf(const Machines& machines, const ReconOptions& options) {
  return *backendsFor(machines.backends.all(), options.backend, options.devices).front();
}

}  // namespace spokelab::api

spokelab_status spokelab_set_memory(spokelab_allocate allocate, spokelab_release release, void* user) {
  return call([&] {
    require((allocate == nullptr) == (release == nullptr), "one of allocate and release is NULL");
    if (!setBufferMemory({allocate, release, user}))
      throw Error("Cannot change where arrays lie", "the engine holds arrays already",
                  "Call spokelab_set_memory before anything else");
  });
}

spokelab_status spokelab_context_create(const char* wisdom, spokelab_context** context) {
  return call([&] {
    require(context, "context is NULL");
    // Once in a process, and early: the launcher of child processes should come before threads, and
    // the rule against overwriting other programs' files before anything is written.
    static std::once_flag once;
    std::call_once(once, [] {
      startChildLauncher();
      protectFiles();
    });
    auto made = std::make_unique<spokelab_context>();
    made->machines = std::make_shared<Machines>();
    if (wisdom) made->machines->wisdom = std::make_unique<Wisdom>(*wisdom ? wisdom : Wisdom::defaultFile());
    *context = made.release();
  });
}

void spokelab_context_destroy(spokelab_context* context) {
  delete context;
}

spokelab_status spokelab_synchronize(spokelab_context* context, void* stream) {
  return call([&] {
    require(context, "context is NULL");
    for (Backend* backend : context->machines->backends.all()) backend->synchronize(stream);
  });
}

namespace {

// Null where the context is NULL or has no such backend.
const BackendBadge* badgeOf(const spokelab_context* context, int index) {
  if (!context) return nullptr;
  const auto& badges = context->machines->backends.badges();
  return index >= 0 && index < int(badges.size()) ? &badges[std::size_t(index)] : nullptr;
}

}  // namespace

int spokelab_backend_count(const spokelab_context* context) {
  return context ? int(context->machines->backends.badges().size()) : 0;
}
const char* spokelab_backend_name(const spokelab_context* context, int index) {
  const BackendBadge* badge = badgeOf(context, index);
  return badge ? badge->name.c_str() : nullptr;
}
const char* spokelab_backend_text(const spokelab_context* context, int index) {
  const BackendBadge* badge = badgeOf(context, index);
  return badge ? badge->text.c_str() : nullptr;
}
int spokelab_backend_usable(const spokelab_context* context, int index) {
  const BackendBadge* badge = badgeOf(context, index);
  return badge && badge->usable ? 1 : 0;
}

spokelab_status spokelab_options_create(spokelab_options** options) {
  return call([&] {
    require(options, "options is NULL");
    *options = new spokelab_options;
  });
}

void spokelab_options_destroy(spokelab_options* options) {
  delete options;
}

spokelab_status spokelab_options_set(spokelab_options* options, const char* name, const char* value) {
  return call([&] {
    require(options && name && value, "options, name or value is NULL");
    const Lock lock(options->one);
    setOption(options->values, name, value);
  });
}

const char* spokelab_options_get(spokelab_options* options, const char* name) {
  return valueOf<const char*>(nullptr, [&] {
    require(options && name, "options or name is NULL");
    const Lock lock(options->one);
    options->text = optionValue(options->values, name);
    return options->text.c_str();
  });
}

int spokelab_option_count(void) {
  return valueOf(0, [] { return int(reconOptionTable().size()); });
}
const char* spokelab_option_name(int index) {
  if (index < 0 || index >= spokelab_option_count()) return nullptr;
  return reconOptionTable()[std::size_t(index)].name.c_str();
}
const char* spokelab_option_help(int index) {
  if (index < 0 || index >= spokelab_option_count()) return nullptr;
  return reconOptionTable()[std::size_t(index)].help.c_str();
}
int spokelab_option_of_transform(int index) {
  if (index < 0 || index >= spokelab_option_count()) return 0;
  const OptionSpec& spec = reconOptionTable()[std::size_t(index)];
  return spec.serves(OptionUse::transform) || spec.serves(OptionUse::type3) ? 1 : 0;
}
