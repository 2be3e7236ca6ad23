#include "engine/recon/job/given_maps.h"

#include <algorithm>
#include <string_view>

namespace spokelab {
namespace {

bool holds(const Scan& scan, std::string_view array) {
  return std::any_of(scan.arrays.begin(), scan.arrays.end(),
                     [array](const NamedArray& a) { return a.name == array; });
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

}  // namespace spokelab
