// Colours and text of the image and trajectory views: a dark neutral ground, whatever the desktop's
// palette is, so that brightness is judged against the same surround.
#pragma once

#include <QColor>
#include <QFont>
#include <QPainter>

namespace spokelab::ImageTheme {

// Pixels between text and the edge of a view.
inline constexpr int inset = 8;

inline QColor background() {
  return {18, 19, 21};
}
inline QColor frame() {
  return {44, 46, 50};
}
inline QColor text() {
  return {205, 208, 212};
}
inline QColor letters() {
  return {240, 196, 90};
}
inline QColor hint() {
  return {140, 145, 152};
}
inline QColor cursor() {
  return {240, 196, 90, 150};
}
inline QColor measured() {
  return {120, 220, 160};
}
inline QColor focus() {
  return {88, 132, 190};
}

inline QFont smallFont(QFont font) {
  constexpr double ratio = 0.9;
  if (font.pointSizeF() > 0) font.setPointSizeF(font.pointSizeF() * ratio);
  return font;
}

// Readable on dark and on bright pixels: a dark copy of the text lies under it.
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
