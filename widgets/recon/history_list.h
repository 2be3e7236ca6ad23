// Results to go back to. A click shows one; its menu (or button) makes it the reference of the
// comparison.
#pragma once

#include <QWidget>

#include "widgets/recon/history_model.h"

class QListView;

namespace spokelab {

class HistoryList : public QWidget {
  Q_OBJECT

 public:
  // Shows `model`, which outlives the list.
  explicit HistoryList(HistoryModel& model, QWidget* parent = nullptr);

  HistoryModel* model() const { return model_; }
  QListView* list() const { return list_; }

 Q_SIGNALS:
  void showRequested(int id);
  void referenceRequested(int id);  // 0: compare with nothing
  void saveRequested(int id);
  void commandRequested(int id);  // copy the command line that makes it again

 private:
  void openMenu(const QPoint& position);

  HistoryModel* model_;
  QListView* list_;
};

}  // namespace spokelab
