#include "app/python/core/call.h"

namespace spokelab::python {

void check(spokelab_status status) {
  if (status == SPOKELAB_OK) return;
  const std::string text = spokelab_error_text();
  switch (status) {
    case SPOKELAB_CANCELLED:
      throw Stopped(text);
    case SPOKELAB_NO_MEMORY:
      throw std::bad_alloc();
    case SPOKELAB_BAD_ARGUMENT:
      throw nb::value_error(text.c_str());
    case SPOKELAB_INTERNAL:
      throw std::runtime_error("A defect of Spokelab, please report it: " + text);
    default:
      throw Failed(text);
  }
}

Options optionsOf(const OptionValues& values) {
  spokelab_options* made = nullptr;
  check(spokelab_options_create(&made));
  Options options(made);
  for (const auto& [name, value] : values) check(spokelab_options_set(made, name.c_str(), value.c_str()));
  return options;
}

int Listener::hear(double fraction, const char* what, void* listener) noexcept {
  const nb::gil_scoped_acquire gil;
  return static_cast<Listener*>(listener)->pass(fraction, what);
}

int Listener::pass(double fraction, const char* what) {
  if (raised_) return 1;
  try {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (function_.is_none()) return 0;
    const int stop = PyObject_IsTrue(function_(fraction, what).ptr());
    if (stop < 0) throw nb::python_error();
    return stop;
  } catch (...) {
    raised_ = std::current_exception();
    return 1;
  }
}

void Listener::finish(spokelab_status status) {
  if (raised_) std::rethrow_exception(raised_);
  check(status);
}

}  // namespace spokelab::python
