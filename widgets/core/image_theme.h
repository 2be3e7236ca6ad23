// Colours and text of the image and trajectory views. The ground is dark and neutral in the light
// theme, too: brightness is always judged against the same surround. High contrast uses black,
// white and yellow.
#pragma once

#include <algorithm>

#include <QColor>
#include <QFont>
#include <QPainter>

#include "widgets/core/screen_theme.h"

namespace spokelab::ImageTheme {

// Pixels between text and the edge of a view.
inline constexpr int inset = 8;

inline QColor either(const QColor& usual, const QColor& highContrast) {
  return screenTheme() == ScreenTheme::highContrast ? highContrast : usual;
}

inline QColor background() {
  return either({18, 19, 21}, {0, 0, 0});
}
inline QColor frame() {
  return either({44, 46, 50}, {160, 160, 160});
}
inline QColor text() {
  return either({205, 208, 212}, {255, 255, 255});
}
inline QColor letters() {
  return either({240, 196, 90}, {255, 216, 0});
}
inline QColor hint() {
  return either({140, 145, 152}, {230, 230, 230});
}
inline QColor cursor() {
  return either({240, 196, 90, 150}, {255, 216, 0, 230});
}
// Colours of measured regions and lines.
inline constexpr int measuredColours = 8;
inline QColor measured(int colour = 0) {
  static const QColor usual[measuredColours] = {{120, 220, 160}, {255, 176, 97},  {122, 184, 255},
                                                {243, 139, 200}, {236, 222, 104}, {180, 151, 255},
                                                {94, 226, 226},  {255, 124, 114}};
  const int place = std::clamp(colour, 0, measuredColours - 1);
  return place == 0 ? either(usual[0], {107, 255, 124}) : usual[place];
}
inline QColor focus() {
  return either({88, 132, 190}, {255, 216, 0});
}

inline QFont smallFont(QFont font) {
  constexpr double ratio = 0.9;
  if (font.pointSizeF() > 0) font.setPointSizeF(font.pointSizeF() * ratio);
  return font;
}

// Draws text that is readable on dark and on bright pixels: a dark copy is drawn under it.
inline void drawText(QPainter& painter, const QRectF& area, int flags, const QString& text,
                     const QColor& colour) {
  constexpr double shift = 1;
  constexpr int shade = 200;  // opacity of the dark copy
  painter.setPen(QColor(0, 0, 0, shade));
  painter.drawText(area.translated(shift, shift), flags | Qt::TextSingleLine, text);
  painter.setPen(colour);
  painter.drawText(area, flags | Qt::TextSingleLine, text);
}

}  // namespace spokelab::ImageTheme
