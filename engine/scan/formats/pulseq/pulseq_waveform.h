// A Pulseq block's gradient on one axis, linear between knots, and its integral.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "engine/core/array.h"
#include "engine/scan/formats/pulseq/pulseq_sequence.h"

namespace spokelab {

// Times from the block's start in s, Hz/m, and the integral up to each knot in 1/m.
class GradientWaveform {
 public:
  // first: Hz/m at the begin of an arbitrary gradient whose samples have no times.
  GradientWaveform(const PulseqSequence& sequence, const PulseqGradient& gradient, double first);

  double value(double t) const;     // Hz/m; 0 outside
  double integral(double t) const;  // 1/m, from the block's start
  const std::vector<double>& times() const { return times_; }
  const std::vector<double>& values() const { return values_; }

 private:
  void add(double t, double g);

  std::vector<double> times_, values_, integrals_;
};

// The gradients of each block in turn: begin() takes the blocks in the order in which they play.
// Keeps the waveforms of the sequence's events, which blocks share, and the gradient with which the
// block before ended.
class BlockGradients {
 public:
  explicit BlockGradients(const PulseqSequence& sequence) : sequence_(sequence) {}
  BlockGradients(const BlockGradients&) = delete;
  BlockGradients& operator=(const BlockGradients&) = delete;

  void begin(const PulseqBlock& block);
  // The gradients on the scanner's axes, after the block's rotation.
  Vec3 value(double t) const;
  Vec3 integral(double t) const;
  // The waveform on an axis before the rotation; null: none.
  const GradientWaveform* waveform(std::size_t axis) const { return waves_[axis]; }

 private:
  Vec3 rotated(const Vec3& v) const;

  const PulseqSequence& sequence_;
  std::map<std::pair<int, double>, GradientWaveform> waveforms_;
  std::array<const GradientWaveform*, 3> waves_{};
  const std::array<double, 9>* rotation_ = nullptr;
  Vec3 ends_{0, 0, 0};  // gradient at the end of the block before
};

}  // namespace spokelab
