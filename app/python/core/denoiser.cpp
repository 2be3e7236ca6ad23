// A denoiser in Python (spokelab_options_set_denoiser).
#include <algorithm>
#include <complex>
#include <cstdio>
#include <utility>
#include <vector>

#include "app/python/core/call.h"

namespace spokelab::python {

PythonDenoiser::PythonDenoiser(nb::object function, const Options& options) : function_(std::move(function)) {
  if (!function_.is_none()) check(spokelab_options_set_denoiser(options.get(), call, this));
}

void PythonDenoiser::finish() {
  if (raised_) std::rethrow_exception(raised_);
}

int PythonDenoiser::call(float* images, const std::int64_t shape[4], int dims, double strength, double* value,
                         char* text, std::size_t textSize, void* self) noexcept {
  const nb::gil_scoped_acquire gil;
  auto& denoiser = *static_cast<PythonDenoiser*>(self);
  try {
    denoiser.denoise(images, shape, dims, strength, value);
    return 0;
  } catch (...) {
    denoiser.raised_ = std::current_exception();
    std::snprintf(text, textSize, "it raised an exception");
    return 1;
  }
}

// The function gets a copy: it may keep it, or change it.
void PythonDenoiser::denoise(float* images, const std::int64_t shape[4], int dims, double strength,
                             double* value) {
  std::vector<std::size_t> sizes{std::size_t(shape[0])};
  for (int axis = 4 - dims; axis < 4; ++axis) sizes.push_back(std::size_t(shape[axis]));
  auto* const values = reinterpret_cast<std::complex<float>*>(images);
  const nb::object given = nb::cast(
      nb::ndarray<nb::numpy, std::complex<float>>(values, sizes.size(), sizes.data()), nb::rv_policy::copy);
  nb::object made = function_(given, strength);
  if (nb::isinstance<nb::tuple>(made)) {
    const nb::tuple both = nb::cast<nb::tuple>(made);
    if (both.size() != 2) throw nb::value_error("the denoiser returned a tuple that is not (images, R)");
    *value = nb::cast<double>(both[1]);
    made = both[0];
  }
  made = nb::module_::import_("numpy").attr("ascontiguousarray")(made, "complex64");
  const auto array = nb::cast<nb::ndarray<const std::complex<float>, nb::c_contig, nb::device::cpu>>(made);
  bool fits = array.ndim() == sizes.size();
  for (std::size_t axis = 0; fits && axis < sizes.size(); ++axis) fits = array.shape(axis) == sizes[axis];
  if (!fits) {
    const std::string found = nb::cast<std::string>(made.attr("shape").attr("__str__")()),
                      wanted = nb::cast<std::string>(given.attr("shape").attr("__str__")());
    throw nb::value_error(
        ("the denoiser returned the shape " + found + " where " + wanted + " was asked for").c_str());
  }
  std::copy_n(array.data(), array.size(), values);
}

}  // namespace spokelab::python
