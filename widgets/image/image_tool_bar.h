// The row over the image panel: quantity, colours, volume, fit, measuring tools, frame, and image
// or difference. It emits the user's requests; only ImagePanel decides.
#pragma once

#include <array>

#include <QWidget>

#include "engine/scan/frame_axes.h"
#include "widgets/core/display_mode.h"

class QButtonGroup;
class QComboBox;
class QLabel;
class QToolButton;

namespace spokelab {

class DragGrip;
class FlowLayout;
class FrameBar;
class GroupBox;
class Measurement;

class ImageToolBar : public QWidget {
  Q_OBJECT

 public:
  explicit ImageToolBar(QWidget* parent = nullptr);

  // The requests that make sense now.
  struct Offer {
    bool image = false;      // there is one
    bool volume = false;     // of several slices
    bool reference = false;  // there is one
    bool wantsDifference = false;
    QStringList groups;  // of slices; fewer than two: no choice
    int group = 0;
    int frames = 1, frame = 0;
    FrameAxes frameAxes;  // what the frames are
    DisplayMode mode = DisplayMode::magnitude;
    QString obstacle;  // why the difference cannot be shown
    QString referenceName;
  };
  void offer(const Offer& offer);
  void setNrmse(double nrmse, bool visible, bool ofMagnitudes);
  void setMode(DisplayMode mode);
  void setColourMap(const QString& name);
  bool isSmooth() const;
  void setSmooth(bool on);
  bool isMaximumIntensity() const;
  void setMaximumIntensity(bool on);
  // Disables the volume button; `why` is its tool tip.
  void disableVolume(const QString& why);
  // The buttons choose its tool, and show it.
  void setMeasurement(Measurement* measurement);
  GroupBox* groups() const { return groups_; }
  FrameBar* frames() const { return frames_; }
  DragGrip* drag() const { return drag_; }

 Q_SIGNALS:
  void modeChosen(spokelab::DisplayMode mode);
  void colourMapChosen(const QString& name);
  void smoothToggled(bool on);
  void maximumIntensityToggled(bool on);
  void fitRequested();
  void differenceChosen(bool on);

 private:
  void addModeButtons(FlowLayout* row);
  void addColourMaps(FlowLayout* row);
  void addViewButtons(FlowLayout* row);
  void addMeasureButtons(FlowLayout* row);
  void addContentButtons(FlowLayout* row);

  QButtonGroup* modes_ = nullptr;
  QComboBox* maps_ = nullptr;
  QToolButton *smooth_ = nullptr, *maximumIntensity_ = nullptr, *fit_ = nullptr;
  std::array<QToolButton*, 3> measureButtons_{};
  GroupBox* groups_ = nullptr;
  FrameBar* frames_ = nullptr;
  QLabel* nrmse_ = nullptr;
  QToolButton *image_ = nullptr, *difference_ = nullptr;
  DragGrip* drag_ = nullptr;
};

}  // namespace spokelab
