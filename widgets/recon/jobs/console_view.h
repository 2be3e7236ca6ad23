// A console: what another process says above a line to type in.
//   Enter     sends the line
//   Up, Down  earlier lines
//   Ctrl+C    interrupts, where nothing is selected
#pragma once

#include <QStringList>
#include <QWidget>

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QToolButton;

namespace spokelab {

class ConsoleView : public QWidget {
  Q_OBJECT

 public:
  explicit ConsoleView(QWidget* parent = nullptr);

  void append(const QString& text);  // as it came: lines may be in pieces
  void setRunning(bool running);
  void setStatus(const QString& text);
  void clear();
  QString text() const;
  bool isRunning() const { return running_; }
  QLineEdit* line() const { return line_; }

 Q_SIGNALS:
  void entered(const QString& line);
  void startRequested();
  void stopRequested();
  void interruptRequested();
  void imageRequested();  // the shown image as an array
  void scanRequested();   // the open scan

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void enter();
  void recall(int step);

  QPlainTextEdit* output_;
  QLineEdit* line_;
  QLabel* status_;
  QToolButton *start_, *interrupt_, *image_, *scan_;
  QStringList history_;
  qsizetype place_ = 0;  // in the history; its size: the new line
  bool running_ = false;
};

}  // namespace spokelab
