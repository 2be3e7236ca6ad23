// Scans and images of the C interface: arrays are views that keep what they look at alive.
#include <nanobind/stl/array.h>
#include <nanobind/stl/complex.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <complex>
#include <optional>
#include <utility>
#include <vector>

#include "app/python/core/call.h"

namespace spokelab::python {
namespace {

struct Scan {
  Handle<spokelab_scan, spokelab_scan_destroy> handle;
};
struct Image {
  Handle<spokelab_image, spokelab_image_destroy> handle;
};
struct LambdaRange {
  Handle<spokelab_lambda_range, spokelab_lambda_range_destroy> handle;
};

template <class T, class Value>
std::array<Value, 3> three(spokelab_status (*call)(const T*, Value*), const T* handle) {
  std::array<Value, 3> values{};
  check(call(handle, values.data()));
  return values;
}

Scan readScan(const std::string& file, const std::vector<std::string>& choices, nb::object progress) {
  std::vector<const char*> texts;
  for (const std::string& choice : choices) texts.push_back(choice.c_str());
  Listener listener(std::move(progress));
  spokelab_scan* made = nullptr;
  spokelab_status status = SPOKELAB_OK;
  {
    const nb::gil_scoped_release released;
    status =
        spokelab_scan_read(file.c_str(), texts.data(), int(texts.size()), Listener::hear, &listener, &made);
  }
  Scan scan{decltype(Scan::handle)(made)};
  listener.finish(status);
  return scan;
}

std::pair<Scan, std::optional<Image>> simulate(const std::vector<std::string>& options, bool withTruth,
                                               nb::object progress) {
  std::vector<const char*> texts;
  for (const std::string& option : options) texts.push_back(option.c_str());
  Listener listener(std::move(progress));
  spokelab_scan* made = nullptr;
  spokelab_image* truth = nullptr;
  spokelab_status status = SPOKELAB_OK;
  {
    const nb::gil_scoped_release released;
    status = spokelab_scan_simulate(texts.data(), int(texts.size()), Listener::hear, &listener, &made,
                                    withTruth ? &truth : nullptr);
  }
  std::pair<Scan, std::optional<Image>> both{Scan{decltype(Scan::handle)(made)}, std::nullopt};
  if (truth) both.second = Image{decltype(Image::handle)(truth)};
  listener.finish(status);
  return both;
}

// values [coil, sample]
Scan makeScan(const std::vector<std::int64_t>& size, const std::optional<std::vector<double>>& fov,
              const std::vector<std::int64_t>& offsets, const Reals& points,
              const std::optional<Reals>& times, const Input& values) {
  const bool isDouble = values.dtype() == nb::dtype<std::complex<double>>();
  const std::size_t samples = offsets.empty() ? 0 : std::size_t(offsets.back());
  if (fov && fov->size() != size.size()) throw nb::value_error("fov has not one length for each axis");
  if (values.ndim() != 2 || values.shape(1) != samples)
    throw nb::value_error("values are not (coils, samples)");
  if (points.ndim() != 2 || points.shape(0) != samples || points.shape(1) != size.size())
    throw nb::value_error("points are not (samples, dims)");
  if (times && times->size() != samples) throw nb::value_error("times are not (samples)");
  requireComplex(values, std::int64_t(values.size()), isDouble);
  spokelab_scan* made = nullptr;
  check(spokelab_scan_create(int(size.size()), size.data(), fov ? fov->data() : nullptr, int(values.shape(0)),
                             std::int64_t(offsets.size()) - 1, offsets.data(), points.data(),
                             times ? times->data() : nullptr, isDouble ? SPOKELAB_DOUBLE : SPOKELAB_SINGLE,
                             values.data(), &made));
  return {decltype(Scan::handle)(made)};
}

void setArray(const Scan& scan, const std::string& name, const Input& values) {
  requireComplex(values, std::int64_t(values.size()), false);
  std::vector<std::int64_t> shape;
  for (std::size_t axis = 0; axis < values.ndim(); ++axis) shape.push_back(std::int64_t(values.shape(axis)));
  check(spokelab_scan_set_array(scan.handle.get(), name.c_str(), int(shape.size()), shape.data(),
                                static_cast<const float*>(values.data())));
}

Image reconstruct(const Context& context, const Scan& scan, const OptionValues& options, nb::object progress,
                  nb::object denoiser) {
  const Options values = optionsOf(options);
  PythonDenoiser called(std::move(denoiser), values);
  Listener listener(std::move(progress));
  spokelab_image* made = nullptr;
  spokelab_status status = SPOKELAB_OK;
  {
    const nb::gil_scoped_release released;
    status = spokelab_reconstruct(context.handle.get(), scan.handle.get(), values.get(), Listener::hear,
                                  &listener, &made);
  }
  Image image{decltype(Image::handle)(made)};
  called.finish();
  listener.finish(status);
  return image;
}

std::vector<Image> noiseMaps(const Context& context, const Scan& scan, const OptionValues& options,
                             int replicas, double sigma, unsigned seed, nb::object progress) {
  const Options values = optionsOf(options);
  Listener listener(std::move(progress));
  spokelab_image* made[3] = {};
  spokelab_status status = SPOKELAB_OK;
  {
    const nb::gil_scoped_release released;
    status = spokelab_noise_maps(context.handle.get(), scan.handle.get(), values.get(), replicas, sigma, seed,
                                 Listener::hear, &listener, made);
  }
  std::vector<Image> images;
  for (spokelab_image* image : made) images.push_back({decltype(Image::handle)(image)});
  listener.finish(status);
  return images;
}

LambdaRange lambdaRange(const Context& context, const Scan& scan, const OptionValues& options, double low,
                        double high, int count, double heldOut, double sigma, nb::object progress) {
  const Options values = optionsOf(options);
  Listener listener(std::move(progress));
  spokelab_lambda_range* made = nullptr;
  spokelab_status status = SPOKELAB_OK;
  {
    const nb::gil_scoped_release released;
    status = spokelab_lambda_range_create(context.handle.get(), scan.handle.get(), values.get(), low, high,
                                          count, heldOut, sigma, Listener::hear, &listener, &made);
  }
  LambdaRange range{decltype(LambdaRange::handle)(made)};
  listener.finish(status);
  return range;
}

Image imageOf(const LambdaRange& range, double lambda) {
  spokelab_image* made = nullptr;
  spokelab_status status = SPOKELAB_OK;
  {
    const nb::gil_scoped_release released;
    status = spokelab_lambda_range_image(range.handle.get(), lambda, &made);
  }
  Image image{decltype(Image::handle)(made)};
  check(status);
  return image;
}

// Read-only; `owner` lives as long as the array.
template <class Value>
nb::object view(const Value* values, std::initializer_list<std::size_t> shape, nb::handle owner) {
  if (!values) return nb::none();
  return nb::cast(nb::ndarray<nb::numpy, const Value>(values, shape, owner));
}

nb::object pointsOf(nb::handle_t<Scan> self, int frame) {
  const spokelab_scan* scan = nb::cast<const Scan&>(self).handle.get();
  const std::int64_t samples = spokelab_scan_samples(scan, frame);
  if (samples < 0) throw nb::index_error("the scan has no such frame");
  return view(spokelab_scan_points(scan, frame),
              {std::size_t(samples), std::size_t(spokelab_scan_dims(scan))}, self);
}

nb::object valuesOf(nb::handle_t<Scan> self, int frame, int slice, int coil) {
  const spokelab_scan* scan = nb::cast<const Scan&>(self).handle.get();
  const float* values = spokelab_scan_values(scan, frame, slice, coil);
  if (!values) throw nb::index_error("the scan has no such frame, slice or coil");
  return view(reinterpret_cast<const std::complex<float>*>(values),
              {std::size_t(spokelab_scan_samples(scan, frame))}, self);
}

template <class Real>
nb::object pixelsOf(nb::handle_t<Image> self) {
  const spokelab_image* image = nb::cast<const Image&>(self).handle.get();
  const auto size = three(spokelab_image_size, image);
  const Real* values = nullptr;
  if constexpr (std::is_same_v<Real, float>)
    values = spokelab_image_values(image);
  else
    values = spokelab_image_values_double(image);
  return view(reinterpret_cast<const std::complex<Real>*>(values),
              {std::size_t(spokelab_image_frames(image)), std::size_t(size[2]), std::size_t(size[1]),
               std::size_t(size[0])},
              self);
}

}  // namespace

void bindScan(nb::module_& module) {
  nb::class_<Scan>(module, "Scan")
      .def_prop_ro("dims", [](const Scan& s) { return spokelab_scan_dims(s.handle.get()); })
      .def_prop_ro("coils", [](const Scan& s) { return spokelab_scan_coils(s.handle.get()); })
      .def_prop_ro("slices", [](const Scan& s) { return spokelab_scan_slices(s.handle.get()); })
      .def_prop_ro("frames", [](const Scan& s) { return spokelab_scan_frames(s.handle.get()); })
      .def("size", [](const Scan& s) { return three(spokelab_scan_size, s.handle.get()); })
      .def("fov", [](const Scan& s) { return three(spokelab_scan_fov, s.handle.get()); })
      .def("set_array", &setArray, nb::arg(), nb::arg().noconvert())
      .def("points", &pointsOf)
      .def("values", &valuesOf)
      .def("json", [](const Scan& s) { return std::string(spokelab_scan_json(s.handle.get())); });
  nb::class_<Image>(module, "Image")
      .def("fov", [](const Image& i) { return three(spokelab_image_fov, i.handle.get()); })
      .def("values", &pixelsOf<float>)
      .def("values_double", &pixelsOf<double>)
      .def("json", [](const Image& i) { return std::string(spokelab_image_json(i.handle.get())); })
      .def("write", [](const Image& i, const std::string& file) {
        spokelab_status status = SPOKELAB_OK;
        {
          const nb::gil_scoped_release released;
          status = spokelab_image_write(i.handle.get(), file.c_str());
        }
        check(status);
      });
  nb::class_<LambdaRange>(module, "LambdaRange").def("image", &imageOf).def("json", [](const LambdaRange& r) {
    return std::string(spokelab_lambda_range_json(r.handle.get()));
  });
  module.def("noise_maps", &noiseMaps, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(),
             nb::arg().none());
  module.def("lambda_range", &lambdaRange, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(),
             nb::arg(), nb::arg(), nb::arg().none());
  module.def("read_scan", &readScan, nb::arg(), nb::arg(), nb::arg().none());
  module.def("simulate", &simulate, nb::arg(), nb::arg(), nb::arg().none());
  module.def("make_scan", &makeScan, nb::arg(), nb::arg().none(), nb::arg(), nb::arg().noconvert(),
             nb::arg().none(), nb::arg().noconvert());
  module.def("reconstruct", &reconstruct, nb::arg(), nb::arg(), nb::arg(), nb::arg().none(),
             nb::arg().none());
}

}  // namespace spokelab::python
