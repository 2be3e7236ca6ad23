// Numbers of the region and values along the line that are drawn in the slices: of the shown image
// and, where there is one, of the reference; how far the two lie apart in the region. Of a series,
// the course of the region, else of the pixel under the cursor, over the frames. Computed beside
// the window, the latest wins.
#pragma once

#include <memory>
#include <optional>

#include <QPointer>
#include <QWidget>

#include "widgets/core/display_mode.h"
#include "widgets/core/latest_job.h"
#include "widgets/image/display/measurement.h"

class QLabel;
class QTableWidget;
class QTimer;

namespace spokelab {

class CurvePlot;

// Measurements of one pair of images; each part only where there is something to measure.
struct Measured {
  std::optional<RegionStatistics> shown, reference;
  std::optional<RegionComparison> comparison;
  std::vector<cfloat> shownLine, referenceLine;
  double lineLength = 0;  // mm
  // A value a frame: the mean magnitude of the region, or the magnitude of the pixel.
  std::vector<double> shownCourse, referenceCourse;
  double area = 0;     // of the region, mm² (mm³ where it has several slices)
  bool solid = false;  // it has
  QString problem;
};

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
  QTableWidget* table_;
  CurvePlot* plot_;
};

}  // namespace spokelab
