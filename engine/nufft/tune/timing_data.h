// What the plans of a search transform while they are timed, and what is found out once for all of them.
#pragma once

#include <memory>
#include <optional>

#include "engine/nufft/tune/normal/normal_error.h"
#include "engine/nufft/tune/tune.h"

namespace spokelab {

// Bytes that timing a request's plans takes at least: two images and the samples of its batch, and
// a grid, which no plan makes smaller than an image.
double timingBytes(const TuneRequest& request);

// Random data that every candidate of a search transforms, made once, when they are first asked for: plans that
// a device times on its own arrays need none. Every job that times plans makes this first: throws Error where
// there is no memory for timingBytes().
class TimingData {
 public:
  explicit TimingData(const TuneRequest& request);

  template <class Real>
  std::complex<Real>* image();
  template <class Real>
  std::complex<Real>* samples();
  template <class Real>
  std::complex<Real>* result();  // of the normal operator

  // Of the arrays that were asked for.
  std::int64_t bytes() const;

  // |N|_F^2 / pixels of the plan's normal operator N, from what it makes of some single pixels; found out once, with the
  // first plan. Random data would tell less where N has few large singular values, as those of unweighted radial samples.
  // No run is begun after maxSeconds but the first.
  template <class Real>
  void findNormalPower(Nufft<Real>& plan, double maxSeconds);
  const std::optional<double>& normalPower() const { return normalPower_; }
  // What has to move between host and device for an execution, of plans that a device times: the same for all of them.
  std::optional<double> transferSeconds;
  // Those of so many sets of points, each as the request's.
  TimingData& ofSets(const TuneRequest& request, std::int64_t sets);
  // Of the request's points and weights, found out once.
  const FarLags& farLags(const TuneRequest& request);

 private:
  template <class Real>
  std::complex<Real>* filled(Buffer<std::complex<Real>>& buffer, std::int64_t count);
  std::int64_t pixels_ = 0, batch_ = 1, samplesOfAll_ = 0;
  int threads_ = 0;
  std::optional<double> normalPower_;
  std::optional<FarLags> farLags_;
  std::unique_ptr<TimingData> ofSets_;
  std::int64_t ofSetsCount_ = 0;
  Buffer<cfloat> imageFloat_, samplesFloat_, resultFloat_;
  Buffer<cdouble> imageDouble_, samplesDouble_, resultDouble_;
};

}  // namespace spokelab
