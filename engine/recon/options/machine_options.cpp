#include "engine/recon/options/machine_options.h"

#include <utility>

#include "engine/core/error.h"
#include "engine/core/number_list.h"
#include "engine/nufft/plugin/plugin_info.h"
#include "engine/nufft/problem/backend_kind.h"
#include "engine/recon/options/options.h"

namespace spokelab {

void addMachineOptions(OptionTable<ReconOptions>& table) {
  using O = ReconOptions;
  // Text, as plug-ins choose their names; the choices list the backends that are always known.
  OptionSpec backend =
      optionSpec(OptionType::text, "backend", "Backend",
                 "Machine to run on, or a plug-in by its name; auto: the one with the fastest plan", "Plan");
  backend.choices = {"auto", cpuBackend, gpuBackend};
  table.add(
      std::move(backend), [](const O& o) { return o.backend; },
      [](O& o, const std::string& v) {
        if (v != "auto" && isPlugin(v) && !isPluginName(v))
          throw Error("Cannot use backend = " + v, "it is not one of the choices",
                      "Use auto, cpu, cuda or the name of a plug-in");
        o.backend = v;
      });
  table.add(
      optionSpec(
          OptionType::text, "devices", "GPUs",
          "GPUs to use by their numbers, as in 0,2 or 0-3, or all. Several divide the frames, slices or "
          "coils of a reconstruction; else the first one runs the job",
          "Plan"),
      [](const O& o) { return o.devices; },
      [](O& o, const std::string& v) {
        if (v != "all") numberList(v.empty() ? "," : v, 0, "Cannot use devices = " + v, "this machine");
        o.devices = v;
      });
  table.choice(
      "preprocessing", "Preprocessing", std::vector<std::string>{"keep", "afresh"},
      "Density weights and point spread functions that took long to make: keep: beside the wisdom, for later "
      "starts of the program; afresh: make them anew, and keep none",
      "Plan", [](const O& o) { return std::string(o.keepsPreprocessing ? "keep" : "afresh"); },
      [](O& o, const std::string& v) { o.keepsPreprocessing = v == "keep"; });
  table.number(
      "slabs", "Slabs", OptionType::integer, 1, 65535, "",
      "Slabs of slices that a volume is transformed in, one after the other: each has a smaller grid and takes "
      "all samples; auto: 1, or the fewest for which the grid fits into memory",
      "Plan", true, [](auto& o) -> auto& { return o.slabs; });
}

}  // namespace spokelab
