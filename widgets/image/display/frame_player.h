// Cine: steps a frame slider at an even pace and begins again at its end. Frames that cannot be
// shown in time are left out to keep the pace.
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

class QSlider;
class QSpinBox;
class QToolButton;

namespace spokelab {

class FramePlayer : public QWidget {
  Q_OBJECT

 public:
  explicit FramePlayer(QSlider* frames, QWidget* parent = nullptr);

  bool isPlaying() const { return timer_.isActive(); }
  void setPlaying(bool on);
  int framesPerSecond() const;
  void setFramesPerSecond(int rate);

 private:
  void step();

  QSlider* frames_;
  QToolButton* play_;
  QSpinBox* rate_;
  QTimer timer_;
  QElapsedTimer clock_;
  int first_ = 0;  // frame at which the clock was started
};

}  // namespace spokelab
