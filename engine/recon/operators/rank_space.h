// Vectors that are the same on all ranks, while the work on them is divided: each rank computes
// with its share of the coils, or with its slabs of all coils' images, and the sums of SENSE are
// taken over all ranks. Iterations decide by dot products and by the watcher's action. All ranks
// take rank 0's, so that all decide alike, and no rank waits for one that has ended.
#pragma once

#include <span>
#include <utility>

#include "engine/core/jobs/ranks.h"
#include "engine/recon/operators/vector_space.h"

namespace spokelab {

// Extends a space by sums over ranks; a derived class sums vectors (SharedSpace).
template <class Base>
class AgreeingSpace : public Base {
 public:
  using Complex = typename Base::Complex;

  // arguments: the space's.
  template <class... Arguments>
  explicit AgreeingSpace(Ranks& ranks, Arguments... arguments) : Base(arguments...), ranks_(&ranks) {}

  // The progress of the run: a cancel of it ends the wait for other ranks.
  void setProgress(const Progress& progress) { progress_ = progress; }
  // Ranks divide the transforms' slabs: what is summed over coils is the whole on each rank.
  void holdAllCoils() { holdsAllCoils_ = true; }
  bool isFirst() const { return ranks_->isFirst(); }

  double dot(const Complex* x, const Complex* y, std::int64_t n) const { return agreed(Base::dot(x, y, n)); }
  double removeComponents(std::span<const typename Base::Vector> units, Complex* x, std::int64_t n) const {
    return agreed(Base::removeComponents(units, x, n));
  }
  // The product of vectors that differ between ranks: of this rank's alone.
  double ownDot(const Complex* x, const Complex* y, std::int64_t n) const { return Base::dot(x, y, n); }

  // Returns rank 0's value on all ranks, which all call it.
  template <class Value>
  Value agreed(Value value) const {
    ranks_->broadcast(&value, sizeof value, progress_);
    return value;
  }
  // Adds this rank's sum over its coils to the other ranks'; the result is the same on each rank.
  double sumOfRanks(double value) const {
    if (!holdsAllCoils_) ranks_->sum(&value, 1, progress_);
    return agreed(value);
  }

 protected:
  Ranks& ranks() const { return *ranks_; }
  const Progress& progress() const { return progress_; }

 private:
  Ranks* ranks_;
  Progress progress_;
  bool holdsAllCoils_ = false;
};

// On the host.
template <class RealType>
class RankSpace : public AgreeingSpace<HostSpace<RealType>> {
 public:
  using Shared = AgreeingSpace<HostSpace<RealType>>;
  using Real = typename Shared::Real;
  using Complex = typename Shared::Complex;
  using Shared::Shared;

  void sumOverRanks(Complex* values, std::int64_t n) const {
    this->ranks().sum(reinterpret_cast<Real*>(values), std::size_t(2 * n), this->progress());
    this->ranks().broadcast(values, std::size_t(n) * sizeof(Complex), this->progress());
  }
};

}  // namespace spokelab
