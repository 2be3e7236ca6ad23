// The samples of a scan as they were measured: a picture over two of the axes shot, sample and
// coil, sliders for the rest, and beside it curves (raw_plot.h). Pictures are made on a worker
// while the view is seen; nothing of the scan is copied but what the screen shows.
#pragma once

#include <memory>
#include <vector>

#include <QWidget>

#include "engine/scan/look/raw_picture.h"
#include "widgets/core/latest_job.h"

class QComboBox;

namespace spokelab {

class ElidedLabel;
class RawPictureView;
class RawPlaceBar;
class RawPlot;

class RawView : public QWidget {
  Q_OBJECT

 public:
  explicit RawView(QWidget* parent = nullptr);

  void setScan(const std::shared_ptr<const Scan>& scan);
  const RawPlace& place() const;
  // Another view moves the place: no signal is emitted. A sample below 0 keeps the present sample.
  void lookAt(std::int64_t shot, std::int64_t sample);
  // Shots of the first frame that are selected; empty: all.
  void setSelectedShots(const std::vector<int>& shots);

  RawPictureView* picture() const { return picture_; }
  RawPlot* plot() const { return plot_; }
  RawPlaceBar* places() const { return places_; }
  QString readout() const;  // the value under the mouse, or at the place

 Q_SIGNALS:
  // The user moved the place; the sample is counted within its shot.
  void placed(int frame, qint64 shot, qint64 sample);
  void shotToggled(qint64 shot);  // in or out of the selection
  void pictureReady();

 private:
  RawAxis xAxis() const;
  RawAxis yAxis() const;
  void take(const RawPlace& place, bool byUser);
  void makePicture(const QSize& cells);
  void showPlace();
  void showSelection();
  void tell(const RawPlace& place);
  RawPlace placeOf(std::int64_t column, std::int64_t row) const;

  QComboBox *axes_, *scale_;
  RawPlaceBar* places_;
  ElidedLabel* readout_;
  RawPictureView* picture_;
  RawPlot* plot_;
  std::shared_ptr<const Scan> scan_;
  std::vector<int> selected_;
  RawPlace drawn_;  // of the picture
  LatestJob<RawPicture> pictureJob_;
};

}  // namespace spokelab
