// Steps through the slices of an image panel at an even pace and begins again at the end.
#pragma once

#include <QObject>
#include <QTimer>

#include "widgets/image/display/orientation.h"

namespace spokelab {

class ImagePanel;

class SlicePlayer : public QObject {
  Q_OBJECT

 public:
  // The panel owns it.
  explicit SlicePlayer(ImagePanel& panel);

  bool isPlaying() const { return timer_.isActive(); }
  // Plays the slices of this plane, or stops if it plays. A plane of one slice stops at once.
  void toggle(Plane plane);
  void stop() { timer_.stop(); }

 private:
  void step();

  ImagePanel& panel_;
  Plane plane_ = Plane::axial;
  QTimer timer_;
};

}  // namespace spokelab
