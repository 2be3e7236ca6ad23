// Times plans on random data: the tuner's clock.
#pragma once

#include <memory>
#include <optional>

#include "engine/nufft/tune/normal/normal_error.h"
#include "engine/nufft/tune/tune.h"

namespace spokelab {

// Bytes that timing a request's plans takes at least: two images and the samples of its batch, and
// a grid, which no plan makes smaller than an image.
double timingBytes(const TuneRequest& request);

// Random data that every candidate of a search transforms, made once. Every job that times plans
// makes them first: throws Error where there is no memory for timingBytes().
class TimingData {
 public:
  explicit TimingData(const TuneRequest& request);

  template <class Real>
  std::complex<Real>* image();
  template <class Real>
  std::complex<Real>* samples();
  template <class Real>
  std::complex<Real>* result();  // of the normal operator

  // |N|_F^2 / pixels of the plan's normal operator N, from what it makes of some single pixels; found out once, with the
  // first plan. Random data would tell less where N has few large singular values, as those of unweighted radial samples.
  template <class Real>
  double normalPower(Nufft<Real>& plan);
  bool knowsNormalPower() const { return normalPower_.has_value(); }
  // Those of so many sets of points, each as the request's.
  TimingData& ofSets(const TuneRequest& request, std::int64_t sets);
  // Of the request's points and weights, found out once.
  const FarLags& farLags(const TuneRequest& request);

 private:
  std::int64_t pixels_ = 0, batch_ = 1;
  std::optional<double> normalPower_;
  std::optional<FarLags> farLags_;
  std::unique_ptr<TimingData> ofSets_;
  std::int64_t ofSetsCount_ = 0;
  Buffer<cfloat> imageFloat_, samplesFloat_, resultFloat_;
  Buffer<cdouble> imageDouble_, samplesDouble_, resultDouble_;
};

struct TimingPolicy {
  int trials = 0;           // repeats; 0: as many as fit into `seconds`, 3 to 25
  double seconds = 0.05;    // to spend on the repeats of a candidate
  double abandonAbove = 0;  // seconds; a run that takes longer ends the candidate; 0: never
  double deadline = 0;      // of now(); but for the first, no run is begun that would not end by it; 0: none
  bool timesOnly = false;   // nothing but times: the candidate's errors are known
};

// What timing a candidate should take by its predicted parts, its plan, points and measured error included.
double expectedSeconds(const TuneRequest& request, const Candidate& candidate, const TimingPolicy& policy);

// What measuring the error of a candidate takes whose execution takes so long.
double errorSeconds(double execution);

// Takes the median of a candidate's runs: timings, spread, repeats, runs.
void keepRuns(std::vector<StageTimings> runs, Candidate& candidate);

// Times one candidate (fills timings, spread, repeats, setPointsSeconds, memory, measuredError or
// refused).
void timeCandidate(NufftBackend& backend, const TuneRequest& request, Candidate& candidate,
                   const Progress& progress);

// The same with the data and policy of a search.
void timeCandidate(NufftBackend& backend, const TuneRequest& request, Candidate& candidate, TimingData& data,
                   const TimingPolicy& policy, const Progress& progress);

}  // namespace spokelab
