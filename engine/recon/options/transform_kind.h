// How an iterative reconstruction gets from image to samples and back.
#pragma once

#include <string_view>

namespace spokelab {

// automatic: raced (sense/transform_race.h).
enum class TransformKind { nufft, toeplitz, gdft, gdftR2, segmented, automatic };

// Of the segmented transform (field/segmented.h).
enum class SegmentInterpolator { hanning, minMax, svd };

// Of a field map within a voxel (field/field_gradient.h).
enum class GradientMode { physical, powerGrid2020 };

std::string_view transformName(TransformKind);  // "nufft", "toeplitz", "gdft", "gdftr2", "segmented", "auto"
std::string_view interpolatorName(SegmentInterpolator);  // "hanning", "min-max", "svd"
std::string_view gradientModeName(GradientMode);         // "physical", "powergrid-2020"

}  // namespace spokelab
