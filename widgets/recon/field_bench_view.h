// The off-resonance bench: exact field correction beside each approximation. A table (error of
// transform and image, segments, times) and, for the row that is chosen, the exact image, its image
// and the difference of the two.
#pragma once

#include <QWidget>

#include <array>
#include <vector>

#include "engine/recon/explore/field_bench.h"

class QLabel;
class QTableWidget;
class QToolButton;

namespace spokelab {

class ElidedLabel;
class SliceView;

class FieldBenchView : public QWidget {
  Q_OBJECT

 public:
  enum View { exactView, approximationView, differenceView };

  explicit FieldBenchView(QWidget* parent = nullptr);

  void start();
  void addRow(const FieldBenchRow& row);  // exact first
  void finish();

  const std::vector<FieldBenchRow>& rows() const { return rows_; }
  QTableWidget* table() const { return table_; }
  SliceView* view(View which) const { return views_[which]; }
  void select(int row);

 Q_SIGNALS:
  void runRequested();

 private:
  void showRow(int row);

  std::vector<FieldBenchRow> rows_;
  QTableWidget* table_ = nullptr;
  std::array<SliceView*, 3> views_{};
  std::array<ElidedLabel*, 3> captions_{};
  QToolButton* run_ = nullptr;
  QLabel* status_ = nullptr;
};

}  // namespace spokelab
