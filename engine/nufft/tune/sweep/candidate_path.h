// A candidate's path from images to samples and back, and the quantity that a sweep of it varies.
#pragma once

#include <string>

#include "engine/nufft/tune/result/candidate.h"

namespace spokelab {

enum class SweptOver {
  grid,  // alpha and W of the oversampled grid
  // alpha of the grid of time segments or of type 3's inner grid, each with the W for the accuracy;
  // or a plug-in's alpha
  alpha,
  toeplitzAlpha,  // alpha_T; the accuracy gives the point spread function's W
  nothing         // no ratio or width, or they are not swept
};

struct CandidatePath {
  // Its name in JSON and CSV: "nufft", "toeplitz", "toeplitz-shifted", a transform with a field
  // ("segmented", "segmented-toeplitz", "segmented-toeplitz-shifted", "gdft", "gdftr2"), the inner
  // grid of type 3 ("inner-grid"), or a plug-in's name.
  std::string name;
  SweptOver over = SweptOver::grid;
  double alpha = 0;  // the swept ratio; 0: none

  bool isGrid() const { return over == SweptOver::grid; }
};

CandidatePath pathOf(const Candidate& candidate);

// True for a path with a field map. Requests of other candidates ignore the field.
bool isThroughField(const Candidate& candidate);

// The quantity that a sweep of a normal operator varies.
SweptOver sweptOver(NormalMethod normal);

}  // namespace spokelab
