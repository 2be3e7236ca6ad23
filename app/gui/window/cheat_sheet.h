// All keys on one sheet: the shortcuts of the menus, and the keys that the views take. Key H.
#pragma once

#include <QDialog>

class QMainWindow;
class QMenu;

namespace spokelab {

class CheatSheet : public QDialog {
  Q_OBJECT

 public:
  explicit CheatSheet(const QMainWindow& window, QWidget* parent = nullptr);
};

void addCheatSheet(QMainWindow& window, QMenu* help);

}  // namespace spokelab
