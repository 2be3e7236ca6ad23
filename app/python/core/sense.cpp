// SENSE of the C interface. The GIL is released while it works; a lock lets in one thread at a
// time.
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

// Sizes of arrays have been checked by the files around this module.
class Sense {
 public:
  Sense(const Context& context, const Sizes& size, bool isDouble, int coils, const Input& maps,
        const Reals& points, const OptionValues& options)
      : coils_(coils), samples_(std::int64_t(points.shape(0))), isDouble_(isDouble) {
    for (const std::int64_t n : size) pixels_ *= n;
    const Options values = optionsOf(options);
    spokelab_sense* made = nullptr;
    spokelab_status status = SPOKELAB_OK;
    {
      const nb::gil_scoped_release released;
      status = spokelab_sense_create(
          context.handle.get(), int(size.size()), size.data(), isDouble ? SPOKELAB_DOUBLE : SPOKELAB_SINGLE,
          coils, static_cast<const float*>(maps.data()), samples_, points.data(), values.get(), &made);
    }
    check(status);
    handle_.reset(made);
  }

  void setWeights(const Maybe& weights) {
    locked([&] { return spokelab_sense_set_weights(handle_.get(), pointer(weights)); });
  }
  void setField(const Maybe& times, const Maybe& field, const Maybe& decay, const Maybe& gradient) {
    locked([&] {
      return spokelab_sense_set_field(handle_.get(), pointer(times), pointer(field), pointer(decay),
                                      pointer(gradient));
    });
  }
  void setPhases(const Sizes& offsets, const Maybe& phases) {
    const std::int64_t shots = phases ? std::int64_t(offsets.size()) - 1 : 0;
    locked([&] { return spokelab_sense_set_phases(handle_.get(), shots, offsets.data(), pointer(phases)); });
  }

  void solve(const Input& values, const Output& image, const OptionValues& options, nb::object progress,
             nb::object denoiser) {
    requireComplex(values, coils_ * samples_, isDouble_);
    requireComplex(image, pixels_, isDouble_);
    const Options given = optionsOf(options);
    PythonDenoiser called(std::move(denoiser), given);
    Listener listener(std::move(progress));
    spokelab_status status = SPOKELAB_OK;
    {
      const nb::gil_scoped_release released;
      const std::lock_guard lock(one_);
      status = spokelab_sense_solve(handle_.get(), values.data(), given.get(), Listener::hear, &listener,
                                    image.data());
    }
    called.finish();
    listener.finish(status);
  }

  // Addresses in a GPU's memory, how many numbers lie there, and a stream.
  void solveOn(std::uintptr_t values, std::int64_t count, std::uintptr_t image, std::int64_t pixels,
               std::uintptr_t stream, const OptionValues& options, nb::object progress, nb::object denoiser) {
    requireCount(count, coils_ * samples_);
    requireCount(pixels, pixels_);
    const Options given = optionsOf(options);
    PythonDenoiser called(std::move(denoiser), given);
    Listener listener(std::move(progress));
    spokelab_status status = SPOKELAB_OK;
    {
      const nb::gil_scoped_release released;
      const std::lock_guard lock(one_);
      status = spokelab_sense_solve_on(handle_.get(), addressOf(values), given.get(), Listener::hear,
                                       &listener, addressOf(image), addressOf(stream));
    }
    called.finish();
    listener.finish(status);
  }

  std::vector<double> residuals() const {
    const double* const first = spokelab_sense_residuals(handle_.get());
    return {first, first + spokelab_sense_iterations(handle_.get())};
  }
  std::string text() const { return spokelab_sense_text(handle_.get()); }

 private:
  static const double* pointer(const Maybe& values) { return values ? values->data() : nullptr; }

  template <class Call>
  void locked(const Call& call) {
    const nb::gil_scoped_release released;
    const std::lock_guard lock(one_);
    check(call());
  }

  Handle<spokelab_sense, spokelab_sense_destroy> handle_;
  std::mutex one_;
  std::int64_t coils_, samples_, pixels_ = 1;
  bool isDouble_;
};

}  // namespace

void bindSense(nb::module_& module) {
  nb::class_<Sense>(module, "Sense")
      .def(nb::init<const Context&, const Sizes&, bool, int, const Input&, const Reals&,
                    const OptionValues&>(),
           nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().noconvert(), nb::arg().noconvert(),
           nb::arg())
      .def("set_weights", &Sense::setWeights, nb::arg().none())
      .def("set_field", &Sense::setField, nb::arg().none(), nb::arg().none(), nb::arg().none(),
           nb::arg().none())
      .def("set_phases", &Sense::setPhases, nb::arg(), nb::arg().none())
      .def("solve", &Sense::solve, nb::arg().noconvert(), nb::arg().noconvert(), nb::arg(), nb::arg().none(),
           nb::arg().none())
      .def("solve_on", &Sense::solveOn, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(),
           nb::arg().none(), nb::arg().none())
      .def("residuals", &Sense::residuals)
      .def("text", &Sense::text);
}

}  // namespace spokelab::python
