#include "engine/scan/read/correct/epi_shots.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

namespace spokelab {
namespace {

constexpr double sameLine = 1e-2;  // cycles/FOV

std::optional<EpiShot> epiShot(const Trajectory& t, std::int64_t shot) {
  const auto dims = std::size_t(t.dims);
  EpiShot s;
  s.first = t.shotOffsets[std::size_t(shot)];
  s.count = t.shotOffsets[std::size_t(shot + 1)] - s.first;
  if (s.count < 2) return std::nullopt;
  const double* const k = t.points.data() + std::size_t(s.first) * dims;
  s.ky = k[1];
  s.kz = dims > 2 ? k[2] : 0;
  s.falls = k[dims * std::size_t(s.count - 1)] < k[0];
  for (std::size_t j = 0; j < std::size_t(s.count); ++j) {
    const double* const at = k + dims * j;
    if (std::abs(at[1] - s.ky) > sameLine || (dims > 2 && std::abs(at[2] - s.kz) > sameLine))
      return std::nullopt;
    const double step = j > 0 ? at[0] - *(at - dims) : 0;
    if ((s.falls ? -step : step) < 0) return std::nullopt;
  }
  return s;
}

bool runBackAndForth(const std::vector<EpiShot>& shots) {
  constexpr std::int64_t minLines = 4, minShare = 4;  // a quarter of the lines
  const auto lines = std::int64_t(shots.size());
  const std::int64_t falling =
      std::count_if(shots.begin(), shots.end(), [](const EpiShot& s) { return s.falls; });
  return lines >= minLines && std::min(falling, lines - falling) * minShare >= lines;
}

}  // namespace

std::vector<EpiShot> epiShots(const Trajectory& t) {
  std::vector<EpiShot> shots;
  if (t.dims < 2) return shots;
  for (std::int64_t n = 0; n < t.shots(); ++n) {
    const auto shot = epiShot(t, n);
    if (!shot) return {};
    shots.push_back(*shot);
  }
  if (!runBackAndForth(shots)) return {};
  std::stable_sort(shots.begin(), shots.end(), [](const EpiShot& a, const EpiShot& b) {
    return std::tie(a.kz, a.ky) < std::tie(b.kz, b.ky);
  });
  return shots;
}

std::vector<EpiShot> centralShots(const std::vector<EpiShot>& shots) {
  const auto centre = std::min_element(shots.begin(), shots.end(), [](const EpiShot& a, const EpiShot& b) {
    return std::abs(a.kz) < std::abs(b.kz);
  });
  std::vector<EpiShot> central;
  for (const EpiShot& s : shots)
    if (std::abs(s.kz - centre->kz) <= sameLine) central.push_back(s);
  // kz of one partition may differ by rounding, so that ky orders its lines.
  std::stable_sort(central.begin(), central.end(),
                   [](const EpiShot& a, const EpiShot& b) { return a.ky < b.ky; });
  if (!runBackAndForth(central)) central.clear();
  return central;
}

std::vector<double> kxOf(const Trajectory& t, const EpiShot& s) {
  std::vector<double> kx;
  for (std::int64_t j = s.first; j < s.first + s.count; ++j) kx.push_back(t.points[std::size_t(j * t.dims)]);
  return kx;
}

}  // namespace spokelab
