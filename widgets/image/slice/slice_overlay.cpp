#include "widgets/image/slice/slice_overlay.h"

#include <cmath>

#include <QObject>
#include <QPainter>

#include "widgets/core/image_theme.h"
#include "widgets/core/number_text.h"

namespace spokelab {
namespace {

constexpr double textInset = ImageTheme::inset;
constexpr double cursorGap = 9;  // pixels left free around the cursor's centre

const QString betweenParts = QStringLiteral("    ");  // of a read-out: pixel, position, value

// The parts of a read-out that a width has room for: the position goes first, then the pixel.
QString fittingReadout(const QString& readout, const QFontMetricsF& metrics, double width) {
  QStringList parts = readout.split(betweenParts);
  while (parts.size() > 1 && metrics.horizontalAdvance(parts.join(betweenParts)) > width)
    parts.removeAt(parts.size() - 2);
  return parts.join(betweenParts);
}

// No value has a phase, as in a root sum of squares. A few values tell, as the mouse moves.
bool holdsMagnitudes(const Image& image) {
  constexpr std::size_t maxLooks = std::size_t{1} << 16;
  const std::size_t step = image.data.size() / maxLooks + 1;
  for (std::size_t i = 0; i < image.data.size(); i += step)
    if (image.data[i].imag() != 0 || image.data[i].real() < 0) return false;
  return true;
}

}  // namespace

std::array<QString, 4> sideTexts(const PixelAxes& pixels, const PlaneAxes& axes) {
  const auto side = [&](int axis, bool flip) {
    Vec3 d = pixels.direction[std::size_t(axis)];
    if (flip) d = {-d[0], -d[1], -d[2]};
    const QString ahead = sideLetters(d, pixels.nominal);
    const QString behind = sideLetters({-d[0], -d[1], -d[2]}, pixels.nominal);
    return std::pair(behind, ahead);
  };
  const auto [left, right] = side(axes.across, axes.flipAcross);
  const auto [top, bottom] = side(axes.down, axes.flipDown);
  return {left, right, top, bottom};
}

QString readoutText(const Image& image, int frame, const PixelAxes& pixels, const Index3& at,
                    DisplayMode mode) {
  const std::int64_t offset = (at[2] * image.size[1] + at[1]) * image.size[0] + at[0];
  const cfloat v = image.frame(frame)[offset];
  QString place = QStringLiteral("x %1  y %2").arg(at[0]).arg(at[1]);
  if (image.size[2] > 1) place += QStringLiteral("  z %1").arg(at[2]);
  place += betweenParts + positionText(pixels.position(at), pixels.nominal);
  if (!std::isfinite(v.real()) || !std::isfinite(v.imag()))
    return place + betweenParts + QObject::tr("not a number");
  const QString magnitude = QStringLiteral("|m| %1").arg(valueText(std::abs(cdouble(v))));
  const QString phase = holdsMagnitudes(image) ? QObject::tr("no phase")
                                               : QObject::tr("phase %1 rad").arg(fixedLabel(std::arg(v), 2));
  QString value = magnitude + QStringLiteral("  ") + phase;
  if (DisplayWindows::isSigned(mode))
    value += QStringLiteral("  ") + (mode == DisplayMode::real
                                         ? QObject::tr("real %1").arg(valueText(v.real()))
                                         : QObject::tr("imaginary %1").arg(valueText(v.imag())));
  return place + betweenParts + value;
}

QString windowText(const DisplayWindow& window, DisplayMode mode) {
  if (mode == DisplayMode::phase) return QStringLiteral("\u2212\u03c0 \u2026 \u03c0");
  return QObject::tr("L %1  W %2").arg(valueText(window.level), valueText(window.width));
}

QString sliceText(Plane plane, const SliceGeometry& geometry, const Index3& cursor) {
  static constexpr std::array<char, 3> names{'x', 'y', 'z'};
  const int axis = geometry.axes.through;
  QString text = planeTitle(plane);
  if (geometry.extent(axis) > 1)
    text += QStringLiteral("   %1 %2 / %3")
                .arg(QLatin1Char(names[std::size_t(axis)]))
                .arg(geometry.slice(cursor))
                .arg(geometry.extent(axis) - 1);
  return text;
}

void paintOverlay(QPainter& painter, const SliceOverlay& overlay, const QRect& view, const QFont& font) {
  const QRectF area = QRectF(view).adjusted(textInset, textInset, -textInset, -textInset);
  const auto [left, right, top, bottom] = overlay.sides;
  QFont bold = font;
  bold.setBold(true);
  painter.setFont(bold);
  ImageTheme::drawText(painter, area, Qt::AlignLeft | Qt::AlignVCenter, left, ImageTheme::letters());
  ImageTheme::drawText(painter, area, Qt::AlignRight | Qt::AlignVCenter, right, ImageTheme::letters());
  ImageTheme::drawText(painter, area, Qt::AlignHCenter | Qt::AlignTop, top, ImageTheme::letters());
  ImageTheme::drawText(painter, area, Qt::AlignHCenter | Qt::AlignBottom, bottom, ImageTheme::letters());

  painter.setFont(ImageTheme::smallFont(font));
  const QFontMetricsF metrics(painter.font());
  const double half = area.width() / 2 - metrics.horizontalAdvance(top);
  ImageTheme::drawText(painter, area, Qt::AlignLeft | Qt::AlignTop, overlay.slice, ImageTheme::text());
  if (metrics.horizontalAdvance(overlay.window) < half)
    ImageTheme::drawText(painter, area, Qt::AlignRight | Qt::AlignTop, overlay.window, ImageTheme::text());
  if (overlay.zoom != 1)
    ImageTheme::drawText(painter, area, Qt::AlignRight | Qt::AlignBottom,
                         QStringLiteral("\u00d7%1").arg(fixedLabel(overlay.zoom, 1)), ImageTheme::text());
  if (!overlay.readout.isEmpty()) {
    const double above = metrics.height() + textInset / 2;  // keeps clear of the letter below
    ImageTheme::drawText(painter, area.adjusted(0, 0, 0, -above), Qt::AlignLeft | Qt::AlignBottom,
                         fittingReadout(overlay.readout, metrics, area.width()), ImageTheme::text());
  }
}

void paintCursor(QPainter& painter, const QRectF& picture, const QPointF& at) {
  painter.setPen(QPen(ImageTheme::cursor(), 1));
  const auto line = [&](QPointF from, QPointF to, bool visible) {
    if (visible) painter.drawLine(from, to);
  };
  line({picture.left(), at.y()}, {at.x() - cursorGap, at.y()}, at.x() - cursorGap > picture.left());
  line({at.x() + cursorGap, at.y()}, {picture.right(), at.y()}, at.x() + cursorGap < picture.right());
  line({at.x(), picture.top()}, {at.x(), at.y() - cursorGap}, at.y() - cursorGap > picture.top());
  line({at.x(), at.y() + cursorGap}, {at.x(), picture.bottom()}, at.y() + cursorGap < picture.bottom());
}

void paintEmptyText(QPainter& painter, const QRect& view, const QString& text) {
  painter.setPen(ImageTheme::hint());
  const int inset = int(2 * textInset);
  painter.drawText(view.adjusted(inset, inset, -inset, -inset), Qt::AlignCenter | Qt::TextWordWrap, text);
}

}  // namespace spokelab
