// Baselines in the window: the charts' plans timed and kept, timed again and judged (engine/profile/baseline/baseline.h).
#pragma once

#include <QDialog>

#include <memory>

class QMenu;
class QTableWidget;

namespace spokelab {

class MainWindow;
struct Baseline;
struct BaselineComparison;

// A table of verdicts.
class BaselineDialog : public QDialog {
  Q_OBJECT

 public:
  // after: may be kept as a baseline, too.
  BaselineDialog(std::shared_ptr<const BaselineComparison> comparison, std::shared_ptr<const Baseline> after,
                 QWidget* parent = nullptr);

  QTableWidget* table() const { return table_; }

 Q_SIGNALS:
  void keepRequested();   // the timings, as a baseline
  void tableRequested();  // the verdicts, as CSV

 private:
  std::shared_ptr<const BaselineComparison> comparison_;
  std::shared_ptr<const Baseline> after_;
  QTableWidget* table_;
};

// Jobs; what goes wrong is a Failure of the session. Neither asks for anything.
void saveBaseline(MainWindow& window, const QString& file);         // of the charts' timed plans
void compareWithBaseline(MainWindow& window, const QString& file);  // ends in a BaselineDialog

// The menu's two entries.
void addBaselines(MainWindow& window, QMenu& menu);

}  // namespace spokelab
