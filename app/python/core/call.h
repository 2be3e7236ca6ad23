// Shared by all bindings: errors of the C interface as Python exceptions, options, progress.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>

#include <complex>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>

#include "app/api/spokelab.h"

namespace spokelab::python {

namespace nb = nanobind;

// Python's spokelab.Error and spokelab.Cancelled.
struct Failed : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct Stopped : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws the exception of this status, with the engine's text. Needs no GIL.
void check(spokelab_status status);

// A handle of the C interface that ends with its owner.
template <auto destroy>
struct Destroy {
  template <class T>
  void operator()(T* handle) const noexcept {
    destroy(handle);
  }
};
template <class T, auto destroy>
using Handle = std::unique_ptr<T, Destroy<destroy>>;

using OptionValues = std::map<std::string, std::string>;
using Options = Handle<spokelab_options, spokelab_options_destroy>;
Options optionsOf(const OptionValues& values);

struct Context {
  Handle<spokelab_context, spokelab_context_destroy> handle;
};

// Hears the progress of one call and passes it to a Python function, which may be None. An
// exception of that function, or Ctrl-C, cancels the call and is raised after it.
class Listener {
 public:
  explicit Listener(nb::object function) : function_(std::move(function)) {}
  // The listener that the C interface calls, with `user` as `listener`.
  static int hear(double fraction, const char* what, void* listener) noexcept;
  // check(), after the exception that was raised meanwhile. Needs the GIL.
  void finish(spokelab_status status);

 private:
  int pass(double fraction, const char* what);
  nb::object function_;
  std::exception_ptr raised_;
};

// A Python denoiser: (images, strength) -> images or (images, R). None: a file, or nothing.
class PythonDenoiser {
 public:
  PythonDenoiser(nb::object function, const Options& options);
  // Raises what the function raised. Needs the GIL.
  void finish();

 private:
  static int call(float* images, const std::int64_t shape[4], int dims, double strength, double* value,
                  char* text, std::size_t textSize, void* self) noexcept;
  void denoise(float* images, const std::int64_t shape[4], int dims, double strength, double* value);
  nb::object function_;
  std::exception_ptr raised_;
};

// Arrays that Python lends for one call: contiguous, in host memory, never copied.
using Input = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;
using Output = nb::ndarray<nb::c_contig, nb::device::cpu>;
using Reals = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;

// Throws ValueError unless the array holds `count` complex numbers of this precision.
template <class Array>
void requireComplex(const Array& array, std::int64_t count, bool isDouble) {
  const nb::dlpack::dtype wanted =
      isDouble ? nb::dtype<std::complex<double>>() : nb::dtype<std::complex<float>>();
  if (array.dtype() != wanted) throw nb::type_error("an array is not of the plan's precision");
  if (std::int64_t(array.size()) != count) throw nb::value_error("an array has not the plan's size");
}

// Checks the length of arrays in a GPU's memory, whose types and shapes are checked in Python.
inline void requireCount(std::int64_t count, std::int64_t expected) {
  if (count != expected) throw nb::value_error("an array has not the plan's size");
}
inline void* addressOf(std::uintptr_t number) {
  return reinterpret_cast<void*>(number);
}

void bindArrays(nb::module_& module);
void bindPlan(nb::module_& module);
void bindType3(nb::module_& module);
void bindTransform(nb::module_& module);
void bindDensity(nb::module_& module);
void bindSense(nb::module_& module);
void bindScan(nb::module_& module);

}  // namespace spokelab::python
