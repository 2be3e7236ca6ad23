// The display of an image view: the quantity, the plane, and the window that maps values to
// brightness.
#pragma once

#include <algorithm>
#include <array>
#include <optional>

#include <QString>

namespace spokelab {

enum class DisplayMode { magnitude, phase, real, imaginary, complex };
inline constexpr std::array<DisplayMode, 5> displayModes = {DisplayMode::magnitude, DisplayMode::phase,
                                                            DisplayMode::real, DisplayMode::imaginary,
                                                            DisplayMode::complex};

enum class Plane { axial, coronal, sagittal };
inline constexpr std::array<Plane, 3> imagePlanes = {Plane::axial, Plane::coronal, Plane::sagittal};

QString displayModeTitle(DisplayMode mode);     // "Magnitude", translated
QString planeTitle(Plane plane);                // "Axial", translated
std::optional<DisplayMode> modeOfKey(int key);  // M P R I C

// Values level - width/2 ... level + width/2 go from the colour map's first colour to its last. The
// width is above 0: fraction() divides by it. Phase is never windowed: it is fixed at -pi ... +pi
// on a cyclic map.
struct DisplayWindow {
  double level = 0.5;
  double width = 1;

  double low() const { return level - width / 2; }
  double high() const { return level + width / 2; }
  double fraction(double value) const { return std::clamp((value - low()) / width, 0.0, 1.0); }
  bool operator==(const DisplayWindow&) const = default;

  static DisplayWindow fromRange(double low, double high) { return {(low + high) / 2, high - low}; }
};

// One window for magnitude and brightness, one for the signed quantities, so that changing the mode
// keeps both.
struct DisplayWindows {
  DisplayWindow magnitude;
  DisplayWindow signedParts{0, 2};

  static bool isSigned(DisplayMode mode) {
    return mode == DisplayMode::real || mode == DisplayMode::imaginary;
  }
  DisplayWindow& of(DisplayMode mode) { return isSigned(mode) ? signedParts : magnitude; }
  const DisplayWindow& of(DisplayMode mode) const { return isSigned(mode) ? signedParts : magnitude; }
  bool operator==(const DisplayWindows&) const = default;
};

}  // namespace spokelab
