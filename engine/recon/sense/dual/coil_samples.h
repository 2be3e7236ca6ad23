// The samples of all coils in a space, with E, its adjoint and the weights: what primal-dual steps
// (solve/primal_dual.h) and LSMR (solve/lsmr.h) keep beside images. Numbers are [group, coil,
// sample], coils padded as the operator's.
#pragma once

#include <vector>

#include "engine/recon/operators/sense_operator.h"

namespace spokelab {

template <VectorSpace Space>
class CoilSamples {
 public:
  using Complex = typename Space::Complex;

  CoilSamples(Space& space, SenseOperator<Space>& op) : space_(space), op_(op) {
    std::int64_t most = 0;
    for (std::int64_t g = 0; g < op.groups(); ++g) {
      first_.push_back(count_);
      count_ += op.coils() * op.transform(g).samples();
      most = std::max(most, op.transform(g).samples());
    }
    y_ = space.make(count_);
    room_ = space.make(op.batch() * most);
  }

  std::int64_t count() const { return count_; }
  const Complex* y() const { return y_.data(); }
  // The place of a group's samples in y(), [coil, sample]: the caller puts them there.
  Complex* place(std::int64_t group) { return y_.data() + first_[std::size_t(group)]; }
  // The diagonal preconditioner [group, coil, sample], in host memory; empty: ones.
  std::vector<double>& p() { return p_; }

  // samples = E x
  void forward(const Complex* x, Complex* samples) {
    eachBatch([&](std::int64_t g, std::int64_t coil, std::int64_t at, std::int64_t) {
      op_.forward(g, coil, x, samples + at, progress_);
    });
  }
  // samples = W samples
  void weigh(Complex* samples) {
    eachBatch(
        [&](std::int64_t g, std::int64_t, std::int64_t at, std::int64_t) { op_.weigh(g, samples + at); });
  }
  // x = E^H W samples
  void adjoint(const Complex* samples, Complex* x) {
    bool add = false;
    eachBatch([&](std::int64_t g, std::int64_t coil, std::int64_t at, std::int64_t n) {
      space_.copy(samples + at, room_.data(), n);
      op_.addAdjoint(g, coil, room_.data(), x, true, add, progress_);
      add = true;
    });
  }
  // The progress whose cancel ends the calls that follow, by Cancelled.
  void hear(const Progress& progress) { progress_ = progress; }

 private:
  template <class Call>
  void eachBatch(const Call& call) {
    space_.timed(SpaceWork::transforms, [&] {
      for (std::int64_t g = 0; g < op_.groups(); ++g) {
        const std::int64_t each = op_.transform(g).samples();
        for (std::int64_t coil = 0; coil < op_.coils(); coil += op_.batch()) {
          progress_.checkpoint();
          call(g, coil, first_[std::size_t(g)] + coil * each, op_.batch() * each);
        }
      }
    });
  }

  Space& space_;
  SenseOperator<Space>& op_;
  std::vector<std::int64_t> first_;  // of each group
  std::int64_t count_ = 0;
  typename Space::Vector y_, room_;
  std::vector<double> p_;
  Progress progress_;
};

}  // namespace spokelab
