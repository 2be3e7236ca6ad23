#include "app/gui/features/scan/slider_corrections.h"

#include <QCoreApplication>
#include <cmath>

#include "engine/core/text.h"

namespace spokelab {
namespace {

constexpr int wholeShare = 100, mostShare = 150;    // per cent
constexpr int fewestScale = 900, mostScale = 1100;  // thousandths of k
constexpr int mostDrift = 1000;                     // thousandths of a turn
constexpr int mostShift = 2000;                     // thousandths of a sample
constexpr double hundredth = 1e-2, thousandth = 1e-3;

QString words(const char* text) {
  return QCoreApplication::translate("SliderCorrection", text);
}

bool isShare(SliderCorrection moved) {
  return moved == SliderCorrection::delays || moved == SliderCorrection::response ||
         moved == SliderCorrection::field || moved == SliderCorrection::concomitant;
}

}  // namespace

QStringList sliderCorrectionNames() {
  return {words("Delays"),           words("Scale of x"),  words("Scale of y"),
          words("Scale of z"),       words("Drift of k0"), words("Impulse response"),
          words("Shift of samples"), words("Field"),       words("Concomitant terms")};
}

bool isScale(SliderCorrection moved) {
  return moved == SliderCorrection::scaleX || moved == SliderCorrection::scaleY ||
         moved == SliderCorrection::scaleZ;
}

SliderRange sliderRange(SliderCorrection moved) {
  if (isScale(moved)) return {fewestScale, mostScale, int(1 / thousandth)};
  if (moved == SliderCorrection::drift) return {-mostDrift, mostDrift, 0};
  if (moved == SliderCorrection::shift) return {-mostShift, mostShift, 0};
  return {0, mostShare, wholeShare};
}

double sliderValue(SliderCorrection moved, int position) {
  return position * (isShare(moved) ? hundredth : thousandth);
}

int sliderPosition(SliderCorrection moved, double value) {
  return int(std::lround(value / (isShare(moved) ? hundredth : thousandth)));
}

QString sliderText(SliderCorrection moved, int position) {
  constexpr int digits = 4;
  const QString value = QString::fromStdString(numberText(sliderValue(moved, position), digits));
  switch (moved) {
    case SliderCorrection::delays:
      return words("%1 % of the delays").arg(position);
    case SliderCorrection::response:
      return words("%1 % of the response").arg(position);
    case SliderCorrection::field:
      return words("%1 % of the field").arg(position);
    case SliderCorrection::concomitant:
      return words("%1 % of the terms").arg(position);
    case SliderCorrection::drift:
      return words("%1 turns").arg(value);
    case SliderCorrection::shift:
      return words("%1 samples").arg(value);
    default:
      return words("%1 k").arg(value);
  }
}

}  // namespace spokelab
