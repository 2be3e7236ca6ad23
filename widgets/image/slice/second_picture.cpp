#include "widgets/image/slice/second_picture.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QPainter>

#include "widgets/core/image_theme.h"

namespace spokelab {
namespace {

constexpr double reachPixels = 8;  // of the mouse from the line
constexpr double keyStep = 0.05;   // of the picture's width

}  // namespace

void SecondPicture::set(std::shared_ptr<const Image> image, SecondImage kind) {
  image_ = std::move(image);
  kind_ = image_ ? kind : SecondImage::none;
  invalidate();
}

void SecondPicture::setWipe(double fraction) {
  wipe_ = std::clamp(fraction, 0.0, 1.0);
}

bool SecondPicture::isAtLine(const QPointF& point, const QRectF& picture) const {
  return kind_ == SecondImage::wipe && std::abs(point.x() - lineX(picture)) <= reachPixels;
}

void SecondPicture::dragLine(const QPointF& point, const QRectF& picture) {
  setWipe((point.x() - picture.left()) / picture.width());
}

bool SecondPicture::takeKey(int key) {
  if (kind_ != SecondImage::wipe || (key != Qt::Key_Comma && key != Qt::Key_Period)) return false;
  setWipe(wipe_ + (key == Qt::Key_Period ? keyStep : -keyStep));
  return true;
}

void SecondPicture::paint(QPainter& painter, const QRectF& picture, const SliceRequest& request) {
  if (kind_ == SecondImage::none || !image_) return;
  if (picture_.isNull()) picture_ = renderSlice(*image_, request);
  if (kind_ == SecondImage::whole) {
    painter.drawImage(picture, picture_);
    return;
  }
  const double x = lineX(picture);
  painter.save();
  painter.setClipRect(QRectF(x, picture.top(), picture.right() - x, picture.height()));
  painter.drawImage(picture, picture_);
  painter.restore();
  painter.setPen(QPen(ImageTheme::measured(), 1));
  painter.drawLine(QPointF(x, picture.top()), QPointF(x, picture.bottom()));
}

}  // namespace spokelab
