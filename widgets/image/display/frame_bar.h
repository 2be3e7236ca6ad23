// Chooses the frame of an image with several (repetitions, phases, contrasts): a slider, its
// number, and a player. Hidden where there is one frame only.
#pragma once

#include <QWidget>

class QLabel;
class QSlider;

namespace spokelab {

class FramePlayer;

class FrameBar : public QWidget {
  Q_OBJECT

 public:
  FrameBar(const QString& sliderName, int sliderWidth, QWidget* parent = nullptr);

  // Neither emits.
  void setFrames(int frames);
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
};

}  // namespace spokelab
