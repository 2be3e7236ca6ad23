// The verdicts of a comparison of baselines (engine/profile/baseline/baseline.h) in a table.
#pragma once

#include <QDialog>

#include <memory>

class QTableWidget;

namespace spokelab {

struct Baseline;
struct BaselineComparison;

class BaselineDialog : public QDialog {
  Q_OBJECT

 public:
  // after: the new timings, which the user may keep as a baseline; null: they cannot be kept.
  BaselineDialog(std::shared_ptr<const BaselineComparison> comparison, std::shared_ptr<const Baseline> after,
                 QWidget* parent = nullptr);

  QTableWidget* table() const { return table_; }

 Q_SIGNALS:
  void keepRequested();   // the timings, as a baseline
  void tableRequested();  // the verdicts, as CSV

 private:
  std::shared_ptr<const BaselineComparison> comparison_;
  std::shared_ptr<const Baseline> baseline_;
  QTableWidget* table_;
};

}  // namespace spokelab
