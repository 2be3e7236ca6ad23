// The runs of a scan: which of them the charts draw, which one they are of; renamed, pinned,
// deleted, exported and compared from here.
//   click, Enter   the charts are of this run    Space    draws it or not
//   F2             another name                  Delete   deletes those that are selected
#pragma once

#include <QWidget>

#include <optional>
#include <vector>

#include "engine/profile/runs/timed_run.h"

class QAction;
class QTreeWidget;
class QTreeWidgetItem;

namespace spokelab {

enum class RunFormat { csv, json };

class RunList : public QWidget {
  Q_OBJECT

 public:
  explicit RunList(QWidget* parent = nullptr);

  // `timed` is null for a run that is still being timed. Runs of another workload than the chosen
  // one's are grey: their times have no place on its axis. A long list is filled by the next event.
  void setRuns(const std::vector<TimedRun>& runs, int chosen);
  QTreeWidget* tree() const { return tree_; }
  std::vector<int> selected() const;  // numbers, ascending

 Q_SIGNALS:
  void runChosen(int number);
  void visibilityWanted(int number, bool visible);
  void othersHidden(int number);
  void pinWanted(int number, bool pinned);
  void renamed(int number, const QString& name);
  void deletionWanted(const std::vector<int>& numbers);
  void comparisonWanted(int before, int after);
  void exportWanted(const std::vector<int>& numbers, spokelab::RunFormat format);

 private:
  struct Listed {
    std::vector<TimedRun> runs;
    int chosen = 0;
  };

  void takeWaiting();
  void list(const std::vector<TimedRun>& runs, int chosen);
  QAction* add(const QString& text, const char* name, void (RunList::*act)(), const QKeySequence& key = {});
  void removeOthers();
  QTreeWidgetItem* takeRow(int place, int number);
  void fill(QTreeWidgetItem& item, const TimedRun& run, bool chosen) const;
  void takeEdit(QTreeWidgetItem* item);
  void enableActions();
  int current() const;
  void showCurrent();
  void hideOthers();
  void turnPin();
  void rename();
  void deleteSelected();
  void compareSelected();
  void exportCsv();
  void exportJson();

  std::optional<Listed> waiting_;
  std::vector<TimedRun> runs_;  // as they are listed
  int chosen_ = 0;
  std::optional<Workload> axis_;  // of the run that the charts are of
  QTreeWidget* tree_;
  QAction *show_, *others_, *pin_, *rename_, *delete_, *compare_, *csv_, *json_;
};

}  // namespace spokelab
