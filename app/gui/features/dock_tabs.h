// The tabs of docks that share a place: their names are whole. Where many tabs have little room,
// they have less space around their names; beyond that, buttons scroll them.
#pragma once

#include <QObject>

class QMainWindow;
class QTabBar;

namespace spokelab {

class DockTabs : public QObject {
  Q_OBJECT

 public:
  explicit DockTabs(QMainWindow& window);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void adopt(QTabBar& bar);
  static void fit(QTabBar& bar);
};

}  // namespace spokelab
