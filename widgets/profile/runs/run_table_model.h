// Runs as rows: their fastest plan, or every plan; what it was asked, its parameters, times, error,
// and the ratio of its time to a pinned row's.
#pragma once

#include <QAbstractTableModel>

#include <optional>
#include <vector>

#include "engine/core/measure/rank_test.h"
#include "engine/profile/runs/timed_run.h"

namespace spokelab {

class RunTableModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column {
    runColumn,
    kindColumn,
    workloadColumn,
    backendColumn,
    pathColumn,
    alphaColumn,
    widthColumn,
    methodColumn,
    timeColumn,
    interpolationColumn,
    fftColumn,
    errorColumn,
    memoryColumn,
    repeatsColumn,
    ratioColumn,  // to the pinned row, with its interval at 95 %
    startColumn,
    columns
  };
  // sortRole: the cell's value, to sort by. numberRole: the number of the row's run.
  static constexpr int sortRole = Qt::UserRole, numberRole = Qt::UserRole + 1;

  using QAbstractTableModel::QAbstractTableModel;

  void setRuns(std::vector<TimedRun> runs);
  void setEveryPlan(bool every);
  // Pins the row that the ratios of times refer to; -1: none. Rows of other workloads have no
  // ratio. A row that is removed is no longer pinned.
  void setPinned(int row);
  int pinned() const { return pinned_; }
  // The row under the mouse, here or in another view of the same rows; -1: none.
  void setHovered(int row);
  int hovered() const { return hovered_; }
  const Candidate& plan(int row) const;
  const TimedRun& run(int row) const { return runs_[rows_[std::size_t(row)].run]; }
  const Workload& workload(int row) const { return run(row).timed->workload; }
  std::optional<RankTest> ratio(int row) const;
  QString csv() const;  // all rows and columns, below a line of titles

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  struct Row {
    std::size_t run = 0, plan = 0;
  };
  void makeRows();
  QString textOf(const Row& row, int column) const;
  QVariant valueOf(const Row& row, int column) const;
  std::optional<RankTest> ratioOf(const Row& row) const;

  std::vector<TimedRun> runs_;
  std::vector<Row> rows_;
  bool every_ = false;
  int pinned_ = -1, hovered_ = -1;
};

}  // namespace spokelab
