// The ways from image to samples and back. Without a field map they are the normal operators of
// options.h. With a field map, a path says how the phase of the field (off-resonance) enters.
#pragma once

#include <string_view>

namespace spokelab {

enum class TransformKind {
  nufft,              // no field
  toeplitz,           // no field; the normal operator as a convolution
  gdft,               // exact sums
  gdftR2,             // exact sums with the in-voxel gradient
  segmented,          // NUFFTs of time segments (recon/field/segmented.h)
  segmentedToeplitz,  // the normal operator as convolutions of time segments (segmented_toeplitz.h)
  automatic           // searched for (recon/sense/path_search.h)
};

// The interpolator of the segmented transform.
enum class SegmentInterpolator { hanning, minMax, svd };

// "nufft", "toeplitz", "gdft", "gdftr2", "segmented", "segmented-toeplitz", "auto"
std::string_view transformName(TransformKind);
std::string_view interpolatorName(SegmentInterpolator);  // "hanning", "min-max", "svd"
// Throw Error for an unknown name.
TransformKind transformFromName(std::string_view);
SegmentInterpolator interpolatorFromName(std::string_view);

struct Path {
  // A candidate whose path is automatic belongs to a request without a field map.
  TransformKind transform = TransformKind::automatic;
  SegmentInterpolator interpolator = SegmentInterpolator::svd;
  int segments = 0;      // of the transform; 0: none, or the number that the accuracy needs
  int convolutions = 0;  // of segmentedToeplitz' normal operator; 0: the number that the accuracy needs

  bool operator==(const Path&) const = default;
};

constexpr bool isExact(TransformKind kind) {
  return kind == TransformKind::gdft || kind == TransformKind::gdftR2;
}
constexpr bool knowsField(TransformKind kind) {
  return kind != TransformKind::nufft && kind != TransformKind::toeplitz;
}

}  // namespace spokelab
