// A strip under the first image. Three short texts explain the image, α and the sweep until the
// user closes it.
#pragma once

#include <QFrame>

class QLabel;

namespace spokelab {

class StepStrip : public QFrame {
  Q_OBJECT

 public:
  explicit StepStrip(QWidget* parent = nullptr);
  void setIterative(bool iterative);  // the image was made by iterations, not by gridding alone

 Q_SIGNALS:
  void sweepRequested();
  void read();  // the user closed the strip and does not want it again

 private:
  QLabel* image_;
};

}  // namespace spokelab
