#include "widgets/image/slice_view.h"

#include <cmath>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include "widgets/image/colour_bar.h"
#include "widgets/image/image_theme.h"
#include "widgets/image/slice_renderer.h"

namespace spokelab {
namespace {

constexpr double margin = 8;     // pixels around a fitted picture
constexpr double textInset = 8;  // pixels from the view's edge
constexpr double cursorGap = 9;  // pixels left free around the cursor's centre
constexpr double smallestZoom = 0.2, largestZoom = 64;
constexpr double zoomStep = 1.2;          // a wheel notch
constexpr int wheelNotch = 120;           // QWheelEvent::angleDelta of one notch
constexpr double windowSensitivity = 2;   // a drag across the view changes by this many fitting windows
constexpr double narrowestWindow = 1e-4;  // of the fitting window

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

}  // namespace

SliceView::SliceView(Plane plane, QWidget* parent)
    : QWidget(parent), plane_(plane), map_(QStringLiteral("grey")) {
  setPlane(plane);
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setEmptyText(tr("No image yet"));
  setWhatsThis(
      tr("Wheel: slice. Left drag: cursor. Right drag or Shift and left drag: window and level. "
         "Ctrl and wheel: zoom. Middle drag: move. Double click: fit. "
         "Keys M, P, R, I, C: magnitude, phase, real, imaginary, complex."));
}

void SliceView::setPlane(Plane plane) {
  plane_ = plane;
  static constexpr std::array<const char*, 3> names{"axialView", "coronalView", "sagittalView"};
  setObjectName(QLatin1String(names[std::size_t(plane)]));
  setAccessibleName(tr("%1 slice").arg(planeTitle(plane)));
  axes_ = planeAxes(pixels_, plane_);
  invalidate();
}

void SliceView::setEmptyText(const QString& text) {
  emptyText_ = text;
  update();
}

void SliceView::setImage(std::shared_ptr<const Image> image, int frame, bool fit) {
  image_ = isShowable(image.get()) ? std::move(image) : nullptr;
  hovered_.reset();
  frame_ = image_ ? std::clamp(frame, 0, image_->frames - 1) : 0;
  pixels_ = image_ ? pixelAxes(*image_) : PixelAxes{};
  axes_ = planeAxes(pixels_, plane_);
  if (image_ && fit) {
    fitting_ = fittingWindows(*image_, frame_);
    windows_ = fitting_;
    cursor_ = {image_->size[0] / 2, image_->size[1] / 2, image_->size[2] / 2};
    zoom_ = 1;
    pan_ = {};
  }
  if (image_) cursor_ = clamped(cursor_);
  invalidate();
}

void SliceView::setFrame(int frame) {
  if (!image_ || frame < 0 || frame >= image_->frames || frame == frame_) return;
  frame_ = frame;
  invalidate();
}

Index3 SliceView::clamped(Index3 index) const {
  for (std::size_t d = 0; d < 3; ++d) index[d] = std::clamp<std::int64_t>(index[d], 0, image_->size[d] - 1);
  return index;
}

void SliceView::setCursorIndex(const Index3& index) {
  if (!image_) return;
  const Index3 inside = clamped(index);
  if (inside == cursor_) return;
  const bool sameSlice = inside[std::size_t(axes_.through)] == slice();
  cursor_ = inside;
  if (sameSlice)
    update();
  else
    invalidate();
}

void SliceView::moveCursor(const Index3& index) {
  const Index3 before = cursor_;
  setCursorIndex(index);
  if (cursor_ != before) Q_EMIT cursorMoved(cursor_);
}

void SliceView::setMode(DisplayMode mode) {
  if (mode == mode_) return;
  mode_ = mode;
  invalidate();
}

void SliceView::setWindows(const DisplayWindows& windows) {
  if (windows == windows_) return;
  windows_ = windows;
  invalidate();
}

void SliceView::setFittingWindows(const DisplayWindows& windows) {
  fitting_ = windows;
}

void SliceView::setColourMap(const QString& name) {
  map_ = name;
  invalidate();
}

void SliceView::setInterpolates(bool on) {
  interpolate_ = on;
  update();
}

void SliceView::setCursorVisible(bool visible) {
  cursorVisible_ = visible;
  update();
}

void SliceView::setReadoutVisible(bool visible) {
  readoutVisible_ = visible;
  update();
}

void SliceView::resetView() {
  zoom_ = 1;
  pan_ = {};
  update();
}

void SliceView::invalidate() {
  picture_ = {};
  update();
}

// --- geometry on the screen -------------------------------------------------------------------------

QRectF SliceView::pictureRect() const {
  if (!image_) return {};
  const double widthMm = double(extent(axes_.across)) * pixels_.spacing[std::size_t(axes_.across)];
  const double heightMm = double(extent(axes_.down)) * pixels_.spacing[std::size_t(axes_.down)];
  const double roomAcross = std::max(1.0, width() - 2 * margin),
               roomDown = std::max(1.0, height() - 2 * margin);
  const double pixelsPerMm = zoom_ * std::min(roomAcross / widthMm, roomDown / heightMm);
  const QSizeF size(widthMm * pixelsPerMm, heightMm * pixelsPerMm);
  const QPointF centre = QPointF(width() / 2.0, height() / 2.0) + pan_;
  return {centre.x() - size.width() / 2, centre.y() - size.height() / 2, size.width(), size.height()};
}

QPointF SliceView::voxelToWidget(const Index3& index) const {
  if (!image_) return {};
  const QRectF picture = pictureRect();
  const auto along = [&](int axis, bool flip) {
    const std::int64_t n = extent(axis), i = index[std::size_t(axis)];
    return (double(flip ? n - 1 - i : i) + 0.5) / double(n);
  };
  return {picture.left() + along(axes_.across, axes_.flipAcross) * picture.width(),
          picture.top() + along(axes_.down, axes_.flipDown) * picture.height()};
}

std::optional<Index3> SliceView::widgetToVoxel(const QPointF& point) const {
  if (!image_) return std::nullopt;
  const QRectF picture = pictureRect();
  Index3 index = cursor_;
  bool inside = true;
  const auto set = [&](int axis, bool flip, double fraction) {
    const std::int64_t n = extent(axis), i = std::int64_t(std::floor(fraction * double(n)));
    if (i < 0 || i >= n) inside = false;
    index[std::size_t(axis)] = flip ? n - 1 - i : i;
  };
  set(axes_.across, axes_.flipAcross, (point.x() - picture.left()) / picture.width());
  set(axes_.down, axes_.flipDown, (point.y() - picture.top()) / picture.height());
  if (!inside) return std::nullopt;
  return index;
}

std::array<QString, 4> SliceView::sideTexts() const {
  if (!image_) return {};
  const auto side = [&](int axis, bool flip) {
    Vec3 d = pixels_.direction[std::size_t(axis)];
    if (flip) d = {-d[0], -d[1], -d[2]};
    const QString ahead = sideLetters(d, pixels_.nominal);
    const QString behind = sideLetters({-d[0], -d[1], -d[2]}, pixels_.nominal);
    return std::pair(behind, ahead);
  };
  const auto [left, right] = side(axes_.across, axes_.flipAcross);
  const auto [top, bottom] = side(axes_.down, axes_.flipDown);
  return {left, right, top, bottom};
}

// --- text -------------------------------------------------------------------------------------------

QString SliceView::readout(const Index3& index) const {
  if (!image_) return {};
  const Index3 at = clamped(index);
  const std::int64_t offset = (at[2] * image_->size[1] + at[1]) * image_->size[0] + at[0];
  const cfloat v = image_->frame(frame_)[offset];
  const QString place = QStringLiteral("x %1  y %2  z %3    ").arg(at[0]).arg(at[1]).arg(at[2]) +
                        positionText(pixels_.position(at), pixels_.nominal);
  if (!std::isfinite(v.real()) || !std::isfinite(v.imag()))
    return place + QStringLiteral("    ") + tr("not a number");
  const QString magnitude = QStringLiteral("|m| %1").arg(valueText(std::abs(cdouble(v))));
  const QString phase = tr("phase %1 rad").arg(std::arg(v), 0, 'f', 2);
  QString value = magnitude + QStringLiteral("  ") + phase;
  if (DisplayWindows::isSigned(mode_))
    value +=
        QStringLiteral("  ") + (mode_ == DisplayMode::real ? tr("real %1").arg(valueText(v.real()))
                                                           : tr("imaginary %1").arg(valueText(v.imag())));
  return place + QStringLiteral("    ") + value;
}

QString SliceView::sliceText() const {
  static constexpr std::array<char, 3> names{'x', 'y', 'z'};
  const int axis = axes_.through;
  QString text = planeTitle(plane_);
  if (extent(axis) > 1)
    text += QStringLiteral("   %1 %2 / %3")
                .arg(QLatin1Char(names[std::size_t(axis)]))
                .arg(slice())
                .arg(extent(axis) - 1);
  if (readoutVisible_ && image_->frames > 1)
    text += QStringLiteral("   ") + tr("frame %1 / %2").arg(frame_).arg(image_->frames - 1);
  return text;
}

QString SliceView::windowText() const {
  if (mode_ == DisplayMode::phase) return QStringLiteral("\u2212\u03c0 \u2026 \u03c0");
  const DisplayWindow w = window();
  return tr("L %1  W %2").arg(valueText(w.level), valueText(w.width));
}

// --- painting ---------------------------------------------------------------------------------------

void SliceView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), ImageTheme::background());
  if (!image_) {
    paintEmpty(painter);
    return;
  }
  if (picture_.isNull())
    picture_ = renderSlice(*image_, {frame_, axes_, slice(), mode_, window(), &ColourMap::sequential(map_)});
  const QRectF picture = pictureRect();
  const bool blend = interpolate_ && mode_ != DisplayMode::phase && mode_ != DisplayMode::complex;
  painter.setRenderHint(QPainter::SmoothPixmapTransform, blend);
  painter.drawImage(picture, picture_);
  if (cursorVisible_) paintCursor(painter, picture);
  paintOverlay(painter);
  if (hasFocus()) {
    painter.setPen(ImageTheme::focus());
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }
}

