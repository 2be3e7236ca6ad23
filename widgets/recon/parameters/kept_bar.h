// A line above the parameters: what was set for the last scan and does not act on this one, with
// buttons that set it again or forget it.
#pragma once

#include <QFrame>

class QLabel;

namespace spokelab {

class KeptBar : public QFrame {
  Q_OBJECT

 public:
  explicit KeptBar(QWidget* parent = nullptr);

  void offer(const QStringList& changes);  // "α 1.88", "method sense"; none: hides the line
  QString text() const;

 Q_SIGNALS:
  void keepRequested();
  void resetRequested();

 private:
  QLabel* label_;
};

}  // namespace spokelab
