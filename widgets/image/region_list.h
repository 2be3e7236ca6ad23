// The measured regions by name, with their numbers: the current one is chosen here, others are
// begun, named, coloured and removed.
//   click, arrows   the current region      F2, double click   its name
//   Del             removes it              right click, Menu  its colour
#pragma once

#include <vector>

#include <QPointer>
#include <QWidget>

#include "widgets/image/measured.h"

class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace spokelab {

class RegionList : public QWidget {
  Q_OBJECT

 public:
  explicit RegionList(QWidget* parent = nullptr);

  void setMeasurement(Measurement* measurement);
  void setNumbers(const std::vector<RegionNumbers>& numbers);
  QTreeWidget* list() const { return list_; }
  // A line a region, with tabs between the columns.
  QString text() const;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void rebuild();
  void fillRow(QTreeWidgetItem& item, const NamedRegion& region) const;
  void takeName(QTreeWidgetItem* item, int column);
  void takeChoice();
  void showMenu(const QPoint& at);
  int chosen() const;  // id; 0: none

  QPointer<Measurement> measurement_;
  std::vector<RegionNumbers> numbers_;
  bool filling_ = false;
  QTreeWidget* list_;
  QPushButton *add_, *remove_, *colour_;
};

}  // namespace spokelab
