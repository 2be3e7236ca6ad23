// A bar above the image that names a failure, its reason and the remedy. No work waits for the user
// to close it.
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
  const QString& text() const { return text_; }  // without markup

 private:
  QLabel* label_;
  QString text_;
};

}  // namespace spokelab