void SliceView::paintCursor(QPainter& painter, const QRectF& picture) {
  const QPointF at = voxelToWidget(cursor_);
  painter.setPen(QPen(ImageTheme::cursor(), 1));
  const auto line = [&](QPointF from, QPointF to, bool visible) {
    if (visible) painter.drawLine(from, to);
  };
  line({picture.left(), at.y()}, {at.x() - cursorGap, at.y()}, at.x() - cursorGap > picture.left());
  line({at.x() + cursorGap, at.y()}, {picture.right(), at.y()}, at.x() + cursorGap < picture.right());
  line({at.x(), picture.top()}, {at.x(), at.y() - cursorGap}, at.y() - cursorGap > picture.top());
  line({at.x(), at.y() + cursorGap}, {at.x(), picture.bottom()}, at.y() + cursorGap < picture.bottom());
}

void SliceView::paintOverlay(QPainter& painter) {
  const QRectF area = QRectF(rect()).adjusted(textInset, textInset, -textInset, -textInset);
  const auto [left, right, top, bottom] = sideTexts();
  QFont bold = font();
  bold.setBold(true);
  painter.setFont(bold);
  ImageTheme::drawText(painter, area, Qt::AlignLeft | Qt::AlignVCenter, left, ImageTheme::letters());
  ImageTheme::drawText(painter, area, Qt::AlignRight | Qt::AlignVCenter, right, ImageTheme::letters());
  ImageTheme::drawText(painter, area, Qt::AlignHCenter | Qt::AlignTop, top, ImageTheme::letters());
  ImageTheme::drawText(painter, area, Qt::AlignHCenter | Qt::AlignBottom, bottom, ImageTheme::letters());

  painter.setFont(ImageTheme::smallFont(font()));
  const QFontMetricsF metrics(painter.font());
  const double half = area.width() / 2 - metrics.horizontalAdvance(top);
  ImageTheme::drawText(painter, area, Qt::AlignLeft | Qt::AlignTop, sliceText(), ImageTheme::text());
  if (metrics.horizontalAdvance(windowText()) < half)
    ImageTheme::drawText(painter, area, Qt::AlignRight | Qt::AlignTop, windowText(), ImageTheme::text());
  if (zoom_ != 1)
    ImageTheme::drawText(painter, area, Qt::AlignRight | Qt::AlignBottom,
                         QStringLiteral("\u00d7%1").arg(zoom_, 0, 'f', 1), ImageTheme::text());
  if (readoutVisible_) {
    const double above = metrics.height() + textInset / 2;  // keeps clear of the letter below
    ImageTheme::drawText(painter, area.adjusted(0, 0, 0, -above), Qt::AlignLeft | Qt::AlignBottom,
                         readout(hovered_.value_or(cursor_)), ImageTheme::text());
  }
}

