#include "engine/scan/formats/acquisitions/waveforms/waveform_traces.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "engine/core/array.h"
#include "engine/scan/formats/acquisitions/acquisition.h"
#include "engine/scan/formats/acquisitions/acquisition_worker.h"

namespace spokelab {
namespace {

constexpr std::size_t maxTraceValues = std::size_t{1} << 25;
// A trace takes memory besides its values: it counts as this number of them.
constexpr std::size_t valuesOfTrace = 32;
constexpr double secondsPerMicrosecond = 1e-6;

// As the header lists them.
std::vector<std::string> listedNames(const std::string& xml) {
  const std::string open = "<waveformName>", close = "</waveformName>";
  std::vector<std::string> names;
  for (std::size_t at = xml.find(open); at != std::string::npos; at = xml.find(open, at)) {
    at += open.size();
    names.push_back(xml.substr(at, xml.find(close, at) - at));
  }
  return names;
}

std::string traceName(int number, const std::vector<std::string>& listed) {
  constexpr std::array siemens = {"ECG", "PULS", "RESP", "EXT1", "EXT2"};
  constexpr std::size_t longest = 24;
  const auto at = std::size_t(number);
  if (at < listed.size() && !listed[at].empty()) return listed[at].substr(0, longest);
  return at < siemens.size() ? siemens[at] : "waveform " + std::to_string(number);
}

}  // namespace

bool WaveformTraces::add(const ISMRMRD::ISMRMRD_WaveformHeader& head, std::span<const std::uint32_t> data) {
  const std::size_t count = head.number_of_samples, channels = head.channels;
  if (data.size() != count * channels) return false;
  if (data.empty()) return true;
  const std::size_t more = data.size() + channels * valuesOfTrace;
  if (valueCount_ + more > maxTraceValues) return false;
  valueCount_ += more;
  const double start = double(head.time_stamp) * stampSeconds,
               step = double(head.sample_time_us) * secondsPerMicrosecond;
  for (std::size_t c = 0; c < channels; ++c) {
    Trace& trace = traces_[{head.waveform_id, int(c)}];
    for (std::size_t i = 0; i < count; ++i) {
      trace.seconds.push_back(start + double(i) * step);
      trace.values.push_back(float(data[c * count + i]));
    }
  }
  return true;
}

void WaveformTraces::finish(const std::string& xml, double firstSeconds) {
  first_ = firstSeconds;
  const std::vector<std::string> listed = listedNames(xml);
  for (const auto& [key, trace] : traces_) {
    const bool several = traces_.contains({key.first, 1});
    std::string name =
        "PMU " + traceName(key.first, listed) + (several ? std::to_string(key.second + 1) : "");
    // Two numbers with one name in the header are told apart by the number.
    if (std::find(names_.begin(), names_.end(), name) != names_.end())
      name += " " + std::to_string(key.first) + "." + std::to_string(key.second + 1);
    names_.push_back(name);
  }
}

bool WaveformTraces::write(const std::string& name, std::vector<char>& out) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) return false;
  const Trace& trace = std::next(traces_.begin(), found - names_.begin())->second;
  ArrayFrame head;
  std::copy_n(name.begin(), std::min(name.size(), head.name.size() - 1), head.name.begin());
  head.axes = 2;
  head.shape = {2, std::int64_t(trace.values.size())};
  std::vector<cfloat> values;
  for (const double t : trace.seconds) values.emplace_back(float(t - first_));
  for (const float v : trace.values) values.emplace_back(v);
  out.resize(sizeof head + values.size() * sizeof(cfloat));
  std::memcpy(out.data(), &head, sizeof head);
  if (!values.empty()) std::memcpy(out.data() + sizeof head, values.data(), values.size() * sizeof(cfloat));
  return true;
}

}  // namespace spokelab
