// Plans of the C interface. The GIL is released while they work; a lock lets in one thread at once.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <mutex>
#include <optional>
#include <vector>

#include "app/python/core/call.h"

namespace spokelab::python {
namespace {

using Sizes = std::vector<std::int64_t>;

class Plan {
 public:
  using Call = spokelab_status (*)(spokelab_plan*, const void*, void*);
  using CallOn = spokelab_status (*)(spokelab_plan*, const void*, void*, void*);

  // size: x, y, z.
  Plan(const Context& context, const Sizes& size, int sign, bool isDouble, std::int64_t batch,
       const OptionValues& options)
      : dims_(int(size.size())), batch_(batch), isDouble_(isDouble) {
    const Options values = optionsOf(options);
    spokelab_plan* made = nullptr;
    spokelab_status status = SPOKELAB_OK;
    {
      const nb::gil_scoped_release released;
      status = spokelab_plan_create(context.handle.get(), dims_, size.data(), sign, precision(), batch_,
                                    values.get(), &made);
    }
    check(status);
    handle_.reset(made);
  }

  // A plan for several sets of points, which are set together.
  Plan(const Context& context, const Sizes& size, int sign, bool isDouble, std::int64_t batch,
       const OptionValues& options, std::int64_t sets)
      : dims_(int(size.size())), batch_(batch), sets_(sets), isDouble_(isDouble) {
    const Options values = optionsOf(options);
    spokelab_plan* made = nullptr;
    spokelab_status status = SPOKELAB_OK;
    {
      const nb::gil_scoped_release released;
      status = spokelab_plan_create_sets(context.handle.get(), dims_, size.data(), sign, precision(), batch_,
                                         sets_, values.get(), &made);
    }
    check(status);
    handle_.reset(made);
  }

  // Tuned for these points.
  Plan(const Context& context, const Sizes& size, int sign, bool isDouble, std::int64_t batch,
       const OptionValues& options, const Reals& points, nb::object progress)
      : dims_(int(size.size())), batch_(batch), isDouble_(isDouble) {
    const Options values = optionsOf(options);
    const std::int64_t count = countOf(points);
    Listener listener(std::move(progress));
    spokelab_plan* made = nullptr;
    spokelab_status status = SPOKELAB_OK;
    {
      const nb::gil_scoped_release released;
      status = spokelab_plan_tune(context.handle.get(), dims_, size.data(), sign, precision(), batch_,
                                  values.get(), count, points.data(), Listener::hear, &listener, &made);
    }
    handle_.reset(made);
    listener.finish(status);
  }

  void setPoints(const Reals& points) {
    const std::int64_t count = countOf(points);
    const nb::gil_scoped_release released;
    const std::lock_guard lock(one_);
    check(spokelab_plan_set_points(handle_.get(), count, points.data()));
  }

  // Points of all sets; offsets: the first of each, and at last how many there are.
  void setPointSets(const Sizes& offsets, const Reals& points) {
    const std::int64_t count = countOf(points);
    if (std::int64_t(offsets.size()) != sets_ + 1 || offsets.back() != count)
      throw nb::value_error("offsets do not match the plan's sets of points");
    const nb::gil_scoped_release released;
    const std::lock_guard lock(one_);
    check(spokelab_plan_set_point_sets(handle_.get(), offsets.data(), points.data()));
  }

  // Address of doubles in a GPU's memory, and how many.
  void setPointsOn(std::uintptr_t points, std::int64_t numbers, std::uintptr_t stream) {
    const nb::gil_scoped_release released;
    const std::lock_guard lock(one_);
    if (numbers % dims_ != 0) throw nb::value_error("points are not of shape (points, dims)");
    check(spokelab_plan_set_points_on(handle_.get(), numbers / dims_,
                                      static_cast<const double*>(addressOf(points)), addressOf(stream)));
  }

  void setWeights(const Reals& weights) {
    const nb::gil_scoped_release released;
    const std::lock_guard lock(one_);
    check(spokelab_plan_set_weights(handle_.get(), std::int64_t(weights.size()), weights.data()));
  }

  void forward(const Input& image, const Output& samples) {
    execute(spokelab_plan_forward, image, samples, false, true);
  }
  void adjoint(const Input& samples, const Output& image) {
    execute(spokelab_plan_adjoint, samples, image, true, false);
  }
  void normal(const Input& in, const Output& out) { execute(spokelab_plan_normal, in, out, false, false); }

  // Addresses in a GPU's memory, how many numbers lie there, and a stream.
  void forwardOn(std::uintptr_t image, std::int64_t pixels, std::uintptr_t samples, std::int64_t count,
                 std::uintptr_t stream) {
    executeOn(spokelab_plan_forward_on, image, pixels, samples, count, stream, false, true);
  }
  void adjointOn(std::uintptr_t samples, std::int64_t count, std::uintptr_t image, std::int64_t pixels,
                 std::uintptr_t stream) {
    executeOn(spokelab_plan_adjoint_on, samples, count, image, pixels, stream, true, false);
  }
  void normalOn(std::uintptr_t in, std::int64_t inPixels, std::uintptr_t out, std::int64_t outPixels,
                std::uintptr_t stream) {
    executeOn(spokelab_plan_normal_on, in, inPixels, out, outPixels, stream, false, false);
  }

