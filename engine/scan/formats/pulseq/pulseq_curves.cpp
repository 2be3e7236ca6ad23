#include "engine/scan/formats/pulseq/pulseq_curves.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/scan/formats/pulseq/pulseq_facts.h"
#include "engine/scan/formats/pulseq/pulseq_waveform.h"

namespace spokelab {
namespace {

constexpr double noValue = std::numeric_limits<double>::quiet_NaN();

// Collects the points of a curve; where there are too many, the extremes of each pixel.
class CurveBuilder {
 public:
  CurveBuilder(double from, double to, int pixels)
      : from_(from), step_((to - from) / pixels), pixels_(pixels) {}

  void add(double t, double v) {
    if (lows_.empty()) {
      points_.emplace_back(t, v);
      constexpr std::size_t pointsOfPixel = 4;
      if (points_.size() > pointsOfPixel * std::size_t(pixels_)) reduce();
    } else {
      put(t, v);
    }
  }

  PulseqCurve curve() const {
    PulseqCurve curve;
    const auto point = [&curve](double t, double v) {
      curve.times.push_back(t);
      curve.values.push_back(v);
    };
    for (const auto& [t, v] : points_) point(t, v);
    for (std::size_t i = 0; i < lows_.size(); ++i) {
      if (!(lows_[i] <= highs_[i])) continue;
      const double t = from_ + (double(i) + 0.5) * step_;
      point(t, lows_[i]);
      if (highs_[i] > lows_[i]) point(t, highs_[i]);
    }
    return curve;
  }

 private:
  void reduce() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    lows_.assign(std::size_t(pixels_), infinity);
    highs_.assign(std::size_t(pixels_), -infinity);
    for (const auto& [t, v] : points_) put(t, v);
    points_.clear();
  }

  // The line to a point passes through the pixels before it.
  void put(double t, double v) {
    const auto pixel = [this](double at) {
      return std::size_t(std::clamp((at - from_) / step_, 0.0, double(pixels_ - 1)));
    };
    const auto extend = [this](std::size_t i, double value) {
      lows_[i] = std::min(lows_[i], value);
      highs_[i] = std::max(highs_[i], value);
    };
    if (!std::isfinite(v)) {
      lastT_ = noValue;
      return;
    }
    const std::size_t here = pixel(t);
    if (std::isfinite(lastT_))
      for (std::size_t i = pixel(lastT_) + 1; i < here; ++i)
        extend(i, lastV_ + (v - lastV_) * (from_ + (double(i) + 0.5) * step_ - lastT_) / (t - lastT_));
    extend(here, v);
    lastT_ = t;
    lastV_ = v;
  }

  double from_, step_;
  int pixels_;
  std::vector<std::pair<double, double>> points_;
  std::vector<double> lows_, highs_;  // of each pixel; empty: all points are kept
  double lastT_ = noValue, lastV_ = 0;
};

struct Builders {
  CurveBuilder rf;
  std::vector<CurveBuilder> gradients, slew, k;

  Builders(double from, double to, int pixels)
      : rf(from, to, pixels), gradients(3, rf), slew(3, rf), k(3, rf) {}
};

void addPulse(const PulseqSequence& s, const PulseqRf& rf, double start, CurveBuilder& out) {
  const std::vector<double>& magnitude = s.shapes.at(rf.magnitudeShape);
  const std::vector<double>* const times = rf.timeShape > 0 ? &s.shapes.at(rf.timeShape) : nullptr;
  const double begin = start + rf.delay;
  out.add(begin, 0);
  for (std::size_t i = 0; i < magnitude.size(); ++i)
    out.add(begin + (times ? (*times)[i] : double(i) + 0.5) * s.rfRaster,
            std::abs(rf.amplitude * magnitude[i]));
  out.add(begin + rf.duration, 0);
}

void addGradients(const BlockGradients& gradients, double start, double duration, Builders& out) {
  std::vector<double> knots{0, duration};
  for (std::size_t d = 0; d < 3; ++d)
    if (const GradientWaveform* wave = gradients.waveform(d))
      knots.insert(knots.end(), wave->times().begin(), wave->times().end());
  std::sort(knots.begin(), knots.end());
  constexpr double same = 1e-9;  // s
  knots.erase(std::unique(knots.begin(), knots.end(), [](double a, double b) { return b - a < same; }),
              knots.end());
  Vec3 before{};
  for (std::size_t i = 0; i < knots.size(); ++i) {
    const Vec3 g = gradients.value(knots[i]);
    for (std::size_t d = 0; d < 3; ++d) {
      out.gradients[d].add(start + knots[i], g[d]);
      if (i == 0) continue;
      const double slew = (g[d] - before[d]) / (knots[i] - knots[i - 1]);
      out.slew[d].add(start + knots[i - 1], slew);
      out.slew[d].add(start + knots[i], slew);
    }
    before = g;
  }
}

void addTrajectory(PlayedSequence& played) {
  const std::vector<std::size_t> axes = sampledAxes(played.kspace, played.imaging);
  const std::vector<double> fov = fieldOfView(played.sequence);  // mm
  const auto t = std::make_shared<Trajectory>();
  t->dims = int(axes.size());
  std::vector<double> scale(axes.size(), 1.0), most(axes.size(), 0.0);
  constexpr double metre = 1e-3;
  for (std::size_t a = 0; a < axes.size(); ++a)
    if (!fov.empty()) scale[a] = metre * (axes[a] < fov.size() ? fov[axes[a]] : fov.front());
  for (const std::size_t number : played.imaging) {
    const PulseqReadout& r = played.kspace.readouts[number];
    t->shotOffsets.push_back(t->shotOffsets.back() + r.samples);
    for (std::int64_t j = 0; j < r.samples; ++j)
      for (std::size_t a = 0; a < axes.size(); ++a) {
        const double k = scale[a] * played.kspace.k[std::size_t(r.first + j)][axes[a]];
        t->points.push_back(k);
        most[a] = std::max(most[a], std::abs(k));
      }
  }
  for (std::size_t a = 0; a < axes.size(); ++a)
    played.matrix[a] = std::max<std::int64_t>(1, 2 * std::int64_t(std::lround(most[a])));
  played.trajectory = t;
}

}  // namespace

