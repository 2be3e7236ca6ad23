// Axial, coronal and sagittal slices and the volume, with one cursor, one window and one mode; a 2-D image is
// shown large in its own plane. With a reference (setReference) the difference can be shown in place of the
// image. The volume view is left out where OpenGL is missing; its place says why.
#pragma once

#include <array>
#include <memory>

#include <QWidget>

#include "engine/scan/scan.h"
#include "widgets/core/display_mode.h"
#include "widgets/core/latest_job.h"
#include "widgets/image/compare/difference.h"
#include "widgets/image/display/view_state.h"
#include "widgets/image/volume/volume_style.h"

class QButtonGroup;
class QComboBox;
class QGridLayout;
class QLabel;
class QLayout;
class QSlider;
class QTimer;
class QToolButton;

namespace spokelab {

class ColourBar;
class FramePlayer;
class Measurement;
class SliceView;
class VolumeView;

class ImagePanel : public QWidget {
  Q_OBJECT

 public:
  explicit ImagePanel(QWidget* parent = nullptr);
  ~ImagePanel() override;

  // Null empties the panel. An image of the same size, or of the same field of view at another resolution, keeps cursor,
  // zoom and a window the user has changed.
  void setImage(std::shared_ptr<const Image> image);
  // The same until the next setImage, with a note over it; nothing is measured in it meanwhile.
  void setPreview(std::shared_ptr<const Image> image, const QString& note);
  bool showsPreview() const { return preview_; }
  // Null: no comparison. `name` says what is compared with, as in "reference: exact sum".
  void setReference(std::shared_ptr<const Image> reference, const QString& name = {});
  void setDifferenceFunction(
      DifferenceFunction function);  // differenceImage by default; runs on a worker thread
  std::shared_ptr<const Image> image() const { return content_.image; }
  std::shared_ptr<const Image> reference() const { return reference_; }
  std::shared_ptr<const Image> shownImage() const { return shown().image; }  // image or difference
  void setEmptyText(const QString& text);

  bool showsDifference() const { return showDifference_; }
  void setShowsDifference(bool on);
  Index3 cursorIndex() const { return cursor_; }
  void setCursorIndex(const Index3& index);
  DisplayMode mode() const { return mode_; }
  void setMode(DisplayMode mode);
  DisplayWindow window() const { return shown().windows.of(mode_); }
  void setWindow(const DisplayWindow& window);
  int frame() const { return frame_; }
  void setFrame(int frame);
  QString colourMap() const { return map_; }
  void setColourMap(const QString& name);
  void resetViews();
  const VolumeStyle& volumeStyle() const { return style_; }
  void setVolumeStyle(const VolumeStyle& style);
  void setMeasurement(Measurement* measurement);  // of all slice views
  FramePlayer* player() const { return player_; }
  // image_panel_state.cpp: cursor, frame, mode, windows, colours, zoom. Set it after the image.
  ViewState viewState() const;
  void setViewState(const ViewState& state);

  SliceView* sliceView(Plane plane) const { return views_[std::size_t(plane)]; }
  VolumeView* volumeView() const { return volume_; }  // null where it is not available

 Q_SIGNALS:
  void cursorMoved(const spokelab::Index3& index);
  void windowChanged(const spokelab::DisplayWindow& window);
  void modeChanged(spokelab::DisplayMode mode);
  void frameChanged(int frame);
  void volumeStyleChanged(const spokelab::VolumeStyle& style);
  void volumeReady(double high, double automaticLevel);  // of the image in the volume view; 0: there is none
  void surfaceReady(double level, qint64 triangles);
  void differenceShown(bool on);
  void differenceReady(double nrmse);
  void message(const QString& text);  // for the log: VTK's, or why a difference failed

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  // What can be shown, with the windows that go with it.
  struct Content {
    std::shared_ptr<const Image> image;
    DisplayWindows windows, fitting;
    bool windowTouched = false;
  };

  QWidget* makeToolBar();
  void addMeasureButtons(QLayout* row);  // image_panel_measure.cpp
  QWidget* makeGrid();
  QWidget* makeVolumePlace();
  QWidget* makeFooter();
  void connectView(SliceView* view);

  bool differenceIsShown() const { return showDifference_ && difference_.image; }
  Content& shown() { return differenceIsShown() ? difference_ : content_; }
  const Content& shown() const { return differenceIsShown() ? difference_ : content_; }
  static void fitContent(Content& content, int frame, bool keepWindow);

  void showImage(std::shared_ptr<const Image> image);
  void applyImage(bool fit);
  void applyLayout();
  void applyWindows();
  void applyVolume();
  void takeCursor(const Index3& index);
  void takeWindow(const DisplayWindow& window);
  void requestDifference();
  void takeDifference(Difference difference);
  void updateControls();
  void updateReadout(const QString& text);
  void fitReadout();  // as much of it as there is room for

  Content content_, difference_;
  std::shared_ptr<const Image> reference_;
  QString referenceName_;
  DifferenceFunction differenceFunction_;
  LatestJob<Difference> differenceJob_;
  double nrmse_ = 0;
  bool showDifference_ = false;
  bool preview_ = false;
  QString readoutText_;

  Index3 cursor_{0, 0, 0};
  int frame_ = 0;
  DisplayMode mode_ = DisplayMode::magnitude;
  QString map_;
  VolumeStyle style_;
  VolumeMode otherMode_ = VolumeMode::opacity;  // beside maximum intensity

  std::array<SliceView*, 3> views_{};
  VolumeView* volume_ = nullptr;
  QWidget* volumePlace_ = nullptr;
  QGridLayout* grid_ = nullptr;
  QLabel* note_ = nullptr;  // over the views
  Measurement* measurement_ = nullptr;
  QButtonGroup* modeButtons_ = nullptr;
  std::array<QToolButton*, 3> measureButtons_{};
  QToolButton* imageButton_ = nullptr;
  QToolButton* differenceButton_ = nullptr;
  QComboBox* mapBox_ = nullptr;
  QWidget* frameControls_ = nullptr;
  QSlider* frameSlider_ = nullptr;
  QLabel* frameLabel_ = nullptr;
  FramePlayer* player_ = nullptr;
  QToolButton* smoothButton_ = nullptr;
  QToolButton* mipButton_ = nullptr;
  QToolButton* resetButton_ = nullptr;
  QLabel* nrmseLabel_ = nullptr;
  QTimer* volumeTimer_ = nullptr;  // keeps the volume from being rendered at every step of a drag
  ColourBar* colourBar_ = nullptr;
  QLabel* readout_ = nullptr;
};

}  // namespace spokelab