void SliceView::paintEmpty(QPainter& painter) {
  painter.setPen(ImageTheme::hint());
  const int inset = int(2 * textInset);
  painter.drawText(rect().adjusted(inset, inset, -inset, -inset), Qt::AlignCenter | Qt::TextWordWrap,
                   emptyText_);
}

// --- the user ---------------------------------------------------------------------------------------

void SliceView::mousePressEvent(QMouseEvent* event) {
  if (!image_ || drag_ != Drag::none) return;
  last_ = event->position();
  const bool shift = event->modifiers() & Qt::ShiftModifier;
  if (event->button() == Qt::RightButton || (event->button() == Qt::LeftButton && shift)) {
    drag_ = Drag::window;
  } else if (event->button() == Qt::MiddleButton) {
    drag_ = Drag::pan;
  } else if (event->button() == Qt::LeftButton) {
    drag_ = Drag::cursor;
    if (const auto voxel = widgetToVoxel(last_)) moveCursor(*voxel);
  }
}

void SliceView::mouseMoveEvent(QMouseEvent* event) {
  if (!image_) return;
  const QPointF at = event->position(), delta = at - last_;
  last_ = at;
  switch (drag_) {
    case Drag::cursor: {
      const QRectF picture = pictureRect();
      constexpr double inside = 1e-3;  // keeps the edge itself within the last voxel
      const QPointF held(std::clamp(at.x(), picture.left(), picture.right() - inside),
                         std::clamp(at.y(), picture.top(), picture.bottom() - inside));
      if (const auto voxel = widgetToVoxel(held)) moveCursor(*voxel);
      break;
    }
    case Drag::window:
      dragWindow(delta);
      break;
    case Drag::pan:
      pan_ += delta;
      update();
      break;
    case Drag::none:
      break;
  }
  hoverAt(at);
}