  std::int64_t workspaceBytes() const { return spokelab_plan_workspace_bytes(handle_.get()); }
  // The array is kept until another one takes its place; none: memory of the plan.
  void setWorkspace(const std::optional<Output>& memory) {
    std::optional<Output> before = memory;
    const nb::gil_scoped_release released;
    const std::lock_guard lock(one_);
    check(spokelab_plan_set_workspace(handle_.get(), memory ? memory->data() : nullptr,
                                      memory ? std::int64_t(memory->nbytes()) : 0));
    workspace_.swap(before);
  }

  void setWorkspaceOn(std::uintptr_t memory, std::int64_t bytes) {
    const nb::gil_scoped_release released;
    const std::lock_guard lock(one_);
    check(spokelab_plan_set_workspace_on(handle_.get(), addressOf(memory), bytes));
  }

  std::int64_t points() const { return spokelab_plan_points(handle_.get()); }
  double error() const { return spokelab_plan_error(handle_.get()); }
  std::string text() const { return spokelab_plan_text(handle_.get()); }

 private:
  spokelab_precision precision() const { return isDouble_ ? SPOKELAB_DOUBLE : SPOKELAB_SINGLE; }
  std::int64_t pixels() const { return sets_ * spokelab_plan_pixels(handle_.get()); }
  std::int64_t countOf(const Reals& points) const {
    if (points.ndim() != 2 || int(points.shape(1)) != dims_)
      throw nb::value_error("points are not of shape (points, dims)");
    return std::int64_t(points.shape(0));
  }

  // Sizes are looked at inside the lock: another thread may be setting points.
  void execute(Call call, const Input& in, const Output& out, bool fromSamples, bool toSamples) {
    const nb::gil_scoped_release released;
    const std::lock_guard lock(one_);
    requireComplex(in, (fromSamples ? points() : pixels()) * batch_, isDouble_);
    requireComplex(out, (toSamples ? points() : pixels()) * batch_, isDouble_);
    check(call(handle_.get(), in.data(), out.data()));
  }

  void executeOn(CallOn call, std::uintptr_t in, std::int64_t inCount, std::uintptr_t out,
                 std::int64_t outCount, std::uintptr_t stream, bool fromSamples, bool toSamples) {
    const nb::gil_scoped_release released;
    const std::lock_guard lock(one_);
    requireCount(inCount, (fromSamples ? points() : pixels()) * batch_);
    requireCount(outCount, (toSamples ? points() : pixels()) * batch_);
    check(call(handle_.get(), addressOf(in), addressOf(out), addressOf(stream)));
  }

  std::optional<Output> workspace_;
  Handle<spokelab_plan, spokelab_plan_destroy> handle_;
  std::mutex one_;
  int dims_;
  std::int64_t batch_, sets_ = 1;
  bool isDouble_;
};

}  // namespace

void bindPlan(nb::module_& module) {
  nb::class_<Plan>(module, "Plan")
      .def(nb::init<const Context&, const Sizes&, int, bool, std::int64_t, const OptionValues&>())
      .def(nb::init<const Context&, const Sizes&, int, bool, std::int64_t, const OptionValues&, const Reals&,
                    nb::object>(),
           nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().noconvert(),
           nb::arg().none())
      .def(nb::init<const Context&, const Sizes&, int, bool, std::int64_t, const OptionValues&,
                    std::int64_t>())
      .def("set_point_sets", &Plan::setPointSets, nb::arg(), nb::arg().noconvert())
      .def("set_points", &Plan::setPoints, nb::arg().noconvert())
      .def("set_points_on", &Plan::setPointsOn)
      .def("set_weights", &Plan::setWeights, nb::arg().noconvert())
      .def("forward", &Plan::forward, nb::arg().noconvert(), nb::arg().noconvert())
      .def("adjoint", &Plan::adjoint, nb::arg().noconvert(), nb::arg().noconvert())
      .def("normal", &Plan::normal, nb::arg().noconvert(), nb::arg().noconvert())
      .def("forward_on", &Plan::forwardOn)
      .def("adjoint_on", &Plan::adjointOn)
      .def("normal_on", &Plan::normalOn)
      .def("workspace_bytes", &Plan::workspaceBytes)
      .def("set_workspace", &Plan::setWorkspace, nb::arg().noconvert().none())
      .def("set_workspace_on", &Plan::setWorkspaceOn)
      .def("points", &Plan::points)
      .def("error", &Plan::error)
      .def("text", &Plan::text);
}

}  // namespace spokelab::python
