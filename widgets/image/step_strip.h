// Three first steps under the first image, each with its term explained, until the user has read
// them.
#pragma once

#include <QFrame>

namespace spokelab {

class StepStrip : public QFrame {
  Q_OBJECT

 public:
  explicit StepStrip(QWidget* parent = nullptr);

 Q_SIGNALS:
  void sweepRequested();
  void read();  // the user has read them
};

}  // namespace spokelab
