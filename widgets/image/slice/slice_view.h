// One plane of a complex image: the picture in its physical aspect, the patient's sides, and a
// cursor.
//   wheel            previous or next slice          left click or drag   move the cursor
//   Ctrl + wheel     zoom about the mouse            middle drag          pan
//   right drag (or Shift + left drag)  window (sideways) and level (upwards)
//   Ctrl + left click  ask the pixel (pixelAsked)
//   double click     fit again, and the fitting window
//   M P R I C        magnitude, phase, real, imaginary, complex
//   arrow keys       move the cursor in the plane    Page Up, Page Down   slice
//   + - 0            zoom in, zoom out, fit again
//   Shift + arrows   pan                             Ctrl + arrows        window, level
//   O B L N [ ]      measure (slice_measure_tool.h); a left drag then draws
//   , .              move the line of a wipe to the left, to the right
// Setters never emit; the signals tell what the user did.
#pragma once

#include <memory>
#include <optional>

#include <QImage>
#include <QWidget>

#include "engine/scan/scan.h"
#include "widgets/core/display_mode.h"
#include "widgets/image/display/orientation.h"
#include "widgets/image/slice/over_picture.h"
#include "widgets/image/slice/second_picture.h"
#include "widgets/image/slice/slice_geometry.h"
#include "widgets/image/slice/slice_measure_tool.h"

namespace spokelab {

class SliceView : public QWidget {
  Q_OBJECT

 public:
  explicit SliceView(Plane plane = Plane::axial, QWidget* parent = nullptr);

  Plane plane() const { return plane_; }
  void setPlane(Plane plane);
  // For null, or an image without voxels, the view says that it has no image. Sets cursor and
  // windows to fit if `fit`.
  void setImage(std::shared_ptr<const Image> image, int frame = 0, bool fit = true);
  const std::shared_ptr<const Image>& image() const { return image_; }
  int frame() const { return frame_; }
  void setFrame(int frame);
  void setEmptyText(const QString& text);
  const QString& emptyText() const { return emptyText_; }

  Index3 cursorIndex() const { return cursor_; }
  void setCursorIndex(const Index3& index);
  std::int64_t slice() const { return cursor_[std::size_t(axes_.through)]; }

  DisplayMode mode() const { return mode_; }
  void setMode(DisplayMode mode);
  const DisplayWindows& windows() const { return windows_; }
  DisplayWindow window() const { return windows_.of(mode_); }
  void setWindows(const DisplayWindows& windows);
  // The windows that a double click restores.
  void setFittingWindows(const DisplayWindows& windows);
  QString colourMap() const { return map_; }
  void setColourMap(const QString& name);
  bool interpolates() const { return interpolate_; }
  void setInterpolates(bool on);  // bilinear between voxels; phase and complex never
  void setCursorVisible(bool visible);
  void setReadoutVisible(bool visible);  // the value line at the bottom
  void resetView();                      // zoom and pan
  void setView(double zoom, const QPointF& pan);

  void setMeasurement(Measurement* measurement);  // shared by views; null: nothing is measured
  // A second image of the same size, drawn with the same window: right of the wipe's line, or in
  // place of the first one.
  void setSecond(std::shared_ptr<const Image> image, SecondImage kind);
  SecondImage secondShown() const { return second_.kind(); }
  double wipe() const { return second_.wipe(); }  // 0 ... 1 of the picture's width
  void setWipe(double fraction);

  // An image in colours over this one and its second; null: none.
  void setOver(std::shared_ptr<const OverImage> over);
  const std::shared_ptr<const OverImage>& over() const { return over_.over(); }

  double zoom() const { return zoom_; }
  QPointF pan() const { return pan_; }
  // Centre of a voxel of the shown slice, in widget coordinates; and the voxel under a point, if
  // there is one.
  QPointF voxelToWidget(const Index3& index) const;
  std::optional<Index3> widgetToVoxel(const QPointF& point) const;
  QRectF pictureRect() const;
  // Sides of the patient at left, right, top, bottom of the view.
  std::array<QString, 4> sideTexts() const;
  // "x 64  y 64  z 1   R 12.0  A 3.0  S 5.0 mm   |m| 0.12   phase 0.52 rad"
  QString readout(const Index3& index) const;

  QSize sizeHint() const override { return {320, 320}; }
  QSize minimumSizeHint() const override { return {64, 64}; }

 Q_SIGNALS:
  void cursorMoved(const spokelab::Index3& index);
  void windowChanged(const spokelab::DisplayWindow& window);
  void windowResetRequested();  // double click; the view has already fitted itself
  void modeChanged(spokelab::DisplayMode mode);
  void viewChanged(double zoom, const QPointF& pan);
  void wipeMoved(double fraction);
  void pixelAsked(const spokelab::Index3& index);
  void hovered(const QString& readout);  // empty when the mouse leaves the picture

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  enum class Drag { none, cursor, window, pan, measure, wipe };

  SliceGeometry geometry() const;
  void moveCursor(const Index3& index);
  void scroll(std::int64_t slices);
  void dragWindow(const QPointF& delta);
  void moveBy(const QPointF& pixels);
  void zoomAbout(const QPointF& point, double factor);
  void fitAll();  // zoom, place and windows
  void invalidate();
  void hoverAt(const QPointF& point);

  Plane plane_;
  std::shared_ptr<const Image> image_;  // null where there is nothing to show
  int frame_ = 0;
  PixelAxes pixels_;
  PlaneAxes axes_;
  Index3 cursor_{0, 0, 0};
  DisplayMode mode_ = DisplayMode::magnitude;
  DisplayWindows windows_;
  DisplayWindows fitting_;
  QString map_;
  QString emptyText_;
  bool interpolate_ = true, cursorVisible_ = true, readoutVisible_ = true;
  double zoom_ = 1;
  QPointF pan_;
  Drag drag_ = Drag::none;
  QPointF last_;
  std::optional<Index3> hovered_;
  int wheelRemainder_ = 0;
  QImage picture_;  // of the shown slice; null: to be rendered
  SliceMeasureTool measureTool_;
  SecondPicture second_;
  OverPicture over_;
};

}  // namespace spokelab
