// The parts of an iteration's time: transforms, exact sums in their place, coil maps, regularizer.
// On a device by events of its stream, the rest by the caller's clock.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "engine/recon/operators/space_times.h"

namespace spokelab {

enum class IterationPart {
  interpolation,  // spreading and interpolation
  fft,
  multiply,     // with weights and transfer functions; see multiplyInFft
  otherStages,  // of transforms, and what their stages leave
  exactSums,    // Gdft and GdftR2
  maps,         // coil images from the image, and back
  regularizer,
  rest  // conjugate gradient
};
inline constexpr std::size_t iterationPartCount = 8;
inline constexpr std::array<std::string_view, iterationPartCount> iterationPartNames = {
    "interpolation", "FFT", "multiply", "other stages", "exact sums", "maps", "regularizer", "rest"};

struct IterationParts {
  std::array<double, iterationPartCount> seconds{};
  bool multiplyInFft = false;  // as in StageTimings

  double& operator[](IterationPart p) { return seconds[std::size_t(p)]; }
  double operator[](IterationPart p) const { return seconds[std::size_t(p)]; }
  double total() const;
  IterationParts& operator+=(const IterationParts& other);
  IterationParts over(double count) const;
};

// Computed from the times of an iteration and its seconds. exact: transforms have no NUFFT; the
// stages that they record are exact sums, too.
IterationParts partsOf(const SpaceTimes& times, double seconds, bool exact);

// The name of a part as it is shown: "FFT and multiply" where the two are fused.
std::string_view shownName(const IterationParts& parts, IterationPart part);

// "interpolation 3.1 ms, FFT 2 ms, maps 1.2 ms, rest 0.3 ms"; parts that took no time are left out.
std::string partsText(const IterationParts& parts);

}  // namespace spokelab
