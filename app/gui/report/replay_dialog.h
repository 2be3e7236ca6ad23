// The outcome of a repeated report: each number then and now, and whether it was reproduced.
#pragma once

#include <QDialog>

#include <memory>

class QTableWidget;

namespace spokelab {

struct Report;

class ReplayDialog : public QDialog {
  Q_OBJECT

 public:
  // report->replay must have a value.
  explicit ReplayDialog(std::shared_ptr<const Report> report, QWidget* parent = nullptr);

  QTableWidget* table() const { return table_; }
  bool reproduced() const;

 Q_SIGNALS:
  void writeRequested();  // a report of the replay

 private:
  std::shared_ptr<const Report> report_;
  QTableWidget* table_;
};

}  // namespace spokelab
