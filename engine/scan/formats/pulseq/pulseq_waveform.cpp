#include "engine/scan/formats/pulseq/pulseq_waveform.h"

#include <algorithm>

namespace spokelab {

GradientWaveform::GradientWaveform(const PulseqSequence& sequence, const PulseqGradient& g, double first) {
  if (g.kind == PulseqGradient::Kind::trapezoid) {
    add(g.delay, 0);
    add(g.delay + g.rise, g.amplitude);
    add(g.delay + g.rise + g.flat, g.amplitude);
    add(g.delay + g.rise + g.flat + g.fall, 0);
    return;
  }
  const std::vector<double>& shape = sequence.shapes.at(g.shape);
  const double raster = sequence.gradientRaster;
  const std::size_t n = shape.size();
  if (g.timeShape > 0) {
    const std::vector<double>& times = sequence.shapes.at(g.timeShape);
    for (std::size_t i = 0; i < n; ++i) add(g.delay + times[i] * raster, g.amplitude * shape[i]);
    return;
  }
  const bool halves = g.timeShape < 0;
  add(g.delay, first);
  for (std::size_t i = 0; i < n; ++i)
    add(g.delay + (halves ? 0.5 * double(i + 1) : double(i) + 0.5) * raster, g.amplitude * shape[i]);
  const double before = n > 1 ? shape[n - 2] : shape[n - 1];
  const double last = g.hasEdges ? g.last : g.amplitude * (3 * shape[n - 1] - before) / 2;
  add(g.delay + (halves ? 0.5 * double(n + 1) : double(n)) * raster, last);
}

void GradientWaveform::add(double t, double g) {
  integrals_.push_back(times_.empty() ? 0
                                      : integrals_.back() + (t - times_.back()) * (g + values_.back()) / 2);
  times_.push_back(t);
  values_.push_back(g);
}

double GradientWaveform::value(double t) const {
  if (t < times_.front() || t > times_.back()) return 0;
  const auto i = std::size_t(std::upper_bound(times_.begin(), times_.end(), t) - times_.begin());
  if (i == times_.size()) return values_.back();
  const double step = times_[i] - times_[i - 1];
  return values_[i - 1] + (values_[i] - values_[i - 1]) * (t - times_[i - 1]) / step;
}

double GradientWaveform::integral(double t) const {
  if (t <= times_.front()) return 0;
  if (t >= times_.back()) return integrals_.back();
  const auto i = std::size_t(std::upper_bound(times_.begin(), times_.end(), t) - times_.begin());
  return integrals_[i - 1] + (t - times_[i - 1]) * (values_[i - 1] + value(t)) / 2;
}

void BlockGradients::begin(const PulseqBlock& block) {
  constexpr double nearlyNothing = 1e-9;  // s
  for (std::size_t d = 0; d < 3; ++d) {
    waves_[d] = nullptr;
    const int id = block.gradients[d];
    if (id == 0) {
      ends_[d] = 0;
      continue;
    }
    const PulseqGradient& g = sequence_.gradients.at(id);
    const bool arbitrary = g.kind == PulseqGradient::Kind::arbitrary;
    const double first = !arbitrary ? 0 : g.hasEdges ? g.first : g.delay > 0 ? 0 : ends_[d];
    auto found = waveforms_.find({id, first});
    if (found == waveforms_.end())
      found = waveforms_.emplace(std::pair(id, first), GradientWaveform(sequence_, g, first)).first;
    waves_[d] = &found->second;
    const bool toTheEnd = waves_[d]->times().back() + nearlyNothing >= block.duration;
    ends_[d] = toTheEnd ? waves_[d]->values().back() : 0;
  }
  rotation_ = nullptr;
  for (int e = block.extension; e != 0; e = sequence_.extensions.at(e).next) {
    const PulseqExtension& extension = sequence_.extensions.at(e);
    const auto type = sequence_.extensionTypes.find(extension.type);
    if (type == sequence_.extensionTypes.end() || type->second != "ROTATIONS") continue;
    const auto found = sequence_.rotations.find(extension.reference);
    if (found != sequence_.rotations.end()) rotation_ = &found->second;
  }
}

Vec3 BlockGradients::rotated(const Vec3& v) const {
  if (!rotation_) return v;
  const std::array<double, 9>& r = *rotation_;
  Vec3 turned{};
  for (std::size_t i = 0; i < 3; ++i) turned[i] = r[3 * i] * v[0] + r[3 * i + 1] * v[1] + r[3 * i + 2] * v[2];
  return turned;
}

Vec3 BlockGradients::value(double t) const {
  Vec3 g{0, 0, 0};
  for (std::size_t d = 0; d < 3; ++d)
    if (waves_[d]) g[d] = waves_[d]->value(t);
  return rotated(g);
}

Vec3 BlockGradients::integral(double t) const {
  Vec3 k{0, 0, 0};
  for (std::size_t d = 0; d < 3; ++d)
    if (waves_[d]) k[d] = waves_[d]->integral(t);
  return rotated(k);
}

}  // namespace spokelab
