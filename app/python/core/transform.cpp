// Exact field-corrected transforms of the C interface.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <mutex>
#include <optional>
#include <vector>

#include "app/python/core/call.h"

namespace spokelab::python {
namespace {

using Sizes = std::vector<std::int64_t>;
using Maybe = std::optional<Reals>;

class Transform {
 public:
  Transform(const Context& context, const Sizes& size, bool isDouble, const Reals& points, const Maybe& times,
            const Maybe& field, const Maybe& decay, const Maybe& gradient, const Maybe& coordinates,
            const OptionValues& options)
      : isDouble_(isDouble) {
    const int dims = int(size.size());
    if (points.ndim() != 2 || int(points.shape(1)) != dims)
      throw nb::value_error("points are not of shape (samples, dims)");
    samples_ = std::int64_t(points.shape(0));
    if (coordinates) {
      if (coordinates->ndim() != 2 || int(coordinates->shape(1)) != dims)
        throw nb::value_error("coordinates are not of shape (pixels, dims)");
      pixels_ = std::int64_t(coordinates->shape(0));
    } else {
      for (const std::int64_t n : size) pixels_ *= n;
    }
    const Options values = optionsOf(options);
    const double *t = pointer(times, samples_, "times"), *f = pointer(field, pixels_, "field"),
                 *d = pointer(decay, pixels_, "decay"), *g = pointer(gradient, pixels_ * dims, "gradient");
    spokelab_transform* made = nullptr;
    spokelab_status status = SPOKELAB_OK;
    {
      const nb::gil_scoped_release released;
      const spokelab_precision precision = isDouble ? SPOKELAB_DOUBLE : SPOKELAB_SINGLE;
      status = coordinates ? spokelab_gdft_create_at(context.handle.get(), dims, size.data(), precision,
                                                     pixels_, coordinates->data(), samples_, points.data(), t,
                                                     f, d, g, values.get(), &made)
                           : spokelab_gdft_create(context.handle.get(), dims, size.data(), precision,
                                                  samples_, points.data(), t, f, d, g, values.get(), &made);
    }
    check(status);
    handle_.reset(made);
  }

  void forward(const Input& image, const Output& samples) {
    execute(spokelab_gdft_forward, image, pixels_, samples, samples_);
  }
  void adjoint(const Input& samples, const Output& image) {
    execute(spokelab_gdft_adjoint, samples, samples_, image, pixels_);
  }

  // Addresses in a GPU's memory, how many numbers lie there, and a stream.
  void forwardOn(std::uintptr_t image, std::int64_t pixels, std::uintptr_t samples, std::int64_t count,
                 std::uintptr_t stream) {
    requireCount(pixels, pixels_);
    requireCount(count, samples_);
    executeOn(spokelab_gdft_forward_on, image, samples, stream);
  }
  void adjointOn(std::uintptr_t samples, std::int64_t count, std::uintptr_t image, std::int64_t pixels,
                 std::uintptr_t stream) {
    requireCount(pixels, pixels_);
    requireCount(count, samples_);
    executeOn(spokelab_gdft_adjoint_on, samples, image, stream);
  }

 private:
  static const double* pointer(const Maybe& values, std::int64_t count, const char* name) {
    if (!values) return nullptr;
    if (std::int64_t(values->size()) != count)
      throw nb::value_error((std::string(name) + " has the wrong size").c_str());
    return values->data();
  }

  void execute(decltype(spokelab_gdft_forward) call, const Input& in, std::int64_t inCount, const Output& out,
               std::int64_t outCount) {
    requireComplex(in, inCount, isDouble_);
    requireComplex(out, outCount, isDouble_);
    const nb::gil_scoped_release released;
    const std::lock_guard lock(one_);
    check(call(handle_.get(), in.data(), out.data()));
  }
  void executeOn(decltype(spokelab_gdft_forward_on) call, std::uintptr_t in, std::uintptr_t out,
                 std::uintptr_t stream) {
    const nb::gil_scoped_release released;
    const std::lock_guard lock(one_);
    check(call(handle_.get(), addressOf(in), addressOf(out), addressOf(stream)));
  }

  Handle<spokelab_transform, spokelab_gdft_destroy> handle_;
  std::mutex one_;
  std::int64_t samples_ = 0, pixels_ = 1;
  bool isDouble_;
};

}  // namespace

void bindTransform(nb::module_& module) {
  nb::class_<Transform>(module, "Transform")
      .def(nb::init<const Context&, const Sizes&, bool, const Reals&, const Maybe&, const Maybe&,
                    const Maybe&, const Maybe&, const Maybe&, const OptionValues&>(),
           nb::arg(), nb::arg(), nb::arg(), nb::arg().noconvert(), nb::arg().none(), nb::arg().none(),
           nb::arg().none(), nb::arg().none(), nb::arg().none(), nb::arg())
      .def("forward", &Transform::forward, nb::arg().noconvert(), nb::arg().noconvert())
      .def("adjoint", &Transform::adjoint, nb::arg().noconvert(), nb::arg().noconvert())
      .def("forward_on", &Transform::forwardOn)
      .def("adjoint_on", &Transform::adjointOn);
}

}  // namespace spokelab::python
