// Plans for JAX, and the handler of XLA's foreign function interface that runs them.
#pragma once

#include <nanobind/nanobind.h>

namespace spokelab::python {

void bindJax(nanobind::module_& module);

}  // namespace spokelab::python
