#include "engine/recon/job/given_maps.h"

#include <algorithm>
#include <string_view>

namespace spokelab {
namespace {

const NamedArray* arrayOf(const Scan& scan, std::string_view name) {
  const auto found = std::find_if(scan.arrays.begin(), scan.arrays.end(),
                                  [name](const NamedArray& a) { return a.name == name; });
  return found == scan.arrays.end() ? nullptr : &*found;
}

bool holds(const Scan& scan, std::string_view array) {
  return arrayOf(scan, array) != nullptr;
}

}  // namespace

bool mayHaveField(const Scan& scan, const IterativeOptions& options) {
  const bool field = options.fieldMap.empty() ? holds(scan, fieldMapArray) : options.fieldMap != "none";
  return field || !options.decayMap.empty() || !scan.trajectories.front().secondOrder.empty();
}

bool estimatesMaps(const Scan& scan, const IterativeOptions& options) {
  // They are unknowns, or there are none.
  if (options.method == ReconMethod::nlinv || options.method == ReconMethod::coilWavelet) return false;
  if (options.coilMaps == "walsh" || options.coilMaps == "espirit") return true;
  const bool single = scan.coils == 1 && options.mapSets == 1;
  return !single && (options.coilMaps == "none" || (options.coilMaps.empty() && !holds(scan, coilMapArray)));
}

bool lacksMapSet(const Scan& scan, const IterativeOptions& options) {
  const NamedArray* const maps = arrayOf(scan, coilMapArray);
  if (!maps || !options.coilMaps.empty() || options.mapSets < 2) return false;
  const std::int64_t set = scan.coils * product(scan.geometry.matrix),
                     slices = scan.dims() < 3 ? scan.slices : 1;
  const auto held = std::int64_t(maps->values.size());
  return held == set || held == set * slices;
}

}  // namespace spokelab
