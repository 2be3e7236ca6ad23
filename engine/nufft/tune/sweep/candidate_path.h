// The path of a candidate: which of the ways from images to samples and back it takes, and what a
// sweep of it runs over.
#pragma once

#include <string>

#include "engine/nufft/tune/tune.h"

namespace spokelab {

// What a sweep of a path varies.
enum class SweptOver {
  grid,  // alpha and W of the oversampled grid
  // alpha of the grid of time segments, each with the W that the accuracy needs; that of a plug-in
  alpha,
  toeplitzAlpha,  // alpha_T; the point spread function has a W of its own, by the accuracy
  nothing         // it has neither ratio nor width, or they are not swept
};

struct CandidatePath {
  // As JSON and CSV write it: "nufft", "toeplitz", "toeplitz-shifted", or a transform that knows a
  // field: "segmented", "segmented-toeplitz", "segmented-toeplitz-shifted", "gdft", "gdftr2"; a
  // plug-in's own name.
  std::string name;
  SweptOver over = SweptOver::grid;
  double alpha = 0;  // the ratio that is swept; 0: none

  bool isGrid() const { return over == SweptOver::grid; }
};

CandidatePath pathOf(const Candidate& candidate);

// Whether it is a way through a field; other candidates' requests have none, or leave it out.
bool isThroughField(const Candidate& candidate);

// The same of a plan's normal operator.
SweptOver sweptOver(NormalMethod normal);

}  // namespace spokelab
