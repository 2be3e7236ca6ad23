// Turns VTK's messages into a Qt signal; without it VTK opens a window or writes to standard error.
#pragma once

#include <QObject>
#include <QString>

namespace spokelab {

class VtkLog : public QObject {
  Q_OBJECT

 public:
  // The one log of the process; the first call routes VTK's output here.
  static VtkLog& instance();

  int count() const { return count_; }  // messages so far
  const QString& last() const { return last_; }
  void add(const QString& text);

 Q_SIGNALS:
  void message(const QString& text);

 private:
  VtkLog() = default;

  int count_ = 0;
  QString last_;
};

}  // namespace spokelab
