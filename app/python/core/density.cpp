// Density weights of the C interface.
#include <nanobind/stl/vector.h>

#include <vector>

#include "app/python/core/call.h"

namespace spokelab::python {
namespace {

using Sizes = std::vector<std::int64_t>;
using Weights = nb::ndarray<double, nb::c_contig, nb::device::cpu>;

// Sizes of arrays have been checked by the files around this module.
void densityWeights(const Context& context, const Sizes& size, const Sizes& offsets, const Reals& points,
                    const OptionValues& options, nb::object progress, const Weights& weights) {
  const Options given = optionsOf(options);
  Listener listener(std::move(progress));
  spokelab_status status = SPOKELAB_OK;
  {
    const nb::gil_scoped_release released;
    status = spokelab_density_weights(context.handle.get(), int(size.size()), size.data(),
                                      std::int64_t(offsets.size()) - 1, offsets.data(), points.data(),
                                      given.get(), Listener::hear, &listener, weights.data());
  }
  listener.finish(status);
}

}  // namespace

void bindDensity(nb::module_& module) {
  module.def("density_weights", &densityWeights, nb::arg(), nb::arg(), nb::arg(), nb::arg().noconvert(),
             nb::arg(), nb::arg().none(), nb::arg().noconvert());
}

}  // namespace spokelab::python
