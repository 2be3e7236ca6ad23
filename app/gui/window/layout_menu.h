// View → Layout: layouts by task, and those that the user has saved under a name.
#pragma once

#include <QByteArray>
#include <QList>
#include <QMap>
#include <QObject>
#include <QString>

class QAction;
class QMenu;
class QWidget;

namespace spokelab {

class WindowLayout;

class LayoutMenu : public QObject {
  Q_OBJECT

 public:
  // remember: saved layouts are kept between runs.
  LayoutMenu(WindowLayout& layout, bool remember, QWidget* window);

  QMenu* menu() const { return menu_; }
  void save(const QString& name);  // saves the present layout; replaces one of this name
  void remove(const QString& name);

 private:
  void fill();
  void askForName();
  void keep() const;

  WindowLayout& layout_;
  const bool remember_;
  QWidget* window_;
  QMenu *menu_, *removal_ = nullptr;
  QAction* end_ = nullptr;  // separator behind the saved layouts
  QList<QAction*> entries_;
  QMap<QString, QByteArray> saved_;
};

}  // namespace spokelab
