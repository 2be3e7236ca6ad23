#include "widgets/image/image_contents.h"

#include <utility>

#include "widgets/image/display/fitting_windows.h"

namespace spokelab {
namespace {

void fit(ImageContents::Content& content, int frame, bool keepsWindow) {
  content.fitting = content.image ? fittingWindows(*content.image, frame) : DisplayWindows{};
  if (keepsWindow) return;
  content.windows = content.fitting;
  content.windowTouched = false;
}

}  // namespace

void ImageContents::setImage(std::shared_ptr<const Image> image, std::shared_ptr<const Image> reference,
                             int frame, bool keepsWindow) {
  image_.image = std::move(image);
  reference_ = isShowable(reference.get()) ? std::move(reference) : nullptr;
  fit(image_, frame, keepsWindow && image_.windowTouched);
  forgetDifference();
}

void ImageContents::setReference(std::shared_ptr<const Image> reference) {
  reference_ = isShowable(reference.get()) ? std::move(reference) : nullptr;
  forgetDifference();
}

bool ImageContents::shownIsMagnitude() const {
  const std::shared_ptr<const Image>& image = shown().image;
  if (!image) return false;
  if (seen_.lock() == image) return isMagnitude_;
  seen_ = image;
  isMagnitude_ = std::all_of(image->data.begin(), image->data.end(),
                             [](cfloat v) { return v.imag() == 0 && v.real() >= 0; });
  return isMagnitude_;
}

void ImageContents::setDifferenceFunction(DifferenceFunction function) {
  function_ = std::move(function);
  difference_ = {};
  job_.drop();
}

void ImageContents::forgetDifference() {
  difference_ = {};
  job_.drop();
  if (!obstacle().isEmpty()) wantsDifference_ = false;
}

void ImageContents::requestDifference(std::function<int()> frame) {
  job_.drop();
  if (!obstacle().isEmpty()) return;
  job_.start([function = function_, image = image_.image,
              reference = reference_](std::stop_token) { return function(*image, *reference); },
             [this, frame](Difference difference) { takeDifference(std::move(difference), frame()); },
             [this, frame](const QString& failure) {
               Q_EMIT message(failure);
               takeDifference({}, frame());
             });
}

void ImageContents::takeDifference(Difference difference, int frame) {
  difference_.image = isShowable(difference.image.get()) ? std::move(difference.image) : nullptr;
  nrmse_ = difference.nrmse;
  ofMagnitudes_ = difference.magnitudes;
  fit(difference_, frame, false);
  Q_EMIT differenceDone();
}

}  // namespace spokelab
