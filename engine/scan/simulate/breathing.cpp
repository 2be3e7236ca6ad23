#include "engine/scan/simulate/breathing.h"

#include <cmath>
#include <numbers>

namespace spokelab {

std::vector<double> breathingShifts(const SimulateOptions& options, std::int64_t shots, double fovMm) {
  std::vector<double> shifts;
  if (options.breathingMm == 0) return shifts;
  for (std::int64_t s = 0; s < shots; ++s)
    shifts.push_back(options.breathingMm / fovMm *
                     (1 - std::cos(2 * std::numbers::pi * double(s) / options.breathShots)) / 2);
  return shifts;
}

void moveAlongY(double ky, double shift, const std::vector<Vec3>& frequencies, cdouble* values) {
  for (std::size_t f = 0; f < frequencies.size(); ++f)
    values[f] *= std::polar(1.0, -2 * std::numbers::pi * (ky - frequencies[f][1]) * shift);
}

}  // namespace spokelab
