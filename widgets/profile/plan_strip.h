// One plan in a line, and a button that reconstructs with it and says what that costs.
#pragma once

#include <QWidget>

#include <optional>

#include "engine/nufft/tune/result/candidate.h"

class QLabel;
class QPushButton;

namespace spokelab {

// Seconds of all executions of a workload with this plan; 0: not known.
double wholeCost(const Candidate& plan, const std::optional<Workload>& workload);

class PlanStrip : public QWidget {
  Q_OBJECT

 public:
  explicit PlanStrip(QWidget* parent = nullptr);

  // Null: hides it.
  void setPlan(const Candidate* plan, const std::optional<Workload>& workload);
  QPushButton* button() const { return button_; }
  QLabel* text() const { return text_; }

 Q_SIGNALS:
  void reconstructRequested();

 private:
  QLabel* text_;
  QPushButton* button_;
};

}  // namespace spokelab
