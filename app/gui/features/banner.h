// A bar above the image that says what went wrong, why, and what to do. Nothing waits for it to be
// closed.
#pragma once

#include <QFrame>

#include "app/gui/session/job_queue.h"

class QLabel;

namespace spokelab {

class Banner : public QFrame {
  Q_OBJECT

 public:
  explicit Banner(QWidget* parent = nullptr);

  void showFailure(const Failure& failure);
  const QString& text() const { return text_; }  // what is shown, without markup

 private:
  QLabel* label_;
  QString text_;
};

}  // namespace spokelab
