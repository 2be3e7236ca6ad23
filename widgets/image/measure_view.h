// Numbers of the regions and values along the line that are drawn in the slices: of the shown image
// and, where there is one, of the reference; the distance of the two in the current region. Of a
// series without a line, the course over the frames is plotted: of each region, else of the pixel
// under the cursor. A worker computes the numbers; only the latest request counts.
#pragma once

#include <memory>
#include <optional>

#include <QPointer>
#include <QWidget>

#include "widgets/core/display_mode.h"
#include "widgets/core/latest_job.h"
#include "widgets/image/measured.h"

class QLabel;
class QTableWidget;
class QTimer;

namespace spokelab {

class CurvePlot;
class RegionList;

class MeasureView : public QWidget {
  Q_OBJECT

 public:
  explicit MeasureView(QWidget* parent = nullptr);

  void setMeasurement(Measurement* measurement);
  void setImages(std::shared_ptr<const Image> shown, std::shared_ptr<const Image> reference);
  void setFrame(int frame);
  void setCursor(const Index3& pixel);
  void setMode(DisplayMode mode);  // of the line's values
  const Measured& measured() const { return measured_; }
  QTableWidget* table() const { return table_; }
  CurvePlot* plot() const { return plot_; }
  RegionList* regions() const { return regions_; }

 Q_SIGNALS:
  void measuredAgain();

 private:
  void schedule();
  void compute();
  void take(const Measured& measured);
  void fillTable();
  void drawLine();
  void drawCourse();
  bool showsCourse() const;
  void showWhole();

  QPointer<Measurement> measurement_;
  std::shared_ptr<const Image> shown_, reference_;
  int frame_ = 0;
  Index3 cursor_{0, 0, 0};
  DisplayMode mode_ = DisplayMode::magnitude;
  Measured measured_;
  LatestJob<Measured> job_;
  bool changed_ = false;  // since the job started
  QTimer* timer_;
  QLabel* hint_;
  RegionList* regions_;
  QTableWidget* table_;
  CurvePlot* plot_;
};

}  // namespace spokelab
