// Makes the points of the papers' studies, in cycles per pixel: [M, 3], or [M, dims] for boxPoints.
#pragma once

#include <string>
#include <vector>

namespace spokelab {

// "radial3d", "stack-of-stars", "cones", "random", "gaussian", "clustered", ...
std::vector<std::string> studyPatterns();

// Points in cycles per pixel, [M, 3]. Throws Error for an unknown pattern.
std::vector<double> studyPoints(const std::string& pattern, int size, double acceleration);

// Data sets of multicore-nufft (section II-C, Table I), sampling rate SR = 1 / R, N^3 SR points:
// radial N^2 SR / 2 readouts of 2N samples, a single spiral in each of N planes, Gaussian; other
// patterns as in studyPoints.
std::vector<double> interleavedPoints(const std::string& pattern, int size, double acceleration);
// R of the Table I data set with this size: 2 (N = 128), 4 / 3 (256), 4 (320). Other sizes get
// 4 / 3, the most frequent one.
double interleavedAcceleration(int size);
// The accelerations of all data sets of this size: N = 256 has three.
std::vector<double> interleavedAccelerations(int size);

// Radial 3-D points with this number of readouts and samples.
std::vector<double> readoutPoints(int size, int readouts, int samples);

// cufinufft's "rand" and "cluster" in any number of dimensions: `pattern` is "random" or
// "clustered"; N^dims / R points. Throws Error for another pattern.
std::vector<double> boxPoints(const std::string& pattern, int dims, int size, double acceleration);

}  // namespace spokelab
