#include "widgets/image/slice/over_picture.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QPainter>

#include "widgets/image/display/fitting_windows.h"
#include "widgets/image/slice/slice_renderer.h"

namespace spokelab {
namespace {

// White where there is a value, black where it is zero: a window without width is a step.
QImage coverage(const Image& image, SliceRequest request) {
  request.mode = DisplayMode::magnitude;
  request.window = {0, 0};
  request.map = nullptr;
  return renderSlice(image, request).convertToFormat(QImage::Format_Grayscale8);
}

}  // namespace

std::shared_ptr<const OverImage> overImage(std::shared_ptr<const Image> image, const QString& name) {
  auto over = std::make_shared<OverImage>();
  bool isReal = true, isSigned = false;
  for (const cfloat& value : image->data) {
    isReal = isReal && !(std::abs(value.imag()) > 0);
    isSigned = isSigned || value.real() < 0;
  }
  over->mode = isReal && isSigned ? DisplayMode::real : DisplayMode::magnitude;
  over->window = fittingWindows(*image, 0).of(over->mode);
  over->image = std::move(image);
  over->name = name;
  return over;
}

void OverPicture::set(std::shared_ptr<const OverImage> over) {
  over_ = std::move(over);
  invalidate();
}

void OverPicture::paint(QPainter& painter, const QRectF& picture, const Image& under, const PlaneAxes& axes,
                        int frame, std::int64_t index) {
  if (!over_ || over_->image->size != under.size) return;
  if (picture_.isNull()) {
    const SliceRequest request{
        std::min(frame, over_->image->frames - 1), axes, index, over_->mode, over_->window,
        &ColourMap::sequential(over_->map)};
    const QImage cover = coverage(*over_->image, request);
    picture_ = renderSlice(*over_->image, request).convertToFormat(QImage::Format_ARGB32);
    picture_.setAlphaChannel(cover);
  }
  painter.setOpacity(over_->opacity);
  painter.drawImage(picture, picture_);
  painter.setOpacity(1);
}

}  // namespace spokelab
