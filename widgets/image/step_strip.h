// Three first steps under the first image, with their terms, until the user has read them.
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
  void read();  // the user has read them

 private:
  QLabel* image_;
};

}  // namespace spokelab
