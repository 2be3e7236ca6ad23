// Arrays of other libraries, as DLPack capsules hand them over.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <tuple>

#include "app/python/core/call.h"

namespace spokelab::python {
namespace {

// Address, shape, strides and type of a device array; keeps the other library's alive.
class DeviceView {
 public:
  explicit DeviceView(nb::ndarray<nb::ro> array) : array_(std::move(array)) {}

  std::uintptr_t pointer() const { return reinterpret_cast<std::uintptr_t>(array_.data()); }
  // The shape, in elements.
  nb::tuple shape() const {
    return tupleOf([&](std::size_t axis) { return std::int64_t(array_.shape(axis)); });
  }
  nb::tuple strides() const {
    return tupleOf([&](std::size_t axis) { return array_.stride(axis); });
  }
  // NumPy's code: "c8".
  std::string dtype() const {
    const nb::dlpack::dtype type = array_.dtype();
    constexpr int bitsPerByte = 8;
    const char* kind = "?";
    switch (nb::dlpack::dtype_code(type.code)) {
      case nb::dlpack::dtype_code::Int:
        kind = "i";
        break;
      case nb::dlpack::dtype_code::UInt:
        kind = "u";
        break;
      case nb::dlpack::dtype_code::Float:
        kind = "f";
        break;
      case nb::dlpack::dtype_code::Complex:
        kind = "c";
        break;
      default:
        return kind;
    }
    return kind + std::to_string(type.bits * type.lanes / bitsPerByte);
  }

 private:
  template <class Value>
  nb::tuple tupleOf(const Value& value) const {
    nb::list all;
    for (std::size_t axis = 0; axis < array_.ndim(); ++axis) all.append(value(axis));
    return nb::tuple(all);
  }

  nb::ndarray<nb::ro> array_;
};

// A NumPy array over the memory of another library's host array, which it keeps alive.
nb::object hostView(const nb::ndarray<nb::device::cpu>& array) {
  return nb::cast(nb::ndarray<nb::numpy>(array), nb::rv_policy::reference);
}

}  // namespace

void bindArrays(nb::module_& module) {
  nb::class_<DeviceView>(module, "DeviceView")
      .def(nb::init<nb::ndarray<nb::ro>>(), nb::arg().noconvert())
      .def_prop_ro("pointer", &DeviceView::pointer)
      .def_prop_ro("shape", &DeviceView::shape)
      .def_prop_ro("strides", &DeviceView::strides)
      .def_prop_ro("dtype", &DeviceView::dtype);
  module.def("host_view", &hostView, nb::arg().noconvert());
}

}  // namespace spokelab::python
