// One result's plan, row by row: what was chosen and why, memory, errors, and where the time went,
// with what the stages do not account for. Then what the next reconstruction would do.
#pragma once

#include <QAbstractTableModel>
#include <QColor>
#include <QString>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/recon/run/reconstruction.h"

namespace spokelab {

enum PlanRole {
  HeadingRole = Qt::UserRole + 100,
  FractionRole,
  ColourRole
};  // bool, double (of the total), QColor

class PlanModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  using QAbstractTableModel::QAbstractTableModel;

  // Names and texts of the next job (job_text.h); empty: there is none.
  using JobRows = std::vector<std::pair<std::string, std::string>>;

  void setResult(std::shared_ptr<const Reconstruction> result);  // null: nothing is shown
  void setJob(JobRows rows);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

 private:
  struct Row {
    QString name, value;
    bool heading = false;
    double fraction = -1;
    QColor colour;
  };
  void fill();
  void addPlan(const Reconstruction& result);
  void addErrors(const Reconstruction& result);
  void addTimes(const Reconstruction& result);
  void addIteration(const Reconstruction& result);  // its parts, where they are told apart

  std::shared_ptr<const Reconstruction> result_;
  JobRows job_;
  std::vector<Row> rows_;
};

}  // namespace spokelab
