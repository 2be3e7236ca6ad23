// Times every (alpha, width) pair asked for, whether it meets the accuracy or not, or every alpha_T
// of a Toeplitz form: the data of the charts.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "engine/nufft/tune/sweep/candidate_path.h"
#include "engine/nufft/tune/sweep/rounds.h"
#include "engine/nufft/tune/tune.h"

namespace spokelab {

struct SweepRequest {
  TuneRequest base;
  // Of a Toeplitz form, which base.options.normal names: its transforms, which matter to the right
  // side alone, are the cheapest of `alphas` that meet the accuracy.
  SweptOver over = SweptOver::grid;
  std::vector<double> alphas;  // empty: fastAlphas
  // empty: for each alpha the smallest width that meets base.options.accuracy.
  std::vector<double> widths;
};

// What the request asks to time, on data that it shares with other entries.
std::vector<RoundEntry> sweepEntries(std::span<NufftBackend* const> backends, const SweepRequest& request,
                                     const std::shared_ptr<TimingData>& data, const Progress& progress);

// Times the entries in rounds (rounds.h): base.trials, timeLimit and accuracy are their limits.
// best: the fastest that meets the accuracy; load: the machine's meanwhile. A cancelled one has the
// candidates that were timed.
TuneResult timeEntries(std::vector<RoundEntry> entries, const TuneRequest& base, const Progress& progress,
                       const std::function<void(const Candidate&)>& seen = {});

// Both. Each candidate is handed to `seen` whenever it has been timed (on the calling thread).
TuneResult sweep(std::span<NufftBackend* const> backends, const SweepRequest& request,
                 const Progress& progress, const std::function<void(const Candidate&)>& seen = {});

}  // namespace spokelab
