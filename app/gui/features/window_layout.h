// Places of the docks: the first layout, the one of a small window, the one that the user left, and
// the one with all docks hidden.
#pragma once

#include <QByteArray>
#include <QList>
#include <QMap>
#include <QObject>
#include <QRect>
#include <QSize>
#include <QStringList>
#include <QTimer>

class QAction;
class QDockWidget;
class QMainWindow;
class QToolBar;

namespace spokelab {

// A layout for one kind of work: the docks of the default places that it leaves, those in front,
// and the share of the window's height that those at the bottom have.
struct TaskLayout {
  QStringList docks, front;
  double bottomShare;
};

class WindowLayout : public QObject {
  Q_OBJECT

 public:
  explicit WindowLayout(QMainWindow& window);

  // The window's docks and tool bars are all made: these places are the default ones.
  void begin(const QSize& firstSize);
  void shown();  // the window is seen for the first time
  void toDefault();
  void toTask(const TaskLayout& task);

  // A layout as it is kept. While the image is alone: the one before.
  QByteArray geometry() const;
  QByteArray docks() const;
  // Restores a layout of any screen and fits it to the window's screen.
  void restore(const QByteArray& geometry, const QByteArray& docks);

  // True if the user chose the layout: a task's, a saved one, or a changed one.
  bool isChosen() const { return chosen_; }
  bool isImageAlone() const { return !before_.isEmpty(); }
  void setImageAlone(bool on);
  // Actions of the menu: show or hide each side's docks, then the image alone.
  QList<QAction*> actions() const { return actions_; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;  // the window's sizes and Escape

 private:
  QDockWidget* dock(const char* name) const;
  void addSide(const QString& text, const char* name, Qt::DockWidgetArea area, Qt::Key key);
  void showSide(Qt::DockWidgetArea area, bool on);
  void arrange();
  void sizeDocks();
  bool isInside() const;
  void moveInside();
  void fitToolBars();
  QRect room() const;
  void placeDocks(const QByteArray& docks);
  void settle();

  QMainWindow& window_;
  QByteArray default_;
  QByteArray docksToRestore_;  // docks that are placed again once the window has its size
  QSize placedFor_;
  bool arrangeWanted_ = true;
  bool chosen_ = false;
  QTimer settle_;
  QByteArray before_, geometryBefore_;  // while the image is alone
  Qt::WindowStates stateBefore_;
  QMap<int, QStringList> hidden_;    // docks of each collapsed side; the front dock is last
  QMap<QToolBar*, int> wordsWidth_;  // that a bar needs for pictures and words
  QList<QAction*> actions_;
  QAction* alone_ = nullptr;
};

}  // namespace spokelab
