// A bar above the image that names a failure, its reason and the remedy, or says what was written,
// with buttons that open it. No work waits for the user to close it.
#pragma once

#include <QFrame>

#include "app/gui/session/job_queue.h"

class QLabel;
class QToolButton;

namespace spokelab {

class Banner : public QFrame {
  Q_OBJECT

 public:
  explicit Banner(QWidget* parent = nullptr);

  void showFailure(const Failure& failure);
  // Open shows `file`, Folder the folder that holds it.
  void showWritten(const QString& text, const QString& file);
  const QString& text() const { return text_; }  // without markup

 private:
  void showText(const QString& text, const QString& role);

  QLabel* label_;
  QToolButton *open_, *folder_;
  QString file_;
  QString text_;
};

}  // namespace spokelab
