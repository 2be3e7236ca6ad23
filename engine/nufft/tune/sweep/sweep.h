// Times every requested pair (alpha, width), even those that miss the accuracy, or every alpha_T of
// a Toeplitz form, for the charts.
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
  // SweptOver::toeplitzAlpha varies alpha_T of the Toeplitz form base.options.normal. The form's
  // transforms make only the right side; they take the cheapest of `alphas` that meets the
  // accuracy.
  SweptOver over = SweptOver::grid;
  std::vector<double> alphas;  // empty: fastAlphas
  // empty: for each alpha the smallest width that meets the accuracy.
  std::vector<double> widths;
};

// The request with an open normal operator made gridded: alpha and width matter to no other form.
TuneRequest sweptRequest(const TuneRequest& request);

// The entries that the request asks to time. They share `data` with other entries.
std::vector<RoundEntry> sweepEntries(std::span<NufftBackend* const> backends, const SweepRequest& request,
                                     const std::shared_ptr<TimingData>& data, const Progress& progress);

// Entries that vary the fastest one.
using FollowingEntries = std::function<std::vector<RoundEntry>(const Candidate& fastest)>;

// Times the entries in rounds (rounds.h) under base.trials, timeLimit and accuracy, and then those
// that follow from the fastest, under the same limits. best: the fastest that meets the accuracy.
// load: the machine's load meanwhile. A cancelled result has the candidates timed so far.
TuneResult timeEntries(std::vector<RoundEntry> entries, const TuneRequest& base, const Progress& progress,
                       const std::function<void(const Candidate&)>& seen = {},
                       const FollowingEntries& following = {});

// Makes the entries and times them. `seen` gets each candidate after it was timed, on the calling
// thread.
TuneResult sweep(std::span<NufftBackend* const> backends, const SweepRequest& request,
                 const Progress& progress, const std::function<void(const Candidate&)>& seen = {});

}  // namespace spokelab
