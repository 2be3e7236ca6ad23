// Plans that JAX's compiled programs call: a handler of XLA's foreign function interface finds the
// plan by a number that is part of the program. It runs on XLA's threads and needs no GIL.
#include "app/python/core/jax.h"

#include <nanobind/stl/vector.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string_view>
#include <vector>

#include "app/python/core/call.h"
#include "app/python/core/xla_ffi.h"

namespace spokelab::python {
namespace {

std::int64_t numbersOf(const xla::Buffer& buffer) {
  std::int64_t numbers = 1;
  for (std::int64_t d = 0; d < buffer.rank; ++d) numbers *= buffer.dims[d];
  return numbers;
}

// A plan whose points are an argument of each call: they are set again where they have changed.
class JaxPlan {
 public:
  // size: x, y, z. sets 0: one set of points.
  JaxPlan(const Context& context, const std::vector<std::int64_t>& size, int sign, bool isDouble,
          std::int64_t batch, std::int64_t sets, const OptionValues& options)
      : dims_(std::int64_t(size.size())), batch_(batch), sets_(sets), isDouble_(isDouble) {
    const Options values = optionsOf(options);
    const spokelab_precision precision = isDouble ? SPOKELAB_DOUBLE : SPOKELAB_SINGLE;
    spokelab_plan* made = nullptr;
    spokelab_status status = SPOKELAB_OK;
    {
      const nb::gil_scoped_release released;
      status = sets > 0 ? spokelab_plan_create_sets(context.handle.get(), int(dims_), size.data(), sign,
                                                    precision, batch, sets, values.get(), &made)
                        : spokelab_plan_create(context.handle.get(), int(dims_), size.data(), sign, precision,
                                               batch, values.get(), &made);
    }
    check(status);
    handle_.reset(made);
    const std::unique_lock lock(allOfThem().lock);
    number_ = ++allOfThem().last;
    allOfThem().plans[number_] = this;
  }
  ~JaxPlan() {
    const nb::gil_scoped_release released;  // a call that still runs ends first
    const std::unique_lock lock(allOfThem().lock);
    allOfThem().plans.erase(number_);
  }
  JaxPlan(const JaxPlan&) = delete;
  JaxPlan& operator=(const JaxPlan&) = delete;

  std::int64_t number() const { return number_; }

  // Runs a plan by its number. Throws as check(), and std::invalid_argument.
  static void run(std::int64_t number, bool adjoint, const xla::Buffer& values, const xla::Buffer& points,
                  const xla::Buffer& results) {
    const std::shared_lock lock(allOfThem().lock);
    const auto found = allOfThem().plans.find(number);
    if (found == allOfThem().plans.end())
      throw std::invalid_argument(
          "Cannot transform: the NufftTransform of this compiled function is gone. Keep it while the function is "
          "in use");
    found->second->execute(adjoint, values, points, results);
  }

 private:
  struct Plans {
    std::shared_mutex lock;
    std::map<std::int64_t, JaxPlan*> plans;
    std::int64_t last = 0;
  };
  static Plans& allOfThem() {
    static Plans all;
    return all;
  }

  void execute(bool adjoint, const xla::Buffer& values, const xla::Buffer& points,
               const xla::Buffer& results) {
    const std::lock_guard lock(one_);
    const std::int64_t images = batch_ * std::max<std::int64_t>(sets_, 1);
    const std::int64_t samples = numbersOf(points) / dims_ * batch_;
    const std::int64_t pixels = spokelab_plan_pixels(handle_.get()) * images;
    const xla::Type complex = isDouble_ ? xla::Type::complex128 : xla::Type::complex64;
    if (values.type != complex || results.type != complex ||
        numbersOf(values) != (adjoint ? samples : pixels) ||
        numbersOf(results) != (adjoint ? pixels : samples))
      throw std::invalid_argument("an array has not the plan's size or precision");
    place(points);
    check(
        (adjoint ? spokelab_plan_adjoint : spokelab_plan_forward)(handle_.get(), values.data, results.data));
  }

  // Axes of JAX's arrays are z, y, x.
  template <class Real>
  void take(const Real* points, std::int64_t count) {
    for (std::int64_t j = 0; j < count; ++j)
      for (std::int64_t d = 0; d < dims_; ++d)
        newPoints_[std::size_t(j * dims_ + d)] = double(points[j * dims_ + dims_ - 1 - d]);
  }

