// The log of events, with the time of day. A level and a word filter the shown lines; the others
// are kept. The oldest lines are dropped.
#pragma once

#include <QPlainTextEdit>
#include <QTime>

#include <deque>

namespace spokelab {

enum class LogLevel { detail, information, warning, error };
QString levelName(LogLevel level);  // "warning"; not translated

struct LogLine {
  QTime time;
  LogLevel level = LogLevel::information;
  QString text;
};

class LogView : public QPlainTextEdit {
  Q_OBJECT

 public:
  explicit LogView(QWidget* parent = nullptr);

  void append(LogLevel level, const QString& text);
  LogLevel level() const { return level_; }
  void setLevel(LogLevel level);  // this one and the graver ones
  // lines that hold it, whatever the case
  void setFilter(const QString& word);
  const std::deque<LogLine>& lines() const { return lines_; }  // shown or not

 private:
  bool passes(const LogLine& line) const;
  void show(const LogLine& line);
  void fill();

  std::deque<LogLine> lines_;
  LogLevel level_ = LogLevel::information;
  QString filter_;
};

// A log view below its level and its filter; the panel becomes its parent.
class LogPanel : public QWidget {
  Q_OBJECT

 public:
  explicit LogPanel(LogView* view, QWidget* parent = nullptr);
};

}  // namespace spokelab
