// Transforms of type 3 of the C interface, without the GIL; a lock lets in one thread at a time.
#include <mutex>

#include "app/python/core/call.h"

namespace spokelab::python {
namespace {

class Type3 {
 public:
  Type3(const Context& context, int dims, int sign, bool isDouble, std::int64_t batch,
        const OptionValues& options)
      : dims_(dims), batch_(batch), isDouble_(isDouble) {
    const Options values = optionsOf(options);
    spokelab_type3* made = nullptr;
    check(spokelab_type3_create(context.handle.get(), dims, sign,
                                isDouble ? SPOKELAB_DOUBLE : SPOKELAB_SINGLE, batch, values.get(), &made));
    handle_.reset(made);
  }

  // The fastest transform for these points takes the place of this one.
  void tune(const Context& context, const OptionValues& options, int sign, const Reals& sources,
            const Reals& targets) {
    const Options values = optionsOf(options);
    const std::int64_t from = countOf(sources), to = countOf(targets);
    const nb::gil_scoped_release released;
    const std::lock_guard lock(one_);
    spokelab_type3* made = nullptr;
    check(spokelab_type3_tune(context.handle.get(), dims_, sign,
                              isDouble_ ? SPOKELAB_DOUBLE : SPOKELAB_SINGLE, batch_, values.get(), from,
                              sources.data(), to, targets.data(), nullptr, nullptr, &made));
    handle_.reset(made);
    sources_ = from;
    targets_ = to;
  }

  void setPoints(const Reals& sources, const Reals& targets) {
    const std::int64_t from = countOf(sources), to = countOf(targets);
    const nb::gil_scoped_release released;
    const std::lock_guard lock(one_);
    check(spokelab_type3_set_points(handle_.get(), from, sources.data(), to, targets.data()));
    sources_ = from;
    targets_ = to;
  }

  void forward(const Input& in, const Output& out) {
    execute(spokelab_type3_forward, in, sources_, out, targets_);
  }
  void adjoint(const Input& in, const Output& out) {
    execute(spokelab_type3_adjoint, in, targets_, out, sources_);
  }

  // Addresses in a GPU's memory, how many numbers lie there, and a stream.
  void forwardOn(std::uintptr_t in, std::int64_t inCount, std::uintptr_t out, std::int64_t outCount,
                 std::uintptr_t stream) {
    executeOn(spokelab_type3_forward_on, in, inCount, sources_, out, outCount, targets_, stream);
  }
  void adjointOn(std::uintptr_t in, std::int64_t inCount, std::uintptr_t out, std::int64_t outCount,
                 std::uintptr_t stream) {
    executeOn(spokelab_type3_adjoint_on, in, inCount, targets_, out, outCount, sources_, stream);
  }

  double error() const { return spokelab_type3_error(handle_.get()); }
  std::string text() const { return spokelab_type3_text(handle_.get()); }

 private:
  std::int64_t countOf(const Reals& points) const {
    if (points.ndim() != 2 || int(points.shape(1)) != dims_)
      throw nb::value_error("points are not of shape (points, dims)");
    return std::int64_t(points.shape(0));
  }

  // The image's points are looked at inside the lock: another thread may set them.
  void execute(decltype(spokelab_type3_forward) call, const Input& in, const std::int64_t& inPoints,
               const Output& out, const std::int64_t& outPoints) {
    const nb::gil_scoped_release released;
    const std::lock_guard lock(one_);
    requireComplex(in, batch_ * inPoints, isDouble_);
    requireComplex(out, batch_ * outPoints, isDouble_);
    check(call(handle_.get(), in.data(), out.data()));
  }
  void executeOn(decltype(spokelab_type3_forward_on) call, std::uintptr_t in, std::int64_t inCount,
                 const std::int64_t& inPoints, std::uintptr_t out, std::int64_t outCount,
                 const std::int64_t& outPoints, std::uintptr_t stream) {
    const nb::gil_scoped_release released;
    const std::lock_guard lock(one_);
    requireCount(inCount, batch_ * inPoints);
    requireCount(outCount, batch_ * outPoints);
    check(call(handle_.get(), addressOf(in), addressOf(out), addressOf(stream)));
  }

  Handle<spokelab_type3, spokelab_type3_destroy> handle_;
  std::mutex one_;
  int dims_;
  std::int64_t batch_, sources_ = 0, targets_ = 0;
  bool isDouble_;
};

}  // namespace

void bindType3(nb::module_& module) {
  nb::class_<Type3>(module, "Type3")
      .def(nb::init<const Context&, int, int, bool, std::int64_t, const OptionValues&>())
      .def("tune", &Type3::tune, nb::arg(), nb::arg(), nb::arg(), nb::arg().noconvert(),
           nb::arg().noconvert())
      .def("set_points", &Type3::setPoints, nb::arg().noconvert(), nb::arg().noconvert())
      .def("forward", &Type3::forward, nb::arg().noconvert(), nb::arg().noconvert())
      .def("adjoint", &Type3::adjoint, nb::arg().noconvert(), nb::arg().noconvert())
      .def("forward_on", &Type3::forwardOn)
      .def("adjoint_on", &Type3::adjointOn)
      .def("error", &Type3::error)
      .def("text", &Type3::text);
}

}  // namespace spokelab::python
