// cufinufft's study of several ranks ([cufinufft] V.B, Fig. 9 and Table II).
#pragma once

#include "engine/profile/study/study_run.h"

namespace spokelab {

// Each rank has a problem of the same size: ideal is a time that does not grow with their number.
// Ranks are this process's threads, or the processes that share it (StudyRun::ranks). Rank r uses
// device r modulo the number of devices; a CPU rank has the request's number of threads.
void studyWeakScaling(StudyRun& run);

// The paper's acceleration R = N^3 / (points of a rank): N = 41 has 1.02e6 points, N = 81 has
// 1.64e7. Other sizes get R of N = 81.
double sliceAcceleration(int size);
// Points of square images in planes through the centre, each turned at random, with their corners
// on the sphere of radius 1/2: nearly N^3 / R points. Cycles per pixel, [M, 3].
std::vector<double> slicePoints(int size, double acceleration, unsigned seed);

}  // namespace spokelab
