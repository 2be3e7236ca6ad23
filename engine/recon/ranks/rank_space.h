// Vectors that all ranks hold alike, of sums over coils that they divide: each rank computes with its
// own coils, and the sums of SENSE are taken over all. Every choice that iterations make rests on a
// dot product or an action, which are rank 0's on all ranks, so that none waits for another.
#pragma once

#include "engine/core/jobs/ranks.h"
#include "engine/recon/operators/vector_space.h"

namespace spokelab {

template <class RealType>
class RankSpace : public HostSpace<RealType> {
 public:
  using Host = HostSpace<RealType>;
  using Real = typename Host::Real;
  using Complex = typename Host::Complex;
  using Vector = typename Host::Vector;

  RankSpace(int threads, Ranks& ranks) : Host(threads), ranks_(&ranks) {}

  // While a run lasts: its stop ends the wait for others.
  void setProgress(const Progress& progress) { progress_ = progress; }

  double dot(const Complex* x, const Complex* y, std::int64_t n) const { return agreed(Host::dot(x, y, n)); }
  // Of vectors that differ between ranks.
  double ownDot(const Complex* x, const Complex* y, std::int64_t n) const { return Host::dot(x, y, n); }

  // Rank 0's.
  template <class Value>
  Value agreed(Value value) const {
    ranks_->broadcast(&value, sizeof value, progress_);
    return value;
  }
  // Over all ranks, the same on each.
  void sumOverRanks(Complex* values, std::int64_t n) const {
    ranks_->sum(reinterpret_cast<Real*>(values), std::size_t(2 * n), progress_);
    ranks_->broadcast(values, std::size_t(n) * sizeof(Complex), progress_);
  }
  double sumOverRanks(double value) const {
    ranks_->sum(&value, 1, progress_);
    return agreed(value);
  }

 private:
  Ranks* ranks_;
  Progress progress_;
};

}  // namespace spokelab
