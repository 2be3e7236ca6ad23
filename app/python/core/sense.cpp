// SENSE of the C interface. Setters and solves release the GIL and take a mutex. residuals() and
// text() are those of the last solve that ended, copied under the mutex: they wait for nothing,
// also in a solve's progress.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/python/core/call.h"

namespace spokelab::python {
namespace {

using Sizes = std::vector<std::int64_t>;
using OptionalReals = std::optional<Reals>;

// spokelab/sense.py checks shapes; here only the lengths of solve()'s arrays again.
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

  void setWeights(const OptionalReals& weights) {
    callLocked([&] { return spokelab_sense_set_weights(handle_.get(), pointer(weights)); });
  }
  void setField(const OptionalReals& times, const OptionalReals& field, const OptionalReals& decay,
                const OptionalReals& gradient) {
    callLocked([&] {
      return spokelab_sense_set_field(handle_.get(), pointer(times), pointer(field), pointer(decay),
                                      pointer(gradient));
    });
  }
  void setPhases(const Sizes& offsets, const OptionalReals& phases) {
    const std::int64_t shots = phases ? std::int64_t(offsets.size()) - 1 : 0;
    callLocked(
        [&] { return spokelab_sense_set_phases(handle_.get(), shots, offsets.data(), pointer(phases)); });
  }

  void solve(const Input& values, const Output& image, const OptionValues& options, nb::object progress,
             nb::object denoiser) {
    requireComplex(values, coils_ * samples_, isDouble_);
    requireComplex(image, pixels_, isDouble_);
    const Options optionHandle = optionsOf(options);
    PythonDenoiser denoiserCall(std::move(denoiser), optionHandle);
    Listener listener(std::move(progress));
    spokelab_status status = SPOKELAB_OK;
    News news;
    {
      const nb::gil_scoped_release released;
      const std::lock_guard lock(mutex_);
      status = spokelab_sense_solve(handle_.get(), values.data(), optionHandle.get(), Listener::hear,
                                    &listener, image.data());
      news = newsOf(handle_.get());
    }
    last_ = std::move(news);
    denoiserCall.finish();  // its exception first: it is the cause of the status
    listener.finish(status);
  }

  // The same with arrays in a GPU's memory: addresses, lengths in complex numbers, a CUDA stream.
  void solveOn(std::uintptr_t values, std::int64_t count, std::uintptr_t image, std::int64_t pixels,
               std::uintptr_t stream, const OptionValues& options, nb::object progress, nb::object denoiser) {
    requireCount(count, coils_ * samples_);
    requireCount(pixels, pixels_);
    const Options optionHandle = optionsOf(options);
    PythonDenoiser denoiserCall(std::move(denoiser), optionHandle);
    Listener listener(std::move(progress));
    spokelab_status status = SPOKELAB_OK;
    News news;
    {
      const nb::gil_scoped_release released;
      const std::lock_guard lock(mutex_);
      status = spokelab_sense_solve_on(handle_.get(), addressOf(values), optionHandle.get(), Listener::hear,
                                       &listener, addressOf(image), addressOf(stream));
      news = newsOf(handle_.get());
    }
    last_ = std::move(news);
    denoiserCall.finish();
    listener.finish(status);
  }

  std::vector<double> residuals() const { return last_.residuals; }
  std::string text() const { return last_.text; }

 private:
  struct News {
    std::vector<double> residuals;
    std::string text;
  };
  // Called under the mutex: the next solve frees these arrays.
  static News newsOf(const spokelab_sense* sense) {
    const double* const first = spokelab_sense_residuals(sense);
    return {{first, first + spokelab_sense_iterations(sense)}, spokelab_sense_text(sense)};
  }

  static const double* pointer(const OptionalReals& values) { return values ? values->data() : nullptr; }

  template <class Call>
  void callLocked(const Call& call) {
    const nb::gil_scoped_release released;
    const std::lock_guard lock(mutex_);
    check(call());
  }

  Handle<spokelab_sense, spokelab_sense_destroy> handle_;
  std::mutex mutex_;
  News last_;  // read and written with the GIL held
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
