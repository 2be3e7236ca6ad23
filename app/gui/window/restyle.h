// Another palette and style sheet while windows are open, in short steps: Qt takes an old sheet off
// all widgets in one event and styles all of them in another, 0.1 s for 1200 widgets. Here widgets
// are unstyled a few at a time, the changes are made while none is styled, and then they are styled
// a few at a time. Windows keep what they show until the end.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QTimer>
#include <QWidget>

#include <cstddef>
#include <functional>
#include <vector>

class QApplication;

namespace spokelab {

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

  std::vector<QPointer<QWidget>> widgets_, frozen_;
  std::vector<Change> changes_;
  Change ended_;
  QTimer timer_;
  std::size_t at_ = 0, change_ = 0;
  bool unstyled_ = false;
};

}  // namespace spokelab
