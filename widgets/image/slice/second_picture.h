// A second image of the same size over a slice: right of a line that can be dragged, or in the
// first one's place.
#pragma once

#include <memory>

#include <QImage>
#include <QPointF>
#include <QRectF>

#include "widgets/image/slice/slice_renderer.h"

class QPainter;

namespace spokelab {

// The way the second image is drawn over the first one.
enum class SecondImage { none, wipe, whole };

class SecondPicture {
 public:
  // Sets the second image; null: no second image.
  void set(std::shared_ptr<const Image> image, SecondImage kind);
  SecondImage kind() const { return kind_; }
  void invalidate() { picture_ = {}; }

  double wipe() const { return wipe_; }  // 0 ... 1 of the picture's width
  void setWipe(double fraction);
  // `picture` is the slice's rectangle in the widget.
  bool isAtLine(const QPointF& point, const QRectF& picture) const;
  void dragLine(const QPointF& point, const QRectF& picture);
  // The keys , and . move the line. True if a wipe is shown and the key is one of them.
  bool takeKey(int key);

  // `request` is the first image's.
  void paint(QPainter& painter, const QRectF& picture, const SliceRequest& request);

 private:
  double lineX(const QRectF& picture) const { return picture.left() + wipe_ * picture.width(); }

  std::shared_ptr<const Image> image_;
  SecondImage kind_ = SecondImage::none;
  QImage picture_;
  double wipe_ = 0.5;
};

}  // namespace spokelab
