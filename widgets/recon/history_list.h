// Results to go back to. A click shows one; its menu makes it the reference of the comparison,
// renames (F2) or deletes (Del) it; a drag takes its image to another program. Below: what differs
// between two that are selected.
#pragma once

#include <QPoint>
#include <QWidget>

#include "widgets/recon/history_model.h"

class QAction;
class QListView;

namespace spokelab {

class DifferenceTable;

class HistoryList : public QWidget {
  Q_OBJECT

 public:
  // Shows `model`, which outlives the list.
  explicit HistoryList(HistoryModel& model, QWidget* parent = nullptr);

  HistoryModel* model() const { return model_; }
  QListView* list() const { return list_; }
  DifferenceTable* differences() const { return differences_; }
  std::vector<int> selected() const;  // ids, oldest first
  void select(const std::vector<int>& ids);

 Q_SIGNALS:
  void showRequested(int id);
  void referenceRequested(int id);  // 0: compare with nothing
  void saveRequested(int id);
  void commandRequested(int id);     // copy the command line that makes it again
  void pythonRequested(int id);      // the same as Python
  void cRequested(int id);           // the same as C
  void overRequested(int id);        // lay it over the shown one
  void parametersRequested(int id);  // use its parameters
  void deleteRequested(const std::vector<int>& ids);
  void dragRequested(int id);  // out of the window

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void openMenu(const QPoint& position);
  void showIndex(const QModelIndex& index);
  void deleteSelected();
  void deleteOthers();
  void updateDifferences();

  HistoryModel* model_;
  QListView* list_;
  QPoint pressed_;
  int draggable_ = 0;  // the result under the pressed button; 0: none
  DifferenceTable* differences_;
  QAction *rename_, *delete_, *deleteOthers_;
};

}  // namespace spokelab
