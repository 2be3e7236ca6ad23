// The contents that the image panel can show: an image, or in its place the difference from a
// reference; each with its windows. The difference is computed on a worker, and only when it is
// asked for.
#pragma once

#include <memory>

#include <QObject>

#include "widgets/core/display_mode.h"
#include "widgets/core/latest_job.h"
#include "widgets/image/compare/difference.h"

namespace spokelab {

class ImageContents : public QObject {
  Q_OBJECT

 public:
  // An image or a difference, with the windows that go with it.
  struct Content {
    std::shared_ptr<const Image> image;
    DisplayWindows windows, fitting;
    bool windowTouched = false;
  };

  using QObject::QObject;

  // Sets image and reference (null: none). With `keepsWindow`, a window that the user has changed
  // is kept; else the windows are fitted to `frame`. The difference is discarded. wantsDifference()
  // becomes false if there is an obstacle().
  void setImage(std::shared_ptr<const Image> image, std::shared_ptr<const Image> reference, int frame,
                bool keepsWindow);
  // The reference alone, in the same way.
  void setReference(std::shared_ptr<const Image> reference);
  // Discards the difference, also one that is being computed.
  void setDifferenceFunction(DifferenceFunction function);

  const Content& image() const { return image_; }
  Content& image() { return image_; }
  const std::shared_ptr<const Image>& reference() const { return reference_; }
  // Why there can be no difference, for the user; empty where it can be computed.
  QString obstacle() const { return differenceObstacle(image_.image.get(), reference_.get()); }

  bool wantsDifference() const { return wantsDifference_; }
  void setWantsDifference(bool on) { wantsDifference_ = on; }
  bool hasDifference() const { return difference_.image != nullptr; }
  bool differenceIsShown() const { return wantsDifference_ && hasDifference(); }
  // Computes the difference on a worker and emits differenceDone(), after a failure, too. Does
  // nothing if there is an obstacle(). `frame` is called when the difference is ready: its windows
  // are fitted to that frame.
  void requestDifference(std::function<int()> frame);
  double nrmse() const { return nrmse_; }
  bool isOfMagnitudes() const { return ofMagnitudes_; }  // the difference

  // True if all values of the shown content are real and not negative. The first call for an image
  // looks at every voxel.
  bool shownIsMagnitude() const;

  Content& shown() { return differenceIsShown() ? difference_ : image_; }
  const Content& shown() const { return differenceIsShown() ? difference_ : image_; }

 Q_SIGNALS:
  void differenceDone();
  void message(const QString& text);  // why a difference failed

 private:
  void forgetDifference();
  void takeDifference(Difference difference, int frame);

  Content image_, difference_;
  std::shared_ptr<const Image> reference_;
  DifferenceFunction function_ = differenceImage;
  LatestJob<Difference> job_;
  double nrmse_ = 0;
  mutable std::weak_ptr<const Image> seen_;  // by shownIsMagnitude
  mutable bool isMagnitude_ = false;
  bool wantsDifference_ = false, ofMagnitudes_ = false;
};

}  // namespace spokelab
