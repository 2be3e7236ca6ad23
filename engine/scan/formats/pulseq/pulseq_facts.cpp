#include "engine/scan/formats/pulseq/pulseq_facts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace spokelab {
namespace {

double middleValue(std::vector<double>& values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

struct KRange {
  Vec3 low, high;
};

KRange kRangeOf(const PulseqKspace& kspace, const std::vector<std::size_t>& readouts) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  KRange r{{inf, inf, inf}, {-inf, -inf, -inf}};
  for (const std::size_t i : readouts) {
    const PulseqReadout& readout = kspace.readouts[i];
    for (std::int64_t j = 0; j < readout.samples; ++j)
      for (std::size_t d = 0; d < 3; ++d) {
        const double k = kspace.k[std::size_t(readout.first + j)][d];
        r.low[d] = std::min(r.low[d], k);
        r.high[d] = std::max(r.high[d], k);
      }
  }
  return r;
}

double echoTimeOf(const PulseqKspace& kspace, const PulseqReadout& r) {
  const auto square = [](const Vec3& k) { return k[0] * k[0] + k[1] * k[1] + k[2] * k[2]; };
  const auto begin = kspace.k.begin() + std::ptrdiff_t(r.first);
  const auto smallest = std::min_element(begin, begin + std::ptrdiff_t(r.samples),
                                         [&](const Vec3& a, const Vec3& b) { return square(a) < square(b); });
  return r.sinceExcitation + double(smallest - begin) * r.dwell;
}

}  // namespace

std::vector<std::size_t> imagingReadouts(const PulseqKspace& kspace) {
  std::vector<std::size_t> list;
  for (std::size_t i = 0; i < kspace.readouts.size(); ++i)
    if (!kspace.readouts[i].isAside()) list.push_back(i);
  return list;
}

std::vector<std::size_t> sampledAxes(const PulseqKspace& kspace, const std::vector<std::size_t>& readouts) {
  constexpr double rounding = 1e-3;  // of the longest axis
  const KRange r = kRangeOf(kspace, readouts);
  double longest = 0;
  for (std::size_t d = 0; d < 3; ++d) longest = std::max(longest, r.high[d] - r.low[d]);
  std::vector<std::size_t> axes;
  for (std::size_t d = 0; d < 3; ++d)
    if (r.high[d] - r.low[d] > rounding * longest) axes.push_back(d);
  for (std::size_t d = 0; d < 3 && axes.size() < 2; ++d)
    if (std::find(axes.begin(), axes.end(), d) == axes.end()) axes.push_back(d);
  std::sort(axes.begin(), axes.end());
  return axes;
}

std::vector<double> fieldOfView(const PulseqSequence& sequence) {
  constexpr double maxMetres = 5;
  std::vector<double> fov = sequence.numbers("FOV");
  if (fov.size() < 2 || fov.size() > 3) return {};
  for (const double v : fov)
    if (!(v > 0)) return {};
  if (*std::max_element(fov.begin(), fov.end()) < maxMetres)
    for (double& v : fov) v *= 1e3;
  return fov;
}

std::string axesText(const std::vector<std::size_t>& axes) {
  std::string text;
  for (const std::size_t d : axes) text += (text.empty() ? "k" : ", k") + std::string(1, char('x' + int(d)));
  return text;
}

PulseqFacts pulseqFacts(const PulseqSequence& s, const PulseqKspace& kspace) {
  PulseqFacts f;
  const auto name = s.definitions.find("Name");
  f.name = name == s.definitions.end() ? "" : name->second;
  f.version = std::to_string(s.major) + "." + std::to_string(s.minor) + "." + std::to_string(s.revision);
  f.duration = s.duration();
  f.blocks = std::int64_t(s.blocks.size());
  f.excitations = kspace.excitations;
  f.refocusings = kspace.refocusings;
  f.fov = fieldOfView(s);
  f.maxGradient = kspace.maxGradient / protonHzPerTesla;
  f.maxSlew = kspace.maxSlew / protonHzPerTesla;
  const std::vector<std::size_t> imaging = imagingReadouts(kspace);
  f.readouts = std::int64_t(imaging.size());
  f.aside = std::int64_t(kspace.readouts.size()) - f.readouts;
  for (const PulseqReadout& r : kspace.readouts)
    for (const auto& [label, value] : r.labels) {
      auto& range = f.labels.try_emplace(label, 0, 0).first->second;
      range = {std::min(range.first, value), std::max(range.second, value)};
    }
  if (imaging.empty()) return f;
  f.minSamples = std::numeric_limits<std::int64_t>::max();
  f.minDwell = std::numeric_limits<double>::infinity();
  std::vector<double> echoes, starts;
  for (const std::size_t i : imaging) {
    const PulseqReadout& r = kspace.readouts[i];
    f.minSamples = std::min(f.minSamples, r.samples);
    f.maxSamples = std::max(f.maxSamples, r.samples);
    f.minDwell = std::min(f.minDwell, r.dwell);
    f.maxDwell = std::max(f.maxDwell, r.dwell);
    if (r.samples > 0) echoes.push_back(echoTimeOf(kspace, r));
    const double excitation = r.time - r.sinceExcitation;
    constexpr double sameMoment = 1e-6;
    if (starts.empty() || excitation > starts.back() + sameMoment) starts.push_back(excitation);
  }
  f.echoTime = middleValue(echoes);
  std::vector<double> steps;
  for (std::size_t i = 1; i < starts.size(); ++i) steps.push_back(starts[i] - starts[i - 1]);
  f.repetitionTime = middleValue(steps);
  const KRange range = kRangeOf(kspace, imaging);
  f.low = range.low;
  f.high = range.high;
  f.axes = sampledAxes(kspace, imaging);
  return f;
}

}  // namespace spokelab
