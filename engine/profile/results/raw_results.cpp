#include "engine/profile/results/raw_results.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "engine/recon/explore/readout_spectrum.h"
#include "engine/scan/read/shots/trace_signal.h"

namespace spokelab {

nlohmann::json readoutToJson(const Scan& scan, const RawPlace& place) {
  const std::vector<cfloat> readout = readoutAt(scan, place);
  const Trajectory& t = scan.trajectory(place.frame);
  std::vector<double> times;
  if (!t.times.empty()) {
    const auto first = t.times.begin() + t.shotOffsets[std::size_t(place.shot)];
    times.assign(first, first + std::ptrdiff_t(readout.size()));
  }
  nlohmann::json magnitude = nlohmann::json::array(), phase = nlohmann::json::array();
  for (const cfloat& v : readout) {
    magnitude.push_back(std::abs(v));
    phase.push_back(std::arg(v));
  }
  const ReadoutSpectrum spectrum = readoutSpectrum(readout, times);
  nlohmann::json spectral = nlohmann::json::array();
  for (const cdouble& v : spectrum.values) spectral.push_back(std::abs(v));
  return {{"shot", place.shot},
          {"coil", place.coil},
          {"frame", place.frame},
          {"slice", place.slice},
          {"magnitude", magnitude},
          {"phase", phase},
          {"spectrum",
           {{"magnitude", spectral},
            {"frequencies", spectrum.frequencies},
            {"unit", spectrum.inHertz ? "Hz" : "cycles of the readout"}}}};
}

nlohmann::json tracesToJson(const Scan& scan) {
  nlohmann::json traces = nlohmann::json::array();
  for (const NamedArray& array : scan.arrays) {
    if (!isTrace(array)) continue;
    const auto count = std::size_t(array.shape[1]);
    nlohmann::json seconds = nlohmann::json::array(), values = nlohmann::json::array();
    for (std::size_t i = 0; i < count; ++i) {
      seconds.push_back(array.values[i].real());
      values.push_back(array.values[count + i].real());
    }
    traces.push_back({{"name", array.name}, {"seconds", seconds}, {"values", values}});
  }
  return traces;
}

}  // namespace spokelab
