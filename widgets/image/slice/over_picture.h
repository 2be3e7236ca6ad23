// An image in colours over a slice: a coil map, a field map, a mask, another result. Where its
// value is zero or not finite nothing is drawn.
#pragma once

#include <memory>

#include <QImage>
#include <QRectF>
#include <QString>

#include "engine/scan/scan.h"
#include "widgets/core/display_mode.h"
#include "widgets/image/display/orientation.h"

class QPainter;

namespace spokelab {

struct OverImage {
  std::shared_ptr<const Image> image;  // on the grid of the image that it lies over
  QString name;
  QString map = QStringLiteral("ember");
  double opacity = 0.5;  // 0 ... 1
  DisplayMode mode = DisplayMode::magnitude;
  DisplayWindow window;
};

// Real values with negative ones among them are shown with their sign, all others by magnitude.
std::shared_ptr<const OverImage> overImage(std::shared_ptr<const Image> image, const QString& name);

class OverPicture {
 public:
  void set(std::shared_ptr<const OverImage> over);
  const std::shared_ptr<const OverImage>& over() const { return over_; }
  void invalidate() { picture_ = {}; }

  // `picture` is the slice's rectangle in the widget. Nothing is drawn over an image of another
  // size.
  void paint(QPainter& painter, const QRectF& picture, const Image& under, const PlaneAxes& axes, int frame,
             std::int64_t index);

 private:
  std::shared_ptr<const OverImage> over_;
  QImage picture_;
};

}  // namespace spokelab
