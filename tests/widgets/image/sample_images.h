// Images with known contents, and the ways to find them again in pictures.
#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QImage>
#include <QMouseEvent>
#include <QWheelEvent>
#include <QWidget>

#include "engine/scan/scan.h"

namespace spokelab::samples {

// All zero; `voxel` in mm, patient axes as given by the identity (x: left, y: posterior, z:
// superior).
inline std::shared_ptr<Image> blank(const Index3& size, const Vec3& voxel = {1, 1, 1}, int frames = 1) {
  auto image = std::make_shared<Image>();
  image->frames = frames;
  image->size = size;
  image->data.assign(std::size_t(image->volume() * frames), cfloat(0));
  image->geometry.matrix = size;
  for (std::size_t d = 0; d < 3; ++d) image->geometry.fov[d] = voxel[d] * double(size[d]);
  return image;
}

inline cfloat& at(Image& image, const Index3& i, int frame = 0) {
  return image
      .data[std::size_t(frame * image.volume() + (i[2] * image.size[1] + i[1]) * image.size[0] + i[0])];
}

inline void fillBox(Image& image, const Index3& from, const Index3& to, cfloat value, int frame = 0) {
  for (std::int64_t z = from[2]; z <= to[2]; ++z)
    for (std::int64_t y = from[1]; y <= to[1]; ++y)
      for (std::int64_t x = from[0]; x <= to[0]; ++x) at(image, {x, y, z}, frame) = value;
}

// Centre of the grey pixels that are brighter than `threshold`, in the picture's logical
// coordinates.
inline std::optional<QPointF> centreOfBright(const QImage& picture, int threshold) {
  double sumX = 0, sumY = 0, count = 0;
  constexpr int colourless = 24;  // text and lines are coloured or dark
  for (int y = 0; y < picture.height(); ++y) {
    for (int x = 0; x < picture.width(); ++x) {
      const QRgb p = picture.pixel(x, y);
      if (qBlue(p) < threshold || std::abs(qRed(p) - qBlue(p)) > colourless) continue;
      sumX += x + 0.5;
      sumY += y + 0.5;
      ++count;
    }
  }
  if (count == 0) return std::nullopt;
  return QPointF(sumX / count, sumY / count) / picture.devicePixelRatio();
}

inline double distance(const QPointF& a, const QPointF& b) {
  return std::hypot(a.x() - b.x(), a.y() - b.y());
}

// --- the user's hands: events go to the widget itself, so that no window manager is needed
// --------------

inline void mouse(QWidget& widget, QEvent::Type type, const QPointF& at, Qt::MouseButton button,
                  Qt::MouseButtons held, Qt::KeyboardModifiers keys = Qt::NoModifier) {
  QMouseEvent event(type, at, widget.mapToGlobal(at), button, held, keys);
  QCoreApplication::sendEvent(&widget, &event);
}

inline void drag(QWidget& widget, const QPointF& from, const QPointF& to, Qt::MouseButton button,
                 Qt::KeyboardModifiers keys = Qt::NoModifier) {
  mouse(widget, QEvent::MouseButtonPress, from, button, button, keys);
  mouse(widget, QEvent::MouseMove, (from + to) / 2, Qt::NoButton, button, keys);
  mouse(widget, QEvent::MouseMove, to, Qt::NoButton, button, keys);
  mouse(widget, QEvent::MouseButtonRelease, to, button, Qt::NoButton, keys);
}

inline void click(QWidget& widget, const QPointF& at) {
  drag(widget, at, at, Qt::LeftButton);
}

inline void doubleClick(QWidget& widget, const QPointF& at) {
  click(widget, at);
  mouse(widget, QEvent::MouseButtonDblClick, at, Qt::LeftButton, Qt::LeftButton);
  mouse(widget, QEvent::MouseButtonRelease, at, Qt::LeftButton, Qt::NoButton);
}

inline void wheel(QWidget& widget, const QPointF& at, int notches,
                  Qt::KeyboardModifiers keys = Qt::NoModifier) {
  constexpr int notch = 120;
  QWheelEvent event(at, widget.mapToGlobal(at), {}, {0, notches * notch}, Qt::NoButton, keys,
                    Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(&widget, &event);
}

}  // namespace spokelab::samples
