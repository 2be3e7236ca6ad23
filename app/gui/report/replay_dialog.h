// The outcome of a repeated report: each number then and now, and whether it was reproduced.
#pragma once

#include <QDialog>

#include "engine/profile/results/replay_comparison.h"

class QTableWidget;

namespace spokelab {

class ReplayDialog : public QDialog {
  Q_OBJECT

 public:
  explicit ReplayDialog(ReplayComparison comparison, QWidget* parent = nullptr);

  QTableWidget* table() const { return table_; }
  bool reproduced() const;

 Q_SIGNALS:
  void writeRequested();  // a report of the replay

 private:
  ReplayComparison comparison_;
  QTableWidget* table_;
};

}  // namespace spokelab
