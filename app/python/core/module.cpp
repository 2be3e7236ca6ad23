// spokelab._core: the C interface, call by call. The files around it check shapes and give names.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <tuple>
#include <vector>

#include "app/python/core/call.h"
#include "app/python/core/jax.h"

using namespace spokelab::python;
namespace nb = nanobind;

namespace {

Context makeContext(const std::optional<std::string>& wisdom) {
  spokelab_context* made = nullptr;
  spokelab_status status = SPOKELAB_OK;
  {
    const nb::gil_scoped_release released;
    status = spokelab_context_create(wisdom ? wisdom->c_str() : nullptr, &made);
  }
  check(status);
  return {decltype(Context::handle)(made)};
}

// Name, text, usable or not.
std::vector<std::tuple<std::string, std::string, bool>> backendsOf(const Context& context) {
  std::vector<std::tuple<std::string, std::string, bool>> all;
  const spokelab_context* handle = context.handle.get();
  for (int i = 0; i < spokelab_backend_count(handle); ++i)
    all.emplace_back(spokelab_backend_name(handle, i), spokelab_backend_text(handle, i),
                     spokelab_backend_usable(handle, i) != 0);
  return all;
}

std::map<std::string, std::string> optionHelp() {
  std::map<std::string, std::string> all;
  for (int i = 0; i < spokelab_option_count(); ++i) all[spokelab_option_name(i)] = spokelab_option_help(i);
  return all;
}

std::vector<std::string> optionsOfTransforms() {
  std::vector<std::string> names;
  for (int i = 0; i < spokelab_option_count(); ++i)
    if (spokelab_option_of_transform(i)) names.emplace_back(spokelab_option_name(i));
  return names;
}

}  // namespace

NB_MODULE(_core, module) {
  nb::set_leak_warnings(false);  // objects of modules may outlive the interpreter
  module.doc() = "Spokelab's C interface";
  if (spokelab_abi() != SPOKELAB_ABI)
    throw std::runtime_error("libspokelab has another ABI than this module");
  nb::object error = nb::exception<Failed>(module, "Error", PyExc_RuntimeError);
  error.attr("__module__") = "spokelab";
  error.attr("__doc__") = "A request that cannot be met; says what failed, why, and what to do.";
  nb::object cancelled = nb::exception<Stopped>(module, "Cancelled", PyExc_Exception);
  cancelled.attr("__module__") = "spokelab";
  cancelled.attr("__doc__") = "A progress function ended the call.";
  module.def("version", [] { return spokelab_version(); });
  module.def("option_help", &optionHelp);
  module.def("options_of_transforms", &optionsOfTransforms);
  nb::class_<Context>(module, "Context")
      .def("__init__",
           [](Context* self, const std::optional<std::string>& wisdom) {
             new (self) Context(makeContext(wisdom));
           })
      .def("backends", &backendsOf)
      .def("synchronize", [](const Context& context, std::uintptr_t stream) {
        spokelab_status status = SPOKELAB_OK;
        {
          const nb::gil_scoped_release released;
          status = spokelab_synchronize(context.handle.get(), addressOf(stream));
        }
        check(status);
      });
  bindArrays(module);
  bindPlan(module);
  bindJax(module);
  bindType3(module);
  bindTransform(module);
  bindDensity(module);
  bindSense(module);
  bindScan(module);
}
