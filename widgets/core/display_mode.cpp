#include "widgets/core/display_mode.h"

#include <QCoreApplication>

namespace spokelab {

QString displayModeTitle(DisplayMode mode) {
  switch (mode) {
    case DisplayMode::magnitude:
      return QCoreApplication::translate("spokelab::DisplayMode", "Magnitude");
    case DisplayMode::phase:
      return QCoreApplication::translate("spokelab::DisplayMode", "Phase");
    case DisplayMode::real:
      return QCoreApplication::translate("spokelab::DisplayMode", "Real part");
    case DisplayMode::imaginary:
      return QCoreApplication::translate("spokelab::DisplayMode", "Imaginary part");
    case DisplayMode::complex:
      return QCoreApplication::translate("spokelab::DisplayMode", "Complex");
  }
  return {};
}

QString planeTitle(Plane plane) {
  switch (plane) {
    case Plane::axial:
      return QCoreApplication::translate("spokelab::Plane", "Axial");
    case Plane::coronal:
      return QCoreApplication::translate("spokelab::Plane", "Coronal");
    case Plane::sagittal:
      return QCoreApplication::translate("spokelab::Plane", "Sagittal");
  }
  return {};
}

std::optional<DisplayMode> modeOfKey(int key) {
  switch (key) {
    case Qt::Key_M:
      return DisplayMode::magnitude;
    case Qt::Key_P:
      return DisplayMode::phase;
    case Qt::Key_R:
      return DisplayMode::real;
    case Qt::Key_I:
      return DisplayMode::imaginary;
    case Qt::Key_C:
      return DisplayMode::complex;
    default:
      return std::nullopt;
  }
}

}  // namespace spokelab
