// Chooses the frame of an image with several: a slider, what the frame is ("echo 2 of 5, TE 4.9
// ms", or its number where nobody knows), and a player. Hidden where there is one frame only.
#pragma once

#include <QWidget>

#include "engine/scan/frame_axes.h"

class QLabel;
class QSlider;

namespace spokelab {

class FramePlayer;

class FrameBar : public QWidget {
  Q_OBJECT

 public:
  FrameBar(const QString& sliderName, int sliderWidth, QWidget* parent = nullptr);

  // Both functions emit no signal.
  void setFrames(int frames, const FrameAxes& axes = {});
  void showFrame(int frame);
  // Emits where the frame changes, as the user's slider does.
  void setFrame(int frame);
  int frame() const;
  int lastFrame() const;
  FramePlayer* player() const { return player_; }

 Q_SIGNALS:
  void frameChanged(int frame);

 private:
  void updateText();

  QLabel* label_;
  QSlider* slider_;
  FramePlayer* player_;
  FrameAxes axes_;
};

}  // namespace spokelab