void SliceView::mouseReleaseEvent(QMouseEvent*) {
  drag_ = Drag::none;
}

void SliceView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (!image_ || event->button() != Qt::LeftButton) return;
  drag_ = Drag::none;
  resetView();
  setWindows(fitting_);
  Q_EMIT windowResetRequested();
}

void SliceView::hoverAt(const QPointF& point) {
  hovered_ = widgetToVoxel(point);
  if (readoutVisible_) update();
  Q_EMIT hovered(hovered_ ? readout(*hovered_) : QString());
}

void SliceView::leaveEvent(QEvent*) {
  hovered_.reset();
  if (readoutVisible_) update();
  Q_EMIT hovered(QString());
}

// Sideways is the width, upwards raises the level. Phase has no window.
void SliceView::dragWindow(const QPointF& delta) {
  if (mode_ == DisplayMode::phase) return;
  const double unit = windowSensitivity * fitting_.of(mode_).width;
  DisplayWindow& window = windows_.of(mode_);
  const double before = window.width;
  window.width = std::max(window.width + unit * delta.x() / std::max(1, width()),
                          narrowestWindow * fitting_.of(mode_).width);
  window.level -= unit * delta.y() / std::max(1, height());
  if (window.width == before && delta.y() == 0) return;
  invalidate();
  Q_EMIT windowChanged(window);
}

void SliceView::zoomAbout(const QPointF& point, double factor) {
  const double zoom = std::clamp(zoom_ * factor, smallestZoom, largestZoom);
  const QPointF centre = QPointF(width() / 2.0, height() / 2.0) + pan_;
  pan_ += (point - centre) * (1 - zoom / zoom_);
  zoom_ = zoom;
  update();
}

void SliceView::wheelEvent(QWheelEvent* event) {
  if (!image_) return;
  event->accept();
  const int turned = event->angleDelta().y();
  if (event->modifiers() & Qt::ControlModifier) {
    zoomAbout(event->position(), std::pow(zoomStep, double(turned) / wheelNotch));
    return;
  }
  wheelRemainder_ += turned;
  const int notches = wheelRemainder_ / wheelNotch;
  wheelRemainder_ -= notches * wheelNotch;
  if (notches) {
    scroll(notches);
    hoverAt(event->position());
  }
}

void SliceView::scroll(std::int64_t slices) {
  Index3 index = cursor_;
  index[std::size_t(axes_.through)] += slices;
  moveCursor(clamped(index));
}

void SliceView::keyPressEvent(QKeyEvent* event) {
  if (const auto mode = modeOfKey(event->key()); mode && event->modifiers() == Qt::NoModifier) {
    if (*mode != mode_) {
      setMode(*mode);
      Q_EMIT modeChanged(mode_);
    }
    return;
  }
  if (!image_) return QWidget::keyPressEvent(event);
  const auto step = [&](int axis, bool flip, int direction) {
    Index3 index = cursor_;
    index[std::size_t(axis)] += flip ? -direction : direction;
    moveCursor(clamped(index));
  };
  switch (event->key()) {
    case Qt::Key_Left:
      return step(axes_.across, axes_.flipAcross, -1);
    case Qt::Key_Right:
      return step(axes_.across, axes_.flipAcross, 1);
    case Qt::Key_Up:
      return step(axes_.down, axes_.flipDown, -1);
    case Qt::Key_Down:
      return step(axes_.down, axes_.flipDown, 1);
    case Qt::Key_PageUp:
      return scroll(1);
    case Qt::Key_PageDown:
      return scroll(-1);
    default:
      QWidget::keyPressEvent(event);
  }
}

void SliceView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange || event->type() == QEvent::EnabledChange) update();
  QWidget::changeEvent(event);
}

}  // namespace spokelab
