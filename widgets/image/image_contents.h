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

  // Image and reference (null: none). A window that the user has changed is kept where
  // `keepsWindow`. The difference is gone, and no longer wanted where there can be none.
  void setImage(std::shared_ptr<const Image> image, std::shared_ptr<const Image> reference, int frame,
                bool keepsWindow);
  // The reference alone, in the same way.
  void setReference(std::shared_ptr<const Image> reference);
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
  // Answered by differenceDone; `frame` returns the frame that the difference's windows fit.
  void requestDifference(std::function<int()> frame);
  double nrmse() const { return nrmse_; }
  bool isOfMagnitudes() const { return ofMagnitudes_; }  // the difference

  // No value of it has a phase other than 0. Looked at when it is asked for first.
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
