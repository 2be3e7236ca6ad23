#include "widgets/image/volume/volume_style.h"

#include <QStringList>

#include <cmath>

#include "widgets/image/display/view_state.h"

namespace spokelab {
namespace {

const QStringList modeNames = {QStringLiteral("maximum"), QStringLiteral("opacity"),
                               QStringLiteral("surface")};

const QString levelUnit = QStringLiteral("magnitude");

bool isShare(double value) {
  return value >= 0 && value <= 1;
}

bool sensible(const VolumeStyle& style) {
  if (!(style.level >= 0) || !std::isfinite(style.level) || style.opacity.size() < 2) return false;
  for (std::size_t i = 0; i < style.opacity.size(); ++i) {
    const OpacityPoint& p = style.opacity[i];
    if (!isShare(p.value) || !isShare(p.opacity)) return false;
    if (i > 0 && p.value < style.opacity[i - 1].value) return false;
  }
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (!isShare(style.clip[2 * axis]) || !isShare(style.clip[2 * axis + 1]) ||
        style.clip[2 * axis] >= style.clip[2 * axis + 1])
      return false;
  return true;
}

}  // namespace

// "surface; 0.35; 0 1 0 1 0 1; 0 0 0.2 0 ...; magnitude". Without the last word, the level is a
// share of a window that is not kept, and counts as not chosen.
QString volumeStyleText(const VolumeStyle& style) {
  std::vector<double> points;
  for (const OpacityPoint& p : style.opacity) {
    points.push_back(p.value);
    points.push_back(p.opacity);
  }
  return QStringList{modeNames[int(style.mode)], numbersText({style.level}),
                     numbersText({style.clip.begin(), style.clip.end()}), numbersText(points), levelUnit}
      .join(QLatin1Char(';'));
}

VolumeStyle volumeStyleFromText(const QString& text, const VolumeStyle& otherwise) {
  const QStringList parts = text.split(QLatin1Char(';'));
  const bool inShares = parts.size() == 4;
  if (!(inShares || (parts.size() == 5 && parts[4] == levelUnit)) || !modeNames.contains(parts[0]))
    return otherwise;
  const auto level = numbersOf(parts[1], 1), clip = numbersOf(parts[2], 6);
  const auto points = numbersOf(parts[3], int(parts[3].split(QLatin1Char(' '), Qt::SkipEmptyParts).size()));
  if (level.empty() || clip.empty() || points.size() % 2 != 0) return otherwise;
  VolumeStyle style;
  style.mode = VolumeMode(modeNames.indexOf(parts[0]));
  if (inShares && !isShare(level[0])) return otherwise;
  style.level = inShares ? 0 : level[0];
  std::copy(clip.begin(), clip.end(), style.clip.begin());
  style.opacity.clear();
  for (std::size_t i = 0; i + 1 < points.size(); i += 2) style.opacity.push_back({points[i], points[i + 1]});
  return sensible(style) ? style : otherwise;
}

}  // namespace spokelab
