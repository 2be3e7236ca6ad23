// The image of each coil, side by side (engine/recon/explore/images/coil_images.h), made on a
// worker when it is first seen. A click chooses a coil.
#pragma once

#include <memory>

#include <QWidget>

#include "engine/recon/explore/images/coil_images.h"
#include "widgets/core/latest_job.h"

namespace spokelab {

class RawPictureView;

class CoilImagesView : public QWidget {
  Q_OBJECT

 public:
  explicit CoilImagesView(QWidget* parent = nullptr);

  void setScan(const std::shared_ptr<const Scan>& scan);
  void setPlace(const RawPlace& place);
  RawPictureView* picture() const { return picture_; }
  const CoilImages& images() const { return *images_; }
  QString note() const { return note_; }  // the images, or why there are none, in a line of words
  QPointF pointOf(std::int64_t coil) const;

 Q_SIGNALS:
  void coilChosen(qint64 coil);
  void told();   // another note
  void drawn();  // the images of the place

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Made {
    std::shared_ptr<const CoilImages> images;
    QString failure;
  };

  void make();
  void tell(const QString& note);
  void show();
  // The images beside each other that make the largest ones in the room that there is.
  std::int64_t fittingAcross() const;
  void arrange();

  RawPictureView* picture_;
  std::shared_ptr<const Scan> scan_;
  std::shared_ptr<const CoilImages> images_ = std::make_shared<const CoilImages>();
  RawPlace place_;
  bool stale_ = false;
  std::int64_t across_ = 1;
  QString note_;
  LatestJob<Made> job_;
};

}  // namespace spokelab
