// The data that a search's plans transform, and quantities found once for all of them.
#pragma once

#include <memory>
#include <optional>

#include "engine/nufft/tune/normal/normal_error.h"
#include "engine/nufft/tune/tune.h"

namespace spokelab {

// Lower bound of the bytes for timing a request: two images and the samples of its batch, and a
// grid, which is at least as large as an image.
double timingBytes(const TuneRequest& request);

// Random data for all candidates of a search, made at first use: plans that a device times on its
// own arrays need none. The constructor throws Error if the memory cannot hold timingBytes(), so
// that jobs fail before they start.
class TimingData {
 public:
  explicit TimingData(const TuneRequest& request);

  template <class Real>
  std::complex<Real>* image();
  template <class Real>
  std::complex<Real>* samples();
  template <class Real>
  std::complex<Real>* result();  // output of the normal operator

  // Bytes of the arrays made so far.
  std::int64_t bytes() const;

  // Finds |N|_F^2 / pixels of the plan's normal operator N once, with the first plan, from its
  // response to some single pixels. Random data would tell less if N has few large singular values,
  // as for unweighted radial samples. After maxSeconds no further run starts.
  template <class Real>
  void findNormalPower(Nufft<Real>& plan, double maxSeconds);
  const std::optional<double>& normalPower() const { return normalPower_; }
  // Seconds of copies between host and device for an execution; the same for all plans that a
  // device times.
  std::optional<double> transferSeconds;
  // Data of `sets` sets of points, each set as in the request.
  TimingData& ofSets(const TuneRequest& request, std::int64_t sets);
  // Far lags of the request's points and weights, computed once.
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
