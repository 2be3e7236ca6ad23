// Shows the differences of two results: options, times and errors, one row each, and the distance
// (NRMSE) of their images, which a worker thread computes.
#pragma once

#include <QTreeWidget>

#include "widgets/core/latest_job.h"
#include "widgets/recon/history_model.h"

namespace spokelab {

class DifferenceTable : public QTreeWidget {
  Q_OBJECT

 public:
  explicit DifferenceTable(QWidget* parent = nullptr);

  void setResults(const HistoryEntry& left, const HistoryEntry& right);

 private:
  void addRow(const QString& what, const QString& left, const QString& right);

  LatestJob<double> distance_;  // of the images
};

}  // namespace spokelab
