// The images of iterations: which can be looked at, which is shown.
#include <QCheckBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "widgets/core/number_text.h"
#include "widgets/core/plot/curve_plot.h"
#include "widgets/image/display/fitting_windows.h"
#include "widgets/image/display/orientation.h"
#include "widgets/image/slice/slice_view.h"
#include "widgets/recon/jobs/iteration_view.h"

namespace spokelab {
namespace {

constexpr std::size_t maxImageBytes = std::size_t(256) << 20;  // of iterations that can be looked at
constexpr double maxPickPixels = 12;                           // pixels

}  // namespace

void IterationView::keepImages(const std::map<int, std::shared_ptr<const Image>>& images) {
  for (const auto& [iteration, image] : images)
    if (pointOf(iteration)) images_[iteration] = image;
  if (images_.empty()) return;
  const std::size_t bytes = images_.rbegin()->second->data.size() * sizeof(cfloat);
  while (images_.size() > 1 && images_.size() * bytes > maxImageBytes) images_.erase(images_.begin());
  updateSlider();
}

void IterationView::setImage(std::shared_ptr<const Image> image) {
  if (image && large_->isChecked()) Q_EMIT largeImageReady(image);
  if (image && !points_.empty()) keepImages({{points_.back().iteration, image}});
  const bool fit = !image_->image() || !image || image_->image()->size != image->size;
  if (!follows_ && !fit && images_.contains(shown_)) return updateSlider();
  follows_ = true;
  image_->setImage(image, 0, fit);
  if (image && fit) image_->setPlane(nativePlane(pixelAxes(*image)));
  if (!fit && points_.size() <= 2) image_->setWindows(fittingWindows(*image, 0));
  shown_ = image && !points_.empty() ? points_.back().iteration : 0;
  caption_->setText(shown_ == 0 ? QString() : tr("image of iteration %1").arg(shown_));
  updateSlider();
}

void IterationView::pick(const QPoint& position) {
  std::optional<std::size_t> nearest;
  double least = maxPickPixels;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const QPoint away = positionOf(i) - position;
    const double distance = std::hypot(away.x(), away.y());
    if (!images_.contains(points_[i].iteration) || distance > least) continue;
    least = distance;
    nearest = i;
  }
  if (!nearest) return;
  follows_ = false;
  showIteration(points_[*nearest].iteration);
}

const IterationPoint* IterationView::pointOf(int iteration) const {
  const auto found = std::find_if(points_.rbegin(), points_.rend(), [iteration](const IterationPoint& point) {
    return point.iteration == iteration;
  });
  return found == points_.rend() ? nullptr : &*found;
}

void IterationView::showIteration(int iteration) {
  const auto found = images_.find(iteration);
  if (found == images_.end()) return;
  shown_ = iteration;
  image_->setImage(found->second, 0, false);
  const IterationPoint* point = pointOf(iteration);
  caption_->setText(
      point ? tr("image of iteration %1, residual %2").arg(iteration).arg(errorLabel(point->residual))
            : tr("image of iteration %1").arg(iteration));
  updateSlider();
}

void IterationView::updateSlider() {
  const QSignalBlocker quiet(slider_);
  slider_->setRange(0, std::max<int>(int(images_.size()) - 1, 0));
  slider_->setValue(int(std::distance(images_.begin(), images_.find(shown_))));
  slider_->setVisible(images_.size() > 1);
  const IterationPoint* point = pointOf(shown_);
  back_->setVisible(running_);
  back_->setEnabled(running_ && point && point->kept);
}

void IterationView::goBack(std::size_t point) {
  if (point >= points_.size()) return;
  if (!running_) {
    follows_ = false;
    return showIteration(points_[point].iteration);
  }
  if (!points_[point].kept) return;
  follows_ = true;
  Q_EMIT backRequested(points_[point].iteration);
}

}  // namespace spokelab
