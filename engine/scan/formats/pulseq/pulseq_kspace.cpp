#include "engine/scan/formats/pulseq/pulseq_kspace.h"

#include <algorithm>
#include <cmath>

#include "engine/core/memory/memory_check.h"
#include "engine/scan/formats/pulseq/pulseq_waveform.h"

namespace spokelab {
namespace {

Vec3 added(const Vec3& a, const Vec3& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

// Lists of extensions are written last first, so labels change from the list's end on.
void changeLabels(const PulseqSequence& s, const PulseqBlock& block, std::map<std::string, int>& labels) {
  std::vector<const PulseqExtension*> list;
  for (int e = block.extension; e != 0; e = s.extensions.at(e).next) list.push_back(&s.extensions.at(e));
  for (auto at = list.rbegin(); at != list.rend(); ++at) {
    const auto type = s.extensionTypes.find((*at)->type);
    if (type == s.extensionTypes.end()) continue;
    const bool sets = type->second == "LABELSET";
    if (!sets && type->second != "LABELINC") continue;
    const auto& events = sets ? s.labelSets : s.labelIncrements;
    const auto found = events.find((*at)->reference);
    if (found == events.end()) continue;
    int& value = labels[found->second.name];
    value = sets ? found->second.value : value + found->second.value;
  }
}

class SequenceWalk {
 public:
  SequenceWalk(const PulseqSequence& s, PulseqKspace& out, const GradientDeviation& deviation)
      : s_(s), out_(out), gradients_(s), deviation_(deviation) {}

  void block(std::size_t number) {
    const PulseqBlock& b = s_.blocks[number];
    gradients_.begin(b);
    if (deviation_) moved_ = deviation_(time_);
    changeLabels(s_, b, labels_);
    const PulseqRf* const rf = b.rf ? &s_.rfs.at(b.rf) : nullptr;
    const double pulse = rf ? rf->delay + rf->centre : 0;
    bool played = !rf;
    if (b.adc) {
      const PulseqAdc& adc = s_.adcs.at(b.adc);
      PulseqReadout& r = out_.readouts.emplace_back();
      r.block = number;
      r.first = std::int64_t(out_.k.size());
      r.samples = adc.samples;
      const double start = adc.delay + 0.5 * adc.dwell;
      r.time = time_ + start;
      r.dwell = adc.dwell;
      r.frequency = adc.frequency;
      r.phase = adc.phase;
      r.labels = labels_;
      if (!played && pulse <= start) played = play(*rf, pulse);
      r.sinceExcitation = excitation_ < 0 ? -1 : time_ + start - excitation_;
      for (std::int64_t j = 0; j < adc.samples; ++j) {
        const double t = start + double(j) * adc.dwell;
        if (!played && pulse <= t) played = play(*rf, pulse);
        out_.k.push_back(added(k_, wayTo(t)));
      }
    }
    if (!played) play(*rf, pulse);
    k_ = added(k_, wayTo(b.duration));
    time_ += b.duration;
  }

 private:
  // The gradients' integral from the block's start to t, 1/m.
  Vec3 wayTo(double t) const {
    Vec3 way = gradients_.integral(t);
    if (!deviation_) return way;
    const Vec3 there = deviation_(time_ + t);
    for (std::size_t d = 0; d < 3; ++d) way[d] += there[d] - moved_[d];
    return way;
  }

  // The pulse's centre at `t` of this block: k_ becomes what the block's start would be.
  bool play(const PulseqRf& rf, double t) {
    const Vec3 now = wayTo(t);
    if (rf.use == RfUse::excitation || rf.use == RfUse::undefined) {
      for (std::size_t d = 0; d < 3; ++d) k_[d] = -now[d];
      excitation_ = time_ + t;
      ++out_.excitations;
    } else if (rf.use == RfUse::refocusing) {
      for (std::size_t d = 0; d < 3; ++d) k_[d] = -(k_[d] + now[d]) - now[d];
      ++out_.refocusings;
    }
    return true;
  }

  const PulseqSequence& s_;
  PulseqKspace& out_;
  BlockGradients gradients_;
  const GradientDeviation& deviation_;
  std::map<std::string, int> labels_;
  Vec3 moved_{0, 0, 0};     // the deviation at the block's start
  Vec3 k_{0, 0, 0};         // at the block's start
  double time_ = 0;         // of the block's start
  double excitation_ = -1;  // its time
};

// Largest gradient and slew of the events that blocks play.
void addLimits(const PulseqSequence& s, PulseqKspace& out) {
  for (const auto& [id, g] : s.gradients) {
    const GradientWaveform wave(s, g, g.first);
    for (std::size_t i = 0; i < wave.times().size(); ++i) {
      out.maxGradient = std::max(out.maxGradient, std::abs(wave.values()[i]));
      const bool edge = g.kind == PulseqGradient::Kind::arbitrary && !g.hasEdges && i < 2;
      const double step = i > 0 ? wave.times()[i] - wave.times()[i - 1] : 0;
      if (step > 0 && !edge)
        out.maxSlew = std::max(out.maxSlew, std::abs(wave.values()[i] - wave.values()[i - 1]) / step);
    }
  }
}

}  // namespace

PulseqKspace calculateKspace(const PulseqSequence& sequence, const std::string& problem,
                             const Progress& progress, const GradientDeviation& deviation) {
  PulseqKspace out;
  double samples = 0, readouts = 0;
  for (const PulseqBlock& b : sequence.blocks)
    if (b.adc) {
      samples += double(sequence.adcs.at(b.adc).samples);
      ++readouts;
    }
  constexpr double bytesOfLabels = 512;
  requireMemory(samples * sizeof(Vec3) + readouts * (sizeof(PulseqReadout) + bytesOfLabels), problem,
                "its trajectory", "Use a machine with more memory");
  out.k.reserve(std::size_t(samples));
  out.readouts.reserve(std::size_t(readouts));
  SequenceWalk walk(sequence, out, deviation);
  for (std::size_t b = 0; b < sequence.blocks.size(); ++b) {
    if (b % 256 == 0)
      progress.report(double(b) / double(sequence.blocks.size()), "Integrating the gradients");
    walk.block(b);
  }
  addLimits(sequence, out);
  return out;
}

}  // namespace spokelab
