#include "widgets/image/compare/compare_text.h"

#include <cmath>
#include <numbers>

#include <QCoreApplication>

#include "widgets/core/number_text.h"
#include "widgets/image/compare/compare_bar.h"

namespace spokelab {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("spokelab::Compare", text);
}

}  // namespace

QString referenceCaption(int reference) {
  return tr("Reference: result %1").arg(reference);
}

QString shownCaption(CompareStyle style, int shown, int reference, bool referenceIsUp) {
  if (reference != 0 && style == CompareStyle::wipe)
    return tr("Left of the line: result %1, right of it: result %2").arg(shown).arg(reference);
  if (reference != 0 && style == CompareStyle::flicker && referenceIsUp) return referenceCaption(reference);
  return tr("Result %1").arg(shown);
}

QString differenceText(int shown, int reference, bool ofMagnitudes, bool asked) {
  QString text = ofMagnitudes ? tr("magnitude of result %1, scaled to fit, minus magnitude of result %2")
                              : tr("result %1, scaled to fit, minus result %2");
  text = text.arg(shown).arg(reference);
  return ofMagnitudes && !asked ? tr("one of the two holds magnitudes alone: ") + text : text;
}

QString scaleText(cdouble scale) {
  constexpr double degrees = 180 / std::numbers::pi, sameDirection = 0.05;
  const double phase = std::arg(scale) * degrees;
  const QString size = valueText(std::abs(scale));
  return std::abs(phase) < sameDirection
             ? tr("drawn times %1 to fit the reference").arg(size)
             : tr("drawn times %1, turned by %2°, to fit the reference").arg(size, numberLabel(phase, 1));
}

QString nrmseText(double nrmse, bool ofMagnitudes) {
  if (!std::isfinite(nrmse)) return tr("NRMSE: reference is zero");
  return (ofMagnitudes ? tr("NRMSE of magnitudes %1") : tr("NRMSE %1")).arg(valueText(nrmse));
}

}  // namespace spokelab