  void place(const xla::Buffer& points) {
    const std::int64_t numbers = numbersOf(points), count = numbers / dims_;
    newPoints_.resize(std::size_t(numbers));
    if (points.type == xla::Type::float32)
      take(static_cast<const float*>(points.data), count);
    else if (points.type == xla::Type::float64)
      take(static_cast<const double*>(points.data), count);
    else
      throw std::invalid_argument("points are neither float32 nor float64");
    if (isPlaced_ && newPoints_ == placed_) return;
    isPlaced_ = false;
    if (sets_ == 0) {
      check(spokelab_plan_set_points(handle_.get(), count, newPoints_.data()));
    } else {
      std::vector<std::int64_t> offsets(std::size_t(sets_) + 1);
      for (std::int64_t s = 0; s <= sets_; ++s) offsets[std::size_t(s)] = count / sets_ * s;
      check(spokelab_plan_set_point_sets(handle_.get(), offsets.data(), newPoints_.data()));
    }
    placed_.swap(newPoints_);
    isPlaced_ = true;
  }

  Handle<spokelab_plan, spokelab_plan_destroy> handle_;
  std::mutex one_;
  std::int64_t number_ = 0, dims_, batch_, sets_;
  bool isDouble_, isPlaced_ = false;
  std::vector<double> newPoints_, placed_;
};

std::int64_t integerNamed(const xla::Attributes& attributes, std::string_view name) {
  for (std::int64_t i = 0; i < attributes.size; ++i) {
    const xla::Text& text = *attributes.names[i];
    if (std::string_view(text.data, text.size) != name) continue;
    const auto& scalar = *static_cast<const xla::Scalar*>(attributes.values[i]);
    if (attributes.kinds[i] == xla::AttributeKind::scalar && scalar.type == xla::Type::int64)
      return *static_cast<const std::int64_t*>(scalar.value);
  }
  throw std::invalid_argument("the call has no integer " + std::string(name));
}

xla::Error* refused(const xla::CallFrame& frame, xla::ErrorCode code, const char* text) {
  xla::ErrorToMake made{sizeof(xla::ErrorToMake), nullptr, text, code};
  return frame.api->makeError(&made);
}

// (values, points) to values of the other side; attributes: plan, adjoint.
xla::Error* handle(xla::CallFrame* frame) {
  if (frame->extensions && frame->extensions->type == xla::metadataExtension) {
    xla::Metadata& answer = *reinterpret_cast<xla::MetadataExtension*>(frame->extensions)->metadata;
    answer.version = {sizeof(xla::ApiVersion), nullptr, xla::apiMajor, xla::apiMinor};
    answer.traits = 0;
    return nullptr;
  }
  try {
    if (frame->arguments.size != 2 || frame->results.size != 1)
      throw std::invalid_argument("a call takes values and points and gives values");
    const auto buffer = [](const xla::Buffers& all, std::size_t i) -> const xla::Buffer& {
      return *static_cast<const xla::Buffer*>(all.buffers[i]);
    };
    JaxPlan::run(integerNamed(frame->attributes, "plan"), integerNamed(frame->attributes, "adjoint") != 0,
                 buffer(frame->arguments, 0), buffer(frame->arguments, 1), buffer(frame->results, 0));
    return nullptr;
  } catch (const std::bad_alloc&) {
    return refused(*frame, xla::ErrorCode::resourceExhausted, "There is not enough memory");
  } catch (const std::exception& error) {
    return refused(*frame, xla::ErrorCode::invalidArgument, error.what());
  } catch (...) {
    return refused(*frame, xla::ErrorCode::internal, "Something unknown was thrown");
  }
}

}  // namespace

void bindJax(nb::module_& module) {
  nb::class_<JaxPlan>(module, "JaxPlan")
      .def(nb::init<const Context&, const std::vector<std::int64_t>&, int, bool, std::int64_t, std::int64_t,
                    const OptionValues&>())
      .def("number", &JaxPlan::number);
  module.def("jax_handler", [] { return nb::capsule(reinterpret_cast<void*>(&handle)); });
}

}  // namespace spokelab::python
