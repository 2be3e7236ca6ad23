#include "engine/nufft/problem/path.h"

#include <array>
#include <string>

#include "engine/core/error.h"

namespace spokelab {
namespace {

constexpr std::array<std::string_view, 7> transforms = {"nufft",     "toeplitz",           "gdft", "gdftr2",
                                                        "segmented", "segmented-toeplitz", "auto"};
constexpr std::array<std::string_view, 3> interpolators = {"hanning", "min-max", "svd"};

template <class Kind, class Names>
Kind fromName(const Names& names, std::string_view name, const std::string& what) {
  std::string known;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<Kind>(i);
    known += (known.empty() ? "" : ", ") + std::string(names[i]);
  }
  throw Error("Cannot use the " + what + " " + std::string(name), "no " + what + " has that name",
              "Use one of " + known);
}

}  // namespace

std::string_view transformName(TransformKind kind) {
  return transforms[std::size_t(kind)];
}

std::string_view interpolatorName(SegmentInterpolator kind) {
  return interpolators[std::size_t(kind)];
}

TransformKind transformFromName(std::string_view name) {
  return fromName<TransformKind>(transforms, name, "transform");
}

SegmentInterpolator interpolatorFromName(std::string_view name) {
  return fromName<SegmentInterpolator>(interpolators, name, "interpolator");
}

}  // namespace spokelab
