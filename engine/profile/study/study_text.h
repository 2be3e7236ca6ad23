// A study's text about its run: the requested sizes beside the paper's, and its plans.
#pragma once

#include <string>

#include "engine/profile/study/study.h"

namespace spokelab {

// "N = 62 (the paper: 158), R = 1 (the paper: 1, 4, 16), ε = 0.01, ..., 5 repeats".
std::string thisRunText(const StudyResult& result);

// "spokelab study alpha --sizes 62 --accelerations 1,4": with the parts of the request that are not
// the paper's.
std::string studyCommand(const StudyRequest& request);

// The row's own ratio and width: "alpha 1.290 W  4.16", or, of a convolution with the point spread
// function, "alpha_T 2.188", or "shifted transforms".
std::string planText(const StudyRow& row);

// The grid of the row's plan is not oversampled by NufftOptions::alpha: alpha and width are of the
// transforms that made its point spread function.
bool isConvolution(const StudyRow& row);

}  // namespace spokelab
