// A candidate of the tuner in words: a line for titles, rich text for tool tips.
#pragma once

#include <QString>

#include "engine/nufft/tune/result/candidate.h"
#include "engine/nufft/tune/sweep/candidate_path.h"
#include "engine/recon/run/reconstruction.h"

namespace spokelab {

// "gridded", "Toeplitz padded", "Toeplitz shifted", "time segments", "exact sums (Gdft)"
QString pathTitle(const CandidatePath& path);
// Shorter, for labels beside bars and below columns: "padded", "shifted", "time segments"
QString pathShortTitle(const CandidatePath& path);
// "α 1.25, W 5.33", "Toeplitz padded, α_T 2.06"
QString candidatePlace(const Candidate& candidate);
// "cpu blocked · α 1.25 · W 5.33", "cpu · Toeplitz padded · α_T 2.06"
QString candidateTitle(const Candidate& candidate);
// The plan of a result that was reconstructed; gridding applies no normal operator.
Candidate planOf(const Reconstruction& result);
// "cost from 2.9 ms to 3.4 ms (quartiles of 7 repeats)"; "timed once"
QString repeatsText(const Candidate& candidate);
// Rich text for tool tips: title, grid, times, errors and memory, or why the candidate cannot run.
QString candidateDetails(const Candidate& candidate);

}  // namespace spokelab
