// Another palette and style sheet while windows are open, in short steps: Qt takes an old sheet off
// all widgets in one event and styles all of them in another, 0.1 s for 1200 widgets. Here widgets
// are unstyled a few at a time, the changes are made while none is styled, and then they are styled
// a few at a time. Windows keep what they show until the end.
#pragma once

#include <QElapsedTimer>
#include <QLayout>
#include <QObject>
#include <QPointer>
#include <QTimer>
#include <QWidget>

#include <cstddef>
#include <functional>
#include <vector>

class QApplication;

namespace spokelab {

// While it exists, open dialogs are not laid out again. Widgets without a style sheet are higher
// than with one. A QDialogButtonBox that hears of another style lays its dialog out at once, and
// the dialog would grow and keep the height.
class HeldDialogs {
 public:
  HeldDialogs();
  ~HeldDialogs();
  HeldDialogs(const HeldDialogs&) = delete;
  HeldDialogs& operator=(const HeldDialogs&) = delete;

 private:
  std::vector<QPointer<QLayout>> layouts_;
};

class Restyle : public QObject {
  Q_OBJECT

 public:
  using Change = std::function<void()>;

  // Each of `changes` runs in a separate event; `ended` is called when all widgets are styled.
  // Deletes itself. If it is deleted early, the next one styles the remaining widgets.
  Restyle(QApplication& application, std::vector<Change> changes, Change ended);
  ~Restyle() override;

  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void step();
  bool visit(void (*act)(QWidget&));  // false: all have been visited

  HeldDialogs held_;
  std::vector<QPointer<QWidget>> widgets_, frozen_;
  std::vector<Change> changes_;
  Change ended_;
  QTimer timer_;
  std::size_t at_ = 0, change_ = 0;
  bool unstyled_ = false;
};

}  // namespace spokelab
