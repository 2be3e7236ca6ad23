// Samples of any size reconstruct alike. Spreading, sums of squares and conjugate gradients work in
// float, where products of very large samples overflow and products of very small ones vanish. Such
// samples are multiplied by a power of two first, which is exact, and the image by its inverse at
// last.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/core/jobs/ranks.h"
#include "engine/core/progress.h"
#include "engine/scan/scan.h"

namespace spokelab {

// The e for which 2^e takes the largest part of the samples of these frames to [1/2, 1). 0 where it
// is between 2^-24 and 2^24, as in ordinary scans, and where all samples are 0. ranks: they have
// the same scan and look at a part of it each; null: this one looks at all of it.
int sampleExponent(const Scan& scan, const std::vector<int>& frames, const Progress& progress,
                   Ranks* ranks = nullptr);

// Samples and noise times 2^exponent; other frames are empty. Throws Error (memory).
std::shared_ptr<Scan> scaledScan(const Scan& scan, const std::vector<int>& frames, int exponent,
                                 const Progress& progress);

// values times 2^exponent.
void scaleBy(std::span<cfloat> values, int exponent);

// Ends a reconstruction: takes the scale back and settles the image. Throws Error (not finite).
void finishImage(Image& image, int exponent);
// The same for pixels elsewhere: `values` are rounded from `wide`, if any. name: the image's.
void finishPixels(const std::string& name, std::span<cfloat> values, std::span<cdouble> wide, int exponent);

}  // namespace spokelab
