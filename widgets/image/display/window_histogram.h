// Histogram of the values that a window maps to brightness, with a handle at each end of the
// window.
//   drag a handle        that end       drag between them   the level
//   arrow keys           left, right: the level; up, down: the width
//   right click, Menu    percentiles, the whole range, level and width as numbers
// Hidden for phase, which has no window.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <QWidget>

#include "engine/scan/check/region_metrics.h"
#include "engine/scan/scan.h"
#include "widgets/core/display_mode.h"
#include "widgets/core/latest_job.h"

namespace spokelab {

class Measurement;

struct ValueHistogram {
  double low = 0, high = 0;          // of the values that are finite
  std::vector<std::int64_t> counts;  // of even bins from low to high
  std::int64_t total = 0;

  // The value with this share of the values below it, linear within a bin.
  double quantile(double share) const;
};
// Histogram of a frame in a mode (complex: magnitudes), by about a million values at most.
ValueHistogram valueHistogram(const Image& image, int frame, DisplayMode mode);
// The same of a region, in the bins of `whole`.
ValueHistogram regionHistogram(const Image& image, int frame, DisplayMode mode, const ImageRegion& region,
                               const ValueHistogram& whole);

class WindowHistogram : public QWidget {
  Q_OBJECT

 public:
  explicit WindowHistogram(QWidget* parent = nullptr);

  void setImage(std::shared_ptr<const Image> image, int frame, DisplayMode mode);
  void setWindow(const DisplayWindow& window);
  // The measurement whose regions are drawn; null: none.
  void setMeasurement(Measurement* measurement);
  // Draws the region's histogram in front of the image's, in the colour
  // ImageTheme::measured(colour). Without a value no region is drawn.
  void setRegion(const std::optional<ImageRegion>& region, int colour = 0);
  // Other regions, each with its colour; drawn between the two.
  void setOthers(const std::vector<std::pair<ImageRegion, int>>& regions);
  const std::vector<ValueHistogram>& ofOthers() const { return otherHistograms_; }
  const ValueHistogram& ofRegion() const { return ofRegion_; }
  const ValueHistogram& histogram() const { return histogram_; }
  // The horizontal place of a value in the widget, in pixels.
  double placeOf(double value) const;
  // Asks for the window from one share of the values to another.
  void takePercentiles(double low, double high);

  QSize sizeHint() const override { return {200, 34}; }
  QSize minimumSizeHint() const override { return {80, 34}; }

 Q_SIGNALS:
  void windowChosen(const spokelab::DisplayWindow& window);
  void histogramReady();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  enum class Drag { none, low, high, level };

  void choose(double low, double high);
  ValueHistogram counted(const ImageRegion& region) const;
  void countRegions();
  void askForNumbers();
  double valueAt(double x) const;
  double shownLow() const;
  double shownHigh() const;

  std::shared_ptr<const Image> image_;
  int frame_ = 0;
  DisplayMode mode_ = DisplayMode::magnitude;
  DisplayWindow window_;
  std::optional<ImageRegion> region_;
  int colour_ = 0;
  std::vector<std::pair<ImageRegion, int>> otherRegions_;
  ValueHistogram histogram_, ofRegion_;
  std::vector<ValueHistogram> otherHistograms_;
  LatestJob<ValueHistogram> counting_;
  Drag drag_ = Drag::none;
  double grabbed_ = 0;  // the value under the mouse when a drag of the level began
};

}  // namespace spokelab
