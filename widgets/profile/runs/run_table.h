// All runs of the scan as a table over the full width: sortable and filtered by words. The times of
// all rows are compared with the pinned row's. Beside them are the same rows over parallel axes,
// whose chosen ranges filter the table, too.
//   Enter, double click   the charts are of this run
//   P   pins the row, or no more     Ctrl+C   CSV
#pragma once

#include <QWidget>

#include <vector>

#include "engine/profile/runs/timed_run.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSplitter;
class QTableView;

namespace spokelab {

class RowFilter;
class RunCoordinates;
class RunTableModel;

class RunTable : public QWidget {
  Q_OBJECT

 public:
  explicit RunTable(QWidget* parent = nullptr);

  void setRuns(const std::vector<TimedRun>& runs);
  RunTableModel* model() const { return model_; }
  QTableView* table() const { return table_; }
  RunCoordinates* coordinates() const { return coordinates_; }
  void setCoordinatesShown(bool shown);

 Q_SIGNALS:
  void runChosen(int number);
  void coordinatesShown(bool shown);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;  // the mouse leaves the table

 private:
  void addCoordinates();
  void goTo(int row);
  void filter();
  void pinCurrent();
  void tellCount();
  int sourceRow() const;  // of the current row; -1: none

  RunTableModel* model_;
  RowFilter* shown_;
  QTableView* table_;
  RunCoordinates* coordinates_;
  QSplitter* splitter_;
  QPushButton *axes_, *all_;
  QLineEdit* filter_;
  QCheckBox* every_;
  QLabel* count_;
};

}  // namespace spokelab
