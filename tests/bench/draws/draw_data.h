// The arrays of one draw on the device: points, data of all coils, and exact values at some outputs
// of one coil.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <random>
#include <vector>

#include "tests/bench/draws/draw_case.h"
#include "tests/bench/gpu_contender.h"
#include "tests/bench/gpu_exact.h"

namespace spokelab::bench {

template <class Real>
class DrawData {
  using Complex = std::complex<Real>;

 public:
  explicit DrawData(const Draw& draw)
      : draw_(draw),
        points_(draw.c.points()),
        count_(std::int64_t(points_.size()) / draw.c.problem.dims),
        devicePoints_(points_),
        peerPoints_(points_, draw.c.problem.dims),
        image_(std::size_t(coils() * pixels())),
        samples_(std::size_t(coils() * count_)),
        outImage_(draw.adjoint ? std::size_t(coils() * pixels()) : 1),
        outSamples_(draw.adjoint ? 1 : std::size_t(coils() * count_)) {
    const double ofImage = fill(image_, pixels()), ofSamples = fill(samples_, count_);
    inputSquares_ = draw.adjoint ? ofSamples : ofImage;
    exactValues();
  }

  const std::vector<double>& points() const { return points_; }
  std::int64_t count() const { return count_; }
  int checked() const { return int(selection_.size()); }
  const PeerPoints<Real>& peerPoints() const { return peerPoints_; }
  const TransformArrays<Real>& arrays() const { return arrays_; }

  // Error of the last execution, over the outputs that are checked: relative to them, or to the
  // average for random inputs if that is larger (all points of a cluster may have small outputs),
  // as the accuracy is defined.
  double error() const {
    require(cudaDeviceSynchronize(), "waiting");
    const std::int64_t length = draw_.adjoint ? pixels() : count_;
    std::vector<Complex> out(static_cast<std::size_t>(length));
    const Complex* from = (draw_.adjoint ? outImage_ : outSamples_).get() + (coils() - 1) * length;
    require(cudaMemcpy(out.data(), from, out.size() * sizeof(Complex), cudaMemcpyDeviceToHost), "copying");
    double difference = 0, exact = 0;
    for (std::size_t i = 0; i < selection_.size(); ++i) {
      difference += std::norm(cdouble(out[std::size_t(selection_[i])]) - exact_[i]);
      exact += std::norm(exact_[i]);
    }
    return std::sqrt(difference / std::max(exact, double(selection_.size()) * inputSquares_));
  }

 private:
  std::int64_t coils() const { return draw_.c.problem.batch; }
  std::int64_t pixels() const { return draw_.c.problem.pixels(); }

  // The first coil is random; each other one is turned by one element against the coil before.
  // Returns the sum of the squares of a coil's values.
  double fill(const DeviceArray<Complex>& to, std::int64_t length) {
    std::minstd_rand random(7);
    std::uniform_real_distribution<Real> value(-1, 1);
    std::vector<Complex> first(static_cast<std::size_t>(length));
    double squares = 0;
    for (Complex& x : first) {
      x = {value(random), value(random)};
      squares += std::norm(cdouble(x));
    }
    for (std::int64_t coil = 0; coil < coils(); ++coil) {
      const std::int64_t turn = coil % length;
      copy(to.get() + coil * length, first.data() + turn, length - turn);
      copy(to.get() + (coil + 1) * length - turn, first.data(), turn);
    }
    return squares;
  }
  static void copy(Complex* to, const Complex* from, std::int64_t length) {
    require(cudaMemcpy(to, from, std::size_t(length) * sizeof(Complex), cudaMemcpyHostToDevice), "copying");
  }

  // At outputs of the last coil: fewer where sums are long.
  void exactValues() {
    constexpr double maxOutputs = 4096, minOutputs = 256, maxTerms = 2e10;
    const std::int64_t outputs = draw_.adjoint ? pixels() : count_,
                       inputs = draw_.adjoint ? count_ : pixels();
    const double n = std::clamp(maxTerms / double(inputs), minOutputs, maxOutputs);
    std::mt19937_64 generator(21);
    for (int i = 0; i < int(n); ++i) selection_.push_back(std::int64_t(generator() % std::uint64_t(outputs)));
    NufftProblem one = draw_.c.problem;
    one.batch = 1;
    const Complex* input = (draw_.adjoint ? samples_ : image_).get() + (coils() - 1) * inputs;
    exact_ = exactSums<Real>(one, draw_.adjoint, devicePoints_.get(), count_, input, selection_);
  }

  const Draw& draw_;
  std::vector<double> points_;
  std::int64_t count_;
  DeviceArray<double> devicePoints_;
  PeerPoints<Real> peerPoints_;
  DeviceArray<Complex> image_, samples_, outImage_, outSamples_;
  TransformArrays<Real> arrays_{draw_.adjoint,  devicePoints_.get(), count_,           image_.get(),
                                samples_.get(), outImage_.get(),     outSamples_.get()};
  std::vector<std::int64_t> selection_;
  std::vector<cdouble> exact_;
  double inputSquares_ = 0;  // of the coil that is checked
};

}  // namespace spokelab::bench