PlayedSequence playSequence(const std::filesystem::path& file, const Progress& progress) {
  const std::string problem = "Cannot show the sequence " + file.string();
  PlayedSequence played;
  played.name = file.filename().string();
  played.sequence = readPulseq(file, progress.part(0, 0.3));
  played.kspace = calculateKspace(played.sequence, problem, progress.part(0.3, 0.9));
  played.duration = played.sequence.duration();
  for (const auto& [id, rf] : played.sequence.rfs)
    for (const double v : played.sequence.shapes.at(rf.magnitudeShape))
      played.largestRf = std::max(played.largestRf, std::abs(rf.amplitude * v));
  for (const Vec3& k : played.kspace.k)
    for (const double v : k) played.largestK = std::max(played.largestK, std::abs(v));
  played.imaging = imagingReadouts(played.kspace);
  if (!played.imaging.empty()) addTrajectory(played);
  return played;
}

PulseqCurves pulseqCurves(const PulseqSequence& s, const PulseqKspace& kspace, double from, double to,
                          int pixels, const Progress& progress) {
  Builders out(from, std::max(to, from + 1e-9), std::max(1, pixels));
  BlockGradients gradients(s);
  double time = 0;
  for (std::size_t b = 0; b < s.blocks.size() && time <= to; ++b) {
    constexpr std::size_t blocksOfLook = 256;
    if (b % blocksOfLook == 0) progress.checkpoint();
    const PulseqBlock& block = s.blocks[b];
    gradients.begin(block);  // of each block: one may begin where the last one ended
    if (time + block.duration >= from) {
      if (block.rf) addPulse(s, s.rfs.at(block.rf), time, out.rf);
      addGradients(gradients, time, block.duration, out);
    }
    time += block.duration;
  }
  PulseqCurves curves;
  const double pixel = (to - from) / std::max(1, pixels);
  for (const PulseqReadout& r : kspace.readouts) {
    const double begin = r.time - r.dwell / 2, end = begin + double(r.samples) * r.dwell;
    if (end < from || begin > to) continue;
    progress.checkpoint();
    if (!curves.readouts.empty() && begin - curves.readouts.back().second < pixel)
      curves.readouts.back().second = end;
    else
      curves.readouts.emplace_back(begin, end);
    for (std::size_t d = 0; d < 3; ++d) {
      for (std::int64_t j = 0; j < r.samples; ++j)
        out.k[d].add(r.time + double(j) * r.dwell, kspace.k[std::size_t(r.first + j)][d]);
      out.k[d].add(end, noValue);
    }
  }
  curves.rf = out.rf.curve();
  for (std::size_t d = 0; d < 3; ++d) {
    curves.gradients[d] = out.gradients[d].curve();
    curves.slew[d] = out.slew[d].curve();
    curves.k[d] = out.k[d].curve();
  }
  return curves;
}

PulseqMoment momentAt(const PulseqKspace& kspace, double time) {
  const auto& readouts = kspace.readouts;
  const auto after =
      std::upper_bound(readouts.begin(), readouts.end(), time,
                       [](double t, const PulseqReadout& r) { return t < r.time - r.dwell / 2; });
  if (after == readouts.begin()) return {};
  const PulseqReadout& r = *(after - 1);
  const auto sample = std::int64_t(std::lround((time - r.time) / r.dwell));
  if (sample >= r.samples) return {};
  return {after - 1 - readouts.begin(), std::max<std::int64_t>(0, sample)};
}

std::pair<double, double> shotWindow(const PulseqKspace& kspace, std::int64_t readout) {
  const auto& all = kspace.readouts;
  const auto excitationOf = [](const PulseqReadout& r) {
    return r.sinceExcitation < 0 ? r.time : r.time - r.sinceExcitation;
  };
  const PulseqReadout& r = all[std::size_t(readout)];
  const double begin = excitationOf(r);
  double end = r.time + double(r.samples) * r.dwell;
  constexpr double same = 1e-9;  // s
  for (auto i = std::size_t(readout) + 1; i < all.size(); ++i) {
    const double next = excitationOf(all[i]);
    if (next - begin > same) {
      end = std::max(end, next);
      break;
    }
    end = all[i].time + double(all[i].samples) * all[i].dwell;
  }
  return {begin, end};
}

double timeOf(const PulseqKspace& kspace, const PulseqMoment& moment) {
  const PulseqReadout& r = kspace.readouts[std::size_t(moment.readout)];
  return r.time + double(moment.sample) * r.dwell;
}

}  // namespace spokelab
