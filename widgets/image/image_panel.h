// Axial, coronal and sagittal slices and the volume, with one cursor, one window and one mode; a
// 2-D image is shown large in its own plane. With a reference (setReference) the difference can be
// shown in place of the image. Where slices lie in several directions, one group of them is shown
// at a time (shown_group.h). The volume view is left out where OpenGL is missing; its place says
// why.
//
// The three accessors of images:
//   image()       the image, or the preview while one is shown; the shown group of it
//   shownImage()  what the views draw: the difference while it is shown, else image()
//   reference()   the image given to setReference, with all its groups
#pragma once

#include <array>
#include <memory>

#include <QWidget>

#include "engine/scan/scan.h"
#include "widgets/core/display_mode.h"
#include "widgets/image/display/view_state.h"
#include "widgets/image/image_contents.h"
#include "widgets/image/shown_group.h"
#include "widgets/image/volume/volume_style.h"

class QTimer;

namespace spokelab {

class ColourBar;
class FramePlayer;
class ImageGrid;
class ImageToolBar;
class Measurement;
struct OverImage;
class ReadoutLabel;
class SlicePlayer;
class SliceView;
class VolumeView;
class WindowHistogram;

class ImagePanel : public QWidget {
  Q_OBJECT

 public:
  explicit ImagePanel(QWidget* parent = nullptr);
  ~ImagePanel() override;

  // Null empties the panel. An image of the same size, or of the same field of view at another
  // resolution, keeps cursor, zoom and a window the user has changed.
  void setImage(std::shared_ptr<const Image> image);
  // Shows a preview as setImage would, with a note over it, until the next setImage. Regions and
  // lines are hidden meanwhile.
  void setPreview(std::shared_ptr<const Image> image, const QString& note);
  bool showsPreview() const { return preview_; }
  // Null: no comparison. `name` says what is compared with, as in "reference: exact sum".
  void setReference(std::shared_ptr<const Image> reference, const QString& name = {});
  void setDifferenceFunction(
      DifferenceFunction function);  // differenceImage by default; runs on a worker thread
  // Null: there is no image (all three).
  std::shared_ptr<const Image> image() const { return contents_->image().image; }
  std::shared_ptr<const Image> reference() const { return reference_; }
  std::shared_ptr<const Image> shownImage() const { return shown().image; }
  void setEmptyText(const QString& text);

  bool showsDifference() const { return contents_->wantsDifference(); }
  void setShowsDifference(bool on);
  Index3 cursorIndex() const { return cursor_; }
  void setCursorIndex(const Index3& index);
  DisplayMode mode() const { return mode_; }
  void setMode(DisplayMode mode);
  DisplayWindow window() const { return shown().windows.of(mode_); }
  void setWindow(const DisplayWindow& window);
  const ShownGroup& group() const { return group_; }
  void setGroup(int group);
  // The part of an image that the views show; null if it cannot be made: message() gives the
  // reason.
  std::shared_ptr<const Image> partOf(const std::shared_ptr<const Image>& image);
  int frame() const { return frame_; }
  void setFrame(int frame);
  QString colourMap() const { return map_; }
  void setColourMap(const QString& name);
  void resetViews();
  const VolumeStyle& volumeStyle() const { return style_; }
  void setVolumeStyle(const VolumeStyle& style);
  // Draws a second image, in colours, on top of the slices; null: no second image.
  void setOver(const std::shared_ptr<const OverImage>& over);
  void addBar(QWidget* bar);                      // another feature's bar, below the tool bar
  void addFoot(QWidget* foot);                    // below everything
  void setMeasurement(Measurement* measurement);  // of all slice views
  FramePlayer* player() const;
  SlicePlayer* slicePlayer() const { return slicePlayer_; }
  void takeFocus();  // gives the keyboard focus to the first slice view that is visible
  // Cursor, frame, mode, windows, colours, zoom. Set it after the image.
  ViewState viewState() const;
  void setViewState(const ViewState& state);

  SliceView* sliceView(Plane plane) const { return views_[std::size_t(plane)]; }
  VolumeView* volumeView() const { return volume_; }  // null where it is not available

 Q_SIGNALS:
  void cursorMoved(const spokelab::Index3& index);
  void pixelAsked(const spokelab::Index3& index);  // the user wants this pixel explained
  void windowChanged(const spokelab::DisplayWindow& window);
  void modeChanged(spokelab::DisplayMode mode);
  void groupChanged();  // there are other groups, or another one is shown
  void frameChanged(int frame);
  void volumeStyleChanged(const spokelab::VolumeStyle& style);
  // values of the image in the volume view; 0: no image
  void volumeReady(double high, double automaticLevel);
  void surfaceReady(double level, qint64 triangles);
  void differenceShown(bool on);
  void differenceReady(double nrmse);
  void message(const QString& text);  // for the log: VTK's, or why a difference failed

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void connectBar();
  QWidget* makeVolumePlace();
  QWidget* makeFooter();
  void connectView(SliceView* view);

  ImageContents::Content& shown() { return contents_->shown(); }
  const ImageContents::Content& shown() const { return contents_->shown(); }

  void showImage(std::shared_ptr<const Image> image);
  void showPart();
  void applyImage(bool fit);
  void applyWindows();
  void applyVolume();
  void takeCursor(const Index3& index);
  void takeWindow(const DisplayWindow& window);
  void requestDifference();
  void togglePlaying();
  void updateControls();
  void updateReadout(const QString& text);

  ImageContents* contents_;
  std::shared_ptr<const Image> whole_, reference_;  // image or preview, and reference: with all groups
  ShownGroup group_;
  QString referenceName_;
  bool preview_ = false;  // set by setPreview, cleared by setImage

  Index3 cursor_{0, 0, 0};
  int frame_ = 0;
  DisplayMode mode_ = DisplayMode::magnitude;
  QString map_;
  VolumeStyle style_;
  VolumeMode otherMode_ = VolumeMode::opacity;  // the mode to return to after maximum intensity

  std::array<SliceView*, 3> views_{};
  VolumeView* volume_ = nullptr;
  ImageGrid* grid_ = nullptr;
  Measurement* measurement_ = nullptr;
  ImageToolBar* bar_ = nullptr;
  SlicePlayer* slicePlayer_ = nullptr;
  QTimer* volumeTimer_ = nullptr;  // keeps the volume from being rendered at every step of a drag
  ColourBar* colourBar_ = nullptr;
  WindowHistogram* histogram_ = nullptr;
  ReadoutLabel* readout_ = nullptr;
};

}  // namespace spokelab
